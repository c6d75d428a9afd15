"""The recorded engine plays the files of a folder and of no other."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
import soundfile
import tomli_w

from synthkit.audio import Audio
from synthkit.errors import AudioError, InputError, SilenceError, SynthkitError, UnspeakableError
from synthkit.generate import generate
from synthkit.plan import make_plan
from synthkit.recipe import read_recipe
from synthkit.speech.cards import VoiceCard
from synthkit.speech.engines.recorded import Engine
from synthkit.speech.voice import Voice
from tests.conftest import DATA

RATE = 22050


def noise(seed: int, num_samples: int = RATE) -> np.ndarray:
    return 0.1 * np.random.default_rng(seed).standard_normal(num_samples)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A card's folder, with one recording in it and a secret beside it."""
    folder = tmp_path / "speaker"
    (folder / "takes").mkdir(parents=True)
    soundfile.write(folder / "takes" / "door.wav", noise(1), RATE, subtype="FLOAT")
    soundfile.write(tmp_path / "secret.wav", noise(9), RATE)
    return folder


def card(folder: Path, files: Mapping[str, object] | str, index: str = "index.json") -> VoiceCard:
    """A card in ``folder`` whose index holds ``files``."""
    content = files if isinstance(files, str) else json.dumps(files)
    (folder / index).write_text(content, encoding="utf-8")
    return VoiceCard(
        id="speaker/ann",
        name="Ann",
        description="",
        engine="recorded",
        language="en-US",
        checkpoint="ann",
        processing="none",
        code_license="Apache-2.0",
        voice_license="CC-BY-4.0",
        attribution="Ann",
        parameters={"index": index},
        folder=folder,
    )


def speak(folder: Path, name: object) -> Audio:
    """Say a text whose file is ``name``."""
    return Engine().speak("Open the door.", card(folder, {"Open the door.": name}), 0)


def test_a_text_is_its_file(folder: Path) -> None:
    spoken = speak(folder, "takes/door.wav")
    assert spoken.sampling_rate == RATE
    np.testing.assert_allclose(spoken.samples, noise(1), atol=1e-7)


def test_flac_is_as_good_as_wav(folder: Path) -> None:
    soundfile.write(folder / "door.flac", noise(1), RATE, subtype="PCM_24")
    np.testing.assert_allclose(speak(folder, "door.flac").samples, noise(1), atol=2.0**-23)


@pytest.mark.parametrize("name", ["stereo.wav", "stereo.flac"])
def test_stereo_is_averaged(folder: Path, name: str) -> None:
    both = np.stack((noise(1), noise(2)), axis=1)
    soundfile.write(folder / name, both, RATE, subtype="PCM_24")
    np.testing.assert_allclose(speak(folder, name).samples, both.mean(axis=1), atol=2.0**-22)


def test_stereo_that_cancels_is_refused_by_name(folder: Path) -> None:
    soundfile.write(folder / "phase.wav", np.stack((noise(1), -noise(1)), axis=1), RATE)
    with pytest.raises(AudioError, match=r"phase\.wav: its channels cancel"):
        speak(folder, "phase.wav")


def test_seeds_do_not_change_a_recording(folder: Path) -> None:
    ann = card(folder, {"a": "takes/door.wav"})
    first, second = (Engine().speak("a", ann, seed).samples for seed in (1, 2))
    np.testing.assert_array_equal(first, second)


def test_white_space_does_not_tell_texts_apart(folder: Path) -> None:
    ann = card(folder, {"Open  the\tdoor. ": "takes/door.wav"})
    assert len(Voice(ann, Engine()).speak(" Open the\n door.").samples) == RATE


def test_a_text_that_was_not_recorded_is_named(folder: Path) -> None:
    ann = card(folder, {"Open the door.": "takes/door.wav"})
    with pytest.raises(InputError, match=r"speaker/ann: no recording of 'Close the door\.'"):
        Engine().speak("Close the door.", ann, 0)


@pytest.mark.parametrize("name", ["../secret.wav", "takes/../../secret.wav", "{absolute}"])
def test_a_path_out_of_the_folder_is_refused(folder: Path, name: str) -> None:
    name = name.format(absolute=folder.parent / "secret.wav")
    with pytest.raises(InputError, match=r"Open the door.*'secret\.wav' leaves the card's folder"):
        speak(folder, name)


def test_a_link_out_of_the_folder_is_refused(folder: Path) -> None:
    (folder / "link.wav").symlink_to(folder.parent / "secret.wav")
    with pytest.raises(InputError, match=r"'link\.wav' leaves the card's folder"):
        speak(folder, "link.wav")
    (folder / "elsewhere").symlink_to(folder.parent)
    with pytest.raises(InputError, match="leaves the card's folder"):
        speak(folder, "elsewhere/secret.wav")


def test_a_link_within_the_folder_is_followed(folder: Path) -> None:
    (folder / "link.wav").symlink_to(folder / "takes" / "door.wav")
    assert len(speak(folder, "link.wav").samples) == RATE


def test_a_folder_whose_name_begins_alike_is_another_folder(folder: Path) -> None:
    (folder.parent / "speaker2").mkdir()
    soundfile.write(folder.parent / "speaker2" / "a.wav", noise(1), RATE)
    with pytest.raises(InputError, match="leaves the card's folder"):
        speak(folder, "../speaker2/a.wav")


def test_an_index_out_of_the_folder_is_refused(folder: Path) -> None:
    ann = card(folder, {}, index="../index.json")
    with pytest.raises(InputError, match=r"'index\.json' leaves the card's folder"):
        Engine().speak("a", ann, 0)


@pytest.mark.parametrize("name", ["nowhere.wav", "takes"])
def test_a_file_that_is_not_there_is_named(folder: Path, name: str) -> None:
    with pytest.raises(InputError, match=rf"speaker/ann: index\.json: .*'{name}' is not a file"):
        speak(folder, name)


@pytest.mark.parametrize("name", ["a\0b.wav", "x" * 5000])
def test_a_name_that_cannot_be_a_file_is_refused_in_one_line(folder: Path, name: str) -> None:
    with pytest.raises(InputError, match=r"speaker/ann: index\.json: 'Open the door") as caught:
        speak(folder, name)
    assert str(caught.value).isprintable()


@pytest.mark.parametrize("content", ["[]", '"a.wav"', '{"a": 1}', '{"a": ["a.wav"]}', "{", ""])
def test_an_index_that_is_not_text_to_file_is_refused(folder: Path, content: str) -> None:
    with pytest.raises(InputError, match=r"speaker/ann: index\.json: (allowed|not strict JSON)"):
        Engine().speak("a", card(folder, content), 0)


@pytest.mark.parametrize("second", ["Open the door.", "Open  the door. "])
def test_a_text_with_two_files_is_refused(folder: Path, second: str) -> None:
    # The second differs in white space alone, which does not tell texts apart.
    soundfile.write(folder / "other.wav", noise(2), RATE)
    content = f'{{"Open the door.": "takes/door.wav", "{second}": "other.wav"}}'
    with pytest.raises(InputError, match=r"index\.json: .*Open +the door.* twice"):
        Engine().speak("Open the door.", card(folder, content), 0)


def test_what_is_not_sound_is_named(folder: Path) -> None:
    (folder / "text.wav").write_text("this is text")
    with pytest.raises(AudioError, match=r"text\.wav: not a readable sound file"):
        speak(folder, "text.wav")


def test_a_text_is_keyed_by_its_own_recording_alone(folder: Path) -> None:
    engine = Engine()
    one = card(folder, {"a": "takes/door.wav"})
    before = engine.source_sha256("a", one)
    assert before == hashlib.sha256((folder / "takes" / "door.wav").read_bytes()).hexdigest()
    soundfile.write(folder / "takes" / "other.wav", noise(7), RATE)
    assert engine.source_sha256("a", one) == before
    soundfile.write(folder / "takes" / "door.wav", noise(2), RATE)
    assert engine.source_sha256("a", one) != before


def test_provenance_names_engine_and_licence(folder: Path) -> None:
    found = Voice(card(folder, {"a": "takes/door.wav"}), Engine()).provenance
    assert (found.engine, found.voice_license) == ("recorded", "CC-BY-4.0")


def test_a_recording_is_trimmed_over_its_noise(folder: Path) -> None:
    # Half a second of speech in two seconds of room noise 40 dB below it.
    take = noise(3, 2 * RATE) * 0.01
    take[RATE : RATE + RATE // 2] += noise(4, RATE // 2)
    soundfile.write(folder / "take.wav", take, RATE, subtype="FLOAT")
    said = Voice(card(folder, {"a": "take.wav"}), Engine()).say("a")
    assert said.sampling_rate == 16000
    assert said.window.num_samples == pytest.approx(8000, abs=640)
    note = said.note("trim")
    assert note is not None
    assert note["leading_samples"] == pytest.approx(16000 - 320, abs=160)


def test_the_dc_offset_of_a_recording_is_not_heard(folder: Path) -> None:
    # Cut out and high-passed, an offset as large as the speech must not leave a thump.
    take = np.full(2 * RATE, 0.1)
    take[RATE : RATE + RATE // 2] += noise(4, RATE // 2)
    soundfile.write(folder / "take.wav", take, RATE, subtype="FLOAT")
    said = Voice(card(folder, {"a": "take.wav"}), Engine()).say("a")
    assert said.window.num_samples == pytest.approx(8000, abs=640)
    speech = np.std(said.samples[slice(*said.window)])
    assert np.abs(said.samples[: said.window.start - 160]).max() < 0.01 * speech
    assert np.abs(said.samples[said.window.end + 320 :]).max() < 0.01 * speech


def test_a_recording_without_samples_is_refused(folder: Path) -> None:
    soundfile.write(folder / "empty.wav", np.zeros(0), RATE)
    with pytest.raises(AudioError, match=r"^empty\.wav: 0 samples$"):
        Voice(card(folder, {"a": "empty.wav"}), Engine()).say("a")


@pytest.mark.parametrize("num_samples", [1, RATE])
def test_a_recording_without_sound_is_refused_as_silence(folder: Path, num_samples: int) -> None:
    soundfile.write(folder / "empty.wav", np.zeros(num_samples), RATE)
    with pytest.raises(SilenceError, match="no speech"):
        Voice(card(folder, {"a": "empty.wav"}), Engine()).say("a")


def test_refusals_are_synthkit_errors(folder: Path) -> None:
    with pytest.raises(SynthkitError):
        speak(folder, None)


def test_texts_by_id_and_files_by_speaker(folder: Path) -> None:
    texts = {"a1": "Open the door.", "a2": "It\u2019s late.", "a3": "Not read by Ann."}
    (folder / "texts.json").write_text(json.dumps(texts), encoding="utf-8")
    (folder / "ann").mkdir()
    for number, text_id in enumerate(("a1", "a2"), start=1):
        soundfile.write(folder / "ann" / f"{text_id}.wav", noise(number), RATE, subtype="FLOAT")
    ann = dataclasses.replace(
        card(folder, {}), parameters={"texts": "texts.json", "files": "ann/{text_id}.wav"}
    )
    spoken = Voice(ann, Engine()).speak("It's late.")  # whatever the apostrophe
    np.testing.assert_allclose(spoken.samples, noise(2), atol=1e-7)
    with pytest.raises(InputError, match=r"'Not read by Ann\.': 'a3\.wav' is not a file"):
        Voice(ann, Engine()).speak("Not read by Ann.")
    assert [path.name for path in Engine().files(ann)] == ["texts.json", "a1.wav", "a2.wav"]


@pytest.mark.parametrize("text_id", ["../../secret", "a/../../../secret"])
def test_a_text_id_leads_nowhere_else(folder: Path, text_id: str) -> None:
    (folder / "texts.json").write_text(json.dumps({text_id: "Open the door."}), encoding="utf-8")
    ann = dataclasses.replace(
        card(folder, {}), parameters={"texts": "texts.json", "files": "takes/{text_id}.wav"}
    )
    with pytest.raises(InputError, match=r"leaves the card's folder|no recording of"):
        Voice(ann, Engine()).speak("Open the door.")


def test_all_that_is_missing_is_told_before_any_work(tmp_path: Path) -> None:
    """Two speakers who have read one text of four between them."""
    voices = []
    for name in ("ann", "bob"):
        home = tmp_path / name
        home.mkdir()
        soundfile.write(home / "door.wav", noise(1), RATE)
        (home / "index.json").write_text('{"Open the door.": "door.wav"}')
        values = {
            k: v
            for k, v in card(home, '{"Open the door.": "door.wav"}').describe().items()
            if k != "id"
        }
        (home / "speaker.toml").write_text(tomli_w.dumps(values))
        voices.append(f"{name}/speaker.toml")
    rows = [
        {"id": f"c{n}", "tool": "door", "context": context, "trigger": "Open the door."}
        for n, context in enumerate(("It is late.", "I am home."))
    ]
    (tmp_path / "script.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    recipe = (DATA / "eight_tone.toml").read_text(encoding="utf-8")
    (tmp_path / "recipe.toml").write_text(recipe, encoding="utf-8")
    overrides = ['scripts="script.jsonl"', f"voices={json.dumps(voices)}"]
    plan = make_plan(read_recipe(tmp_path / "recipe.toml", overrides))
    with pytest.raises(InputError) as caught:
        generate(plan, tmp_path / "out")
    told = str(caught.value)
    assert told.startswith("2 texts cannot be said: ")
    for text in ("It is late.", "I am home."):
        assert f"no recording of '{text}'" in told
    assert not (tmp_path / "out").exists()


def test_a_long_list_of_what_is_missing_is_told_to_its_end(folder: Path) -> None:
    refusals = [f"voice speaker/ann: no recording of 'Text {number}.'" for number in range(100)]
    told = str(UnspeakableError(tuple(refusals)))
    assert told.startswith("100 texts cannot be said: ")
    assert told.endswith(refusals[-1])
    assert len(told.splitlines()) == 1


def test_an_index_that_changed_is_read_again(folder: Path) -> None:
    ann = card(folder, {"a": "takes/door.wav"})
    with pytest.raises(InputError, match="no recording of 'b'"):
        Engine().check("b", ann)
    Engine().check("b", card(folder, {"a": "takes/door.wav", "b": "takes/door.wav"}))


def test_a_text_id_too_long_for_a_file_is_refused_in_one_line(folder: Path) -> None:
    (folder / "texts.json").write_text(json.dumps({"x" * 5000: "Hi."}), encoding="utf-8")
    ann = dataclasses.replace(
        card(folder, {}), parameters={"texts": "texts.json", "files": "{text_id}.wav"}
    )
    with pytest.raises(InputError, match="is no file name"):
        Voice(ann, Engine()).speak("Hi.")
    assert Engine().files(ann) == (folder / "texts.json",)
