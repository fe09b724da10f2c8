# make demo   crawl the bundled site with learning, then report (no network is needed for the crawl)
# make test   lint, types and all tests
# make docs   the documentation as HTML in docs/_build
# make bench  quality and speed beside six other extractors; tables are printed and written to docs/benchmarks
#             make bench DATA=FOLDER  with your own sets of pages; else those of ../shared/data, else the bundled site
# make clean  remove what the above made
# Each makes its own environment in .venv first. Needs only Python 3.11 or newer: make PYTHON=python3.12 test

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SCRAPY := $(abspath $(BIN))/scrapy
DATA ?=
# More arguments of the benchmarks, e.g. make bench QUALITY='--max-pages 40' SPEED='--only pages'
QUALITY ?=
SPEED ?=

.PHONY: demo test lint types unit docs bench clean
.DEFAULT_GOAL := test

$(VENV)/made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "$(PYTHON) is older than Python 3.11; name a newer one: make PYTHON=python3.12 ..."; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	@touch $@

$(VENV)/demo: $(VENV)/made setup.cfg
	$(BIN)/python -m pip install --quiet --editable .
	@touch $@

$(VENV)/test: $(VENV)/made setup.cfg
	$(BIN)/python -m pip install --quiet --editable '.[test]'
	@touch $@

$(VENV)/docs: $(VENV)/made setup.cfg
	$(BIN)/python -m pip install --quiet --editable '.[docs]'
	@touch $@

$(VENV)/bench: $(VENV)/made setup.cfg
	$(BIN)/python -m pip install --quiet --editable '.[bench]'
	@touch $@

demo: $(VENV)/demo
	cd example_project && rm -rf patterns items.jsonl && \
		$(SCRAPY) crawl news -s STEMMER_LEARN=1 -s LOG_LEVEL=INFO && \
		$(abspath $(BIN))/python report.py

test: lint types unit

lint: $(VENV)/test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/test
	$(BIN)/mypy

unit: $(VENV)/test
	$(BIN)/python -m pytest --cov --cov-report=term

docs: $(VENV)/docs
	$(BIN)/sphinx-build -W --keep-going -b html docs docs/_build

bench: $(VENV)/bench
	$(BIN)/python -m benchmarks.quality $(if $(DATA),--data $(abspath $(DATA))) --write $(QUALITY)
	$(BIN)/python -m benchmarks.speed $(if $(DATA),--data $(abspath $(DATA))) --write $(SPEED)

clean:
	rm -rf $(VENV) build docs/_build *.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis .coverage
