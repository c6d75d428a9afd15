"""Templates: families of triggers and contexts with slots, a file a tool, read and checked."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from synthkit import schemas
from synthkit.errors import InputError, quoted
from synthkit.files import read_toml, reason
from synthkit.resources import folder

SAID, VALUE = "say", "value"
PLACE = re.compile(r"\{([a-z][a-z0-9_]*)(?:\.([a-z][a-z0-9_]*))?\}")

Value = Mapping[str, Any]  # what is said for a slot, and what it stands for in parameters


@dataclass(frozen=True)
class Family:
    """One wording of a trigger, and the parameters of its call; both with ``{slot}``."""

    name: str
    say: str
    params: Mapping[str, Any]


@dataclass(frozen=True)
class Templates:
    """All wordings of one tool; ``slots`` holds the values of each slot by its name."""

    tool: str
    families: tuple[Family, ...]
    contexts: tuple[str, ...]
    slots: Mapping[str, tuple[Value, ...]]


def read_templates(path: Path | None = None) -> dict[str, Templates]:
    """Read the ``.toml`` files of a folder, by tool; None for those that come with synthkit.

    Raises :class:`InputError` naming file and field: for a slot that is not there or that nobody
    uses, for a value without the field that a place asks for, for a tool that stands twice.
    """
    path = path or folder("templates")
    try:
        files = sorted(file for file in path.iterdir() if file.suffix == ".toml")
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({reason(error)})") from None
    if not files:
        raise InputError(f"{path}: no templates; allowed: a folder with a .toml file for each tool")
    found: dict[str, Templates] = {}
    for file in files:
        templates = _read(file)
        if templates.tool in found:
            raise InputError(f"{file}: field tool: {templates.tool} stands twice; allowed: once")
        found[templates.tool] = templates
    return found


def places(template: object) -> Iterator[tuple[str, str | None]]:
    """Yield slot and field, None for the slot by itself, of each place in ``template``."""
    if isinstance(template, str):
        for match in PLACE.finditer(template):
            yield match[1], match[2]


def said(template: str, chosen: Mapping[str, Value]) -> str:
    """``template`` with what is said for each of its slots."""
    return PLACE.sub(lambda m: str(chosen[m[1]][m[2] or SAID]), template)


def meant(template: object, chosen: Mapping[str, Value]) -> object:
    """A parameter: the value itself where ``template`` is one place, so that numbers stay such."""
    if not isinstance(template, str):
        return template
    if match := PLACE.fullmatch(template):
        return chosen[match[1]][match[2] or VALUE]
    return PLACE.sub(lambda m: str(chosen[m[1]][m[2] or VALUE]), template)


def _read(file: Path) -> Templates:
    values: Any = read_toml(file)
    schemas.check(values, "templates", str(file))
    tool, params = values["tool"], values["params"]
    slots = {
        name: tuple(_value(value) for value in listed) for name, listed in values["slots"].items()
    }
    families = tuple(
        Family(f"{tool}_{name}", family, params)
        if isinstance(family, str)
        else Family(f"{tool}_{name}", family["say"], family.get("params", params))
        for name, family in values["families"].items()
    )
    templates = Templates(tool, families, tuple(values["contexts"]), slots)
    _check(templates, file)
    return templates


def _value(value: str | Value) -> Value:
    said = {SAID: value} if isinstance(value, str) else dict(value)
    return {VALUE: said[SAID], **said}


def _check(templates: Templates, file: Path) -> None:
    used = set()
    for field, template in _fields(templates):
        for slot, part in places(template):
            used.add(slot)
            if slot not in templates.slots:
                known = ", ".join(templates.slots)
                raise InputError(f"{file}: field {field}: no slot {slot}; allowed: {known}")
            for value in templates.slots[slot]:
                if part is not None and part not in value:
                    raise InputError(
                        f"{file}: field {field}: {quoted(value[SAID])} of slot {slot} has no "
                        f"{part}; allowed: {', '.join(value)}"
                    )
        if isinstance(template, str) and set(PLACE.sub("", template)) & set("{}"):
            raise InputError(
                f"{file}: field {field}: found {quoted(template)}; allowed: {{slot}} and "
                "{slot.field}, in lower case"
            )
    if unused := templates.slots.keys() - used:
        raise InputError(f"{file}: field slots.{min(unused)}: used nowhere; allowed: used slots")


def _fields(templates: Templates) -> Iterator[tuple[str, object]]:
    for number, context in enumerate(templates.contexts):
        yield f"contexts[{number}]", context
    for family in templates.families:
        yield f"families.{family.name.removeprefix(templates.tool + '_')}", family.say
        for name, template in family.params.items():
            yield f"params.{name}", template
