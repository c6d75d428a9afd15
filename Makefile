# Needs Python 3.11 or newer with pip, and make; `test-browser` needs Debian's Chromium too.
# Every target keeps its own virtual environment. Another Python: make demo PYTHON=python3.12

PYTHON ?= python3
# What pip installs first for the instruments, with options where an index needs them.
TORCH ?= torch==2.13.0
# A target uses what its own environment holds, not what the caller's paths add.
unexport PYTHONPATH PYTHONHOME

DEMO := .venv/bin/python
TEST := .venv-test/bin/python
BROWSER := .venv-browser/bin/python
DOCS := .venv-docs/bin/python
BENCH := .venv-bench/bin/python
# Coqui declares none of torch, torchaudio, torchcodec and six, and XTTS fails with transformers 5.
# PyPI's torch for x86-64 does not load without 5 GB of CUDA libraries; where the index of CPU
# builds can be reached, this takes less:
# PIP_EXTRA_INDEX_URL=https://download.pytorch.org/whl/cpu make test-coqui
COQUI := torch==2.9.1 torchaudio==2.9.1 torchcodec==0.9.1 coqui-tts==0.28.0 \
    transformers==4.57.6 six pytest
PLANS := switch_pairs cue_validity_six cue_validity_eight cue_validity_eight_held_out_voices \
    cue_balanced
VENVS := .venv/installed .venv-test/installed .venv-browser/installed .venv-docs/installed \
    .venv-bench/installed

.DEFAULT_GOAL := help
.PHONY: help demo pairs plans test lint fuzz wheel test-browser test-instruments test-coqui \
    acoustics audit-seeds datasets figures rooms bench clean chromium

help:
	@echo "make demo          generate a small set into out/demo, verify it, say what to open"
	@echo "make pairs         generate the 800 WAVs of the speaker-switch pairs and verify them"
	@echo "make plans         freeze the plans of the published sets anew, into manifests/plans"
	@echo "make test          lint and the whole test suite"
	@echo "make lint          ruff, formatting and types alone"
	@echo "make fuzz          10,000 hostile files: refused in one line or read right (some minutes)"
	@echo "make wheel         sdist and wheel into dist/"
	@echo "make test-browser  the report page in a browser (needs Debian's chromium, chromium-driver)"
	@echo "make test-instruments  recognition, speaker embeddings, DNSMOS and pitch hear the voices"
	@echo "make test-coqui    the coqui engine with a small network (7.7 GB in the user's cache folder)"
	@echo "make acoustics     measure 40 commands: what beside the cue could tell near from far"
	@echo "make audit-seeds   audit 100 sound sets by other seeds: at most 3 false findings (25 minutes)"
	@echo "make datasets      let a recogniser hear the 400 commands: word errors by tool and voice (15 minutes)"
	@echo "make figures       draw the figures of the README"
	@echo "make rooms         draw the rooms, print their figures and how segments end in them"
	@echo "make bench         speed and memory against what is required (some 15 minutes, a table)"
	@echo "make clean         remove all that make has made, but for the pairs"

demo: .venv/installed
	@$(DEMO) -m synthkit generate examples/demo.toml --out out/demo
	@$(DEMO) -m synthkit verify out/demo
	@$(DEMO) -m synthkit report out/demo

pairs: .venv/installed
	@$(DEMO) -m synthkit generate switch_pairs.toml --out out/switch_pairs --jobs 2
	@$(DEMO) -m synthkit verify out/switch_pairs

plans: .venv/installed
	@for name in $(PLANS); do \
	    $(DEMO) -m synthkit generate examples/$$name.toml --out out/plans --dry-run \
	        --plan manifests/plans/$$name.jsonl || exit 1; \
	done

test: lint
	@echo "pytest"
	@$(TEST) -m pytest -q -n auto --maxprocesses 8

lint: .venv-test/installed
	@echo "ruff, mypy"
	@$(TEST) -m ruff check --quiet .
	@$(TEST) -m ruff format --check --quiet .
	@$(TEST) -m mypy

fuzz: .venv-test/installed
	@$(TEST) -m tests.fuzz

wheel: .venv-test/installed
	@rm -rf dist
	@log=$$($(TEST) -m build --no-isolation 2>&1) || { echo "$$log" >&2; exit 1; }
	@ls dist/*

test-browser: chromium .venv-browser/installed
	@echo "pytest tests_browser"
	@$(BROWSER) -m pytest -q tests_browser

chromium:
	@command -v chromium > /dev/null && command -v chromedriver > /dev/null || { \
	    echo "test-browser needs chromium and chromedriver: Debian packages chromium, chromium-driver" >&2; \
	    exit 1; }

# Big environments are cached outside the checkout, and made again when their list changes.
INSTRUMENTS := .ci/environment.py instruments "$(TORCH)" @test,instruments \
    "--no-deps resemblyzer==0.1.4"

test-instruments:
	@python=$$($(PYTHON) $(INSTRUMENTS)) && \
	    echo "pytest tests_instruments" && $$python -m pytest -q tests_instruments

test-coqui:
	@python=$$($(PYTHON) .ci/environment.py coqui "$(COQUI)" @) && \
	    echo "pytest tests_coqui" && $$python -m pytest -q tests_coqui

acoustics: .venv/installed
	@$(DEMO) -m synthkit generate benchmarks/eight.toml --out out/acoustics
	@$(DEMO) benchmarks/acoustics.py out/acoustics

audit-seeds: .venv/installed
	@$(DEMO) benchmarks/audit_seeds.py

datasets:
	@python=$$($(PYTHON) $(INSTRUMENTS)) && \
	    $$python -m benchmarks.datasets switch_pairs.toml --out out/datasets

figures: .venv-docs/installed
	@$(DOCS) -m synthkit generate examples/cue_validity_six.toml --limit 1 --out out/figures
	@$(DOCS) docs/figures.py out/figures

rooms: .venv-docs/installed
	@$(DOCS) docs/rooms.py
	@$(DOCS) benchmarks/rooms.py

bench: .venv-bench/installed
	@$(BENCH) benchmarks/speed.py out/bench

clean:
	@rm -rf .venv .venv-test .venv-browser .venv-docs .venv-bench out/bench out/demo \
	    out/acoustics out/datasets out/figures build dist synthkit.egg-info .mypy_cache .pytest_cache \
	    .ruff_cache .hypothesis

.venv/installed: INSTALL := -e .
.venv-test/installed: INSTALL := -e ".[test]"
.venv-browser/installed: INSTALL := -e ".[test,browser]"
.venv-bench/installed: INSTALL := -e .
.venv-docs/installed: INSTALL := -e ".[docs]"

$(VENVS): setup.cfg
	@$(PYTHON) -c 'import sys; sys.exit(None if sys.version_info >= (3, 11) else \
	    "synthkit needs Python 3.11 or newer, found " + sys.version.split()[0] \
	    + "; try: make PYTHON=python3.11")'
	@echo "installing into $(@D): once, and again when setup.cfg changes"
	@$(PYTHON) -m venv --clear $(@D)
	@$(@D)/bin/python -m pip install --quiet --disable-pip-version-check $(INSTALL)
	@touch $@
