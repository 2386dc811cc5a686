"""Secrets among arguments."""

from __future__ import annotations

import time
from typing import Any

import pytest

from django_repeat.masking import MASK, is_secret, masked


@pytest.mark.parametrize("key", [
    "password", "PASSWORD", "db_password", "dbPassword", "passwd", "pwd", "passphrase", "token", "accessToken",
    "secret", "client-secret", "key", "api_key", "apikey", "APIKey", "signing.key", "keys", "private_key",
    "credentials", "credential", "auth", "oauth", "HTTPAuth", "authorization", "proxyAuthorization", "cookie",
    "Set-Cookie", "dbpwd", "PWD", "db-pass", "pw", "APIKEY", "api.key", "private", "privateKey", "sessionid",
    "signature", "jwt",
])  # fmt: skip
def test_keys_that_look_like_secrets(key: str) -> None:
    assert is_secret(key)


@pytest.mark.parametrize(
    "key", ["monkey", "keyboard", "author", "passenger", "compass", "deep", "", "since", "bypass", "passed"]
)
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
    (["--password", "-s3cret", "x"], ["--password", MASK, "x"]),
    (["--auth", "-1"], ["--auth", MASK]),
    (["--token"], ["--token"]),
    (("--token", "x"), ["--token", MASK]),
    ("password", "password"),
    (5, 5),
])  # fmt: skip
def test_values_under_such_keys_are_masked(value: Any, shown: Any) -> None:
    assert masked(value) == shown


@pytest.mark.parametrize("text, shown", [
    ("--password=s3cret and more", f"--password={MASK}"),
    ("password=s3cret, and more", f"password={MASK}"),
    ("--deep --password=s3cret --fast", f"--deep --password={MASK} --fast"),
    ("--password s3cret --fast", f"--password {MASK} --fast"),
    ("--password -s3cret --fast", f"--password {MASK} --fast"),
    ("--password 'two words' --fast", f"--password {MASK} --fast"),
    ('--api-key "two words"', f"--api-key {MASK}"),
    ("--token --fast", "--token --fast"),
    ("host=db password=a,b;c user=x", f"host=db password={MASK} user=x"),
    ("redis://u:s3cret@h:6379/0", f"redis://u:{MASK}@h:6379/0"),
    ("redis://:s3cret@h", f"redis://:{MASK}@h"),
    ("redis://u:s3/c@r:et@h, then x@y", f"redis://u:{MASK}@h, then x@y"),
    ("--url=postgres://u:s3cret@h/d", f"--url=postgres://u:{MASK}@h/d"),
    ("error 111 connecting to amqp://u:s3cret@h:5672//.", f"error 111 connecting to amqp://u:{MASK}@h:5672//."),
    ("https://h:8080/a@b", "https://h:8080/a@b"),
    ("https://h/x?page=1&token=s3cret", f"https://h/x?page=1&token={MASK}"),
    ("url=https://h/?token=s3cret", f"url=https://h/?token={MASK}"),
    ("a=1,password=s3cret", f"a=1,password={MASK}"),
    ("--run '--password s3cret'", f"--run '--password {MASK}"),
    ('x: "a", "password": "s3cret"', f'x: "a", "password": {MASK}'),
    ("x-y: z-token: s3cret", f"x-y: z-token: {MASK}"),
    ("Authorization: Basic s3cret==", f"Authorization: {MASK}"),
    ("Cookie: a=b; sessionid=s3cret\nHost: h", f"Cookie: {MASK}\nHost: h"),
    ("X-Api-Key: s3cret", f"X-Api-Key: {MASK}"),
    ("refused: Bearer s3cret.x-y", f"refused: Bearer {MASK}"),
    ('{"user": "u", "db": {"password": "two words"}}', f'{{"user": "u", "db": {{"password": "{MASK}"}}}}'),
    ('["--password", "s3cret"]', f'["--password", "{MASK}"]'),
    ("got {'password': 's3cret', 'user': 'u'}", f"got {{'password': {MASK} 'user': 'u'}}"),
    ('bad JSON: {"tokens": ["s3cret", "other"]', f'bad JSON: {{"tokens": {MASK}'),
    ("my password: s3cret", f"my password: {MASK}"),
])  # fmt: skip
def test_secrets_inside_a_text_are_masked(text: str, shown: str) -> None:
    assert masked(text) == shown
    assert masked({"a": [text]}) == {"a": [shown]}
    assert masked(shown) == shown


@pytest.mark.parametrize("text", [
    "KeyError: 'token'", "unknown key: 'foo'", "task: app.tasks.f does not import", "a=b c = d",
    "mail me@example.com: hi",
    "monkey=1 --keyboard de", "git@github.com:x/y", "2026-01-01T00:00:00Z", '{"a": [1, null]}', "[", "{}", "--", "=",
    "",
])  # fmt: skip
def test_other_texts_stay_as_they_are(text: str) -> None:
    assert masked(text) == text


@pytest.mark.parametrize("part", ["a", "a://b:", "--a ", "'a':", "a-", '"', "token=", "[", "a=", "x@", "Bearer ", "-"])
def test_a_long_text_takes_no_time(part: str) -> None:
    begun = time.process_time()
    masked(part * (100_000 // len(part)))
    assert time.process_time() - begun < 1
