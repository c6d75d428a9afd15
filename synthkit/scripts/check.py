"""The check of commands: every rule on every row, and which rows are like earlier ones."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from synthkit.errors import InputError, quoted
from synthkit.scripts.commands import TEXT_FIELDS, Command
from synthkit.scripts.duplicates import near_duplicates
from synthkit.scripts.inventory import Inventory
from synthkit.scripts.params import params_faults
from synthkit.scripts.sentences import context_faults, trigger_faults
from synthkit.scripts.texts import unspeakable, words
from synthkit.speech.text import check_text

LEAST_WORDS, MOST_WORDS = 2, 30
_FAMILY = re.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,63}")


@dataclass(frozen=True, slots=True)
class Finding:
    """One reason for which a row is refused: its id, the field at fault, one line that says why."""

    id: str
    field: str
    reason: str


def check_commands(
    commands: Sequence[Command], inventory: Inventory, need_family: bool = False
) -> tuple[Finding, ...]:
    """Every finding on ``commands``, row by row; a row without any is good.

    What is found on a row does not depend on the others, but for duplicates: of rows whose
    context or trigger are alike, all but the first are refused. Never raises, whatever is in a row.
    """
    alike: list[list[Finding]] = [[] for _ in commands]
    for name in TEXT_FIELDS:
        texts = [command.text(name) for command in commands]
        for place, other, overlap in near_duplicates(texts):
            reason = (
                f"found {quoted(texts[place])}, like {quoted(texts[other])} of "
                f"{quoted(commands[other].id)} (overlap {overlap:.2f}); "
                "allowed: texts that are unlike each other"
            )
            alike[place].append(Finding(commands[place].id, name, reason))
    return tuple(
        finding
        for command, also in zip(commands, alike, strict=True)
        for finding in (*check_command(command, inventory, need_family), *also)
    )


def check_command(
    command: Command, inventory: Inventory, need_family: bool = False
) -> tuple[Finding, ...]:
    """Every finding on one row by itself; near-duplicates are no matter of one row."""
    found = [*_texts(command), *_params(command, inventory)]
    if need_family and not _FAMILY.fullmatch(command.family or ""):
        found.append(
            ("family", f"found {quoted(command.family)}; allowed: the name of a template family")
        )
    return tuple(Finding(command.id, field, reason) for field, reason in found)


def _texts(command: Command) -> Iterator[tuple[str, str]]:
    if command.language.split("-")[0] != "en":
        yield "language", f"found {quoted(command.language)}; allowed: English, such as en-US"
        return
    unread = False
    for name in TEXT_FIELDS:
        for reason in _form(command.text(name), command.language):
            unread = True
            yield name, reason
    if unread:  # what follows reads sentences, which these are not
        return
    for reason in context_faults(command.context, command.trigger):
        yield "context", reason
    for reason in trigger_faults(command.trigger):
        yield "trigger", reason


def _form(text: str, language: str) -> Iterator[str]:
    """What keeps ``text`` from being something that a person says in one breath or two."""
    try:
        check_text(text, language, "text")
    except InputError as error:
        yield str(error).removeprefix("text: ")
        return
    if odd := unspeakable(text):
        yield f"found {quoted(odd)}; allowed: letters, figures and plain marks that can be said"
    number = len(words(text))
    if not LEAST_WORDS <= number <= MOST_WORDS:
        yield f"found {number} words; allowed: {LEAST_WORDS} to {MOST_WORDS}"


def _params(command: Command, inventory: Inventory) -> Iterator[tuple[str, str]]:
    tool = inventory.tools.get(command.tool)
    if tool is None:
        known = ", ".join(sorted(inventory.tools))
        yield "tool", f"found {quoted(command.tool)}; allowed: {known}"
        return
    for path, reason in params_faults(command.params, tool, command.trigger):
        yield f"params{path}", reason
