"""index.html: each command's conditions side by side, with a player each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape
from itertools import groupby
from pathlib import Path

from synthkit import dataset
from synthkit.errors import InputError
from synthkit.files import write_bytes
from synthkit.manifest import Row, read_manifest

# A browser opens every file that is to be preloaded; beyond this a page waits for a click.
MAX_PRELOADED = 100
STYLE = """
:root { color-scheme: light; }
body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 76rem; padding: 0 1rem;
       color: #1b1f24; background: #fff; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.05rem; margin: 2rem 0 .3rem; }
.said { color: #444; margin: 0 0 .6rem; }
.conditions { display: grid; gap: .7rem;
              grid-template-columns: repeat(auto-fill, minmax(17rem, 1fr)); }
figure { margin: 0; padding: .6rem .7rem; border: 1px solid #d5dae1; border-radius: 6px; }
figure.call { border-left: 5px solid #22863a; } figure.mute { border-left: 5px solid #b31d28; }
audio { width: 100%; height: 2.2rem; } figcaption { font-size: .85rem; }
code { font-size: .85rem; } .facts { color: #57606a; font-size: .8rem; }
"""


def write_page(folder: Path) -> Path:
    """Write the page of the set in ``folder`` and return its path.

    Raises :class:`InputError` for a folder without a whole set.
    """
    if not (folder / dataset.DATASET).is_file():
        raise InputError(
            f"{folder}: no {dataset.DATASET}; allowed: a set that `synthkit generate` has "
            "finished, or whose shards `synthkit merge` has joined"
        )
    description = dataset.read_dataset(folder)
    page = folder / dataset.PAGE
    write_bytes(page, "".join(_page(description, read_manifest(folder))).encode())
    return page


def _page(description: Row, rows: Iterable[Row]) -> Iterator[str]:
    name, clips = escape(description["name"]), description["clips"]
    yield (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>{name}</title><style>{STYLE}</style></head><body>\n<h1>{name}</h1>\n"
    )
    told = [description["description"], description["grid"]["description"], *_rooms(description)]
    yield "".join(f"<p>{escape(line)}</p>\n" for line in told if line)
    counted = f"{clips['audio']} audio clips" + (f", {clips['text']} text" * bool(clips["text"]))
    yield (
        f"<p>{counted}, {len(description['voices'])} voices, {escape(description['license'])}. "
        "A green edge: the tool is called. A red one: the agent stays silent.</p>\n"
    )
    preload = "metadata" if clips["audio"] <= MAX_PRELOADED else "none"
    for command, group in groupby(rows, key=lambda row: str(row["command"])):
        yield from _command(command, list(group), preload)
    yield "</body></html>\n"


def _rooms(description: Row) -> Iterator[str]:
    for room in description["rooms"]:
        rt60 = room["realised"]["rt60"]
        decay = "nothing decays" if rt60 is None else f"RT60 {rt60:.2f} s"
        far = "" if room["distance_m"] is None else f"{room['distance_m']:.1f} m, "
        yield f"{room['card']['name']}, {room['place']}: {far}{decay}."


def _command(command: str, rows: list[Row], preload: str) -> Iterator[str]:
    first = rows[0]
    said = " … ".join(escape(first["texts"][role]) for role in ("context", "trigger"))
    yield f"<h2>{escape(command)}</h2>\n"
    yield f'<p class="said">“{said}” → <code>{escape(first["tool"])}</code></p>\n'
    yield '<div class="conditions">\n'
    for row in rows:
        yield _condition(row, preload)
    yield "</div>\n"


def _condition(row: Row, preload: str) -> str:
    action = row["target"]["action"]
    facts = "".join(f'<div class="facts">{escape(line)}</div>' for line in _facts(row))
    return (
        f'<figure class="{action}">{_player(row, preload)}<figcaption>'
        f"<b>{escape(row['condition'])}</b> → {action}{facts}</figcaption></figure>\n"
    )


def _player(row: Row, preload: str) -> str:
    if not row["file"]:
        return ""
    return (
        f'<audio controls preload="{preload}" src="{escape(row["file"])}" '
        f'aria-label="{escape(row["command"])}, {escape(row["condition"])}"></audio>'
    )


def _facts(row: Row) -> Iterator[str]:
    if not row["file"]:
        yield "text only"
        return
    for segment in row["segments"]:
        yield f"{segment['role']}: {segment['voice']}, {segment['field']}"
    for gap in row["gaps"]:
        yield (
            f"gap {gap['requested_ms']:g} ms, speech to speech {gap['pause_ms']:.0f} ms; "
            f"{row['duration']:.2f} s in all"
        )
