"""The page that visitors see."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from .models import DiaryEntry, Reading

WIDTH, HEIGHT = 640, 120


def index(request: HttpRequest) -> HttpResponse:
    """Show the greenhouse as it is now; the page reloads itself."""
    readings = list(Reading.objects.all()[:60])[::-1]
    context = {
        "now": readings[-1] if readings else None,
        "temperature": _curve([float(reading.temperature) for reading in readings], 10, 32),
        "soil": _curve([reading.soil for reading in readings], 0, 100),
        "diary": DiaryEntry.objects.all()[:8],
        "width": WIDTH,
        "height": HEIGHT,
    }
    return render(request, "greenhouse/index.html", context)


def _curve(values: list[float] | list[int], low: int, high: int) -> str:
    """Answer the points of an SVG polyline, oldest on the left."""
    step = WIDTH / max(1, len(values) - 1)
    return " ".join(
        f"{index * step:.0f},{HEIGHT - (value - low) / (high - low) * HEIGHT:.0f}" for index, value in enumerate(values)
    )
