"""``synthkit voices``: what there is, what it sounds like, and more of it."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from synthkit.cli.base import FELL_SHORT, progress, writable
from synthkit.errors import InputError


@click.group()
def voices() -> None:
    """List voices, hear and measure them, draw more."""


@voices.command("list")
def voices_list() -> None:
    """List the voices that come along.

    Example: synthkit voices list
    """
    from synthkit.speech.cards import voice_card
    from synthkit.speech.cards import voices as known
    from synthkit.speech.engines import engine

    cards = [voice_card(name) for name in known()]
    columns = [(card.id, card.language, card.engine, card.voice_license) for card in cards]
    widths = [max(map(len, column)) for column in zip(*columns, strict=True)]
    for card, cells in zip(cards, columns, strict=True):
        row = "  ".join(f"{cell:{width}}" for cell, width in zip(cells, widths, strict=True))
        click.echo(f"{row}  {card.description}")
        if missing := engine(card.engine).missing(card):
            click.echo(f"{'':{widths[0]}}  not on this machine; {missing}")


@voices.command("say")
@click.argument("voice")
@click.argument("text")
@click.option("--out", required=True, type=click.Path(path_type=Path), help="WAV file to write.")
@click.option(
    "--seed",
    default=0,
    show_default=True,
    type=click.IntRange(0, 2**31 - 1),
    help="Another take, where the engine varies.",
)
def voices_say(voice: str, text: str, out: Path, seed: int) -> None:
    """Say TEXT in VOICE, as dry and levelled as a near segment.

    Example: synthkit voices say heart/mom "Unlock the front door." --out mom.wav
    """
    import synthkit as sk

    finish = sk.chain(sk.PostWindow(), sk.Fade(), sk.Level())
    clip = sk.join(finish(sk.voice(voice).say(text, seed)))
    clip.write(out)
    click.echo(f"{out}: {len(clip.pcm) / clip.sampling_rate:.2f} s")


@voices.command("audit")
@click.argument("cast", nargs=-1, required=True)
@click.option(
    "--sentences",
    "half",
    type=click.Choice(["all", "tune", "report"]),
    default="report",
    show_default=True,
    help="Cards that come along were tuned on the first half.",
)
@click.option("--limit", type=click.IntRange(min=4), help="The first N of these sentences only.")
@click.option("--json", "json_path", type=click.Path(path_type=Path), help="Write the figures.")
@click.option("--png", type=click.Path(dir_okay=False, path_type=Path), help="Draw them.")
def voices_audit(
    cast: tuple[str, ...], half: str, limit: int | None, json_path: Path | None, png: Path | None
) -> None:
    """Measure whether the voices of CAST sound like different people, clear and natural.

    CAST is a cast's name, a voice's, a folder of voice cards or a card; several may be given. Each
    voice says short commands, which recognition, speaker embeddings, DNSMOS and meters then hear.
    Exit code 1 where a voice or pair passes a limit. Needs the extra `instruments`.

    Example: synthkit voices audit heart --json heart.json --png heart.png
    """
    from synthkit.speech.audit.casts import find_voices
    from synthkit.speech.audit.limits import shortfalls
    from synthkit.speech.audit.record import write_record
    from synthkit.speech.audit.sentences import sentences
    from synthkit.speech.audit.table import lines
    from synthkit.speech.audit.voices import audit
    from synthkit.speech.cache import default_cache

    for place in (json_path, png):
        writable(place, *map(Path, cast))
    if png:
        from synthkit.speech.audit.picture import draw, require_matplotlib

        require_matplotlib()
    spoken = sentences(half, limit)
    found = find_voices(cast, spoken, default_cache())
    with progress(len(found) * len(spoken), "sentence") as advance:
        result = audit(found, spoken, advance)
    for line in lines(result):
        click.echo(line)
    if json_path:
        write_record(result, json_path)
    if png:
        draw(result, png)
    sys.exit(FELL_SHORT if shortfalls(result) else 0)


@voices.command("sample")
@click.option("--cast", required=True, help="Cast or folder of cards to draw between.")
@click.option("--count", required=True, type=click.IntRange(1, 1000), help="How many voices.")
@click.option(
    "--seed",
    default=0,
    show_default=True,
    type=click.IntRange(min=0),
    help="Another one draws other voices.",
)
@click.option(
    "--min-distance",
    default=0.15,
    show_default=True,
    type=click.FloatRange(min=0, max=1),
    help="Least distance of any two voices; 1 is that of opposite corners of the cast.",
)
@click.option(
    "--clips",
    type=click.Path(path_type=Path),
    help="Draw speakers from this folder instead; --cast is then a card that clones.",
)
@click.option("--license", "licence", help="Of the clips, an SPDX identifier.")
@click.option("--attribution", default="", help="Of the clips.")
@click.option("--out", required=True, type=click.Path(path_type=Path), help="New folder of cards.")
def voices_sample(
    cast: str,
    count: int,
    seed: int,
    min_distance: float,
    clips: Path | None,
    licence: str | None,
    attribution: str,
    out: Path,
) -> None:
    """Draw new voices and write a card for each; `voices audit` tells how distinct they are.

    Example: synthkit voices sample --cast heart --count 12 --seed 7 --out bank
    """
    from synthkit.speech.bank import clip_cards, draw_cards, write_cards
    from synthkit.speech.cards import cast_cards

    cards = cast_cards(cast)
    if clips:
        if len(cards) != 1 or not licence:
            raise InputError(
                "--clips: allowed: a single card as --cast, and --license of the clips"
            )
        drawn = clip_cards(cards[0], clips, count, seed, licence, attribution)
    else:
        drawn = draw_cards(cards, count, seed, min_distance)
    written = write_cards(drawn, out, f"Drawn from {cast} with seed {seed}")
    click.echo(f"{out}: {len(written)} voice cards")
