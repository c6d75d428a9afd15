"""The planting itself: planted sets differ as meant, and `verify` says what the table says."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from synthkit.verify import verify
from tests.audit.fault import Fault
from tests.audit.faults import FAULTS
from tests.audit.planting import PlantedSet

# What `verify` says does not hang on how many commands there are; some faults need two of a kind.
LIMITS = {"eight": 6, "six": 4}


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_verify_finds_what_the_table_says(
    fault: Fault, clean_set: Callable[[str], Path], tmp_path: Path
) -> None:
    planted = PlantedSet.copy(clean_set(fault.grid), tmp_path / "set", LIMITS.get(fault.grid))
    fault.plant(planted)
    planted.seal()
    report = verify(planted.folder)
    assert report.good == fault.verifies, [str(found) for found in report.faults][:5]
