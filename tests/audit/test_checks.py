"""Every check that can be made has a title, a remedy and a group."""

from __future__ import annotations

import ast
from itertools import product
from pathlib import Path

import pytest

import synthkit.audit
from synthkit.audit.checks import CHECKS, GROUPS, check
from synthkit.audit.meters import METERS

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


def of_two_items() -> set[str]:
    """What is asked of two items, whatever factor they differ in: the name after the dot."""
    texts: list[str] = []
    for module in ("contrasts", "manipulations"):
        for node in ast.walk(ast.parse((FOLDER / f"{module}.py").read_text("utf-8"))):
            if isinstance(node, ast.JoinedStr):  # f"{name}.words"
                dot, _, asked = _last(node).partition(".")
                texts += [] if dot else [asked]
            elif isinstance(node, ast.Yield) and isinstance(node.value, ast.Tuple):
                texts += [ast.literal_eval(node.value.elts[0])]  # yield "bytes", a fault
    return {text for text in texts if text.isidentifier()} | {"zeros"}


def _last(text: ast.JoinedStr) -> str:
    """What a string ends with after all that is put into it."""
    end = text.values[-1]
    return str(end.value) if isinstance(end, ast.Constant) else ""


@pytest.mark.parametrize(
    ("module", "number"),
    [
        ("design", 9),
        ("segments", 1),
        ("balance", 18),
        ("even", 1),
        ("text_leak", 4),
        ("leakage", 10),
        ("run", 1),
        ("parts", 9),
    ],
)
def test_checks_of_items_and_whole_sets_have_entries_of_their_own(module: str, number: int) -> None:
    names = named(module)
    assert len(names) == number
    assert names <= set(CHECKS)


def test_what_is_asked_of_two_items_has_an_entry_whatever_they_differ_in() -> None:
    assert len(of_two_items()) == 14
    assert of_two_items() <= set(CHECKS)
    assert check("field.level") == check("noise.level") == CHECKS["level"]
    assert check("part.level") == CHECKS["part.level"] != CHECKS["level"]


def test_a_probe_is_titled_by_what_its_meter_reads() -> None:
    assert {check(f"probe.{meter}").title for meter in METERS} == {m.reads for m in METERS.values()}


def test_no_entry_is_left_of_a_check_that_is_not_made() -> None:
    modules = [path.stem for path in FOLDER.glob("*.py") if path.stem != "checks"]
    made = set().union(*map(named, modules)) - {"gap_ms.zeros"}
    assert made | of_two_items() == set(CHECKS)


@pytest.mark.parametrize("name", CHECKS)
def test_titles_fit_their_column_and_remedies_a_line(name: str) -> None:
    title, remedy = CHECKS[name]
    assert 0 < len(title) <= 46
    assert remedy and "\n" not in remedy and not remedy.endswith(".")
