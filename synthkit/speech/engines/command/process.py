"""One run of somebody else's program: its output and its time limited, its process group ended."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Literal

MAX_BYTES = 256 * 2**20
BLOCK = 1 << 16
LAST_BYTES = 4096  # of what is said on standard error
# A program that has been killed closes its pipes; one that left its group may never do so.
AFTER_KILL_S = 1.0


@dataclass(frozen=True)
class Result:
    """What a run left: exit code (negative: the signal's), output and last word of complaint."""

    code: int
    output: bytes
    last_line: str
    fault: Literal["time", "size"] | None = None


def run(
    command: list[str], text: bytes, folder: Path, timeout_s: float, out: Path | None = None
) -> Result:
    """Run ``command`` in ``folder`` with ``text`` on its standard input; no shell.

    It is killed, with all that it started in its process group, after ``timeout_s`` seconds and
    where standard output, or the file ``out``, passes :data:`MAX_BYTES`. Raises ``OSError`` where
    it cannot be started.
    """
    with tempfile.TemporaryFile() as given:
        given.write(text)
        given.seek(0)
        process = subprocess.Popen(
            command,
            stdin=given,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            cwd=folder,
            start_new_session=True,
        )
    output, complaint = bytearray(), bytearray()
    too_much = threading.Event()
    readers = (
        _reader(process.stdout, lambda block: _keep(output, block, too_much)),
        _reader(process.stderr, lambda block: _keep_last(complaint, block)),
    )
    fault: Literal["time", "size"] | None = None
    deadline = time.monotonic() + timeout_s
    try:
        while readers[0].is_alive() or process.poll() is None:
            if too_much.is_set() or (out and out.is_file() and out.stat().st_size > MAX_BYTES):
                fault = "size"
                break
            left = deadline - time.monotonic()
            if left <= 0:
                fault = "time"
                break
            _wait(process, readers[0], min(left, 0.1))
        if too_much.is_set():  # and the program ended by it
            fault = "size"
    finally:
        _kill(process)  # and what it started, whether it has ended or not
        for reader in readers:
            reader.join(AFTER_KILL_S)
    lines = bytes(complaint).decode("utf-8", "replace").split("\n")
    last = next((line.strip() for line in reversed(lines) if line.strip()), "")
    return Result(process.wait(), bytes(output), last, fault)


def _wait(process: subprocess.Popen[bytes], reader: threading.Thread, seconds: float) -> None:
    """Wait a little for the end of the output, then for that of the process."""
    if reader.is_alive():
        reader.join(seconds)
        return
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(seconds)


def _reader(stream: IO[bytes] | None, keep: Callable[[bytes], bool]) -> threading.Thread:
    """A thread that reads ``stream`` to its end, or until ``keep`` has had enough."""

    def read() -> None:
        assert stream is not None
        with stream:
            while block := stream.read(BLOCK):
                if not keep(block):
                    return

    thread = threading.Thread(target=read, daemon=True)
    thread.start()
    return thread


def _keep(kept: bytearray, block: bytes, too_much: threading.Event) -> bool:
    kept += block
    if len(kept) > MAX_BYTES:
        too_much.set()
    return not too_much.is_set()


def _keep_last(kept: bytearray, block: bytes) -> bool:
    kept += block
    del kept[:-LAST_BYTES]
    return True


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill the process and, where the system has groups, what it started."""
    if os.name == "posix":
        with contextlib.suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
