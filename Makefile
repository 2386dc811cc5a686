# Every target works in a fresh clone: what it needs is installed into .venv first.
# Another interpreter: make clean, then make test PYTHON=python3.13

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin/python
PIP := $(BIN) -m pip install -qq --disable-pip-version-check --no-input

# A .venv that does not run, or that came along when its folder was moved or copied, counts as not installed.
SOUND := $(BIN) -c 'import pip, sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null
INSTALLED_HERE := $(shell test "$$(cat $(VENV)/.place 2>/dev/null)" = "$(CURDIR)" && $(SOUND) && echo yes)
ifneq ($(INSTALLED_HERE),yes)
$(shell rm -f $(VENV)/.installed-*)
endif

# Two installs into one .venv at a time would break it.
.NOTPARALLEL:
.DELETE_ON_ERROR:
.PHONY: help test check demo bench docs soak clean

help:
	@echo 'make test    the test suite, on real servers'
	@echo 'make check   lint, format, types, import contract, budgets'
	@echo 'make demo    a site with schedules, a ticker and a worker; Ctrl-C ends it'
	@echo 'make bench   measure a tick'
	@echo 'make docs    the documentation as HTML, in build/docs'
	@echo 'make soak    the tests that take minutes'
	@echo 'make clean   remove .venv, .venvs and caches'

test: $(VENV)/.installed-test
	$(BIN) -m pytest

check: $(VENV)/.installed-dev
	$(BIN) -m ruff check .
	$(BIN) -m ruff format --check .
	$(BIN) -m mypy
	$(BIN) -c 'from importlinter.cli import lint_imports_command as main; main()' --no-cache
	$(BIN) -m tools.budgets

demo: $(VENV)/.installed-demo
	@exec $(BIN) -m example_project.demo

bench: $(VENV)/.installed-test
	@exec $(BIN) -m bench

docs: $(VENV)/.installed-docs
	$(BIN) -m sphinx -qW --keep-going docs build/docs

soak: $(VENV)/.installed-test
	$(BIN) -m pytest -m soak

clean:
	rm -rf $(VENV) .venvs build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/.installed-%: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=...")'
	@$(SOUND) || { echo 'Creating $(VENV) ...'; $(PYTHON) -m venv --clear $(VENV); }
	@echo 'Installing into $(VENV) ($*) ...'
	@$(PIP) -e '.[$*]'
	@printf '%s' "$(CURDIR)" > $(VENV)/.place
	@touch $@
