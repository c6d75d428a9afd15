"""Self-talk scripts: command cores in frames that make them no commands; the target is mute."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from synthkit.files import read_toml
from synthkit.keys import draw
from synthkit.resources import folder
from synthkit.scripts.talk import Talk, Utterance

FAMILY = "self_talk"
SEEDS = "self_talk.toml"
REALISATIONS = 4  # of each frame with each tool
Drawn = tuple[int, str]  # the run's seed, and the frame or tool that is drawn for


@dataclass(frozen=True)
class Seeds:
    """Frames' templates by frame, and by tool its cores: the forms that a template may take."""

    frames: Mapping[str, Sequence[str]]
    cores: Mapping[str, Sequence[Mapping[str, str]]]


@functools.cache
def seeds() -> Seeds:
    """The templates and cores that are written down."""
    values: Any = read_toml(folder("talk_seeds") / SEEDS)
    cores = {
        tool: tuple(_forms(verb, rest, values["verbs"]) for verb, rest in rows)
        for tool, rows in values["cores"].items()
    }
    return Seeds(values["frames"], cores)


def _forms(verb: str, rest: str, verbs: Mapping[str, Sequence[str]]) -> dict[str, str]:
    gerund, past = verbs[verb]
    forms = {"base": verb, "Base": verb.capitalize(), "gerund": gerund, "past": past}
    return {name: f"{form} {rest}" for name, form in forms.items()}


def build(seed: int) -> tuple[Talk, ...]:
    """The 280 scripts: each of seven frames with each of ten tools, four times.

    The four have four templates and four cores. Every template of a frame is used as often as
    every other, and so is every core of a tool; which goes with which depends on ``seed``.
    """
    written = seeds()
    frames, tools = list(written.frames), list(written.cores)
    turns = itertools.product(range(REALISATIONS), tools, frames)
    rows = []
    for number, (turn, tool, frame) in enumerate(turns, start=1):
        # Both step on by four from one tool, or frame, to the next.
        templates, cores = written.frames[frame], written.cores[tool]
        template = templates[_turn(len(templates), tools, tool, turn, (seed, frame))]
        core = cores[_turn(len(cores), frames, frame, turn, (seed, tool))]
        rows.append(
            Talk(
                id=f"self_{number:03d}",
                family=FAMILY,
                configuration=frame,
                utterances=(Utterance("nobody", template.format_map(core)),),
                target={"action": "mute"},
                tool=tool,
            )
        )
    return tuple(rows)


def _turn(count: int, partners: Sequence[str], partner: str, turn: int, drawn: Drawn) -> int:
    """Which of ``count`` choices comes at a partner's turn, in orders drawn for whose they are."""
    place = _shuffled(len(partners), drawn, "partner").index(partners.index(partner))
    order = _shuffled(count, drawn, "choice")
    return order[(REALISATIONS * place + turn) % count]


@functools.cache
def _shuffled(count: int, drawn: Drawn, purpose: str) -> list[int]:
    return sorted(range(count), key=lambda i: draw(*drawn, f"{purpose} {i}", 128))
