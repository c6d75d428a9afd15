"""Render: a command's planned segments to audio, each once, and its clips joined from them."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Generic, TypeVar

from synthkit.audio import SAMPLING_RATE, Audio, Pcm16, from_pcm16
from synthkit.beds.babble import Talkers
from synthkit.beds.make import bed_sha256, make_bed
from synthkit.beds.mix import add_bed
from synthkit.clip import Clip, Gap, join
from synthkit.errors import AudioError, InputError, SynthkitError, UnspeakableError
from synthkit.keys import content_key
from synthkit.levels import joined_true_peak_dbtp, lufs, rounded, true_peak_dbtp
from synthkit.plan import BedPlan, ClipPlan, Plan, SegmentPlan
from synthkit.renderers.base import chain
from synthkit.resources import folder
from synthkit.scripts import read_scripts
from synthkit.speech.cache import SpeechCache
from synthkit.speech.voice import of_card
from synthkit.wav import wav_bytes

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


@dataclass(frozen=True, eq=False)
class Segment:
    """A finished segment, read once by every meter, whatever the number of clips it is in."""

    audio: Audio
    source_key: str
    key: str

    @cached_property
    def lufs(self) -> float | None:
        return rounded(lufs(self.audio.samples, self.audio.sampling_rate))

    @cached_property
    def true_peak_dbtp(self) -> float | None:
        return rounded(true_peak_dbtp(self.audio.samples))


@dataclass(frozen=True, eq=False)
class Bed:
    """The noise under the clips of a command, as the set keeps it: int16, (num_samples,)."""

    name: str
    pcm: Pcm16

    @cached_property
    def wav(self) -> bytes:
        return wav_bytes(self.pcm, SAMPLING_RATE)

    @cached_property
    def sha256(self) -> str:
        return bed_sha256(self.pcm)

    @property
    def file(self) -> str:
        """Path below the set's folder."""
        return f"beds/{self.sha256}.wav"


@dataclass(frozen=True, eq=False)
class RenderedClip:
    """A clip with its plan, the segments it was joined from, and the bed under it.

    ``pcm`` is what is written, int16 of shape (num_samples,); places and hashes of segments
    and gaps are of ``clip``, before the bed.
    """

    plan: ClipPlan
    clip: Clip
    segments: tuple[Segment, ...]
    pcm: Pcm16
    bed: Bed | None = None

    @cached_property
    def true_peak_dbtp(self) -> float | None:
        samples = from_pcm16(self.pcm)
        if self.bed:
            return rounded(true_peak_dbtp(samples))
        edges = (at for segment in self.clip.segments for at in segment.span)
        parts = (segment.true_peak_dbtp for segment in self.segments)
        return rounded(joined_true_peak_dbtp(samples, edges, parts))

    @property
    def content_key(self) -> str:
        """Hash of all that determines the clip's samples."""
        bed = self.bed and self.bed.sha256
        return content_key([[s.key for s in self.segments], self.plan.condition.gap_ms, bed])


@dataclass(frozen=True)
class Failure:
    """A clip that could not be made as asked, and why in one line."""

    plan: ClipPlan
    reason: str


@functools.cache
def babble_texts() -> tuple[str, ...]:
    """What a babble talks about: the example script, whatever the set's own is."""
    commands = read_scripts(folder("examples") / "commands.jsonl")
    return tuple(text for command in commands for text in (command.context, command.trigger))


class CommandRenderer:
    """Renders command by command, keeping no audio from one to the next.

    Raises :class:`InputError` at once for a voice that cannot be spoken on this machine, and
    for a text that its voice cannot say.
    """

    def __init__(self, plan: Plan, cache: SpeechCache | None = None) -> None:
        self._plan = plan
        self._voices = {id_: of_card(card, cache) for id_, card in plan.voices.items()}
        self._chorus = {id_: of_card(card, cache) for id_, card in plan.chorus.items()}
        self._field_keys = {
            key: content_key([plan.start.fingerprint, field.fingerprint, plan.finish.fingerprint])
            for key, field in plan.fields.items()
        }
        self._conditioning_keys = {
            id_: voice.conditioning(plan.recipe.dbfs).fingerprint
            for id_, voice in self._voices.items()
        }
        self._said: Once[tuple[str, str, int], Audio] = Once()
        self._check_texts()

    @property
    def changeable(self) -> tuple[str, ...]:
        """The voices whose engine may speak otherwise another time."""
        said = self._voices.items()
        return tuple(id_ for id_, voice in said if not voice.provenance.deterministic)

    def _check_texts(self) -> None:
        """Refuse, all in one line, the texts that their voices cannot say."""
        voices = {**self._chorus, **self._voices}
        for voice in voices.values():
            _ = voice.provenance  # refuses one that is not on this machine
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

    def render(self, clips: list[ClipPlan]) -> Iterator[RenderedClip | Failure]:
        """Render the audio clips of one command; text rows are left out.

        What fails is yielded as a :class:`Failure`, in its place; the other clips are made.
        """
        sources: Once[tuple[str, str], Audio] = Once()
        segments: Once[SegmentPlan, Segment] = Once()
        made: list[RenderedClip | Failure] = []
        for clip in clips:
            if clip.condition.modality == "text":
                continue
            try:
                parts = tuple(self._segment(plan, sources, segments) for plan in clip.segments)
                context, trigger = (segment.audio for segment in parts)
                joined = join(context, Gap(float(clip.condition.gap_ms or 0)), trigger)
                made.append(RenderedClip(clip, joined, parts, joined.pcm))
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
            source_key = self._source_key(planned)
            return Segment(
                audio=chain(self._plan.start, self._plan.fields[field], self._plan.finish)(source),
                source_key=source_key,
                key=content_key([source_key, self._field_keys[field]]),
            )

        return segments(planned, make)

    def _source_key(self, planned: SegmentPlan) -> str:
        """Hash of all that determines the conditioned speech."""
        voice = self._voices[planned.voice]
        conditioning = self._conditioning_keys[planned.voice]
        return content_key([RENDER_VERSION, voice.key(planned.text), planned.seed, conditioning])

    def _source(self, planned: SegmentPlan) -> Audio:
        voice = self._voices[planned.voice]
        return voice.say(planned.text, planned.seed, self._plan.recipe.dbfs)
