"""The work on some commands: speak, render, write and journal; in any process, for any run."""

from __future__ import annotations

import contextlib
import threading
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from synthkit import dataset, manifest
from synthkit.assignments import Assignment
from synthkit.errors import SynthkitError
from synthkit.files import reason, sha256_file, write_bytes
from synthkit.generate.journal import Block, JournalWriter, failure_line
from synthkit.plan import ClipPlan, Plan
from synthkit.render import CommandRenderer
from synthkit.rendered import Failure, RenderedClip
from synthkit.rooms.cards import RoomCard
from synthkit.rooms.simulate import RoomImpulseResponse, know_response
from synthkit.speech.cache import SpeechCache
from synthkit.wav import wav_bytes

Utterance = tuple[str, str, int]  # voice, text, seed
Response = tuple[RoomCard, str, RoomImpulseResponse]


@dataclass(frozen=True)
class Job:
    """What all workers of a run need: the plan, with no commands in it, and where things lie.

    No two runs have one ``name``, so that none finds a worker of another.
    """

    plan: Plan
    responses: tuple[Response, ...]
    folder: Path
    cache: SpeechCache | None
    name: str = field(default_factory=lambda: uuid.uuid4().hex)


class Task(NamedTuple):
    """A command to be made, and what an earlier run may have made of it."""

    assignment: Assignment
    earlier: tuple[Block, ...] = ()


class Made(NamedTuple):
    """Where the rows of each command stand; how many clips that is, how many were there before."""

    blocks: Mapping[str, Block]
    clips: int
    kept: int


class Worker:
    """Makes commands of one run; it and its models are made once in a process or thread."""

    def __init__(self, job: Job) -> None:
        for response in job.responses:
            know_response(*response)
        self._plan, self._folder = job.plan, job.folder
        self._renderer = CommandRenderer(job.plan, job.cache)
        self._journal = JournalWriter(job.folder, {"made_with": dataset.made_with()})

    def speak(self, utterances: Sequence[Utterance]) -> int:
        """Put utterances into the cache; returns how many of them are there now."""
        for utterance in utterances:
            # What cannot be spoken fails its clips, with the reason, when they are made.
            with contextlib.suppress(SynthkitError):
                self._renderer.say(*utterance)
        return sum(self._renderer.is_kept(*utterance) for utterance in utterances)

    def make(self, tasks: Sequence[Task]) -> Made:
        """Make commands, or keep what is there; an :class:`OSError` where rows can't be kept."""
        blocks, made, kept = dict[str, Block](), 0, 0
        for task in tasks:
            clips = self._plan.clips_of(task.assignment)
            made += len(clips)
            lines = self._kept(clips, task.earlier)
            kept += sum(clip.file is not None for clip in clips) if lines else 0
            command = task.assignment.command.id
            blocks[command] = self._journal.append(lines or self._rendered(clips))
        return Made(blocks, made, kept)

    def _kept(self, clips: Sequence[ClipPlan], earlier: Sequence[Block]) -> list[str]:
        """The lines of a command whose files are all there and as they should be; else none.

        All or none of a command: its clips share segments, and an engine that speaks otherwise
        another time must not speak to some of them again.
        """
        if not earlier:
            return []
        try:
            keys = self._renderer.content_keys(clips)
        except SynthkitError:
            return []
        found = {key: line for block in earlier for _, line in block.lines() for key in _key(line)}
        lines = []
        for clip in clips:
            if clip.file is None:
                lines.append(manifest.row_line(manifest.text_row(clip)))
                continue
            line = found.get((clip.id, keys[clip.id]))
            if line is None or not self._is_whole(clip, line):
                return []
            lines.append(manifest.row_line(manifest.kept_row(clip, line, self._plan)))
        return lines

    def _is_whole(self, clip: ClipPlan, line: dict[str, Any]) -> bool:
        """Whether a line is a row of ``clip`` whose files have its hashes."""
        try:
            row = manifest.checked_row(line, clip.id)
            beds = [row["bed"]] if row["bed"] else []
            planned = row["file"], len(row["segments"]), bool(row["bed"])
            return planned == (clip.file, len(clip.segments), bool(clip.bed)) and all(
                _holds(self._folder / file["file"], file["sha256"]) for file in (row, *beds)
            )
        except (SynthkitError, OSError, ValueError):
            return False

    def _rendered(self, clips: list[ClipPlan]) -> list[str]:
        """The lines of a command, its WAVs written; a clip that fails costs no other."""
        rendered = self._renderer.render(clips)
        lines = []
        for clip in clips:
            if clip.file is None:
                lines.append(manifest.row_line(manifest.text_row(clip)))
                continue
            made = self._written(next(rendered))
            if isinstance(made, Failure):
                lines.append(failure_line(clip.command.id, clip.id, made.reason))
            else:
                lines.append(manifest.row_line(made))
        return lines

    def _written(self, made: RenderedClip | Failure) -> manifest.Row | Failure:
        """Write a clip and its bed; its row."""
        if isinstance(made, Failure):
            return made
        name, wav = str(made.plan.file), wav_bytes(made.pcm, made.clip.sampling_rate)
        try:
            if made.bed and not _holds(self._folder / made.bed.file, made.bed.sha256):
                write_bytes(self._folder / made.bed.file, made.bed.wav)
            write_bytes(self._folder / name, wav)
        except OSError as error:
            return Failure(made.plan, f"{name}: cannot be written ({reason(error)})")
        return manifest.audio_row(made, wav, self._plan)


def _key(line: Mapping[str, Any]) -> list[tuple[object, object]]:
    key = line.get("id"), line.get("content_key")
    return [key] if all(isinstance(part, str) for part in key) else []


def _holds(path: Path, sha256: str) -> bool:
    """Whether a file, and no link, is there and is what it should be."""
    return not path.is_symlink() and path.is_file() and sha256_file(path) == sha256


class _Workers(threading.local):
    """The worker of the run that this process or thread was last asked about."""

    run: str | None = None
    worker: Worker


_HERE = _Workers()


def _worker(job: Job) -> Worker:
    if _HERE.run != job.name:
        _HERE.worker, _HERE.run = Worker(job), job.name
    return _HERE.worker


def speak(job: Job, utterances: Sequence[Utterance]) -> int:
    """:meth:`Worker.speak`, as a function that any executor can call."""
    return _worker(job).speak(utterances)


def make(job: Job, tasks: Sequence[Task]) -> Made:
    """:meth:`Worker.make`, as a function that any executor can call."""
    return _worker(job).make(tasks)
