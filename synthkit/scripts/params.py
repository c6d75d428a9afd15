"""Parameters: valid by their tool's schema, and each named in the words of the trigger.

A string is named if all its content words are said, singular or plural alike, whatever the person
("that I'm sick", "I am sick"); a number as figures or in words; a code by the word it stands for
(USD: dollars). True, false and null have no words and are not looked for.
"""

from __future__ import annotations

import contextlib
import functools
import json
import math
from collections.abc import Iterator, Mapping
from typing import Any, TypeGuard

from synthkit.errors import InputError, one_line, quoted
from synthkit.scripts.actions import singular
from synthkit.scripts.amounts import durations, numbers
from synthkit.scripts.inventory import Tool
from synthkit.scripts.texts import words
from synthkit.scripts.vocabulary import listed
from synthkit.speech.text import spoken_text

# Small words change with the person who speaks and carry no value: "that I am late", "I'm late".
SMALL_WORDS = listed(
    "a an the this that these those i me my mine you your yours he him his she her hers it its we "
    "us our ours they them their theirs myself yourself himself herself itself ourselves "
    "themselves am is are was were be been being have has had do does did will would shall should "
    "can could may might must of to for at in on by from with and or as if so up than one one's "
    "i'm it's he's she's that's there here there's ll ve d m s re"
)
CONTRACTED = {"can't": "can", "won't": "will", "shan't": "shall", "ain't": "is"}
CODES = {
    "USD": {"dollar", "buck", "cent"},
    "EUR": {"euro", "cent"},
    "GBP": {"pound", "quid", "pence", "penny"},
    "CAD": {"dollar"},
    "AUD": {"dollar"},
    "CHF": {"franc"},
    "JPY": {"yen"},
    "INR": {"rupee"},
    "CNY": {"yuan"},
}
# Of a parameter's name: the unit of time that its value has.
UNITS = ("second", "minute", "hour", "day", "week")
BEYOND = (ValueError, TypeError, OverflowError, RecursionError)


def params_faults(
    params: Mapping[str, object], tool: Tool, trigger: str
) -> Iterator[tuple[str, str]]:
    """Yield path and reason of each parameter that is not valid or not named in ``trigger``."""
    yield from _schema_faults(params, tool)
    said = frozenset(map(singular, _content(trigger)))
    every = frozenset(words(trigger))
    for path, name, value in _leaves(params):
        if isinstance(value, str):
            missing = _unsaid(value, said, every)
            if missing:
                yield (
                    path,
                    f"found {quoted(value)}, of which the trigger {quoted(trigger)} does not say "
                    f"{quoted(missing)}; allowed: what the trigger says",
                )
        elif _is_number(value) and not _is_said(value, name, trigger):
            yield (
                path,
                f"found {quoted(value)}, a number that the trigger {quoted(trigger)} does not "
                "say; allowed: one that it says in figures or words",
            )


def _leaves(value: object) -> Iterator[tuple[str, str, object]]:
    """Path, name and value of everything in ``value`` that is no list and no object."""
    waiting: list[tuple[str, str, object]] = [("", "", value)]
    while waiting:
        path, name, inner = waiting.pop()
        if isinstance(inner, Mapping):
            rows = [(f"{path}.{key}", str(key), item) for key, item in inner.items()]
            waiting.extend(reversed(rows))
        elif isinstance(inner, list | tuple):
            items = [(f"{path}[{at}]", name, item) for at, item in enumerate(inner)]
            waiting.extend(reversed(items))
        else:
            yield path, name, inner


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _unsaid(value: str, said: frozenset[str], every: frozenset[str]) -> str:
    """The words of ``value`` that are not said; empty if all are."""
    if value in CODES and said & CODES[value]:
        return ""
    content = _content(value)
    if not content:  # "me", "it": nothing but small words
        return " ".join(word for word in words(value) or [value] if word not in every)
    return " ".join(word for word in content if singular(word) not in said)


def _content(text: str) -> list[str]:
    """The words of ``text``, in the form they are spoken in, without the small ones."""
    with contextlib.suppress(InputError):
        text = spoken_text(text, "en-US", "text")
    found = []
    for word in words(text.replace("_", " ")):
        if word.endswith("n't"):
            found.append("not")
            word = CONTRACTED.get(word, word[:-3])
        stem = word.partition("'")[0] if "'" in word and not word.endswith("'s") else word
        if stem.removesuffix("'s") not in SMALL_WORDS and stem:
            found.append(stem)
    return found


def _is_said(value: float, name: str, trigger: str) -> bool:
    unit = next((unit for unit in UNITS if unit in name.casefold()), None)
    lengths = durations(trigger, unit) if unit else frozenset()
    try:
        wanted = float(value)
    except OverflowError:
        return False
    return any(math.isclose(wanted, one, rel_tol=1e-9) for one in lengths or numbers(trigger))


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
