"""Run an audit: command by command from the files, then over the whole set."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from synthkit.audit.contrasts import Contrasts
from synthkit.audit.findings import Comparison, tallied
from synthkit.audit.items import Design, Item
from synthkit.audit.ours import read_commands, read_design
from synthkit.audit.parts import item_faults
from synthkit.audit.sounds import Sound, read_own
from synthkit.errors import SynthkitError

Reader = Callable[[Item, Path], Sound]


def audit(folder: Path, on_item: Callable[[], None] = lambda: None):
    design = read_design(folder)
    return tallied(_compared(read_commands(folder, design), design, read_own, on_item))


def _compared(
    commands: Iterable[list[Item]], design: Design, read: Reader, on_item: Callable[[], None]
) -> Iterator[Comparison]:
    for items in commands:
        sounds: dict[str, Sound] = {}
        for item in items:
            if item.is_audio:
                try:
                    sounds[item.id] = read(item, design.folder)
                except SynthkitError as error:
                    yield Comparison("file.readable", (item.id,), str(error))
                else:
                    yield Comparison("file.readable", (item.id,))
                    yield from item_faults(item, sounds[item.id], design)
            on_item()
        yield from Contrasts(sounds, design).compare(items)
