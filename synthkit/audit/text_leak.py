"""Text leaks: whether the words alone tell the target, which only the sound should."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from synthkit.audit.chance import ALPHA, NOTHING, Coded, Verdict, coded, corrected, together
from synthkit.audit.dealt import Dealt, dealt, shown
from synthkit.audit.findings import Comparison
from synthkit.audit.items import Item
from synthkit.scripts.texts import fold_text, words

ROLES = ("context", "trigger")
PREDICTORS = ("tool", "family", "word")
FEWEST = 3  # commands that a word must be in, and not be in, to be looked at


class Tested(NamedTuple):
    """One test: what of the words of a split's commands may go with their actions."""

    split: str
    name: str
    labels: Coded
    actions: Coded
    commands: Sequence[Dealt]
    verdict: Verdict


def text_leak_faults(items: Sequence[Item]) -> Iterator[Comparison]:
    """Yield comparisons within each split; only rows with sound are counted.

    A text has both actions wherever others have both. Beyond that, neither tool, family nor any
    word may go with the number of calls in a command's rows: nothing can, where every command
    has the same conditions.
    """
    commands = [command for command in dealt(items) if command.actions]
    splits: dict[str, list[Dealt]] = defaultdict(list)
    for command in commands:
        splits[command.split].append(command)
    for own in splits.values():
        yield from _one_sided(own)
    yield from _predictors(splits)


def _one_sided(commands: Sequence[Dealt]) -> Iterator[Comparison]:
    """No text has one action alone while others have both: a model could learn it by heart."""
    texts: dict[tuple[str, str], list[Dealt]] = defaultdict(list)
    for command in (command for command in commands if any(command.texts.values())):
        folded = [fold_text(command.texts.get(role, "")) for role in ROLES]
        texts["context and trigger", "\n".join(folded)].append(command)
        for role, text in zip(ROLES, folded, strict=True):
            texts[role, text].append(command)
    actions = {key: sum((Counter(c.actions) for c in own), Counter()) for key, own in texts.items()}
    both = any(len(found) > 1 for found in actions.values())
    told: set[str] = set()
    for (role, text), own in texts.items():
        found = actions[role, text]
        ids = [command.id for command in own]
        one_sided = both and len(found) == 1
        if one_sided and told.issuperset(ids):  # said of context and trigger together
            continue
        fault = None
        if one_sided:
            told.update(ids)
            said = " ".join(own[0].texts.get(name, "") for name in ROLES if name in role)
            fault = (
                f"{role} {said!r}: all {found.total()} rows are {next(iter(found))}; "
                "allowed: both actions, as elsewhere"
            )
        yield Comparison("text.target", shown(ids), fault)


def _predictors(splits: Mapping[str, Sequence[Dealt]]) -> Iterator[Comparison]:
    """Tool, family and words against the calls and mutes of each command, by permutation."""
    tests = [test for split, commands in splits.items() for test in _tests(split, commands)]
    for test, p in zip(tests, corrected([test.verdict for test in tests]), strict=True):
        yield _predicts(test, p)


def _tests(split: str, commands: Sequence[Dealt]) -> Iterator[Tested]:
    """One for each of what is told of the commands at all."""
    actions = coded(Counter(command.actions).elements() for command in commands)
    told = {
        "tool": any(command.tool for command in commands),
        "family": any(command.family for command in commands),
        "word": any(any(command.texts.values()) for command in commands),
    }
    names = [name for name in PREDICTORS if told[name]]
    if not np.ptp(actions.counts, axis=0).any():  # nothing can go with what is the same in all
        for name in names:
            yield Tested(split, name, actions, actions, commands, NOTHING)
        return
    labels: dict[str, list[Iterable[str]]] = {
        "tool": [(command.tool,) for command in commands],
        "family": [(command.family,) if command.family else () for command in commands],
        "word": _words(commands),
    }
    for name in names:
        left = coded(labels[name])
        verdict = together(left.counts, actions.counts, [split] * len(commands))
        yield Tested(split, name, left, actions, commands, verdict)


def _predicts(test: Tested, p: float) -> Comparison:
    check = f"text.{test.name}"
    if p > ALPHA:
        return Comparison(check, (test.split,))
    i, j = test.verdict.cell
    counts = test.actions.counts
    has = test.labels.counts[:, i] > 0
    ids = shown(command.id for command, there in zip(test.commands, has, strict=True) if there)
    part, share = counts[has, j].sum() / counts[has].sum(), counts[:, j].sum() / counts.sum()
    return Comparison(
        check,
        ids,
        f"split {test.split}: of rows with {test.name} {test.labels.levels[i]} "
        f"{100 * part:.0f} % are {test.actions.levels[j]}, of all {100 * share:.0f} % "
        f"(p {p:.1g}, corrected); allowed: p over {ALPHA}",
    )


def _words(commands: Sequence[Dealt]) -> list[Iterable[str]]:
    """The words of each command, each once, less those that are in hardly any or in nearly all."""
    found = [
        {f"{role} {word}" for role in ROLES for word in words(command.texts.get(role, ""))}
        for command in commands
    ]
    number = Counter(word for own in found for word in own)
    kept = {w for w, n in number.items() if FEWEST <= n <= len(commands) - FEWEST}
    return [own & kept for own in found]
