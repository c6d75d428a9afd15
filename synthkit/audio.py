"""Audio in memory: samples, sampling rate, speech window, and the one way to 16-bit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from synthkit.errors import AudioError

FULL_SCALE = 32768  # PCM16 steps in 1.0, so that reading back is an exact division
SAMPLING_RATE = 16000  # of everything synthkit writes, Hz

Samples = NDArray[np.float64]
Pcm16 = NDArray[np.int16]


class Span(NamedTuple):
    """Half-open range of samples ``[start, end)``, counted from 0."""

    start: int
    end: int

    @property
    def num_samples(self) -> int:
        return self.end - self.start

    def moved(self, by: int) -> Span:
        """Return the span ``by`` samples later."""
        return Span(self.start + by, self.end + by)


class Note(NamedTuple):
    """What one renderer found or did, for the manifest: its name and plain values."""

    renderer: str
    values: Mapping[str, object]


@dataclass(frozen=True, eq=False)
class Audio:
    """Mono audio.

    ``samples`` is float64 of shape (num_samples,), full scale 1.0; ``sampling_rate`` is in Hz;
    ``speech`` is the window from the onset to the offset of the dry speech, ``None`` while
    nobody has looked for it; ``notes`` is what each renderer on the way recorded.

    Raises :class:`AudioError` for samples that are not one-dimensional or not finite, a
    sampling rate that is not a positive integer and a window outside the samples.
    """

    samples: Samples
    sampling_rate: int
    speech: Span | None = None
    notes: tuple[Note, ...] = field(default=(), repr=False)

    def __post_init__(self) -> None:
        samples = np.array(self.samples, dtype=np.float64)
        if samples.ndim != 1:
            raise AudioError(f"audio has shape {samples.shape}; allowed: (num_samples,), mono")
        if self.sampling_rate <= 0 or int(self.sampling_rate) != self.sampling_rate:
            raise AudioError(f"sampling rate is {self.sampling_rate}; allowed: a positive integer")
        if not np.isfinite(samples).all():
            at = int(np.flatnonzero(~np.isfinite(samples))[0])
            raise AudioError(f"sample {at} is {samples[at]}; allowed: finite numbers")
        if self.speech is not None and not (
            0 <= self.speech.start < self.speech.end <= len(samples)
        ):
            raise AudioError(
                f"speech window {tuple(self.speech)} is not within 0 to {len(samples)} samples"
            )
        samples.setflags(write=False)
        object.__setattr__(self, "samples", samples)

    @property
    def num_samples(self) -> int:
        return len(self.samples)

    @property
    def window(self) -> Span:
        """The speech window; :class:`AudioError` while there is none."""
        if self.speech is None:
            raise AudioError("audio has no speech window; render it with Trim first")
        return self.speech

    def with_samples(self, samples: Samples, speech: Span | None = None) -> Audio:
        """Return a copy with other samples and, where it moved, another speech window."""
        return replace(self, samples=samples, speech=speech or self.speech)

    def noted(self, renderer: str, **values: object) -> Audio:
        """Return a copy with one more note."""
        return replace(self, notes=(*self.notes, Note(renderer, values)))

    def note(self, renderer: str) -> Mapping[str, object] | None:
        """Return what ``renderer`` noted last, or ``None``."""
        return next((n.values for n in reversed(self.notes) if n.renderer == renderer), None)


def num_samples_of(ms: float, sampling_rate: int) -> int:
    """Return ``ms`` milliseconds as a whole number of samples, halves rounded up."""
    return int(ms * sampling_rate / 1000 + 0.5)


def to_pcm16(samples: Samples) -> Pcm16:
    """Quantise float samples, full scale 1.0, to 16 bits by rounding to the nearest step.

    Raises :class:`AudioError` where a sample passes full scale: nothing is clipped or wrapped
    silently. (+1.0 itself becomes 32767, one step below.)
    """
    within = np.abs(samples) <= 1.0  # false for NaN too
    if not within.all():
        at = int(np.argmin(within))
        raise AudioError(f"sample {at} is {samples[at]:.6g}; allowed in PCM16: -1 to 1")
    return np.minimum(np.rint(samples * FULL_SCALE), FULL_SCALE - 1).astype(np.int16)


def from_pcm16(pcm: Pcm16) -> Samples:
    """Return 16-bit samples as floats, full scale 1.0; exact."""
    return pcm / np.float64(FULL_SCALE)
