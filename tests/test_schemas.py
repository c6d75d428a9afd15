"""The validator that accepts and the one that explains say yes to the same values."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synthkit import schemas
from synthkit.errors import InputError
from synthkit.resources import folder

SHA = "0123456789abcdef" * 4
SEGMENT = {
    "role": "context",
    "speaker": "wearer",
    "voice": "tone/low",
    "spoken_text": "Hello.",
    "field": "near",
    "room": {"id": "living_room", "place": "across", "rir_sha256": SHA},
    "start": 0,
    "end": 16000,
    "speech_start": 320,
    "speech_end": 12800,
    "pcm_sha256": SHA,
    "level": {
        "requested_dbfs": -20,
        "requested_lufs": None,
        "realised_dbfs": -20.0001,
        "gain_db": 3.5,
        "source_gain_db": None,
        "limited": False,
        "reduction_db": 0.0,
        "share": 0.0,
    },
    "lufs": -21.5,
    "true_peak_dbtp": -4.25,
    "trim": {
        "detector": "frames",
        "threshold_db": -50.0,
        "over_noise_db": None,
        "leading_samples": 10,
        "trailing_samples": 0,
    },
    "crest_control": {"limited": True, "reduction_db": 1.5, "share": 0.01},
    "source_key": SHA,
    "segment_key": SHA,
}
ROW = {
    "schema_version": 1,
    "id": "lamp__same_near_0",
    "command": "lamp",
    "condition": "same_near_0",
    "modality": "audio",
    "split": "test",
    "tool": "lamp",
    "language": "en-US",
    "texts": {"context": "Hello.", "trigger": "Lamp on."},
    "factors": {"source": "same", "field": "near", "gap_ms": 0},
    "nuisances": {"room": "living_room"},
    "target": {"action": "call", "name": "lamp", "params": {"on": True}},
    "wearer": "tone/low",
    "bystander": "tone/mid",
    "file": "audio/lamp/same_near_0.wav",
    "sha256": SHA,
    "content_key": SHA,
    "sampling_rate": 16000,
    "num_samples": 48000,
    "duration": 3.0,
    "peak_dbfs": -4.5,
    "true_peak_dbtp": -4.25,
    "segments": [SEGMENT, {**SEGMENT, "role": "trigger", "room": None}],
    "gaps": [
        {
            "requested_ms": 0.0,
            "start": 16000,
            "end": 16000,
            "num_samples": 0,
            "pause_samples": 3520,
            "pause_ms": 220.0,
        }
    ],
    "bed": {"name": "hiss", "file": f"beds/{SHA}.wav", "sha256": SHA, "level_dbfs": -50.0},
}
COMMAND = {
    "id": "lamp",
    "tool": "lamp.on",
    "context": "Hello.",
    "trigger": "Lamp on.",
    "params": {"on": True},
    "language": "en-US",
}
TEXT_ROW = {
    **ROW,
    "id": "lamp__text_only",
    "modality": "text",
    "factors": {"source": None, "field": None, "gap_ms": None},
    "segments": [],
    "gaps": [],
} | dict.fromkeys(
    (
        *("file", "sha256", "content_key", "sampling_rate", "num_samples", "duration"),
        *("peak_dbfs", "true_peak_dbtp", "bed"),
    )
)
VALID = {"clip": [ROW, TEXT_ROW], "command": [COMMAND]}

# What neighbours of a valid value are made of: other types, edges of ranges, near misses.
ODD = (
    st.none()
    | st.booleans()
    | st.sampled_from([0, -1, 1, 2, 2**53, -(2**53), 0.0, -0.0, 1.0, 1.5, -1.0, 1e300, 5e-324])
    | st.sampled_from(
        ["", "\n", "a", "a\n", "a/b", "A" * 65, "mute", "text", "\u0661", "\ufb03", "😀"]
    )
    # Copies: a later change of the same value would change what other examples draw.
    | st.sampled_from([[], {}, [[]], {"": 0}, {"action": "mute"}, [1, 1.0], [True, 1]]).map(
        copy.deepcopy
    )
    | st.text(max_size=4)
)
CHANGES = {
    "float": lambda v: float(v) if isinstance(v, int) else v,
    "integer": lambda v: int(v) if isinstance(v, float) else v,
    "newline": lambda v: f"{v}\n" if isinstance(v, str) else v,
    "upper": lambda v: v.upper() if isinstance(v, str) else v,
    "twice": lambda v: v + v if isinstance(v, str | list) else v,
    "less": lambda v: v[:-1] if isinstance(v, str | list) else v,
    "negative": lambda v: -v if isinstance(v, int | float) else v,
}


def places(value: object, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value)  # type: ignore[arg-type]
    found = []
    for key, below in inner:
        found.append((*path, key))
        if isinstance(below, dict | list):
            found += places(below, (*path, key))
    return found


@st.composite
def mutated(draw: Any, name: str) -> Any:
    """A valid value with one to three things changed, taken away, added or put elsewhere."""
    value = copy.deepcopy(draw(st.sampled_from(VALID[name])))
    for _ in range(draw(st.integers(1, 3))):
        path = draw(st.sampled_from(places(value)))
        at = value
        for key in path[:-1]:
            at = at[key]
        match draw(st.sampled_from(["change", "change", "odd", "remove", "add"])):
            case "change":
                at[path[-1]] = CHANGES[draw(st.sampled_from(sorted(CHANGES)))](at[path[-1]])
            case "odd":
                at[path[-1]] = draw(ODD)
            case "remove":
                del at[path[-1]]
            case "add" if isinstance(at, dict):
                at[draw(st.text(max_size=3))] = draw(ODD)
    return value


def explained(value: object, name: str) -> bool:
    """What the validator that explains says, asked alone."""
    return not list(schemas._validator(name).iter_errors(value))


@pytest.mark.parametrize("name", sorted(VALID))
def test_the_valid_values_of_this_test_are_valid(name):
    for value in VALID[name]:
        schemas.check(value, name, "here")
        assert schemas.accepts(value, name) and explained(value, name)


@settings(max_examples=600, deadline=None)
@given(st.sampled_from(sorted(VALID)).flatmap(lambda name: st.tuples(st.just(name), mutated(name))))
def test_both_validators_accept_the_same_values(case):
    name, value = case
    # As it is read: what is no JSON at all was refused before.
    value = json.loads(json.dumps(value))
    assert schemas.accepts(value, name) == explained(value, name)


def with_value(path: str, value: object) -> dict[str, Any]:
    row = copy.deepcopy(ROW)
    at: Any = row
    *above, last = path.split(".")
    for key in above:
        at = at[int(key) if key.isdigit() else key]
    at[last] = value
    return row


@pytest.mark.parametrize(
    ("path", "value", "found"),
    [
        ("num_samples", 48000.0, "found 48000.0; allowed: integer or null"),
        ("segments.0.start", -0.0, "found -0.0; allowed: integer"),
        ("segments.0.start", True, "found true; allowed: integer"),
        ("segments.0.start", -1, "found -1; allowed: minimum 0"),
        ("segments.0.level.limited", 0, "found 0; allowed: boolean"),
        ("schema_version", True, "found true; allowed: const 1"),
        ("command", "lamp\n", 'found "lamp\\n"'),
        ("segments.0.pcm_sha256", f"{SHA}\n", "allowed: 64 hex digits"),
        ("file", "audio/../x.wav", "allowed: a relative path with /, without .."),
    ],
)
def test_what_json_schema_would_let_pass_and_a_row_must_not_is_refused(path, value, found):
    assert not schemas.accepts(with_value(path, value), "clip")
    with pytest.raises(InputError) as refusal:
        schemas.check(with_value(path, value), "clip", "here")
    assert found in str(refusal.value)


@pytest.mark.parametrize(
    "path", sorted(folder("schema").glob("*.schema.json")), ids=lambda p: p.stem
)
def test_both_validators_can_be_made_of_every_schema(path):
    name = path.name.removesuffix(".schema.json")
    for value in (None, {}, [], 1.0, "a"):
        assert schemas.accepts(value, name) == explained(value, name)
