"""Validation against the JSON Schemas that the package carries, with errors of one line."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError, best_match
from jsonschema.validators import extend

from synthkit.errors import InputError, one_line
from synthkit.resources import folder


def engines() -> tuple[str, ...]:
    """Names of the speech engines whose parameters have a schema."""
    names = (path.name for path in folder("schema").glob("engine-*.schema.json"))
    return tuple(sorted(n.removeprefix("engine-").removesuffix(".schema.json") for n in names))


@functools.cache
def _validator(name: str) -> Any:
    schema = json.loads((folder("schema") / f"{name}.schema.json").read_text(encoding="utf-8"))
    _Strict.check_schema(schema)
    return _Strict(schema)


def _is_integer(checker: object, value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _pattern(
    validator: object, pattern: str, value: object, schema: object
) -> Iterator[ValidationError]:
    if isinstance(value, str) and (not re.search(pattern, value) or value.endswith("\n")):
        yield ValidationError(f"does not match {pattern}")


def _unique_items(
    validator: object, unique: bool, value: object, schema: object
) -> Iterator[ValidationError]:
    """In linear time, which jsonschema's own is not where texts and numbers are mixed."""
    if unique and isinstance(value, list) and len(set(map(_comparable, value))) < len(value):
        yield ValidationError("stands twice")


def _comparable(value: object) -> tuple[str, object]:
    """What two values share if JSON Schema takes them for the same: 1 and 1.0, not 1 and true."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return "number", value
    return "other", json.dumps(value, sort_keys=True, default=str)


# JSON Schema lets 1.0 pass for an integer, and Python's $ lets a final newline pass; as a
# position or an id, neither would do.
_Strict = extend(
    Draft202012Validator,
    validators={"pattern": _pattern, "uniqueItems": _unique_items},
    type_checker=Draft202012Validator.TYPE_CHECKER.redefine("integer", _is_integer),
)


def check(value: object, schema: str, where: str) -> None:
    """Raise :class:`InputError` naming ``where``, the field, what was found and what is allowed."""
    error = best_match(_validator(schema).iter_errors(value))
    if error:
        raise InputError(f"{where}: {_line(error)}")


def numbers(schema: str) -> dict[str, float | None]:
    """The fields of a schema that are numbers, with their default where it names one."""
    fields = _validator(schema).schema.get("properties", {})
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
