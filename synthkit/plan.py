"""The plan: who says what, in which field, after which gap, at which target. No audio yet."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from synthkit.assignments import Assignment, assign
from synthkit.beds.spec import BedSpec
from synthkit.chains import fields, finish, start
from synthkit.errors import InputError
from synthkit.fields import Field
from synthkit.grids import Condition, Level
from synthkit.keys import draw
from synthkit.recipe import Recipe
from synthkit.renderers.base import Chain
from synthkit.renderers.room import Room
from synthkit.scripts import Command, read_scripts
from synthkit.selection import selected
from synthkit.speech.cards import VoiceCard, voice_card, voices
from synthkit.variables import MARK, NO_BED, Bindings, used

ROLES = ("context", "trigger")
Kind = tuple[str, tuple[str, ...] | None]  # of commands with the same conditions


@dataclass(frozen=True)
class SegmentPlan:
    """One stretch of speech: ``role`` context or trigger, ``speaker`` wearer or bystander.

    ``variables`` are the levels that its field's chain uses, and no others: segments that do
    not depend on a variable are shared over its levels.
    """

    role: str
    speaker: str
    voice: str
    text: str
    field: str
    variables: Bindings
    seed: int


@dataclass(frozen=True)
class BedPlan:
    """The noise under a clip: a bed of the recipe, its seed, and who may talk in a babble."""

    name: str
    seed: int
    talkers: tuple[str, ...]


@dataclass(frozen=True)
class ClipPlan:
    """One row of the set: a command in a condition. Text rows have neither file nor segments."""

    assignment: Assignment
    condition: Condition
    target: Mapping[str, object]
    segments: tuple[SegmentPlan, ...]
    bed: BedPlan | None = None

    @property
    def command(self) -> Command:
        return self.assignment.command

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
    """Everything decided before the first sample: assignments, and what each segment goes through.

    A segment is its source, then ``start``, its field's chain, and ``finish``; ``fields`` holds
    the chain by field name and levels of the variables that it uses. ``beds`` are the recipe's,
    ``chorus`` the voices that may talk in a babble.
    """

    recipe: Recipe
    commands: tuple[Assignment, ...]
    voices: Mapping[str, VoiceCard]
    start: Chain
    fields: Mapping[tuple[str, Bindings], Field]
    finish: Chain
    beds: Mapping[str, BedSpec] = field(default_factory=dict)
    chorus: Mapping[str, VoiceCard] = field(default_factory=dict)

    @property
    def num_clips(self) -> int:
        return sum(len(self._conditions(assignment)) for assignment in self.commands)

    @property
    def rooms(self) -> list[Room]:
        """Each room, place and change of it that a field uses, once."""
        used = (room for field in self.fields.values() for room in field.rooms)
        return list({(r.card.id, r.place, r.distance, r.rt60): r for r in used}.values())

    def clips(self) -> Iterator[ClipPlan]:
        """All clips, command by command."""
        for assignment in self.commands:
            yield from self.clips_of(assignment)

    def utterances(self, assignment: Assignment) -> list[tuple[str, str, int]]:
        """Voice, text and seed of all that is said in the clips of one command, each once."""
        seeds = self._seeds(assignment.command)
        speakers = map(_speakers, self._conditions(assignment))
        return [
            (assignment.voice(speaker), assignment.command.text(role), seeds[role])
            for role, speaker in dict.fromkeys(itertools.chain.from_iterable(speakers))
        ]

    def clips_of(self, assignment: Assignment) -> list[ClipPlan]:
        """The clips of one command, in the grid's order."""
        seeds = self._seeds(assignment.command)
        return [
            ClipPlan(
                assignment=assignment,
                condition=condition,
                target=self.recipe.grid.target(condition, assignment.command),
                segments=self._segments(assignment, condition, seeds),
                bed=self._bed(assignment, condition),
            )
            for condition in self._conditions(assignment)
        ]

    @cached_property
    def _used(self) -> Mapping[str, tuple[str, ...]]:
        """Names of the variables that each field uses."""
        return {name: used(tables) for name, tables in self.recipe.values["fields"].items()}

    @cached_property
    def _kept(self) -> dict[Kind, tuple[Condition, ...]]:
        """What :meth:`_conditions` has found so far."""
        return {}

    def _conditions(self, assignment: Assignment) -> tuple[Condition, ...]:
        """The grid's conditions, less those at levels that the split does not have."""
        split, names = kind = _kind(assignment)
        if kind not in self._kept:
            kept: Mapping[str, Sequence[Level]] = self.recipe.values["splits"].get(split, {})
            self._kept[kind] = tuple(
                condition
                for condition in self.recipe.grid.conditions
                if all(level in kept.get(name, (level,)) for name, level in condition.extra)
                and (names is None or condition.name in names)
            )
        return self._kept[kind]

    def _bed(self, assignment: Assignment, condition: Condition) -> BedPlan | None:
        """The same seed and talkers in every condition, so that the bed is no cue."""
        name = str(self.recipe.values["bed"])
        if condition.modality == "text":
            return None
        if name.startswith(MARK):
            name = str(dict((*condition.extra, *assignment.nuisances))[name[1:]])
        if name == NO_BED:
            return None
        # Neither the command's own voices nor, in a split, those that another split holds out.
        split = self.recipe.values["splits"].get(assignment.split, {})
        silent = set(self.voices) - set(split.get("voices", self.voices))
        silent |= {assignment.cast.wearer, assignment.cast.bystander}
        return BedPlan(
            name=name,
            seed=draw(self.recipe.seed, assignment.command.id, "bed"),
            talkers=tuple(voice for voice in self.chorus if voice not in silent),
        )

    def _seeds(self, command: Command) -> dict[str, int]:
        """The same draw for both voices: nothing but the voice differs between them."""
        return {role: draw(self.recipe.seed, command.id, f"speech {role}") for role in ROLES}

    def _segments(
        self, assignment: Assignment, condition: Condition, seeds: Mapping[str, int]
    ) -> tuple[SegmentPlan, ...]:
        fields = (str(condition.context_field), str(condition.field))
        levels = dict((*condition.extra, *assignment.nuisances))
        return tuple(
            SegmentPlan(
                role=role,
                speaker=speaker,
                voice=assignment.voice(speaker),
                text=assignment.command.text(role),
                field=field,
                variables=tuple((n, levels[n]) for n in self._used[field]),
                seed=seeds[role],
            )
            for (role, speaker), field in zip(_speakers(condition), fields, strict=False)
        )


def _kind(assignment: Assignment) -> Kind:
    return assignment.split, assignment.conditions


def _speakers(condition: Condition) -> tuple[tuple[str, str], ...]:
    """Role and speaker of each segment of a condition."""
    if condition.modality == "text":
        return ()
    trigger = "wearer" if condition.source == "same" else "bystander"
    return tuple(zip(ROLES, ("wearer", trigger), strict=True))


def make_plan(recipe: Recipe, limit: int | None = None, only: Sequence[str] = ()) -> Plan:
    """Plan a recipe: read and check all it names, deal and cast, then cut to a selection.

    ``limit`` keeps the first commands, ``only`` those of the given ids; both cut after
    dealing, so what is left is as in the whole set. Raises :class:`InputError`.
    """
    recipe = recipe.selecting(limit, only)
    cards = _cards(recipe)
    commands = read_scripts(recipe.scripts)
    _check_languages(commands, cards, recipe)
    return Plan(
        recipe=recipe,
        commands=selected(assign(commands, list(cards), recipe), recipe),
        voices=cards,
        start=start(recipe),
        fields=fields(recipe),
        finish=finish(recipe),
        beds=_beds(recipe),
        chorus=_chorus(recipe, cards),
    )


def _beds(recipe: Recipe) -> dict[str, BedSpec]:
    beds = {
        name: BedSpec.from_table(table, f"recipe {recipe.name}: field beds.{name}", recipe.base)
        for name, table in recipe.values["beds"].items()
    }
    for name, bed in beds.items():
        if bed.snr_db is not None and "lufs" in recipe.values["level"]:
            raise InputError(
                f"recipe {recipe.name}: field beds.{name}.snr_db: allowed with a level in dbfs, "
                "as a ratio of two RMS levels; use level_dbfs"
            )
        bed.level(recipe.dbfs)  # refuse now what cannot be reached
    return beds


def _chorus(recipe: Recipe, cards: Mapping[str, VoiceCard]) -> dict[str, VoiceCard]:
    """The recipe's voices and all of their kind that come along, if there is any babble."""
    if not any(table.get("kind") == "babble" for table in recipe.values["beds"].values()):
        return {}
    kind = next(iter(cards.values())).kind
    known = (voice_card(name) for name in voices())
    return {**cards, **{card.id: card for card in known if card.kind == kind}}


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
