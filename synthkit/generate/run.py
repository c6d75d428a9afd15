"""Run a plan: what is there is kept, the rest is made, here or by an executor's workers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TypeVar

from synthkit.audio import SAMPLING_RATE
from synthkit.executors import WorkerLostError, calls
from synthkit.generate import work
from synthkit.generate.finish import Outcome, finish, rows
from synthkit.generate.folder import begin, check_folder, earlier, end, locked, prunable, remove
from synthkit.generate.journal import JOURNALS, Block, find_blocks
from synthkit.generate.shards import Shard, write_shard
from synthkit.generate.work import Job, Response, Task, Utterance
from synthkit.plan import Plan
from synthkit.render import CommandRenderer
from synthkit.rooms.simulate import impulse_response
from synthkit.speech.cache import SpeechCache

# What a worker is given at a time: large enough to cost nothing, small enough to spread.
UTTERANCES, COMMANDS = 12, 4

Item = TypeVar("Item")
# Told of each step: what is done ("speech", "rooms", "clips"), how far, of how many.
OnProgress = Callable[[str, int, int], None]


def generate(
    plan: Plan,
    folder: Path,
    *,
    cache: SpeechCache | None = None,
    executor: Executor | None = None,
    shard: Shard | None = None,
    prune: bool = False,
    on_progress: OnProgress = lambda stage, done, total: None,
) -> Outcome:
    """Make the set of ``plan`` in ``folder``, or one ``shard`` of it.

    A command that an earlier run made there, whose content keys and file hashes are as they
    would be now, is kept. Speech is taken from ``cache`` where it is there, and put there where
    not. Work is handed to ``executor`` in pieces that can be pickled; all its workers must see
    ``folder`` and ``cache`` under the same paths. The same bytes come out whoever does the work.

    A clip that fails does not stop the others; a worker that is killed stops the run, and what
    it leaves undone is named in the outcome. ``prune`` removes clips of an earlier form of the
    recipe. Raises :class:`InputError`, before any work, for a voice or text that cannot be
    spoken, for a folder that cannot be written to and for one that holds anything this run
    would not write.
    """
    check_folder(plan, folder, prune)
    folder = folder.absolute()  # workers may have another working directory
    part = shard.of(plan) if shard else plan
    bare = replace(part, commands=())  # each task brings its own
    job = Job(bare, tuple(_responses(part, on_progress)), folder, cache)
    renderer = CommandRenderer(part, cache)
    renderer.check_texts()
    with locked(folder, shard):
        check_folder(plan, folder, prune)  # again: somebody may have been quicker
        removed = prunable(plan, folder) if prune else []
        remove(folder, removed)
        begin(plan, folder, shard)
        blocks, kept = _made(part, job, renderer, earlier(folder), executor, on_progress)
        outcome = Outcome(kept=kept, changeable=renderer.changeable, removed=removed)
        if shard:
            for _ in rows(part, blocks, outcome):  # counts them
                pass
            if not outcome.lost:
                write_shard(plan, shard, folder, blocks)
        else:
            named = finish(plan, folder, blocks, outcome)
            if not outcome.lost:
                end(folder, named)
    return outcome


def _responses(plan: Plan, on_progress: OnProgress) -> Iterator[Response]:
    """Every room's impulse response, made once for all workers."""
    rooms = plan.rooms
    for number, room in enumerate(rooms, start=1):
        yield room.heard, room.place, impulse_response(room.heard, room.place, SAMPLING_RATE)
        on_progress("rooms", number, len(rooms))


def _made(
    plan: Plan,
    job: Job,
    renderer: CommandRenderer,
    old: Sequence[Path],
    executor: Executor | None,
    on_progress: OnProgress,
) -> tuple[dict[str, Block], int]:
    """Where the rows of each command stand that was made or kept, and how many clips were kept."""
    found, total = find_blocks(old), plan.num_clips
    before = set(job.folder.glob(JOURNALS))  # of other environments too, which are not `old`
    blocks, kept, done = dict[str, Block](), 0, 0
    tasks = (Task(a, tuple(found.get(a.command.id, ()))) for a in plan.commands)
    try:
        if job.cache:
            unspoken = _unspoken(plan, renderer, found)
            spoken = 0
            for kept_there in calls(executor, work.speak, job, _pieces(unspoken, UTTERANCES)):
                spoken += UTTERANCES
                on_progress("speech", min(spoken, len(unspoken)), len(unspoken))
                if not kept_there:
                    break  # a cache that keeps nothing, or a voice that cannot speak: no use
        for made in calls(executor, work.make, job, _pieces(tasks, COMMANDS)):
            blocks |= made.blocks
            kept += made.kept
            done += made.clips
            on_progress("clips", done, total)
    except WorkerLostError:
        # What a worker wrote down before it or its neighbour was killed is done.
        new = sorted(set(job.folder.glob(JOURNALS)) - before)
        whole = {a.command.id: len(plan.clips_of(a)) for a in plan.commands}
        for command, places in find_blocks(new).items():
            if sum(1 for _ in places[-1].lines()) == whole.get(command):
                blocks.setdefault(command, places[-1])
    return blocks, kept


def _unspoken(
    plan: Plan, renderer: CommandRenderer, found: Mapping[str, Sequence[Block]]
) -> list[Utterance]:
    """What has yet to be spoken, once in the whole plan, voice by voice."""
    wanted: dict[str, Utterance] = {}
    for assignment in plan.commands:
        if places := found.get(assignment.command.id):
            keys = [line.get("content_key") for block in places for _, line in block.lines()]
            there = {key for key in keys if isinstance(key, str)}
            if there >= set(renderer.content_keys(plan.clips_of(assignment)).values()):
                continue
        for utterance in plan.utterances(assignment):
            if not renderer.is_kept(*utterance):
                wanted.setdefault(renderer.utterance_key(*utterance), utterance)
    return sorted(wanted.values(), key=lambda utterance: utterance[0])


def _pieces(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    left = iter(items)
    while piece := list(islice(left, size)):
        yield piece
