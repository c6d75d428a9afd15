"""The ``command`` engine: any program that reads text and writes a WAV."""

from __future__ import annotations

import functools
import os
import re
import shutil
import tempfile
from pathlib import Path

from synthkit.audio import Audio
from synthkit.errors import AudioError, InputError, quoted
from synthkit.files import reason, sha256_file
from synthkit.keys import content_key
from synthkit.speech.base import SpeechEngine
from synthkit.speech.cards import VoiceCard
from synthkit.speech.engines.command.process import MAX_BYTES, Result, run
from synthkit.wav import mono_of

TIMEOUT_S = 60.0
# "eSpeak NG text-to-speech: 1.51  Data at: /usr/…": what comes after is of this machine alone.
_VERSION = re.compile(r".*?\d+\.\d+\S*")


class Engine(SpeechEngine):
    """Runs the card's ``program`` once an utterance: one line of UTF-8 in, a WAV out.

    The text goes to standard input and never among the arguments, which are the card's ``args``
    with ``{seed}`` replaced; no shell is asked. The WAV is read from standard output, or from the
    temporary file that an argument names by ``{out}``. The program runs in the card's folder, in
    the user's environment. Arguments that name a file below that folder are the card's files:
    they are hashed and go with a set's recipe, like a ``program`` that lies there.

    Whether the same text and seed give the same sound is the card's word: ``deterministic``.
    """

    silent = frozenset({"deterministic", "install", "timeout_s"})

    def version(self, card: VoiceCard) -> str:
        """What the program says to ``version_args``, up to the number; else its file's hash."""
        program = _program(card)
        arguments = _strings(card, "version_args")
        if not arguments:
            return f"sha256 {sha256_file(program)[:12]}"
        return _version(program, program.stat().st_mtime_ns, arguments, card.folder, card.id)

    def model_sha256(self, card: VoiceCard) -> str:
        """Hash of the program's file; of the hashes of all, where the card has files more."""
        hashes = [sha256_file(path) for path in dict.fromkeys((_program(card), *self.files(card)))]
        return hashes[0] if len(hashes) == 1 else content_key(hashes)

    def deterministic(self, card: VoiceCard) -> bool:
        return card.parameters.get("deterministic") is True

    def missing(self, card: VoiceCard) -> str | None:
        if _found(card):
            return None
        name = quoted(card.parameters["program"])
        suggested = card.parameters.get("install", "install it")
        return f"no program {name} that can be run: {suggested}"

    def files(self, card: VoiceCard) -> tuple[Path, ...]:
        home = card.folder.resolve()
        names = [name for name in (str(card.parameters["program"]),) if _is_path(name)]
        paths = [card.folder / name for name in (*names, *_strings(card, "args"))]
        return tuple(dict.fromkeys(path for path in paths if _below(path, home)))

    def speak(self, text: str, card: VoiceCard, seed: int) -> Audio:
        program = _program(card)
        where = f"voice {card.id}: {program.name}"
        with tempfile.TemporaryDirectory(prefix="synthkit-") as folder:
            out = Path(folder, "speech.wav")
            arguments = _strings(card, "args")
            filled = [
                a.replace("{seed}", str(seed % 2**31)).replace("{out}", str(out)) for a in arguments
            ]
            into_file = any("{out}" in argument for argument in arguments)
            timeout_s = float(str(card.parameters.get("timeout_s", TIMEOUT_S)))
            result = _run(
                [str(program), *filled],
                f"{text}\n",
                card.folder,
                timeout_s,
                where,
                out if into_file else None,
            )
            content = result.output
            if into_file:
                content = out.read_bytes() if out.is_file() else b""
        if not content:
            raise AudioError(f"{where}: wrote no sound{_said(result)}")
        return mono_of(content, where)


def _run(
    command: list[str],
    text: str,
    folder: Path,
    timeout_s: float,
    where: str,
    out: Path | None = None,
) -> Result:
    """Run to the end; :class:`AudioError` where there is none or it is a bad one."""
    try:
        result = run(command, text.encode("utf-8"), folder, timeout_s, out)
    except OSError as error:
        raise AudioError(f"{where}: cannot be started ({reason(error)})") from None
    if result.fault == "time":
        raise AudioError(f"{where}: not done after {timeout_s:g} s{_said(result)}")
    if result.fault == "size":
        raise AudioError(f"{where}: wrote more than {MAX_BYTES // 2**20} MiB; allowed: up to that")
    if result.code:
        how = f"exit code {result.code}" if result.code > 0 else f"killed by signal {-result.code}"
        raise AudioError(f"{where}: {how}{_said(result)}")
    return result


def _said(result: Result) -> str:
    return f": {result.last_line}" if result.last_line else ""


@functools.lru_cache(maxsize=64)
def _version(
    program: Path, changed_ns: int, arguments: tuple[str, ...], folder: Path, voice: str
) -> str:
    where = f"voice {voice}: {program.name} {' '.join(arguments)}"
    try:
        result = _run([str(program), *arguments], "", folder, TIMEOUT_S, where)
    except AudioError as error:
        raise InputError(str(error)) from None
    said = f"{result.output.decode('utf-8', 'replace')}\n{result.last_line}".split("\n")
    line = next((" ".join(line.split()) for line in said if line.strip()), None)
    if line is None:
        raise InputError(f"{where}: says no version")
    number = _VERSION.match(line)
    return number.group() if number else line


def _program(card: VoiceCard) -> Path:
    found = _found(card)
    if found is None:
        raise InputError(f"voice {card.id}: no program {quoted(card.parameters['program'])}")
    return Path(found)


def _found(card: VoiceCard) -> str | None:
    """Where the program lies: on PATH, or as a path that starts in the card's folder."""
    name = str(card.parameters["program"])
    try:
        return shutil.which(str(card.folder / name) if _is_path(name) else name)
    except ValueError:  # a NUL
        return None


def _is_path(name: str) -> bool:
    return "/" in name or os.sep in name


def _strings(card: VoiceCard, name: str) -> tuple[str, ...]:
    values = card.parameters.get(name, ())
    return tuple(map(str, values)) if isinstance(values, list | tuple) else ()


def _below(path: Path, home: Path) -> bool:
    """Whether there is such a file, in ``home`` or below it."""
    try:
        return path.is_file() and ".." not in path.parts and path.resolve().is_relative_to(home)
    except (OSError, ValueError, RuntimeError):
        return False
