"""Render: a command's planned segments to audio, each once, and its clips joined from them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, TypeVar

from synthkit.audio import Audio, from_pcm16
from synthkit.clip import Clip, Gap, join
from synthkit.errors import SynthkitError
from synthkit.keys import content_key
from synthkit.levels import lufs, rounded, true_peak_dbtp
from synthkit.plan import ClipPlan, Plan, SegmentPlan
from synthkit.renderers.base import chain
from synthkit.speech.engines import engine
from synthkit.speech.voice import Voice

# Bumped by whatever changes rendered bytes.
RENDER_VERSION = 1

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
class RenderedClip:
    """A clip with its plan and the segments it was joined from."""

    plan: ClipPlan
    clip: Clip
    segments: tuple[Segment, ...]

    @cached_property
    def true_peak_dbtp(self) -> float | None:
        return rounded(true_peak_dbtp(from_pcm16(self.clip.pcm)))

    @property
    def content_key(self) -> str:
        """Hash of all that determines the clip's samples."""
        return content_key([[s.key for s in self.segments], self.plan.condition.gap_ms])


@dataclass(frozen=True)
class Failure:
    """A clip that could not be made as asked, and why in one line."""

    plan: ClipPlan
    reason: str


class CommandRenderer:
    """Renders command by command, keeping no audio from one to the next.

    Raises :class:`InputError` at once for a voice that cannot be spoken on this machine, and
    for a text that its voice cannot say.
    """

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._voices = {id_: Voice(card, engine(card.engine)) for id_, card in plan.voices.items()}
        self._voice_keys: Mapping[str, str] = {
            id_: content_key(
                [voice.provenance.key, voice.conditioning(plan.recipe.dbfs).fingerprint]
            )
            for id_, voice in self._voices.items()
        }
        self._field_keys = {
            key: content_key([plan.start.fingerprint, field.fingerprint, plan.finish.fingerprint])
            for key, field in plan.fields.items()
        }
        for voice, text in {(s.voice, s.text): None for c in plan.clips() for s in c.segments}:
            self._voices[voice].check(text)

    def render(self, clips: list[ClipPlan]) -> Iterator[RenderedClip | Failure]:
        """Render the audio clips of one command; text rows are left out.

        What fails is yielded as a :class:`Failure`, in its place; the other clips are made.
        """
        sources: Once[tuple[str, str], Audio] = Once()
        segments: Once[SegmentPlan, Segment] = Once()
        for clip in clips:
            if clip.condition.modality == "text":
                continue
            try:
                made = tuple(self._segment(planned, sources, segments) for planned in clip.segments)
                context, trigger = (segment.audio for segment in made)
                gap = Gap(float(clip.condition.gap_ms or 0))
                yield RenderedClip(clip, join(context, gap, trigger), made)
            except SynthkitError as error:
                yield Failure(clip, str(error))

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
        recording = self._voices[planned.voice].check(planned.text)
        voice_key = self._voice_keys[planned.voice]
        return content_key([RENDER_VERSION, voice_key, recording, planned.text, planned.seed])

    def _source(self, planned: SegmentPlan) -> Audio:
        voice = self._voices[planned.voice]
        return voice.say(planned.text, planned.seed, self._plan.recipe.dbfs)
