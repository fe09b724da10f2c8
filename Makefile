# make demo   crawl the bundled site with learning, then report (no network is needed for the crawl)
# make test   lint, types and all tests, on all cores; make test PYTEST='-n 0 -x tests/core' for some of them, one by one
# make coverage  all tests, with the lines and branches of the package that none reaches
# make docs   the documentation as HTML in docs/_build
# make bench  quality and speed beside six other extractors; tables are printed and written to docs/benchmarks
#             make bench DATA=FOLDER  with your own sets of pages; else those of ../shared/data, else the bundled site
# make dist   the source distribution and the wheel for this platform in dist/, checked, and tried in an empty environment
# make build  compile the native modules beside their sources; the above do it too
# make clean  remove what the above made; make clean-build only what make build made, which leaves pure Python
# Each makes its own environment in .venv first. Needs only Python 3.11 or newer: make PYTHON=python3.12 test
# Without a C compiler all of them work too, in pure Python.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SCRAPY := $(abspath $(BIN))/scrapy
DATA ?=
# More arguments of the benchmarks, e.g. make bench QUALITY='--max-pages 40' SPEED='--only pages'
QUALITY ?=
SPEED ?=

# The sets of ../shared/data are those that weights were trained on: measured with weights that haven't seen the site.
FOLDS := $(if $(and $(wildcard training/folds/*.json),$(wildcard ../shared/data/*.jsonl.gz)),--folds)

# Of pytest; a process that has done its tests takes over some of another's.
PYTEST ?= -n auto --dist worksteal

# Compiling is left to `build`, which does again only what has changed. What an installation needs is there already.
INSTALL := SCRAPY_STEMMER_PURE=1 $(BIN)/python -m pip install --quiet --no-build-isolation --editable

.PHONY: demo test lint types unit coverage build docs bench dist clean clean-build
.DEFAULT_GOAL := test

$(VENV)/made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "$(PYTHON) is older than Python 3.11; name a newer one: make PYTHON=python3.12 ..."; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip 'setuptools>=77' 'Cython>=3.1'
	@touch $@

$(VENV)/demo: $(VENV)/made setup.cfg
	$(INSTALL) .
	@touch $@

$(VENV)/test: $(VENV)/made setup.cfg
	$(INSTALL) '.[test]'
	@touch $(VENV)/demo $@

$(VENV)/docs: $(VENV)/made setup.cfg
	$(INSTALL) '.[docs]'
	@touch $@

$(VENV)/bench: $(VENV)/made setup.cfg
	$(INSTALL) '.[bench]'
	@touch $@

build: $(VENV)/demo
	$(BIN)/python setup.py --quiet build_ext --inplace --parallel 4

demo: build
	cd example_project && rm -rf patterns items.jsonl && \
		$(SCRAPY) crawl news -s STEMMER_LEARN=1 -s LOG_LEVEL=INFO && \
		$(abspath $(BIN))/python report.py

test: lint types unit

lint: $(VENV)/test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/codespell
	$(BIN)/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml

types: $(VENV)/test
	$(BIN)/mypy
	$(BIN)/mypy setup.py

unit: $(VENV)/test build
	$(BIN)/python -m pytest $(PYTEST)

coverage: $(VENV)/test build
	$(BIN)/python -m pytest $(PYTEST) --cov

docs: $(VENV)/docs
	SCRAPY_STEMMER_PURE=1 $(BIN)/sphinx-build -W --keep-going -b html docs docs/_build

bench: $(VENV)/bench build
	$(BIN)/python -m benchmarks.quality $(if $(DATA),--data $(abspath $(DATA)),$(FOLDS)) --write $(QUALITY)
	$(BIN)/python -m benchmarks.drift $(if $(DATA),--data $(abspath $(DATA))) --write
	$(BIN)/python -m benchmarks.speed $(if $(DATA),--data $(abspath $(DATA))) --write $(SPEED)

dist: $(VENV)/test
	rm -rf dist
	SCRAPY_STEMMER_PURE=0 $(BIN)/python -m build
	$(BIN)/twine check --strict dist/*
	$(BIN)/check-wheel-contents dist/*.whl
	$(PYTHON) -m venv --clear build/empty
	build/empty/bin/python -m pip install --quiet --only-binary :all: dist/*.whl
	PATH= build/empty/bin/python tests/installed.py --native

clean-build:
	rm -rf build dist
	find scrapy_stemmer \( -name '*.so' -o -name '*.pyd' \) -delete

clean: clean-build
	rm -rf $(VENV) docs/_build *.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis .coverage .coverage.*
