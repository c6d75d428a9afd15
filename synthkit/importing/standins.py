"""stand_ins.json: which recordings of a folder are a synthetic voice's, in place of a person's."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from synthkit.errors import InputError, quoted
from synthkit.files import parse_json, read_text
from synthkit.stand_ins import RECORD, SCHEMA_VERSION


def read_stand_ins(folder: Path) -> Mapping[str, str]:
    """The text that a stand-in was spoken for, by prompt id; empty without ``stand_ins.json``.

    Raises :class:`InputError` for a file in another form: what may be synthetic must not pass for
    a person's.
    """
    path = folder / RECORD
    if not (path.exists() or path.is_symlink()):
        return {}
    values = parse_json(read_text(path), str(path))
    recordings = values.get("recordings") if isinstance(values, dict) else None
    if (
        not isinstance(values, dict)
        or values.get("schema_version") != SCHEMA_VERSION
        or values.get("synthetic") is not True
        or not isinstance(recordings, dict)
    ):
        raise InputError(
            f"{path}: not a list of stand-ins; allowed: an object with schema_version "
            f"{SCHEMA_VERSION}, synthetic true and recordings"
        )
    texts: dict[str, str] = {}
    for id_, entry in recordings.items():
        text = entry.get("text") if isinstance(entry, dict) else None
        if not isinstance(text, str):
            raise InputError(
                f"{path}: recording {quoted(id_)}: field text missing; allowed: its text"
            )
        if id_.casefold() in texts:
            raise InputError(f"{path}: recording {quoted(id_)} stands twice; allowed: once")
        texts[id_.casefold()] = text
    return texts
