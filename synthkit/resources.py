"""Where the cards, grids, schemas, seeds and examples that come with synthkit lie."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
# A wheel carries them in `data`; in a checkout they stand beside the package.
_CHECKOUT = {"schema": "manifests/schema"}


def folder(kind: str) -> Path:
    """Return a folder by kind: voices, room_presets, grids, schema, templates, examples …"""
    packaged = _PACKAGE / "data" / kind
    return packaged if packaged.is_dir() else _PACKAGE.parent / _CHECKOUT.get(kind, kind)
