"""`make demo`: everything comes up, what is fired is run, and nothing is left behind, however it ends."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time

import pytest

from tests.demo.browser import Browser
from tests.demo.running import OPEN, answers, demo

pytestmark = pytest.mark.process

SCHEDULES = "admin/django_repeat/registeredschedule/"
KEY = "greenhouse-demo:{default}:repeat"


def test_a_timed_demo_runs_all_that_it_fired(tmp_path):
    with demo(tmp_path, DEMO_SECONDS="4") as running:
        code = running.end()
        counts = re.search(r"(\d+) occurrences fired, (\d+) run\.", running.text)
        assert counts, running.text
        assert code == 0
        assert int(counts[1]) == int(counts[2]) == running.count("fired") == running.count("ran")
        # Due at once: measure (a decorator), water and prune (settings: a task, a command); then measure at 3 s.
        assert int(counts[1]) >= 4
        assert re.search("ran .*greenhouse.prune", running.text)
        assert not re.search("Traceback|ERROR|WARNING|\x1b", running.text)
        assert running.is_gone()
    assert list(tmp_path.iterdir()) == []


def test_schedules_are_shown_and_cancelled_in_the_admin_and_an_interrupt_ends_it(tmp_path):
    with demo(tmp_path) as running:
        browser = Browser(running.until(r"Site +(\S+)")[1])
        running.until("ran +greenhouse.measure")
        assert "°C" in browser.read("")
        assert "color-scheme" in browser.read("static/greenhouse/style.css")
        browser.read("admin/login/?next=/admin/")
        browser.send("admin/login/", username="admin", password="admin")
        listed = browser.read(SCHEDULES)
        assert all(f"greenhouse.{name}" in listed for name in ("measure", "water", "prune", "digest", "report"))
        question = browser.send(SCHEDULES, action="cancel", _selected_action="default:greenhouse.measure")
        assert "greenhouse.measure" in question
        assert running.registry.zscore(KEY, "greenhouse.measure")
        browser.send(SCHEDULES)
        assert running.registry.zscore(KEY, "greenhouse.measure") is None
        assert running.registry.zcard(KEY) == 4
        assert running.end(signal.SIGINT) == 0
        assert "Traceback" not in running.text
        assert running.is_gone()
    assert list(tmp_path.iterdir()) == []


def test_its_tip_works_from_any_folder_and_its_diary_has_one_decimal(tmp_path):
    home, elsewhere = tmp_path / "home", tmp_path / "elsewhere"
    home.mkdir()
    elsewhere.mkdir()
    with demo(home) as running:
        by_hand = running.until("Ask by hand: (.+)")[1]
        listed = subprocess.run(by_hand, shell=True, cwd=elsewhere, capture_output=True, text=True, check=True)
        assert "greenhouse.measure" in listed.stdout
        running.until("ran +greenhouse.measure")
        due = str(int(time.time() * 1000))
        running.registry.hset(f"{KEY}:greenhouse.digest", "nominal", due)
        running.registry.zadd(KEY, {"greenhouse.digest": due})
        entry = running.until("ran +greenhouse.digest .*(The last minute: .*)")[1]
        assert re.fullmatch(r"The last minute: \d+ readings, \d+\.\d to \d+\.\d °C, soil \d+ %", entry)


def test_on_a_given_server_it_leaves_nothing_after_a_sigterm(tmp_path, raw, redis_url):
    raw.set("mine", "stays")
    with demo(tmp_path, REDIS_URL=redis_url) as running:
        running.until("ran +greenhouse.measure")
        assert raw.zcard(KEY) == 5
        assert running.server == ""
        assert running.end(signal.SIGTERM) == 0
        assert "Traceback" not in running.text
        assert running.is_gone()
    assert raw.keys() == [b"mine"]


@pytest.mark.parametrize("part", ["ticker", "server"])
def test_the_death_of_a_part_ends_the_rest(tmp_path, part):
    with demo(tmp_path) as running:
        running.until(OPEN)
        os.kill(
            running.registry.info("server")["process_id"] if part == "server" else running.pid_of("repeat tick"),
            signal.SIGKILL,
        )
        assert running.end() == 1
        assert f"The {part} ended unasked (SIGKILL)." in running.lines
        assert "Traceback" not in running.text
        assert running.is_gone()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has a death signal")
def test_a_killed_demo_takes_its_parts_along(tmp_path):
    with demo(tmp_path) as running:
        running.until(OPEN)
        assert len(running.processes()) == 4
        assert answers(running.server)
        assert running.end(signal.SIGKILL) == -signal.SIGKILL
        assert running.is_gone()


def test_a_server_that_does_not_answer_is_said_at_once(tmp_path):
    with demo(tmp_path, REDIS_URL="redis://:secret@127.0.0.1:1/0") as running:
        assert running.end() == 1
        assert "127.0.0.1:1" in running.text
        assert "secret" not in running.text
        assert "Traceback" not in running.text


def test_a_wrong_number_of_seconds_is_refused(tmp_path):
    with demo(tmp_path, DEMO_SECONDS="soon") as running:
        assert running.end() == 2
        assert running.text == "DEMO_SECONDS: a number of seconds above zero, such as 20."
