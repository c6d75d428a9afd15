"""One manifest row against what dataset.json says of the whole set."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from synthkit.grids import RULES, calls
from synthkit.manifest import Row
from synthkit.plan import ROLES
from synthkit.variables import MARK, NO_BED

# What a condition has beside its factors' levels.
NO_FACTORS = ("name", "context_field", "action")


def row_faults(row: Row, description: Mapping[str, Any]) -> Iterator[str]:
    """Whether condition, factors, target, voices, rooms and level are the set's."""
    if row["id"] != f"{row['command']}__{row['condition']}":
        yield f"id is not {row['command']}__{row['condition']}"
    condition = next(
        (c for c in description["grid"]["conditions"] if c["name"] == row["condition"]), None
    )
    if condition is None:
        yield f"condition {row['condition']} is not one of the grid"
        return
    found = {**row["factors"], "modality": row["modality"]}
    declared = {name: level for name, level in condition.items() if name not in NO_FACTORS}
    for name in sorted({*found, *declared}):
        level, allowed = found.get(name), declared.get(name)
        if level != allowed or (name in found) != (name in declared):
            yield f"factor {name} is {level}; allowed in this condition: {allowed}"
    yield from _target_faults(row, description["grid"]["rule"])
    yield from _split_faults(row, description["recipe"])
    if row["modality"] == "audio":
        yield from _structure_faults(row)
        yield from _segment_faults(row, condition, description)
        yield from _bed_faults(row, description)


def _split_faults(row: Row, recipe: Mapping[str, Any]) -> Iterator[str]:
    """Whether voices and levels are those that the recipe gives the row's split."""
    # Without any of the recipe's own they are the script's, which its row is held against.
    splits = recipe.get("splits") or {row["split"]: {}}
    if row["split"] not in splits:
        yield f"split is {row['split']}; allowed: {', '.join(splits)}"
        return
    kept, audio = splits[row["split"]], row["modality"] == "audio"
    nuisances = recipe.get("nuisances", {}) if audio else {}
    if set(row["nuisances"]) != set(nuisances):
        yield f"nuisances are {sorted(row['nuisances'])}; allowed: {sorted(nuisances)}"
    factors = recipe.get("factors", {}) if audio else {}
    for name, levels in {**nuisances, **factors}.items():
        level = {**row["nuisances"], **row["factors"]}.get(name)
        if level not in kept.get(name, levels):
            yield f"{name} is {level}; allowed in split {row['split']}: {kept.get(name, levels)}"
    for speaker in ("wearer", "bystander") if audio and "voices" in kept else ():
        if row[speaker] not in kept["voices"]:
            yield f"{speaker} {row[speaker]} is not a voice of split {row['split']}"


def _rule_of(rule: Mapping[str, Any]) -> Mapping[str, Any]:
    """The levels at which a rule calls; a named rule's are its own, whatever a file says."""
    levels: Mapping[str, Any] = RULES.get(rule["name"], rule["call_at"])
    return levels


def _target_faults(row: Row, rule: Mapping[str, Any]) -> Iterator[str]:
    call = row["modality"] == "text" or calls(_rule_of(rule), row["factors"])
    wanted = "call" if call else "mute"
    if row["target"]["action"] != wanted:
        yield f"target is {row['target']['action']}; allowed by the rule: {wanted}"
    elif call and row["target"]["name"] != row["tool"]:
        yield f"target calls {row['target']['name']}; allowed: {row['tool']}"


def _structure_faults(row: Row) -> Iterator[str]:
    """A context, a gap of the condition's length, a trigger, in this order."""
    roles = tuple(segment["role"] for segment in row["segments"])
    if roles != ROLES or len(row["gaps"]) != 1:
        found = f"{' and '.join(roles)} with {len(row['gaps'])} gaps"
        yield f"parts are {found}; allowed: context, gap, trigger"
        return
    context, trigger = row["segments"]
    (gap,) = row["gaps"]
    if (gap["start"], gap["end"]) != (context["end"], trigger["start"]):
        yield "the gap does not lie between context and trigger"
    wanted = row["factors"]["gap_ms"]
    if gap["requested_ms"] != wanted:
        yield f"gap is {gap['requested_ms']:g} ms; allowed in this condition: {wanted}"
    pause = trigger["speech_start"] - context["speech_end"]
    if gap["pause_samples"] != pause or gap["pause_ms"] != round(
        1000 * pause / row["sampling_rate"], 4
    ):
        yield f"pause is {pause} samples; manifest: {gap['pause_samples']}, {gap['pause_ms']} ms"


def _segment_faults(
    row: Row, condition: Mapping[str, Any], description: Mapping[str, Any]
) -> Iterator[str]:
    voices = {voice["id"] for voice in description["voices"]}
    for speaker in ("wearer", "bystander"):
        if row[speaker] not in voices:
            yield f"{speaker} {row[speaker]} is not a voice of the set"
    if row["sampling_rate"] != description["format"]["sampling_rate"]:
        yield f"sampling rate is {row['sampling_rate']} Hz; set: {description['format']}"
    last = description["finish"][-1]
    asked = {"requested_dbfs": last.get("dbfs"), "requested_lufs": last.get("lufs")}
    for segment in row["segments"]:
        role = segment["role"]
        other = row["factors"]["source"] == "different" and role == "trigger"
        speaker = "bystander" if other else "wearer"
        of_field = condition["field" if role == "trigger" else "context_field"]
        found = segment["speaker"], segment["voice"], segment["field"]
        if found != (speaker, row[speaker], of_field):
            yield f"{role} is {found}; allowed: {(speaker, row[speaker], of_field)}"
        room = _room(_variant(description["fields"].get(segment["field"], []), row))
        if segment["room"] != room:
            yield f"{role}: room is {segment['room']}; allowed in this field: {room}"
        found_asked = {name: segment["level"][name] for name in asked}
        if found_asked != asked:
            yield f"{role}: level asked for is {found_asked}; allowed in this set: {asked}"


def _bed_faults(row: Row, description: Mapping[str, Any]) -> Iterator[str]:
    """Whether the row has the bed that the recipe puts under it."""
    name = description["recipe"].get("bed", NO_BED)
    if name.startswith(MARK):
        name = {**row["factors"], **row["nuisances"]}.get(name[1:])
    found = row["bed"]["name"] if row["bed"] else NO_BED
    if found != name:
        yield f"bed is {found}; allowed in this condition: {name}"


def bed_level(row: Row, description: Mapping[str, Any]) -> float | None:
    """The level in dBFS that a row's whole bed is asked to have; None where there is no bed."""
    spec = description["beds"].get(row["bed"]["name"], {}) if row["bed"] else {}
    speech_dbfs = description["recipe"]["level"].get("dbfs")
    if "snr_db" in spec and speech_dbfs is not None:
        return float(speech_dbfs) - float(spec["snr_db"])
    return float(spec["level_dbfs"]) if "level_dbfs" in spec else None


def _variant(variants: list[Row], row: Row) -> list[Row]:
    """The chain of a field at the levels that a row has."""
    levels = {**row["factors"], **row["nuisances"]}
    for variant in variants:
        if all(levels.get(name) == level for name, level in variant["variables"].items()):
            renderers: list[Row] = variant["renderers"]
            return renderers
    return []


def _room(renderers: list[Row]) -> Row | None:
    return next(
        (
            {"id": r.get("room"), "place": r.get("place"), "rir_sha256": r.get("rir_sha256")}
            for r in renderers
            if r["renderer"] == "room"
        ),
        None,
    )
