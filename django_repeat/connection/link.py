"""A client behind our errors."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from redis.exceptions import NoScriptError, ReadOnlyError, RedisClusterException, RedisError, ResponseError

from django_repeat.connection.limits import counted
from django_repeat.exceptions import InvalidSettings, RegistryUnavailable, RepeatError

Call = Callable[[Sequence[bytes], Sequence[Any]], Any]


class Connection:
    """A Redis client behind our errors. ``address`` names the server without user or password.

    ``make`` answers the client and is called at the first use: that of a cluster asks its nodes when it is made.
    """

    def __init__(self, make: Callable[[], Any], address: str) -> None:
        self._make = make
        self._made: Any = None
        self._answered = False
        self.address = address

    @property
    def _client(self) -> Any:
        if self._made is None:
            self._made = self._make()
        return self._made

    def script(self, text: str) -> Call:
        """Answer a callable of (keys, args) that runs a Lua script; it survives the loss of the script cache."""
        registered: list[Any] = []

        def call(keys: Sequence[bytes], args: Sequence[Any]) -> Any:
            with self._translated():
                if not registered:
                    registered.append(self._client.register_script(text))
                try:
                    return registered[0](keys=keys, args=args)
                except NoScriptError:
                    # The client loaded it and called it, and between the two the cache was flushed once more.
                    return self._client.eval(text, len(keys), *keys, *args)

        return call

    def command(self, *parts: Any) -> Any:
        """Answer the reply to one command; RegistryUnavailable if there is none, or it is refused."""
        with self._translated():
            return self._client.execute_command(*parts)

    def close(self) -> None:
        """Give the sockets back."""
        with self._translated():
            self._client.close()

    @contextmanager
    def _translated(self) -> Iterator[None]:
        with counted(self.address), self._in_our_words():
            yield
            self._answered = True

    @contextmanager
    def _in_our_words(self) -> Iterator[None]:
        try:
            yield
        except RepeatError:
            raise
        except ReadOnlyError as error:
            # A primary that became a replica: the next call must ask anew who is primary.
            pool = getattr(self._made, "connection_pool", None)
            if pool is not None:
                pool.disconnect()
            raise RegistryUnavailable(f"{self.address}: {error}") from error
        except ResponseError as error:
            raise RegistryUnavailable(f"{self.address}: {error}", answered=True) from error
        except (RedisError, RedisClusterException, OSError) as error:
            raise RegistryUnavailable(f"{self.address}: {str(error) or type(error).__name__}") from error
        except Exception as error:
            if self._answered:
                raise
            # An option that redis-py took and cannot work with; the error's text may hold it, and so the password.
            raise InvalidSettings(
                f"DJANGO_REPEAT['REDIS']: the client of {self.address} cannot be used ({type(error).__name__}); "
                "correct its options."
            ) from None
