"""Who says the trigger, without names: is it like the context, more so than the other source's?"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from synthkit.audit.ears import cosine
from synthkit.audit.findings import Comparison
from synthkit.audit.utterances import Utterance

CONFUSED = 0.05  # by which the bystander may be closer to the context than the wearer


def swapped(said: Sequence[Utterance], near: Collection[str]) -> Iterator[Comparison]:
    """Compare, in each command, the wearer's near triggers with the bystander's.

    The wearer's must be more like the wearer's near context. A set needs no names of voices for it.
    """
    commands: dict[str, list[Utterance]] = {}
    for one in said:
        if one.field in near:
            commands.setdefault(one.command, []).append(one)
    for parts in commands.values():
        contexts = [one for one in parts if one.role == "context"]
        wearers, bystanders = (
            [one for one in parts if one.role == "trigger" and one.speaker == speaker]
            for speaker in ("wearer", "bystander")
        )
        for context in contexts:
            for wearer in wearers:
                for bystander in bystanders:
                    yield from _compare(context, wearer, bystander)


def _compare(context: Utterance, wearer: Utterance, bystander: Utterance) -> Iterator[Comparison]:
    same, different = (cosine(context.heard, one.heard) for one in (wearer, bystander))
    if same is None or different is None:
        return
    fault = None
    if different > same + CONFUSED:
        fault = (
            f"the bystander's trigger is more like the context (cosine {different:.2f}) than the "
            f"wearer's ({same:.2f}); allowed: the other way round"
        )
    yield Comparison("heard.source", (*wearer.items[:1], *bystander.items[:1]), fault)
