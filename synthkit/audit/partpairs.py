"""Two parts of one command against each other: what of them may not differ, and what must.

Each returns the fault, None where there is none.
"""

from __future__ import annotations

import math

import numpy as np

from synthkit.audio import Samples
from synthkit.audit.items import Design, Part
from synthkit.audit.likeness import above_db, difference, lag, residual_db
from synthkit.audit.parts import LEVEL_DB
from synthkit.audit.sounds import PartSound
from synthkit.levels import rms_dbfs

SAME_SOUND_DB = -60.0  # rounding to 16 bits leaves -73 dB of two parts that are one sound
SAME_TAKE_DB = -20.0
UNHEARD_DB = -60.0  # re speech: what is above a cutoff, and less than rounding to 16 bits leaves


def chain(part: Part) -> tuple[object, ...]:
    """What was done to a part's source."""
    return part.field, part.bindings


def bytes_differ(first: PartSound, second: PartSound, design: Design) -> str | None:
    """Bit for bit; of rounded times the outermost samples may be another part's."""
    if first.sha256 == second.sha256:
        return None
    slack = design.slack(first.sampling_rate)
    if slack and _equal_within(first.samples, second.samples, slack):
        return None
    return difference(first.samples, second.samples)


def _equal_within(one: Samples, other: Samples, slack: int) -> bool:
    """Whether one without its ends is in the other, at a shift that rounding can make."""
    if abs(len(one) - len(other)) > slack:
        return False
    inner = one[slack:-slack]
    shifted = (other[start : start + len(inner)] for start in range(2 * slack + 1))
    return any(len(inner) and np.array_equal(inner, there) for there in shifted)


def levels_differ(first: PartSound, second: PartSound, _design: Design) -> str | None:
    """Levels over the speech window, where the recipe asks for one."""
    levels = [rms_dbfs(s.samples[slice(*s.window)]) for s in (first, second)]
    if levels[0] is None or levels[1] is None or abs(levels[1] - levels[0]) > LEVEL_DB:
        told = " and ".join("silence" if x is None else f"{x:.2f} dBFS" for x in levels)
        return f"levels are {told}; allowed: within {LEVEL_DB:g} dB"
    return None


def edges_differ(first: PartSound, second: PartSound, design: Design) -> str | None:
    """As much before the speech, and after it, in both; a decay may last, if it is kept."""
    slack = design.slack(first.sampling_rate)
    before = [sound.window.start for sound in (first, second)]
    if abs(before[0] - before[1]) > slack:
        return f"speech starts after {before[0]} and {before[1]} samples; allowed: the same"
    kept = design.chains is not None and design.post_samples is None
    after = [len(sound.samples) - sound.window.end for sound in (first, second)]
    if abs(after[0] - after[1]) <= slack or (kept and chain(first.part) != chain(second.part)):
        return None
    return f"ends {after[0]} and {after[1]} samples after its speech; allowed: the same"


def windows_differ(first: PartSound, second: PartSound, design: Design) -> str | None:
    """One onset and one length; of parts of which nobody says where speech lies, the length."""
    slack = design.slack(first.sampling_rate)
    if all(abs(a - b) <= slack for a, b in zip(first.window, second.window, strict=True)):
        return None
    if not (first.part.windowed and second.part.windowed):
        lengths = f"{len(first.samples)} and {len(second.samples)} samples"
        return f"lasts {lengths}, where its speech lies is not told; allowed: the same"
    return f"speech lies at {tuple(first.window)} and {tuple(second.window)}; allowed: the same"


def rooms_differ(first: PartSound, second: PartSound, _design: Design) -> str | None:
    one, other = first.part.rir_sha256, second.part.rir_sha256
    return None if one == other else "their rooms have two responses"


def not_applied(first: PartSound, second: PartSound, _design: Design) -> str | None:
    left, _ = residual_db(first.samples, second.samples)
    if left > SAME_SOUND_DB:
        return None
    return (
        f"fields {first.part.field} and {second.part.field} hold one sound ({left:.1f} dB differ); "
        f"allowed: more than {SAME_SOUND_DB:g} dB"
    )


def not_lowpassed(first: PartSound, second: PartSound, design: Design) -> str | None:
    """Where one of two fields is low-passed, it has less above the cutoff."""
    cutoffs = design.lowpassed
    both = sorted((first, second), key=lambda s: cutoffs.get(s.part.field, math.inf))
    cutoff = cutoffs[both[0].part.field]
    dull, bright = (above_db(s.samples[slice(*s.window)], s.sampling_rate, cutoff) for s in both)
    if dull < bright or dull <= UNHEARD_DB:
        return None
    return (
        f"field {both[0].part.field} has {dull:.1f} dB above {cutoff:g} Hz re all, "
        f"{both[1].part.field} {bright:.1f} dB; allowed: less"
    )


def one_take(first: PartSound, second: PartSound, _design: Design) -> str | None:
    """Two people never say the same samples, whatever gain or delay is taken out."""
    late = lag(first.samples, second.samples)
    one, other = first.samples[max(0, -late) :], second.samples[max(0, late) :]
    left, _ = residual_db(one, other)
    if left > SAME_TAKE_DB:
        return None
    return f"both voices are one take ({left:.1f} dB differ); allowed: two voices"
