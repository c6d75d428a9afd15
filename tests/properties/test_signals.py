"""What holds for levels and joined clips whatever the samples are."""

from __future__ import annotations

import hashlib
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from synthkit.audio import Audio, Span, from_pcm16
from synthkit.clip import Gap, join
from synthkit.errors import AudioError
from synthkit.levels import peak_dbfs, rms_dbfs, true_peak_dbtp
from synthkit.loudness import lufs
from tests.properties.settings import PROPERTY

seeds = st.integers(0, 2**32 - 1)
gains_db = st.floats(-60, 40)


def noise(seed: int, num_samples: int = 3000) -> np.ndarray:
    rng = np.random.default_rng(seed)
    # Colours and bursts: white noise alone has no peaks between samples worth the name.
    samples = np.cumsum(rng.standard_normal(num_samples)) * rng.random() + rng.standard_normal(
        num_samples
    )
    return 0.1 * samples / np.abs(samples).max()


@PROPERTY
@given(seeds, gains_db)
def test_a_gain_moves_every_meter_by_itself(seed: int, gain_db: float) -> None:
    samples = noise(seed, 8000)  # half a second: LUFS wants 400 ms
    louder = samples * 10 ** (gain_db / 20)
    for meter in (rms_dbfs, peak_dbfs, true_peak_dbtp):
        before, after = meter(samples), meter(louder)
        assert before is not None and after is not None
        assert after == pytest.approx(before + gain_db, abs=1e-6)
    before, after = lufs(samples, 16000), lufs(louder, 16000)
    if before is not None and after is not None and min(before, after) > -60:
        # Its gate at -70 LUFS is the one thing that does not move with the gain.
        assert after == pytest.approx(before + gain_db, abs=1e-6)


@PROPERTY
@given(st.integers(1, 3999), st.floats(0.001, 1), st.floats(0, 2 * math.pi))
def test_a_sine_of_whole_periods_reads_its_amplitude_less_3_01_db(
    periods: int, amplitude: float, phase: float
) -> None:
    time = np.arange(8000) / 8000
    level = rms_dbfs(amplitude * np.sin(2 * np.pi * periods * time + phase))
    # RMS of a sine is its amplitude over the root of two.
    assert level == pytest.approx(20 * math.log10(amplitude / math.sqrt(2)), abs=1e-6)


@PROPERTY
@given(st.floats(1e-6, 1), st.integers(1, 5000))
def test_a_square_wave_reads_its_amplitude(amplitude: float, num_samples: int) -> None:
    samples = amplitude * np.where(np.arange(num_samples) % 7 < 3, 1.0, -1.0)
    assert rms_dbfs(samples) == pytest.approx(20 * math.log10(amplitude), abs=1e-9)
    assert peak_dbfs(samples) == pytest.approx(20 * math.log10(amplitude), abs=1e-9)


@PROPERTY
@given(seeds, st.integers(1, 3000))
def test_rms_lies_under_the_peak_and_that_under_the_true_peak(seed: int, length: int) -> None:
    samples = noise(seed, length)
    rms, peak, true = rms_dbfs(samples), peak_dbfs(samples), true_peak_dbtp(samples)
    assert rms is not None and peak is not None and true is not None
    assert rms <= peak + 1e-9
    assert peak <= true


@PROPERTY
@given(st.integers(0, 20000))
def test_silence_has_no_level(num_samples: int) -> None:
    silence = np.zeros(num_samples)
    for meter in (rms_dbfs, peak_dbfs, true_peak_dbtp):
        assert meter(silence) is None
    assert lufs(silence, 16000) is None


@st.composite
def segments(draw: st.DrawFn) -> Audio:
    length = draw(st.integers(1, 400))
    onset = draw(st.integers(0, length - 1))
    offset = draw(st.integers(onset + 1, length))
    return Audio(noise(draw(seeds), length), 16000, Span(onset, offset))


@PROPERTY
@given(st.lists(segments() | st.floats(0, 300).map(Gap), min_size=1, max_size=7))
def test_a_joined_clip_is_its_parts_and_zeros_at_the_places_it_says(
    parts: list[Audio | Gap],
) -> None:
    own = [part for part in parts if isinstance(part, Audio)]
    gaps = [part for part in parts if isinstance(part, Gap)]
    if not own:
        with pytest.raises(AudioError, match="sampling rates"):
            join(*parts)
        return
    clip = join(*parts)
    alone = [join(part) for part in own]
    assert [s.pcm_sha256 for s in clip.segments] == [a.segments[0].pcm_sha256 for a in alone]
    for placed, part, single in zip(clip.segments, own, alone, strict=True):
        stretch = clip.pcm[placed.span.start : placed.span.end]
        assert stretch.tobytes() == single.pcm.tobytes()
        assert hashlib.sha256(stretch.astype("<i2").tobytes()).hexdigest() == placed.pcm_sha256
        assert np.abs(from_pcm16(stretch) - part.samples).max() <= 0.5 / 32768
        window = part.window
        assert placed.speech == Span(*(placed.span.start + at for at in window))
    for placed, gap in zip(clip.gaps, gaps, strict=True):
        assert not clip.pcm[placed.span.start : placed.span.end].any()
        assert placed.requested_ms == gap.ms
        assert abs(placed.span.num_samples - 16 * gap.ms) <= 0.5 + 1e-9
    edges = sorted((p.span for p in (*clip.segments, *clip.gaps)), key=lambda s: (s.start, s.end))
    assert [0, *(s.end for s in edges)] == [*(s.start for s in edges), len(clip.pcm)]


@PROPERTY
@given(segments(), segments(), st.integers(0, 600), st.integers(0, 600))
def test_two_gaps_give_clips_that_differ_in_zeros_alone(
    context: Audio, trigger: Audio, short: int, long: int
) -> None:
    one, other = (join(context, Gap(ms), trigger) for ms in (short, long))
    assert [s.pcm_sha256 for s in one.segments] == [s.pcm_sha256 for s in other.segments]
    assert len(other.pcm) - len(one.pcm) == 16 * (long - short)
    assert other.segments[1].span.start - one.segments[1].span.start == 16 * (long - short)


@PROPERTY
@given(st.sampled_from((math.nan, math.inf, -math.inf, -1.0, -1e-300)))
def test_a_gap_that_is_no_duration_is_refused(ms: float) -> None:
    with pytest.raises(AudioError, match="allowed: 0 ms or more"):
        Gap(ms)
