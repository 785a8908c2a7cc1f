# Stickman: `make run` shows it, `make test` checks it. Both set everything up on a machine with Python and make.

PYTHON ?= python3 python3.13 python3.12 python3.11# candidates, the first that suits is taken
UV     := uv>=0.13,<0.14
READY  := .venv/.ready

.PHONY: help run test soak faults postgres lint format docs lock clean

help:  ## list these targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' Makefile

run: $(READY)  ## open a table on this machine, with the addresses of its screens
	@.venv/bin/stickman serve --demo

test: lint postgres  ## everything that CI checks: lint, then all tests
	.venv/bin/pytest -n auto

soak: $(READY)  ## 100,000 random requests at tables of all games
	STICKMAN_WALKS=20 .venv/bin/pytest -n auto tests/table/test_properties.py

faults: $(READY) postgres  ## kill -9, power cuts, tickets and meters at length; goes on where it was interrupted
	.venv/bin/python -m tests.faults.kills --store sqlite --kills 1000
	.venv/bin/python -m tests.faults.kills --store postgres --kills 1000
	STICKMAN_CUTS=1000 .venv/bin/pytest tests/store/test_power_cuts.py
	STICKMAN_TICKETS=10000 .venv/bin/pytest tests/store/test_postgres.py
	STICKMAN_CONTRIBUTIONS=1000000 .venv/bin/pytest tests/floor/test_meters.py

lint: $(READY)  ## style, types and import layers
	.venv/bin/ruff check
	.venv/bin/ruff format --check
	.venv/bin/mypy
	.venv/bin/lint-imports --no-cache --no-logo

format: $(READY)  ## rewrite the code in the project's style
	.venv/bin/ruff check --fix
	.venv/bin/ruff format

docs: $(READY)  ## write the pages of docs/ that are made from the code
	.venv/bin/python docs/build.py

lock:  ## pin what pyproject.toml asks for; newest versions with FLAGS=--upgrade
	@$(find_python) && tmp=$$(mktemp -d) && trap 'rm -rf "$$tmp"' EXIT && \
	$$python -m venv "$$tmp" && "$$tmp/bin/pip" install --quiet '$(UV)' && \
	"$$tmp/bin/uv" pip compile pyproject.toml --extra dev --universal --python-version 3.11 --generate-hashes \
	    --no-header --no-emit-index-url --no-emit-find-links --quiet $(FLAGS) --output-file requirements.lock

clean:  ## remove all that was installed, built or cached
	rm -rf .venv .hypothesis .mypy_cache .pytest_cache .ruff_cache .import_linter_cache build dist
	find src tests -name __pycache__ -type d -prune -exec rm -rf {} +

# The tests run a PostgreSQL server of their own; where there is none it is installed, if that is allowed.
postgres:
	@command -v initdb >/dev/null 2>&1 || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || \
	{ echo "Installing PostgreSQL for the tests"; apt-get install -y -qq postgresql >/dev/null; } || \
	{ echo "The tests need a PostgreSQL server (initdb and postgres): install it, on Debian or Ubuntu the package\
 postgresql." >&2; exit 1; }

# The pinned packages, anew whenever the lock changes.
.venv/.locked: requirements.lock
	@$(find_python) && $$python -m venv --clear .venv
	.venv/bin/pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@touch $@

# The project itself, editable: only a change of its metadata needs another install.
$(READY): .venv/.locked pyproject.toml
	.venv/bin/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

# Leaves in $$python the first candidate that is new enough and can make a virtual environment.
define find_python
for python in $(PYTHON) ''; do \
    $$python -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 && break; \
done; \
test "$$python" || { echo "Stickman needs Python 3.11 or newer with its venv module: install it (on Debian or\
 Ubuntu the packages python3 and python3-venv), or name another with make PYTHON=/path/to/python3." >&2; exit 1; }
endef
