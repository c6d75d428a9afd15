"""Planting: faults put into the WAVs of a finished set, and the set sealed again over them."""

from __future__ import annotations

import json
import shutil
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import soundfile
import tomli_w

from synthkit.assignments import Assignment
from synthkit.audio import SAMPLING_RATE, Audio, Pcm16, Samples, Span, from_pcm16, to_pcm16
from synthkit.generate import generate
from synthkit.manifest import Row
from synthkit.plan import make_plan
from synthkit.recipe import read_recipe
from synthkit.recipe_copy import RECIPE
from synthkit.renderers.level import Level
from synthkit.speech.cache import default_cache
from synthkit.wav import wav_bytes
from tests.audit.sealing import read_rows, seal, write_rows

ROLES = ("context", "trigger")
DBFS = -20.0


@dataclass(frozen=True, eq=False)
class Piece:
    """A segment by itself: 16-bit samples, and where its speech lies in them."""

    pcm: Pcm16
    speech: Span

    @property
    def samples(self) -> Samples:
        """As floats, full scale 1.0."""
        return from_pcm16(self.pcm)

    @property
    def audio(self) -> Audio:
        """For a renderer."""
        return Audio(self.samples, SAMPLING_RATE, self.speech)

    def levelled(self, samples: Samples, dbfs: float = DBFS) -> Piece:
        """Other samples, of the same length and speech window, at the level of the set."""
        return levelled(Audio(samples, SAMPLING_RATE, self.speech), dbfs)


def levelled(audio: Audio, dbfs: float = DBFS) -> Piece:
    """Audio with a speech window as a piece whose speech has ``dbfs``."""
    made = Level(dbfs)(audio)
    return Piece(to_pcm16(made.samples), made.window)


Change = Callable[[Piece], Piece]


class PlantedSet:
    """A copy of a set to plant faults in: its rows, its samples part by part, then :meth:`seal`.

    ``rows`` are plain dictionaries and may be edited; samples are read and put by row and role.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._start(read_rows(folder))

    def _start(self, rows: list[Row]) -> None:
        self.rows = rows
        self._pieces: dict[str, dict[str, Piece]] = {}
        self._gaps: dict[str, Pcm16] = {}
        self._touched: set[str] = set()
        self._chunks: dict[str, bytes] = {}

    @classmethod
    def copy(cls, base: Path, folder: Path, limit: int | None = None) -> PlantedSet:
        """A planted set in a new ``folder`` that starts as the one in ``base``.

        With ``limit`` it has the first commands alone, and its recipe says so.
        """
        kept = {row["command"] for row in read_rows(base)}
        if limit is not None:
            kept = set(list(dict.fromkeys(row["command"] for row in read_rows(base)))[:limit])

        def left_out(where: str, names: list[str]) -> set[str]:
            return set(names) - kept if Path(where) == base / "audio" else set()

        planted = cls(Path(shutil.copytree(base, folder, ignore=left_out)))
        if limit is not None:
            planted.rows = [row for row in planted.rows if row["command"] in kept]
            planted.edit_recipe(limit=limit)
        return planted

    def edit_recipe(self, **values: Any) -> None:
        """Give the set's own recipe other values at its top level; None takes one out."""
        path = self.folder / RECIPE
        found = {**tomllib.loads(path.read_text("utf-8")), **values}
        left = {name: value for name, value in found.items() if value is not None}
        path.write_text(tomli_w.dumps(left), "utf-8")

    @property
    def commands(self) -> list[str]:
        """Ids of the commands, in the set's order."""
        return list(dict.fromkeys(row["command"] for row in self.rows))

    def of(
        self, commands: str | Iterable[str] | None = None, modality: str = "audio", **factors: Any
    ) -> list[Row]:
        """Rows of these commands (default: all) at the levels named, such as ``field="far"``."""
        wanted = {commands} if isinstance(commands, str) else commands and set(commands)
        return [
            row
            for row in self.rows
            if row["modality"] == modality
            and (wanted is None or row["command"] in wanted)
            and all(row["factors"].get(name) == level for name, level in factors.items())
        ]

    def piece(self, row: Row, role: str) -> Piece:
        """The segment of ``role`` in a row's file."""
        self._read(row)
        return self._pieces[row["id"]][role]

    def put(self, rows: Iterable[Row], role: str, piece: Piece) -> None:
        """Give these rows another segment; what stands after it moves with its length."""
        for row in rows:
            self._read(row)
            self._pieces[row["id"]][role] = piece
            self._touched.add(row["id"])

    def change(self, rows: Iterable[Row], roles: Sequence[str], change: Change) -> None:
        """Put through ``change`` each of the rows' segments, those that were one as one."""
        made: dict[tuple[bytes, Span], Piece] = {}
        for row in rows:
            for role in roles:
                old = self.piece(row, role)
                key = old.pcm.tobytes(), old.speech
                if key not in made:
                    made[key] = change(old)
                self.put([row], role, made[key])

    def gap(self, row: Row) -> Pcm16:
        """The samples between a row's segments."""
        self._read(row)
        return self._gaps[row["id"]]

    def put_gap(self, row: Row, pcm: Pcm16) -> None:
        """Give a row another gap, of any length, silent or not."""
        self._read(row)
        self._gaps[row["id"]] = pcm
        self._touched.add(row["id"])

    def put_chunk(self, row: Row, name: bytes, content: bytes) -> None:
        """Put a RIFF chunk between format and sound of a row's file; an even number of bytes."""
        self._read(row)
        self._chunks[row["id"]] = name + len(content).to_bytes(4, "little") + content
        self._touched.add(row["id"])

    def swap(self, one: Row, other: Row) -> None:
        """Let two rows have one another's sound, as it is."""
        for row in (one, other):
            self._read(row)
        a, b = one["id"], other["id"]
        for kept in (self._pieces, self._gaps):
            kept[a], kept[b] = kept[b], kept[a]
        self._touched |= {a, b}

    def drop(self, rows: Iterable[Row]) -> None:
        """Take rows and their files out."""
        for row in list(rows):
            self.rows.remove(row)
            if row["file"]:
                (self.folder / row["file"]).unlink()

    def script(self) -> list[dict[str, Any]]:
        """The rows of the script that the set carries."""
        lines = (self.folder / "recipe" / "commands.jsonl").read_text("utf-8").splitlines()
        return [json.loads(line) for line in lines]

    def write_script(self, rows: Iterable[Mapping[str, Any]]) -> None:
        """Give the set another script; its own rows are not changed with it."""
        text = "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)
        (self.folder / "recipe" / "commands.jsonl").write_text(text, "utf-8")

    def replan(self, change: Callable[[list[Assignment]], list[Assignment]]) -> None:
        """Make again what differs when the set's assignments are put through ``change``.

        Nothing is planted by hand then: the set is one that synthkit made, of such assignments.
        """
        plan = make_plan(read_recipe(self.folder / RECIPE))
        changed = replace(plan, commands=tuple(change(list(plan.commands))))
        for gone in {row["file"] for row in self.of()} - {clip.file for clip in changed.clips()}:
            (self.folder / gone).unlink()
        outcome = generate(changed, self.folder, cache=default_cache())
        assert not outcome.failures
        self._start(read_rows(self.folder))

    def seal(self) -> None:
        """Write what was planted, and make all that `verify` reads agree with it."""
        for row in self.rows:
            if row["id"] in self._touched:
                self._write(row)
        write_rows(self.folder, self.rows)
        seal(self.folder)

    def _read(self, row: Row) -> None:
        if row["id"] in self._pieces:
            return
        pcm, _ = soundfile.read(self.folder / row["file"], dtype="int16")
        self._pieces[row["id"]] = {
            s["role"]: Piece(
                pcm[s["start"] : s["end"]],
                Span(s["speech_start"], s["speech_end"]).moved(-s["start"]),
            )
            for s in row["segments"]
        }
        (gap,) = row["gaps"]
        self._gaps[row["id"]] = pcm[gap["start"] : gap["end"]]

    def _write(self, row: Row) -> None:
        pieces, gap = self._pieces[row["id"]], self._gaps[row["id"]]
        at = 0
        for segment in row["segments"]:
            piece = pieces[segment["role"]]
            start, end = piece.speech.moved(at)
            segment.update(start=at, end=at + len(piece.pcm), speech_start=start, speech_end=end)
            at = segment["end"] + len(gap)
        pcm = np.concatenate([pieces["context"].pcm, gap, pieces["trigger"].pcm])
        content = wav_bytes(pcm, SAMPLING_RATE)
        if chunk := self._chunks.get(row["id"]):
            size = len(content) + len(chunk) - 8
            content = b"RIFF" + size.to_bytes(4, "little") + content[8:36] + chunk + content[36:]
        (self.folder / row["file"]).write_bytes(content)
