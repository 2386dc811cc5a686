"""Tasks and engines for the tests; a worker process imports this module too."""

from importlib import import_module

from django.conf import settings

from django_repeat.occurrence import current_occurrence

task = import_module(settings.TASKS_LIBRARY).task

calls = []


@task
def add(left, right=0):
    calls.append((left, right))
    return left + right


@task(takes_context=True)
def in_context(context, left):
    return left


@task
def anything(**values):
    return values


@task
def by_place(left, /):
    return left


@task
def told(*, occurrence):
    calls.append(occurrence)


@task
def who():
    calls.append(current_occurrence.get())


class Greedy:
    """A task by its verbs alone, of a backend that passes arguments on as they are."""

    def using(self, **options):
        return self

    def get_backend(self):
        return self

    def enqueue(self, values, *, more):
        values.append("touched")
        more.append("touched")


greedy = Greedy()


def plain():
    """No task of any engine."""


class Recording:
    """An engine that only has the one verb."""

    def __init__(self):
        self.seen = []

    def enqueue(self, occurrence):
        self.seen.append((occurrence.id, current_occurrence.get()))


class Refusing:
    error = RuntimeError("the broker is away")

    def enqueue(self, occurrence):
        raise self.error


class NeedsArguments:
    def __init__(self, url):
        self.url = url


class Mute:
    """A class without the verb."""


class Telling(Recording):
    """An engine that keeps runs of its own, by id."""

    runs = {}

    def tells(self, schedule):
        return True

    def run_of(self, schedule, result_id):
        found = self.runs.get(result_id)
        if isinstance(found, BaseException):
            raise found
        return found


class Forgetful(Telling):
    """One that cannot say whether it can tell."""

    def tells(self, schedule):
        raise LookupError("no broker")


class Several(Telling):
    """One that is asked for several at once."""

    def run_of(self, schedule, result_id):
        raise AssertionError("asked one by one")

    def runs_of(self, schedule, result_ids):
        return {one: self.runs[one] for one in result_ids if one in self.runs}
