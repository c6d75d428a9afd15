"""Sets of a few rows by the tone engine, made by the command line as a user makes them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.commands import synthkit
from tests.conftest import DATA

VOICES = [str(DATA / "voices" / "tone" / f"{voice}.toml") for voice in ("low", "high")]
ROW = {"tool": "light", "context": "Good morning.", "trigger": "Lamp on."}


def write_recipe(path: Path, script: Path, *lines: str, voices: Sequence[str] = VOICES) -> Path:
    """A recipe of the pair grid beside its script; ``lines`` come before its fields."""
    more = "".join(f"{line}\n" for line in lines if not line.startswith("far = "))
    far = next((line for line in lines if line.startswith("far = ")), None)
    path.write_text(
        f'name = "case"\nscripts = {json.dumps(str(script))}\n'
        f"voices = {json.dumps(list(voices))}\n"
        + ("" if "seed =" in more else "seed = 7\n")
        + ("" if "grid" in more else 'grid = "pair"\n')
        + f"{more}[fields]\nnear = []\n"
        + (far or 'far = [{ renderer = "lowpass", cutoff = 4000 }]'),
        encoding="utf-8",
    )
    return path


def write_jsonl(path: Path, rows: Sequence[Mapping[str, object]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def run(*args: object) -> tuple[int, str]:
    """Exit code and all that was said of a command; what it raises is raised."""
    result = synthkit(*args)
    return result.exit_code, result.output


def generate(recipe: Path, out: Path, *args: object) -> tuple[int, str]:
    return run("generate", recipe, "--out", out, "--no-cache", *args)
