"""The rows of one command against one another: only what a condition declares may differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from synthkit.assignments import SPLIT
from synthkit.manifest import Row
from synthkit.slots import DIFFERENT, SAME, TEXT

# The same in every condition of a command, whatever the grid.
FIXED = ("tool", "language", "split", "texts")
RENDERING = ("role", "voice", "field", "bindings")
CAST = ("wearer", "bystander", "nuisances")


def contrast_faults(
    rows: Sequence[Row], description: Mapping[str, Any], script: Mapping[str, Any] | None
) -> Iterator[tuple[str, str]]:
    """Yield (clip id, fault) for the rows of one command.

    ``script`` is the command's row in the script that the set carries, None if it has none.
    """
    yield from _missing(rows, description)
    first = rows[0]
    for row in rows[1:]:
        for name in FIXED:
            if row[name] != first[name]:
                yield row["id"], f"{name} is not that of {first['id']}"
    if script is not None:
        for row in rows:
            yield from _script_faults(row, script, description["recipe"]["splits"])
    audio = [row for row in rows if row["modality"] == "audio"]
    yield from _cast_faults(audio)
    yield from _bed_faults(audio)
    yield from _sharing_faults(audio, description)


def _missing(rows: Sequence[Row], description: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Every condition of the grid must be there, or have failed; slots are counted as a whole."""
    if "slots" in description["recipe"]:
        yield from _slot_faults(rows, description)
        return
    made = {row["condition"] for row in rows}
    failed = {failure["id"] for failure in description["failed"]}
    kept = description["recipe"]["splits"].get(rows[0]["split"], {})
    factors = set(kept) & set(description["recipe"]["factors"])
    for condition in description["grid"]["conditions"]:
        if any(condition.get(name) not in kept[name] for name in factors):
            continue
        clip = f"{rows[0]['command']}__{condition['name']}"
        if condition["name"] not in made and clip not in failed:
            yield clip, "no row: the grid has this condition"


def _slot_faults(rows: Sequence[Row], description: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """One row of the wearer, as many of the bystander as any command's, at most one of text."""
    slots, command = description["recipe"]["slots"], rows[0]["command"]
    failed = [f["id"] for f in description["failed"]]
    sources = Counter(row["factors"].get("source") or TEXT for row in rows)
    for condition in description["grid"]["conditions"]:
        if f"{command}__{condition['name']}" in failed:
            sources[condition["source"] or TEXT] += 1
    fewest, more = divmod(slots[DIFFERENT], slots[SAME])
    allowed = {
        SAME: (1,),
        DIFFERENT: (fewest, fewest + 1) if more else (fewest,),
        TEXT: (1,) if slots[TEXT] == slots[SAME] else (0, 1),
    }
    for source, numbers in allowed.items():
        if sources[source] not in numbers:
            found, listed = sources[source], " or ".join(map(str, numbers))
            yield command, f"{found} rows of source {source}; allowed by the slots: {listed}"


def _script_faults(
    row: Row, script: Mapping[str, Any], splits: Mapping[str, Any]
) -> Iterator[tuple[str, str]]:
    wanted = script if splits else {"split": SPLIT, **script}  # where none deals any
    found = {**row["texts"], "tool": row["tool"], "language": row["language"]}
    if "split" in wanted:
        found["split"] = row["split"]
    if row["target"]["action"] == "call":
        found["params"] = row["target"]["params"]
    for name, value in found.items():
        if value != wanted[name]:
            yield row["id"], f"{name} is not the script's"


def _cast_faults(rows: Sequence[Row]) -> Iterator[tuple[str, str]]:
    """One wearer and one bystander, two people where somebody else speaks."""
    for row in rows:
        for name in CAST:
            if row[name] != rows[0][name]:
                yield row["id"], f"{name} is not that of {rows[0]['id']}"
        if row["factors"]["source"] == "different" and row["wearer"] == row["bystander"]:
            yield row["id"], f"wearer and bystander are both {row['wearer']}"


def _bed_faults(rows: Sequence[Row]) -> Iterator[tuple[str, str]]:
    """A bed of one name is one file in all conditions: under no condition another noise."""
    first: dict[str, tuple[str, str]] = {}
    for row in rows:
        if row["bed"]:
            same = first.setdefault(row["bed"]["name"], (row["id"], row["bed"]["sha256"]))
            if same[1] != row["bed"]["sha256"]:
                yield row["id"], f"bed is not that of {same[0]}"


def _sharing_faults(
    rows: Sequence[Row], description: Mapping[str, Any]
) -> Iterator[tuple[str, str]]:
    """Segments that should be one have one content; near and far have one length and onset."""
    whole_decay = any(
        r["renderer"] == "postwindow" and r.get("ms") == "full" for r in description["finish"]
    )
    segments = [(row["id"], segment) for row in rows for segment in row["segments"]]
    yield from _differing(segments, ("role",), ("spoken_text",))
    yield from _differing(segments, ("segment_key",), ("pcm_sha256",))
    yield from _differing(_rendered(rows, description), RENDERING, ("pcm_sha256", "segment_key"))
    yield from _differing(segments, ("role", "voice"), ("source_key", "trim", "crest_control"))
    placed = [(clip, _window(segment, whole_decay)) for clip, segment in segments]
    fixed = ("onset", "speech", "length", "source_gain_db")
    yield from _differing(placed, ("role", "voice"), fixed)


def _rendered(rows: Sequence[Row], description: Mapping[str, Any]) -> Iterator[tuple[str, Row]]:
    """Each segment with the levels of the variables that its field uses."""
    for row in rows:
        levels = {**row["factors"], **row["nuisances"]}
        for segment in row["segments"]:
            variants = description["fields"].get(segment["field"], [])
            names = sorted({name for variant in variants for name in variant["variables"]})
            bindings = str([(name, levels.get(name)) for name in names])
            yield row["id"], {**segment, "bindings": bindings}


def _window(segment: Row, whole_decay: bool) -> Row:
    length = None if whole_decay else segment["end"] - segment["start"]
    return {
        "role": segment["role"],
        "voice": segment["voice"],
        "onset": segment["speech_start"] - segment["start"],
        "speech": segment["speech_end"] - segment["speech_start"],
        "length": length,
        "source_gain_db": segment["level"]["source_gain_db"],
    }


def _differing(
    segments: Iterable[tuple[str, Row]], alike: Sequence[str], fixed: Sequence[str]
) -> Iterator[tuple[str, str]]:
    """A fault where segments that are ``alike`` differ in what is ``fixed``."""
    first: dict[tuple[str, ...], tuple[str, Row]] = {}
    for clip, segment in segments:
        other, same = first.setdefault(tuple(segment[k] for k in alike), (clip, segment))
        for name in fixed:
            if segment[name] != same[name]:
                yield clip, f"{segment['role']}: {name} is not that of {other}"
