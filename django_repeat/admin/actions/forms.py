"""What the page between asks for."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from django_repeat.admin import texts
from django_repeat.codec import FURTHEST_MS
from django_repeat.control.deciding import LONGEST_REASON
from django_repeat.control.skipping import MOST
from django_repeat.instants import from_ms


class VerbForm(forms.Form):
    """A form that asks for nothing; ``now`` is the server's."""

    def __init__(self, *args: Any, now: datetime, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.now = now


class ReasonForm(VerbForm):
    """A form that asks why."""

    reason = forms.CharField(
        label=_("Reason"),
        max_length=LONGEST_REASON,
        required=False,
        help_text=_("Kept in the run log and in the history."),
        widget=forms.TextInput(attrs={"class": "vTextField"}),
    )


class WallTimeField(forms.DateTimeField):
    """An instant as a wall time in Django's current zone; one that the zone skips or has twice is refused."""

    widget = forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")

    def to_python(self, value: Any) -> datetime | None:
        found = super().to_python(value)
        # Without USE_TZ Django leaves the zone out.
        return timezone.make_aware(found) if found is not None and timezone.is_naive(found) else found


class PauseForm(ReasonForm):
    """A form that asks why, and until when."""

    until = WallTimeField(label=_("Until"), required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        zone = timezone.get_current_timezone_name()
        self.fields["until"].help_text = _("In the zone %(zone)s. Empty: until it is resumed.") % {"zone": zone}

    def clean_until(self) -> datetime | None:
        until: datetime | None = self.cleaned_data["until"]
        if until is not None and until <= self.now:
            text = _("%(when)s has passed: it is %(now)s.")
            raise ValidationError(text, params={"when": texts.wall(until), "now": texts.wall(self.now)})
        # A wall time of the last day of year 9999 can be an instant of the next, and no record holds that.
        if until is not None and until > from_ms(FURTHEST_MS):
            raise ValidationError(_("This lies too far ahead."))
        return until


class ResumeForm(ReasonForm):
    """A form that asks why, and what becomes of the times that passed."""

    replay = forms.BooleanField(
        label=_("Replay"),
        required=False,
        help_text=_("Treat the times that passed meanwhile as missed, so that catch_up decides which still fire."),
    )


class SkipForm(ReasonForm):
    """A form that asks why, and how many."""

    count = forms.IntegerField(label=_("Number of runs"), min_value=1, max_value=MOST, initial=1)
    field_order = ("count", "reason")
