"""What happened, as Django signals. Log lines are receivers of these; so may be a site's own metrics.

All are sent with ``send_robust``: a receiver that raises cannot stop a ticker. ``sender`` is the class that sends.
"""

from __future__ import annotations

from django.dispatch import Signal

schedule_registered = Signal()
"""``queue``, ``name``, ``answer``, ``by``: a sync or a verb changed the registry (not sent for ``exists``)."""

sync_completed = Signal()
"""``answers``: {(queue, name): Answer} of one sync."""

sync_failed = Signal()
"""``error``: what kept a process from registering at its start, mostly RegistryUnavailable; ``role``: what it is."""

occurrence_fired = Signal(use_caching=True)  # sent most often
"""``occurrence``, ``result_id``, ``late_ms``: an engine took it."""

occurrences_missed = Signal()
"""``queue``, ``name``, ``first``, ``last``, ``count``, ``reason``: nominal times (ms) that did not fire, all for
that one reason."""

occurrences_skipped = Signal()
"""As ``occurrences_missed``, of nominal times that did not fire by intent: a pause, an operator, a condition, an
overlap."""

operator_decided = Signal()
"""``queue``, ``name`` (None: the whole queue), ``verb``, ``by``, ``reason``: an operator's verb was carried out."""

dispatch_failed = Signal()
"""``queue``, ``name``, ``nominal``, ``error``, ``attempt``, ``retry_ms``: an engine did not take it."""

entry_broken = Signal()
"""``queue``, ``name``, ``reason``, ``attempt``: an entry that cannot be read or fired."""

claim_lost = Signal()
"""``queue``, ``name``, ``step``: another ticker was first, or took over."""

ticker_started = Signal()
"""``ticker``, ``queues``."""

ticker_stopped = Signal()
"""``ticker``."""

clocks_differed = Signal()
"""``host``, ``server``: the times (ms) that a ticker's host and the server tell; sent at most once by each ticker."""

registry_lost = Signal()
"""``error``, ``seconds``: Redis is away since so many seconds; sent at most twice a minute."""

registry_recovered = Signal()
"""``seconds``: how long it was away."""
