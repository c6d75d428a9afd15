"""How properties are tried: the same examples every time, and no stored ones."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

PROPERTY = settings(
    max_examples=50,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
