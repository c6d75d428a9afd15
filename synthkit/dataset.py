"""dataset.json: what the whole set is made of."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterable, Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from synthkit import __version__, licensing, schemas
from synthkit.audio import SAMPLING_RATE
from synthkit.errors import InputError
from synthkit.files import parse_json, read_text, sha256_file, write_bytes
from synthkit.loudness import LUFS_FILTER
from synthkit.manifest import SCHEMA_VERSION
from synthkit.plan import Plan
from synthkit.recipe import DEFAULTS
from synthkit.recipe_copy import portable_recipe
from synthkit.render import RENDER_VERSION
from synthkit.rooms.simulate import impulse_response, origin
from synthkit.speech.voice import of_card

DATASET = "dataset.json"
PAGE = "index.html"  # written later, from the set; the set is whole without it
# Whose versions can change the bits of a sample.
LIBRARIES = (
    "hibari-tts",
    "numpy",
    "onnxruntime",
    "pyroomacoustics",
    "scipy",
    "soundfile",
    "soxr",
)


def describe(
    plan: Plan, counts: Mapping[str, int], failed: Iterable[Mapping[str, str]]
) -> dict[str, Any]:
    """Everything about the set as plain JSON values; nothing depends on time, host or folder."""
    recipe = plan.recipe
    voices = [_voice(card_id, plan) for card_id in plan.voices]
    rooms = _rooms(plan)
    return {
        "schema_version": SCHEMA_VERSION,
        "render_version": RENDER_VERSION,
        "name": recipe.name,
        "description": recipe.values["description"],
        "license": licensing.derived(
            [v["provenance"]["voice_license"] for v in voices]
            + [r["card"]["license"] for r in rooms]
        ),
        "synthkit_version": __version__,
        "library_versions": library_versions(),
        "format": {
            "container": "WAV",
            "subtype": "PCM_16",
            "sampling_rate": SAMPLING_RATE,
            "channels": 1,
        },
        "lufs_filter": LUFS_FILTER,
        "recipe": json.loads(json.dumps(portable_recipe(plan), sort_keys=True)),
        "scripts_sha256": sha256_file(recipe.scripts),
        "grid": recipe.grid.describe(),
        "start": plan.start.describe()["renderers"],
        "fields": _fields(plan),
        "finish": plan.finish.describe()["renderers"],
        "beds": {name: bed.describe() for name, bed in plan.beds.items()},
        "deterministic": all(v["provenance"]["deterministic"] for v in voices),
        "voices": voices,
        "rooms": rooms,
        "clips": dict(counts),
        "failed": [dict(failure) for failure in failed],
    }


def _fields(plan: Plan) -> dict[str, list[dict[str, Any]]]:
    """Each field's chains: one, or one for each combination of the variables it uses."""
    fields: dict[str, list[dict[str, Any]]] = {}
    for (name, bindings), field in plan.fields.items():
        variant = {"variables": dict(bindings), "renderers": field.describe()["renderers"]}
        fields.setdefault(name, []).append(variant)
    return fields


def _voice(card_id: str, plan: Plan) -> dict[str, Any]:
    card = plan.voices[card_id]
    provenance = of_card(card).provenance.describe()
    return {"id": card_id, "card": card.describe(), "provenance": provenance}


def _rooms(plan: Plan) -> list[dict[str, Any]]:
    """Each room, place and change that a field uses: requested and realised, once."""
    rooms = []
    for room in plan.rooms:
        rir = impulse_response(room.heard, room.place, SAMPLING_RATE)
        distance = room.heard.distance(room.place)
        rooms.append(
            {
                "id": room.card.id,
                "place": room.place,
                "card": room.card.describe(),
                **origin(room.heard, room.place),
                "distance_m": None if distance is None else round(distance, 4),
                "rir_sha256": rir.sha256,
                "rir_num_samples": len(rir.samples),
                "direct_path_sample": rir.delay,
                "requested_rt60": room.heard.rt60,
                "realised": rir.acoustics.describe(),
            }
        )
    return rooms


def library_versions() -> dict[str, str | None]:
    """Versions of what can change the bits of a sample."""
    return {name: _version(name) for name in LIBRARIES}


def made_with(described: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The environment whose bytes a set holds: this one, or that of a set's description."""
    here = {
        "render_version": RENDER_VERSION,
        "synthkit_version": __version__,
        "library_versions": library_versions(),
    }
    return here if described is None else {name: described[name] for name in here}


def write_dataset(folder: Path, dataset: Mapping[str, Any]) -> None:
    """Write dataset.json atomically."""
    text = json.dumps(dataset, ensure_ascii=False, allow_nan=False, indent=2)
    write_bytes(folder / DATASET, f"{text}\n".encode())


def read_dataset(folder: Path) -> dict[str, Any]:
    """Read dataset.json strictly; :class:`InputError` where it is not valid by its schema."""
    values = parse_json(read_text(folder / DATASET), DATASET)
    schemas.check(values, "dataset", DATASET)
    assert isinstance(values, dict)
    recipe, where = values["recipe"], f"{DATASET}: field recipe"
    schemas.check(recipe, "recipe", where)
    if missing := [name for name in DEFAULTS if name not in recipe]:
        raise InputError(f"{where}: {', '.join(missing)} missing")
    return values


@functools.cache
def _version(library: str) -> str | None:
    try:
        return version(library)
    except PackageNotFoundError:
        return None
