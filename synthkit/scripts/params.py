"""Parameters: valid by their tool's schema, and each named in the words of the trigger."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator, Mapping
from typing import Any

from synthkit.errors import one_line, quoted
from synthkit.scripts.inventory import Tool

BEYOND = (ValueError, TypeError, OverflowError, RecursionError)


def params_faults(
    params: Mapping[str, object], tool: Tool, trigger: str
) -> Iterator[tuple[str, str]]:
    """Yield path and reason of each parameter that is not valid or not named in ``trigger``."""
    faults = [*_schema_faults(params, tool)]
    yield from faults


def _schema_faults(params: Mapping[str, object], tool: Tool) -> Iterator[tuple[str, str]]:
    try:
        validator = _validator(json.dumps(tool.parameters, sort_keys=True))
        for error in validator.iter_errors(dict(params)):
            path = "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in error.instance_path)
            reason = one_line(error.message, 200)
            yield path, f"{reason}; allowed: what the schema of tool {tool.name} says"
    except BEYOND as error:
        yield (
            "",
            f"found {quoted(params)}, which the schema of tool {tool.name} cannot be tried on "
            f"({one_line(error, 100)}); allowed: plain JSON",
        )


@functools.lru_cache(maxsize=1024)
def _validator(parameters: str) -> Any:
    """The compiled schema; it fetches nothing from elsewhere."""
    import jsonschema_rs

    def refuse(uri: str) -> Any:
        raise ValueError(f"{uri} lies elsewhere")

    return jsonschema_rs.Draft202012Validator(json.loads(parameters), retriever=refuse)
