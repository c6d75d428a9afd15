"""Ids that become file names: what is allowed, and a refusal that says why."""

from __future__ import annotations

import re

from synthkit.errors import InputError, quoted

_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
# Names that Windows reserves for devices, whatever the extension.
_DEVICES = {"con", "prn", "aux", "nul"} | {f"{d}{i}" for d in ("com", "lpt") for i in range(1, 10)}
COMMAND_ID_LENGTH = 40


def check_id(value: str, where: str, longest: int = 64) -> str:
    """Return ``value`` if it is a safe id, else raise :class:`InputError` naming ``where``."""
    if not _ID.fullmatch(value) or len(value) > longest:
        raise InputError(
            f"{where}: id {quoted(value)} is not allowed; 1 to {longest} of A-Z a-z 0-9 _ -, "
            "the first a letter or digit"
        )
    if value.casefold() in _DEVICES:
        raise InputError(f"{where}: id {quoted(value)} is a Windows device name; choose another")
    return value


def check_command_id(value: str, where: str) -> str:
    """As :func:`check_id`, with the limits that keep ``<command>__<condition>`` unambiguous."""
    check_id(value, where, COMMAND_ID_LENGTH)
    if "__" in value:
        raise InputError(
            f"{where}: command id {quoted(value)} is not allowed; no '__' (it joins command and "
            "condition)"
        )
    return value
