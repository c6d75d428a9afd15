"""The coqui engine with real networks: repeatable, told apart, quiet, and a whole set."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import soundfile
from conftest import save_vits, save_xtts

from synthkit.audio import Audio
from synthkit.errors import AudioError, InputError
from synthkit.speech.engines.coqui import Engine, _alone
from synthkit.speech.voice import Voice

# Importing coqui and torch warns of much that is not ours.
pytestmark = pytest.mark.filterwarnings("default")

TEXT = "Unlock the front door."
MORE = "Turn on the kitchen lights, and the lamp in the hall."


def speak(card, text=TEXT, seed=1) -> Audio:
    return Engine().speak(text, card, seed)


def sha256(audio: Audio) -> str:
    return hashlib.sha256(audio.samples.tobytes()).hexdigest()


def synthkit(*arguments: str | Path, **options) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "synthkit", *map(str, arguments)]
    return subprocess.run(
        command, capture_output=True, text=True, stdin=subprocess.DEVNULL, **options
    )


def test_it_makes_sound_at_the_models_rate(card):
    audio = speak(card())
    assert audio.sampling_rate == 22050
    assert audio.samples.ndim == 1 and audio.samples.dtype == np.float64
    assert len(audio.samples) > 2205 and np.std(audio.samples) > 0.001


def test_two_speakers_of_a_model_differ(card):
    ann, bob = speak(card()), speak(card(speaker="bob"))
    assert sha256(ann) != sha256(bob)


def test_the_seed_alone_decides(card):
    first = sha256(speak(card()))
    assert sha256(speak(card(), seed=2)) != first
    speak(card(speaker="bob"), MORE, seed=7)
    assert sha256(speak(card())) == first


def test_a_fresh_process_with_other_threads_makes_the_same_bytes(card, home):
    code = (
        "import hashlib, sys; from pathlib import Path\n"
        "import torch; torch.set_num_threads(2); torch.rand(3)\n"
        "from synthkit.speech.voice import voice\n"
        "made = voice(sys.argv[1]).speak(sys.argv[2], 1).samples\n"
        "print(hashlib.sha256(made.tobytes()).hexdigest())"
    )
    run = subprocess.run(
        [sys.executable, "-c", code, str(home / "tiny" / "ann.toml"), TEXT],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        check=True,
    )
    # Coqui's own lines are not on standard output.
    assert run.stdout.split() == [sha256(Voice(card(), Engine()).speak(TEXT, 1))]


def test_the_callers_generator_and_threads_stay(card, home, tmp_path):
    import torch

    shutil.copytree(home / "model", tmp_path / "model")
    state, threads = torch.get_rng_state(), torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        speak(card(path=str(tmp_path / "model")))  # of its own file, so that it is loaded too
        assert torch.equal(torch.get_rng_state(), state)
        assert torch.get_num_threads() == 2
        assert torch.is_grad_enabled() and not torch.is_inference_mode_enabled()
        with pytest.raises(RuntimeError), _alone():
            assert torch.get_num_threads() == 1
            raise RuntimeError
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(threads)


def test_speed_is_pace(card):
    quick, slow = (len(speak(card(speed=speed)).samples) for speed in (2.0, 0.5))
    assert slow > 2 * quick
    assert sha256(speak(card(speed=1.0))) == sha256(speak(card()))


def test_another_checkpoint_is_another_model(card, home, tmp_path):
    shutil.copytree(home / "model", tmp_path / "model")
    copied = card(path=str(tmp_path / "model"))
    assert Engine().model_sha256(copied) == Engine().model_sha256(card())
    assert sha256(speak(copied)) == sha256(speak(card()))
    save_vits(tmp_path / "model", seed=2)
    assert Engine().model_sha256(copied) != Engine().model_sha256(card())
    assert sha256(speak(copied)) != sha256(speak(card()))


def test_a_speaker_file_is_read_and_part_of_the_model(card, tmp_path):
    import torch

    save_vits(tmp_path / "model", seed=1)
    names, config = (tmp_path / "model" / name for name in ("speakers.pth", "config.json"))
    torch.save({"cat": 0, "dog": 1}, names)
    values = json.loads(config.read_text())
    values["speakers"] = []
    values["model_args"]["speakers_file"] = "/home/somebody/trained/speakers.pth"
    config.write_text(json.dumps(values))
    dog = card(path=str(tmp_path / "model"), speaker="dog")
    assert len(speak(dog).samples) > 2205
    with pytest.raises(InputError, match="found speaker 'ann'; allowed: cat, dog"):
        Engine().check(TEXT, card(path=str(tmp_path / "model")))
    before = Engine().model_sha256(dog)
    torch.save({"dog": 0, "cat": 1}, names)
    assert Engine().model_sha256(dog) != before


def test_unknown_and_missing_speakers_are_refused_by_name(card, without_speaker):
    with pytest.raises(InputError, match="tiny/ann: found speaker 'eve'; allowed: ann, bob"):
        Voice(card(speaker="eve"), Engine()).check(TEXT)
    with pytest.raises(InputError, match="tiny/ann: speaker missing; allowed: ann, bob"):
        Voice(without_speaker, Engine()).check(TEXT)


def test_letters_are_checked_as_the_cleaner_leaves_them_before_anything_loads(card, monkeypatch):
    monkeypatch.setattr("synthkit.speech.engines.coqui._loaded", None)
    check = Voice(card(), Engine()).check
    check("A well-known door: OPEN!")  # capitals, hyphen and colon are not learned, but cleaned
    with pytest.raises(InputError, match=r"tiny/ann: 'é' in 'The café\.'; allowed: ' !,\.\?abc"):
        check("The café.")


def test_what_the_model_drops_all_the_same_fails_the_text(card):
    with pytest.raises(AudioError, match="the model lacks '%'"):
        speak(card(), "a % sign")


def test_own_sentences_add_no_silence(card):
    # Coqui's own splitting would put 10,000 zeros after each.
    assert not np.any(speak(card(), "One. Two. Three.").samples[-100:] == 0)


def test_a_pickle_that_runs_code_is_not_run(card, home, tmp_path):
    class Evil:
        def __reduce__(self):
            return Path.touch, (tmp_path / "ran",)

    import torch

    shutil.copytree(home / "model", tmp_path / "model")
    torch.save({"model": Evil()}, tmp_path / "model" / "model.pth")
    with pytest.raises(AudioError, match="engine coqui failed with UnpicklingError"):
        Voice(card(path=str(tmp_path / "model")), Engine()).speak(TEXT)
    assert not (tmp_path / "ran").exists()


def test_a_phoneme_model_speaks_by_espeak_and_says_so(card, tmp_path):
    if not shutil.which("espeak-ng"):
        pytest.skip("no espeak-ng")
    from TTS.tts.configs.shared_configs import CharactersConfig

    learned = CharactersConfig(
        characters_class="TTS.tts.models.vits.VitsCharacters",
        pad="_",
        eos="",
        bos="",
        blank="",
        characters="abcdefghijklmnopqrstuvwxyz",
        punctuations="!,.? ",
        phonemes="ɐɑɒæəɚɛɜɪɔʊʌðθʃʒŋɹɾɡˈˌːᵻ",
    )
    save_vits(
        tmp_path / "model",
        seed=1,
        characters=learned,
        use_phonemes=True,
        phonemizer="espeak",
        phoneme_language="en-us",
        text_cleaner="phoneme_cleaners",
    )
    spoken = Voice(card(path=str(tmp_path / "model")), Engine())
    assert "eSpeak NG" in spoken.provenance.version
    assert len(spoken.speak(TEXT, 1).samples) > 2205


def test_xtts_asks_for_nothing_and_says_how_to_consent(home, tmp_path):
    (tmp_path / "clone").mkdir()
    soundfile.write(tmp_path / "clone" / "eve.wav", np.zeros(100), 16000)
    name = "tts_models/multilingual/multi-dataset/xtts_v2"
    text = (
        (home / "tiny" / "ann.toml").read_text().replace('path = "../model"', f'model = "{name}"')
    )
    eve = tmp_path / "clone" / "eve.toml"
    eve.write_text(text.replace('speaker = "ann"', 'prompt = "eve.wav"'))
    xtts = tmp_path / "tts" / name.replace("/", "--")
    run = ("voices", "say", eve, TEXT, "--out", tmp_path / "out.wav")
    environment = {"PATH": "/usr/bin:/bin", "TTS_HOME": str(tmp_path), "HF_HUB_OFFLINE": "1"}
    environment |= {"PYTHONPATH": str(Path(__file__).parent.parent), "HF_HOME": str(tmp_path)}
    absent = synthkit(*run, env=environment)
    assert absent.returncode == 2 and "CPML) once by: python -c" in absent.stderr
    xtts.mkdir(parents=True)
    (xtts / "config.json").write_text('{"model": "xtts", "languages": ["en", "de"]}')
    for file in ("model.pth", "vocab.json"):
        (xtts / file).write_text("{}")
    asked = synthkit(*run, env=environment)
    assert asked.returncode == 2
    assert "CPML (https://tts-hub.github.io/cpml), asks for consent" in asked.stderr
    assert "COQUI_TOS_AGREED=1" in asked.stderr and len(asked.stderr.splitlines()) == 1


def test_a_whole_set_is_made_and_verified(home, tmp_path):
    rows = (Path(__file__).parent.parent / "examples" / "demo_commands.jsonl").read_text("utf-8")
    (tmp_path / "commands.jsonl").write_text(rows.replace("I'm", "I am"), "utf-8")
    cards = [str(home / "tiny" / f"{speaker}.toml") for speaker in ("ann", "bob")]
    (tmp_path / "recipe.toml").write_text(
        f'name = "tiny"\nscripts = "commands.jsonl"\nseed = 1\nvoices = {json.dumps(cards)}\n'
        'grid = "eight"\n[fields]\nnear = []\n'
        'far = [{ renderer = "room", room = "living_room", place = "across" }]\n'
    )
    made = synthkit("generate", tmp_path / "recipe.toml", "--out", tmp_path / "set")
    assert made.returncode == 0, made.stderr
    verified = synthkit("verify", tmp_path / "set")
    assert verified.returncode == 0, verified.stdout + verified.stderr
    assert len(list((tmp_path / "set" / "audio").rglob("*.wav"))) == 24
    voices = json.loads((tmp_path / "set" / "dataset.json").read_text())["voices"]
    assert len({voice["provenance"]["model_sha256"] for voice in voices}) == 1


def test_xtts_speaks_by_its_own_speakers_and_repeats_with_these_weights(
    card, tmp_path, monkeypatch
):
    import torch

    monkeypatch.setenv("COQUI_TOS_AGREED", "1")
    save_xtts(tmp_path / "xtts", seed=1)
    eve, fay = (card(path=str(tmp_path / "xtts"), speaker=name) for name in ("eve", "fay"))
    Engine().check(TEXT, eve)
    with pytest.raises(InputError, match="found speaker 'ann'; allowed: eve, fay"):
        Engine().check(TEXT, card(path=str(tmp_path / "xtts")))
    state = torch.get_rng_state()
    first = speak(eve)
    assert first.sampling_rate == 24000 and len(first.samples) > 2400
    assert sha256(speak(fay)) != sha256(first)
    assert sha256(speak(eve, seed=2)) != sha256(first)
    assert sha256(speak(eve)) == sha256(first)
    assert torch.equal(torch.get_rng_state(), state)
    # Even so: these are not the weights that anybody uses.
    assert not Voice(eve, Engine()).provenance.deterministic
