"""The command engine: somebody else's program, run without a shell, its output not trusted."""

from __future__ import annotations

import json
import os
import shutil
import stat
import struct
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from synthkit import schemas
from synthkit.cli import main
from synthkit.errors import AudioError, InputError, SynthkitError
from synthkit.speech.cards import VoiceCard, voice_card
from synthkit.speech.engines.command import Engine, process
from synthkit.speech.voice import Voice, of_card, voice
from synthkit.wav import wav_bytes
from tests.conftest import ROOT
from tests.homes import program_card

RATE = 22050
# A program as a user would write one: it hums as long as the text is, and notes what it was given.
SAY = """
import io, json, os, struct, sys, wave
text = sys.stdin.buffer.read()
with open("seen.jsonl", "a", encoding="utf-8") as seen:
    seen.write(json.dumps([text.decode("utf-8"), sys.argv[1:], os.environ.get("MINE")]) + "\\n")
num_samples = 800 * len(text)
noise = [((i * 7919 + len(text)) % 401 - 200) * 40 for i in range(num_samples)]
out = io.BytesIO()
with wave.open(out, "wb") as file:
    file.setparams((1, 2, 22050, 0, "NONE", ""))
    file.writeframes(struct.pack(f"<{num_samples}h", *noise))
"""
TO_STDOUT = f"{SAY}sys.stdout.buffer.write(out.getvalue())\n"
TO_FILE = (
    f"{SAY}print('done'); open(sys.argv[sys.argv.index('-o') + 1], 'wb').write(out.getvalue())\n"
)


@pytest.fixture
def make(tmp_path: Path) -> Callable[..., VoiceCard]:
    """Make a card whose program is Python running ``code``, a file beside the card."""

    def card(code: str, *args: str, **parameters: object) -> VoiceCard:
        folder = tmp_path / "own"
        folder.mkdir(exist_ok=True)
        (folder / "say.py").write_text(code, encoding="utf-8")
        values = {"program": sys.executable, "args": ["say.py", *args], **parameters}
        schemas.check(values, "engine-command", "card")
        return VoiceCard(
            id="own/me",
            name="Me",
            description="",
            engine="command",
            language="en-US",
            checkpoint="own",
            processing="none",
            code_license="MIT",
            voice_license="CC0-1.0",
            attribution="",
            parameters=values,
            folder=folder,
        )

    return card


def speak(card: VoiceCard, text: str = "Open the door.", seed: int = 0) -> np.ndarray:
    return Voice(card, Engine()).speak(text, seed).samples


def seen(card: VoiceCard) -> list[list[object]]:
    lines = (card.folder / "seen.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def hum(num_bytes: int) -> np.ndarray:
    """What SAY makes of a text of so many bytes."""
    i = np.arange(800 * num_bytes)
    return ((i * 7919 + num_bytes) % 401 - 200) * 40 / 32768


def test_the_text_is_one_line_of_utf8_on_standard_input(make: Callable[..., VoiceCard]) -> None:
    card = make(TO_STDOUT)
    spoken = Voice(card, Engine()).speak("Öffne\n die  Tür")
    assert spoken.sampling_rate == RATE
    np.testing.assert_array_equal(spoken.samples, hum(len("Öffne die Tür\n".encode())))
    assert seen(card) == [["Öffne die Tür\n", [], None]]


def test_seed_and_file_stand_in_arguments_and_the_text_never(
    make: Callable[..., VoiceCard], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MINE", "yes")
    card = make(TO_FILE, "--seed={seed}", "-o", "{out}", "$(touch x); {x}")
    spoken = Engine().speak("--help $HOME `id`; touch x", card, 17).samples
    np.testing.assert_array_equal(spoken, hum(27))
    ((text, args, mine),) = seen(card)
    assert (text, mine) == ("--help $HOME `id`; touch x\n", "yes")
    assert args[:2] == ["--seed=17", "-o"]
    assert args[3] == "$(touch x); {x}"
    assert not Path(str(args[2])).exists()  # the temporary file is gone
    assert not (card.folder / "x").exists()


@pytest.mark.parametrize("riff", [0, 0x7FFFF024, 0xFFFFFFFF])
@pytest.mark.parametrize("data", [0, 0x7FFFF000, 0xFFFFFFFF])
def test_a_streams_header_does_not_tell_the_length(
    make: Callable[..., VoiceCard], riff: int, data: int
) -> None:
    pcm = (1000 * np.sin(np.arange(5000))).astype(np.int16)
    wav = bytearray(wav_bytes(pcm, RATE))
    struct.pack_into("<I", wav, 4, riff)
    struct.pack_into("<I", wav, 40, data)
    card = make(f"import sys; sys.stdout.buffer.write({bytes(wav)!r})")
    np.testing.assert_array_equal(speak(card), pcm / 32768)


BAD = {
    "exit code": ("import sys; sys.exit('no model\\nfound')", r"exit code 1: found$"),
    "signal": ("import os; os.kill(os.getpid(), 9)", "killed by signal 9"),
    "nothing": ("import sys; print('hm', file=sys.stderr)", "wrote no sound: hm"),
    "text": ("print('Hello')", r"found b'Hello\\n'; allowed: a WAV"),
    "mp3": ("import sys; sys.stdout.buffer.write(b'ID3' + bytes(99))", "allowed: a WAV"),
    "header alone": ("print(end='RIFF....WAVEfmt ')", "not a readable sound file"),
    "escape": ("import sys; sys.exit('\\x1b[31mred')", r"exit code 1: \\x1b\[31mred"),
}


@pytest.mark.parametrize(("code", "message"), BAD.values(), ids=BAD)
def test_a_program_that_fails_is_told_in_one_line(
    make: Callable[..., VoiceCard], code: str, message: str
) -> None:
    with pytest.raises(AudioError, match=rf"^voice own/me: python\S*: .*{message}") as caught:
        speak(make(code))
    assert str(caught.value).isprintable()


def test_a_wav_that_was_cut_short_is_refused(make: Callable[..., VoiceCard]) -> None:
    wav = wav_bytes(np.ones(1000, np.int16), RATE)[:-500]
    with pytest.raises(AudioError, match="cut short: 750 of 1000 samples"):
        speak(make(f"import sys; sys.stdout.buffer.write({wav!r})"))


def test_no_file_where_one_was_promised(make: Callable[..., VoiceCard]) -> None:
    with pytest.raises(AudioError, match="wrote no sound"):
        speak(make(TO_STDOUT, "-o", "{out}x"))


@pytest.mark.skipif(os.name != "posix", reason="groups of processes are POSIX's")
def test_a_program_that_does_not_end_is_killed_with_its_children(
    make: Callable[..., VoiceCard], tmp_path: Path
) -> None:
    code = """
import os, subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
open("child", "w").write(str(child.pid))
print("loading", file=sys.stderr, flush=True)
time.sleep(600)
"""
    card = make(code, timeout_s=2)
    with pytest.raises(AudioError, match=r"not done after 2 s: loading"):
        speak(card)
    status = Path("/proc", (card.folder / "child").read_text(), "stat")
    if Path("/proc/self/stat").exists():
        # Gone, or dead and not yet taken away by the system.
        assert not status.exists() or ") Z " in status.read_text()


@pytest.mark.parametrize(
    "code",
    [
        "import sys\nwhile True: sys.stdout.buffer.write(bytes(65536))",
        "import sys\nwith open(sys.argv[1], 'wb') as f:\n  while True: f.write(bytes(65536))",
    ],
    ids=["standard output", "file"],
)
def test_output_without_end_is_cut_off(
    make: Callable[..., VoiceCard], monkeypatch: pytest.MonkeyPatch, code: str
) -> None:
    monkeypatch.setattr(process, "MAX_BYTES", 2**20)
    args = ["{out}"] if "argv" in code else []
    with pytest.raises(AudioError, match="wrote more than"):
        speak(make(code, *args))


def test_complaints_without_end_do_no_harm(make: Callable[..., VoiceCard]) -> None:
    code = f"import sys\nfor _ in range(300): print('x' * 9999, file=sys.stderr)\n{TO_STDOUT}"
    np.testing.assert_array_equal(speak(make(code)), hum(15))


def test_a_program_that_is_not_there_is_refused_before_any_work(
    make: Callable[..., VoiceCard],
) -> None:
    for name in ("no-such-speaker", "./no-such-speaker", "/no/such/speaker", "a\0b"):
        card = make(TO_STDOUT, program=name, install="pip install speaker")
        with pytest.raises(InputError, match="that can be run: pip install speaker") as caught:
            Voice(card, Engine()).check("Hello")
        assert "voice own/me is not on this machine" in str(caught.value)


@pytest.mark.skipif(os.name != "posix", reason="scripts are run by their first line")
def test_a_script_beside_the_card_is_a_program(make: Callable[..., VoiceCard]) -> None:
    card = make("", program="./speaker", args=["{out}"])
    script = card.folder / "speaker"
    script.write_text(f"#!{sys.executable}\n{TO_STDOUT}", encoding="utf-8")
    assert Engine().missing(card)  # while it may not be run
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    assert Engine().missing(card) is None
    assert Engine().files(card) == (script,)
    with pytest.raises(AudioError, match=r"speaker: wrote no sound"):  # it writes to stdout
        speak(card)


def test_a_program_in_no_format_is_told(make: Callable[..., VoiceCard]) -> None:
    card = make("", program="./speaker", args=[])
    (card.folder / "speaker").write_bytes(b"\0\1\2")
    (card.folder / "speaker").chmod(0o755)
    with pytest.raises(AudioError, match=r"speaker: cannot be started \(Exec format error\)"):
        Engine().speak("Hello", card, 0)


@pytest.mark.parametrize(
    ("code", "version"),
    [
        ("print('Speaker 1.52.0-dev  Data at: /home/me')", "Speaker 1.52.0-dev"),
        ("import sys; print('\\nspeaker  v7', file=sys.stderr)", "speaker v7"),
    ],
)
def test_the_version_is_what_the_program_says(
    make: Callable[..., VoiceCard], code: str, version: str
) -> None:
    card = make(code, version_args=["say.py", "--version"])
    assert Voice(card, Engine()).provenance.version == version


@pytest.mark.parametrize(
    ("code", "message"),
    [("", "says no version"), ("import sys; sys.exit('bad')", "exit code 1: bad")],
)
def test_a_program_without_a_version_is_refused(
    make: Callable[..., VoiceCard], code: str, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        Voice(make(code, version_args=["say.py"]), Engine()).check("Hello")


def test_files_of_the_card_count_and_others_do_not(make: Callable[..., VoiceCard]) -> None:
    card = make(TO_STDOUT, "../secret", "sub", "-v")
    (card.folder.parent / "secret").write_text("x")
    (card.folder / "sub").mkdir()
    engine = Engine()
    assert engine.files(card) == (card.folder / "say.py",)
    before = engine.model_sha256(card)
    assert engine.version(card).startswith("sha256 ")
    (card.folder / "say.py").write_text("# other\n")
    assert engine.model_sha256(card) != before


@pytest.mark.parametrize("promised", [True, False])
def test_the_same_sound_again_is_the_cards_promise(
    make: Callable[..., VoiceCard], promised: bool
) -> None:
    assert (
        Voice(make(TO_STDOUT, deterministic=promised), Engine()).provenance.deterministic
        is promised
    )
    assert Voice(make(TO_STDOUT), Engine()).provenance.deterministic is False


def test_what_changes_no_sound_asks_for_none_anew(make: Callable[..., VoiceCard]) -> None:
    def key(*args: str, **parameters: object) -> str:
        return Voice(make(TO_STDOUT, *args, **parameters), Engine()).key("Hello")

    assert key() == key(timeout_s=5, install="pip", deterministic=True) != key("-v")


def test_a_card_knows_its_fields() -> None:
    for wrong in ({"program": "x"}, {"program": "x", "args": "y"}, {"program": "", "args": []}):
        with pytest.raises(InputError):
            schemas.check(wrong, "engine-command", "card")


@pytest.mark.skipif(os.name != "posix", reason="scripts are run by their first line")
def test_a_set_carries_the_program_and_is_made_again_from_its_copy(tmp_path: Path) -> None:
    folder = tmp_path / "own"
    folder.mkdir()
    script = folder / "speaker"
    # A set holds no files but its own: this program writes none.
    code = TO_STDOUT.replace("seen.jsonl", os.devnull)
    script.write_text(f"#!{sys.executable}\n{code}", encoding="utf-8")
    script.chmod(0o755)
    for pitch in ("low", "high"):
        (folder / f"{pitch}.toml").write_text(program_card("./speaker", pitch))
    recipe = tmp_path / "recipe.toml"
    recipe.write_text(
        f"""name = "own"
scripts = "{ROOT / "examples" / "demo_commands.jsonl"}"
seed = 1
voices = ["own/low.toml", "own/high.toml"]
grid = "pair"
[fields]
near = []
far = [{{ renderer = "lowpass", cutoff = 4000 }}]
"""
    )
    run = CliRunner().invoke(main, ["generate", str(recipe), "--out", str(tmp_path / "one")])
    assert run.exit_code == 0, run.output
    again = tmp_path / "one" / "recipe" / "recipe.toml"
    shutil.rmtree(folder)
    run = CliRunner().invoke(
        main, ["generate", str(again), "--no-cache", "--out", str(tmp_path / "two")]
    )
    assert run.exit_code == 0, run.output
    sums = [(tmp_path / name / "SHA256SUMS").read_text() for name in ("one", "two")]
    assert sums[0] == sums[1]
    for name in ("one", "two"):
        assert CliRunner().invoke(main, ["verify", str(tmp_path / name)]).exit_code == 0


needs_espeak = pytest.mark.skipif(
    shutil.which("espeak-ng") is None, reason="espeak-ng is not installed"
)
ESPEAK = ("espeak/en_us", "espeak/en_us_f2", "espeak/en_us_m3")


@needs_espeak
def test_espeak_says_the_same_in_two_processes() -> None:
    code = f"""
import hashlib
from synthkit.speech.voice import voice
for name in {ESPEAK}:
    print(hashlib.sha256(voice(name).speak("Unlock the front door.").samples).hexdigest())
"""
    first, second = (
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True
        ).stdout
        for _ in range(2)
    )
    assert first == second
    assert len(set(first.split())) == 3


@needs_espeak
def test_espeak_speaks_long_lines_to_their_end() -> None:
    # It reads lines in parts of 1,000 characters unless it is told to read all of them at once.
    one, two = (voice("espeak/en_us").speak("unlock the front door, " * n) for n in (60, 120))
    assert two.num_samples == pytest.approx(2 * one.num_samples, rel=0.02)
    assert voice("espeak/en_us").say("Unlock the front door.").window.num_samples > 16000


def test_the_espeak_cards_make_fair_pairs_and_say_what_is_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cards = [voice_card(name) for name in ESPEAK]
    assert len({card.kind for card in cards}) == 1
    monkeypatch.setenv("PATH", "")
    with pytest.raises(SynthkitError, match="apt-get install espeak-ng"):
        of_card(cards[0]).check("Hello")
