"""The hibari engine: repeatable, moved by its card, and never of an unknown model."""

from __future__ import annotations

import dataclasses
import functools
import re
import shutil
import urllib.request
from pathlib import Path

import hibari.voices
import numpy as np
import pytest

from synthkit.audio import Audio
from synthkit.errors import InputError
from synthkit.speech.cards import VoiceCard, voice_card
from synthkit.speech.engines.hibari import Engine
from synthkit.speech.engines.hibari.rhythm import Rhythm
from synthkit.speech.engines.hibari.timbre import Timbre
from synthkit.speech.voice import Voice, voice

TEXT = "Unlock the front door."
MORE = "Turn on the kitchen lights."


def card(name: str = "heart/mom", **parameters: object) -> VoiceCard:
    base = voice_card(name)
    return dataclasses.replace(base, parameters={**base.parameters, **parameters})


@functools.cache
def spoken(name: str, text: str = TEXT, seed: int = 1) -> Audio:
    return Engine().speak(text, card(name), seed)


def contour(utterance: Audio) -> np.ndarray:
    """F0 in Hz by autocorrelation, every 25 ms; nan where a frame is weak or not periodic."""
    rate, samples = utterance.sampling_rate, utterance.samples
    width = round(0.05 * rate)
    shortest, longest = rate // 450, rate // 70
    found = []
    for start in range(0, len(samples) - width, width // 2):
        frame = samples[start : start + width]
        found.append(np.nan)
        if np.std(frame) < 0.3 * np.std(samples):
            continue
        spectrum = np.fft.rfft(frame - frame.mean(), 2 * width)
        lags = np.fft.irfft(np.abs(spectrum) ** 2)[:width]
        lags = lags / (lags[0] * (1 - np.arange(width) / width))
        best = lags[shortest:longest].max()
        # The first lag that is all but the best: an octave below is as periodic.
        lag = shortest + int(np.argmax(lags[shortest:longest] > 0.9 * best))
        while lags[lag + 1] > lags[lag]:
            lag += 1
        if best > 0.7:
            found[-1] = rate / lag
    return np.array(found)


def pitch(utterance: Audio) -> float:
    return float(np.nanmedian(contour(utterance)))


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """An empty folder for voices, and a network that must not be used."""

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a download was tried")

    monkeypatch.setattr(urllib.request, "urlopen", refuse)
    monkeypatch.setattr(hibari.voices, "download", refuse)
    home = tmp_path / "voices"
    home.mkdir()
    monkeypatch.setenv("HIBARI_HOME", str(home))
    return home


def test_the_same_words_card_and_seed_give_the_same_bits() -> None:
    again = Engine().speak(TEXT, card("heart/mom"), 1)
    assert again.samples.tobytes() == spoken("heart/mom").samples.tobytes()


def test_another_seed_gives_other_bits_of_the_same_length() -> None:
    one, other = spoken("heart/mom"), spoken("heart/mom", seed=2)
    assert one.samples.shape == other.samples.shape
    assert one.samples.tobytes() != other.samples.tobytes()


def test_an_utterance_is_mono_speech_at_24_khz() -> None:
    said = spoken("heart/mom")
    assert (said.sampling_rate, said.samples.ndim) == (24000, 1)
    assert np.issubdtype(said.samples.dtype, np.floating)
    assert np.isfinite(said.samples).all()
    assert 0.8 < len(said.samples) / 24000 < 2.5
    assert np.abs(said.samples).max() > 0.01


def test_a_card_without_changes_takes_the_networks_own_time() -> None:
    from hibari import Hibari

    plain = dataclasses.replace(card(), parameters={"voice": "heart", "speed": 1.0})
    own = Hibari(voice="heart", threads=1)(TEXT, speed=1.0, seed=1)
    said = Engine().speak(TEXT, plain, 1)
    assert len(said.samples) == len(own)
    raw = dataclasses.replace(said, samples=own.astype(np.float64))
    assert pitch(said) == pytest.approx(pitch(raw), rel=0.03)


def test_speed_is_the_factor_on_the_pace() -> None:
    slow, plain, fast = (
        len(Engine().speak(f"{TEXT} {MORE}", card(speed=speed), 1).samples)
        for speed in (0.8, 1.0, 1.6)
    )
    assert slow > plain > fast
    assert plain / slow == pytest.approx(0.8, rel=0.08)
    assert plain / fast == pytest.approx(1.6, rel=0.08)


def test_vowel_scale_lengthens() -> None:
    short, long = (
        len(Engine().speak(TEXT, card(vowel_scale=scale), 1).samples) for scale in (1.0, 1.25)
    )
    assert short < long < 1.25 * short


def test_final_scale_lengthens_the_end_by_what_its_ramp_says() -> None:
    plain, drawled = (Engine().speak(TEXT, card(final_scale=s), 1).samples for s in (1.0, 1.8))
    # A ramp over 40 frames of 12.5 ms, up to 0.8 more each: 0.8 x (1 + ... + 40) / 40 frames.
    assert (len(drawled) - len(plain)) / 24000 == pytest.approx(0.8 * 20.5 * 0.0125, abs=0.0125)


@pytest.mark.parametrize("drift", [0.5, -0.5])
def test_tempo_drift_moves_the_middle_and_leaves_the_length(drift: float) -> None:
    def middle(samples: np.ndarray) -> float:
        power = np.cumsum(samples**2)
        return float(np.searchsorted(power, power[-1] / 2))

    even, drifted = (Engine().speak(TEXT, card(tempo_drift=d), 1).samples for d in (0.0, drift))
    assert len(drifted) == pytest.approx(len(even), abs=300)
    assert (middle(drifted) - middle(even)) * drift > 0


def test_neutral_values_are_the_same_as_none() -> None:
    own = {"voice": "heart", "speed": 1.0}
    spelled = {f.name: f.default for kind in (Rhythm, Timbre) for f in dataclasses.fields(kind)}
    one, other = (
        Engine().speak(TEXT, dataclasses.replace(card(), parameters=parameters), 1)
        for parameters in (own, own | spelled)
    )
    assert one.samples.tobytes() == other.samples.tobytes()


def test_dad_is_lower_than_mom_by_what_their_cards_say() -> None:
    mom, dad = pitch(spoken("heart/mom")), pitch(spoken("heart/dad"))
    assert dad < 0.7 * mom
    ratio = float(str(card("heart/dad").parameters["f0_scale"])) / float(
        str(card("heart/mom").parameters["f0_scale"])
    )
    assert dad / mom == pytest.approx(ratio, rel=0.12)


@pytest.mark.parametrize("scale", [0.5, 1.4])
def test_f0_scale_moves_the_pitch_that_is_heard(scale: float) -> None:
    plain, moved = (Engine().speak(TEXT, card(f0_scale=s), 1) for s in (1.0, scale))
    assert len(plain.samples) == len(moved.samples)
    ratio = contour(moved) / contour(plain)
    assert np.isfinite(ratio).sum() >= 8
    assert np.nanmedian(ratio) == pytest.approx(scale, rel=0.03)


def test_two_sentences_last_as_long_as_each_alone() -> None:
    one, other = spoken("heart/mom"), spoken("heart/mom", MORE)
    both = spoken("heart/mom", f"{TEXT} {MORE}")
    assert len(both.samples) == len(one.samples) + len(other.samples)
    # The first is the same sound, not only as long.
    np.testing.assert_array_equal(both.samples[: len(one.samples)], one.samples)


def test_a_title_does_not_end_a_sentence() -> None:
    whole = spoken("heart/mom", "Call Dr. Smith.")
    parts = [spoken("heart/mom", text) for text in ("Call Dr.", "Smith.")]
    assert len(whole.samples) < sum(len(part.samples) for part in parts)


@pytest.mark.parametrize("text", ["", "  \n ", "\u200b", "\u01c3"])  # the last: a click
def test_nothing_to_say_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(InputError) as refusal:
        Engine().speak(text, card(), 0)
    assert "heart/mom" in str(refusal.value)
    assert len(str(refusal.value).splitlines()) == 1


def test_provenance_names_model_version_and_licences() -> None:
    told = voice("heart/mom").provenance.describe()
    # The hash that hibari publishes for its voice "heart", release 0.2.1.
    assert told["model_sha256"] == (
        "5f70741d4e900f4e85d0037498736cc1b3e1b9a63a13546a5da1e63abf4fccd8"
    )
    assert told["engine"] == "hibari"
    assert re.fullmatch(r"1 \(hibari-tts 0\.2\.1, onnxruntime [\d.]+\)", str(told["version"]))
    assert told["code_license"] == told["voice_license"] == "Apache-2.0"
    assert told["parameters"] == card("heart/mom").parameters
    assert told["deterministic"] is True


def test_a_voice_that_is_not_here_is_refused_and_not_fetched(no_network: Path) -> None:
    for use in (
        lambda: Voice(card(voice="fenrir"), Engine()).provenance,
        lambda: Voice(card(voice="fenrir"), Engine()).speak(TEXT, 1),
    ):
        with pytest.raises(InputError) as refusal:
            use()
        assert "fenrir" in str(refusal.value)
        assert len(str(refusal.value).splitlines()) == 1
    assert list(no_network.iterdir()) == []


@pytest.mark.parametrize("kind", ["altered", "another voice"])
def test_a_model_with_a_wrong_hash_is_refused(no_network: Path, kind: str) -> None:
    copy = no_network / hibari.voices.VOICES["fenrir"]["file"]
    shutil.copyfile(hibari.voices.voice_path("heart"), copy)
    if kind == "altered":
        content = bytearray(copy.read_bytes())
        content[-1] ^= 1
        copy.write_bytes(content)
    with pytest.raises(InputError) as refusal:
        Voice(card(voice="fenrir"), Engine()).speak(TEXT, 1)
    text = str(refusal.value)
    assert len(text.splitlines()) == 1
    assert "fenrir" in text
    assert "sha256" in text
    assert list(no_network.iterdir()) == [copy]
