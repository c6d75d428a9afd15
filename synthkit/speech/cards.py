"""Voice cards: which engine speaks, with which checkpoint and parameters, under which licence."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from synthkit import schemas
from synthkit.errors import InputError, quoted
from synthkit.files import read_toml
from synthkit.ids import check_id
from synthkit.resources import folder


@dataclass(frozen=True)
class VoiceCard:
    """A voice; its id is ``<cast>/<name>``, the last folder and the file's stem.

    Voices of one ``checkpoint`` and one kind of ``processing`` make a fair pair: neither
    tells the source. ``folder`` is where relative paths in ``parameters`` start.
    """

    id: str
    name: str
    description: str
    engine: str
    language: str
    checkpoint: str
    processing: str
    code_license: str
    voice_license: str
    attribution: str
    parameters: Mapping[str, object]
    folder: Path = field(default=Path(), repr=False, compare=False)

    @property
    def kind(self) -> tuple[str, str, str]:
        """What two voices must share to be a fair pair."""
        return self.checkpoint, self.processing, self.language

    def describe(self) -> dict[str, object]:
        """The card as plain JSON values, without the place where it lies."""
        return {
            f.name: getattr(self, f.name) for f in dataclasses.fields(self) if f.name != "folder"
        }


def voice_card(reference: str, base: Path | None = None) -> VoiceCard:
    """Load ``cast/name`` from the casts that come along, or a card by its path (``*.toml``).

    A path is relative to ``base``. Raises :class:`InputError` for unknown and malformed ones.
    """
    if reference.endswith(".toml"):
        return _load((base or Path()) / reference)
    if reference not in voices():
        raise InputError(
            f"voice {reference!r} is unknown; allowed: {', '.join(voices())}, or a .toml file"
        )
    return _load(folder("voices") / f"{reference}.toml")


def cast_cards(reference: str) -> list[VoiceCard]:
    """The cards of a cast: its name, a folder of cards, or one voice as for :func:`voice_card`."""
    if reference in casts():
        return [voice_card(name) for name in voices() if name.startswith(f"{reference}/")]
    if reference and not reference.endswith(".toml") and Path(reference).is_dir():
        paths = sorted(Path(reference).glob("*.toml"))
        if not paths:
            raise InputError(f"{reference}: holds no voice cards; allowed: a folder of *.toml")
        return [_load(path) for path in paths]
    if reference in voices() or reference.endswith(".toml"):
        return [voice_card(reference)]
    raise InputError(
        f"cast {quoted(reference)} is unknown; allowed: {', '.join(casts())}, a voice, "
        "a folder of cards or a .toml file"
    )


def casts() -> tuple[str, ...]:
    """Names of the casts that come with synthkit."""
    return tuple(dict.fromkeys(name.split("/")[0] for name in voices()))


@functools.cache
def voices() -> tuple[str, ...]:
    """Ids of the voices that come with synthkit."""
    paths = folder("voices").glob("*/*.toml")
    return tuple(sorted(f"{path.parent.name}/{path.stem}" for path in paths))


def _load(path: Path) -> VoiceCard:
    where = f"voice card {path.parent.name}/{path.name}"
    values = read_toml(path)
    schemas.check(values, "voice", where)
    if values["engine"] not in schemas.engines():
        raise InputError(
            f"{where}: field engine: found {values['engine']!r}; "
            f"allowed: {', '.join(schemas.engines())}"
        )
    schemas.check(values["parameters"], f"engine-{values['engine']}", f"{where}: parameters")
    home = path.resolve().parent
    cast, name = check_id(home.name, where), check_id(path.stem, where)
    return VoiceCard(id=f"{cast}/{name}", folder=home, **values)  # type: ignore[arg-type]
