"""Recognition hears whether a recording says its prompt."""

from __future__ import annotations

import json
from pathlib import Path

import soundfile

from synthkit.importing.run import Given, import_recordings
from synthkit.importing.take import Settings
from synthkit.importing.words import whisper
from synthkit.speech.voice import voice

TEXTS = {
    "right": "Unlock the back door before the children come home.",
    "wrong": "Remind me to water the plants tomorrow morning.",
}


def test_words_of_the_prompt_are_retained_and_others_rejected(tmp_path: Path) -> None:
    target = {"action": "mute"}
    with (tmp_path / "talk.jsonl").open("w") as file:
        for id_, text in TEXTS.items():
            said = [{"to": "assistant", "text": text}]
            row = {"id": id_, "family": "side_talk", "configuration": "assistant_first"}
            file.write(json.dumps(row | {"utterances": said, "target": target}) + "\n")
    (tmp_path / "in").mkdir()
    other = "Somebody left the lights on in the garage again."
    for id_, text in {**TEXTS, "wrong": other}.items():
        audio = voice("heart/mom").speak(text)
        soundfile.write(tmp_path / "in" / f"{id_}.wav", 0.7 * audio.samples, audio.sampling_rate)
    given = Given(tmp_path / "in", tmp_path / "talk.jsonl")
    outcome = import_recordings(given, tmp_path / "out", Settings(), whisper())
    right, wrong = outcome.rows
    assert (right["status"], right["wer"]) == ("retained", 0.0)
    assert [reason["check"] for reason in wrong["reasons"]] == ["words"]
    assert "lights" in wrong["transcript"]
