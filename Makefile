# Two commands: `make play` and `make test`. Each sets up what it needs in .venv, once.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SPREAD := -n 3 --dist worksteal  # some tests wait for terminals and processes: two cores carry three
APART := tests/envs/test_jax.py  # JAX has threads: no process that has loaded it may fork, as those do that open terminals

.DEFAULT_GOAL := help
.PHONY: help play serve test test-all checks lint types types-js format pytest golden census mutation bench torture pages curves train pictures snapshots screenshots clean

help: ## what can be made
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

$(VENV)/play.stamp: pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Duelbook needs Python 3.11 or newer; this is Python %d.%d. Try: make PYTHON=python3.12 play" % sys.version_info[:2])'
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { echo "Python's venv module is missing; on Debian: apt install python3-venv"; exit 1; }
	@echo "Setting up Duelbook in $(VENV) ..."
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e .
	@touch $@

# Nothing is compiled beforehand for the tests: most of what is installed is never imported, and that took a third of it.
$(VENV)/test.stamp: $(VENV)/play.stamp
	@echo "Setting up the tests ..."
	@$(BIN)/python -m pip install --no-compile --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $@

$(VENV)/all.stamp: $(VENV)/test.stamp
	@echo "Setting up the heavy extras ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev,browser,dask,gymnasium,inspect,jax,llm,mcp,openspiel,pettingzoo,ray,train]'
	@touch $@

# Apart, for it wants an older mcp than the tools for agents do.
$(VENV)/openenv.stamp: $(VENV)/play.stamp deploy/openenv/constraints.txt
	@echo "Setting up OpenEnv ..."
	@$(PYTHON) -m venv $(VENV)/openenv
	@$(VENV)/openenv/bin/python -m pip install --no-compile --quiet --disable-pip-version-check -c deploy/openenv/constraints.txt -e '.[openenv]'
	@touch $@

$(VENV)/browser.stamp: $(VENV)/test.stamp
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev,browser]'
	@touch $@

# What a user gets: the built package in an environment of its own, with nothing but what it asks for.
$(VENV)/plain.stamp: $(VENV)/play.stamp $(shell find src -type f -not -path '*/__pycache__/*') docs/man/duelbook.1 README.md LICENSE
	@echo "Building the package, and installing it plainly ..."
	@rm -rf $(VENV)/wheel $(VENV)/plain
	@$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir $(VENV)/wheel .
	@$(PYTHON) -m venv $(VENV)/plain
	@$(VENV)/plain/bin/python -m pip install --quiet --disable-pip-version-check -c constraints.txt $(VENV)/wheel/*.whl
	@touch $@

$(VENV)/mutation.stamp: $(VENV)/test.stamp
	@echo "Setting up mutation testing ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev,mutation]'
	@touch $@

play: $(VENV)/play.stamp ## set up, then play
	@$(BIN)/duelbook play || test $$? -eq 130  # leaving with Ctrl-C is no error

$(VENV)/serve.stamp: $(VENV)/play.stamp
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[serve]'
	@touch $@

serve: $(VENV)/serve.stamp ## set up, then serve duels to browsers and terminals
	@trap : INT; $(BIN)/duelbook serve --open || test $$? -eq 130  # the shell outlives Ctrl-C, so make has nothing to say of it

test: $(VENV)/test.stamp ## set up, then run every check but the long tail
	@$(MAKE) --no-print-directory -j 2 checks pytest

checks: lint types  # beside the tests, for whom they leave room while processes and terminals are waited for

lint: $(VENV)/test.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/test.stamp lint
	$(BIN)/mypy

$(VENV)/node.stamp:
	@command -v npm > /dev/null || { echo "npm is missing; on Debian: apt install npm"; exit 1; }
	@mkdir -p $(VENV)/node && echo '{"private": true}' > $(VENV)/node/package.json
	@cd $(VENV)/node && npm install --silent --no-fund --no-audit typescript@5.9.3
	@touch $@

types-js: $(VENV)/node.stamp ## check the types that the pages' scripts have in their comments; needs Node
	$(VENV)/node/node_modules/.bin/tsc -p tsconfig.json

pytest: $(VENV)/test.stamp
	$(BIN)/pytest -q $(SPREAD) -m 'not slow'

test-all: lint types $(VENV)/all.stamp $(VENV)/openenv.stamp $(VENV)/plain.stamp ## every check, the long tail and heavy extras included; nothing is skipped
	$(BIN)/pytest -q $(SPREAD) --plain-install $(VENV)/plain --nothing-skipped $(BUT) --ignore $(APART)
	$(BIN)/pytest -q $(SPREAD) --nothing-skipped $(BUT) $(APART)

format: $(VENV)/test.stamp ## tidy the code
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

golden: $(VENV)/test.stamp ## write the golden dialogues and the man page again; read the diff
	$(BIN)/python tests/golden_case.py
	$(BIN)/python docs/man/write.py

census: $(VENV)/test.stamp ## count every position of every duel again; read the diff
	$(BIN)/python tests/census/take.py

bench: ## side by side with peers, ratios printed; needs its own set-up
	@test -x .bench-venv/bin/python || $(PYTHON) -m venv .bench-venv
	@.bench-venv/bin/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[bench,serve,postgres]'
	@.bench-venv/bin/python -m bench.referee
	@.bench-venv/bin/python -m bench.startup
	@.bench-venv/bin/python -m bench.cold
	@.bench-venv/bin/python -m bench.solving
	@.bench-venv/bin/python -m bench.selfplay
	@.bench-venv/bin/python -m bench.envs
	@.bench-venv/bin/python -m bench.engine
	@.bench-venv/bin/python -m bench.arena
	@.bench-venv/bin/python -m bench.verdicts
	@.bench-venv/bin/python -m bench.exam
	@.bench-venv/bin/python -m bench.online

pages: $(VENV)/browser.stamp ## take the pictures of the pages in the docs again; needs chromium
	$(BIN)/python docs/pictures/pages.py

screenshots: $(VENV)/test.stamp ## take the pictures of the full screen in the docs again
	$(BIN)/python docs/pictures/screens.py

snapshots: $(VENV)/test.stamp ## take the pictures of the full screen that tests compare again; look at them
	$(BIN)/pytest -q tests/tui/test_pictures.py --snapshot-update

pictures: $(VENV)/test.stamp ## take the pictures in the docs again
	$(BIN)/python docs/pictures/take.py
	$(BIN)/python docs/pictures/maps.py

$(VENV)/train.stamp: $(VENV)/test.stamp
	@echo "Setting up PyTorch and sb3-contrib ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev,train]'
	@touch $@

train: $(VENV)/train.stamp ## train the agents of docs/train.md again, and examine everybody; takes minutes
	$(BIN)/python docs/examples/train/ppo_tower.py --out docs/examples/train/results
	$(BIN)/python docs/examples/train/ppo_tower.py --opponent level:3 --out docs/examples/train/results
	$(BIN)/python docs/examples/train/q_learning.py energy --steps 6000 --every 200 --games 10 --out docs/examples/train/results
	$(BIN)/python docs/examples/train/q_learning.py conquer --out docs/examples/train/results
	$(BIN)/python docs/examples/train/table.py

curves: $(VENV)/test.stamp ## draw the learning curves in the docs again, and the table under them, from what is stored
	$(BIN)/python docs/examples/train/draw.py
	$(BIN)/python docs/examples/train/table.py --stored

mutation: $(VENV)/mutation.stamp ## change the rules bit by bit; does a test notice?
	@rm -rf mutants
	$(BIN)/mutmut run
	$(BIN)/python tests/mutation/report.py

torture: $(VENV)/test.stamp ## 1,000 kills and 240,000 fuzzed inputs; takes minutes
	$(BIN)/python tests/torture/fuzz.py --lines 100000 --files 100000
	$(BIN)/python tests/torture/small_files.py --files 20000
	$(BIN)/python tests/torture/kill.py --kills 1000
	$(BIN)/python tests/torture/arena_kill.py --kills 20

clean: ## remove what was set up and built
	rm -rf $(VENV) .bench-venv .bench-node .mypy_cache .ruff_cache .hypothesis mutants build dist
