"""Secrets among arguments."""

from __future__ import annotations

from typing import Any

import pytest

from django_repeat.masking import MASK, is_secret, masked


@pytest.mark.parametrize("key", [
    "password", "PASSWORD", "db_password", "dbPassword", "passwd", "pwd", "passphrase", "token", "accessToken",
    "secret", "client-secret", "key", "api_key", "apikey", "APIKey", "signing.key", "keys", "private_key",
    "credentials", "auth",
])  # fmt: skip
def test_keys_that_look_like_secrets(key: str) -> None:
    assert is_secret(key)


@pytest.mark.parametrize("key", ["monkey", "keyboard", "author", "passenger", "compass", "deep", "", "since"])
def test_keys_that_only_resemble_them(key: str) -> None:
    assert not is_secret(key)


@pytest.mark.parametrize("value, shown", [
    ({"password": "x", "user": "y"}, {"password": MASK, "user": "y"}),
    ({"a": [{"token": 5}]}, {"a": [{"token": MASK}]}),
    ({"secret": {"inner": "x"}}, {"secret": MASK}),
    ({"token": None, "use_token": True}, {"token": None, "use_token": True}),
    (["--password=x=y", "--deep=1"], [f"--password={MASK}", "--deep=1"]),
    (["--api-key", "x", "y"], ["--api-key", MASK, "y"]),
    (["--token", "--verbose", "x"], ["--token", "--verbose", "x"]),
    (["--token", {"a": 1}], ["--token", MASK]),
    ("password", "password"),
    (5, 5),
])  # fmt: skip
def test_values_under_such_keys_are_masked(value: Any, shown: Any) -> None:
    assert masked(value) == shown
