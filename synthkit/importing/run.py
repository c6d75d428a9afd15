"""Import: every recording and every prompt of a script, each to its end, into one folder."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from synthkit.audio import from_pcm16
from synthkit.clip import Clip
from synthkit.errors import AudioError, InputError, quoted
from synthkit.files import jsonl_bytes, sha256_file, write_bytes
from synthkit.generate.folder import locked
from synthkit.importing.items import (
    ITEMS,
    MISSING,
    REJECTED,
    RETAINED,
    Reason,
    Row,
    rejected,
)
from synthkit.importing.match import Matches, match
from synthkit.importing.output import (
    AUDIO,
    DESCRIPTION,
    check_apart,
    check_output,
    json_bytes,
    publish,
    stage,
)
from synthkit.importing.record import adopted_row, describe, item_row, measured, written_row
from synthkit.importing.review import Decision, agreements, read_review
from synthkit.importing.standins import read_stand_ins
from synthkit.importing.take import Settings, Take, take
from synthkit.importing.words import Recogniser, check_languages, heard_errors
from synthkit.measure.adopt import ADOPTED
from synthkit.measure.found import shown
from synthkit.scripts.prompts import Prompt, read_prompts
from synthkit.scripts.texts import fold_text
from synthkit.stand_ins import RECORD

Heard = tuple[str, float | None]


@dataclass(frozen=True)
class Given:
    """What an import starts from: recordings, their script, a table and a review if there are."""

    folder: Path
    scripts: Path
    table: Path | None = None
    review: Path | None = None


@dataclass(frozen=True)
class Outcome:
    """What became of all: the rows, ``import.json``, and WAVs of an earlier import that went."""

    rows: tuple[Row, ...]
    description: Mapping[str, Any]
    removed: tuple[str, ...]

    @property
    def good(self) -> bool:
        """Whether every prompt has a recording that is retained."""
        return all(row["status"] == RETAINED for row in self.rows)

    @property
    def rejected(self) -> tuple[Row, ...]:
        """The rows of recordings that are not retained."""
        return tuple(row for row in self.rows if row["status"] == REJECTED)


def import_recordings(
    given: Given,
    out: Path,
    settings: Settings,
    recogniser: Recogniser | None = None,
    on_recording: Callable[[], None] = lambda: None,
) -> Outcome:
    """Take the recordings of a folder into ``out``; each ends as retained or rejected.

    A recording that falls short costs no other. Raises :class:`InputError`, before any work, for a
    script, table, review or list of stand-ins that is not valid, for a folder that cannot be read,
    and for an ``out`` that holds anything else.
    """
    if not given.folder.is_dir():
        raise InputError(f"{given.folder}: not a folder; allowed: the folder of the recordings")
    prompts = read_prompts(given.scripts)
    check_apart(given.folder, out)
    if recogniser:
        check_languages(prompts)
    stand_ins = read_stand_ins(given.folder)
    decisions = read_review(given.review, [p.id for p in prompts]) if given.review else ()
    beside = [path for path in (given.scripts, given.table, given.review) if path]
    matches = match(given.folder, prompts, given.table, [*beside, given.folder / RECORD])
    script = shown(Path(given.scripts.name))
    check_output(out, script)
    with locked(out):
        check_output(out, script)  # again: somebody may have been quicker
        staged = stage(out)
        inner = _Import(given, settings, matches, stand_ins, recogniser, staged)
        items = []
        for prompt in prompts:
            items.append(inner.item(prompt))
            on_recording()
        items = list(_judged(_without_twins(items), decisions))
        kept = [item for item in items if item.row["status"] == RETAINED]
        wavs = {item.row["file"]: item.row["sha256"] for item in kept}
        rows = tuple(item.row for item in items)
        told = {
            "script": {"name": script, "sha256": sha256_file(given.scripts)},
            "table_sha256": given.table and sha256_file(given.table),
            "review_sha256": given.review and sha256_file(given.review),
            "recogniser": recogniser and recogniser.name,
            "agreement": [one.describe() for one in agreements(decisions)],
        }
        unmatched = [inner.name_of(path) for path in matches.unmatched]
        description = describe(rows, settings, told, unmatched, matches.notes)
        texts = {DESCRIPTION: json_bytes(description), ITEMS: jsonl_bytes(rows)}
        if kept:
            texts[ADOPTED] = jsonl_bytes(item.adopted for item in kept if item.adopted)
        removed = publish(out, wavs, texts, staged)
    return Outcome(rows, description, removed)


@dataclass(frozen=True)
class _Item:
    """A row so far, the row of its WAV in the adopted manifest, the hash of what it sounds like."""

    row: Row
    adopted: Row | None = None
    sound_sha256: str | None = None

    def without(self, check: str, what: str) -> _Item:
        """The item, rejected for one more reason."""
        return replace(self, row=rejected(self.row, Reason(check, what)), adopted=None)


@dataclass(frozen=True)
class _Import:
    """One run: what it was given, and where WAVs are put until all are there."""

    given: Given
    settings: Settings
    matches: Matches
    stand_ins: Mapping[str, str]
    recogniser: Recogniser | None
    staged: Path

    def name_of(self, path: Path) -> str:
        """A file by its path below the folder, as records hold it."""
        return shown(path.relative_to(self.given.folder))

    def item(self, prompt: Prompt) -> _Item:
        """What becomes of a prompt, by its own recording alone; its WAV is staged."""
        paths = self.matches.by_id[prompt.id]
        inputs = [self.name_of(path) for path in paths]
        if not paths:
            none = Take((Reason("missing", "no recording"),))
            return _Item(item_row(prompt, inputs, none))
        if len(paths) > 1:
            what = f"{len(paths)} files: {', '.join(inputs)}; allowed: one, or a table that says"
            return _Item(item_row(prompt, inputs, Take((Reason("ambiguous", what),))))
        taken = take(self.given.folder, paths[0], prompt, self.settings)
        stand_in = self.stand_ins.get(prompt.id.casefold())
        adopted, written, heard = None, None, None
        wrong: list[Reason] = []
        if taken.clip:
            name = f"{AUDIO}/{prompt.id}.wav"
            write_bytes(self.staged / name, taken.clip.wav_bytes())
            adopted = adopted_row(
                self.staged, prompt, measured(self.staged, name, prompt, taken.clip)
            )
            written = written_row(taken, adopted, self.settings.level_dbfs)
            heard, wrong = self._heard(prompt, taken.clip)
        row = item_row(prompt, inputs, taken, written, stand_in is not None, heard)
        item = _Item(row, adopted, taken.sound_sha256)
        if stand_in is not None and fold_text(stand_in) != fold_text(prompt.text):
            wrong.append(Reason("stand_in", f"spoken for another text: {quoted(stand_in)}"))
        for reason in wrong:
            item = item.without(reason.check, reason.what)
        return item

    def _heard(self, prompt: Prompt, clip: Clip) -> tuple[Heard | None, list[Reason]]:
        """The transcript with its word error rate, and whether that is over the limit."""
        if not self.recogniser:
            return None, []
        try:
            transcript = self.recogniser.hear(from_pcm16(clip.pcm), clip.sampling_rate)
        except AudioError as error:
            return None, [Reason("words", str(error))]
        errors = heard_errors(prompt, transcript, self.recogniser)
        limit = self.settings.limits.max_wer
        if errors.wer is None or errors.wer <= limit:
            return (transcript, errors.wer), []
        what = (
            f"{errors.errors} word errors in {errors.words} words, {errors.wer:.0%}, "
            f"heard: {quoted(transcript)}; allowed: {limit:.0%}"
        )
        return (transcript, errors.wer), [Reason("words", what)]


def _without_twins(items: Sequence[_Item]) -> Iterator[_Item]:
    """Reject all items whose sound is another's too: nobody can tell whose it is."""
    by_sound: dict[str, list[str]] = {}
    for item in items:
        if item.sound_sha256:
            by_sound.setdefault(item.sound_sha256, []).append(item.row["id"])
    for item in items:
        twins = [i for i in by_sound.get(item.sound_sha256 or "", ()) if i != item.row["id"]]
        if twins:
            yield item.without("duplicate", f"the same sound as {', '.join(twins)}")
        else:
            yield item


def _judged(items: Iterable[_Item], decisions: Sequence[Decision]) -> Iterator[_Item]:
    """Reject what any annotator rejects; a decision to keep mends nothing else."""
    for item in items:
        for one in decisions:
            if one.id == item.row["id"] and not one.keep and item.row["status"] != MISSING:
                item = item.without("review", f"review: {one.reason} ({one.annotator})")
        yield item
