"""Talk scripts: what one person says to the assistant, to somebody nearby, or to nobody."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from synthkit import schemas
from synthkit.errors import InputError, quoted
from synthkit.files import jsonl_bytes, parse_json, text_lines, write_new
from synthkit.ids import check_command_id
from synthkit.scripts.commands import DEFAULT_LANGUAGE
from synthkit.speech.text import check_text


@dataclass(frozen=True, slots=True)
class Utterance:
    """One stretch of speech and whom it is meant for: assistant, bystander or nobody."""

    to: str
    text: str
    rewritten: bool = False


@dataclass(frozen=True, slots=True)
class Talk:
    """One script of side-talk or self-talk; ``configuration`` is its cell of the design."""

    id: str
    family: str
    configuration: str
    utterances: tuple[Utterance, ...]
    target: Mapping[str, Any]
    tool: str | None = None
    language: str = DEFAULT_LANGUAGE

    def describe(self) -> dict[str, Any]:
        """The script as one row, without what it does not have."""
        row: dict[str, Any] = {"id": self.id, "family": self.family}
        row |= {"configuration": self.configuration, "tool": self.tool}
        row["utterances"] = [
            {"to": u.to, "text": u.text} | ({"rewritten": True} if u.rewritten else {})
            for u in self.utterances
        ]
        row |= {"target": dict(self.target), "language": self.language}
        return {name: value for name, value in row.items() if value is not None}


def write_talk(rows: Iterable[Talk], path: Path) -> None:
    """Write a script of talk; :class:`InputError` where another file stands."""
    write_new(path, jsonl_bytes(row.describe() for row in rows))


def read_talk(path: Path) -> tuple[Talk, ...]:
    """Read a ``.jsonl`` script of talk.

    Raises :class:`InputError` naming file, row, field, what was found and what is allowed.
    """
    rows: list[Talk] = []
    seen: set[str] = set()
    for number, line in text_lines(path):
        where = f"{path}: row {number}"
        row = parse_json(line, where)
        schemas.check(row, "talk", where)
        assert isinstance(row, dict)
        schemas.check(row["target"], "target", f"{where}: field target")
        row["utterances"] = tuple(Utterance(**utterance) for utterance in row["utterances"])
        talk = Talk(**row)
        check_command_id(talk.id, where)
        for place, utterance in enumerate(talk.utterances):
            check_text(utterance.text, talk.language, f"{where}: utterance {place + 1}")
        if talk.id.casefold() in seen:
            raise InputError(
                f"{where}: field id: {quoted(talk.id)} stands twice; "
                "allowed: ids that differ in more than case"
            )
        seen.add(talk.id.casefold())
        rows.append(talk)
    if not rows:
        raise InputError(f"{path}: no rows; allowed: one or more")
    return tuple(rows)
