"""Commands from a language model: any chat server of OpenAI's form; each of them checked."""

from __future__ import annotations

import itertools
import json
import re
from collections import Counter
from collections.abc import Sequence
from urllib.parse import urlsplit

from synthkit import schemas
from synthkit.errors import AudioError, InputError, SynthkitError, quoted
from synthkit.files import parse_json
from synthkit.keys import draw
from synthkit.scripts.check import Finding, check_command
from synthkit.scripts.commands import Command
from synthkit.scripts.generator import numbered, passed, tally
from synthkit.scripts.inventory import Inventory, Tool
from synthkit.speech.engines.http.request import LOOPBACK, Server

KEY = "SYNTHKIT_LLM_KEY"  # the environment's variable with the server's key
KEY_LENGTH = 8  # of a key that is a secret; shorter ones are words, such as "none"
FAMILY = "llm"
ROUNDS = 8  # requests a tool
AT_ONCE = 20  # commands that one request asks for, at most
MAX_BYTES = 4 * 2**20
_FENCED = re.compile(r"\s*```(?:json)?\s*\n(.*)\n\s*```\s*", re.DOTALL)

RULES = """You write test scripts for a voice assistant: each is a context and a trigger.
The context is one statement of what a person was just saying, as in small talk. It asks for
nothing, is no question, and names neither the action nor that anybody should do it.
The trigger is one imperative sentence to the assistant that calls the tool and says every
parameter in so many words; numbers are written as words. No question, no "don't", no "let's".
Say nothing of voices, distance, rooms or who is speaking. Plain spoken English, 3 to 16 words.
Vary syntax, register, names and numbers. No two may be alike.
Answer with a JSON array of objects with the fields context, trigger and params alone."""


def server_at(url: str, key: str | None, timeout_s: float = 120.0) -> Server:
    """The chat server at ``url``, such as ``https://host/v1``; :class:`InputError` for others.

    Allowed are https, and http on this machine.
    """
    try:
        parts = urlsplit(url)
        host = parts.hostname
    except ValueError:
        raise InputError(f"--llm {quoted(url)}: no address") from None
    if not host or not (parts.scheme == "https" or (parts.scheme == "http" and host in LOOPBACK)):
        raise InputError(
            f"--llm {quoted(url)}: allowed: an address with https, or with http on this machine"
        )
    address = f"{url.rstrip('/')}/chat/completions"
    return Server(address, key, timeout_s, 2, "application/json", MAX_BYTES)


def ask(
    inventory: Inventory,
    server: Server,
    model: str,
    num: int,
    seed: int,
    avoid: Sequence[Command] = (),
) -> tuple[Command, ...]:
    """``num`` commands for each tool, in rounds over the tools; all pass the check of commands.

    The seed is the server's to heed. Raises :class:`InputError` where it fails, or where it gives
    too few in some requests, with what was refused.
    """
    found: dict[str, list[Command]] = {}
    for tool in inventory.tools.values():
        before = [*avoid, *(command for rows in found.values() for command in rows)]
        found[tool.name] = _of_tool(tool, inventory, server, model, num, seed, before)
    return numbered(found, "l", avoid)


def _of_tool(
    tool: Tool,
    inventory: Inventory,
    server: Server,
    model: str,
    num: int,
    seed: int,
    before: Sequence[Command],
) -> list[Command]:
    good: list[Command] = []
    refused: list[Finding] = []
    broken: Counter[str] = Counter()
    for turn in range(ROUNDS):
        body = {
            "model": model,
            "messages": _messages(tool, min(AT_ONCE, num - len(good)), good),
            "temperature": 1.0,
            "seed": draw(seed, tool.name, f"llm {turn}"),
        }
        try:
            rows = _commands(server.post(body, f"tool {tool.name}"), tool.name, broken, server.key)
        except AudioError as error:
            raise InputError(str(error)) from None
        # By themselves first: being like a row that is refused anyway is no fault.
        faults = [check_command(row, inventory) for row in rows]
        whole = [row for row, found in zip(rows, faults, strict=True) if not found]
        good, alike = passed([*good, *whole], inventory, before)
        refused += [*itertools.chain.from_iterable(faults), *(finding for _, finding in alike)]
        if len(good) >= num:
            return good[:num]
    reasons = [tally(refused)] if refused else []
    reasons += [f"{count} for {what}" for what, count in broken.most_common(4)]
    raise InputError(
        f"tool {tool.name}: {quoted(model)} gave {len(good)} commands of {num} in {ROUNDS} "
        f"requests; refused: {', '.join(reasons) or 'nothing'}"
    )


def _messages(tool: Tool, num: int, good: Sequence[Command]) -> list[dict[str, str]]:
    asked = {
        "tool": tool.name,
        "does": tool.description,
        "params": tool.parameters,
        "number": num,
        "unlike": [command.trigger for command in good],
    }
    return [
        {"role": "system", "content": RULES},
        {"role": "user", "content": json.dumps(asked, ensure_ascii=False)},
    ]


def _commands(answer: bytes, tool: str, broken: Counter[str], key: str | None) -> list[Command]:
    """The commands of one answer; what is none, or quotes the ``key``, goes into ``broken``."""
    try:
        whole = parse_json(answer.decode("utf-8"), "answer")
        content = whole["choices"][0]["message"]["content"]  # type: ignore[index]
        fenced = _FENCED.fullmatch(content)
        rows = parse_json(fenced[1] if fenced else content, "answer")
    except (SynthkitError, UnicodeDecodeError, LookupError, TypeError):
        rows = None
    if not isinstance(rows, list):
        broken["an answer: a JSON array"] += 1
        return []
    commands = []
    for row in rows:
        try:
            command = _command(row, tool)
        except SynthkitError:
            broken["a row: context, trigger and params"] += 1
            continue
        if key and len(key) >= KEY_LENGTH and key in json.dumps(command.describe()):
            broken["a row: without the key"] += 1
        else:
            commands.append(command)
    return commands


def _command(row: object, tool: str) -> Command:
    wanted = {"context", "trigger", "params"}
    if not isinstance(row, dict) or set(row) != wanted:
        raise InputError("no row")
    whole = {"id": "row", "tool": tool, "family": FAMILY, **row}
    schemas.check(whole, "command", "row")
    return Command(**whole)
