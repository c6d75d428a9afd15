"""Every check that can be made has a title, a remedy and a group."""

from __future__ import annotations

import ast
from itertools import product
from pathlib import Path

import pytest

import synthkit.audit
from synthkit.audit.checks import CHECKS, GROUPS

FOLDER = Path(synthkit.audit.__file__).parent
# What stands in the place of a name that is put into a check's.
FILLED = {
    "row": ("voice", "kind", "nuisance"),
    "column": ("tool", "split", "condition", "target", "voice"),
    "role": ("context", "trigger"),
    "test.name": ("tool", "family", "word"),
}
NEVER = {"balance.voice_voice", "balance.kind_voice"}  # pairs have tests of their own


def named(module: str) -> set[str]:
    """All that a module's strings name as checks: a group of reports, a dot, a word."""
    tree = ast.parse((FOLDER / f"{module}.py").read_text("utf-8"))
    inner = {id(part) for n in ast.walk(tree) if isinstance(n, ast.JoinedStr) for part in n.values}
    texts: list[str] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            texts += _filled(node)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            texts += [] if id(node) in inner else [node.value]
    return {t for t in texts if t.partition(".")[0] in GROUPS and "." in t} - NEVER


def _filled(node: ast.JoinedStr) -> list[str]:
    choices = [
        (part.value,) if isinstance(part, ast.Constant) else FILLED.get(ast.unparse(part.value), ())
        for part in node.values
    ]
    return ["".join(map(str, chosen)) for chosen in product(*choices)]


@pytest.mark.parametrize(
    ("module", "number"),
    [("design", 10), ("balance", 18), ("even", 1), ("text_leak", 4), ("leakage", 10)],
)
def test_checks_of_whole_sets_have_entries_of_their_own(module: str, number: int) -> None:
    names = named(module)
    assert len(names) == number
    assert names <= set(CHECKS)


def test_no_entry_is_left_of_a_check_that_is_not_made() -> None:
    made = set().union(*map(named, ("design", "balance", "even", "text_leak", "leakage")))
    groups = {name.partition(".")[0] for name in made}
    assert {name for name in CHECKS if name.partition(".")[0] in groups and "." in name} == made


@pytest.mark.parametrize("name", CHECKS)
def test_titles_fit_their_column_and_remedies_a_line(name: str) -> None:
    title, remedy = CHECKS[name]
    assert 0 < len(title) <= 46
    assert remedy and "\n" not in remedy and not remedy.endswith(".")
