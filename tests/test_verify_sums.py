"""Checksums as GNU sha256sum writes them, and hostile ones."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from synthkit.cli import main
from synthkit.errors import InputError
from synthkit.sums import SUMS, read_sums, write_sums
from synthkit.verify.sums import verify_sums

A = hashlib.sha256(b"a").hexdigest()
NAMES = ("plain", "sub/dir", " lead", "new\nline", "back\\slash", "cr\r", "*star", "ünï")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Files that all hold the letter a."""
    (tmp_path / "set" / "sub").mkdir(parents=True)
    for name in NAMES:
        (tmp_path / "set" / name).write_bytes(b"a")
    return tmp_path / "set"


def listed(folder: Path, *lines: str, end: str = "\n") -> Path:
    sums = folder.parent / "sums"
    text = "".join(line + end for line in lines)
    sums.write_bytes(text.encode("utf-8", "surrogateescape"))
    return sums


def faults(folder: Path, *lines: str) -> list[str]:
    return [str(fault) for fault in verify_sums(listed(folder, *lines), folder).faults]


def synthkit(*arguments: object) -> Result:
    return CliRunner().invoke(main, list(map(str, arguments)), catch_exceptions=False)


@pytest.mark.skipif(not shutil.which("sha256sum"), reason="needs GNU coreutils")
@pytest.mark.parametrize("mode", ["--text", "--binary"])
def test_what_sha256sum_writes_is_read(folder: Path, mode: str) -> None:
    made = subprocess.run(["sha256sum", mode, "--", *NAMES], cwd=folder, capture_output=True)
    sums = folder.parent / "sums"
    sums.write_bytes(made.stdout)
    assert read_sums(sums) == dict.fromkeys(NAMES, A)
    assert verify_sums(sums, folder).good


@pytest.mark.skipif(not shutil.which("sha256sum"), reason="needs GNU coreutils")
def test_sha256sum_reads_what_is_written(folder: Path) -> None:
    write_sums(folder, {}, NAMES)
    checked = subprocess.run(["sha256sum", "--check", "--quiet", SUMS], cwd=folder)
    assert checked.returncode == 0
    assert read_sums(folder / SUMS) == dict.fromkeys(NAMES, A)


def test_names_that_are_not_unicode_are_checked_too(folder: Path) -> None:
    name = os.fsdecode(b"caf\xe9")
    (folder / name).write_bytes(b"a")
    assert faults(folder, f"{A}  {name}") == []


@pytest.mark.parametrize("lines", [f"{A}  plain", f"{A} *plain", f"{A.upper()}  plain"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("start", ["", "\ufeff"])
def test_spellings_of_a_line(folder: Path, lines: str, end: str, start: str) -> None:
    assert read_sums(listed(folder, start + lines, end=end)) == {"plain": A}


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        (f"{A}  gone", "gone: missing"),
        (f"{'0' * 64}  plain", f"plain: sha256 is {A[:12]}…; listed: 000000000000…"),
        (f"{A}  sub", "sub: is not a file"),
        (f"{A}  /etc/hostname", "/etc/hostname: an unsafe path"),
        (f"{A}  ../outside", "../outside: an unsafe path"),
        (f"{A}  sub/../../outside", "sub/../../outside: an unsafe path"),
        (f"{A}  link", "link: a link that leaves the folder, which is not followed"),
        (f"{A}  way/outside", "way/outside: a link that leaves the folder"),
        (f"{A}  loop", "loop: "),
        (f"{A}  {'x' * 300}", ": "),
    ],
)
def test_a_file_that_is_not_as_listed_is_a_fault(folder: Path, line: str, fault: str) -> None:
    (folder.parent / "outside").write_bytes(b"a")
    (folder / "link").symlink_to("../outside")
    (folder / "way").symlink_to("..")
    (folder / "loop").symlink_to("loop")
    (found,) = faults(folder, f"{A}  sub/dir", line)
    assert fault in found


def test_a_link_that_stays_is_followed(folder: Path) -> None:
    (folder / "link").symlink_to("plain")
    assert faults(folder, f"{A}  link") == []


@pytest.mark.parametrize(
    "line",
    ["", "abc  plain", f"{A}", f"{A}  ", f"{A} plain", f"\\{A}  tab\\t", f"\\{A}  end\\",
     f"{A}  nul\0", f"{A}  first"],
)  # fmt: skip
def test_a_line_of_another_form_is_refused_with_its_row(folder: Path, line: str) -> None:
    with pytest.raises(InputError, match=r"sums: row 2: found .*; allowed: 64 hex digits"):
        read_sums(listed(folder, f"{A}  first", line, f"{A}  last"))


def test_the_verdict_is_told_however_long_the_names_before_it(folder: Path) -> None:
    for number in range(10):
        (folder / f"{number}{'x' * 100}").write_bytes(b"b")
    lists = str(listed(folder, f"{A}  plain"))
    run = CliRunner().invoke(main, ["verify", "--sums", lists, str(folder)])
    assert run.stdout.endswith("; 0 faults: all good\n")


def test_a_list_that_is_a_pipe_or_device_is_refused_without_waiting(folder: Path) -> None:
    os.mkfifo(folder.parent / "pipe")
    for path in (folder.parent / "pipe", Path("/dev/zero")):
        with pytest.raises(InputError, match="cannot be read"):
            read_sums(path)


def test_extra_files_are_named_and_no_fault(folder: Path) -> None:
    for name in NAMES:
        if name != "plain":
            (folder / name).unlink()
    (folder / "sub" / "extra").write_text("")
    write_sums(folder, {}, ["plain"])
    run = synthkit("verify", "--sums", folder / SUMS)
    assert run.exit_code == 0
    assert run.stdout == f"{folder}: 1 files listed; 1 not listed (sub/extra); 0 faults: all good\n"
    (folder / "plain").write_text("b")
    assert synthkit("verify", "--sums", folder / SUMS, folder).exit_code == 1


def test_sums_are_checked_alone(folder: Path) -> None:
    write_sums(folder, {}, ["plain"])
    assert synthkit("verify", "--sums", folder / SUMS, folder, "--lufs", "-20").exit_code == 2
    assert synthkit("verify", "--sums", folder / SUMS, folder, folder).exit_code == 2
    assert synthkit("verify", "--sums", folder / SUMS, folder / "plain").exit_code == 2
