"""Prompts: what one person is asked to read into one recording, whatever the script."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from synthkit.files import parse_json, text_lines
from synthkit.scripts.commands import TEXT_FIELDS, read_scripts
from synthkit.scripts.talk import read_talk


@dataclass(frozen=True, slots=True)
class Prompt:
    """One recording to be made: its id, its item, and the lines to be read, each with its role.

    A role is context or trigger of a command, or whom an utterance of talk is meant for. The
    target is that of talk; a command's depends on the condition that it will stand in.
    """

    id: str
    item: str
    lines: tuple[tuple[str, str], ...]
    language: str
    family: str | None = None
    configuration: str | None = None
    tool: str | None = None
    target: Mapping[str, Any] | None = None

    @property
    def text(self) -> str:
        """All lines as one text."""
        return " ".join(text for _, text in self.lines)


def read_prompts(path: Path) -> tuple[Prompt, ...]:
    """Read any script as prompts: a row of talk is one recording, a command two.

    A command's parts are two recordings, as another person may say the trigger.
    Raises :class:`InputError` like the readers of both.
    """
    if _is_talk(path):
        return tuple(
            Prompt(
                id=row.id,
                item=row.id,
                lines=tuple((u.to, u.text) for u in row.utterances),
                language=row.language,
                family=row.family,
                configuration=row.configuration,
                tool=row.tool,
                target=row.target,
            )
            for row in read_talk(path)
        )
    return tuple(
        Prompt(
            id=f"{command.id}__{role}",
            item=command.id,
            lines=((role, command.text(role)),),
            language=command.language,
            family=command.family,
            tool=command.tool,
        )
        for command in read_scripts(path)
        for role in TEXT_FIELDS
    )


def _is_talk(path: Path) -> bool:
    if path.suffix.lower() == ".csv":
        return False
    first = next((parse_json(line, f"{path}: row {n}") for n, line in text_lines(path)), None)
    return isinstance(first, dict) and "utterances" in first
