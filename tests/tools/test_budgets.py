"""The size budgets name what is over, and nothing else."""

import pytest

from tools.budgets import offenders


@pytest.fixture
def package(tmp_path):
    folder = tmp_path / "django_repeat"
    folder.mkdir()
    return folder


def function(body: int, docstring: int = 0, head: str = "def work():") -> str:
    text = ['    """', *["    text"] * (docstring - 2), '    """'] if docstring else []
    return "\n".join([head, *text, *["    pass"] * body, ""])


def listed(package) -> list[str]:
    return list(offenders(package.parent))


def test_a_module_of_200_lines_passes_and_one_of_201_does_not(package):
    (package / "fits.py").write_text("x = 1\n" * 200)
    (package / "long.py").write_text("x = 1\n" * 201)
    assert listed(package) == ["django_repeat/long.py: 201 lines, budget 200"]


@pytest.mark.parametrize("head", ["def work():", "async def work():"])
def test_a_function_counts_without_its_docstring(package, head):
    (package / "fits.py").write_text(function(39, docstring=30, head=head))
    (package / "long.py").write_text(function(40, docstring=30, head=head))
    assert listed(package) == ["django_repeat/long.py:1 work(): 41 lines, budget 40"]


def test_methods_and_inner_functions_count_too(package):
    body = function(50, head="def inner():")
    (package / "deep.py").write_text("class A:\n" + "".join(f"    {line}\n" for line in body.splitlines()))
    assert listed(package) == ["django_repeat/deep.py:2 inner(): 51 lines, budget 40"]


def test_a_script_of_121_lines_is_listed(package):
    (package / "lua").mkdir()
    (package / "lua" / "claim.lua").write_text("-- x\n" * 121)
    assert listed(package) == ["django_repeat/lua/claim.lua: 121 lines, budget 120"]


def test_migrations_and_other_folders_are_free(package):
    (package / "migrations").mkdir()
    (package / "migrations" / "0001_initial.py").write_text("x = 1\n" * 300)
    (package.parent / "tests").mkdir()
    (package.parent / "tests" / "test_long.py").write_text("x = 1\n" * 300)
    assert listed(package) == []
