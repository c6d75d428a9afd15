"""Guard: what the product does to the machine while it reads a mutant."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
# Audit events by what their paths are; https://docs.python.org/3/library/audit_events.html
ONE_PATH = {"os.mkdir", "os.remove", "os.rmdir", "os.truncate", "os.chmod", "shutil.rmtree"}
TWO_PATHS = {"os.rename", "os.link", "os.symlink", "shutil.move", "shutil.copyfile"}
NEVER = {
    "subprocess.Popen",
    "os.system",
    "os.exec",
    "os.posix_spawn",
    "socket.connect",
    "pty.spawn",
}
NEVER |= {"socket.getaddrinfo", "pickle.find_class"}


class Guard:
    """Notes writes outside the folders that are allowed, programs started and connections."""

    def __init__(self) -> None:
        self.active = False
        self.allowed: tuple[str, ...] = ()
        self.found: list[str] = []
        self._temporary = os.path.realpath(tempfile.gettempdir())  # which is tried out once
        sys.addaudithook(self._audit)

    @contextmanager
    def watching(self, *allowed: Path) -> Iterator[None]:
        self.allowed, self.active = tuple(str(p.resolve()) for p in allowed), True
        try:
            yield
        finally:
            self.active = False

    def _audit(self, event: str, args: tuple[Any, ...]) -> None:
        if not self.active:
            return
        if event == "open":
            path, mode, flags = args
            if isinstance(path, str | bytes) and (
                flags & WRITING or set("wax+") & set(str(mode or ""))
            ):
                self._written(event, path)
        elif event in ("os.remove", "os.rmdir") and args[1] >= 0:  # below an open folder
            self._written(event, f"/proc/self/fd/{args[1]}/{os.fsdecode(args[0])}")
        elif event in ONE_PATH:
            self._written(event, args[0])
        elif event in TWO_PATHS:
            self._written(event, args[0])
            self._written(event, args[1])
        elif event in NEVER:
            self.found.append(f"{event} {args[:2]!r}"[:300])

    def _written(self, event: str, path: object) -> None:
        self.active = False  # what follows asks the file system itself
        try:
            real = os.path.realpath(os.fsdecode(path))  # type: ignore[arg-type]
        except (TypeError, ValueError):
            real = repr(path)
        inside = any(real == own or real.startswith(own + os.sep) for own in self.allowed)
        # An MP3, and a program's speech, pass through a folder that goes again (docs/security.md).
        passing = real.startswith(f"{self._temporary}{os.sep}synthkit-")
        if not inside and not passing and real != os.devnull:
            self.found.append(f"{event} {real!r}, outside the output"[:300])
        self.active = True
