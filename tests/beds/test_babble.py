"""Babble: everybody equally loud, nobody pausing, nobody from the command."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest

from synthkit.audio import Audio, Span
from synthkit.beds.babble import Talkers, babble, streams
from synthkit.errors import AudioError, InputError
from synthkit.speech.voice import voice

RATE = 16000
LENGTH = 5 * RATE


def heard(talkers: Talkers) -> tuple[Talkers, list[tuple[str, str, int]]]:
    """The same talkers, and the list of what they will have been asked to say."""
    calls: list[tuple[str, str, int]] = []

    def say(voice: str, text: str, seed: int) -> Audio:
        calls.append((voice, text, seed))
        return talkers.say(voice, text, seed)

    return dataclasses.replace(talkers, say=say), calls


@pytest.mark.parametrize("num_talkers", [2, 5, 12])
def test_every_talker_is_equally_loud(talkers: Talkers, num_talkers: int) -> None:
    found = streams(LENGTH, RATE, 1, num_talkers, talkers)
    assert found.shape == (num_talkers, LENGTH)
    np.testing.assert_allclose(np.sqrt(np.mean(found**2, axis=1)), 1.0, rtol=1e-12)


def test_babble_is_the_sum_of_its_talkers(talkers: Talkers) -> None:
    found = babble(LENGTH, RATE, 1, 6, talkers)
    np.testing.assert_array_equal(found, streams(LENGTH, RATE, 1, 6, talkers).sum(axis=0))
    # Six of power 1 that have nothing in common.
    assert np.mean(found**2) == pytest.approx(6, rel=0.05)


def test_nobody_pauses(talkers: Talkers) -> None:
    # Speech of constant loudness stays within a crossfade's chance fluctuation of it.
    frames = streams(LENGTH, RATE, 2, 12, talkers).reshape(12, -1, 160)
    level = 10 * np.log10(np.mean(frames**2, axis=2))
    assert np.abs(level).max() < 3


def test_all_voices_differ_and_the_seed_deals_them(talkers: Talkers) -> None:
    casts = [talkers.chosen(4, seed) for seed in range(50)]
    assert all(len(set(cast)) == 4 for cast in casts)
    assert {v for cast in casts for v in cast} == set(talkers.voices)
    assert casts == [talkers.chosen(4, seed) for seed in range(50)]


def test_the_order_of_voices_and_texts_has_no_say(talkers: Talkers) -> None:
    turned = Talkers(talkers.voices[::-1], talkers.texts[::-1], talkers.say)
    np.testing.assert_array_equal(
        babble(LENGTH, RATE, 3, 5, talkers), babble(LENGTH, RATE, 3, 5, turned)
    )


def test_only_the_voices_and_texts_that_were_given_are_heard(talkers: Talkers) -> None:
    listening, calls = heard(talkers)
    babble(LENGTH, RATE, 4, 3, listening)
    assert {voice for voice, _, _ in calls} == set(talkers.chosen(3, 4))
    for chosen in talkers.chosen(3, 4):
        texts = [text for voice, text, _ in calls if voice == chosen]
        assert set(texts[:5]) == set(talkers.texts)  # all of them before any again
        assert texts[5:] == texts[: len(texts) - 5]


def test_an_utterance_is_the_same_in_every_bed(talkers: Talkers) -> None:
    listening, calls = heard(talkers)
    for seed in range(5):
        babble(LENGTH, RATE, seed, 12, listening)
    assert len({(voice, text) for voice, text, _ in calls}) == len(set(calls)) == 12 * 5


def test_talkers_begin_at_places_of_their_own() -> None:
    # Every utterance counts its samples, so what is heard first says where the stream began.
    counted = Audio(1 + np.arange(8000) / 8000, RATE, Span(0, 8000))
    same = Talkers(tuple("abcdefgh"), ("text",), lambda voice, text, seed: counted)
    found = streams(4000, RATE, 5, 8, same)
    assert len({tuple(np.round(row[:5], 6)) for row in found}) == 8


def test_the_seed_decides(talkers: Talkers) -> None:
    first = babble(LENGTH, RATE, 1, 4, talkers)
    np.testing.assert_array_equal(first, babble(LENGTH, RATE, 1, 4, talkers))
    assert abs(np.corrcoef(first, babble(LENGTH, RATE, 2, 4, talkers))[0, 1]) < 0.1


def test_it_is_steadier_than_one_talker() -> None:
    cards = Path(__file__).parents[1] / "data" / "voices" / "tone"
    voices = {name: voice(f"{name}.toml", cards) for name in ("low", "mid", "high")}
    texts = ("a sentence of some length", "another one", "and one more of them")
    three = Talkers(tuple(voices), texts, lambda v, text, seed: voices[v].say(text, seed))
    found = streams(LENGTH, RATE, 6, 3, three)

    def fluctuation(samples: np.ndarray) -> float:
        return float(np.std(10 * np.log10(np.mean(samples.reshape(-1, 160) ** 2, axis=1))))

    assert fluctuation(found.sum(axis=0)) < min(map(fluctuation, found))


def test_utterances_shorter_than_a_crossfade_still_fill_it() -> None:
    short = Audio(np.ones(100), RATE, Span(0, 100))
    talkers = Talkers(("a", "b"), ("x",), lambda voice, text, seed: short)
    assert babble(1000, RATE, 1, 2, talkers).shape == (1000,)


def test_too_few_voices_are_refused(talkers: Talkers) -> None:
    few = dataclasses.replace(talkers, voices=talkers.voices[:3])
    message = "num_talkers is 4; allowed: up to 3, the voices that are not in the command"
    with pytest.raises(InputError, match=message):
        babble(LENGTH, RATE, 1, 4, few)


@pytest.mark.parametrize(("voices", "texts"), [((), ("x",)), (("a", "a"), ("x",)), (("a",), ())])
def test_nobody_and_nothing_to_say_are_refused(
    talkers: Talkers, voices: tuple[str, ...], texts: tuple[str, ...]
) -> None:
    with pytest.raises(InputError, match="allowed: at least one, each once"):
        Talkers(voices, texts, talkers.say)


@pytest.mark.parametrize(
    ("audio", "message"),
    [
        (Audio(np.ones(9000), 24000, Span(0, 9000)), "voice . speaks at 24000 Hz; allowed: 16000"),
        (Audio(np.zeros(9000), RATE, Span(0, 9000)), "voice . is silent"),
        (Audio(np.ones(9000), RATE), "no speech window"),
    ],
)
def test_what_is_no_conditioned_speech_is_refused(audio: Audio, message: str) -> None:
    talkers = Talkers(("a", "b"), ("x",), lambda voice, text, seed: audio)
    with pytest.raises(AudioError, match=message):
        babble(LENGTH, RATE, 1, 2, talkers)
