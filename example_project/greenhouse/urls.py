"""One page."""

from django.urls import path

from . import views

app_name = "greenhouse"

urlpatterns = [
    path("", views.index, name="index"),
]
