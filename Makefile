# The commands of this project. `make` alone lists them.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PY := $(BIN)/python
PIP_INSTALL := $(PY) -m pip install -qq --disable-pip-version-check --require-hashes
LOCK := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --no-emit-find-links --custom-compile-command 'make lock'

.DEFAULT_GOAL := help
.PHONY: help run serve mcp test check check-own check-torture check-whole check-e2e fmt contracts bench bench-secrets bench-retrieval bench-search bench-server bench-verdict torture e2e lock lock-check clean

help: ## List these commands
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / {printf "  make %-15s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

serve: $(VENV)/.runtime ## Serve REST and MCP on http://127.0.0.1:4321 (ARGS="--port 8080")
	@$(PY) -m agent_memory serve $(ARGS)

mcp: $(VENV)/.runtime ## Serve MCP on standard input and output
	@$(PY) -m agent_memory mcp

run: $(VENV)/.runtime ## Run the Actor on storage/key_value_stores/default/INPUT.json
	@$(PY) -m agent_memory

test: $(VENV)/.dev ## Run the tests that need no network (all but the torture tests, which make check runs too)
	@$(PY) -m pytest -q -m "not e2e and not torture"

check: $(VENV)/.dev ## Everything that CI checks; prints only what failed
	@$(call step,lint,$(BIN)/ruff check .)
	@$(call step,format,$(BIN)/ruff format --check .)
	@$(call step,types,$(PY) -m basedpyright)
	@$(call step,import layers,$(BIN)/lint-imports)
	@$(call step,contracts,$(PY) -m agent_memory.contracts --check)
	@$(call step,Dockerfile,$(BIN)/hadolint Dockerfile)
	@$(call step,lock,$(LOCK_CHECK))
	@$(MAKE) --no-print-directory -j2 check-own check-torture check-whole check-e2e
	@$(call step,coverage,$(BIN)/coverage combine -q .coverage.check-own .coverage.check-whole && $(BIN)/coverage report,1)

# Four parts, two at a time; the longest begins. Of those that count towards coverage each keeps its own figures.
MEASURED = COVERAGE_FILE=.coverage.$@ $(PY) -m pytest -q --cov --cov-report= --cov-fail-under=0

check-own: $(VENV)/.dev
	@$(call step,unit property and contract tests,$(MEASURED) -m "not torture and not e2e" tests/unit tests/property tests/contract,1)

check-whole: $(VENV)/.dev
	@$(call step,integration tests,$(MEASURED) -m "not torture" tests/integration,1)

# Without coverage, which would triple their time: they follow millions of steps.
check-torture: $(VENV)/.dev
	@$(call step,torture tests,$(PY) -m pytest -q -m torture,1)

check-e2e: $(VENV)/.dev
	@$(call step,end-to-end tests,$(PY) -m pytest -q -m e2e,1)

fmt: $(VENV)/.dev ## Format the code and fix what ruff can fix
	@$(BIN)/ruff check --quiet --fix-only .
	@$(BIN)/ruff format --quiet .

contracts: $(VENV)/.dev ## Write .actor/ and docs/actions.md anew from the registry
	@$(PY) -m agent_memory.contracts

bench: $(VENV)/.dev ## Measure the cold start of every action, and how the store grows
	@$(PY) benchmarks/cold_start.py
	@$(PY) benchmarks/server_start.py
	@$(PY) benchmarks/stdio_start.py
	@$(PY) benchmarks/store.py

bench-server: $(VENV)/.dev ## Measure how many requests a warm server bears, on a machine that does nothing else (ARGS=--keep)
	@$(PY) benchmarks/server_load.py $(ARGS)

bench-secrets: $(VENV)/.dev ## Measure the gate against secrets (DATA=folder of sets whose texts hold none)
	@$(PY) benchmarks/secrets_gate.py $(if $(DATA),--data "$(DATA)") $(ARGS)

bench-retrieval: $(VENV)/.bench ## Measure how well memories are found (DATA=folder of sets, ARGS="--sample 100")
	@$(PY) benchmarks/retrieval.py --data "$(DATA)" $(ARGS)

bench-search: $(VENV)/.bench ## Measure how long searches take in a warm process
	@PYTHONPATH=src $(PY) benchmarks/search_speed.py $(ARGS)

bench-verdict: $(VENV)/.dev ## Measure how honest the verdict is (DATA=folder of sets)
	@$(PY) benchmarks/retrieval_verdict.py --data "$(DATA)" $(ARGS)

torture: $(VENV)/.dev ## The torture tests of the store for minutes or hours (N=10000, PARTS='"store ids" machine')
	@cd tests && PYTHONPATH=../src ../$(PY) -m torture.long $(or $(N),10000) $(PARTS)

e2e: $(VENV)/.dev ## Run the tests of the Apify CLI and of the Dockerfile's steps
	@$(PY) -m pytest -q -m e2e

lock: $(VENV)/.dev ## Lock the dependencies anew (ARGS=--upgrade for newer versions)
	@$(LOCK) $(ARGS) pyproject.toml --output-file requirements.txt
	@$(LOCK) $(ARGS) --extra dev --constraint requirements.txt pyproject.toml --output-file requirements-dev.txt
	@$(LOCK) $(ARGS) --extra bench --constraint requirements.txt pyproject.toml --output-file requirements-bench.txt

lock-check: $(VENV)/.dev ## Check, offline, that the locks are what pyproject.toml asks for
	@$(LOCK_CHECK)

clean: ## Remove the environment and everything the tools left; memories in storage/ stay
	@rm -rf $(VENV) dist .coverage .coverage.* .hypothesis .import_linter_cache .pytest_cache .ruff_cache
	@find src tests benchmarks -type d -name __pycache__ -prune -exec rm -rf {} +

LOCK_CHECK = $(PY) -m pytest -q tests/unit/test_locks.py

# $(call step,name,command,lines): run quietly; show the output only of a failure, else its last `lines` lines.
define step
log=$$(mktemp); if $(2) >"$$log" 2>&1; then tail -n $(or $(3),0) "$$log"; rm -f "$$log"; \
else echo "make check: $(1) failed"; cat "$$log"; rm -f "$$log"; exit 1; fi
endef

# One environment, filled from the locks: `make run` installs what the Actor runs on, everything else also the tools.
$(PY):
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
		echo "Agent Memory needs Python 3.11 or newer; \"$(PYTHON)\" is $$($(PYTHON) --version 2>/dev/null || echo "not there")." \
		"Name another one: make $(or $(MAKECMDGOALS),run) PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); exit 1; }

# The .pth file lets `python -m agent_memory` find src/ without a build step; the script is what a package would install.
$(VENV)/.runtime: requirements.txt | $(PY)
	@echo "Installing the locked dependencies into $(VENV) (once) ..." >&2
	@$(PIP_INSTALL) -r requirements.txt
	@echo "$(CURDIR)/src" >"$$($(PY) -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/agent_memory.pth"
	@printf '#!%s\nfrom agent_memory.cli import main\n\nmain()\n' "$(CURDIR)/$(PY)" >$(BIN)/agent-memory
	@chmod +x $(BIN)/agent-memory
	@touch $@

$(VENV)/.bench: requirements-bench.txt $(VENV)/.dev
	@echo "Installing the engines to compare with into $(VENV) (once) ..." >&2
	@$(PIP_INSTALL) -r requirements-bench.txt
	@touch $@

$(VENV)/.dev: requirements-dev.txt $(VENV)/.runtime
	@echo "Installing the locked tools into $(VENV) (once) ..." >&2
	@$(PIP_INSTALL) -r requirements-dev.txt
	@touch $@
