"""What the greenhouse does by itself. A worker runs it; what a task answers can be seen in the admin."""

import math
import random
from datetime import timedelta

from django.db.models import Avg, Count, Max, Min
from django.utils import timezone

from django_repeat import repeat

from .models import DiaryEntry, Reading

try:
    from django.tasks import task
except ImportError:  # Django 5.2
    from django_tasks import task  # type: ignore[no-redef]


@repeat(name="greenhouse.measure", every="3s")
@task
def measure() -> str:
    """Read the sensors. A day in here takes a minute, and the sun dries the soil."""
    now = timezone.now()
    last = Reading.objects.first()
    reading = Reading.objects.create(
        taken_at=now,
        temperature=round(21 + 6 * math.sin(now.timestamp() / 60 * math.tau) + random.uniform(-0.4, 0.4), 1),
        soil=max(0, last.soil - random.randint(1, 4)) if last else 62,
    )
    return str(reading)


@task
def water(below: int) -> str:
    """Water the tomatoes if the soil is drier than ``below`` percent."""
    last = Reading.objects.first()
    if last is None or last.soil >= below:
        return "not thirsty"
    wet = Reading.objects.create(temperature=last.temperature, soil=min(95, last.soil + 45))
    entry = DiaryEntry.objects.create(text=f"Watered the tomatoes: soil {last.soil} % → {wet.soil} %")
    return str(entry)


@repeat(name="greenhouse.digest", cron="* * * * *")
@task
def digest() -> str:
    """Note how the last minute was."""
    return _note("The last minute", timedelta(minutes=1))


@task
def report() -> str:
    """Note how the last day was; every morning at six (see apps.py)."""
    return _note("The last day", timedelta(days=1))


def _note(when: str, period: timedelta) -> str:
    found = Reading.objects.filter(taken_at__gt=timezone.now() - period).aggregate(
        count=Count("pk"), low=Min("temperature"), high=Max("temperature"), soil=Avg("soil")
    )
    if not found["count"]:
        return "no readings"
    # SQLite has no decimals: what it answers has as many digits as a float.
    temperature = f"{found['low']:.1f} to {found['high']:.1f} °C"
    text = f"{when}: {found['count']} readings, {temperature}, soil {found['soil']:.0f} %"
    return str(DiaryEntry.objects.create(text=text))
