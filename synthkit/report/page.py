"""index.html: each command's conditions side by side, with a player each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape
from itertools import groupby
from pathlib import Path

from synthkit import dataset
from synthkit.files import write_bytes
from synthkit.manifest import Row, read_manifest
from synthkit.sums import PAGE

STYLE = """
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
    """Write the page of the set in ``folder`` and return its path."""
    description = dataset.read_dataset(folder)
    page = folder / PAGE
    write_bytes(
        page, "".join(_page(description["name"], description, read_manifest(folder))).encode()
    )
    return page


def _page(name: str, description: Row, rows: Iterable[Row]) -> Iterator[str]:
    clips = description["clips"]
    yield (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f"<title>{escape(name)}</title><style>{STYLE}</style></head><body>\n"
        f"<h1>{escape(name)}</h1>\n<p>{escape(description['grid']['description'])}</p>\n"
        f"<p>{clips['audio']} audio clips, {clips['text']} text rows. "
        "A green edge: the tool is called. A red one: the agent stays silent.</p>\n"
    )
    for command, group in groupby(rows, key=lambda row: str(row["command"])):
        yield from _command(command, list(group))
    yield "</body></html>\n"


def _command(command: str, rows: list[Row]) -> Iterator[str]:
    first = rows[0]
    said = " … ".join(escape(first["texts"][role]) for role in ("context", "trigger"))
    yield f"<h2>{escape(command)}</h2>\n"
    yield f'<p class="said">“{said}” → <code>{escape(first["tool"])}</code></p>\n'
    yield '<div class="conditions">\n'
    for row in rows:
        yield _condition(row)
    yield "</div>\n"


def _condition(row: Row) -> str:
    action = row["target"]["action"]
    player, facts = "<p>text only</p>", "no audio"
    if row["file"]:
        player = (
            f'<audio controls preload="metadata" src="{escape(row["file"])}" '
            f'data-duration="{row["duration"]}"></audio>'
        )
        spoken = ", ".join(f"{s['role']}: {s['voice']} {s['field']}" for s in row["segments"])
        pauses = ", ".join(f"pause {gap['pause_ms']:.0f} ms" for gap in row["gaps"])
        facts = f"{spoken}; {pauses}; {row['duration']:.2f} s"
    return (
        f'<figure class="{action}">{player}<figcaption><b>{escape(row["condition"])}</b> → '
        f'{action}<div class="facts">{escape(facts)}</div></figcaption></figure>\n'
    )
