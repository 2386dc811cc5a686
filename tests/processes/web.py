"""The web half of the site: the admin, for whoever asks, and which Redis client a worker is."""

from __future__ import annotations

import os
from collections.abc import Callable

from django.contrib import admin
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import path

from django_repeat import conf, connection

Answers = Callable[[HttpRequest], HttpResponse]


class AsSuperuser:
    """Let every request be one of a superuser whom no database knows."""

    def __init__(self, get_response: Answers) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request.user = User(pk=1, username="root", is_staff=True, is_superuser=True)
        return self._get_response(request)


def client_id() -> int:
    """Answer what the server calls this process's connection."""
    settings = conf.current()
    return int(connection.connect(settings.redis, settings.timeout).command("CLIENT", "ID"))


def who(request: HttpRequest) -> JsonResponse:
    """Answer the worker's pid, its parent's, and its connection."""
    return JsonResponse({"pid": os.getpid(), "parent": os.getppid(), "client": client_id()})


urlpatterns = [path("who/", who), path("admin/", admin.site.urls)]
