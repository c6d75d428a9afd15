"""One voice's part in two fields: whether the one is what the other's chain makes of it."""

from __future__ import annotations

from synthkit.audit.items import Design, Placed
from synthkit.audit.likeness import lag, residual_db
from synthkit.audit.sounds import PartSound
from synthkit.levels import rms_dbfs

# What may be left of a part without what its chain makes of the other. Rounding to 16 bits leaves
# -73 dB at -20 dBFS; a sample's delay -14 dB, another room 0 dB.
RESIDUAL_DB = -60.0
# Rounding's own level, and by how much the gains of a chain and of levelling may have raised it.
ROUNDING_DBFS, RAISED_DB = -101.0, 12.0
# The same where neither part is dry and a limiter has acted on one: chains no longer change places.
LIMITED_DB = -20.0


def rendered_otherwise(
    first: PartSound, second: PartSound, design: Design
) -> tuple[str | None, int | None]:
    """The fault of two parts that are not one take through their fields' chains, or None.

    And by how many samples the one in a room is late against the dry one, None where neither is
    dry. Where nobody knows the chains, as of a set of others, there is the lag alone. A chain that
    a recipe does not have, or that refuses what it is said to have made, is a fault.
    """
    dry = design.dry
    if second.part.field in dry and first.part.field not in dry:
        first, second = second, first
    wet = first.part.field not in dry
    alike = design.chains and design.chains.alike(_placed(first), _placed(second))
    if not alike:
        late = None if wet else lag(first.samples, second.samples, whitened=True)
        return _refused(first, second) if design.chains else None, late
    left, gain = residual_db(*alike)
    rounding = ROUNDING_DBFS + RAISED_DB - (rms_dbfs(alike[1]) or 0.0)
    allowed = max(RESIDUAL_DB, rounding)
    if wet and (first.part.limited or second.part.limited):
        allowed = LIMITED_DB
    late = lag(*alike) if left > allowed else 0
    return _fault(first, second, left, gain, late, allowed), None if wet else late


def _refused(first: PartSound, second: PartSound) -> str:
    fields = f"{first.part.field} and {second.part.field}"
    return f"fields {fields} cannot be rendered again; allowed: those of the recipe"


def _fault(
    first: PartSound, second: PartSound, left: float, gain: float, late: int, allowed: float
) -> str | None:
    if left <= allowed and gain > 0:
        return None
    said = [
        f"field {second.part.field} is not what its chain makes of field {first.part.field}: "
        f"{left:.1f} dB differ; allowed: {allowed:.0f}"
    ]
    if late:
        said.append(f"{abs(late)} samples {'late' if late > 0 else 'early'}")
    if gain < 0:
        said.append("polarity is inverted")
    return "; ".join(said)


def _placed(sound: PartSound) -> Placed:
    return Placed(sound.samples, sound.window, sound.part.field, sound.part.bindings)
