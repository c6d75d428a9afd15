"""What a recipe asks of a bed, checked before anything is rendered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from synthkit import schemas
from synthkit.beds.file import Recording, read_recording
from synthkit.errors import AudioError, InputError
from synthkit.files import check_plain

LEVELS_DBFS = (-90.0, -20.0)


@dataclass(frozen=True)
class BedSpec:
    """A kind of bed, how loud, and the parameters of its kind.

    ``kind`` is ``room_tone``, ``pink``, ``babble`` or ``file``. Exactly one of ``level_dbfs``
    (RMS of the whole bed re full scale 1.0) and ``snr_db`` (the level asked of the speech, RMS
    over its speech window, minus the RMS of the whole bed) is given. ``num_talkers`` belongs to
    babble, ``recording`` to file.

    Raises :class:`InputError` for whatever ``bed.schema.json`` does not allow.
    """

    kind: str
    level_dbfs: float | None = None
    snr_db: float | None = None
    num_talkers: int | None = None
    recording: Recording | None = None

    def __post_init__(self) -> None:
        values = self._values()
        if self.recording is not None:
            values["path"] = self.recording.name
        _check(values, "bed")

    @classmethod
    def from_table(cls, table: Mapping[str, Any], where: str, base: Path) -> Self:
        """Build one from a recipe's table, and read its file; ``path`` is relative to ``base``.

        Raises :class:`InputError` that begins with ``where`` and names field, what was found
        and what is allowed.
        """
        _check(table, where)
        values = {key: value for key, value in table.items() if key not in ("path", "channel")}
        if table["kind"] == "file":
            try:
                values["recording"] = read_recording(base / table["path"], table.get("channel"))
            except AudioError as error:
                raise InputError(f"{where}: field path: {error}") from None
        return cls(**values)

    def level(self, speech_dbfs: float) -> float:
        """RMS of the whole bed in dBFS, under speech that is asked to have ``speech_dbfs``.

        Raises :class:`InputError` where ``snr_db`` puts it outside what ``level_dbfs`` may be.
        """
        if self.snr_db is None:
            assert self.level_dbfs is not None  # checked when it was made
            return self.level_dbfs
        level, (low, high) = speech_dbfs - self.snr_db, LEVELS_DBFS
        if not low <= level <= high:
            raise InputError(
                f"bed: snr_db {self.snr_db:g} under speech at {speech_dbfs:g} dBFS is a bed at "
                f"{level:g} dBFS; allowed: {low:g} to {high:g} dBFS, "
                f"so snr_db {max(0.0, speech_dbfs - high):g} to {min(80.0, speech_dbfs - low):g}"
            )
        return level

    def describe(self) -> dict[str, object]:
        """All that was asked for, as plain JSON; a recording by name and hash."""
        described = self._values()
        if self.recording is not None:
            described["recording"] = self.recording.describe()
        return described

    def _values(self) -> dict[str, object]:
        names = ("kind", "level_dbfs", "snr_db", "num_talkers")
        return {name: value for name in names if (value := getattr(self, name)) is not None}


def _check(values: Mapping[str, Any], where: str) -> None:
    check_plain(dict(values), where)
    levels = [name for name in ("level_dbfs", "snr_db") if name in values]
    if len(levels) != 1:
        raise InputError(
            f"{where}: found {' and '.join(levels) or 'no level'}; "
            f"allowed: exactly one of level_dbfs, snr_db"
        )
    schemas.check(dict(values), "bed", where)
