"""The derived licence asks for all that any part asks for."""

from __future__ import annotations

import pytest

from synthkit.licensing import derived


@pytest.mark.parametrize(
    ("parts", "whole"),
    [
        (["Apache-2.0"], "Apache-2.0"),
        (["CC0-1.0", "MIT", "CC0-1.0"], "MIT"),
        (["Apache-2.0", "CC-BY-4.0", "CC0-1.0"], "CC-BY-4.0"),
        (["CC-BY-4.0", "CC-BY-NC-4.0"], "CC-BY-NC-4.0"),
        # Neither contains the other: both have to be met.
        (["CC-BY-SA-4.0", "CC-BY-NC-4.0"], "CC-BY-NC-4.0 AND CC-BY-SA-4.0"),
        (["CC-BY-SA-4.0", "CC-BY-NC-SA-4.0"], "CC-BY-NC-SA-4.0"),
        # An unknown one never makes a known one disappear.
        (["LicenseRef-Studio", "CC-BY-NC-SA-4.0"], "CC-BY-NC-SA-4.0 AND LicenseRef-Studio"),
    ],
)
def test_the_strictest_is_kept_and_none_is_lost(parts: list[str], whole: str) -> None:
    assert derived(parts) == whole
    assert derived(reversed(parts)) == whole
