"""Sixteen threads hand over one occurrence at the same moment; prints the ids that they got."""

import json
import threading

import django

django.setup()

from django.db import connection  # noqa: E402

from django_repeat.engines.commands import CommandEngine  # noqa: E402
from tests.engines.making import occurrence  # noqa: E402

THREADS = 16


def main():
    one = occurrence(command="clearsessions", options={"queue_name": "reports"})
    barrier = threading.Barrier(THREADS)
    answers = []

    def fire():
        barrier.wait()
        try:
            answers.append(CommandEngine().enqueue(one))
        finally:
            connection.close()

    threads = [threading.Thread(target=fire) for _ in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(json.dumps(answers))


if __name__ == "__main__":
    main()
