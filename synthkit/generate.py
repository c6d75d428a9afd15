"""Generate: a plan to a folder of WAVs with manifest, dataset description and checksums."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from synthkit import dataset, manifest
from synthkit.errors import InputError
from synthkit.files import write_bytes
from synthkit.plan import ClipPlan, Plan
from synthkit.recipe_copy import RECIPE, write_recipe
from synthkit.render import CommandRenderer, Failure
from synthkit.sums import write_sums


@dataclass(frozen=True)
class Outcome:
    """What a run made: clips by modality, and the clips that failed, each with its reason."""

    audio: int
    text: int
    failures: tuple[Failure, ...]


def generate(
    plan: Plan, folder: Path, on_clip: Callable[[ClipPlan], None] = lambda clip: None
) -> Outcome:
    """Make the set of ``plan`` in ``folder``; ``on_clip`` is told of each clip when it is done.

    A clip that fails does not stop the others. Raises :class:`InputError`, before any work,
    for a folder that holds anything this run would not write.
    """
    check_folder(plan, folder)
    renderer = CommandRenderer(plan)
    write_recipe(plan, folder)
    lines: list[str] = []
    failures: list[Failure] = []
    counts = {"planned": plan.num_clips, "audio": 0, "text": 0, "failed": 0}
    for command, cast in plan.commands:
        clips = plan.clips_of(command, cast)
        rendered = renderer.render(clips)
        for clip in clips:
            if clip.file is None:
                lines.append(manifest.row_line(manifest.text_row(clip)))
                counts["text"] += 1
            else:
                made = next(rendered)
                if isinstance(made, Failure):
                    failures.append(made)
                    counts["failed"] += 1
                else:
                    wav = made.clip.wav_bytes()
                    write_bytes(folder / clip.file, wav)
                    lines.append(manifest.row_line(manifest.audio_row(made, wav, plan)))
                    counts["audio"] += 1
            on_clip(clip)
    manifest.write_manifest(folder, lines)
    failed = [{"id": failure.plan.id, "reason": failure.reason} for failure in failures]
    dataset.write_dataset(folder, dataset.describe(plan, counts, failed))
    write_sums(folder)
    return Outcome(counts["audio"], counts["text"], tuple(failures))


def check_folder(plan: Plan, folder: Path) -> None:
    """Refuse a folder with files that are not this plan's: none is ever deleted or mixed in."""
    if not folder.exists():
        return
    if not folder.is_dir():
        raise InputError(f"--out {folder}: is a file; allowed: a new or empty folder")
    ours = (folder / RECIPE).is_file()
    if any(folder.iterdir()) and not ours:
        raise InputError(f"--out {folder}: holds other files; allowed: a new or empty folder")
    planned = {clip.file for clip in plan.clips()}
    for path in sorted((folder / "audio").rglob("*.wav")):
        if path.relative_to(folder).as_posix() not in planned:
            raise InputError(
                f"--out {folder}: holds {path.relative_to(folder).as_posix()}, which this run "
                "would not write; allowed: a new folder, or one whose clips this run makes again"
            )
