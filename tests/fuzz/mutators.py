"""Mutators: good files to hostile ones, every choice drawn from the generator that is given."""

from __future__ import annotations

import copy
import datetime
import json
import random
import re
import struct
from collections.abc import Callable, Iterator
from typing import Any

import tomli_w

from tests.fuzz.values import (
    CHUNKS,
    EXTREMES,
    EXTREMES_32,
    KNOWN,
    NUMBERS,
    PATHS,
    TEXTS,
    WHOLE_SEPARATORS,
    Tree,
)


def hostile(rng: random.Random) -> Any:
    """A value that a field was not made for."""
    kinds: tuple[Callable[[], Any], ...] = (
        lambda: rng.choice(NUMBERS),
        lambda: rng.choice(TEXTS),
        lambda: rng.choice(PATHS),
        lambda: rng.choice((None, True, False, [], {}, [[]], [None], {"": ""})),
        lambda: _nested(rng.choice((3, 63, 64, 65, 150)), rng.random() < 0.5),
        lambda: [rng.choice(NUMBERS)] * rng.choice((1, 3, 7, 1000)),
        lambda: {rng.choice(TEXTS): rng.choice(TEXTS)},
        lambda: datetime.date(1979, 5, 27),
        lambda: [rng.choice(TEXTS[:40]) for _ in range(3)],
    )
    return rng.choice(kinds)()


def _nested(depth: int, lists: bool) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value] if lists else {"a": value}
    return value


def places(tree: Any, above: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of every value in a tree, its root's empty one left out."""
    inner = tree.items() if isinstance(tree, dict) else enumerate(tree)
    for key, value in inner:
        yield (*above, key)
        if isinstance(value, dict | list):
            yield from places(value, (*above, key))


def at(tree: Any, place: tuple[Any, ...]) -> Any:
    """The value at a place."""
    for key in place:
        tree = tree[key]
    return tree


def mutate_tree(tree: Any, rng: random.Random) -> Any:
    """One to three changes of a parsed file; the tree itself is not changed."""
    tree = json.loads(json.dumps(tree))
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        known = list(places(tree))
        if not known:
            return tree
        place = rng.choice(known)
        parent, key = at(tree, place[:-1]), place[-1]
        match rng.randrange(13):
            case 0:
                del parent[key]
            case 1:
                other = rng.choice(known)
                parent[key] = copy.deepcopy(at(tree, other))
            case 2:
                other = rng.choice(known)
                above, name = at(tree, other[:-1]), other[-1]
                parent[key], above[name] = copy.deepcopy(above[name]), copy.deepcopy(parent[key])
            case 3 if isinstance(parent, dict):
                parent[str(rng.choice(TEXTS))] = parent.pop(key)
            case 4 if isinstance(parent, dict):
                parent[str(rng.choice(TEXTS))] = hostile(rng)
            case 5 if isinstance(parent, list):
                parent += [copy.deepcopy(parent[key])] * rng.choice((1, 2, 500))
            case 6 if isinstance(parent[key], str):
                parent[key] = mutate_text(parent[key], rng)
            case 7 if isinstance(parent[key], int | float) and abs(parent[key]) < 2**64:
                parent[key] = parent[key] * rng.choice((-1, 2, 1000, 1e-3, 1.0000001)) + rng.choice(
                    (0, 0, 1, -1, 0.1)
                )
            case 8 | 9 if isinstance(parent, dict):
                name = rng.choice(list(KNOWN))
                parent[name] = copy.deepcopy(KNOWN[name])
            case 10:
                parent[key] = copy.deepcopy(KNOWN.get(key, rng.choice(list(KNOWN.values()))))
            case 11 if isinstance(parent[key], int | float):
                parent[key] = rng.choice((0, 0.05, 1, 2, 3, 20, 50, 100, 500, 4000, -20, -60))
            case _:
                parent[key] = hostile(rng)
    return tree


def mutate_text(text: str, rng: random.Random) -> str:
    """One change of a text: inserted, cut, doubled, another line end, another word."""
    start, end = sorted((rng.randrange(len(text) + 1), rng.randrange(len(text) + 1)))
    match rng.randrange(9):
        case 0:
            return text[:start] + str(rng.choice(TEXTS)) + text[start:]
        case 1:
            return text[:start] + text[end:]
        case 2:
            return text[:end] + text[start:end] * rng.choice((1, 2, 50)) + text[end:]
        case 3:
            return text.replace("\n", rng.choice(WHOLE_SEPARATORS))
        case 4:
            return rng.choice(("\ufeff", "\ufeff\ufeff", "\n\n", "\r\n", "\0", " ")) + text
        case 5:
            words = list(re.finditer(r'"[^"\n]*"|[-\w.]+', text))
            if not words:
                return str(rng.choice(TEXTS))
            word, value = rng.choice(words), rng.choice((*NUMBERS, *TEXTS))
            shown = json.dumps(value, ensure_ascii=rng.random() < 0.5) if rng.random() < 0.7 else ""
            return text[: word.start()] + (shown or str(value)) + text[word.end() :]
        case 6:
            lines = text.split("\n")
            line = rng.choice(lines)
            lines.insert(rng.randrange(len(lines) + 1), line)
            return "\n".join(lines)
        case 7:
            lines = text.split("\n")
            rng.shuffle(lines)
            return "\n".join(lines)
        case _:
            return text[:start] + rng.choice("{}[]\"'\\,:=#\n\r\t\0") + text[start + 1 :]


def mutate_bytes(content: bytes, rng: random.Random, header: int | None = None) -> bytes:
    """One to four changes of bytes, mostly in the first ``header`` ones."""
    found = bytearray(content)
    for _ in range(rng.choice((1, 1, 2, 4))):
        span = header if header and rng.random() < 0.85 else len(found)
        start = rng.randrange(max(1, min(span, len(found))))
        length = rng.choice((1, 2, 4, 8, 64))
        match rng.randrange(9):
            case 0:
                found[start : start + 1] = bytes([rng.randrange(256)])
            case 1 if start < len(found):
                found[start] ^= 1 << rng.randrange(8)
            case 2:
                del found[start : start + length]
            case 3:
                found = found[: rng.randrange(len(found) + 1)]
            case 4:
                other = rng.randrange(len(found) + 1)
                found[start:start] = found[other : other + length]
            case 5:
                found[start:start] = rng.randbytes(length)
            case 6:
                at = start - start % 2
                found[at : at + 4] = struct.pack("<I", rng.choice(EXTREMES_32))
            case 7:
                at = start - start % 2
                found[at : at + 2] = struct.pack("<H", rng.choice(EXTREMES))
            case _:
                found[start:start] = rng.choice((b"\xef\xbb\xbf", b"\r\n", b"\0", b"\xff", b"\n\n"))
    return bytes(found)


def mutate_wav(content: bytes, rng: random.Random) -> bytes:
    """A sound file with a hostile header, sometimes with another chunk put in."""
    if rng.random() < 0.25:
        at = rng.choice((12, 36, len(content)))
        body = rng.randbytes(rng.choice((0, 1, 4, 28, 33)))
        size = rng.choice((len(body), *EXTREMES_32))
        return content[:at] + rng.choice(CHUNKS) + struct.pack("<I", size) + body + content[at:]
    return mutate_bytes(content, rng, header=min(len(content), 96))


def json_text(tree: Any, rng: random.Random) -> str:
    """A tree as JSON, or as what some programs take for it: NaN, keys that stand twice."""
    text = json.dumps(tree, ensure_ascii=rng.random() < 0.5, default=str)
    if rng.random() < 0.1 and isinstance(tree, dict) and tree:
        key = rng.choice(list(tree))
        text = f"{{{json.dumps(key)}: {json.dumps(hostile(rng), default=str)}, {text[1:]}"
    return text


def toml_text(tree: Tree, rng: random.Random) -> str:
    """A tree as TOML; what TOML has no word for becomes text."""
    try:
        return str(tomli_w.dumps(_without_none(tree)))
    except (RecursionError, TypeError, ValueError):
        return mutate_text(str(tree), rng)


def _without_none(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(k): _without_none(v) for k, v in value.items()}
    if isinstance(value, list):
        return [_without_none(v) for v in value]
    return "null" if value is None else value


def encoded(text: str, rng: random.Random) -> bytes:
    """Text as a file's bytes: UTF-8, now and then with what a careless program makes of it."""
    match rng.randrange(12):
        case 0:
            return b"\xef\xbb\xbf" + text.encode("utf-8", "surrogatepass")
        case 1:
            return text.replace("\n", "\r\n").encode("utf-8", "surrogatepass")
        case 2 if rng.random() < 0.3:
            return text.encode("utf-16", "surrogatepass")
        case 3:
            return mutate_bytes(text.encode("utf-8", "surrogatepass") or b"\n", rng)
        case _:
            return text.encode("utf-8", "surrogatepass")
