"""CSV with a header, read strictly: a row is a mapping from column to text as written."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path

from synthkit.errors import InputError
from synthkit.files import read_text


def csv_rows(path: Path) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the place and the cells of each row that is not blank.

    A byte-order mark, CRLF and blank lines are accepted. Raises :class:`InputError` for a column
    that stands twice and for rows that are not as long as the header.
    """
    text = read_text(path)
    blank = len(text) - len(text.lstrip("\r\n"))
    reader = csv.DictReader(io.StringIO(text[blank:], newline=""), strict=True)
    above = text[:blank].count("\n")
    try:
        header = reader.fieldnames or ()
        if len(set(header)) < len(header):
            raise InputError(
                f"{path}: row 1: a column stands twice in {', '.join(header)}; allowed: once"
            )
        for values in reader:
            where = f"{path}: row {above + reader.line_num}"
            if None in values or None in values.values():
                raise InputError(
                    f"{where}: the number of cells differs from the header's; "
                    f"allowed: {len(header)}"
                )
            if any(value.strip() for value in values.values()):
                yield where, values
    except csv.Error as error:
        at = above + reader.reader.line_num  # of the row that could not be read
        raise InputError(f"{path}: row {at}: not CSV: {error}") from None
