"""What this process's code and settings ask for.

Declaring does no I/O and raises nothing at start: a mistake becomes an Error of ``manage.py check``.
"""

from __future__ import annotations

from django_repeat.declarations.collected import Declarations, Declared, Problem, Unread, declarations
from django_repeat.declarations.declaring import FIELDS, build, declare, repeat
from django_repeat.declarations.discovering import discover
from django_repeat.declarations.whole import everything, find

__all__ = [
    "FIELDS",
    "Declarations",
    "Declared",
    "Problem",
    "Unread",
    "build",
    "declarations",
    "declare",
    "discover",
    "everything",
    "find",
    "repeat",
]
