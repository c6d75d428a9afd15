"""The plan: who says what, in which field, after which gap, at which target. No audio yet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from synthkit import casting
from synthkit.casting import Cast
from synthkit.errors import InputError, quoted
from synthkit.fields import Field, field_chain
from synthkit.grids import Condition
from synthkit.keys import draw
from synthkit.recipe import Recipe
from synthkit.renderers.base import Chain, chain
from synthkit.renderers.fade import Fade
from synthkit.renderers.level import Level
from synthkit.renderers.postwindow import PostWindow
from synthkit.rooms.cards import RoomCard
from synthkit.scripts import Command, read_scripts
from synthkit.speech.cards import VoiceCard, voice_card

ROLES = ("context", "trigger")
SPLIT = "test"  # of a recipe that does not split


@dataclass(frozen=True)
class SegmentPlan:
    """One stretch of speech: ``role`` context or trigger, ``speaker`` wearer or bystander."""

    role: str
    speaker: str
    voice: str
    text: str
    field: str
    seed: int


@dataclass(frozen=True)
class ClipPlan:
    """One row of the set: a command in a condition. Text rows have neither file nor segments."""

    command: Command
    condition: Condition
    cast: Cast
    split: str
    target: Mapping[str, object]
    segments: tuple[SegmentPlan, ...]

    @property
    def id(self) -> str:
        return f"{self.command.id}__{self.condition.name}"

    @property
    def file(self) -> str | None:
        """Path of the WAV below the set's folder."""
        if self.condition.modality == "text":
            return None
        return f"audio/{self.command.id}/{self.condition.name}.wav"


@dataclass(frozen=True)
class Plan:
    """Everything decided before the first sample: commands with their casts, fields, finish."""

    recipe: Recipe
    commands: tuple[tuple[Command, Cast], ...]
    voices: Mapping[str, VoiceCard]
    fields: Mapping[str, Field]
    finish: Chain

    @property
    def num_clips(self) -> int:
        return len(self.commands) * len(self.recipe.grid.conditions)

    def clips(self) -> Iterator[ClipPlan]:
        """All clips, command by command."""
        for command, cast in self.commands:
            yield from self.clips_of(command, cast)

    def clips_of(self, command: Command, cast: Cast) -> list[ClipPlan]:
        """The clips of one command, in the grid's order."""
        grid = self.recipe.grid
        return [
            ClipPlan(
                command=command,
                condition=condition,
                cast=cast,
                split=SPLIT,
                target=grid.target(condition, command),
                segments=self._segments(command, condition, cast),
            )
            for condition in grid.conditions
        ]

    def _segments(
        self, command: Command, condition: Condition, cast: Cast
    ) -> tuple[SegmentPlan, ...]:
        if condition.modality == "text":
            return ()
        speakers = ("wearer", "wearer" if condition.source == "same" else "bystander")
        fields = (str(condition.context_field), str(condition.field))
        return tuple(
            SegmentPlan(
                role=role,
                speaker=speaker,
                voice=cast.wearer if speaker == "wearer" else cast.bystander,
                text=command.text(role),
                field=field,
                # The same draw for both voices: nothing but the voice differs between them.
                seed=draw(self.recipe.seed, command.id, f"speech {role}"),
            )
            for role, speaker, field in zip(ROLES, speakers, fields, strict=True)
        )


def make_plan(recipe: Recipe, limit: int | None = None, only: Sequence[str] = ()) -> Plan:
    """Plan a recipe: read and check all it names, cast the voices, then cut to a selection.

    ``limit`` keeps the first commands, ``only`` those of the given ids; both cut after
    casting, so what is left is as in the whole set. Raises :class:`InputError`.
    """
    recipe = recipe.selecting(limit, only)
    cards = _cards(recipe)
    commands = read_scripts(recipe.scripts)
    _check_languages(commands, cards, recipe)
    casts = casting.cast(commands, list(cards), recipe.seed)
    return Plan(
        recipe=recipe,
        commands=_selected(list(zip(commands, casts, strict=True)), recipe),
        voices=cards,
        fields=_fields(recipe),
        finish=_finish(recipe),
    )


def _finish(recipe: Recipe) -> Chain:
    """What every segment ends with, whatever its field."""
    post_ms = recipe.values["post_ms"]
    return chain(
        PostWindow(post_ms if post_ms == "full" else float(post_ms)),
        Fade(float(recipe.values["fade_ms"])),
        Level(dbfs=recipe.dbfs, peak=recipe.values["level"]["peak"]),
    )


def _cards(recipe: Recipe) -> dict[str, VoiceCard]:
    cards: dict[str, VoiceCard] = {}
    for reference in recipe.values["voices"]:
        card = voice_card(reference, recipe.base)
        if card.id in cards:
            raise InputError(f"recipe {recipe.name}: field voices: {card.id} stands twice")
        cards[card.id] = card
    first, *others = cards.values()
    for card in others:
        if card.kind != first.kind:
            raise InputError(
                f"recipe {recipe.name}: field voices: {card.id} is {' / '.join(card.kind)}, "
                f"{first.id} is {' / '.join(first.kind)}; allowed: voices of one checkpoint, "
                "processing and language, so that none of these tells who speaks"
            )
    if not others and any(c.source == "different" for c in recipe.grid.conditions):
        raise InputError(
            f"recipe {recipe.name}: field voices: found 1; allowed: 2 or more, "
            "as the grid has another speaker"
        )
    return cards


def _check_languages(
    commands: Sequence[Command], cards: Mapping[str, VoiceCard], recipe: Recipe
) -> None:
    spoken = next(iter(cards.values())).language
    for command in commands:
        if command.language.split("-")[0] != spoken.split("-")[0]:
            raise InputError(
                f"{recipe.scripts.name}: command {command.id}: field language: found "
                f"{command.language}; allowed: {spoken}, which the recipe's voices speak"
            )


def _fields(recipe: Recipe) -> dict[str, Field]:
    tables = recipe.values["fields"]
    for name in recipe.grid.fields:
        if name not in tables:
            raise InputError(
                f"recipe {recipe.name}: field fields: {name!r} missing, which the grid uses; "
                f"found: {', '.join(tables)}"
            )
    fields = {
        name: field_chain(tables[name], f"recipe {recipe.name}: field fields.{name}", recipe.base)
        for name in sorted(tables)  # so that the order in a recipe has no say
    }
    cards: dict[str, RoomCard] = {}
    for used in (r for field in fields.values() for r in field.rooms):
        if cards.setdefault(used.card.id, used.card) != used.card:
            raise InputError(
                f"recipe {recipe.name}: field fields: two different room cards are both called "
                f"{used.card.id}.toml; allowed: one card a name"
            )
    return fields


def _selected(
    commands: list[tuple[Command, Cast]], recipe: Recipe
) -> tuple[tuple[Command, Cast], ...]:
    only = recipe.values.get("only", [])
    known = {command.id for command, _ in commands}
    for wanted in only:
        if wanted not in known:
            raise InputError(f"--only {quoted(wanted)}: no such command in the script")
    kept = [pair for pair in commands if not only or pair[0].id in only]
    return tuple(kept[: recipe.values.get("limit")])
