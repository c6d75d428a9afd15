"""Seal: make everything that `verify` reads from a set's files agree with the files as they are."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from pathlib import Path
from typing import Any

import soundfile

from synthkit.audio import Pcm16, from_pcm16
from synthkit.clip import pcm_sha256
from synthkit.dataset import PAGE, read_dataset, write_dataset
from synthkit.files import TEMPORARY_PREFIX, sha256_file
from synthkit.levels import joined_true_peak_dbtp, peak_dbfs, rms_dbfs, rounded, true_peak_dbtp
from synthkit.loudness import lufs
from synthkit.manifest import MANIFEST, Row, row_line, write_manifest
from synthkit.recipe import read_recipe
from synthkit.recipe_copy import RECIPE
from synthkit.sums import SUMS, write_sums

Readings = dict[tuple[str, int, int], dict[str, Any]]


def read_rows(folder: Path) -> list[Row]:
    """The rows of a manifest by plain json: nothing is checked."""
    lines = (folder / MANIFEST).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def write_rows(folder: Path, rows: list[Row]) -> None:
    write_manifest(folder, map(row_line, rows))


def seal(folder: Path) -> None:
    """Rewrite manifest, dataset.json and checksums of a set from its files.

    Taken from the rows are ids, labels and where segments and their speech lie; all else that can
    be read from the samples is read anew, by the package's own meters, where a file is not the one
    that its row was written for. A segment whose samples changed gets another key, the same for
    the same samples, so that a reader of keys sees as much sharing as there is.
    """
    rows, readings = read_rows(folder), Readings()
    hashes = {}
    for row in rows:
        if row["file"]:
            hashes[row["file"]] = sha256_file(folder / row["file"])
            if hashes[row["file"]] != row["sha256"]:
                _read_again(row, folder, hashes[row["file"]], readings)
            _place_gaps(row)
    write_rows(folder, rows)
    _describe(folder, rows)
    _sum_up(folder, hashes)


def _read_again(row: Row, folder: Path, sha256: str, readings: Readings) -> None:
    pcm, rate = soundfile.read(folder / row["file"], dtype="int16")
    parts = []
    for segment in row["segments"]:
        part = pcm[segment["start"] : segment["end"]]
        found = pcm_sha256(part)
        if found != segment["pcm_sha256"]:
            segment["segment_key"] = _mixed(segment["segment_key"], found)
        segment["pcm_sha256"] = found
        read = _reading(segment, part, rate, readings)
        segment["level"] = {**segment["level"], "realised_dbfs": read["speech_dbfs"]}
        segment["lufs"], segment["true_peak_dbtp"] = read["lufs"], read["true_peak_dbtp"]
        parts.append(read["true_peak_dbtp"])
    row.update(
        sha256=sha256,
        content_key=_mixed(row["content_key"], sha256),
        sampling_rate=rate,
        num_samples=len(pcm),
        duration=round(len(pcm) / rate, 7),
        peak_dbfs=rounded(peak_dbfs(from_pcm16(pcm))),
        true_peak_dbtp=_whole_true_peak(row, pcm, parts),
    )


def _whole_true_peak(row: Row, pcm: Pcm16, parts: list[float | None]) -> float | None:
    if any(pcm[gap["start"] : gap["end"]].any() for gap in row["gaps"]):
        return rounded(true_peak_dbtp(from_pcm16(pcm)))
    edges = [segment[at] for segment in row["segments"] for at in ("start", "end")]
    return rounded(joined_true_peak_dbtp(from_pcm16(pcm), edges, parts))


def _reading(segment: Row, pcm: Pcm16, rate: int, readings: Readings) -> dict[str, Any]:
    start, end = (segment[at] - segment["start"] for at in ("speech_start", "speech_end"))
    key = (segment["pcm_sha256"], start, end)
    if key not in readings:
        samples = from_pcm16(pcm)
        readings[key] = {
            "speech_dbfs": rounded(rms_dbfs(samples[start:end])),
            "lufs": rounded(lufs(samples, rate)),
            "true_peak_dbtp": rounded(true_peak_dbtp(samples)),
        }
    return readings[key]


def _place_gaps(row: Row) -> None:
    context, trigger = row["segments"]
    (gap,) = row["gaps"]
    pause = trigger["speech_start"] - context["speech_end"]
    gap.update(
        start=context["end"],
        end=trigger["start"],
        num_samples=trigger["start"] - context["end"],
        pause_samples=pause,
        pause_ms=round(1000 * pause / row["sampling_rate"], 4),
    )


def _mixed(key: str, found: str) -> str:
    return hashlib.sha256(f"{key} {found}".encode()).hexdigest()


def _describe(folder: Path, rows: list[Row]) -> None:
    """What dataset.json says of rows, recipe and script."""
    described, recipe = read_dataset(folder), read_recipe(folder / RECIPE)
    counts = Counter(row["modality"] for row in rows)
    failed = len(described["failed"])
    described["clips"] = {
        "planned": len(rows) + failed,
        "audio": counts["audio"],
        "text": counts["text"],
        "failed": failed,
    }
    described["recipe"] = json.loads(json.dumps(recipe.values, sort_keys=True))  # as a run does
    described["grid"] = recipe.grid.describe()
    described["scripts_sha256"] = sha256_file(recipe.scripts)
    write_dataset(folder, described)


def _sum_up(folder: Path, known: dict[str, str]) -> None:
    found = {p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file()}
    own = {name for name in found if not Path(name).name.startswith(TEMPORARY_PREFIX)}
    write_sums(folder, known, own - {SUMS, PAGE, *known})
