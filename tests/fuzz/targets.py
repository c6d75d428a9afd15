"""Targets: the doors through which files come in, and what may come of each.

A target writes one mutant into a folder of its own and takes it through the product. It may
return, or raise ``SynthkitError``; ``WrongRead`` says that a mutant was
accepted and does not mean what it says.
"""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from synthkit import manifest
from synthkit.audio import Audio
from synthkit.beds.file import read_recording
from synthkit.errors import SynthkitError
from synthkit.files import read_toml
from synthkit.generate import check_folder
from synthkit.plan import make_plan
from synthkit.recipe import read_recipe
from synthkit.report.page import write_page
from synthkit.scripts import read_scripts
from synthkit.speech.voice import voice
from synthkit.sums import SUMS, read_sums
from synthkit.verify import verify
from synthkit.wav import pcm16_of
from tests.fuzz.checks import (
    WrongRead,
    check_audio,
    check_commands,
    check_line,
    check_plain,
    check_plan,
    check_room,
)
from tests.fuzz.mutators import (
    encoded,
    hostile,
    json_text,
    mutate_bytes,
    mutate_text,
    mutate_tree,
    mutate_wav,
    toml_text,
)
from tests.fuzz.rows import adopted, shard, times_csv
from tests.fuzz.values import TEXTS


@dataclass(frozen=True)
class Mutant:
    """One mutant's own folder, the good files, its generator, and what watches the product."""

    folder: Path
    template: Path
    rng: random.Random
    watched: Callable[[], AbstractContextManager[None]]

    def copy(self, *names: str) -> None:
        """Copy good files or folders of them into the mutant's folder."""
        for name in names:
            source, copy = self.template / name, self.folder / name
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copytree(source, copy) if source.is_dir() else shutil.copyfile(source, copy)

    def write(self, name: str, content: bytes) -> Path:
        """Write the hostile file."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        return path

    def toml(self, name: str) -> Path:
        """A hostile TOML file: a changed tree, changed text or changed bytes of the good one."""
        good, rng = (self.template / name).read_bytes(), self.rng
        if rng.random() < 0.65:
            tree = mutate_tree(read_toml(self.template / name), rng)
            return self.write(name, encoded(toml_text(tree, rng), rng))
        if rng.random() < 0.7:
            return self.write(name, encoded(mutate_text(good.decode(), rng), rng))
        return self.write(name, mutate_bytes(good, rng))

    def text(self, name: str) -> Path:
        """A hostile file of plain text."""
        good, rng = (self.template / name).read_bytes(), self.rng
        text = mutate_text(good.decode(), rng)
        return self.write(
            name, encoded(text, rng) if rng.random() < 0.7 else mutate_bytes(good, rng)
        )

    def jsonl(self, name: str) -> Path:
        """A hostile file of JSON lines, or of one JSON value."""
        good, rng = (self.template / name).read_bytes(), self.rng
        if rng.random() < 0.65:
            one = name.endswith(".json")
            lines = [good.decode()] if one else good.decode().splitlines()
            at = rng.randrange(len(lines))
            lines[at] = json_text(mutate_tree(json.loads(lines[at]), rng), rng)
            return self.write(name, encoded("\n".join(lines) + "\n", rng))
        if rng.random() < 0.7:
            return self.write(name, encoded(mutate_text(good.decode(), rng), rng))
        return self.write(name, mutate_bytes(good, rng))


def recipe_file(mutant: Mutant) -> None:
    name = mutant.rng.choice(("simple.toml", "full.toml", "full.toml"))
    mutant.copy("tone", "rooms", "script.jsonl", "script.csv", "bed.wav")
    path = mutant.toml(name)
    with mutant.watched():
        check_plan(make_plan(read_recipe(path)), mutant.folder, mutant.rng)


def override(mutant: Mutant) -> None:
    rng = mutant.rng
    mutant.copy("tone", "rooms", "script.jsonl", "script.csv", "bed.wav", "full.toml")
    keys = (
        "seed",
        "level.dbfs",
        "fields.far",
        "grid",
        "voices",
        "beds.hum",
        "factors.noise",
        "a.b",
    )
    key, value = rng.choice(keys), rng.choice((hostile(rng), rng.choice(TEXTS)))
    text = f"{key}={value if isinstance(value, str) else json.dumps(value, default=str)}"
    with mutant.watched():
        plan = make_plan(read_recipe(mutant.folder / "full.toml", [mutate_text(text, rng)]))
        check_plan(plan, mutant.folder, mutant.rng)


def script_jsonl(mutant: Mutant) -> None:
    path = mutant.jsonl("script.jsonl")
    with mutant.watched():
        commands = read_scripts(path)
    rows = [line for line in path.read_bytes().decode("utf-8-sig").split("\n") if line.strip()]
    if len(rows) != len(commands):
        raise WrongRead(f"{len(rows)} rows, {len(commands)} commands")
    for row, command in zip(rows, commands, strict=True):
        told = json.loads(row)
        if {**command.describe(), **told} != command.describe():
            raise WrongRead(f"{told} read as {command}")
    check_commands(commands, mutant.folder)


def script_csv(mutant: Mutant) -> None:
    path = mutant.text("script.csv")
    with mutant.watched():
        commands = read_scripts(path)
    check_commands(commands, mutant.folder)


def voice_card(mutant: Mutant) -> None:
    path = mutant.toml("tone/low.toml")
    with mutant.watched():
        found = voice(str(path))
        check_plain(found.card.describe(), "card")
        check_plain(found.provenance.describe(), "provenance")
        found.check("Lamp on.", 3)
        check_audio(found.say("Lamp on.", 3))


def recorded_index(mutant: Mutant) -> None:
    mutant.copy("rec")
    path = mutant.folder / "rec" / "anna.toml"
    if mutant.rng.random() < 0.7:
        mutant.jsonl("rec/index.json")
    else:
        mutant.toml("rec/anna.toml")
    with mutant.watched():
        _speak(path)


def recorded_wav(mutant: Mutant) -> None:
    mutant.copy("rec")
    name = mutant.rng.choice(("rec/lamp.wav", "rec/sub/hello.wav"))
    content = mutate_wav((mutant.template / name).read_bytes(), mutant.rng)
    mutant.write(name, content)
    with mutant.watched():
        audio = _speak(mutant.folder / "rec" / "anna.toml")
    # At four bits a sample at least, and no more of them than there are bytes for.
    if audio.num_samples > 2 * max(len(content), 40_000):
        raise WrongRead(f"{audio.num_samples} samples of {len(content)} bytes")


def _speak(path: Path) -> Audio:
    found = voice(str(path))
    audio = Audio(np.zeros(0), 16000)
    for text in ("Lamp on.", "Hello there."):
        found.check(text)
        audio = found.speak(text)
        check_audio(audio)
        found.say(text)
    return audio


def room_card(mutant: Mutant) -> None:
    mutant.copy("rooms")
    path = mutant.toml(mutant.rng.choice(("rooms/den.toml", "rooms/hall.toml")))
    with mutant.watched():
        check_room(path, all_places=mutant.rng.random() < 0.5)


def room_rir(mutant: Mutant) -> None:
    mutant.copy("rooms")
    name = mutant.rng.choice(("rooms/rir.wav", "rooms/two.wav"))
    mutant.write(name, mutate_wav((mutant.template / name).read_bytes(), mutant.rng))
    with mutant.watched():
        check_room(mutant.folder / "rooms" / "hall.toml", all_places=True)


def bed_wav(mutant: Mutant) -> None:
    content = mutate_wav((mutant.template / "bed.wav").read_bytes(), mutant.rng)
    path = mutant.write("bed.wav", content)
    with mutant.watched():
        recording = read_recording(path, mutant.rng.choice((None, None, 0, 1)))
    if not np.isfinite(recording.samples).all():
        raise WrongRead("samples that are no numbers")


def set_wav(mutant: Mutant) -> None:
    mutant.copy("set")
    folder, rng = mutant.folder / "set", mutant.rng
    name = rng.choice(sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*.wav")))
    good = (folder / name).read_bytes()
    content = mutate_wav(good, rng)
    (folder / name).write_bytes(content)
    samples = pcm16_of(good, name)
    if rng.random() < 0.6:  # as if the manifest had been made for it
        _replace(folder, manifest.MANIFEST, _sha256(good), _sha256(content))
        _replace(folder, "SHA256SUMS", _sha256(good), _sha256(content))
    with mutant.watched():
        sound = _verify(folder)
    if sound and content != good:
        pcm, rate = pcm16_of(content, name)
        if rate != samples[1] or not np.array_equal(pcm, samples[0]):
            raise WrongRead(f"{name}: other samples, and all good")


def set_manifest(mutant: Mutant) -> None:
    mutant.copy("set")
    _set_file(mutant, "set/manifest.jsonl")


def set_dataset(mutant: Mutant) -> None:
    mutant.copy("set")
    _set_file(mutant, "set/dataset.json")


def set_recipe(mutant: Mutant) -> None:
    """What the set carries to be made again."""
    mutant.copy("set")
    rng = mutant.rng
    own = mutant.template / "set" / "recipe"
    path = rng.choice(sorted(p for p in own.rglob("*") if p.is_file()))
    name = path.relative_to(mutant.template).as_posix()
    mutant.toml(name) if path.suffix == ".toml" else mutant.jsonl(name)
    with mutant.watched():
        sound = _verify(mutant.folder / "set")
        plan = make_plan(read_recipe(mutant.template / "set.toml"))
        check_folder(plan, mutant.folder / "set")
    if sound and path.read_bytes() != (mutant.folder / name).read_bytes():
        raise WrongRead(f"{name} is another, and all good")


def set_sums(mutant: Mutant) -> None:
    mutant.copy("set")
    rng, good = mutant.rng, (mutant.template / "set" / "SHA256SUMS").read_bytes()
    content = encoded(mutate_text(good.decode(), rng), rng)
    mutant.write("set/SHA256SUMS", content if rng.random() < 0.6 else mutate_bytes(good, rng))
    with mutant.watched():
        sound = _verify(mutant.folder / "set")
        sums = read_sums(mutant.folder / "set" / SUMS)
    if sound and sums != read_sums(mutant.template / "set" / SUMS):
        raise WrongRead("other checksums, and all good")


def _set_file(mutant: Mutant, name: str) -> None:
    good = (mutant.template / name).read_bytes()
    path = mutant.jsonl(name)
    if mutant.rng.random() < 0.5:
        _replace(mutant.folder / "set", "SHA256SUMS", _sha256(good), _sha256(path.read_bytes()))
    with mutant.watched():
        _verify(mutant.folder / "set")
        _check_page(mutant.folder / "set")
        for row in manifest.read_manifest(mutant.folder / "set"):
            check_plain(row, "row")
            if manifest.parse_row(manifest.row_line(row), "again") != row:
                raise WrongRead("a row that reads otherwise when it is written again")


def _check_page(folder: Path) -> None:
    try:
        page = write_page(folder).read_text(encoding="utf-8")
    except SynthkitError as error:
        check_line(str(error))
    else:
        if "<script" in page:
            raise WrongRead("a script in the page")


def _verify(folder: Path) -> bool:
    report = verify(folder)
    check_plain(report.describe(), "report")
    if report.good != (not report.faults and report.rows > 0):
        raise WrongRead("good and faulty")
    return report.good


def whole(mutant: Mutant) -> None:
    """All the way: generate a command with one file changed, verify it and show it."""
    from click.testing import CliRunner

    from synthkit.cli import main

    mutant.copy("tone", "rooms", "rec", "script.jsonl", "script.csv", "bed.wav")
    mutant.copy("simple.toml", "full.toml")
    recipe = mutant.rng.choice(("simple.toml", "full.toml"))
    hostile_file = mutant.rng.choice((recipe, recipe, "tone/low.toml", "rooms/den.toml", "script"))
    if hostile_file == "script":
        mutant.jsonl("script.jsonl")
        recipe = "simple.toml"
    else:
        mutant.toml(hostile_file)
    out = str(mutant.folder / "out")
    generate = ["generate", str(mutant.folder / recipe), "--out", out, "--limit", "1", "--no-cache"]
    codes = []
    for args in (generate, ["verify", out], ["report", out]):
        with mutant.watched():
            result = CliRunner().invoke(main, args)
        if result.exception and not isinstance(result.exception, SystemExit):
            raise result.exception
        if result.exit_code not in (0, 1, 2):
            raise WrongRead(f"{args[0]}: exit code {result.exit_code}")
        if result.exit_code == 2 and result.output.count("\n") != 1:
            raise WrongRead(f"{args[0]}: {result.output}")
        codes.append(result.exit_code)
        if codes[0] == 2:
            if Path(out).exists():
                raise WrongRead("refused, and something was written")
            return
    if codes[0] == 0 and codes[1:] != [0, 0]:
        raise WrongRead(f"generated, and then: {codes[1:]}")


def _replace(folder: Path, name: str, old: str, new: str) -> None:
    text = (folder / name).read_text(encoding="utf-8")
    (folder / name).write_text(text.replace(old, new), encoding="utf-8")


def _sha256(content: bytes) -> str:
    import hashlib

    return hashlib.sha256(content).hexdigest()


# How many of a hundred mutants go through each door.
SHARES: Mapping[Callable[[Mutant], None], int] = {
    recipe_file: 16,
    override: 4,
    script_jsonl: 7,
    script_csv: 6,
    voice_card: 6,
    recorded_index: 6,
    recorded_wav: 7,
    room_card: 7,
    room_rir: 6,
    bed_wav: 5,
    set_wav: 7,
    set_manifest: 6,
    set_dataset: 6,
    set_recipe: 3,
    set_sums: 2,
    times_csv: 2,
    adopted: 2,
    shard: 2,
    whole: 2,
}


def draw(rng: random.Random) -> Callable[[Mutant], None]:
    """The door that a mutant goes through."""
    return rng.choices(list(SHARES), list(SHARES.values()))[0]
