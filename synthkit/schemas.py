"""Validation against the JSON Schemas that the package carries, with errors of one line."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import jsonschema_rs

from synthkit.errors import InputError, one_line
from synthkit.resources import folder

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError

# JSON Schema lets 1.0 pass for an integer; as a position it would not do.
STRICT_INTEGER = "x-strict-integer"


def engines() -> tuple[str, ...]:
    """Names of the speech engines whose parameters have a schema."""
    names = (path.name for path in folder("schema").glob("engine-*.schema.json"))
    return tuple(sorted(n.removeprefix("engine-").removesuffix(".schema.json") for n in names))


def check(value: object, schema: str, where: str) -> None:
    """Raise :class:`InputError` naming ``where``, the field, what was found and what is allowed.

    A fast validator accepts what is right; the one that explains, ten times slower to load and
    a hundred times slower a row, is only asked about the rest, and has the last word there.
    """
    if accepts(value, schema):
        return
    from jsonschema.exceptions import best_match

    error = best_match(_validator(schema).iter_errors(value))
    if error:
        raise InputError(f"{where}: {_line(error)}")


def accepts(value: object, schema: str) -> bool:
    """Whether ``value`` is valid; False too for what is no JSON, such as a date of TOML."""
    try:
        return bool(_fast(schema).is_valid(value))
    except (ValueError, TypeError, OverflowError):
        return False


@functools.cache
def _schema(name: str) -> Any:
    return json.loads((folder("schema") / f"{name}.schema.json").read_text(encoding="utf-8"))


@functools.cache
def _fast(name: str) -> Any:
    keywords: dict[str, Any] = {STRICT_INTEGER: _StrictInteger, "pattern": _Pattern}
    return jsonschema_rs.Draft202012Validator(_marked(_schema(name)), keywords=keywords)


class _StrictInteger:
    """The keyword beside ``"type": "integer"`` that no float passes."""

    def __init__(self, parent_schema: object, value: object, schema_path: object) -> None:
        pass

    def validate(self, instance: object) -> None:
        if isinstance(instance, float):
            raise ValueError("a float")


class _Pattern:
    """The keyword ``pattern`` as the validator that explains reads it."""

    def __init__(self, parent_schema: object, value: str, schema_path: object) -> None:
        self._matches = functools.partial(_matches, value)

    def validate(self, instance: object) -> None:
        if isinstance(instance, str) and not self._matches(instance):
            raise ValueError("no match")


@functools.cache
def _validator(name: str) -> Any:
    """The validator that explains; loaded when there is something to explain."""
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import ValidationError
    from jsonschema.validators import extend

    def pattern(
        validator: object, pattern: str, value: object, schema: object
    ) -> Iterator[ValidationError]:
        if isinstance(value, str) and not _matches(pattern, value):
            yield ValidationError(f"does not match {pattern}")

    def is_integer(checker: object, value: object) -> bool:
        return isinstance(value, int) and not isinstance(value, bool)

    strict = extend(
        Draft202012Validator,
        validators={"pattern": pattern},
        type_checker=Draft202012Validator.TYPE_CHECKER.redefine("integer", is_integer),
    )
    strict.check_schema(_schema(name))
    return strict(_schema(name))


def _matches(pattern: str, value: str) -> bool:
    """Whether ``pattern`` is in ``value``; Python's $ would let a final newline pass."""
    return re.search(pattern, value) is not None and not value.endswith("\n")


def _marked(schema: Any) -> Any:
    """``schema`` with the keyword of :class:`_StrictInteger` wherever an integer is asked for."""
    if isinstance(schema, list):
        return [_marked(inner) for inner in schema]
    if not isinstance(schema, dict):
        return schema
    marked = {key: _marked(inner) for key, inner in schema.items()}
    kinds = schema.get("type", ())
    kinds = kinds if isinstance(kinds, list) else (kinds,)
    if "integer" in kinds and "number" not in kinds:
        marked[STRICT_INTEGER] = True
    return marked


def numbers(schema: str) -> dict[str, float | None]:
    """The fields of a schema that are numbers, with their default where it names one."""
    fields = _schema(schema).get("properties", {})
    return {
        name: field.get("default")
        for name, field in fields.items()
        if field.get("type") == "number"
    }


def _line(error: ValidationError) -> str:
    field = _path(error.absolute_path) or "(top level)"
    allowed = error.schema.get("description", "") if isinstance(error.schema, dict) else ""
    match error.validator:
        case "additionalProperties":
            known = error.schema.get("properties", {})
            extra = sorted(set(error.instance) - set(known))
            return f"field {field}: unknown {_list(extra)}; allowed: {_list(known)}"
        case "required":
            missing = [key for key in error.validator_value if key not in error.instance]
            return f"field {field}: {_list(missing)} missing"
        case "enum":
            return (
                f"field {field}: found {_short(error.instance)}; "
                f"allowed: {_list(map(str, error.validator_value))}"
            )
        case "type":
            wanted = error.validator_value
            kinds = wanted if isinstance(wanted, str) else " or ".join(wanted)
            return f"field {field}: found {_short(error.instance)}; allowed: {kinds}" + (
                f", {allowed}" if allowed else ""
            )
        case _:
            rule = allowed or f"{error.validator} {_short(error.validator_value)}"
            return f"field {field}: found {_short(error.instance)}; allowed: {rule}"


def _path(parts: Iterable[object]) -> str:
    text = ""
    for part in parts:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else str(part)
    return text


def _short(value: object) -> str:
    return one_line(json.dumps(value, ensure_ascii=False, default=str), 60)


def _list(names: Iterable[str]) -> str:
    return ", ".join(names) or "nothing"
