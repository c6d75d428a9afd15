"""Faults of dealing: every file is as it should be, and who says what in which split tells."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from dataclasses import replace

from synthkit.assignments import Assignment
from synthkit.casting import Cast
from tests.audit.fault import NONE, Fault
from tests.audit.planting import ROLES, PlantedSet
from tests.audit.plants_words import take

Casting = Callable[[list[Assignment]], list[Assignment]]


def _cast(assignment: Assignment, wearer: str, bystander: str) -> Assignment:
    return replace(assignment, cast=Cast(wearer, bystander))


def _exchanged(assignment: Assignment) -> Assignment:
    return _cast(assignment, assignment.cast.bystander, assignment.cast.wearer)


def _roles_exchanged(commands: list[Assignment]) -> list[Assignment]:
    """As good as before: a bystander for a wearer in all commands."""
    return [_exchanged(a) for a in commands]


def _never_the_wearer(commands: list[Assignment]) -> list[Assignment]:
    voice = commands[0].cast.wearer
    return [_exchanged(a) if a.cast.wearer == voice else a for a in commands]


def _two_pools(commands: list[Assignment]) -> list[Assignment]:
    """Half of the voices are wearers, the others bystanders."""
    voices = _voices(commands)
    half = len(voices) // 2
    wearers, bystanders = voices[:half], voices[half:]
    return [
        _cast(a, _kept(a.cast.wearer, wearers, n), _kept(a.cast.bystander, bystanders, n))
        for n, a in enumerate(commands)
    ]


def _one_voice_one_tool(commands: list[Assignment]) -> list[Assignment]:
    """A voice is the wearer of every command of one tool, and heard in no other."""
    voices, tool = _voices(commands), commands[0].command.tool
    voice, others = voices[0], voices[1:]
    return [
        _cast(a, voice, _other(a.cast.bystander, [voice], others, n))
        if a.command.tool == tool
        else _cast(a, *_pair(a, voice, others, n))
        for n, a in enumerate(commands)
    ]


def _one_wearer_a_tool(commands: list[Assignment]) -> list[Assignment]:
    """All commands of a tool have the wearer of its first one; bystanders are dealt as before."""
    first = {a.command.tool: a.cast.wearer for a in reversed(commands)}

    def recast(n: int, a: Assignment) -> Assignment:
        wearer = first[a.command.tool]
        return _cast(a, wearer, _other(a.cast.bystander, [wearer], [a.cast.wearer], n))

    return [recast(n, a) for n, a in enumerate(commands)]


def _pair(assignment: Assignment, voice: str, others: list[str], n: int) -> tuple[str, str]:
    """The cast of a command without ``voice``, of two people still."""
    cast = assignment.cast
    wearer = _other(cast.wearer, [voice], [v for v in others if v != cast.bystander], n)
    return wearer, _other(cast.bystander, [voice], [v for v in others if v != wearer], n)


def _voices_by_split(commands: list[Assignment]) -> list[Assignment]:
    """Three voices in the test split alone, though the recipe names the same for both."""
    voices = _voices(commands)
    rings = {"test": itertools.cycle(voices[:3]), "train": itertools.cycle(voices[3:])}
    return [_cast(a, *itertools.islice(rings[a.split], 2)) for a in commands]


def _kept(voice: str, pool: list[str], n: int) -> str:
    return voice if voice in pool else pool[n % len(pool)]


def _other(voice: str, taboo: Iterable[str], pool: list[str], n: int) -> str:
    return pool[n % len(pool)] if voice in taboo else voice


def _voices(commands: list[Assignment]) -> list[str]:
    return sorted({v for a in commands for v in (a.cast.wearer, a.cast.bystander)})


def _dealt(change: Casting) -> Callable[[PlantedSet], None]:
    return lambda planted: planted.replan(change)


def _near_tells(planted: PlantedSet) -> None:
    """In training slots the wearer is always near, the bystander mostly far."""
    _slots(planted, ("same_near_0", "same_near_600"), "different_far_0 different_far_600")


def _pause_tells(planted: PlantedSet) -> None:
    """In training slots the wearer never pauses, the bystander mostly does."""
    _slots(planted, ("same_near_0", "same_far_0"), "different_near_600 different_far_600")


def _slots(planted: PlantedSet, wearer: tuple[str, str], bystander: str) -> None:
    """One of two conditions for the wearer, two and one more for the bystander, text as it was.

    A limit that is no limit says that slots need not be filled to the last one.
    """
    taken = bystander.split()
    spare = [c for c in ("different_near_0", "different_far_0") if c not in taken]

    def changed(n: int, a: Assignment) -> Assignment:
        text = tuple(c for c in a.conditions or () if c == "text_only")
        return replace(a, conditions=(wearer[n % 2], *taken, spare[n % len(spare)], *text))

    planted.edit_recipe(limit=len(planted.commands))
    planted.replan(lambda commands: [changed(n, a) for n, a in enumerate(commands)])


def _command_in_two_splits(planted: PlantedSet) -> None:
    for row in planted.of(planted.commands[0], source="different"):
        row["split"] = "test"


def _text_row_in_another_split(planted: PlantedSet) -> None:
    for row in planted.of(planted.commands[0], modality="text"):
        row["split"] = "test"


def _same_words_in_two_splits(planted: PlantedSet) -> None:
    """A training command says what a test command says, in other letters, by its own voices."""
    _copy_words(planted, lambda text: text.rstrip(".").upper().capitalize() + "!")


def _one_command_under_two_ids(planted: PlantedSet) -> None:
    """A training command is a test command: same words, same voices, same sound."""
    here, there = _copy_words(planted, str)

    def recast(commands: list[Assignment]) -> list[Assignment]:
        found = {a.command.id: a for a in commands}
        return [replace(a, cast=found[there].cast) if a.command.id == here else a for a in commands]

    planted.replan(recast)
    take(planted, here, there, ROLES)  # the same take too, which no two commands have by design


def _copy_words(planted: PlantedSet, change: Callable[[str], str]) -> tuple[str, str]:
    """Let the first training command say what a test command of its own tool or another says."""
    script = {row["id"]: row for row in planted.script()}
    there = next(row["command"] for row in planted.of() if row["split"] == "test")
    tool = script[there]["tool"]
    here = next(
        row["command"] for row in planted.of() if row["split"] == "train" and row["tool"] == tool
    )
    for name in ("context", "trigger"):
        script[here][name] = change(script[there][name])
    script[here]["params"] = script[there]["params"]
    planted.write_script(script.values())
    planted.replan(list)
    return here, there


DEALING = [
    Fault("roles_exchanged", "pair", _dealt(_roles_exchanged), True, NONE, 20),
    Fault("voice_never_the_wearer", "tones", _dealt(_never_the_wearer), True, "voice_role", 100),
    Fault("wearers_of_one_pool", "pair", _dealt(_two_pools), True, "voice_role", 20),
    Fault("voice_of_one_tool", "tones", _dealt(_one_voice_one_tool), True, "voice_tool", 100),
    Fault("one_wearer_a_tool", "tones", _dealt(_one_wearer_a_tool), True, "voice_tool", 100),
    Fault("voices_by_split", "tones", _dealt(_voices_by_split), True, "voice_split", 100),
    Fault("near_tells_the_action", "balanced", _near_tells, True, "condition_tells", 12),
    Fault("pause_tells_the_action", "balanced", _pause_tells, True, "condition_tells", 12),
    Fault("command_in_two_splits", "pair", _command_in_two_splits, False, "split"),
    Fault("text_row_in_another_split", "pair", _text_row_in_another_split, False, "split"),
    Fault("same_words_in_two_splits", "pair", _same_words_in_two_splits, True, "split"),
    Fault("one_command_under_two_ids", "pair", _one_command_under_two_ids, True, "split"),
]
