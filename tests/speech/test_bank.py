"""Drawn voices: new cards that load, as far apart as asked, and the same for the same seed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import soundfile

from synthkit.errors import AudioError, InputError
from synthkit.speech.bank import clip_cards, draw_cards, write_cards
from synthkit.speech.cards import VoiceCard, cast_cards, voice_card
from synthkit.speech.voice import voice

HEART = cast_cards("heart")
# What a card leaves out is the neutral value: 0 for gains and shapes, 1 for factors.
NEUTRAL = {
    name: 0.0 if name.endswith(("_db", "_semitones", "_octave", "contrast", "drift")) else 1.0
    for name in {name for card in HEART for name in card.parameters} - {"voice"}
}


def number(card: VoiceCard, name: str) -> float:
    return float(str(card.parameters.get(name, NEUTRAL[name])))


SPANS = {name: float(np.ptp([number(card, name) for card in HEART])) for name in NEUTRAL}


def distance(one: VoiceCard, other: VoiceCard) -> float:
    """As the command line's help defines it."""
    steps = [(number(one, n) - number(other, n)) / span for n, span in SPANS.items() if span]
    return float(np.sqrt(np.mean(np.square(steps))))


def test_no_two_voices_are_closer_than_asked() -> None:
    drawn = draw_cards(HEART, 10, 7, 0.2)
    closest = min(
        distance(one, other)
        for number, one in enumerate(drawn)
        for other in [*HEART, *drawn[:number]]
    )
    # Parameters are written with three decimals, so that none is nearer than what was drawn.
    assert closest >= 0.2


def test_a_seed_gives_the_same_voices_and_another_seed_others() -> None:
    first, again, other = (
        [card.parameters for card in draw_cards(HEART, 5, seed, 0.15)] for seed in (7, 7, 8)
    )
    assert first == again
    assert first != other
    assert [card.parameters for card in draw_cards(HEART, 3, 7, 0.15)] == first[:3]


def test_a_full_space_is_told_with_what_would_do() -> None:
    with pytest.raises(InputError, match=r"\d+ of 500 voices .* allowed: a smaller --count"):
        draw_cards(HEART, 500, 7, 0.4)


def test_voices_of_two_kinds_are_not_mixed() -> None:
    with pytest.raises(InputError, match="allowed: two or more of one checkpoint"):
        draw_cards([HEART[0], replace(HEART[1], checkpoint="other")], 2, 7, 0.1)


def test_a_written_card_speaks(tmp_path: Path) -> None:
    written = write_cards(draw_cards(HEART, 2, 7, 0.2), tmp_path / "bank", "Drawn")
    assert [path.name for path in written] == ["v01.toml", "v02.toml"]
    one, other = (voice(str(path)) for path in written)
    assert (one.card.id, other.card.id) == ("bank/v01", "bank/v02")
    assert one.card.kind == HEART[0].kind
    said = one.say("Good night.")
    assert said.num_samples > 0.3 * said.sampling_rate
    assert said.samples.tobytes() != other.say("Good night.").samples.tobytes()


def test_a_folder_that_holds_files_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(InputError, match="holds other files"):
        write_cards(draw_cards(HEART, 2, 7, 0.2), tmp_path, "Drawn")
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


def test_weights_of_a_mixture_stay_weights() -> None:
    mixtures = [
        replace(HEART[0], engine="tone", parameters={"f0": f0, "styles": styles})
        for f0, styles in ((100.0, {"a": 1.0}), (200.0, {"a": 0.3, "b": 0.7}), (150.0, {"c": 1.0}))
    ]
    drawn = draw_cards(mixtures, 6, 1, 0.05)
    for card in drawn:
        weights = card.parameters["styles"]
        assert isinstance(weights, dict)
        assert sum(weights.values()) == pytest.approx(1, abs=1e-9)
        assert all(0 < weight <= 1 for weight in weights.values())


@pytest.fixture
def template() -> VoiceCard:
    parameters = {"model": "xtts", "prompt": "somebody.wav"}
    return replace(voice_card("heart/mom"), engine="tone", parameters=parameters)


@pytest.fixture
def clips(tmp_path: Path) -> Path:
    """Three speakers of two clips each, 2 s long."""
    folder = tmp_path / "clips"
    for number in range(6):
        speaker = folder / f"speaker{number // 2}"
        speaker.mkdir(parents=True, exist_ok=True)
        noise = np.random.default_rng(number).standard_normal(32000) * 0.1
        soundfile.write(speaker / f"{number}.wav", noise, 16000)
    return folder


def test_each_card_has_another_speakers_clip_beside_it(
    template: VoiceCard, clips: Path, tmp_path: Path
) -> None:
    cards = clip_cards(template, clips, 3, 7, "CC-BY-4.0", "Their speakers")
    assert {Path(str(card.parameters["prompt"])).parent.name for card in cards} == {
        "speaker0", "speaker1", "speaker2",
    }  # fmt: skip
    assert {(card.voice_license, card.attribution) for card in cards} == {
        ("CC-BY-4.0", "Their speakers")
    }
    written = write_cards(cards, tmp_path / "bank", "Drawn")
    for card, path in zip(cards, written, strict=True):
        copy = path.with_suffix(".wav")
        assert f'prompt = "{copy.name}"' in path.read_text()
        assert copy.read_bytes() == Path(str(card.parameters["prompt"])).read_bytes()


def test_files_without_folders_are_a_speaker_each(template: VoiceCard, clips: Path) -> None:
    flat = clips / "speaker0"
    assert len(clip_cards(template, flat, 2, 1, "CC0-1.0", "")) == 2
    with pytest.raises(InputError, match="2 speakers; allowed: 3"):
        clip_cards(template, flat, 3, 1, "CC0-1.0", "")


@pytest.mark.parametrize(("seconds", "found"), [(0.5, "0.50 s"), (61, "61.00 s")])
def test_a_clip_too_short_or_long_is_named(
    template: VoiceCard, tmp_path: Path, seconds: float, found: str
) -> None:
    soundfile.write(tmp_path / "odd.wav", np.full(int(8000 * seconds), 0.1), 8000)
    with pytest.raises(InputError, match=rf"odd\.wav: {found}; allowed: 1 to 60 s"):
        clip_cards(template, tmp_path, 1, 1, "CC0-1.0", "")


def test_the_same_clip_twice_is_refused(template: VoiceCard, clips: Path) -> None:
    flat = clips / "speaker0"
    (flat / "copy.wav").write_bytes((flat / "0.wav").read_bytes())
    with pytest.raises(InputError, match="the same sound as"):
        clip_cards(template, flat, 3, 1, "CC0-1.0", "")


def test_what_is_not_sound_is_named(template: VoiceCard, tmp_path: Path) -> None:
    (tmp_path / "text.wav").write_text("this is text")
    with pytest.raises(AudioError, match=r"text\.wav: not a readable sound file"):
        clip_cards(template, tmp_path, 1, 1, "CC0-1.0", "")


def test_an_engine_that_does_not_clone_takes_no_clips(clips: Path) -> None:
    with pytest.raises(InputError, match="no prompt; allowed: a card of an engine that clones"):
        clip_cards(HEART[0], clips, 1, 1, "CC0-1.0", "")


def test_whole_numbers_are_mixed_too() -> None:
    tones = [replace(HEART[0], engine="tone", parameters={"f0": f0}) for f0 in (120, 220)]
    (drawn,) = draw_cards(tones, 1, 1, 0.1)
    assert 95 <= float(str(drawn.parameters["f0"])) <= 245  # the line, and a quarter beyond
    assert drawn.parameters["f0"] not in (120, 220)


def test_what_a_card_leaves_out_is_its_neutral_value() -> None:
    plain = replace(HEART[0], parameters={"voice": "heart", "speed": 1.0})
    slow = replace(HEART[0], parameters={"voice": "heart", "speed": 1.0, "pause_scale": 2.0})
    for card in draw_cards([plain, slow], 5, 1, 0.01):
        assert 0.75 <= float(str(card.parameters["pause_scale"])) <= 2.25  # 1 to 2, and beyond


def test_a_model_beside_the_template_is_found_from_the_new_card(
    template: VoiceCard, clips: Path, tmp_path: Path
) -> None:
    (tmp_path / "cards" / "model").mkdir(parents=True)
    parameters = {"path": "model", "prompt": "somebody.wav"}
    own = replace(template, folder=tmp_path / "cards", parameters=parameters)
    (card,) = clip_cards(own, clips, 1, 1, "CC0-1.0", "")
    assert card.parameters["path"] == str(tmp_path / "cards" / "model")


def test_prompts_are_not_mixed(template: VoiceCard) -> None:
    with pytest.raises(InputError, match="prompts of two speakers make no third"):
        draw_cards([template, template], 1, 1, 0.0)
