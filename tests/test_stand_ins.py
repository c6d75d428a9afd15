"""Stand-ins: prompts spoken by voices in turn, marked as synthetic before the first of them."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
import soundfile
from click.testing import CliRunner, Result

from synthkit import stand_ins
from synthkit.cli import main
from synthkit.scripts.prompts import Prompt
from synthkit.speech.voice import voice
from tests.homes import programs

TONES = Path(__file__).parent / "data" / "voices" / "tone"
LOW, MID, HIGH = (str(TONES / f"{name}.toml") for name in ("low", "mid", "high"))
PARTS = ("Call Anna.", "Pass me the salt, please.")


def talk(path: Path, count: int, parts: tuple[str, ...] = PARTS) -> Path:
    rows = [
        {
            "id": f"s{i}",
            "family": "side_talk",
            "configuration": "assistant_first_tool_tool",
            "utterances": [
                {"to": to, "text": text}
                for to, text in zip(("assistant", "bystander"), parts, strict=False)
            ],
            "target": {"action": "mute"},
        }
        for i in range(count)
    ]
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return path


def speak(script: Path, voices: str, out: Path, *more: str) -> Result:
    arguments = ["scripts", "speak", str(script), "--voices", voices, "--out", str(out), *more]
    return CliRunner().invoke(main, arguments)


def test_each_prompt_is_a_wav_of_its_id_and_the_record_says_it_is_synthetic(
    tmp_path: Path,
) -> None:
    out = tmp_path / "out"
    run = speak(talk(tmp_path / "talk.jsonl", 5), f"{LOW},{HIGH}", out, "--limit", "3")
    assert run.exit_code == 0, run.output
    assert "3 synthetic stand-ins" in run.output
    assert sorted(path.name for path in out.iterdir()) == [
        "s0.wav", "s1.wav", "s2.wav", "stand_ins.json"
    ]  # fmt: skip
    record = json.loads((out / "stand_ins.json").read_text(encoding="utf-8"))
    assert (record["schema_version"], record["synthetic"]) == (1, True)
    assert record["license"] == "CC0-1.0"
    assert {v["engine"] for v in record["voices"].values()} == {"tone"}
    assert set(record["voices"]) == {"tone/low", "tone/high"}
    assert list(record["recordings"]) == ["s0", "s1", "s2"]
    for name, said in record["recordings"].items():
        content = (out / f"{name}.wav").read_bytes()
        assert said["text"] == " ".join(PARTS)
        assert said["voice"] in record["voices"]
        assert said["sha256"] == hashlib.sha256(content).hexdigest()
        info = soundfile.info(out / f"{name}.wav")
        assert (info.samplerate, info.channels, info.subtype) == (16000, 1, "PCM_16")


def test_utterances_are_joined_by_a_pause_of_silence(tmp_path: Path) -> None:
    prompt = Prompt("p", "p", tuple(zip(("assistant", "bystander"), PARTS, strict=True)), "en-US")
    clip = stand_ins.clip(prompt, voice(LOW))
    first, second = clip.segments
    (gap,) = clip.gaps
    assert gap.span == (first.span.end, second.span.start)
    assert gap.span.num_samples == 4800  # 300 ms at 16 kHz
    assert not clip.pcm[gap.span.start : gap.span.end].any()
    # 200 ms after the speech and 20 ms before it; halves of a frame may be on either side.
    assert second.speech.start - first.speech.end == pytest.approx(8320, abs=160)
    level = 20 * np.log10(np.sqrt(np.mean((clip.pcm[slice(*first.speech)] / 32768.0) ** 2)))
    assert level == pytest.approx(-20, abs=0.01)


def test_a_commands_parts_are_two_recordings(tmp_path: Path) -> None:
    script = tmp_path / "c.jsonl"
    row = {"id": "c1", "tool": "t", "context": "It is late.", "trigger": "Call Anna."}
    script.write_text(json.dumps(row) + "\n")
    run = speak(script, LOW, tmp_path / "out")
    assert run.exit_code == 0, run.output
    record = json.loads((tmp_path / "out" / "stand_ins.json").read_text())
    assert {k: v["text"] for k, v in record["recordings"].items()} == {
        "c1__context": "It is late.",
        "c1__trigger": "Call Anna.",
    }


def test_voices_come_in_rounds_that_appended_prompts_do_not_change() -> None:
    cast = [voice(path) for path in (LOW, MID, HIGH)]
    prompts = [Prompt(f"p{i}", f"p{i}", (("nobody", "Hm."),), "en-US") for i in range(31)]
    dealt = [v.card.id for _, v in stand_ins.deal_voices(prompts, cast)]
    for start in range(0, 30, 3):
        assert len(set(dealt[start : start + 3])) == 3
    assert sorted(Counter(dealt).values()) == [10, 10, 11]
    assert [v.card.id for _, v in stand_ins.deal_voices(prompts[:20], cast)] == dealt[:20]
    # No voice has its fixed place in a round.
    assert len(set(dealt[0:30:3])) == 3


def test_the_same_again_elsewhere_is_the_same_to_the_byte(tmp_path: Path) -> None:
    script = talk(tmp_path / "talk.jsonl", 3)
    for name in ("a", "b"):
        assert speak(script, f"{LOW},{MID}", tmp_path / name).exit_code == 0
    files = {p.name: p.read_bytes() for p in (tmp_path / "a").iterdir()}
    assert files == {p.name: p.read_bytes() for p in (tmp_path / "b").iterdir()}


@pytest.mark.parametrize(
    ("voices", "language", "found"),
    [
        ("heart/nobody", "en-US", "voice 'heart/nobody' is unknown"),
        (f"{LOW},{LOW}", "en-US", "stands twice"),
        (LOW, "de-DE", "field language: found de-DE"),
        (",", "en-US", "voice"),
    ],
)
def test_voices_that_cannot_say_it_are_refused_before_any_file(
    tmp_path: Path, voices: str, language: str, found: str
) -> None:
    script = talk(tmp_path / "talk.jsonl", 3)
    rows = [json.loads(line) | {"language": language} for line in script.read_text().splitlines()]
    script.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    run = speak(script, voices, tmp_path / "out")
    assert (run.exit_code, run.output.count("\n")) == (2, 1)
    assert found in run.output
    assert not (tmp_path / "out").exists()


def test_a_folder_that_holds_anything_is_left_as_it_is(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "s0.wav").write_bytes(b"a person's")
    script = talk(tmp_path / "talk.jsonl", 1)
    for place in (out, out / "s0.wav"):
        run = speak(script, LOW, place)
        assert (run.exit_code, run.output.count("\n")) == (2, 1)
        assert "holds other files" in run.output
    assert {path.name: path.read_bytes() for path in out.iterdir()} == {"s0.wav": b"a person's"}


def test_what_fails_is_named_and_not_in_the_record_and_all_else_is_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = talk(tmp_path / "talk.jsonl", 3)
    out = tmp_path / "out"
    clip = stand_ins.clip
    marked = []

    def failing(prompt: Prompt, own: object) -> object:
        # The mark is there before any sound is.
        marked.append(set(json.loads((out / "stand_ins.json").read_text())["recordings"]))
        if prompt.id == "s1":
            raise stand_ins.SynthkitError("no speech")
        return clip(prompt, own)  # type: ignore[arg-type]

    monkeypatch.setattr(stand_ins, "clip", failing)
    run = speak(script, LOW, out)
    assert run.exit_code == 1
    assert "prompt s1: no speech" in run.output
    assert marked == [{"s0", "s1", "s2"}] * 3
    assert sorted(path.stem for path in out.glob("*.wav")) == ["s0", "s2"]
    assert list(json.loads((out / "stand_ins.json").read_text())["recordings"]) == ["s0", "s2"]


def test_the_cast_that_comes_along_speaks_both_families(tmp_path: Path) -> None:
    for family in ("side_talk", "self_talk"):
        script = Path(__file__).parents[1] / "examples" / f"{family}.jsonl"
        run = speak(script, "heart/mom,heart/dad", tmp_path / family, "--limit", "2")
        assert run.exit_code == 0, run.output
        for path in (tmp_path / family).glob("*.wav"):
            assert 1.0 < soundfile.info(path).duration < 20.0


def test_an_own_programs_voices_stand_in_too(tmp_path: Path) -> None:
    cards = programs(tmp_path)
    run = speak(
        talk(tmp_path / "talk.jsonl", 2),
        ",".join(str(tmp_path / name) for name in cards),
        tmp_path / "out",
    )
    assert run.exit_code == 0, run.output
