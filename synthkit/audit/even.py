"""Even dealing: what is dealt in turn comes round before any of it comes again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import permutations

from synthkit.audit.dealt import Dealt, shown
from synthkit.audit.findings import Comparison
from synthkit.audit.items import Design

Uses = Sequence[tuple[str, str]]  # a command, and who is used in it


def even_faults(commands: Sequence[Dealt], design: Design) -> Iterator[Comparison]:
    """Yield a comparison of each split's wearers, bystanders, and ordered pairs.

    Where all commands are there that were dealt, or the first so many, those of a split are used
    within 1 of each other (docs/design.md). Each command that is lost may add 1.
    """
    if not design.in_turn:
        return
    speaking = [command for command in commands if command.voices]
    failed = {clip.rpartition("__")[0] for clip in design.failed}
    lost = len(failed - {command.id for command in speaking}) + len(commands) - len(speaking)
    for split in dict.fromkeys(command.split for command in speaking):
        own = [command for command in speaking if command.split == split]
        two = [command for command in own if len(command.voices) == 2]
        voices = design.splits.get(split, {}).get("voices", tuple(design.kinds))
        pairs = [_pair(*pair) for pair in permutations(voices, 2)]
        if len(voices) < 2:
            continue
        for what, names, uses in (
            ("wearer", voices, [(c.id, c.voices[0]) for c in own]),
            ("bystander", voices, [(c.id, c.voices[1]) for c in two]),
            ("wearer", pairs, [(c.id, _pair(*c.voices)) for c in two]),
        ):
            yield _even(f"split {split}: {what}", names, uses, 1 + lost)


def _pair(wearer: str, bystander: str) -> str:
    return f"{wearer} with bystander {bystander}"


def _even(what: str, names: Iterable[str], uses: Uses, allowed: int) -> Comparison:
    """Names of the pool that are used least and most stand ``allowed`` apart at most."""
    by_name: dict[str, list[str]] = {name: [] for name in names}
    for command, name in uses:
        by_name.setdefault(name, []).append(command)
    few, many = (pick(by_name, key=lambda name: len(by_name[name])) for pick in (min, max))
    least, most = len(by_name[few]), len(by_name[many])
    if most - least <= allowed:
        return Comparison("balance.even", (what,))
    return Comparison(
        "balance.even",
        shown(by_name[many]),
        f"{what} {many} {most} times, {few} {least} times; allowed: within {allowed}, as dealt",
    )
