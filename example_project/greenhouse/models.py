"""What a greenhouse remembers: readings of its sensors, and a diary."""

from typing import ClassVar

from django.db import models
from django.utils import timezone


class Reading(models.Model):
    """What the sensors said at one moment."""

    taken_at = models.DateTimeField(default=timezone.now, db_index=True)
    temperature = models.DecimalField(max_digits=3, decimal_places=1, help_text="°C")
    soil = models.PositiveSmallIntegerField(help_text="Moisture of the soil in percent")

    objects: ClassVar[models.Manager["Reading"]] = models.Manager()

    class Meta:
        ordering = ["-taken_at", "-pk"]

    def __str__(self) -> str:
        return f"{self.temperature} °C, soil {self.soil} %"


class DiaryEntry(models.Model):
    """What was done, in words."""

    written_at = models.DateTimeField(default=timezone.now, db_index=True)
    text = models.CharField(max_length=200)

    objects: ClassVar[models.Manager["DiaryEntry"]] = models.Manager()

    class Meta:
        ordering = ["-written_at", "-pk"]
        verbose_name_plural = "diary entries"

    def __str__(self) -> str:
        return self.text
