"""Run an audit: command by command from the files, then over the whole set."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain, groupby
from pathlib import Path

from synthkit.audit.balance import balance_faults, declared_balance
from synthkit.audit.contrasts import Contrasts
from synthkit.audit.design import declared_associations, design_faults
from synthkit.audit.ears import HeardPart, instruments
from synthkit.audit.findings import Comparison, tallied
from synthkit.audit.foreign import read_table
from synthkit.audit.hearing import Listener
from synthkit.audit.items import Design, Item
from synthkit.audit.leakage import leakage_faults
from synthkit.audit.manipulations import declared_rooms, manipulation_faults
from synthkit.audit.meters import measure
from synthkit.audit.ours import read_commands, read_design
from synthkit.audit.parts import item_faults, speech_faults
from synthkit.audit.probes import probes
from synthkit.audit.readings import Reading
from synthkit.audit.report import Report
from synthkit.audit.sounds import Sound, read_any, read_own
from synthkit.audit.text_leak import text_leak_faults
from synthkit.errors import SynthkitError

Reader = Callable[[Item, Path], Sound]


def audit(
    folder: Path,
    table: Path | None = None,
    dry: Iterable[str] = (),
    ears: bool = False,
    on_item: Callable[[], None] = lambda: None,
) -> Report:
    """Compare the conditions of the set in ``folder`` from its files, and then the whole set.

    ``table`` lists the files of a set that others made, ``dry`` its fields without a room (see
    docs/audit_tables.md). With ``ears`` the instruments hear it too. ``on_item`` is called once
    for each row.

    Raises :class:`InputError` for what is no set or table, or where the instruments are not
    installed. A file that cannot be read is a finding.
    """
    listener = None
    if table is None:
        design, read = read_design(folder), read_own
        commands: Iterable[list[Item]] = read_commands(folder, design)
    else:
        design, items = read_table(table, folder, tuple(dry))
        ranked = sorted(items, key=lambda item: item.command)
        commands = (list(rows) for _, rows in groupby(ranked, key=lambda item: item.command))
        read = read_any
    if ears:
        listener = Listener(design, instruments())
    run = _Run(design, read, listener, on_item)
    by_command = chain.from_iterable(run.command(rows) for rows in commands)
    tallies = tallied(chain(by_command, run.whole()))
    hearing = listener.hearing() if listener else None
    if hearing:
        tallies = (*tallies, *tallied(hearing.comparisons))
    return Report(
        folder=folder.resolve().name or str(folder),
        commands=len({item.command for item in run.items}),
        audio=sum(item.is_audio for item in run.items),
        text=sum(not item.is_audio for item in run.items),
        pairs=run.pairs,
        tallies=tallies,
        probes=probes(run.readings, design),
        declared=(
            *declared_rooms(run.items, design),
            *declared_associations(design),
            *declared_balance(run.items, design),
        ),
        hearing=hearing,
    )


class _Run:
    """What one pass over the files keeps: rows, what meters read, hashes; never sounds."""

    def __init__(
        self,
        design: Design,
        read: Reader,
        listener: Listener | None,
        on_item: Callable[[], None],
    ) -> None:
        self._design, self._read = design, read
        self._listener, self._on_item = listener, on_item
        self.items: list[Item] = []
        self.readings: list[Reading] = []
        self.pairs = 0
        self._segments: dict[tuple[str, str], str] = {}

    def command(self, items: list[Item]) -> Iterator[Comparison]:
        """Compare the files of a command, and read its meters."""
        sounds: dict[str, Sound] = {}
        for item in items:
            self.items.append(item)
            if item.is_audio:
                try:
                    sounds[item.id] = self._read(item, self._design.folder)
                except SynthkitError as error:
                    yield Comparison("file.readable", (item.id,), str(error))
                else:
                    yield Comparison("file.readable", (item.id,))
                    yield from item_faults(item, sounds[item.id], self._design)
            self._on_item()
        contrasts = Contrasts(sounds, self._design)
        yield from contrasts.compare(items)
        self.pairs += contrasts.pairs
        yield from self._parts([i for i in items if i.id in sounds], sounds, contrasts.lags)

    def _parts(
        self,
        items: list[Item],
        sounds: dict[str, Sound],
        lags: dict[str, int],
    ) -> Iterator[Comparison]:
        """Read each distinct part once."""
        read: dict[tuple[object, ...], dict[str, float | None]] = {}
        for item in items:
            for role, part in sounds[item.id].parts.items():
                self._segments[item.id, role] = part.sha256
                # Another stretch of a bed lies under each place in a file.
                key = part.sha256, part.window, item.bed and part.part.span
                if key not in read:
                    read[key] = measure(part.heard, part.window, part.sampling_rate)
                    yield from speech_faults(item, part, self._design)
                late = {"lag": float(lags[part.sha256])} if part.sha256 in lags else {}
                self.readings.append(Reading(item, role, read[key] | late))
                if self._listener:
                    heard = HeardPart(item, role, part.samples, part.sampling_rate, part.sha256)
                    self._listener.hear([heard])

    def whole(self) -> Iterator[Comparison]:
        """Compare what only the whole set can tell."""
        items, design = self.items, self._design
        yield from design_faults(items, design)
        yield from balance_faults(items, design)
        yield from text_leak_faults(items)
        yield from leakage_faults(items, design, self._segments)
        yield from manipulation_faults(self.readings, design)
