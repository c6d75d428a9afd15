"""An audit's instruments over a small set in real speech: clean, and with faults planted."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from synthkit.audit.ears import Ears, HeardPart, instruments
from synthkit.audit.findings import tallied
from synthkit.audit.hearing import Hearing, Listener
from synthkit.audit.ours import read_commands, read_design
from synthkit.audit.sounds import read_own
from synthkit.cli import main
from synthkit.generate import generate
from synthkit.plan import make_plan
from synthkit.recipe import read_recipe
from synthkit.speech.cache import default_cache
from tests.audit.faults import FAULTS
from tests.audit.planting import PlantedSet
from tests.conftest import ROOT

COMMANDS = 8  # by three voices: fewer, and one planted sound is much of what a voice is known by
PLANTS = {fault.name: fault for fault in FAULTS}
Heard = tuple[Hearing, dict[str, set[str]]]  # and ids of items by check that found something


@pytest.fixture(scope="module")
def clean(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hearing")
    recipe = read_recipe(ROOT / "examples" / "cue_validity_eight_held_out_voices.toml")
    outcome = generate(make_plan(recipe, limit=COMMANDS), folder / "set", cache=default_cache())
    assert not outcome.failures
    return folder / "set"


@pytest.fixture(scope="module")
def hear() -> Callable[[Path], Heard]:
    """Hear a set; a sound that was heard in another set is not heard again."""
    ears = instruments()
    ears = Ears(_once(ears.transcribe), ears.errors, _once(ears.embed), _once(ears.mos))

    def of(folder: Path) -> Heard:
        design = read_design(folder)
        listener = Listener(design, ears)
        for items in read_commands(folder, design):
            for item in items:
                listener.hear(
                    HeardPart(item, role, part.samples, part.sampling_rate, part.sha256)
                    for role, part in read_own(item, folder).parts.items()
                )
        hearing = listener.hearing()
        found: dict[str, set[str]] = {}
        for tally in tallied(hearing.comparisons):
            for finding in tally.findings:
                found.setdefault(tally.check, set()).update(finding.items)
        return hearing, found

    return of


def _once(instrument):
    known = {}

    def heard(samples, rate):
        key = samples.tobytes()
        if key not in known:
            known[key] = instrument(samples, rate)
        return known[key]

    return heard


def test_nothing_is_found_in_a_set_that_is_what_it_says(clean, hear):
    hearing, found = hear(clean)
    assert found == {}
    assert hearing.words_judged
    # Per command: context, wearer's and bystander's trigger, each near and far.
    assert hearing.sounds == 6 * COMMANDS
    rows = {(row.field, row.role): row for row in hearing.fields}
    for role in ("context", "trigger"):
        near, far = rows["near", role], rows["far", role]
        assert near.compared == near.sounds
        assert near.identified == 1.0
        assert near.wer is not None and near.wer < 0.1
        assert near.own is not None and near.others is not None and near.own > near.others + 0.1
        assert far.own is not None and far.own < near.own
    cosines = {row.condition: row.like_context for row in hearing.conditions if row.like_context}
    assert cosines["same_near_0"] > cosines["different_near_0"] + 0.1
    opinions = {(row.condition, row.role): row.ovrl for row in hearing.conditions}
    assert all(value is not None and 1 < value < 4.5 for value in opinions.values())
    for role in ("context", "trigger"):
        assert opinions["same_near_0", role] > opinions["same_far_0", role]


@pytest.mark.parametrize(
    ("name", "checks"),
    [
        ("triggers_swapped_once", {"heard.voice", "heard.source"}),
        ("bystander_is_the_wearer_once", {"heard.voice"}),
        ("third_voice", {"heard.voice"}),
        ("context_by_the_bystander", {"heard.voice", "heard.source"}),
        ("wearer_named_otherwise", {"heard.voice"}),
        ("context_of_another_command", {"heard.words"}),
        ("trigger_of_another_command", {"heard.words"}),
        ("one_sound_for_two_commands", {"heard.words"}),
    ],
)
def test_a_command_that_sounds_otherwise_is_found(clean, hear, tmp_path, name, checks):
    planted = PlantedSet.copy(clean, tmp_path / "set")
    PLANTS[name].plant(planted)
    planted.seal()
    _, found = hear(planted.folder)
    assert checks <= set(found)
    # The plants are in the second command, and a set's other commands are found nothing in.
    assert {id_.partition("__")[0] for ids in found.values() for id_ in ids} == {
        planted.commands[1]
    }


def test_the_command_hears_a_set_and_prints_what_it_heard(clean, tmp_path):
    two = PlantedSet.copy(clean, tmp_path / "set", limit=2)
    two.seal()
    outcome = CliRunner().invoke(main, ["audit", str(two.folder), "--instruments"])
    assert outcome.exit_code == 0, outcome.output
    assert "what the instruments hear" in outcome.output
    assert re.search(r"^near +trigger +4 ", outcome.output, re.MULTILINE)
    assert "voices are not judged" in outcome.output  # two commands enrol nobody
