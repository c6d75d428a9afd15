"""Probes on readings made up: what is planted in them is found, what is below its bound is not."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from synthkit.audit.items import Item
from synthkit.audit.meters import METERS
from synthkit.audit.polarity import oriented
from synthkit.audit.probes import Probe, probes
from synthkit.audit.readings import Reading
from tests.audit.made import EIGHT, PAIR, VOICES, NoChains, Value, design, items, readings

COMMANDS = 24
Random = np.random.Generator
FIELDS = [c for c in EIGHT if c["source"] == "same" and c["gap_ms"] == 0]


def probed(
    meter: str, value: Value, roles: Sequence[str] = ("trigger",), made: list[Item] | None = None
) -> tuple[Probe, ...]:
    return probes(readings(made or items(COMMANDS), meter, value, roles), design())


def found(made: Sequence[Probe]) -> set[tuple[str, str, str]]:
    """Contrast, stratum and role of the findings."""
    return {(probe.factor, probe.at, probe.role) for probe in made if probe.finding}


def in_far(clean: float, faulty: float, spread: float = 0.0) -> Value:
    """One value in near, another in far, each with a little that goes by the part."""

    def value(item: Item, role: str, random: Random) -> float:
        middle = faulty if item.part(role).field == "far" else clean
        return middle + spread * random.standard_normal()

    return value


def spoken_by(item: Item, role: str) -> str:
    return str(item.part(role).voice)


def is_bystander(item: Item) -> bool:
    return item.source == "different"


IN_FAR = {("field", "same", "trigger"), ("field", "different", "trigger")}
IN_SOURCE = {("source", "near", "trigger"), ("source", "far", "trigger")}


@pytest.mark.parametrize(
    ("meter", "clean", "above", "below"),
    [
        ("level", -20.0, -19.85, -19.91),
        ("level", -20.0, -20.15, -20.09),
        ("sub_bass", -72.0, -44.8, -45.2),
        ("dc", -120.0, -59.8, -60.2),
        ("start_step", -70.0, -44.8, -45.2),
        ("end_step", -120.0, -44.8, -45.2),
    ],
)
def test_far_that_passes_a_bound_is_found_and_far_within_it_is_not(
    meter: str, clean: float, above: float, below: float
) -> None:
    assert found(probed(meter, in_far(clean, above, spread=0.01))) == IN_FAR
    within = probed(meter, in_far(clean, below, spread=0.01))
    assert found(within) == set()
    # It is there, and certain: what keeps it from being a finding is its bound alone.
    assert {(p.factor, p.at, p.role) for p in within if p.p_holm and p.p_holm < 0.01} >= IN_FAR


def late(commands: int) -> Value:
    """Far is a sample late in the first so many commands, near has no lag."""

    def value(item: Item, role: str, random: Random) -> float | None:
        if item.part(role).field != "far":
            return None
        return 1.0 if int(item.command[-3:]) < commands else 0.0

    return value


def test_far_that_is_one_sample_late_is_found_and_single_wrong_readings_are_not() -> None:
    assert found(probed("lag", late(COMMANDS))) == IN_FAR
    assert found(probed("lag", late(COMMANDS // 2 - 1))) == set()


def test_a_lag_that_nobody_measured_is_no_probe() -> None:
    made = readings(items(COMMANDS), "level", in_far(-20.0, -20.0))
    assert {probe.meter for probe in probes(made, design())} == {"level"}


def test_one_recording_that_is_a_sample_longer_in_far_is_found() -> None:
    assert found(probed("speech_duration", in_far(16000.0, 16001.0))) == IN_FAR
    assert found(probed("speech_duration", in_far(16000.0, 16000.0))) == set()


def duration(factor: float) -> Value:
    """A length for each command, a rate for each voice; bystanders are off by a factor."""

    def value(item: Item, role: str, random: Random) -> float:
        number = int(item.command[-3:])
        text = np.random.default_rng(number).uniform(8000, 40000)
        rate = {"ann": 1.0, "bob": 1.2, "cleo": 1.5}[spoken_by(item, role)]
        own = np.random.default_rng([number, is_bystander(item)]).normal(1, 0.01)
        return round(text * rate * own * (factor if is_bystander(item) else 1.0))

    return value


def test_bystanders_that_are_shorter_are_found_under_voices_and_texts_of_all_lengths() -> None:
    assert found(probed("speech_duration", duration(1.0))) == set()
    assert found(probed("speech_duration", duration(0.97))) == IN_SOURCE


def skewness(inverted: bool) -> Value:
    """Each voice has its own sign, as people do."""

    def value(item: Item, role: str, random: Random) -> float:
        own = {"ann": -0.7, "bob": 0.4, "cleo": 0.3}[spoken_by(item, role)]
        turned = inverted and role == "trigger" and is_bystander(item)
        return (own + 0.1 * float(random.standard_normal())) * (-1 if turned else 1)

    return value


def test_bystanders_that_are_upside_down_are_found_whatever_sign_their_voices_have() -> None:
    roles = ("context", "trigger")
    assert found(probed("skewness", skewness(inverted=False), roles)) == set()
    assert found(probed("skewness", skewness(inverted=True), roles)) == IN_SOURCE


def test_a_voices_polarity_is_that_of_its_contexts_in_the_same_field() -> None:
    made = items(1, voices=[("ann", "bob")])
    near, far = (
        next(i for i in made if i.source == "same" and i.field == f) for f in ("near", "far")
    )
    bystander = next(i for i in made if i.source == "different" and i.field == "near")
    turned = oriented(
        [
            Reading(near, "context", {"skewness": -0.5}),
            Reading(near, "trigger", {"skewness": 0.2}),
            Reading(far, "trigger", {"skewness": -0.1}),  # no context of ann in far
            Reading(bystander, "trigger", {"skewness": -0.3}),  # none of bob at all
            Reading(near, "trigger", {"skewness": None, "level": -20.0}),
        ]
    )
    assert [reading.values["skewness"] for reading in turned] == [0.5, -0.2, -0.1, -0.3, None]


def of_voice(*values: float) -> Value:
    """What goes by the voice, and a little of a part's own."""
    table = dict(zip(VOICES, values, strict=True))
    return lambda item, role, random: (
        table[spoken_by(item, role)] + 0.1 * float(random.standard_normal())
    )


def test_voices_that_differ_are_no_finding_where_each_stands_on_both_sides() -> None:
    made = probed("tilt", of_voice(-3, -6, -9))
    assert found(made) == set()
    assert {probe.voices_taken_out for probe in made if probe.factor == "source"} == {True}


def test_a_voice_that_is_always_the_bystander_tells_the_source() -> None:
    always = items(COMMANDS, voices=[("ann", "bob")])
    made = probed("tilt", of_voice(-3, -6, -9), made=always)
    assert found(made) == IN_SOURCE
    assert {probe.voices_taken_out for probe in made} == {False}


def test_what_the_bystanders_have_more_than_their_voices_is_found() -> None:
    voices = of_voice(-3, -6, -9)
    made = probed(
        "tilt", lambda item, role, random: voices(item, role, random) + 0.3 * is_bystander(item)
    )
    assert found(made) == IN_SOURCE


def test_what_a_room_changes_is_reported_over_fields_and_not_judged() -> None:
    decay = probed("decay", in_far(480.0, 215.0, spread=20.0))
    over_fields = [probe for probe in decay if probe.factor == "field"]
    assert {probe.unjudged for probe in over_fields} == {"borne by the cue"}
    assert [probe.auc for probe in over_fields] == [1, 1]
    assert found(decay) == set()
    # What separates the sources by as much is a fault.
    by_source = probed("decay", lambda item, role, random: 480.0 - 200.0 * is_bystander(item))
    assert found(by_source) == IN_SOURCE


def test_holm_counts_what_is_judged_alone() -> None:
    made = items(12, FIELDS, context_moves=False)
    values = {"near": {"level": -20.0, "dc": -80.0, "decay": 480.0}}
    values["far"] = {"level": -20.2, "dc": -80.0, "decay": 215.0}
    read = [Reading(item, "trigger", values[str(item.field)]) for item in made]
    by_meter = {probe.meter: probe for probe in probes(read, design(FIELDS))}
    # All of 12 one way: 2 / 2^12, of which there are two judged; the other is 1 and stays so.
    assert by_meter["level"].p == 2 / 2**12
    assert by_meter["level"].p_holm == 4 / 2**12
    assert by_meter["dc"].p_holm == 1
    assert by_meter["decay"].p == 2 / 2**12
    assert by_meter["decay"].p_holm is None


def test_commands_too_few_for_any_finding_leave_a_probe_unjudged_and_say_so() -> None:
    # Four judged probes of level need 2^(1 - n) x 4 < 0.01: ten commands, and not nine. Between
    # sources three voices cost two.
    told = {n: probed("level", in_far(-20, -19), made=items(n)) for n in (9, 10, 11, 12)}
    judged = {n: {p.factor for p in made if p.judged} for n, made in told.items()}
    assert judged == {9: set(), 10: {"field"}, 11: {"field"}, 12: {"field", "source"}}
    assert {probe.unjudged for probe in told[9]} == {
        "9 commands are too few for p < 0.01 in 4 probes",
    }
    assert found(told[9]) == set()
    assert found(told[10]) == IN_FAR


def test_a_level_of_ours_is_judged_where_one_rms_level_is_asked_for() -> None:
    read = readings(items(COMMANDS), "level", in_far(-20, -19), ("context",))  # of which none is
    made = probes(read, replace(design(), chains=NoChains()))
    assert {probe.unjudged for probe in made} == {"no one RMS level was asked for"}


def test_any_level_of_a_set_of_others_is_judged() -> None:
    made = probed("level", in_far(-20, -19), roles=("context",))
    assert {probe.unjudged for probe in made} == {None}
    assert found(made)


def test_parts_that_end_with_their_decay_may_end_when_they_like() -> None:
    made = readings(items(COMMANDS), "post_window", in_far(3200.0, 5000.0))
    assert found(probes(made, design())) == IN_FAR
    assert {probe.unjudged for probe in probes(made, design(post=None))} >= {
        "parts end with their decay"
    }
    assert found(probes(made, design(post=None))) == set()


def test_single_and_switch_are_judged_by_what_neither_voice_nor_room_may_change() -> None:
    made = items(COMMANDS, PAIR)
    assert found(probed("level", in_far(-20.0, -19.8, spread=0.01), made=made)) == {
        ("field and source", "", "trigger")
    }
    (tilt,) = probed("tilt", in_far(-3.0, -9.0), made=made)
    assert tilt.unjudged == "borne by the cue"


def test_a_reading_of_nothing_leaves_its_pair_out() -> None:
    made = readings(items(COMMANDS, FIELDS, False), "odd_share", in_far(0.5, 0.5, spread=0.01))
    made[0] = replace(made[0], values={"odd_share": None})
    (probe,) = probes(made, design(FIELDS))
    assert (probe.num_pairs, probe.num_commands) == (COMMANDS - 1, COMMANDS - 1)


def test_a_finding_says_what_was_read_where_and_what_is_allowed() -> None:
    made = probed("level", in_far(-20.0, -19.5))
    told = next(p.finding for p in made if p.finding and p.at == "different")
    assert told.startswith("level of trigger, field near to far at different: -20 and -19.5 dBFS")
    assert "over 24 commands, concordance 1.00" in told
    assert told.endswith("allowed: 0.1 on average")


def test_meters_that_read_noise_find_nothing() -> None:
    made = items(COMMANDS)
    read = []
    for number, item in enumerate(made):
        for role in ("context", "trigger"):
            random = np.random.default_rng([number, len(role)])
            values = dict(zip(METERS, random.uniform(1, 2, len(METERS)), strict=True))
            read.append(Reading(item, role, values))
    # Of all meters, those without a bound: whatever is found here is found by chance.
    unbounded = [p for p in probes(read, design()) if p.judged and "AUC" in p.bound]
    assert len(unbounded) > 30
    assert [probe.finding for probe in unbounded if probe.finding] == []


def test_probes_are_named_once_and_described_in_json() -> None:
    made = probed("level", in_far(-20.0, -19.5), roles=("context", "trigger"))
    assert len({probe.name for probe in made}) == len(made)
    told = json.loads(json.dumps([probe.describe() for probe in made], allow_nan=False))
    assert {entry["unit"] for entry in told} == {"dBFS"}
    assert [entry["at"] for entry in told if entry["role"] == "context"] == [None]
    assert all(math.isfinite(entry["p"]) for entry in told)
