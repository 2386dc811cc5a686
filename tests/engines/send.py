"""Enqueues the commands that are given as JSON, [[command, args, kwargs], …]; prints the ids of the results."""

import json
import sys

import django

django.setup()

from django_repeat.dispatch import Dispatcher  # noqa: E402
from tests.engines.making import occurrence  # noqa: E402


def main():
    answers = []
    for number, (command, args, kwargs) in enumerate(json.loads(sys.argv[1])):
        options = {"queue_name": "reports", "priority": 50 - number}
        one = occurrence(name=f"s{number}", command=command, args=args, kwargs=kwargs, options=options)
        answers.append(Dispatcher().fire(one))
    print(json.dumps(answers))


if __name__ == "__main__":
    main()
