"""Doors of measure, merge and resume: rows that tell of files which lie beside them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from synthkit import manifest
from synthkit.generate import generate, merge
from synthkit.measure.adopt import ADOPTED
from synthkit.measure.file import Ask, Told, measure
from synthkit.measure.manifests import told_by_manifests
from synthkit.measure.times import read_times
from synthkit.plan import make_plan
from synthkit.recipe import read_recipe
from synthkit.verify.adopted import verify_adopted
from synthkit.verify.files import Expected
from tests.fuzz.checks import WrongRead, check_line, check_plain

if TYPE_CHECKING:
    from tests.fuzz.targets import Mutant

SHARD = "parts/shards/1-of-1.jsonl"


def times_csv(mutant: Mutant) -> None:
    mutant.copy("bed.wav")
    path, sound = mutant.text("times.csv"), mutant.folder / "bed.wav"
    with mutant.watched():
        _measure(sound, read_times(path, [sound], []))


def adopted(mutant: Mutant) -> None:
    mutant.copy("adopted")
    path = mutant.jsonl(f"adopted/{ADOPTED}")
    with mutant.watched():
        report = verify_adopted(path.parent, path, Expected())
        for fault in report.faults:
            check_line(str(fault))
        check_plain(report.describe(), "report")
        _measure(path.parent / "a.wav", told_by_manifests([path.parent]))


def shard(mutant: Mutant) -> None:
    """Rows that somebody's run left, joined or gone on with."""
    mutant.copy("parts", "tone", "rooms", "bed.wav", "one.jsonl", "set.toml")
    mutant.jsonl(SHARD)
    out = mutant.folder / "parts"
    with mutant.watched():
        if mutant.rng.random() < 0.5:
            outcome = merge([out])
        else:
            outcome = generate(make_plan(read_recipe(mutant.folder / "set.toml")), out)
            if outcome.failures:
                raise WrongRead(f"{outcome.failures[0].reason}, and it was made before")
        for row in manifest.read_manifest(out):
            check_plain(row, "row")
    good = mutant.template / "set"
    for path in good.rglob("*.wav"):
        if path.read_bytes() != (out / path.relative_to(good)).read_bytes():
            raise WrongRead(f"{path.name} is another")


def _measure(sound: Path, told: Told | None) -> None:
    check_plain(measure(sound, sound.name, Ask(told=told)).describe(), "measured")
