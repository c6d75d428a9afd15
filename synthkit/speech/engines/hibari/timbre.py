"""Give a synthetic voice another speaker's body: transforms of a neural vocoder's frames.

A network of the hibari kind predicts, before any waveform exists, a pitch curve, the filter of
its pulse train and the magnitudes of its noise. Changing these moves pitch, vocal tract, glottis
and breath one by one, and leaves one vocoder to make all sound. Every voice of a cast takes this
path, its parent's own too, so that nothing but the parameters tells two voices apart.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[np.float32]
Array64: TypeAlias = NDArray[np.float64]

BIN_HZ = 20.0  # frequency step between rows
FRAME_S = 0.0125  # time step between columns
VOICED_HZ = 40.0  # the vocoder takes a lower F0 for "unvoiced"
F0_HZ = (55.0, 600.0)  # bounds of a transformed F0: above that threshold, below a scream
QUIETEST, LOUDEST = -25.0, 7.0  # natural-log magnitudes: inaudible, and where the vocoder clips
NEPER_PER_DB = np.log(10.0) / 20


@dataclass(frozen=True)
class Frames:
    """What the network predicts: a column every 12.5 ms, 601 rows from 0 to 12 kHz, all float32.

    ``harmonic``, ``noise``, ``residual`` [601, F]: natural-log magnitudes of the pulse train's
    filter, of Gaussian noise and of a free spectrum. ``harmonic_phase`` [601, F]: the filter's
    phase as atanh(radians / pi). ``residual_phase`` [601, F]: radians. ``f0`` [F]: Hz, about 0
    where unvoiced. The order is the vocoder's.
    """

    harmonic: Array
    harmonic_phase: Array
    noise: Array
    residual: Array
    residual_phase: Array
    f0: Array

    def __post_init__(self) -> None:
        shapes = [part.shape for part in self.parts]
        if len(shapes[0]) != 2 or len(set(shapes[:-1])) != 1 or shapes[-1] != shapes[0][1:]:
            raise ValueError(f"Frames: shapes {shapes}, expected five of [rows, F], then [F]")

    @property
    def parts(self) -> tuple[Array, ...]:
        """The six arrays in the vocoder's order."""
        spectra = (self.harmonic, self.harmonic_phase, self.noise)
        return (*spectra, self.residual, self.residual_phase, self.f0)

    @property
    def voiced(self) -> NDArray[np.bool_]:
        """Whether the vocoder's source pulses, [F]."""
        return self.f0 > VOICED_HZ


@dataclass(frozen=True)
class Timbre:
    """A speaker's body and habits, relative to the voice that the network learned.

    ``f0_scale``: factor on the pitch. ``f0_range``: exponent on its excursions around the
    utterance's median (0 monotone, 1 unchanged, below 0 upside down). ``tremor_semitones``:
    amplitude of a waver of the pitch at ``tremor_hz``. ``f0_slope_semitones``: a straight line
    added to the pitch, from half of it below to half of it above, first voiced frame to last.
    ``throat_scale``, ``mouth_scale``: factors on formant frequencies up to 600 Hz and from 2.4 kHz,
    gliding between (a longer vocal tract: below 1). ``formant_gain``: factor on the formants'
    height in dB (above 1: sharper). ``tilt_db_per_octave``: slope around 1 kHz, from 125 Hz to
    8 kHz (negative: a softer glottis). ``h1_db``: gain of the first harmonic (above 0: a glottis
    open for longer). ``chest_db``, ``nasal_db``, ``ring_db``: gains of resonances at 250 Hz, 600 Hz
    and 2.8 kHz. ``breath_db``: gain of the noise. Gains act on voiced frames only: consonants stay
    clear.
    """

    f0_scale: float = 1.0
    f0_range: float = 1.0
    tremor_semitones: float = 0.0
    tremor_hz: float = 5.0
    f0_slope_semitones: float = 0.0
    throat_scale: float = 1.0
    mouth_scale: float = 1.0
    formant_gain: float = 1.0
    tilt_db_per_octave: float = 0.0
    h1_db: float = 0.0
    chest_db: float = 0.0
    nasal_db: float = 0.0
    ring_db: float = 0.0
    breath_db: float = 0.0

    def __call__(self, frames: Frames) -> Frames:
        """The same words from this body, [601, F]."""
        return self._colour(self._move(frames)) if frames.f0.size else frames

    def _pitch(self, frames: Frames) -> Array:
        """The new F0 in Hz, [F]; unvoiced frames become exactly 0."""
        voiced = frames.voiced
        log_f0 = np.log(np.maximum(frames.f0, VOICED_HZ).astype(np.float64))
        centre = np.median(log_f0[voiced]) if voiced.any() else 0.0
        seconds = np.arange(log_f0.size) * FRAME_S
        semitones = self.tremor_semitones * np.sin(2 * np.pi * self.tremor_hz * seconds)
        if self.f0_slope_semitones:
            spoken = np.flatnonzero(voiced) if voiced.any() else np.zeros(1)
            line = np.interp(np.arange(voiced.size), spoken[[0, -1]], (-0.5, 0.5))
            semitones += self.f0_slope_semitones * line
        own = self.f0_range * (log_f0 - centre)
        moved = self.f0_scale * np.exp(centre + own + semitones / 12 * np.log(2.0))
        return np.where(voiced, np.clip(moved, *F0_HZ), 0.0).astype(np.float32)

    def _move(self, frames: Frames) -> Frames:
        """Move pitch and formants: each row reads the frequency that now falls onto it."""
        f0 = self._pitch(frames)
        rows = np.arange(frames.harmonic.shape[0])
        glide = np.clip(np.log2(np.maximum(rows, 1) * BIN_HZ / 600.0) / 2.0, 0.0, 1.0)
        source = rows / (self.throat_scale ** (1 - glide) * self.mouth_scale**glide)
        source = np.minimum(source, rows[-1])
        harmonic, phase = _at_harmonics(frames, source)
        # A higher pitch has fewer harmonics, of one amplitude each, and so less power; breath
        # should not seem to change with pitch.
        ratio = np.where(frames.voiced, f0 / np.maximum(frames.f0, VOICED_HZ), 1.0)
        # The free spectrum's phases are as good as random, so they are picked, not blended.
        picked = np.rint(source).astype(np.intp)
        return Frames(
            (harmonic + 0.5 * np.log(ratio)).astype(np.float32),
            phase,
            _between(frames.noise, source),
            _between(frames.residual, source),
            frames.residual_phase[picked],
            f0,
        )

    def _colour(self, frames: Frames) -> Frames:
        """Glottis, resonances and breath: gains in voiced frames, faded into their neighbours."""
        hertz = np.maximum(np.arange(frames.harmonic.shape[0]), 1) * BIN_HZ
        db = self.tilt_db_per_octave * np.log2(np.clip(hertz, 125.0, 8000.0) / 1000.0)
        gains = ((self.chest_db, 250.0), (self.nasal_db, 600.0), (self.ring_db, 2800.0))
        for gain_db, centre in gains:
            db = db + gain_db * np.exp(-0.5 * (np.log2(hertz / centre) / 0.5) ** 2)
        padded = np.pad(frames.voiced.astype(np.float64), 1, mode="edge")
        voicing = np.convolve(padded, (0.25, 0.5, 0.25), "valid")
        gain = NEPER_PER_DB * db[:, None] * voicing
        breath = gain + NEPER_PER_DB * self.breath_db * voicing
        octaves = np.log2(hertz)[:, None] - np.log2(np.maximum(frames.f0, VOICED_HZ))
        first = NEPER_PER_DB * self.h1_db * np.exp(-0.5 * (octaves / 0.35) ** 2) * voicing
        trend = _running_mean(frames.harmonic, 25)
        formants = trend + self.formant_gain * (frames.harmonic - trend)
        return replace(
            frames,
            harmonic=playable(formants + gain + first),
            noise=playable(frames.noise + breath),
            residual=playable(frames.residual + breath),
        )


def _at_harmonics(frames: Frames, source: Array64) -> tuple[Array, Array]:
    """The pulse filter at fractional rows ``source`` [601]: log magnitude, atanh phase, [601, F].

    The network learned this filter only where its own pulse train has power, at multiples of its
    F0; what lies between is arbitrary, and a new pitch would sound it. So the filter is read at
    those multiples, on straight lines between them.
    """
    spacing = np.where(frames.voiced, np.maximum(frames.f0, VOICED_HZ) / BIN_HZ, 1.0)
    place = source[:, None] / spacing
    below = np.maximum(np.floor(place), frames.voiced)
    weight = np.clip(place - below, 0.0, 1.0).astype(np.float32)
    top, columns = frames.harmonic.shape[0] - 1, np.arange(spacing.size)
    low = np.rint(np.minimum(below * spacing, top)).astype(np.intp), columns
    high = np.rint(np.minimum((below + 1) * spacing, top)).astype(np.intp), columns

    def read(part: Array) -> Array:
        between: Array = part[low] + weight * (part[high] - part[low])
        return between

    # Single precision, as the vocoder's: in double these lines were half of the synthesis.
    turn = np.float32(np.pi) * np.tanh(frames.harmonic_phase)
    angle = np.arctan2(read(np.sin(turn)), read(np.cos(turn))) / np.float32(np.pi)
    magnitude = read(_running_mean(frames.harmonic, 1).astype(np.float32))
    return magnitude, np.arctanh(np.clip(angle, -0.9999, 0.9999))


def _between(part: Array, source: Array64) -> Array:
    """``part`` [601, F] at fractional rows ``source`` [601], linearly."""
    low = np.minimum(source.astype(np.intp), part.shape[0] - 2)
    weight = (source - low).astype(np.float32)[:, None]
    blend: Array = (1 - weight) * part[low] + weight * part[low + 1]
    return blend


def _running_mean(part: Array, reach: int) -> Array64:
    """Mean over ``2 * reach + 1`` rows, the edge rows repeated, [601, F]."""
    width = 2 * reach + 1
    sums = np.pad(part, ((reach + 1, reach), (0, 0)), mode="edge").cumsum(axis=0, dtype=np.float64)
    mean: Array64 = (sums[width:] - sums[:-width]) / width
    return mean


def playable(magnitude: Array | Array64) -> Array:
    """Natural-log magnitudes as finite float32 within what the vocoder plays."""
    finite = np.nan_to_num(magnitude, nan=QUIETEST)
    clipped: Array = np.clip(finite, QUIETEST, LOUDEST).astype(np.float32)
    return clipped
