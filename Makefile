# make demo   crawl the bundled site with learning, then report (no network is needed for the crawl)
# make test   lint, types and tests, on all cores; make test PYTEST='-n 0 -x tests/page' for some of them, one by one.
# make test-quick  the tests of what users run that start no process, with few drawn examples, in minutes on two cores
# make coverage  all tests, with the lines and branches of the package that none reaches
# make spark  the tests of learning and stripping with Spark (needs Java 17) and in datatrove; installs both, which are large
# make golden the results of the golden pages in tests/golden anew: read the difference before committing it
# make docs   the documentation as HTML in docs/_build
# make bench  quality and speed beside seven other extractors; tables are printed and written to benchmarks/results
#             make bench DATA=FOLDER  with your own sets of pages; else those of ../shared/data, else the bundled site
# make soak   crawls that are killed 200 times, two that write one file, fleets with one store, full disks; growth of time;
#             takes hours; make soak SCALE=.05 does a twentieth of it
# make fuzz   pages, pattern files, spools and what else is read with atheris and AddressSanitizer, FUZZ seconds each
# make dist   the source distribution and the wheel for this platform in dist/, checked, and tried in an empty environment
# make build  compile the native modules beside their sources; the above do it too
# make clean  remove what the above made; make clean-build only what make build made
# Each makes its own environment in .venv first. Needs only Python 3.11 or newer: make PYTHON=python3.12 test
# Where there is no C compiler, make CC='.venv/bin/python -m ziglang cc' works too, with the package ziglang installed.

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

BIOME := @biomejs/biome@2.6.8

# Of pytest; a process that has done its tests takes over some of another's.
PYTEST ?= -n auto --dist worksteal

# Native modules are compiled beside their sources; `build` does again only what has changed.
# Python compiles what it imports, a tenth of what is installed, and keeps it, whatever the environment says.
INSTALL := $(BIN)/python -m pip install --quiet --no-compile --no-build-isolation --editable

unexport PYTHONDONTWRITEBYTECODE

# Of make soak.
SCALE ?= 1

# Seconds for each target of make fuzz.
FUZZ ?= 600

FUZZED := pages changed growing markdown patterns webstemmer corrections spool waiting

.PHONY: demo test test-quick lint types unit collected coverage spark build golden docs bench soak fuzz dist clean clean-build
.DEFAULT_GOAL := test

$(VENV)/made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "$(PYTHON) is older than Python 3.11; name a newer one: make PYTHON=python3.12 ..."; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip 'setuptools>=77' 'Cython>=3.1' 'lxml>=5.1,<7'
	@touch $@

$(VENV)/demo: $(VENV)/made setup.cfg pyproject.toml
	$(INSTALL) .
	@touch $@

$(VENV)/test: $(VENV)/made setup.cfg pyproject.toml
	$(INSTALL) . --group test
	@touch $(VENV)/demo $@

$(VENV)/spark: $(VENV)/test
	$(INSTALL) '.[spark,datatrove]'
	@touch $@

$(VENV)/docs: $(VENV)/made setup.cfg pyproject.toml
	$(INSTALL) . --group docs
	@touch $@

$(VENV)/bench: $(VENV)/made setup.cfg pyproject.toml
	$(INSTALL) . --group bench
	@touch $@

build: $(VENV)/demo
	$(BIN)/python setup.py --quiet build_ext --inplace --parallel 4

demo: build
	cd example_project && rm -rf patterns items.jsonl && \
		$(SCRAPY) crawl news -s STEMMER_LEARN=1 -s LOG_LEVEL=INFO && \
		$(abspath $(BIN))/python report.py

# What needs one core goes side by side. What Python and pytest compile of the tests is kept: each process of theirs would
# do it at the same time.
test: $(VENV)/test
	$(MAKE) --jobs 4 --no-print-directory lint types build collected
	$(MAKE) --no-print-directory unit

# The scripts are linted where Node can have their linter.
lint: $(VENV)/test
	@if npx --yes $(BIOME) --version >/dev/null 2>&1; \
	then npx --yes $(BIOME) lint --error-on-warnings scrapy_stemmer/report/report.js scrapy_stemmer/learners/literature/rendering.js; \
	else echo "the scripts are not linted: there is no npx, or no network"; fi
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/codespell
	$(BIN)/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml

types: $(VENV)/test
	$(BIN)/mypy
	$(BIN)/mypy setup.py build_backend.py

unit: $(VENV)/test build
	$(BIN)/python -m pytest $(PYTEST)

# Nothing is told of it: tests that can't be collected are errors when they are run.
collected: $(VENV)/test build
	@$(BIN)/python -m pytest -n 0 --collect-only --quiet >/dev/null || true

QUICK := $(addprefix tests/,page writing patterns fields engine golden stores learners/rules crawl commands report) \
	$(wildcard tests/test_*.py)

test-quick: $(VENV)/test build
	$(BIN)/python -m pytest $(PYTEST) -m 'not slow' --hypothesis-profile quick $(QUICK)

coverage: $(VENV)/test build
	$(BIN)/python -m pytest $(PYTEST) --cov

spark: $(VENV)/spark build
	$(BIN)/python -m pytest -n 0 tests/test_spark.py tests/test_datatrove.py

golden: $(VENV)/test build
	$(BIN)/python -m tests.golden

docs: $(VENV)/docs build
	$(BIN)/sphinx-build -W --keep-going -b html docs docs/_build

bench: $(VENV)/bench build
	$(BIN)/python -m benchmarks.quality $(if $(DATA),--data $(abspath $(DATA)),$(FOLDS)) --write $(QUALITY)
	$(BIN)/python -m benchmarks.drift $(if $(DATA),--data $(abspath $(DATA))) --write
	$(BIN)/python -m benchmarks.scenarios --write
	$(BIN)/python -m benchmarks.navigation --write
	$(BIN)/python -m benchmarks.corrections $(if $(DATA),--data $(abspath $(DATA))) --write
	$(BIN)/python -m benchmarks.fields $(if $(DATA),--data $(abspath $(DATA))) --write
	$(BIN)/python -m benchmarks.images $(if $(DATA),--data $(abspath $(DATA))) --write
	$(BIN)/python -m benchmarks.archives $(if $(DATA),--data $(abspath $(DATA))) --write
	$(BIN)/python -m benchmarks.teacher $(if $(DATA),--data $(abspath $(DATA))) --write
	$(BIN)/python -m benchmarks.speed $(if $(DATA),--data $(abspath $(DATA))) --write $(SPEED)

soak: $(VENV)/test build
	SOAK=$(SCALE) $(BIN)/python -m pytest -n 0 -s tests/soak/test_soak.py
	$(BIN)/python -m tests.soak.growth

# AddressSanitizer in a folder of its own, since its modules work only where its library is loaded first.
fuzz: $(VENV)/test build
	$(BIN)/python -m pip install --quiet atheris
	mkdir -p $(FUZZED:%=build/fuzz/%) build/asan
	for target in $(FUZZED); do \
		$(BIN)/python -m tests.fuzz.run $$target -max_total_time=$(FUZZ) -timeout=60 -max_len=8000 \
			-artifact_prefix=build/fuzz/crash-$$target- build/fuzz/$$target || exit 1; \
	done
	cp -r scrapy_stemmer tests setup.py build_backend.py setup.cfg pyproject.toml README.md build/asan/
	rm -f build/asan/scrapy_stemmer/_engine/*.so
	cd build/asan && CFLAGS='-fsanitize=address -g -O1' LDFLAGS=-fsanitize=address \
		$(abspath $(BIN))/python setup.py --quiet build_ext --inplace --force
	cd build/asan && LD_PRELOAD=$$($(CC) -print-file-name=libasan.so) ASAN_OPTIONS=detect_leaks=0 PYTHONMALLOC=malloc \
		PYTHONPATH=. $(abspath $(BIN))/python -m tests.fuzz.asan $(FUZZ) 0 ../fuzz

dist: $(VENV)/test
	rm -rf dist
	$(BIN)/python -m build
	$(BIN)/twine check --strict dist/*
	$(BIN)/check-wheel-contents dist/*.whl
	$(PYTHON) -m venv --clear build/empty
	build/empty/bin/python -m pip install --quiet --only-binary :all: dist/*.whl
	PATH= build/empty/bin/python tests/installed.py

clean-build:
	rm -rf build dist
	find scrapy_stemmer \( -name '*.so' -o -name '*.pyd' \) -delete

clean: clean-build
	rm -rf $(VENV) docs/_build *.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis .coverage .coverage.*
