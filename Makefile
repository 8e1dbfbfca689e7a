# `make run` makes the sample build; `make test` checks everything. Both need Python and make, no more.

.PHONY: run test check docs site manifest lock clean

PYTHONS := python3 python3.13 python3.12 python3.11
SUITABLE := import sys, venv, ensurepip; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))
BIN := .venv/bin
READY := .venv/ready

# The chain on the sample corpus, into data/sample.
run: $(READY)
	@$(BIN)/pairset run

test: check

# What CI runs.
check: $(READY)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m pytest -n auto --dist loadfile

# The transcript in README.md, from a run of the commands in it.
docs: $(READY)
	$(BIN)/python -m tests.transcript

# The site, from the pages in docs/, the packages' own pages and the code: build/site/index.html.
site: $(READY)
	@NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet
	@echo "built build/site; to read and write it: $(BIN)/python -m mkdocs serve"

# MANIFEST.md at the root, which a test holds against a build of the sample corpus.
manifest: $(READY)
	$(BIN)/pairset run --direct --data build/manifest
	cp build/manifest/sample/MANIFEST.md MANIFEST.md

# requirements.lock from pyproject.toml: every version and hash, for Python 3.11 to 3.13. Needs uv.
lock:
	uv pip compile pyproject.toml --all-extras --no-strip-extras --universal --python-version 3.11 --generate-hashes \
	    --no-emit-index-url --no-header --no-annotate --quiet --output-file requirements.lock

clean:
	rm -rf .venv build .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

# The project's own environment, made anew when what it should hold has changed.
$(READY): requirements.lock pyproject.toml
	@for python in $(or $(PYTHON),$(PYTHONS)); do \
	    if $$python -c '$(SUITABLE)' 2>/dev/null; then \
	        echo "setting up .venv with $$($$python --version): a minute or two, the first time only"; \
	        exec $$python -m venv --clear .venv; \
	    fi; \
	done; \
	echo "pairset needs Python 3.11, 3.12 or 3.13 with its venv module; tried: $(or $(PYTHON),$(PYTHONS))" >&2; \
	echo "name another one: make PYTHON=/path/to/python3" >&2; exit 2
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@
