"""``synthkit voices``: what there is, what it sounds like, and more of it."""

from __future__ import annotations

from pathlib import Path

import click


@click.group()
def voices() -> None:
    """List voices and hear them."""


@voices.command("list")
def voices_list() -> None:
    """List the voices that come along.

    Example: synthkit voices list
    """
    from synthkit.speech.cards import voice_card
    from synthkit.speech.cards import voices as known
    from synthkit.speech.engines import engine

    for card in map(voice_card, known()):
        click.echo(
            f"{card.id:20} {card.language}  {card.engine:8} {card.voice_license:12} "
            f"{card.description}"
        )
        if missing := engine(card.engine).missing(card):
            click.echo(f"{'':20} not on this machine; {missing}")


@voices.command("say")
@click.argument("voice")
@click.argument("text")
@click.option("--out", required=True, type=click.Path(path_type=Path), help="WAV file to write.")
@click.option("--seed", default=0, show_default=True, type=click.IntRange(min=0))
def voices_say(voice: str, text: str, out: Path, seed: int) -> None:
    """Say TEXT in VOICE, as dry and levelled as a near segment.

    Example: synthkit voices say heart/mom "Unlock the front door." --out mom.wav
    """
    import synthkit as sk

    finish = sk.chain(sk.PostWindow(), sk.Fade(), sk.Level())
    clip = sk.join(finish(sk.voice(voice).say(text, seed)))
    clip.write(out)
    click.echo(f"{out}: {len(clip.pcm) / clip.sampling_rate:.2f} s")


@voices.command("sample")
@click.option("--cast", required=True, help="Cast or folder of cards to draw between.")
@click.option("--count", required=True, type=click.IntRange(min=1), help="How many voices.")
@click.option("--seed", default=0, show_default=True, type=click.IntRange(min=0))
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
@click.option("--out", required=True, type=click.Path(path_type=Path), help="New folder of cards.")
def voices_sample(
    cast: str, count: int, seed: int, min_distance: float, clips: Path | None, out: Path
) -> None:
    """Draw new voices and write a card for each; `voices audit` tells how distinct they are.

    Example: synthkit voices sample --cast heart --count 12 --seed 7 --out bank
    """
    from synthkit.speech.bank import clip_cards, draw_cards, write_cards
    from synthkit.speech.cards import cast_cards

    cards = cast_cards(cast)
    if clips:
        drawn = clip_cards(cards[0], clips, count, seed)
    else:
        drawn = draw_cards(cards, count, seed, min_distance)
    written = write_cards(drawn, out, f"Drawn from {cast} with seed {seed}")
    click.echo(f"{out}: {len(written)} voice cards")
