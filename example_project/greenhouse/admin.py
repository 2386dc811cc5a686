"""Readings and diary to look at; the schedules that fill them are under "Recurring schedules"."""

from typing import TYPE_CHECKING

from django.contrib import admin

from .models import DiaryEntry, Reading

if TYPE_CHECKING:
    ReadingBase = admin.ModelAdmin[Reading]
    DiaryBase = admin.ModelAdmin[DiaryEntry]
else:
    ReadingBase = DiaryBase = admin.ModelAdmin


@admin.register(Reading)
class ReadingAdmin(ReadingBase):
    list_display = ["taken_at", "temperature", "soil"]
    date_hierarchy = "taken_at"


@admin.register(DiaryEntry)
class DiaryEntryAdmin(DiaryBase):
    list_display = ["written_at", "text"]
    search_fields = ["text"]
