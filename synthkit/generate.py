"""Generate: a plan to a folder of WAVs with manifest, dataset description and checksums."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import filelock

from synthkit import dataset, manifest
from synthkit.errors import InputError
from synthkit.files import TEMPORARY_PREFIX, read_toml, reason, sha256_file, write_bytes
from synthkit.plan import ClipPlan, Plan
from synthkit.recipe_copy import RECIPE, RECIPE_FOLDER, portable_recipe, recipe_files, write_recipe
from synthkit.render import CommandRenderer, Failure, RenderedClip
from synthkit.speech.cache import SpeechCache
from synthkit.sums import SUMS, write_sums
from synthkit.wav import wav_bytes

# Held while a run writes; left in the folder, it also says that the folder is a set's.
LOCK = f"{TEMPORARY_PREFIX}lock"
SELECTION = ("limit", "only")


@dataclass
class Outcome:
    """What a run made: clips by modality, and the clips that failed, each with its reason.

    ``changeable`` names the voices whose engine may speak otherwise another time.
    """

    audio: int = 0
    text: int = 0
    failures: list[Failure] = field(default_factory=list)
    changeable: tuple[str, ...] = ()


def generate(
    plan: Plan,
    folder: Path,
    on_clip: Callable[[ClipPlan], None] = lambda clip: None,
    cache: SpeechCache | None = None,
) -> Outcome:
    """Make the set of ``plan`` in ``folder``; ``on_clip`` is told of each clip when it is done.

    Speech is taken from ``cache`` where it is there, and put there where not.

    A clip that fails does not stop the others. Raises :class:`InputError`, before any work,
    for a voice that cannot be spoken, for a folder that cannot be written to and for one that
    holds anything this run would not write.
    """
    check_folder(plan, folder)
    renderer = CommandRenderer(plan, cache)
    with _locked(folder):
        _begin(plan, folder)
        outcome = Outcome(changeable=renderer.changeable)
        lines, sums = list[str](), dict[str, str]()
        for assignment in plan.commands:
            clips = plan.clips_of(assignment)
            rendered = renderer.render(clips)
            for clip in clips:
                row = _row(clip, rendered, plan, folder, outcome)
                if row:
                    lines.append(manifest.row_line(row))
                    for file in (row, row["bed"] or {}):
                        if file.get("file"):
                            sums[file["file"]] = file["sha256"]
                on_clip(clip)
        manifest.write_manifest(folder, lines)
        dataset.write_dataset(
            folder, dataset.describe(plan, _counts(plan, outcome), _failed(outcome))
        )
        write_sums(folder, sums, {manifest.MANIFEST, dataset.DATASET, *recipe_files(plan)})
    return outcome


def _row(
    clip: ClipPlan,
    rendered: Iterator[RenderedClip | Failure],
    plan: Plan,
    folder: Path,
    outcome: Outcome,
) -> manifest.Row | None:
    """Write one clip and return its manifest row; None where it failed."""
    if clip.file is None:
        outcome.text += 1
        return manifest.text_row(clip)
    made = next(rendered)
    if isinstance(made, RenderedClip):
        wav = wav_bytes(made.pcm, made.clip.sampling_rate)
        try:
            if made.bed and not _holds(folder / made.bed.file, made.bed.sha256):
                write_bytes(folder / made.bed.file, made.bed.wav)
            write_bytes(folder / clip.file, wav)
        except OSError as error:
            made = Failure(clip, f"{clip.file}: cannot be written ({reason(error)})")
        else:
            outcome.audio += 1
            return manifest.audio_row(made, wav, plan)
    outcome.failures.append(made)
    return None


def _holds(path: Path, sha256: str) -> bool:
    """Whether the file is there and is what it should be."""
    return path.is_file() and sha256_file(path) == sha256


def _counts(plan: Plan, outcome: Outcome) -> dict[str, int]:
    return {
        "planned": plan.num_clips,
        "audio": outcome.audio,
        "text": outcome.text,
        "failed": len(outcome.failures),
    }


def _failed(outcome: Outcome) -> list[dict[str, str]]:
    return [{"id": failure.plan.id, "reason": failure.reason} for failure in outcome.failures]


def check_folder(plan: Plan, folder: Path) -> None:
    """Refuse a folder with files that are not this plan's: none is ever deleted or mixed in."""
    where = f"--out {folder}"
    if not folder.exists():
        return
    if not folder.is_dir():
        raise InputError(f"{where}: is a file; allowed: a new or empty folder")
    if any(folder.iterdir()) and not _is_set(folder):
        raise InputError(f"{where}: holds other files; allowed: a new or empty folder")
    if (folder / RECIPE).is_file() and _without_selection(
        read_toml(folder / RECIPE)
    ) != _without_selection(portable_recipe(plan)):
        raise InputError(f"{where}: holds the set of another recipe; allowed: a new folder")
    planned = {clip.file for clip in plan.clips()} | recipe_files(plan)
    parts = [folder / part for part in ("audio", "beds", RECIPE_FOLDER)]
    for path in [*parts, *sorted(p for part in parts for p in part.rglob("*"))]:
        name = path.relative_to(folder).as_posix()
        if path.is_symlink():
            raise InputError(f"{where}: {name} is a link, which could lead out of the folder")
        own = name in planned or name.startswith("beds/") or path.name.startswith(TEMPORARY_PREFIX)
        if path.is_file() and not own:
            raise InputError(
                f"{where}: holds {name}, which this run would not write; allowed: a new folder, "
                "or one whose clips this run makes again"
            )


def _is_set(folder: Path) -> bool:
    """Whether synthkit made the folder, in a whole run or a broken one."""
    try:
        return (folder / LOCK).is_file() or bool(dataset.read_dataset(folder))
    except InputError:
        return False


def _without_selection(recipe: dict[str, object]) -> dict[str, object]:
    return {key: value for key, value in recipe.items() if key not in SELECTION}


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Hold the folder; a second run into it is refused at once."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = filelock.FileLock(folder / LOCK)
        lock.acquire(timeout=0)
    except filelock.Timeout:
        raise InputError(f"--out {folder}: another run is writing there") from None
    except OSError as error:
        raise InputError(f"--out {folder}: cannot be written ({reason(error)})") from None
    try:
        yield
    finally:
        lock.release()


def _begin(plan: Plan, folder: Path) -> None:
    """Clear what a broken run left, and what would no longer be true; write the recipe."""
    try:
        for path in folder.rglob(f"{TEMPORARY_PREFIX}*.tmp"):
            path.unlink()
        for name in (manifest.MANIFEST, dataset.DATASET, SUMS):
            (folder / name).unlink(missing_ok=True)
        write_recipe(plan, folder)
    except OSError as error:
        raise InputError(f"--out {folder}: cannot be written ({reason(error)})") from None
