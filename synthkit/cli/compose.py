"""``synthkit compose``: the families of a benchmark as one list of inputs."""

from __future__ import annotations

from pathlib import Path

import click


@click.command()
@click.argument("recipe", type=click.Path(path_type=Path))
@click.option("--out", required=True, type=click.Path(path_type=Path), help="JSONL file to write.")
def compose(recipe: Path, out: Path) -> None:
    """Join the families that RECIPE names into one list, a row for each input.

    Every file is read and must have the hash of its manifest. Of imported folders only retained
    items count. Items, inputs and stand-ins are told by family.

    Example: synthkit compose examples/whole_benchmark.toml --out whole_benchmark.jsonl
    """
    from synthkit import compose as composing

    benchmark = composing.read_benchmark(recipe)
    rows = composing.compose(benchmark)
    composing.write_rows(rows, out)
    for line in composing.table(benchmark.name, composing.counts(rows)):
        click.echo(line)
