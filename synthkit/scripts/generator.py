"""Generated commands: templates filled by seeded draws, as many a tool as are asked for."""

from __future__ import annotations

import dataclasses
import functools
import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from synthkit.errors import InputError, quoted
from synthkit.ids import check_command_id
from synthkit.keys import draw
from synthkit.scripts.check import Finding, check_commands
from synthkit.scripts.commands import Command
from synthkit.scripts.inventory import Inventory
from synthkit.scripts.templates import Templates, Value, meant, places, said

LEAST_TRIES, MOST_TRIES = 100, 8  # candidates of a tool: so many, and so many for each command


def generate(
    inventory: Inventory,
    templates: Mapping[str, Templates],
    num: int,
    seed: int,
    avoid: Sequence[Command] = (),
) -> tuple[Command, ...]:
    """``num`` commands for each tool of ``inventory``, in rounds over the tools.

    Everything is drawn by ``seed``, tool and purpose. Candidates that the check of commands
    refuses, or that are like one of ``avoid`` or like an earlier candidate, are passed over. As
    whether one is depends on what comes before it alone, more commands begin with fewer.

    Raises :class:`InputError` for a tool without templates, and for one whose templates do not
    give so many.
    """
    for tool in inventory.tools:
        if tool not in templates:
            known = ", ".join(templates)
            raise InputError(f"tool {tool}: no templates; allowed: tools that have some ({known})")
    streams = {tool: candidates(templates[tool], seed) for tool in inventory.tools}
    most = max(LEAST_TRIES, MOST_TRIES * num)
    tried: list[Command] = []
    tries = 0
    while True:
        step = min(max(num, tries), most - tries)  # twice as many as before
        tried += [next(stream) for _ in range(step) for stream in streams.values()]
        tries += step
        good, refused = passed(tried, inventory, avoid)
        found = {tool: [c for c in good if c.tool == tool][:num] for tool in inventory.tools}
        short = [tool for tool, rows in found.items() if len(rows) < num]
        if not short:
            return numbered(found, "g", avoid)
        if tries == most:
            tool = short[0]
            reasons = tally(f for c, f in refused if c.tool == tool)
            raise InputError(
                f"tool {tool}: its templates give {len(found[tool])} commands of {num} in "
                f"{tries} tries; refused: {reasons}; allowed: more families, slots and values"
            )


def candidates(templates: Templates, seed: int) -> Iterator[Command]:
    """Commands without end, none of them checked.

    Families, contexts and the values of a slot are dealt like cards: all of them in an order of
    their own, then again in another one.
    """
    dealt: Counter[str] = Counter()

    def deal(purpose: str, number: int) -> int:
        cycle, place = divmod(dealt[purpose], number)
        dealt[purpose] += 1
        return _order(seed, templates.tool, f"{purpose} {cycle}", number)[place]

    while True:
        family = templates.families[deal("family", len(templates.families))]
        context = templates.contexts[deal("context", len(templates.contexts))]
        chosen: dict[str, Value] = {}
        # A slot of both is filled once: who is spoken of before may be the one that is called.
        for template in (family.say, context, *family.params.values()):
            for slot, _ in places(template):
                if slot not in chosen:
                    values = templates.slots[slot]
                    chosen[slot] = values[deal(f"slot {slot}", len(values))]
        yield Command(
            id=templates.tool,
            tool=templates.tool,
            context=said(context, chosen),
            trigger=said(family.say, chosen),
            params={name: meant(value, chosen) for name, value in family.params.items()},
            family=family.name,
        )


def passed(
    commands: Sequence[Command], inventory: Inventory, avoid: Sequence[Command]
) -> tuple[list[Command], list[tuple[Command, Finding]]]:
    """The ``commands`` without a finding; and those with one, each with each of its findings."""
    together = [*avoid, *commands]
    told = [dataclasses.replace(c, id=f"row {n}") for n, c in enumerate(together, 1)]
    places = {command.id: n for n, command in enumerate(told)}
    refused = [
        (together[places[finding.id]], finding)
        for finding in check_commands(told, inventory)
        if places[finding.id] >= len(avoid)
    ]
    bad = {places[finding.id] for _, finding in refused}
    good = [c for n, c in enumerate(together) if n >= len(avoid) and n not in bad]
    return good, refused


def numbered(
    found: Mapping[str, Sequence[Command]], mark: str, avoid: Sequence[Command] = ()
) -> tuple[Command, ...]:
    """The commands in rounds over the tools, ``<tool>_<mark>01`` …; ids of ``avoid`` left out."""
    taken = {command.id.casefold() for command in avoid}
    rows: list[list[Command]] = []
    for tool, commands in found.items():
        ids = (f"{tool}_{mark}{n:02}" for n in itertools.count(1))
        free = (id_ for id_ in ids if id_.casefold() not in taken)
        rows.append(
            [
                dataclasses.replace(c, id=check_command_id(i, f"tool {tool}"))
                for c, i in zip(commands, free, strict=False)
            ]
        )
    return tuple(itertools.chain.from_iterable(zip(*rows, strict=True)))


def tally(findings: Iterable[Finding]) -> str:
    """How often each reason was given, the commonest first; what was found is left out."""
    counts = Counter(
        f"{f.field}: {f.reason.rpartition('allowed: ')[2] or quoted(f.reason)}" for f in findings
    )
    return ", ".join(f"{n} for {reason}" for reason, n in counts.most_common(4)) or "nothing"


@functools.lru_cache(maxsize=4096)
def _order(seed: int, tool: str, purpose: str, number: int) -> tuple[int, ...]:
    """The numbers below ``number``, shuffled."""
    return tuple(sorted(range(number), key=lambda n: draw(seed, tool, f"{purpose} {n}", bits=64)))
