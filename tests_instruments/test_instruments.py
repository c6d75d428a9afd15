"""Each instrument on signals whose answer is known."""

from __future__ import annotations

import numpy as np
import pytest

from synthkit.errors import AudioError
from synthkit.instruments.asr import normalised, transcribe, word_errors
from synthkit.instruments.mos import mos
from synthkit.instruments.packages import require_instruments
from synthkit.instruments.pitch import f0, median_hz, spread_semitones
from synthkit.instruments.speaker import embed
from synthkit.instruments.timing import contour, warp_ms
from synthkit.instruments.words import tokens
from synthkit.speech.audit.sentences import sentences
from tests_instruments.conftest import RATE, said

TEXTS = ("Turn off the kitchen lights, please.", "Set a timer for the rice on the stove.")


def speech(voice: str, text: str = TEXTS[0]) -> np.ndarray:
    segment = said(voice, text)
    return segment.samples[segment.window.start : segment.window.end]


def test_this_environment_has_all_packages():
    assert require_instruments() is None


def test_whisper_hears_a_plain_command_word_for_word_each_time():
    sound = said("heart/mom", TEXTS[0]).samples
    heard = transcribe(sound, RATE)
    assert normalised(heard) == ["turn", "off", "the", "kitchen", "lights", "please"]
    assert transcribe(sound, RATE) == heard


@pytest.mark.parametrize(
    ("text", "heard", "names", "numbers", "counts"),
    [
        ("Lock the front door.", "Lock the front door!", (), (), (0, 4, 0, 0, 0, 0)),
        ("Lock the front door.", "Log the front.", (), (), (2, 4, 0, 0, 0, 0)),
        # "$50" is one word, however it was written; Priya costs nothing.
        (
            "Transfer fifty dollars to Priya.", "Transfer $50 to Maria.", ("Priya",),
            ("fifty dollars",), (0, 3, 1, 0, 1, 1),
        ),
        (
            "Transfer fifty dollars to Priya.", "Transfer $15 to Priya.", ("Priya",),
            ("fifty dollars",), (1, 3, 1, 1, 1, 0),
        ),
        ("I'm at track nineteen.", "I am at Track 19", (), ("nineteen",), (0, 5, 0, 0, 1, 1)),
    ],
)  # fmt: skip
def test_word_errors_compare_normal_forms(text, heard, names, numbers, counts):
    assert word_errors(text, heard, names, numbers).counts == counts


@pytest.mark.parametrize("sentence", sentences(), ids=lambda s: s.text)
def test_a_slot_has_the_same_normal_form_alone_and_in_its_sentence(sentence):
    apart = tokens(sentence.text, sentence.names, sentence.numbers, normalised)
    assert [word for token in apart for word in token.words] == normalised(sentence.text)


@pytest.mark.parametrize("hertz", [90.0, 210.0, 390.0])
def test_f0_of_a_harmonic_tone_is_its_fundamental(hertz):
    time = np.arange(2 * RATE) / RATE
    tone = sum(np.sin(2 * np.pi * hertz * k * time) / k for k in range(1, 8))
    found = f0(0.2 * tone, RATE)
    assert median_hz(found) == pytest.approx(hertz, rel=0.01)
    assert spread_semitones(found) < 0.2


def test_f0_spread_of_a_glide_is_its_extent():
    # One octave in 4 s, evenly in semitones: half of 16 to 84 % of 12.
    time = np.arange(4 * RATE) / RATE
    phase = 2 * np.pi * 120 * 4 / np.log(2) * (2 ** (time / 4) - 1)
    found = f0(0.2 * sum(np.sin(k * phase) / k for k in range(1, 6)), RATE)
    assert spread_semitones(found) == pytest.approx(0.68 * 12 / 2, abs=0.3)


def test_noise_has_hardly_a_voiced_frame(noise):
    assert f0(noise, RATE).size < 0.1 * noise.size / 320


def test_embeddings_of_a_voice_are_closer_than_those_of_two():
    one, other = (embed(said("heart/mom", text).samples, RATE) for text in TEXTS)
    dad = embed(said("heart/dad", TEXTS[0]).samples, RATE)
    assert one.shape == (256,)
    assert np.linalg.norm(one) == pytest.approx(1.0, abs=1e-5)
    assert one @ other > dad @ one + 0.1
    assert np.array_equal(embed(said("heart/mom", TEXTS[0]).samples, RATE), one)


@pytest.mark.parametrize("seconds", [0.05, 1.0])
def test_an_embedding_without_speech_is_refused(seconds):
    click = np.zeros(round(seconds * RATE))
    click[click.size // 2] = 0.5
    with pytest.raises(AudioError, match="no speech"):
        embed(click, RATE)


def test_dnsmos_falls_when_noise_is_added():
    clean = np.concatenate([said("heart/mom", text).samples for text in TEXTS])
    noise = np.random.default_rng(0).standard_normal(clean.size)
    scores = [mos([clean + level * noise], RATE) for level in (0.0, 0.01, 0.05)]
    assert scores[0].ovrl > scores[1].ovrl > scores[2].ovrl
    assert scores[0].p808 > scores[1].p808 > scores[2].p808
    assert scores[0].bak > scores[2].bak + 1
    assert all(1 <= value <= 5 for value in vars(scores[0]).values())


def test_dnsmos_joins_short_clips_into_one_stretch():
    clips = [said("heart/mom", text).samples for text in TEXTS] * 3  # some 14 s
    joined = np.concatenate(clips)
    assert 9.1 * RATE < joined.size < 2 * 9.1 * RATE
    end = next(n for n in np.cumsum([clip.size for clip in clips]) if n > 9.1 * RATE)
    assert mos(clips, RATE) == mos([joined[:end]], RATE)


def test_warp_is_zero_for_one_timing_and_shows_a_shifted_one():
    sound = speech("heart/mom")
    own = contour(sound, RATE)
    assert warp_ms(own, own) == 0.0
    # The same speech with 200 ms of pause in the middle: half the frames before it come early,
    # half after it late, by up to 100 ms.
    middle = sound.size // 2
    paused = np.concatenate([sound[:middle], np.zeros(RATE // 5), sound[middle:]])
    assert 30 < warp_ms(own, contour(paused, RATE)) < 120
    assert warp_ms(own, contour(paused, RATE)) == pytest.approx(
        warp_ms(contour(paused, RATE), own), rel=0.2
    )


def test_warp_leaves_out_a_constant_factor_of_speed():
    # Every frame of the contour twice: half the speed.
    own = contour(speech("heart/mom"), RATE)
    assert warp_ms(own, np.repeat(own, 2, axis=0)) < 10
