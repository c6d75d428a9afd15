"""The output folder: whose it is, and how what is in it changes from one whole import to the next.

WAVs are made in a folder of their own under our prefix and moved when all are there. The items are
written last: where they are, everything that they say is.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from synthkit import schemas
from synthkit.errors import InputError, SynthkitError
from synthkit.files import TEMPORARY_PREFIX, parse_json, read_text, sha256_file, write_bytes
from synthkit.generate.folder import LOCK
from synthkit.importing.items import ITEMS
from synthkit.measure.adopt import ADOPTED
from synthkit.sums import SUMS, read_sums, write_sums

DESCRIPTION = "import.json"
AUDIO = "audio"
OURS = (ITEMS, ADOPTED, DESCRIPTION)
STAGE = f"{TEMPORARY_PREFIX}new"
# The sums of an import that is being moved into its place, until they are there too.
PENDING = f"{TEMPORARY_PREFIX}sums"


def check_apart(folder: Path, out: Path) -> None:
    """Refuse an output folder within that of the recordings, and the other way round."""
    inner, outer = out.resolve(), folder.resolve()
    if inner.is_relative_to(outer) or outer.is_relative_to(inner):
        raise InputError(
            f"--out {out}: lies in the folder of the recordings, or holds it; "
            "allowed: a folder apart from it"
        )


def check_output(out: Path, script: str) -> None:
    """Refuse a folder that holds anything that an import of ``script`` did not make.

    Raises :class:`InputError`; other files beside ours are left alone where ours are.
    """
    where = f"--out {out}"
    if out.is_symlink() and not out.exists():
        raise InputError(f"{where}: a link to nothing; allowed: a new or empty folder")
    if not out.exists():
        return
    if not out.is_dir():
        raise InputError(f"{where}: is a file; allowed: a new or empty folder")
    if not any(path.name != LOCK for path in out.iterdir()):
        return
    made = made_files(out)
    if not made and not (out / STAGE).is_dir():
        raise InputError(f"{where}: holds other files; allowed: a new or empty folder")
    for name in _names(out):
        path = out / name
        if path.is_symlink():
            raise InputError(f"{where}: {name} is a link, which could lead out of the folder")
        if path.is_file() and (name not in made or sha256_file(path) not in made[name]):
            raise InputError(
                f"{where}: {name} is not as an import made it; allowed: a new folder, "
                "or one in which nothing was changed"
            )
    found = _script(out)
    if found is not None and found != script:
        raise InputError(
            f"{where}: holds the import of {found}; allowed: a new folder for that of {script}"
        )


def made_files(out: Path) -> dict[str, set[str]]:
    """The hashes that our files may have, by path: of the last import, and of one cut short."""
    made: dict[str, set[str]] = {}
    for name in (SUMS, PENDING):
        with suppress(SynthkitError):
            sums = read_sums(out / name)
            if {ITEMS, DESCRIPTION} <= sums.keys():
                for file, sha256 in sums.items():
                    made.setdefault(file, set()).add(sha256)
    return made


def _names(out: Path) -> Iterator[str]:
    """What an import would write to, as it is there: our files, and all below ``audio``."""
    yield from (name for name in OURS if (out / name).exists() or (out / name).is_symlink())
    for path in (out / AUDIO, *sorted((out / AUDIO).rglob("*"))):
        yield path.relative_to(out).as_posix()


def _script(out: Path) -> str | None:
    with suppress(InputError):
        values = parse_json(read_text(out / DESCRIPTION), DESCRIPTION)
        schemas.check(values, "import", DESCRIPTION)
        assert isinstance(values, dict)
        return str(values["script"]["name"])
    return None


def stage(out: Path) -> Path:
    """An empty folder for what is being made; what a killed import left there goes."""
    if (out / STAGE).is_symlink():
        raise InputError(f"--out {out}: {STAGE} is a link, which could lead out of the folder")
    if (out / STAGE).exists():
        shutil.rmtree(out / STAGE)
    (out / STAGE / AUDIO).mkdir(parents=True)
    return out / STAGE


def publish(
    out: Path, wavs: Mapping[str, str], texts: Mapping[str, bytes], staged: Path
) -> tuple[str, ...]:
    """Put what was staged into its place and write ``texts``, the items last.

    ``wavs`` are hashes by path below ``out``. Returns the WAVs of the last import that are no
    longer retained and so were removed; nothing else is.
    """
    for name, content in texts.items():
        write_bytes(staged / name, content)
    sums = {**wavs, **{name: sha256_file(staged / name) for name in texts}}
    write_sums(staged, sums, ())
    old = [name for name in made_files(out) if name.startswith(f"{AUDIO}/") and name not in wavs]
    (staged / SUMS).replace(out / PENDING)
    for name in OURS:
        (out / name).unlink(missing_ok=True)
    removed = [name for name in old if (out / name).is_file()]
    for name in removed:
        (out / name).unlink()
    (out / AUDIO).mkdir(exist_ok=True)
    for name in wavs:
        (staged / name).replace(out / name)
    for name in sorted(texts, key=lambda name: name == ITEMS):
        if name == ITEMS:
            write_sums(out, sums, ())
        (staged / name).replace(out / name)
    shutil.rmtree(staged)
    (out / PENDING).unlink()
    return tuple(removed)


def json_bytes(values: Mapping[str, Any]) -> bytes:
    """A JSON document as it is written: strict, in the order given."""
    return f"{json.dumps(values, ensure_ascii=False, allow_nan=False, indent=2)}\n".encode()
