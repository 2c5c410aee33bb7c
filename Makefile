# make bakeoff   set up, then compare all algorithms on the embedded suite
# make test      set up, then every check and test
# make reproduce DATA=DIR   the paper's study on a folder of datasets, in ten shuffles (STAGE=small unless given)
# make docs      build the site of the docs in docs/_build/html, with a report on the embedded suite
# make dist      build a wheel and an sdist, install each in a clean environment and run it
# make lowest    install the lowest versions that pyproject.toml allows, and run them
# All need only Python >= 3.11 with pip and venv; everything goes into .venv.

PYTHON ?= python3
VENV := .venv
RUN := $(VENV)/bin/python

.PHONY: bakeoff test check reproduce docs dist lowest clean

bakeoff: $(VENV)/.ready
	$(RUN) -m bakeoff run --shuffles 10 --out results --report

test: $(VENV)/.ready-dev
	scripts/check
	scripts/check_results_lines
	scripts/get_chromium
	scripts/get_axe
	$(RUN) -m tests.compile_kernels
	$(RUN) -m pytest -q -n 2 --dist worksteal

check: $(VENV)/.ready-dev
	scripts/check

$(VENV)/.ready: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(RUN) -m pip install --quiet --disable-pip-version-check --editable .
	touch $@

$(VENV)/.ready-dev: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(RUN) -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $@ $(VENV)/.ready

STAGE ?= small
reproduce: $(VENV)/.ready
	$(RUN) -m bakeoff reproduce "$(DATA)" --stage $(STAGE) --out reproduction

docs: $(VENV)/.ready-docs
	scripts/build_docs

$(VENV)/.ready-docs: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(RUN) -m pip install --quiet --disable-pip-version-check --editable '.[docs]'
	touch $@ $(VENV)/.ready

dist: $(VENV)/.ready-dev
	rm -rf dist
	$(RUN) -m build --outdir dist .
	$(RUN) -m twine check --strict dist/*
	scripts/try_dist dist/*

lowest:
	scripts/try_lowest

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis
