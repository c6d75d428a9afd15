"""What every command shares: errors on one line, exit codes, progress."""

from __future__ import annotations

import io
import math
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn, TextIO

import click

from synthkit.errors import InputError, SynthkitError, one_line

FELL_SHORT, REFUSED = 1, 2


class OneLineErrors(click.Group):
    """Every error is one line on standard error: exit code 2 for a refusal, 1 for the system's."""

    def invoke(self, ctx: click.Context) -> Any:
        for stream in (sys.stdout, sys.stderr):
            # A terminal that lacks a character gets it escaped, not a traceback.
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="backslashreplace")
        try:
            return super().invoke(ctx)
        except SynthkitError as error:
            fail(str(error))  # one line already, as long as it has to be
        except BrokenPipeError:
            # Whoever read the output has read enough; nothing more can be told there.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(FELL_SHORT)
        except OSError as error:
            fail(f"{error.filename or 'file system'}: {error.strerror or error}", FELL_SHORT)


def fail(message: str, code: int = REFUSED) -> NoReturn:
    """Say what is wrong on one line and leave."""
    click.echo(f"synthkit: {one_line(message, limit=2**20)}", err=True)
    sys.exit(code)


class Number(click.FloatRange):
    """A finite number within a range."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        number = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"{value} is not a finite number", param, ctx)
        return number


def writable(path: Path | None, *inputs: Path | None) -> None:
    """Refuse a place where no file can be written, before any work is done for it.

    Nor is anything written over the ``inputs``, what a command reads: files, and folders with
    whatever is in them.
    """
    if path is None or str(path) == "-":
        return
    for other in filter(None, inputs):
        if same_file(path, other):
            raise InputError(f"{path}: is what is read; allowed: another file to write")
        if is_within(path, other):
            raise InputError(
                f"{path}: is there already, in {other}, which is read; allowed: a new file"
            )
    at = path
    try:
        while not at.exists():
            at = at.parent
        # A file takes the place of what is there: of no folder, pipe, device or link to one.
        fits = path.is_file() if at == path else at.is_dir()
        if path.is_symlink() or not (fits and os.access(at, os.W_OK)):
            raise InputError(f"{path}: cannot be written; allowed: the path of a file")
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror})") from None


def same_file(path: Path, other: Path) -> bool:
    """Whether two paths are one place, by whatever spelling or link."""
    try:
        if path.exists() and other.exists():
            return path.samefile(other)
        return path.resolve() == other.resolve()
    except (OSError, ValueError, RuntimeError):  # too long, a loop of links: of no file
        return False


def is_within(path: Path, folder: Path) -> bool:
    """Whether ``path`` is a file that is there already, in ``folder`` or below it."""
    try:
        return path.is_file() and path.resolve().is_relative_to(folder.resolve())
    except (OSError, ValueError, RuntimeError):  # as above
        return False


def is_terminal(stream: TextIO | None) -> bool:
    """Whether somebody watches a stream, which may have been closed, as by ``2>&-``."""
    return stream is not None and stream.isatty()


@contextmanager
def progress(total: int | None, unit: str, wanted: bool = True) -> Iterator[Callable[[], None]]:
    """A tqdm bar on a terminal if it is ``wanted``, nothing in a pipe; yields what advances it."""
    if not (wanted and is_terminal(sys.stderr)):
        yield lambda: None
        return
    from tqdm import tqdm

    with tqdm(total=total, unit=unit, leave=False) as bar:

        def advance() -> None:
            bar.update()

        yield advance


@contextmanager
def stages() -> Iterator[Callable[[str, int, int], None]]:
    """Bars for work in stages, with an estimate; yields what is told stage, done and total."""
    if not is_terminal(sys.stderr):
        yield lambda stage, done, total: None
        return
    from tqdm import tqdm

    bars: dict[str, tqdm[NoReturn]] = {}

    def show(stage: str, done: int, total: int) -> None:
        if stage not in bars:
            bars[stage] = tqdm(total=total, desc=stage, leave=False)
        bars[stage].update(done - bars[stage].n)

    try:
        yield show
    finally:
        for bar in bars.values():
            bar.close()
