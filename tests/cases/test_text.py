"""Faults that other tools had in public: blank texts, emoji, decimals and kinds of quotes."""

# ruff: noqa: RUF001 - characters that look alike are what is tested

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import soundfile
from click.testing import CliRunner

from synthkit.cli import main
from synthkit.speech.base import SpeechEngine
from synthkit.speech.cards import VoiceCard
from synthkit.speech.engines import engine
from synthkit.speech.english import sentences
from synthkit.speech.voice import voice
from tests.conftest import DATA, rows_of
from tests.homes import program_card

ENGINES = ("hibari", "tone", "command")
PROGRAM = """
import io, random, sys, wave
text = sys.stdin.buffer.read()
out = io.BytesIO()
with wave.open(out, "wb") as file:
    file.setparams((1, 2, 16000, 0, "NONE", ""))
    file.writeframes(random.Random(text).randbytes(2 * 800 * len(text)))
sys.stdout.buffer.write(out.getvalue())
"""


def voices(name: str, folder: Path) -> list[str]:
    """Two voices of an engine, by id or path."""
    if name == "hibari":
        return ["heart/mom", "heart/dad"]
    if name == "tone":
        return [str(DATA / "voices" / "tone" / f"{voice}.toml") for voice in ("low", "high")]
    own = folder / "own"
    own.mkdir(exist_ok=True)
    (own / "say.py").write_text(PROGRAM, encoding="utf-8")
    for stem in ("one", "two"):
        card = program_card(sys.executable, "say.py")
        (own / f"{stem}.toml").write_text(card, encoding="utf-8")
    return [str(own / f"{stem}.toml") for stem in ("one", "two")]


@pytest.fixture(params=ENGINES)
def make(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[..., tuple[int, str, Path]]:
    """Make a set of the triggers given: exit code, what was said, and the folder."""

    def generate(name: str, *triggers: str) -> tuple[int, str, Path]:
        rows = [
            {"id": f"row{i}", "tool": "light", "context": "Good morning.", "trigger": trigger}
            for i, trigger in enumerate(triggers)
        ]
        script = tmp_path / f"{name}.jsonl"
        script.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
        recipe = tmp_path / f"{name}.toml"
        recipe.write_text(
            f"""name = "case"
scripts = {json.dumps(str(script))}
seed = 1
voices = {json.dumps(voices(request.param, tmp_path))}
grid = "pair"
[fields]
near = []
far = [{{ renderer = "lowpass", cutoff = 4000 }}]
"""
        )
        out = tmp_path / name
        result = CliRunner().invoke(
            main, ["generate", str(recipe), "--out", str(out), "--no-cache"]
        )
        return result.exit_code, result.output, out

    return generate


@pytest.fixture
def never(monkeypatch: pytest.MonkeyPatch) -> None:
    """No engine speaks."""

    def speak(self: SpeechEngine, text: str, card: VoiceCard, seed: int) -> None:
        raise AssertionError(f"spoke {text!r}")

    for name in ENGINES:
        monkeypatch.setattr(type(engine(name)), "speak", speak)


@pytest.mark.usefixtures("never")
@pytest.mark.parametrize("blank", ["", "   ", "...", "😀"])
def test_a_text_of_nothing_to_say_is_refused_with_its_row(
    make: Callable[..., tuple[int, str, Path]], blank: str
) -> None:
    # Open-LLM-VTuber/Open-LLM-VTuber#37, mozilla/TTS#705: crashes and WAVs of 0 samples.
    code, said, out = make("blank", "Turn on the light.", blank)
    assert code == 2
    assert "blank.jsonl: row 2: field trigger: found" in said
    assert "Traceback" not in said
    assert said.count("\n") == 1
    assert not out.exists()


def test_rows_with_emoji_are_said_without_and_change_no_other_row(
    make: Callable[..., tuple[int, str, Path]],
) -> None:
    # espeak-ng says "grinning face", others nothing: here no voice says it.
    code, said, plain = make("plain", "Turn on the light.")
    assert code == 0, said
    code, said, mixed = make("mixed", "Turn on the light.", "Turn it on 😀")
    assert code == 0, said
    ordinary, emoji = rows_of(plain)["row0"], rows_of(mixed)["row1"]
    assert {c: row["sha256"] for c, row in ordinary.items()} == {
        c: row["sha256"] for c, row in rows_of(mixed)["row0"].items()
    }
    assert {row["texts"]["trigger"] for row in emoji.values()} == {"Turn it on 😀"}
    for path in mixed.rglob("*.wav"):
        assert soundfile.info(path).frames > 16000


@pytest.mark.parametrize("name", ENGINES)
@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("Turn it on 😀", "Turn it on"),
        ("Please don’t stop.", "Please don't stop."),
        ("Say “turn on” now.", "Say turn on now."),
        ("Set it to 3.14 then stop.", "Set it to three point one four then stop."),
        ("Pay 1,000 now.", "Pay one thousand now."),
    ],
)
def test_texts_that_read_alike_sound_alike(tmp_path: Path, name: str, text: str, same: str) -> None:
    # hexgrad/kokoro#337, FluidInference/FluidAudio#774.
    for reference in voices(name, tmp_path):
        one = voice(reference)
        assert one.spoken_text(text) == one.spoken_text(same) == same
        assert one.check(text) == one.check(same)
        first, second = (one.speak(t, 3).samples.tobytes() for t in (text, same))
        assert first == second


def test_a_dot_in_a_number_ends_no_sentence() -> None:
    # hexgrad/kokoro#337: "3.14" became two sentences, "three" and "fourteen".
    text = "Set it to 3.14 then stop. Thanks."
    assert sentences(text) == ["Set it to 3.14 then stop.", "Thanks."]


def test_what_is_written_down_is_the_users_own_spelling(
    make: Callable[..., tuple[int, str, Path]],
) -> None:
    texts = ["Don’t say “on” at 3.14.", 'Don\'t say "on" at 1,000…']
    code, said, out = make("spelling", *texts)
    assert code == 0, said
    for number, text in enumerate(texts):
        for row in rows_of(out)[f"row{number}"].values():
            assert row["texts"]["trigger"] == text
