"""Sets that are wrong as a whole, though every row and checksum agrees with its own file."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile
from click.testing import CliRunner

from synthkit.cli import main
from synthkit.generate import generate
from synthkit.plan import make_plan
from synthkit.recipe import read_recipe
from synthkit.verify import verify
from tests.conftest import DATA

Row = dict[str, Any]


@pytest.fixture
def eight(tone_set: Callable[[str], Path], tmp_path: Path) -> Path:
    return Path(shutil.copytree(tone_set("eight"), tmp_path / "copy"))


def read_rows(folder: Path) -> list[Row]:
    lines = (folder / "manifest.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def write_rows(folder: Path, rows: list[Row]) -> None:
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    (folder / "manifest.jsonl").write_text(text, encoding="utf-8")


def edit_json(folder: Path, change: Callable[[Row], object]) -> None:
    path = folder / "dataset.json"
    values = json.loads(path.read_text(encoding="utf-8"))
    change(values)
    path.write_text(json.dumps(values), encoding="utf-8")


def resign(folder: Path) -> None:
    """Make every checksum of the set that of the file as it is now."""
    rows = read_rows(folder)
    for row in rows:
        if row["file"] and (folder / row["file"]).exists():
            row["sha256"] = hashlib.sha256((folder / row["file"]).read_bytes()).hexdigest()
    write_rows(folder, rows)
    lines = []
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        name = path.relative_to(folder).as_posix()
        if name not in ("SHA256SUMS", "index.html", ".synthkit-lock"):
            lines.append(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {name}\n")
    (folder / "SHA256SUMS").write_text("".join(lines))


def faults(folder: Path) -> list[str]:
    report = verify(folder)
    assert not report.good
    return [str(fault) for fault in report.faults]


def edit_rows(folder: Path, wanted: Callable[[Row], bool], change: Callable[[Row], object]) -> None:
    rows = read_rows(folder)
    chosen = [row for row in rows if wanted(row)]
    assert chosen
    for row in chosen:
        change(row)
    write_rows(folder, rows)
    resign(folder)


def of(clip: str) -> Callable[[Row], bool]:
    return lambda row: row["id"] == clip


CLIP = "unlock_door_01__different_far_600"
PLAIN = "unlock_door_01__different_far_0"


def test_resigning_alone_changes_nothing(eight: Path) -> None:
    resign(eight)
    assert verify(eight).good


def test_a_clip_without_its_pause_is_seen(eight: Path) -> None:
    """The 0 ms clip's file and places under the 600 ms clip's name."""
    rows = {row["id"]: row for row in read_rows(eight)}
    shutil.copy(eight / rows[PLAIN]["file"], eight / rows[CLIP]["file"])
    taken = ("num_samples", "duration", "segments", "gaps", "peak_dbfs", "true_peak_dbtp")
    edit_rows(eight, of(CLIP), lambda row: row.update({k: rows[PLAIN][k] for k in taken}))
    assert f"{CLIP}: gap is 0 ms; allowed in this condition: 600" in faults(eight)


def test_a_clip_without_a_gap_in_its_row_is_seen(eight: Path) -> None:
    edit_rows(eight, of(PLAIN), lambda row: row.update(gaps=[]))
    assert any(f"{PLAIN}: parts are context and trigger with 0 gaps" in f for f in faults(eight))


def test_two_contexts_are_seen(eight: Path) -> None:
    edit_rows(eight, of(CLIP), lambda row: row["segments"][1].update(role="context"))
    assert any("parts are context and context" in fault for fault in faults(eight))


def test_a_whole_field_at_another_level_is_seen(eight: Path) -> None:
    """Far segments 6 dB quieter, and every row says so: distance would be a level cue."""
    rows = read_rows(eight)
    for row in (row for row in rows if row["factors"]["field"] == "far"):
        pcm, rate = soundfile.read(eight / row["file"], dtype="int16")
        pcm = np.rint(pcm * 0.5).astype(np.int16)
        soundfile.write(eight / row["file"], pcm, rate, subtype="PCM_16")
        for segment in row["segments"]:
            segment["level"]["requested_dbfs"] = -26.02
            part = pcm[segment["start"] : segment["end"]]
            segment["pcm_sha256"] = hashlib.sha256(part.tobytes()).hexdigest()
    write_rows(eight, rows)
    resign(eight)
    assert any("level asked for is {'requested_dbfs': -26.02" in fault for fault in faults(eight))


def test_a_segment_that_differs_between_conditions_is_seen(eight: Path) -> None:
    """One bit of one condition's context, its hash and key changed with it."""

    def change(row: Row) -> None:
        segment = row["segments"][0]
        pcm, rate = soundfile.read(eight / row["file"], dtype="int16")
        pcm[segment["start"] + 1000] ^= 1
        soundfile.write(eight / row["file"], pcm, rate, subtype="PCM_16")
        part = pcm[segment["start"] : segment["end"]]
        segment["pcm_sha256"] = hashlib.sha256(part.tobytes()).hexdigest()
        segment["segment_key"] = "0" * 64

    edit_rows(eight, of(CLIP), change)
    found = faults(eight)
    assert (
        f"{CLIP}: context: pcm_sha256 is not that of {PLAIN.replace('different', 'same')}" in found
    )


def test_a_condition_taken_out_of_a_command_is_seen_though_counts_are_mended(eight: Path) -> None:
    rows = read_rows(eight)
    gone = next(row for row in rows if row["id"] == CLIP)
    (eight / gone["file"]).unlink()
    write_rows(eight, [row for row in rows if row is not gone])
    edit_json(eight, lambda d: d["clips"].update(planned=31, audio=31))
    resign(eight)
    assert f"{CLIP}: no row: the grid has this condition" in faults(eight)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda r: r["texts"].update(trigger="Open up."), "texts is not that of"),
        (lambda r: r.update(language="en-GB"), "language is not that of"),
        (lambda r: r.update(split="train"), "split is not that of"),
        (lambda r: r.update(bystander="no/one"), "bystander no/one is not a voice of the set"),
        (lambda r: r.update(bystander=r["wearer"]), "wearer and bystander are both"),
        (lambda r: r["segments"][0].update(room=None), "room is None; allowed in this field"),
        (lambda r: r["segments"][1].update(lufs=-9.0), "trigger: lufs is"),
        (lambda r: r["segments"][1].update(true_peak_dbtp=-30.0), "trigger: true_peak_dbtp is"),
        (lambda r: r["gaps"][0].update(pause_samples=5), "pause is"),
        (lambda r: r["gaps"][0].update(pause_ms=5.0), "pause is"),
        (lambda r: r["segments"][1].update(source_key="0" * 64), "source_key is not that of"),
        (lambda r: r["segments"][1]["trim"].update(leading_samples=1), "trim is not that of"),
        (lambda r: r.update(command="other"), "id is not other__different_far_600"),
    ],
)
def test_a_row_that_does_not_fit_its_command_or_set_is_seen(
    eight: Path, change: Callable[[Row], object], told: str
) -> None:
    edit_rows(eight, of(CLIP), change)
    assert any(told in fault for fault in faults(eight))


def test_words_that_differ_between_conditions_are_seen(eight: Path) -> None:
    def far(row: Row) -> bool:
        return bool(row["condition"] == "same_far_0" and row["command"] == "unlock_door_01")

    def say_otherwise(row: Row) -> None:
        row["segments"][1]["spoken_text"] = "Lock the front door."

    edit_rows(eight, far, say_otherwise)
    (fault,) = faults(eight)
    assert "unlock_door_01__same_far_0" in fault
    assert "spoken_text" in fault


def test_a_speech_window_that_is_shorter_in_one_field_is_seen(eight: Path) -> None:
    def change(row: Row) -> None:
        row["segments"][1]["speech_end"] -= 1000

    edit_rows(eight, of(CLIP), change)
    assert any("trigger: speech is not that of" in fault for fault in faults(eight))


@pytest.mark.parametrize("name", ["context", "trigger", "tool", "params"])
def test_words_and_calls_that_are_not_the_scripts_are_seen(eight: Path, name: str) -> None:
    """Changed alike in all rows of a command: the script that the set carries tells."""

    def change(row: Row) -> None:
        if name in ("context", "trigger"):
            row["texts"][name] = "Something else."
        elif name == "tool":
            row["tool"] = "other"
            row["target"] = {
                **row["target"],
                **({"name": "other"} if "name" in row["target"] else {}),
            }
        elif row["target"]["action"] == "call":
            row["target"]["params"] = {"door": "back"}

    edit_rows(eight, lambda row: row["command"] == "unlock_door_01", change)
    assert any(f"{name} is not the script's" in fault for fault in faults(eight))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (
            lambda d: d["grid"]["rule"].update(call_at={"source": ["different"]}),
            "rule proximity is not as it is defined",
        ),
        (lambda d: d["grid"]["conditions"].pop(), "grid: conditions are not the recipe's"),
        (lambda d: d["grid"]["conditions"][0].update(action="mute"), "conditions are not"),
        (lambda d: d["recipe"].update(seed=5), "recipe is not recipe/recipe.toml"),
        (lambda d: d["voices"].pop(), "is not a voice of the set"),
        (lambda d: d.update(scripts_sha256="0" * 64), "scripts_sha256 is not that of"),
        (lambda d: d["format"].update(sampling_rate=8000), "sampling rate is 16000 Hz; set:"),
        (lambda d: d["clips"].update(planned=40), "planned clips are not audio + text + failed"),
    ],
)
def test_a_description_that_is_not_the_sets_is_seen(
    eight: Path, change: Callable[[Row], object], told: str
) -> None:
    edit_json(eight, change)
    resign(eight)
    assert any(told in fault for fault in faults(eight))


@pytest.mark.parametrize(
    "name", ["manifest.jsonl", "dataset.json", "recipe/recipe.toml", "recipe/commands.jsonl"]
)
def test_checksums_have_to_cover_all_that_makes_the_set(eight: Path, name: str) -> None:
    path = eight / "SHA256SUMS"
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(line for line in lines if not line.endswith(f"  {name}\n")))
    assert f"{name}: not listed in SHA256SUMS" in faults(eight)


@pytest.mark.parametrize("name", ["recipe/recipe.toml", "recipe/commands.jsonl"])
def test_a_set_without_what_makes_it_again_is_seen(eight: Path, name: str) -> None:
    (eight / name).unlink()
    resign(eight)
    assert any(name in fault for fault in faults(eight))


@pytest.mark.parametrize("name", ["audio/notes.txt", "stray.wav", "audio/x/.synthkit-1-a.wav.tmp"])
def test_files_that_are_not_of_the_set_are_seen(eight: Path, name: str) -> None:
    (eight / name).parent.mkdir(exist_ok=True)
    (eight / name).write_text("x")
    assert f"{name}: extra file: no row names it" in faults(eight)


def test_a_readme_beside_the_set_is_no_fault(eight: Path) -> None:
    (eight / "README.md").write_text("How we used it.")
    assert verify(eight).good


@pytest.mark.parametrize(
    "change",
    [
        lambda r: r["segments"][0].update(start=0.0),
        lambda r: r.update(num_samples=float(r["num_samples"])),
        lambda r: r.update(duration=10**400),
        lambda r: r["gaps"][0].update(requested_ms=10**400),
        lambda r: r["segments"][0]["level"].update(requested_dbfs=10**400),
        lambda r: r.update(file="audio/x.wav\n"),
        lambda r: r.update(file="audio/" + "x" * 5000 + ".wav"),
        lambda r: r.update(num_samples=10**18),
        lambda r: r["segments"][0].update(end=10**15),
        lambda r: r["texts"].update(trigger="\ud800"),
    ],
)
def test_absurd_values_are_faults_and_raise_nothing(
    eight: Path, change: Callable[[Row], object]
) -> None:
    rows = read_rows(eight)
    change(rows[3])
    text = "".join(json.dumps(row) + "\n" for row in rows)
    (eight / "manifest.jsonl").write_text(text, encoding="utf-8")
    report = verify(eight)
    assert not report.good
    assert report.rows == 32


def test_a_loop_of_links_is_a_fault_and_raises_nothing(eight: Path) -> None:
    path = eight / read_rows(eight)[0]["file"]
    path.unlink()
    path.symlink_to(path.name)
    assert any("link" in fault for fault in faults(eight))


@pytest.fixture
def dealt(tmp_path: Path) -> Path:
    """A set with splits and a dealt low-pass, each split with cutoffs and voices of its own."""
    recipe = read_recipe(
        DATA / "eight_tone.toml",
        [
            "grid=pair",
            "nuisances.cutoff=[3000, 4000]",
            "fields.far=[{renderer='lowpass', cutoff='$cutoff'}]",
            "splits.train={share=1, cutoff=[3000], voices=['tone/low', 'tone/mid']}",
            "splits.test={share=1, cutoff=[4000], voices=['tone/mid', 'tone/high']}",
        ],
    )
    generate(make_plan(recipe, only=["unlock_door_01", "unlock_door_02"]), tmp_path / "dealt")
    assert verify(tmp_path / "dealt").good
    return tmp_path / "dealt"


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (
            lambda r: r.update(split={"train": "test", "test": "train"}[r["split"]]),
            "is not a voice of split",
        ),
        (lambda r: r.update(split="dev"), "split is dev; allowed: test, train"),
        (
            lambda r: (
                r["nuisances"] and r["nuisances"].update(cutoff=7000 - r["nuisances"]["cutoff"])
            ),
            "allowed in split",
        ),
        (lambda r: r["nuisances"].update(nothing=1), "nuisances are"),
    ],
)
def test_rows_that_are_not_of_their_split_are_seen(
    dealt: Path, change: Callable[[Row], object], told: str
) -> None:
    edit_rows(dealt, lambda row: True, change)
    assert any(told in fault for fault in faults(dealt))


def test_a_bed_at_another_level_than_asked_is_seen(tmp_path: Path) -> None:
    """All clips of a command with the same, quieter noise, every hash and reading mended."""
    folder = tmp_path / "set"
    overrides = ['beds.hiss={kind="pink", snr_db=20}', "bed=hiss"]
    generate(make_plan(read_recipe(DATA / "eight_tone.toml", overrides), limit=1), folder)
    rows = read_rows(folder)
    old = folder / rows[0]["bed"]["file"]
    noise, rate = soundfile.read(old, dtype="int16")
    quiet = np.rint(noise / 8).astype(np.int16)
    soundfile.write(folder / "new.wav", quiet, rate, subtype="PCM_16")
    digest = hashlib.sha256((folder / "new.wav").read_bytes()).hexdigest()
    (folder / "new.wav").rename(folder / "beds" / f"{digest}.wav")
    for row in rows:
        pcm, _ = soundfile.read(folder / row["file"], dtype="int16")
        pcm = pcm - noise[: len(pcm)] + quiet[: len(pcm)]
        soundfile.write(folder / row["file"], pcm, rate, subtype="PCM_16")
        row["bed"].update(file=f"beds/{digest}.wav", sha256=digest)
    old.unlink()
    write_rows(folder, rows)
    resign(folder)
    assert any("bed: level is -58" in fault and "allowed: -40" in fault for fault in faults(folder))


@pytest.mark.parametrize("value", ["../../secret.jsonl", "/etc/secret.csv", "gone.jsonl"])
def test_a_recipe_that_names_files_outside_the_set_is_a_fault_and_they_are_not_read(
    eight: Path, tmp_path: Path, value: str
) -> None:
    (tmp_path / "secret.jsonl").write_text("not a script: hunter2\n")
    path = eight / "recipe" / "recipe.toml"
    text = path.read_text()
    assert '"commands.jsonl"' in text
    path.write_text(text.replace('"commands.jsonl"', json.dumps(value)))
    edit_json(eight, lambda d: d["recipe"].update(scripts=value))
    resign(eight)
    found = faults(eight)
    assert any(f.startswith(f"recipe/recipe.toml: recipe/{value}: ") for f in found)
    assert "hunter2" not in str(found)


def test_levels_of_factors_are_those_of_the_condition_and_no_others(eight: Path) -> None:
    clip = read_rows(eight)[0]["id"]
    edit_rows(eight, of(clip), lambda row: row["factors"].update(humidity="dry"))
    assert f"{clip}: factor humidity is dry; allowed in this condition: None" in faults(eight)


def test_a_level_that_a_row_leaves_out_is_a_fault(eight: Path) -> None:
    clip = read_rows(eight)[0]["id"]
    edit_json(eight, lambda d: [c.update(humidity="dry") for c in d["grid"]["conditions"]])
    resign(eight)
    assert f"{clip}: factor humidity is None; allowed in this condition: dry" in faults(eight)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda d: d["recipe"].update(splits="x"), "field recipe: field splits: found"),
        (lambda d: d["recipe"].update(splits={"test": [1]}), "field splits.test: found"),
        (lambda d: d["recipe"].update(nuisances=[]), "field nuisances: found"),
        (lambda d: d["recipe"].update(bed=3), "field bed: found"),
        (lambda d: d["recipe"].pop("level"), "level missing"),
        (lambda d: d["recipe"].clear(), "missing"),
        (lambda d: d.update(finish=[]), "field finish: found []; allowed: one renderer or more"),
        (lambda d: d.update(beds={"n": {"snr_db": "x"}}), "field beds.n.snr_db: found"),
    ],
)
def test_a_description_whose_recipe_is_none_is_one_fault_and_no_traceback(
    eight: Path, change: Callable[[Row], object], told: str
) -> None:
    edit_json(eight, change)
    (fault,) = [f for f in faults(eight) if f.startswith("dataset.json: ") and "sha256" not in f]
    assert told in fault


@pytest.mark.parametrize(
    "change",
    [
        lambda d: d["finish"].insert(0, {"renderer": "postwindow"}),
        lambda d: d["fields"]["far"][0].update(renderers=[{"renderer": "room"}]),
        lambda d: d["recipe"].update(level={"at": "after_room", "peak": "limit", "lufs": -20}),
        lambda d: [c.update(share=1, voices="x") for c in d["grid"]["conditions"]],
    ],
)
def test_a_description_that_leaves_things_out_is_faulty_and_no_traceback(
    eight: Path, change: Callable[[Row], object]
) -> None:
    edit_json(eight, change)
    assert faults(eight)


@pytest.mark.parametrize("name", ["recipe/notes.txt", "audio/more", "dataset.json"])
def test_links_in_a_set_are_faults_wherever_they_lead(
    eight: Path, tmp_path: Path, name: str
) -> None:
    path = eight / name
    target = tmp_path / "elsewhere"
    if path.exists():
        path.rename(target)
    else:
        target.write_text("secret")
    path.symlink_to(target)
    assert f"{name}: is a link; allowed: files of the set's own" in faults(eight)


def test_a_set_without_its_manifest_yet_is_never_all_good(eight: Path) -> None:
    for name in ("manifest.jsonl", "dataset.json", "SHA256SUMS"):
        (eight / name).unlink()
    run = CliRunner().invoke(main, ["verify", str(eight)])
    assert run.exit_code == 2
    assert "`synthkit generate`" in run.stderr
    assert "`synthkit merge`" in run.stderr


def test_a_set_below_the_folder_that_is_verified_is_named(eight: Path) -> None:
    for arguments in ([eight.parent], [eight.parent, "--level-dbfs", "-20"]):
        run = CliRunner().invoke(main, ["verify", *map(str, arguments)])
        assert run.stderr == (
            f"{eight}: checked as plain files; against its manifest by `synthkit verify {eight}`\n"
        )
        assert "without a manifest" in run.stdout.splitlines()[-1]
    assert not CliRunner().invoke(main, ["verify", str(eight)]).stderr


def test_a_pipe_in_a_set_is_a_fault_and_not_waited_for(eight: Path) -> None:
    sums = eight / "SHA256SUMS"
    os.mkfifo(eight / "audio" / "extra.wav")
    (fault,) = verify(eight).faults
    assert str(fault).startswith("audio/extra.wav: is a pipe")
    sums.unlink()
    os.mkfifo(sums)
    assert any("not a regular file" in str(fault) for fault in verify(eight).faults)


def test_a_name_that_is_no_unicode_is_told_as_text_that_is(eight: Path) -> None:
    with (eight / "SHA256SUMS").open("ab") as file:
        file.write(b"0" * 64 + b"  audio/\xff.wav\n")
    report = verify(eight).describe()
    assert {"where": "audio/\\udcff.wav", "what": "missing, which SHA256SUMS lists"} in report[
        "faults"
    ]
    json.dumps(report, ensure_ascii=False).encode("utf-8")
