"""Prompt sheets: what people read aloud when they record a script, to print or as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path

from synthkit.errors import InputError
from synthkit.files import write_new
from synthkit.scripts.prompts import Prompt

COLUMNS = ("id", "item", "role", "text", "file")
# Of a command its parts, of talk whom it is meant for.
ROLES = {
    "context": "context",
    "trigger": "command",
    "assistant": "to the assistant",
    "bystander": "to somebody nearby",
    "nobody": "to yourself",
}
# What a spreadsheet may take a cell for that begins so; the apostrophe, so that all can be undone.
RISKY = tuple("=+-@\uff1d\uff0b\uff0d\uff20'")
STYLE = """
:root { color-scheme: light; }
body { font: 12pt/1.4 system-ui, sans-serif; margin: 2rem auto; max-width: 46rem; padding: 0 1rem;
       color: #000; background: #fff; }
h1 { font-size: 16pt; margin: 0; } p { margin: .3rem 0 1.2rem; }
section { break-after: page; } section:last-child { break-after: auto; }
article { break-inside: avoid; display: grid; grid-template-columns: 2.2rem 1fr; gap: 0 .4rem;
          padding: .7rem 0; border-top: 1px solid #999; }
.box { width: 1.2rem; height: 1.2rem; border: 1.5pt solid #000; margin-top: .1rem; }
.file { font: 10.5pt/1.4 ui-monospace, monospace; overflow-wrap: anywhere; }
.role { font-size: 10.5pt; margin-top: .5rem; color: #333; }
.say { font-size: 20pt; line-height: 1.3; overflow-wrap: anywhere; }
@page { margin: 15mm; }
@media print { body { margin: 0; max-width: none; padding: 0; } }
"""


def write_sheet(
    prompts: Sequence[Prompt], title: str, path: Path, per_page: int | None = None
) -> None:
    """Write the sheet as its name says, ``.html`` or ``.csv``.

    ``per_page`` prompts go on a page of HTML; None for as many as fit. Raises
    :class:`InputError` for another ending, for ``per_page`` with CSV, and where another file
    stands.
    """
    match path.suffix.lower():
        case ".html":
            write_new(path, "".join(_page(prompts, title, per_page)).encode())
        case ".csv" if per_page:
            raise InputError("--per-page: CSV has no pages; allowed: with a sheet in .html")
        case ".csv":
            write_new(path, as_csv(prompts))
        case _:
            raise InputError(f"{path}: no such sheet; allowed: a name in .html or .csv")


def as_csv(prompts: Sequence[Prompt]) -> bytes:
    """A row a line that is read, with a header, in UTF-8.

    A cell that a spreadsheet could take for a formula, or that begins with an apostrophe, has
    one apostrophe more in front: take one away from each cell that begins with one.
    """
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for prompt in prompts:
        for role, said in prompt.lines:
            cells = (prompt.id, prompt.item, ROLES[role], said, _file(prompt))
            writer.writerow(map(_harmless, cells))
    return text.getvalue().encode()


def _harmless(cell: str) -> str:
    return f"'{cell}" if cell.lstrip().startswith(RISKY) else cell


def _file(prompt: Prompt) -> str:
    return f"{prompt.id}.wav"


def _page(prompts: Sequence[Prompt], title: str, per_page: int | None) -> Iterator[str]:
    name, num = escape(title), len(prompts)
    languages = sorted({prompt.language for prompt in prompts})
    spoken = f"language{'s' * (len(languages) > 1)} {escape(', '.join(languages))}"
    yield (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>{name}</title><style>{STYLE}</style></head><body>\n<h1>{name}</h1>\n"
        f"<p>{num} recordings, {spoken}. Read only what is in large type, save each under the name "
        "above it, and tick the box.</p>\n"
    )
    on_page = per_page or num
    for start in range(0, num, on_page):
        yield "<section>\n"
        yield from map(_prompt, prompts[start : start + on_page])
        yield "</section>\n"
    yield "</body></html>\n"


def _prompt(prompt: Prompt) -> str:
    said = "".join(
        f'<div class="role">{ROLES[role]}</div>'
        f'<div class="say" lang="{escape(prompt.language)}" dir="auto">{escape(text)}</div>'
        for role, text in prompt.lines
    )
    return (
        f'<article><div class="box"></div><div><div class="file">{escape(_file(prompt))}</div>'
        f"{said}</div></article>\n"
    )
