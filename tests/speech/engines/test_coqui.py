"""The coqui engine before any network: cards, models' files, consent, letters.

Coqui and torch need not be installed. Stand-ins of theirs are found by name; that of torch
fails where it is imported, since nothing here may need it.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
import soundfile

from synthkit import schemas
from synthkit.errors import InputError
from synthkit.speech.cards import VoiceCard
from synthkit.speech.engines.coqui import Engine, catalogue
from synthkit.speech.voice import Voice

VCTK = "tts_models/en/vctk/vits"
XTTS = "tts_models/multilingual/multi-dataset/xtts_v2"
CATALOGUE = {
    "tts_models": {
        "de": {"thorsten": {"vits": {"license": "apache 2.0"}}},
        "en": {"vctk": {"vits": {"license": "apache 2.0"}}, "ljspeech": {"tacotron2-DDC": {}}},
        "multilingual": {"multi-dataset": {"xtts_v2": {"license": "CPML", "tos_required": True}}},
    },
    "vocoder_models": {},
}
CLEANERS = """
def english_cleaners(text, lang="en"):
    assert lang == "en"
    return text.lower().replace("-", " ")
"""
LETTERS = "abcdefghijklmnopqrstuvwxyz"
VITS = {
    "model": "vits",
    "model_args": {"use_speaker_embedding": True, "speakers_file": "/home/ann/tts/speakers.json"},
    "characters": {"characters": LETTERS, "punctuations": " .,", "phonemes": None},
    "text_cleaner": "english_cleaners",
    "speakers": [],
    "use_phonemes": False,
    "max_audio_len": float("inf"),
}
Make = Callable[..., VoiceCard]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A machine with coqui's packages and no model of the catalogue."""
    site = tmp_path / "site"
    for package in ("coqui_tts-0.28.0", "torch-2.9.1", "transformers-4.57.6"):
        (site / f"{package}.dist-info").mkdir(parents=True)
        name, version = package.split("-")
        text = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
        (site / f"{package}.dist-info" / "METADATA").write_text(text)
    text_folder = site / "TTS" / "tts" / "utils" / "text"
    text_folder.mkdir(parents=True)
    (text_folder / "cleaners.py").write_text(CLEANERS)
    (site / "TTS" / "__init__.py").write_text('print("coqui prints a lot")')
    (site / "TTS" / ".models.json").write_text(json.dumps(CATALOGUE))
    for name in ("torch", "torchaudio", "torchcodec", "six"):
        (site / f"{name}.py").write_text("raise AssertionError('imported')")
    for name in [n for n in sys.modules if n.split(".")[0] in ("TTS", "torch", "six")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.syspath_prepend(site)
    monkeypatch.setenv("TTS_HOME", str(tmp_path))
    monkeypatch.delenv("COQUI_TOS_AGREED", raising=False)
    catalogue._entries.cache_clear()
    yield tmp_path
    for name in [n for n in sys.modules if n.split(".")[0] == "TTS"]:
        del sys.modules[name]


def vits(folder: Path, **settings: object) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "model.pth").write_bytes(b"weights")
    (folder / "config.json").write_text(json.dumps({**VITS, **settings}))
    (folder / "speakers.json").write_text('{"ann": 0, "bob": 1}')
    return folder


def xtts(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "model.pth").write_bytes(b"weights")
    (folder / "config.json").write_text('{"model": "xtts", "languages": ["en", "de", "zh-cn"]}')
    vocabulary = {token: i for i, token in enumerate(["[SPACE]", *LETTERS, "th", ".", ","])}
    (folder / "vocab.json").write_text(json.dumps({"model": {"vocab": vocabulary}}))
    return folder


def card(folder: Path, tag: str = "en-US", /, **parameters: object) -> VoiceCard:
    folder.mkdir(exist_ok=True)
    schemas.check(parameters, "engine-coqui", "card")
    return VoiceCard(
        id="cast/ann",
        name="Ann",
        description="",
        engine="coqui",
        language=tag,
        checkpoint="vctk-vits",
        processing="vits",
        code_license="MPL-2.0",
        voice_license="Apache-2.0",
        attribution="somebody",
        parameters=parameters,
        folder=folder,
    )


@pytest.mark.parametrize(
    "parameters",
    [
        {"model": VCTK, "speaker": "p225"},
        {"path": "model", "speaker": "ann", "speed": 0.9},
        {"path": "model/best.pth", "config": "model/c.json", "language": "en"},
        {"model": XTTS, "prompt": ["a.wav", "b.flac"]},
    ],
)
def test_a_card_names_a_model_and_a_speaker(parameters):
    schemas.check(parameters, "engine-coqui", "card")


@pytest.mark.parametrize(
    ("parameters", "line"),
    [
        ({}, "model or path"),
        ({"model": VCTK, "path": "m"}, "model or path"),
        ({"model": VCTK, "config": "c.json"}, "model or path"),
        ({"path": "m", "speaker": "a", "prompt": "a.wav"}, "speaker or prompt, not both"),
        ({"model": "vctk"}, "name of coqui's catalogue"),
        ({"path": "m", "prompt": []}, "WAV or FLAC clip"),
        ({"path": "m", "speed": 0}, "pace"),
        ({"path": "m", "voice": "a"}, "unknown voice; allowed: model, path, config, speaker"),
    ],
)
def test_other_parameters_are_refused_in_words(parameters, line):
    with pytest.raises(InputError, match=f"card: .*{line}"):
        schemas.check(parameters, "engine-coqui", "card")


def test_without_the_package_it_says_how_to_install_it(home, monkeypatch):
    made = card(home, path=str(vits(home / "model")), speaker="ann")
    (home / "site" / "torchcodec.py").unlink()
    monkeypatch.syspath_prepend(home / "site")  # which forgets what was found there
    assert "torchcodec is missing" in str(Engine().missing(made))
    monkeypatch.setattr(catalogue, "PACKAGE", "coqui-tts-of-nobody")
    told = Engine().missing(made)
    assert told is not None and "pip install torch==2.9.1" in told and "coqui-tts==0.28.0" in told
    with pytest.raises(InputError, match=r"cast/ann is not on this machine; install coqui once"):
        _ = Voice(made, Engine()).provenance
    with pytest.raises(InputError, match=r"cast/ann: install coqui once by: pip install"):
        Engine().check("hello", made)


def test_a_model_of_the_catalogue_is_taken_from_coquis_folder_and_never_fetched(home):
    made = card(home, model=VCTK, speaker="ann")
    told = str(Engine().missing(made))
    assert "licence by coqui's catalogue: apache 2.0" in told
    assert 'once by: python -c "' in told and f"download_model('{VCTK}')" in told
    vits(home / "tts" / "tts_models--en--vctk--vits")
    assert Engine().missing(made) is None
    assert Engine().version(made) == "0.28.0, torch 2.9.1"
    Engine().check("hello", made)


def test_a_name_that_the_catalogue_lacks_is_refused_with_those_it_has(home):
    line = f"'tts_models/en/vctk/wits' is not in the catalogue .*; allowed: {VCTK}, {XTTS}, "
    with pytest.raises(InputError, match=line):
        Engine().missing(card(home, model="tts_models/en/vctk/wits"))


@pytest.mark.parametrize("by", ["model", "path"])
def test_xtts_never_asks_but_says_how_to_consent(home, monkeypatch, by):
    monkeypatch.setattr("builtins.input", None)
    folder = xtts(home / "tts" / XTTS.replace("/", "--"))
    clip = home / "clip.wav"
    soundfile.write(clip, np.zeros(10), 16000)
    given = {"model": XTTS} if by == "model" else {"path": str(folder)}
    made = card(home, **given, prompt="clip.wav")
    with pytest.raises(InputError, match=r"CPML \(https.*asks for consent.*COQUI_TOS_AGREED=1"):
        Engine().check("hello", made)
    monkeypatch.setenv("COQUI_TOS_AGREED", "0")
    assert "asks for consent" in str(Engine().missing(made))
    monkeypatch.setenv("COQUI_TOS_AGREED", "1")
    assert Engine().missing(made) is None
    monkeypatch.delenv("COQUI_TOS_AGREED")
    (folder / "tos_agreed.txt").write_text("agreed")
    # Coqui's own note counts for the model that it was made for.
    assert (Engine().missing(made) is None) == (by == "model")


def test_xtts_is_refused_with_transformers_that_it_fails_with(home, monkeypatch):
    monkeypatch.setenv("COQUI_TOS_AGREED", "1")
    made = card(home, path=str(xtts(home / "model")), speaker="eve")
    assert Engine().missing(made) is None
    info = home / "site" / "transformers-4.57.6.dist-info" / "METADATA"
    info.write_text(info.read_text().replace("4.57.6", "5.24.0"))
    assert "with transformers 5.24.0, install once by: pip" in str(Engine().missing(made))
    assert Engine().missing(card(home, path=str(vits(home / "vits")), speaker="ann")) is None


def test_make_and_docs_install_what_the_engine_asks_for():
    root = Path(__file__).parents[3]
    asked = catalogue.INSTALL.removeprefix("pip install ")
    make = (root / "Makefile").read_text(encoding="utf-8").replace("\\\n    ", "")
    assert f"COQUI := {asked} " in make
    assert catalogue.INSTALL in (root / "docs" / "engines.md").read_text("utf-8")


def test_repeatability_is_promised_where_it_is_tested(home):
    assert Engine().deterministic(card(home, path=str(vits(home / "a")), speaker="ann"))
    assert not Engine().deterministic(card(home, path=str(xtts(home / "b")), speaker="ann"))


def test_the_hash_is_of_all_files_of_the_model_and_of_no_place(home):
    made = card(home, path="one", speaker="ann")
    vits(home / "one")
    first = Engine().model_sha256(made)
    moved = {**VITS["model_args"], "speakers_file": "C:\\models\\speakers.json"}
    vits(home / "two", model_args=moved)
    assert Engine().model_sha256(card(home, path="two", speaker="ann")) == first
    (home / "one" / "README.md").write_text("not of the model")
    assert Engine().model_sha256(made) == first
    seen = {first}
    for name, content in (
        ("model.pth", b"WEIGHTS"),
        ("speakers.json", b'{"bob": 0, "ann": 1}'),
        ("config.json", json.dumps({**VITS, "text_cleaner": None}).encode()),
    ):
        (home / "one" / name).write_bytes(content)
        os.utime(home / "one" / name, ns=(1, 1))
        seen.add(Engine().model_sha256(made))
    assert len(seen) == 4


def test_speakers_are_told_by_name(home):
    model = str(vits(home / "model"))
    Engine().check("hello", card(home, path=model, speaker="bob"))
    with pytest.raises(InputError, match="cast/ann: found speaker 'eve'; allowed: ann, bob"):
        Engine().check("hello", card(home, path=model, speaker="eve"))
    with pytest.raises(InputError, match="cast/ann: speaker missing; allowed: ann, bob"):
        Engine().check("hello", card(home, path=model))
    alone = str(vits(home / "alone", model_args={}))
    Engine().check("hello", card(home, path=alone))
    with pytest.raises(InputError, match="found speaker 'ann'; allowed: no speaker"):
        Engine().check("hello", card(home, path=alone, speaker="ann"))


def test_a_language_is_the_cards_or_the_models_name_for_it(home, monkeypatch):
    monkeypatch.setenv("COQUI_TOS_AGREED", "1")
    model, clip = str(xtts(home / "model")), home / "clip.flac"
    soundfile.write(clip, np.zeros(10), 16000)

    def check(tag: str, /, **given: object) -> None:
        Engine().check("hello", card(home, tag, path=model, prompt=clip.name, **given))

    for language in ("en-US", "de", "zh", "zh-CN"):
        check(language)
    check("gsw", language="de")
    with pytest.raises(InputError, match="found language 'fi-FI'; allowed: en, de, zh-cn"):
        check("fi-FI")
    with pytest.raises(InputError, match="found language 'fi'; allowed: en, de, zh-cn"):
        check("en", language="fi")
    single = str(vits(home / "single"))
    with pytest.raises(InputError, match="found language 'de'; allowed: no language"):
        Engine().check("hello", card(home, path=single, speaker="ann", language="de"))


def test_letters_are_checked_as_the_models_cleaner_leaves_them(home, capsys):
    made = card(home, path=str(vits(home / "model")), speaker="ann")
    Engine().check("A well-known door, please.", made)
    with pytest.raises(
        InputError, match=r"cast/ann: 'ßü' in 'Die müde Straße\.'; allowed: ' ,\.ab"
    ):
        Engine().check("Die müde Straße.", made)
    assert capsys.readouterr().out == ""


def test_letters_of_xtts_are_those_of_its_tokens(home, monkeypatch):
    monkeypatch.setenv("COQUI_TOS_AGREED", "1")
    soundfile.write(home / "a.wav", np.zeros(10), 16000)
    model = str(xtts(home / "model"))
    made = card(home, path=model, prompt="a.wav")
    Engine().check("The front door, Please.", made)
    with pytest.raises(InputError, match="'門' in 'open the 門'"):
        Engine().check("open the 門", made)
    Engine().check("開門", card(home, "zh", path=model, prompt="a.wav"))


def test_a_clip_determines_the_sound_and_travels_along(home, monkeypatch):
    monkeypatch.setenv("COQUI_TOS_AGREED", "1")
    folder, model = home / "cast", str(xtts(home / "model"))
    (folder / "clips").mkdir(parents=True)
    for name in ("a.wav", "clips/b.flac"):
        soundfile.write(folder / name, np.zeros(10), 16000)
    both = card(folder, path=model, prompt=["a.wav", "clips/b.flac"])
    assert Engine().files(both) == (folder / "a.wav", folder / "clips" / "b.flac")
    first = Engine().source_sha256("hello", both)
    assert first != Engine().source_sha256("hello", card(folder, path=model, prompt="a.wav"))
    soundfile.write(folder / "clips" / "b.flac", np.ones(10) / 2, 16000)
    assert Engine().source_sha256("hello", both) not in (None, first)


@pytest.mark.parametrize(
    ("prompt", "line"),
    [
        ("../secret.wav", "leaves the card's folder"),
        ("nowhere.wav", "'nowhere.wav' is not a file"),
        ("a.mp3", "found 'a.mp3'; allowed: .wav, .flac"),
    ],
)
def test_a_prompt_is_a_clip_in_the_cards_folder(home, monkeypatch, prompt, line):
    monkeypatch.setenv("COQUI_TOS_AGREED", "1")
    (home / "secret.wav").write_bytes(b"")
    (home / "cast").mkdir()
    (home / "cast" / "a.mp3").write_bytes(b"")
    with pytest.raises(InputError, match=f"cast/ann: prompt: .*{line}"):
        Engine().check("hello", card(home / "cast", path=str(xtts(home / "model")), prompt=prompt))


def test_vits_does_not_clone(home):
    soundfile.write(home / "a.wav", np.zeros(10), 16000)
    with pytest.raises(InputError, match="a vits model does not clone; allowed: speaker"):
        Engine().check("hello", card(home, path=str(vits(home / "model")), prompt="a.wav"))


@pytest.mark.parametrize(
    ("settings", "line"),
    [
        ({"model": "bark"}, "kind 'bark'; allowed: vits, xtts"),
        ({"base_model": "bark"}, "kind 'bark'; allowed: vits, xtts"),
        ({"model_args": {"use_d_vector_file": True}}, "VITS with a speaker encoder"),
        ({"model_args": {"speakers_file": "else.json"}}, "'else.json' is not in its folder"),
    ],
)
def test_a_model_of_another_kind_is_refused(home, settings, line):
    with pytest.raises(InputError, match=line):
        Engine().missing(card(home, path=str(vits(home / "model", **settings)), speaker="ann"))


def test_the_checkpoint_of_a_folder_is_the_usual_or_the_only_one(home):
    folder = vits(home / "model")
    made = card(home, path="model", speaker="ann")
    (folder / "model.pth").rename(folder / "best.pth")
    assert Engine().missing(made) is None
    assert Engine().missing(card(home, path="model/best.pth", speaker="ann")) is None
    (folder / "other.pth").write_bytes(b"")
    with pytest.raises(InputError, match=r"2 checkpoints in .*; allowed: model\.pth"):
        Engine().missing(made)
    (folder / "config.json").rename(home / "settings.json")
    with pytest.raises(InputError, match=r"config\.json' is not a file"):
        Engine().missing(card(home, path="model/best.pth", speaker="ann"))
    moved = card(home, path="model/best.pth", config="settings.json", speaker="ann")
    assert Engine().missing(moved) is None
    (home / "settings.json").write_text("[]")
    with pytest.raises(InputError, match="allowed: one JSON object"):
        Engine().missing(moved)


def test_a_phoneme_model_needs_its_phonemizer(home, monkeypatch):
    model = vits(home / "model", use_phonemes=True, phonemizer="espeak")
    made = card(home, path=str(model), speaker="ann")
    monkeypatch.setattr("shutil.which", lambda name: None)
    assert "install the program espeak-ng" in str(Engine().missing(made))
    monkeypatch.setattr("shutil.which", lambda name: f"/usr/bin/{name}")
    assert Engine().missing(made) is None
