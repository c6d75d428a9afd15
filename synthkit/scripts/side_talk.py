"""Side-talk scripts: one speaker, one utterance to the assistant and one to a person nearby."""

from __future__ import annotations

import functools
import itertools
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from synthkit.files import parse_json, text_lines
from synthkit.keys import draw
from synthkit.resources import folder
from synthkit.scripts.talk import Talk, Utterance

FAMILY = "side_talk"
SEEDS = "side_talk.jsonl"
ADDRESSEES = ("assistant", "bystander")
CONTENTS = ("tool", "chat")
PER_CONFIGURATION = 50
# Who is spoken to first, then the content of the assistant's and of the bystander's utterance.
CONFIGURATIONS = tuple(itertools.product((0, 1), (0, 1), (0, 1)))
ANSWER = {"action": "answer", "to": "assistant"}


@dataclass(frozen=True)
class SeedUtterance:
    """A written utterance of a pool, and the same meant in other words.

    Seeds of one ``scene`` are things that one person may say in one place. ``tool`` and
    ``params`` are the call that an utterance to the assistant asks for, if it asks for one.
    """

    kind: str
    scene: str
    text: str
    rewrite: str
    tool: str | None = None
    params: Mapping[str, Any] | None = None


@functools.cache
def pools() -> Mapping[str, tuple[SeedUtterance, ...]]:
    """The written seeds by kind, such as ``bystander_tool``: addressee and content."""
    path = folder("talk_seeds") / SEEDS
    seeds = [
        SeedUtterance(**row)
        for number, line in text_lines(path)
        if isinstance(row := parse_json(line, f"{path}: row {number}"), dict)
    ]
    kinds = dict.fromkeys(seed.kind for seed in seeds)
    return {kind: tuple(seed for seed in seeds if seed.kind == kind) for kind in kinds}


def build(seed: int) -> tuple[Talk, ...]:
    """The 400 scripts: 50 of each configuration, whose turns come in rounds.

    Both utterances come from one scene, and no two come together twice. Of each configuration 25
    scripts use both seeds as they are written; in 25 one is rewritten, by turns the assistant's
    and the bystander's. Seeds are used evenly; ties go by a hash of ``seed``.
    """
    dealer = _Dealer(seed)
    rounds = itertools.product(range(PER_CONFIGURATION), CONFIGURATIONS)
    return tuple(dealer.script(*turn, number) for number, turn in enumerate(rounds, start=1))


class _Dealer:
    """Deals seeds to scripts, one script after another."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._uses: Counter[object] = Counter()
        self._together: set[tuple[str, str]] = set()

    def script(self, turn: int, configuration: tuple[int, int, int], number: int) -> Talk:
        first, assistant_content, bystander_content = configuration
        contents = CONTENTS[assistant_content], CONTENTS[bystander_content]
        name = f"{ADDRESSEES[first]}_first_{contents[0]}_{contents[1]}"
        id_ = f"side_{number:03d}"
        assistant = self._deal(pools()[f"assistant_{contents[0]}"], name, id_)
        bystander = self._deal(
            [
                seed
                for seed in pools()[f"bystander_{contents[1]}"]
                if seed.scene == assistant.scene
                and (assistant.text, seed.text) not in self._together
            ],
            name,
            id_,
        )
        self._together.add((assistant.text, bystander.text))
        # Configurations next to each other start with another addressee, so that 12 and 13 of 25
        # are evened out over each factor.
        rewritten = (turn // 2 + sum(configuration)) % 2 if turn % 2 else None
        said = [
            Utterance(to, seed.rewrite if rewritten == place else seed.text, rewritten == place)
            for place, (to, seed) in enumerate(zip(ADDRESSEES, (assistant, bystander), strict=True))
        ]
        return Talk(
            id=id_,
            family=FAMILY,
            configuration=name,
            utterances=(said[first], said[1 - first]),
            target=_target(assistant),
            tool=assistant.tool,
        )

    def _deal(self, seeds: Sequence[SeedUtterance], name: str, id_: str) -> SeedUtterance:
        """The seed used least, of these least in the configuration; ties by a hash."""
        chosen = min(
            seeds,
            key=lambda seed: (
                self._uses[seed.text],
                self._uses[name, seed.text],
                draw(self._seed, id_, seed.text, 128),
            ),
        )
        self._uses.update((chosen.text, (name, chosen.text)))
        return chosen


def _target(assistant: SeedUtterance) -> dict[str, Any]:
    """What the utterance to the assistant asks for: its call, or an answer to it and no other."""
    if assistant.tool is None:
        return dict(ANSWER)
    return {"action": "call", "name": assistant.tool, "params": dict(assistant.params or {})}
