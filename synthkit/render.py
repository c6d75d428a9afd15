"""Render: a command's planned segments to audio, each once, and its clips joined from them."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Generic, TypeVar

from synthkit.audio import Audio
from synthkit.beds.babble import Talkers
from synthkit.beds.make import make_bed
from synthkit.beds.mix import add_bed
from synthkit.clip import Gap, join
from synthkit.errors import AudioError, InputError, SynthkitError, UnspeakableError
from synthkit.keys import content_key
from synthkit.plan import BedPlan, ClipPlan, Plan, SegmentPlan
from synthkit.rendered import Bed, Failure, RenderedClip, Segment
from synthkit.renderers.base import chain
from synthkit.resources import folder
from synthkit.scripts import read_scripts
from synthkit.speech.cache import SpeechCache
from synthkit.speech.voice import of_card

# Bumped by whatever changes rendered bytes.
RENDER_VERSION = 2

Key = TypeVar("Key")
Value = TypeVar("Value")


class Once(Generic[Key, Value]):
    """Makes each value the first time it is asked for; a failure is kept as well."""

    def __init__(self) -> None:
        self._made: dict[Key, Value | SynthkitError] = {}

    def __call__(self, key: Key, make: Callable[[], Value]) -> Value:
        if key not in self._made:
            try:
                self._made[key] = make()
            except SynthkitError as error:
                self._made[key] = error
        made = self._made[key]
        if isinstance(made, SynthkitError):
            raise made
        return made


@functools.cache
def babble_texts() -> tuple[str, ...]:
    """What a babble talks about: the example script, whatever the set's own is."""
    commands = read_scripts(folder("examples") / "commands.jsonl")
    return tuple(text for command in commands for text in (command.context, command.trigger))


class CommandRenderer:
    """Renders command by command, keeping no audio from one to the next.

    Raises :class:`InputError` at once for a voice that cannot be spoken on this machine.
    """

    def __init__(self, plan: Plan, cache: SpeechCache | None = None) -> None:
        self._plan = plan
        self._voices = {id_: of_card(card, cache) for id_, card in plan.voices.items()}
        self._chorus = {id_: of_card(card, cache) for id_, card in plan.chorus.items()}
        self._field_keys = {
            key: content_key([plan.start.fingerprint, field.fingerprint, plan.finish.fingerprint])
            for key, field in plan.fields.items()
        }
        self._conditioning = {
            id_: voice.conditioning(plan.recipe.dbfs).fingerprint
            for id_, voice in self._voices.items()
        }
        # A command's conditions share their sources.
        self._source_key = functools.lru_cache(maxsize=64)(self._source_key_of)
        self._said: Once[tuple[str, str, int], Audio] = Once()
        for voice in (*self._voices.values(), *self._chorus.values()):
            _ = voice.provenance  # refuses one that is not on this machine

    @property
    def changeable(self) -> tuple[str, ...]:
        """The voices whose engine may speak otherwise another time."""
        said = self._voices.items()
        return tuple(id_ for id_, voice in said if not voice.provenance.deterministic)

    def check_texts(self) -> None:
        """Refuse, all in one line, the texts of the plan that their voices cannot say."""
        voices = {**self._chorus, **self._voices}
        said = itertools.chain.from_iterable(map(self._plan.utterances, self._plan.commands))
        babble = ((id_, text, 0) for id_ in self._chorus for text in babble_texts())
        refused: dict[str, None] = {}
        for id_, text, seed in itertools.chain(said, babble):
            try:
                voices[id_].check(text, seed)
            except InputError as error:
                refused[str(error)] = None
        if refused:
            raise UnspeakableError(tuple(refused))

    def content_keys(self, clips: Sequence[ClipPlan]) -> dict[str, str]:
        """Hash of all that determines each audio clip's samples, by clip id, before any is made.

        ``clips`` are all of one command: a bed is as long as the longest of them.
        """
        parts = {
            clip.id: [[self._segment_key(s) for s in clip.segments], clip.condition.gap_ms]
            for clip in clips
            if clip.file
        }
        beds: dict[BedPlan, list[object]] = {}
        for clip in clips:
            if clip.bed:
                beds.setdefault(clip.bed, []).append(parts[clip.id])
        bed_keys = {bed: self._bed_key(bed, under) for bed, under in beds.items()}
        return {
            clip.id: content_key([*parts[clip.id], clip.bed and bed_keys[clip.bed]])
            for clip in clips
            if clip.file
        }

    def _bed_key(self, planned: BedPlan, under: list[object]) -> str:
        spec = self._plan.beds[planned.name]
        babble: object = None
        if spec.kind == "babble":
            texts = babble_texts()
            babble = [[self._chorus[id_].key(texts[0]) for id_ in planned.talkers], texts]
        made_of = [RENDER_VERSION, spec.describe(), self._plan.recipe.dbfs, planned.seed, babble]
        return content_key([*made_of, under])

    def say(self, voice: str, text: str, seed: int) -> None:
        """Have an utterance spoken, so that the cache holds it."""
        self._voices[voice].speak(text, seed)

    def is_kept(self, voice: str, text: str, seed: int) -> bool:
        """Whether the cache holds an utterance."""
        return self._voices[voice].is_kept(text, seed)

    def utterance_key(self, voice: str, text: str, seed: int) -> str:
        """Hash of all that determines an utterance: two voices may be one by another name."""
        return self._voices[voice].utterance_key(text, seed)

    def render(self, clips: list[ClipPlan]) -> Iterator[RenderedClip | Failure]:
        """Render the audio clips of one command; text rows are left out.

        What fails is yielded as a :class:`Failure`, in its place; the other clips are made.
        """
        sources: Once[tuple[str, str], Audio] = Once()
        segments: Once[SegmentPlan, Segment] = Once()
        keys = self.content_keys(clips)
        made: list[RenderedClip | Failure] = []
        for clip in clips:
            if clip.condition.modality == "text":
                continue
            try:
                parts = tuple(self._segment(plan, sources, segments) for plan in clip.segments)
                context, trigger = (segment.audio for segment in parts)
                joined = join(context, Gap(float(clip.condition.gap_ms or 0)), trigger)
                made.append(RenderedClip(clip, joined, parts, joined.pcm, keys[clip.id]))
            except SynthkitError as error:
                made.append(Failure(clip, str(error)))
        yield from self._with_beds(made)

    def _with_beds(self, clips: list[RenderedClip | Failure]) -> Iterator[RenderedClip | Failure]:
        """Put each clip's bed under it: one a command and name, as long as its longest clip."""
        beds: Once[BedPlan, Bed] = Once()
        longest: dict[BedPlan, int] = {}
        for clip in clips:
            if isinstance(clip, RenderedClip) and clip.plan.bed:
                bed = clip.plan.bed
                longest[bed] = max(longest.get(bed, 0), len(clip.pcm))
        for clip in clips:
            if isinstance(clip, Failure) or clip.plan.bed is None:
                yield clip
                continue
            try:
                plan = clip.plan.bed
                made = beds(plan, functools.partial(self._bed, plan, longest[plan]))
                whole = replace(clip, pcm=add_bed(clip.pcm, made.pcm), bed=made)
                if (whole.true_peak_dbtp or 0.0) > 0.0:
                    raise AudioError(
                        f"true peak with its bed is {whole.true_peak_dbtp} dBTP; allowed: 0"
                    )
                yield whole
            except SynthkitError as error:
                yield Failure(clip.plan, str(error))

    def _bed(self, planned: BedPlan, num_samples: int) -> Bed:
        spec = self._plan.beds[planned.name]
        talkers = (
            Talkers(planned.talkers, babble_texts(), self._say)
            if spec.kind == "babble" and planned.talkers
            else None
        )
        pcm = make_bed(spec, num_samples, planned.seed, self._plan.recipe.dbfs, talkers)
        return Bed(planned.name, pcm)

    def _say(self, voice: str, text: str, seed: int) -> Audio:
        """An utterance of a babble; each is spoken once a run."""
        return self._said((voice, text, seed), lambda: self._chorus[voice].say(text, seed))

    def _segment(
        self,
        planned: SegmentPlan,
        sources: Once[tuple[str, str], Audio],
        segments: Once[SegmentPlan, Segment],
    ) -> Segment:
        def make() -> Segment:
            source = sources((planned.role, planned.voice), lambda: self._source(planned))
            field = planned.field, planned.variables
            return Segment(
                audio=chain(self._plan.start, self._plan.fields[field], self._plan.finish)(source),
                source_key=self._source_key(planned.voice, planned.text, planned.seed),
                key=self._segment_key(planned),
            )

        try:
            return segments(planned, make)
        except SynthkitError as error:
            reason, voice = str(error), f"voice {planned.voice}: "
            said = reason if reason.startswith(voice) else f"{voice}{reason}"
            raise AudioError(f"{planned.role}: {said}") from None

    def _segment_key(self, planned: SegmentPlan) -> str:
        source_key = self._source_key(planned.voice, planned.text, planned.seed)
        return content_key([source_key, self._field_keys[planned.field, planned.variables]])

    def _source_key_of(self, voice: str, text: str, seed: int) -> str:
        """Hash of all that determines the conditioned speech."""
        spoken = self._voices[voice].key(text)
        return content_key([RENDER_VERSION, spoken, seed, self._conditioning[voice]])

    def _source(self, planned: SegmentPlan) -> Audio:
        voice = self._voices[planned.voice]
        return voice.say(planned.text, planned.seed, self._plan.recipe.dbfs)
