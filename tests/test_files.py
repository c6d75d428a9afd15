"""Files at the edges: nothing half written, nothing half understood."""

from __future__ import annotations

import hashlib
import json
import subprocess
from pathlib import Path

import pytest

from synthkit.errors import InputError
from synthkit.files import (
    atomic,
    parse_json,
    read_text,
    read_toml,
    sha256_file,
    text_lines,
    write_bytes,
)


def refusal_of(text: str) -> str:
    with pytest.raises(InputError) as refusal:
        parse_json(text, "rows.jsonl: row 3")
    message = str(refusal.value)
    assert message.startswith("rows.jsonl: row 3: ")
    assert len(message.splitlines()) == 1
    return message


# --- writing


def test_all_of_it_appears(tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder" / "file.bin"
    with atomic(path) as file:
        file.write(b"one, ")
        file.write(b"two")
        assert not path.exists()
    assert path.read_bytes() == b"one, two"
    assert list(path.parent.iterdir()) == [path]


def test_old_content_stands_until_the_new_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "file.bin"
    path.write_bytes(b"old")
    with atomic(path) as file:
        file.write(b"new")
        file.flush()
        assert path.read_bytes() == b"old"
        # Beside it, so that the last step is a rename within one file system.
        assert len(list(tmp_path.iterdir())) == 2
    assert path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("failure", [ValueError, OSError, KeyboardInterrupt, SystemExit])
@pytest.mark.parametrize("old", [b"old", None])
def test_a_failure_leaves_what_was_there(tmp_path: Path, failure, old: bytes | None) -> None:
    path = tmp_path / "file.bin"
    if old is not None:
        path.write_bytes(old)
    with pytest.raises(failure), atomic(path) as file:
        file.write(b"half of")
        raise failure
    assert [p.name for p in tmp_path.iterdir()] == (["file.bin"] if old is not None else [])
    if old is not None:
        assert path.read_bytes() == old


def test_a_name_that_is_taken_by_a_folder_leaves_no_temporary(tmp_path: Path) -> None:
    (tmp_path / "taken" / "inner").mkdir(parents=True)
    with pytest.raises((InputError, OSError)):
        write_bytes(tmp_path / "taken", b"content")
    assert [p.name for p in tmp_path.rglob("*")] == ["taken", "inner"]


@pytest.mark.parametrize("content", [b"", b"\x00\xff\r\n", b"x" * 1_000_000])
def test_bytes_are_written_as_they_are(tmp_path: Path, content: bytes) -> None:
    write_bytes(tmp_path / "file", content)
    assert (tmp_path / "file").read_bytes() == content
    assert sha256_file(tmp_path / "file") == hashlib.sha256(content).hexdigest()


def test_hashes_are_those_of_sha256sum(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(bytes(range(256)) * 999)
    run = subprocess.run(["sha256sum", path], capture_output=True, text=True, check=True)
    assert sha256_file(path) == run.stdout.split()[0]


# --- JSON


def test_strict_json_is_read() -> None:
    text = '{"a": [1, -2.5, 1e3, true, null], "b": {"a": "\\u00fc\\n"}}'
    assert parse_json(text, "x") == {"a": [1, -2.5, 1000.0, True, None], "b": {"a": "ü\n"}}


@pytest.mark.parametrize("name", ["NaN", "Infinity", "-Infinity"])
@pytest.mark.parametrize("form", ["{}", "[1, {}]", '{{"a": {{"b": {}}}}}'])
def test_what_is_no_number_is_refused_by_name(name: str, form: str) -> None:
    assert name in refusal_of(form.format(name))


@pytest.mark.parametrize("number", ["1e999", "-1e999", "123.4e400"])
def test_a_number_that_would_become_infinite_is_refused(number: str) -> None:
    assert "finite" in refusal_of(f'{{"a": {number}}}')


@pytest.mark.parametrize(
    "value", [str(10**400), str(-(10**400)), '"\\ud800"', '{"\\udfff": 1}', "[" * 99 + "]" * 99]
)
def test_what_another_tool_could_not_read_back_is_refused(value: str) -> None:
    # Beyond a float's range, half a character, nested a hundredfold.
    refusal_of(f'{{"a": {value}}}')


@pytest.mark.parametrize("value", [2**53, -(2**53), "\U0001f3a7", [[[[[]]]]], 5e-324, 1.7e308])
def test_what_is_only_unusual_is_read(value: object) -> None:
    assert parse_json(json.dumps({"a": value}), "x") == {"a": value}


@pytest.mark.parametrize(
    "text",
    [
        '{"key": 1, "key": 1}',
        '{"a": [{"key": 1, "b": 2, "key": 3}]}',
        '{"key": {}, "\\u006bey": 1}',
    ],
)
def test_a_key_that_stands_twice_is_refused_by_name(text: str) -> None:
    message = refusal_of(text)
    assert "'key'" in message
    assert "twice" in message


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "{'a': 1}",
        '{"a": 1,}',
        '{"a": 1} x',
        "[01]",
        "[+1]",
        "[.5]",
        '"a\nb"',
        "\ufeff{}",
        "nan",
        "[" * 100_000,
        "9" * 5000,
    ],
    ids=lambda text: repr(text[:12]),
)
def test_what_is_not_json_is_refused_in_one_line(text: str) -> None:
    refusal_of(text)


# --- text and TOML


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_text_is_read_with_and_without_a_byte_order_mark(tmp_path: Path, mark: bytes) -> None:
    path = tmp_path / "text"
    path.write_bytes(mark + "Grüße\r\n".encode())
    assert read_text(path) == "Grüße\r\n"
    path.write_bytes(mark + b'name = "a"\r\nvalue = 2.5\r\n')
    assert read_toml(path) == {"name": "a", "value": 2.5}
    path.write_bytes(mark + b'{"a": 1}')
    assert parse_json(read_text(path), "x") == {"a": 1}


@pytest.mark.parametrize(
    ("content", "said"),
    [(b"abc\xff", "byte 3"), ("a".encode("utf-16"), "byte 0"), (b"\xc0\x80", "byte 0")],
)
def test_what_is_not_utf_8_is_refused_with_the_place(tmp_path: Path, content, said: str) -> None:
    path = tmp_path / "text"
    path.write_bytes(content)
    with pytest.raises(InputError, match=said) as refusal:
        read_text(path)
    assert "text" in str(refusal.value)


def test_a_file_that_cannot_be_read_is_refused_in_one_line(tmp_path: Path) -> None:
    for path in (tmp_path / "none", tmp_path):
        with pytest.raises(InputError, match="cannot be read") as refusal:
            read_text(path)
        assert len(str(refusal.value).splitlines()) == 1


@pytest.mark.parametrize(
    ("toml", "field"),
    [
        ("a = nan", "a"),
        ("a = inf", "a"),
        ("a = 1e999", "a"),
        ("[b]\nc = -inf", "b.c"),
        ("a = [1.0, nan]", "a[1]"),
        ("[[b]]\nx = 1\n[[b]]\nx = nan", "b[1].x"),
    ],
)
def test_toml_has_finite_numbers_only(tmp_path: Path, toml: str, field: str) -> None:
    path = tmp_path / "card.toml"
    path.write_text(toml)
    with pytest.raises(InputError) as refusal:
        read_toml(path)
    assert f"field {field}:" in str(refusal.value)
    assert len(str(refusal.value).splitlines()) == 1


@pytest.mark.parametrize("toml", ["a = ", "a = 1\na = 2", "a = 1\x00", "a = " + "[" * 50_000])
def test_what_is_not_toml_is_refused_in_one_line(tmp_path: Path, toml: str) -> None:
    path = tmp_path / "card.toml"
    path.write_text(toml)
    with pytest.raises(InputError, match=r"card\.toml: not TOML") as refusal:
        read_toml(path)
    assert len(str(refusal.value).splitlines()) == 1


def test_lines_end_at_a_line_feed_only_and_are_numbered_with_the_blank_ones(tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_bytes("\ufeffa\u2028b\x0bc\r\n\n \u3000\n\ufeffd".encode())
    assert list(text_lines(path)) == [(1, "a\u2028b\x0bc\r"), (4, "\ufeffd")]


def test_a_byte_that_is_not_utf8_is_told_by_its_place_in_the_file(tmp_path):
    path = tmp_path / "rows.jsonl"
    for start in (b"", b"\xef\xbb\xbf"):
        path.write_bytes(start + b"ab\ncd\xff\n")
        lines = text_lines(path)
        assert next(lines) == (1, "ab")
        with pytest.raises(InputError, match="byte 5 is not UTF-8; allowed: UTF-8"):
            next(lines)
        with pytest.raises(InputError, match="byte 5 is not UTF-8; allowed: UTF-8"):
            read_text(path)


def test_a_line_that_no_row_is_as_long_as_is_refused_unread(tmp_path):
    path = tmp_path / "rows.jsonl"
    with path.open("wb") as file:
        file.write(b"{}\n")
        file.truncate(2**25)
    lines = text_lines(path)
    assert next(lines) == (1, "{}")
    with pytest.raises(InputError, match="row 2 is longer than 16777216 bytes; allowed: up to"):
        next(lines)


def test_a_file_of_lines_that_cannot_be_read_is_refused_in_one_line(tmp_path):
    for path in (tmp_path, tmp_path / "none", tmp_path / "a\0b"):
        with pytest.raises(InputError, match="cannot be read"):
            list(text_lines(path))
