"""Real time, arranged: entries made due at one instant, leases made to end, and the books that must balance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import redis

from django_repeat import Entry, service
from django_repeat.instants import to_ms
from django_repeat.registry import Definitions
from django_repeat.schedule import Schedule
from tests.processes.children import until
from tests.processes.engines import Push

HOUR = 3_600_000

# The instant so many ms ahead becomes nominal time and score of each. KEYS: schedules, records. ARGV: ms, names.
_RESCORE = """
local time = redis.call('TIME')
local at = string.format('%.0f', tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000) + tonumber(ARGV[1]))
for i = 2, #KEYS do
  if redis.call('HEXISTS', KEYS[i], 'fence') == 1 then return redis.error_reply('claimed: ' .. ARGV[i]) end
end
for i = 2, #KEYS do
  redis.call('HSET', KEYS[i], 'nominal', at)
  redis.call('ZADD', KEYS[1], at, ARGV[i])
end
return tonumber(at)
"""

# As if time had passed: the lease of each that is claimed ends now. Answers their places.
_END_LEASES = """
local time = redis.call('TIME')
local now = string.format('%.0f', tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000))
local ended = {}
for i = 2, #KEYS do
  if redis.call('HEXISTS', KEYS[i], 'fence') == 1 then
    redis.call('HSET', KEYS[i], 'lease', now)
    redis.call('ZADD', KEYS[1], now, ARGV[i])
    ended[#ended + 1] = i - 2
  end
end
return ended
"""


class Rounds:
    """Schedules of the default queue that are due when the test says so."""

    def __init__(self, client: redis.Redis, count: int, every: str = "1h", first_in: str = "1h") -> None:
        self._client = client
        self._keys = service.store("default").keys
        self._rescore = client.register_script(_RESCORE)
        self._end_leases = client.register_script(_END_LEASES)
        self.names = [f"schedule {number}" for number in range(count)]
        schedules = [Schedule(name, command="check", every=every, first_in=first_in) for name in self.names]
        Definitions(service.store("default")).upsert([(schedule, "dynamic") for schedule in schedules])

    def due(self, ahead: int = 0) -> int:
        """Make all of them due in ``ahead`` ms; answer that instant."""
        return int(self._rescore(*self._arguments(ahead)))

    def end_leases(self) -> list[str]:
        """Let the lease of those that are claimed end now; answer their names."""
        return [self.names[place] for place in self._end_leases(*self._arguments(0))]

    def settled(self, nominal: int) -> bool:
        """Answer whether every entry has gone on from that nominal time."""
        return not self._client.zcount(self._keys.schedules, "-inf", nominal + HOUR // 2)

    def wait_until_settled(self, nominal: int) -> None:
        until(lambda: self.settled(nominal))

    def entries(self) -> list[Entry]:
        return service.entries_of(self.names)

    def ids(self, nominal: int) -> Counter[str]:
        """Answer each one's occurrence of that instant, once."""
        return Counter(f"{name}@{nominal}" for name in self.names)

    def _arguments(self, ahead: int) -> tuple[list[bytes], list[object]]:
        return [self._keys.schedules, *map(self._keys.record, self.names)], [ahead, *self.names]


def counted(pushes: Sequence[Push]) -> Counter[str]:
    """Answer how often each id was enqueued; AssertionError if two enqueues of one id differ."""
    assert all(push.id.endswith(f"@{push.nominal}") for push in pushes)
    assert len({(push.id, push.nominal, push.uuid) for push in pushes}) == len({push.id for push in pushes})
    return Counter(push.id for push in pushes)


def fired(pushes: Sequence[Push], name: str) -> set[int]:
    """Answer the nominal times of one schedule that were enqueued."""
    return {push.nominal for push in pushes if push.id == f"{name}@{push.nominal}"}


def assert_books_balance(entry: Entry, nominals: set[int], first: int, period: int) -> None:
    """Hold that each nominal time from ``first`` on fired or was counted as missed, and none did both or neither."""
    last = to_ms(entry.last_nominal)
    assert max(nominals) == last
    assert all((nominal - first) % period == 0 for nominal in nominals)
    assert len(nominals) + entry.missed_count == (last - first) // period + 1
