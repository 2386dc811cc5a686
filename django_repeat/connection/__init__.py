"""The one place that knows the Redis client: it builds clients, and turns their errors into ours.

The registry has a client of its own, with its own pool and time-outs and without blind retries: a timed-out script may
have run, so whoever calls decides whether to call again.
"""

from __future__ import annotations

from django_repeat.connection.clients import connect, forget
from django_repeat.connection.limits import Limit
from django_repeat.connection.link import Connection

__all__ = ["Connection", "Limit", "connect", "forget"]
