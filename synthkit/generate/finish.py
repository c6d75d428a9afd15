"""The last step: manifest, dataset.json and checksums from the rows that were made."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from synthkit import dataset, manifest
from synthkit.generate.journal import Blocks
from synthkit.plan import Plan
from synthkit.recipe_copy import recipe_files
from synthkit.sums import write_sums

LOST = "not made: a worker process ended before it was done"


@dataclass(frozen=True)
class Failed:
    """A clip that could not be made as asked, by id, and why in one line."""

    id: str
    reason: str


@dataclass
class Outcome:
    """What a run made: clips by modality, and the clips that failed, each with its reason.

    Of the ``audio``, ``kept`` were there already. ``lost`` are commands that nobody tried, as a
    worker was killed. ``changeable`` names the voices whose engine may speak otherwise another
    time, ``removed`` the files that were pruned.
    """

    audio: int = 0
    text: int = 0
    kept: int = 0
    failures: list[Failed] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    changeable: tuple[str, ...] = ()
    removed: list[str] = field(default_factory=list)


def finish(plan: Plan, folder: Path, blocks: Blocks, outcome: Outcome) -> set[str]:
    """Write what describes the set, row by row in the plan's order; fills in ``outcome``.

    Returns the files that its rows name, by path below the folder.
    """
    sums: dict[str, str] = {}
    manifest.write_manifest(folder, rows(plan, blocks, outcome, sums))
    counts = {
        "planned": plan.num_clips,
        "audio": outcome.audio,
        "text": outcome.text,
        "failed": len(outcome.failures),
    }
    failed = [{"id": clip.id, "reason": clip.reason} for clip in outcome.failures]
    dataset.write_dataset(folder, dataset.describe(plan, counts, failed))
    write_sums(folder, sums, {manifest.MANIFEST, dataset.DATASET, *recipe_files(plan)})
    return set(sums)


def rows(
    plan: Plan, blocks: Blocks, outcome: Outcome, sums: dict[str, str] | None = None
) -> Iterator[str]:
    """Yield the manifest's lines in the plan's order; fills in ``outcome`` and ``sums``."""
    for assignment in plan.commands:
        block = blocks.get(assignment.command.id)
        if block is None:
            outcome.lost.append(assignment.command.id)
            clips = plan.clips_of(assignment)
            outcome.failures += [Failed(clip.id, LOST) for clip in clips]
            continue
        for text, line in block.lines():
            if "failed" in line:
                outcome.failures.append(Failed(line["id"], line["failed"]))
                continue
            outcome.text += line["file"] is None
            outcome.audio += line["file"] is not None
            for file in (line, line["bed"] or {}):
                if sums is not None and file.get("file"):
                    sums[file["file"]] = file["sha256"]
            yield text
