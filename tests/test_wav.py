"""Sound files: what is written, what is read, what is refused."""

from __future__ import annotations

import io
import wave
from pathlib import Path

import numpy as np
import pytest
import soundfile

from synthkit.audio import Pcm16
from synthkit.errors import AudioError
from synthkit.soundfiles import read_bytes
from synthkit.wav import pcm16_of, read_mono, wav_bytes

PCM = np.array([0, 1, -1, 32767, -32768, 12345], np.int16)


def read_pcm16(path: Path) -> tuple[Pcm16, int]:
    """As verify reads the files of a set."""
    return pcm16_of(read_bytes(path), path.name)


def noise(seed: int, num_samples: int = 4000) -> np.ndarray:
    return 0.1 * np.random.default_rng(seed).standard_normal(num_samples)


def test_a_wav_reads_back_in_another_reader() -> None:
    with wave.open(io.BytesIO(wav_bytes(PCM, 16000))) as file:  # the standard library's
        assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (1, 2, 16000)
        np.testing.assert_array_equal(np.frombuffer(file.readframes(99), "<i2"), PCM)


def test_a_wav_is_44_bytes_of_header_and_the_samples() -> None:
    content = wav_bytes(PCM, 16000)
    assert content[:4] == b"RIFF"
    assert content[44:] == PCM.astype("<i2").tobytes()
    assert content == wav_bytes(PCM.copy(), 16000)


def test_pcm16_round_trip_through_a_file_is_exact(tmp_path: Path) -> None:
    path = tmp_path / "a.wav"
    path.write_bytes(wav_bytes(PCM, 22050))
    pcm, rate = read_pcm16(path)
    assert (pcm.dtype, rate) == (np.int16, 22050)
    np.testing.assert_array_equal(pcm, PCM)


@pytest.mark.parametrize(
    ("name", "channels", "subtype"),
    [
        ("a.wav", 2, "PCM_16"),
        ("a.wav", 1, "PCM_24"),
        ("a.wav", 1, "FLOAT"),
        ("a.flac", 1, "PCM_16"),
    ],
)
def test_reading_as_it_is_takes_mono_16_bit_wav_only(
    tmp_path: Path, name: str, channels: int, subtype: str
) -> None:
    path = tmp_path / name
    soundfile.write(path, np.zeros((10, channels)), 16000, subtype=subtype)
    with pytest.raises(AudioError, match=rf"{name}: found .*{subtype}, {channels} channels"):
        read_pcm16(path)


@pytest.mark.parametrize("content", [b"", b"RIFF", b"not a sound file at all" * 10])
@pytest.mark.parametrize("read", [read_pcm16, read_mono])
def test_a_file_that_is_no_sound_is_named(tmp_path: Path, read: object, content: bytes) -> None:
    path = tmp_path / "broken.wav"
    path.write_bytes(content)
    with pytest.raises(AudioError, match=r"broken\.wav: not a readable sound file"):
        read(path)  # type: ignore[operator]


def test_missing_files_and_folders_are_named(tmp_path: Path) -> None:
    with pytest.raises(AudioError, match=r"nowhere\.wav: not a readable"):
        read_mono(tmp_path / "nowhere.wav")
    with pytest.raises(AudioError, match=f"{tmp_path.name}: not a readable"):
        read_mono(tmp_path)


@pytest.mark.parametrize("name", ["a.wav", "a.flac"])
def test_channels_are_averaged(tmp_path: Path, name: str) -> None:
    left, right = noise(1), noise(2)
    path = tmp_path / name
    soundfile.write(path, np.stack((left, right), axis=1), 44100, subtype="PCM_16")
    audio = read_mono(path)
    assert audio.sampling_rate == 44100
    np.testing.assert_allclose(audio.samples, (left + right) / 2, atol=1.01 / 32768)


def test_one_channel_can_be_named(tmp_path: Path) -> None:
    left, right = noise(1), -noise(1)
    path = tmp_path / "a.wav"
    soundfile.write(path, np.stack((left, right), axis=1), 16000, subtype="FLOAT")
    np.testing.assert_allclose(read_mono(path, channel=1).samples, right, atol=1e-7)
    for channel in (-1, 2):
        with pytest.raises(AudioError, match=rf"channel {channel}; allowed: 0 to 1"):
            read_mono(path, channel=channel)


def test_channels_that_cancel_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "phase.wav"
    # 1 % apart: the mean lies 46 dB below its channels.
    soundfile.write(path, np.stack((noise(1), -0.99 * noise(1)), axis=1), 16000)
    with pytest.raises(AudioError, match=r"phase\.wav: its channels cancel"):
        read_mono(path)
    soundfile.write(path, np.stack((noise(1), -noise(1)), axis=1), 16000, subtype="FLOAT")
    with pytest.raises(AudioError, match="cancel"):
        read_mono(path)


def test_a_silent_channel_does_not_cancel_the_other(tmp_path: Path) -> None:
    path = tmp_path / "left.wav"
    soundfile.write(path, np.stack((noise(1), 0 * noise(1)), axis=1), 16000, subtype="FLOAT")
    np.testing.assert_allclose(read_mono(path).samples, noise(1) / 2, atol=1e-7)


def test_silence_is_sound_and_nothing_is_none(tmp_path: Path) -> None:
    path = tmp_path / "a.wav"
    soundfile.write(path, np.zeros((100, 2)), 16000)
    np.testing.assert_array_equal(read_mono(path).samples, np.zeros(100))
    soundfile.write(path, np.zeros((0, 2)), 16000)
    with pytest.raises(AudioError, match=r"^a\.wav: 0 samples$"):
        read_mono(path)


def test_float_files_are_not_clipped_on_reading(tmp_path: Path) -> None:
    path = tmp_path / "hot.wav"
    soundfile.write(path, np.array([0.0, 1.5, -2.0]), 16000, subtype="FLOAT")
    np.testing.assert_array_equal(read_mono(path).samples, [0.0, 1.5, -2.0])


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_a_file_with_samples_that_are_no_numbers_is_named(tmp_path: Path, bad: float) -> None:
    path = tmp_path / "bad.wav"
    soundfile.write(path, np.array([0.0, bad, 0.0]), 16000, subtype="FLOAT")
    with pytest.raises(AudioError, match=r"bad\.wav.*sample 1"):
        read_mono(path)


def test_absurdly_many_channels_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "many.wav"
    soundfile.write(path, np.zeros((4, 65)), 16000)
    with pytest.raises(AudioError, match=r"many\.wav: 65 channels; allowed: up to 64"):
        read_mono(path)
