"""Hold modules, functions and scripts to their size: ``python -m tools.budgets`` lists what is too long."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

ROOTS = ("django_repeat", "example_project")
MODULE_LINES = 200
FUNCTION_LINES = 40
LUA_LINES = 120


def offenders(top: Path) -> Iterator[str]:
    """Answer one line for each thing under ``top`` that is over its budget."""
    for root in ROOTS:
        for path in sorted((top / root).rglob("*")):
            name = str(path.relative_to(top))
            if path.suffix == ".lua":
                yield from _too_long(name, _lines(path), LUA_LINES)
            elif path.suffix == ".py" and "migrations" not in path.parts:
                yield from _too_long(name, _lines(path), MODULE_LINES)
                yield from _functions(name, path.read_text(encoding="utf-8"))


def _functions(name: str, source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source, name)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from _too_long(f"{name}:{node.lineno} {node.name}()", _function_lines(node), FUNCTION_LINES)


def _function_lines(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Answer the lines from ``def`` to the end, without those of the docstring."""
    first = node.body[0]
    documented = ast.get_docstring(node, clean=False) is not None
    docstring = (first.end_lineno or first.lineno) - first.lineno + 1 if documented else 0
    return (node.end_lineno or node.lineno) - node.lineno + 1 - docstring


def _too_long(what: str, lines: int, budget: int) -> Iterator[str]:
    if lines > budget:
        yield f"{what}: {lines} lines, budget {budget}"


def _lines(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


def main() -> int:
    found = list(offenders(Path(__file__).resolve().parent.parent))
    print("\n".join(found) or "Budgets kept.")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
