"""A recipe with its script that a test may change, and a program that speaks."""

from __future__ import annotations

import json
import sys
from pathlib import Path

TOOLS = ("lamp", "door")
# Noise of a length that goes by the text, and in the environment: a log of what was said, and a
# word at which the process that asked for it is killed, until a file is there.
PROGRAM = """
import os, sys, zlib
text = sys.stdin.buffer.read()
if os.environ.get("SAID"):
    with open(os.environ["SAID"], "ab") as file:
        file.write(text)
poison = os.environ.get("POISON", "").encode()
if poison and poison in text and not os.path.exists(os.environ["CURE"]):
    os.kill(os.getppid(), 9)
state, noise = zlib.crc32(text + sys.argv[1].encode()), bytearray()
for _ in range(400 * len(text)):
    state = (1664525 * state + 1013904223) % 2**32
    noise += (state >> 16).to_bytes(2, "little")
sizes = [n.to_bytes(4, "little") for n in (36 + len(noise), 16, 65537, 16000, 32000, len(noise))]
sys.stdout.buffer.write(
    b"RIFF" + sizes[0] + b"WAVEfmt " + sizes[1] + sizes[2] + sizes[3] + sizes[4]
    + b"\\2\\0\\x10\\0data" + sizes[5] + noise
)
"""
CARD = """name = "Own"
description = ""
engine = "command"
language = "en-US"
checkpoint = "own"
processing = "none"
code_license = "MIT"
voice_license = "CC0-1.0"
attribution = ""
[parameters]
program = PROGRAM
args = ARGS
deterministic = true
"""


def program_card(program: str, *args: str) -> str:
    """The card of a voice whose engine is a program that says the same each time."""
    return CARD.replace("PROGRAM", json.dumps(program)).replace("ARGS", json.dumps(args))


class Home:
    """A folder with a recipe and its script."""

    def __init__(self, folder: Path, voices: list[str]) -> None:
        self.recipe, self.script = folder / "recipe.toml", folder / "script.jsonl"
        self._voices = voices
        self.write_recipe()

    def write_recipe(self, grid: str = "pair", name: str = "case", extra: str = "") -> None:
        self.recipe.write_text(
            f'name = "{name}"\nscripts = "script.jsonl"\nseed = 1\n'
            f'voices = {json.dumps(self._voices)}\ngrid = "{grid}"\n{extra}\n[fields]\nnear = []\n'
            "far = [{ renderer = 'lowpass', cutoff = 4000 }]\n"
        )

    def write_script(self, count: int, **changed: str) -> None:
        """``count`` commands; ``c3="words"`` gives that command another trigger."""
        rows = [
            {
                "id": f"c{i}",
                "tool": TOOLS[i % 2],
                "context": f"I was in the kitchen at {i}.",
                "trigger": changed.get(f"c{i}", f"Turn on lamp number {i}."),
            }
            for i in range(count)
        ]
        self.script.write_text("".join(f"{json.dumps(row)}\n" for row in rows))


def programs(folder: Path) -> list[str]:
    """Two voices of a program, by their cards in ``folder``."""
    (folder / "say.py").write_text(PROGRAM)
    for stem in ("one", "two"):
        card = program_card(sys.executable, "-I", "-S", "say.py", stem)
        (folder / f"{stem}.toml").write_text(card)
    return ["one.toml", "two.toml"]
