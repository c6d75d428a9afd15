"""Clips: joined as integers, a gap is zeros and nothing else."""

from __future__ import annotations

import hashlib
import io
import wave
from pathlib import Path

import numpy as np
import pytest

from synthkit.audio import Audio, Span
from synthkit.clip import Clip, Gap, join
from synthkit.errors import AudioError, SynthkitError

RATE = 16000


def segment(seed: int, num_samples: int = 1600, rate: int = RATE) -> Audio:
    samples = 0.1 * np.random.default_rng(seed).standard_normal(num_samples)
    return Audio(samples, rate, Span(100, num_samples - 200))


def pieces(clip: Clip) -> list[np.ndarray]:
    return [clip.pcm[s.span.start : s.span.end] for s in clip.segments]


@pytest.mark.parametrize(("ms", "zeros"), [(0, 0), (600, 9600), (0.0625, 1), (62.5, 1000)])
def test_a_gap_is_exactly_its_number_of_zeros(ms: float, zeros: int) -> None:
    clip = join(segment(1), Gap(ms), segment(2))
    (gap,) = clip.gaps
    assert gap.span == Span(1600, 1600 + zeros)
    assert gap.requested_ms == ms
    assert clip.pcm.shape == (3200 + zeros,)
    assert not clip.pcm[1600 : 1600 + zeros].any()


def test_the_gap_changes_zeros_only() -> None:
    closed = join(segment(1), Gap(0), segment(2)).pcm
    parted = join(segment(1), Gap(600), segment(2)).pcm
    np.testing.assert_array_equal(np.delete(parted, np.s_[1600 : 1600 + 9600]), closed)


def test_segment_bytes_do_not_depend_on_their_neighbours() -> None:
    alone = join(segment(1))
    first = join(segment(1), Gap(600), segment(2))
    last = join(segment(3, 777), segment(1))
    hashes = {alone.segments[0].pcm_sha256, first.segments[0].pcm_sha256}
    assert hashes == {last.segments[1].pcm_sha256}
    np.testing.assert_array_equal(pieces(first)[0], alone.pcm)
    np.testing.assert_array_equal(pieces(last)[1], alone.pcm)


def test_a_clip_is_the_integer_sum_of_its_parts_at_their_places() -> None:
    clip = join(segment(1), Gap(100), segment(2), Gap(20), segment(3))
    total = np.zeros(len(clip.pcm), np.int64)
    for seed, placed in zip((1, 2, 3), clip.segments, strict=True):
        # Rounded by hand: nothing here comes near full scale.
        total[slice(*placed.span)] += np.rint(segment(seed).samples * 32768).astype(np.int64)
    assert clip.pcm.dtype == np.int16
    np.testing.assert_array_equal(clip.pcm, total)


def test_parts_cover_the_clip_without_overlap() -> None:
    clip = join(segment(1), Gap(100), segment(2), Gap(20), segment(3))
    spans = sorted([s.span for s in clip.segments] + [g.span for g in clip.gaps])
    assert spans == [(0, 1600), (1600, 3200), (3200, 4800), (4800, 5120), (5120, 6720)]
    assert len(clip.pcm) == 6720


def test_speech_windows_move_with_their_segments() -> None:
    clip = join(segment(1), Gap(600), segment(2))
    assert [s.speech for s in clip.segments] == [Span(100, 1400), Span(11300, 12600)]


def test_pcm_hash_is_that_of_the_stretch_in_the_wav() -> None:
    clip = join(segment(1), Gap(600), segment(2))
    data = clip.wav_bytes()[44:]
    second = data[2 * 11200 : 2 * 12800]
    assert hashlib.sha256(second).hexdigest() == clip.segments[1].pcm_sha256


def test_what_is_written_is_what_was_joined(tmp_path: Path) -> None:
    clip = join(segment(1), Gap(600), segment(2))
    path = tmp_path / "new" / "clip.wav"
    clip.write(path)
    assert path.read_bytes() == clip.wav_bytes()
    with wave.open(io.BytesIO(path.read_bytes())) as file:
        assert file.getframerate() == RATE
        np.testing.assert_array_equal(np.frombuffer(file.readframes(99999), "<i2"), clip.pcm)
    assert [p.name for p in path.parent.iterdir()] == ["clip.wav"]


def test_differing_sampling_rates_are_refused() -> None:
    with pytest.raises(AudioError, match=r"\[16000, 24000\]"):
        join(segment(1), Gap(0), segment(2, rate=24000))


def test_a_clip_has_at_least_one_segment() -> None:
    with pytest.raises(AudioError):
        join(Gap(600))


def test_a_segment_without_a_speech_window_is_refused() -> None:
    with pytest.raises(AudioError, match="speech window"):
        join(segment(1), Audio(np.zeros(100), RATE))


def test_a_segment_over_full_scale_is_refused() -> None:
    with pytest.raises(AudioError, match="sample 5"):
        join(Audio(np.where(np.arange(10) == 5, 1.5, 0.0), RATE, Span(0, 10)))


@pytest.mark.parametrize("ms", [-1.0, -600.0, float("nan"), float("inf")])
def test_a_gap_that_is_no_duration_is_refused(ms: float) -> None:
    with pytest.raises(SynthkitError, match="gap"):
        join(segment(1), Gap(ms), segment(2))
