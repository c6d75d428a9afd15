"""Further factors that are called what the audit calls something else."""

from __future__ import annotations

from dataclasses import replace

import pytest

from synthkit.audit.checks import GROUPS, check
from synthkit.audit.contrasts import Contrasts, contrast
from synthkit.audit.findings import tallied
from synthkit.audit.items import Item
from synthkit.audit.report import Report
from synthkit.audit.table import lines
from synthkit.grids import FACTORS
from tests.audit.dealings import commands, deal, design


def moved(name: str) -> tuple[Item, Item]:
    """Two rows of one command that differ in a factor of this name."""
    item = next(item for item in deal(commands(1)) if item.is_audio)
    return (
        replace(item, id="one", factors={**item.factors, name: "low"}),
        replace(item, id="other", factors={**item.factors, name: "high"}),
    )


@pytest.mark.parametrize("name", [*sorted(set(GROUPS) - set(FACTORS)), "probe", "a.b"])
def test_a_factor_may_have_any_name(name: str) -> None:
    one, other = moved(name)
    assert contrast(one, other) == f"factor_{name}"
    tallies = tallied(Contrasts({}, design()).compare([one, other]))
    assert [(tally.check, tally.compared) for tally in tallies] == [(f"factor_{name}.words", 1)]
    assert check(tallies[0].check).title == "same words, same tool"
    told = list(lines(Report("set", 1, 2, 0, 1, tallies, (), ())))
    assert told[2].startswith(f"two files that differ in factor_{name} ")
