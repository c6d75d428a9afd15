"""Who says what where: what a dealing lets a model learn besides the cue."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from typing import Any

import pytest

from synthkit.audit.balance import balance_faults, declared_balance
from tests.audit.dealings import TOOLS, VOICES, Told, commands, deal, design, faults, only

SPLITS = {"train": {"share": 1}, "test": {"share": 1}}
ROOMS = ("den", "hall")


def found(told: list[Told], **values: Any) -> dict[str, Any]:
    return faults(balance_faults(deal(told), design(**values)))


def in_two(n: int) -> str:
    """A split for each run of two tools."""
    return ("train", "test")[n // 12 % 2]


@pytest.mark.parametrize("number", [12, 24, 48, 96])
def test_an_even_dealing_has_no_fault(number: int) -> None:
    told = commands(number, split=in_two, nuisances=lambda n: {"room": ROOMS[n // 24 % 2]})
    made = list(balance_faults(deal(told), design(splits=SPLITS)))
    assert not faults(made)
    assert {c.check for c in made} >= {"balance.voice_tool", "balance.role", "balance.pair_uses"}


def test_an_exchange_of_wearer_and_bystander_in_all_is_no_fault() -> None:
    told = commands(48)
    assert not found([replace(c, wearer=c.bystander, bystander=c.wearer) for c in told])


def test_a_voice_is_heard_with_one_tool_alone() -> None:
    """Cat speaks in every command that locks, and in none that plays."""
    cat = [pair for pair in permutations(VOICES, 2) if "cat" in pair]
    pairs = {TOOLS[0]: cat, TOOLS[1]: [("ann", "bob"), ("bob", "ann")]}
    told = [_paired(c, pairs[c.tool][n % len(pairs[c.tool])]) for n, c in enumerate(commands(48))]
    at = found(told)["balance.voice_tool"]
    # Each test by itself: 24 of 24, where 48 commands of which 24 lock give 12 by chance.
    texts = [c.fault for c in at if c.fault.startswith("voice cat")]
    assert texts
    assert "voice cat has tool lock_door 24 times of 24, where chance gives 12.0" in texts[0]
    assert "allowed: p over 0.01" in texts[0]


def _paired(command: Told, pair: tuple[str, str]) -> Told:
    return replace(command, wearer=pair[0], bystander=pair[1])


def test_a_wearer_has_one_tool_though_voices_are_heard_alike_in_both() -> None:
    """Ann locks and bob plays, each with the other as bystander: only the roles tell."""
    told = [
        _paired(c, ("ann", "bob") if c.tool == TOOLS[0] else ("bob", "ann")) for c in commands(48)
    ]
    at = found(told)
    assert list(at) == ["balance.voice_tool"]
    assert at["balance.voice_tool"][0].fault.startswith(
        "bystander ann has tool play_music 24 times of 24, where chance gives 12.0; Cramer's V "
        "over all bystander and tool is 1.00"
    )


def test_a_voice_is_in_one_split_alone_though_no_recipe_says_so() -> None:
    four = (*VOICES, "dan")
    pairs = {"train": list(permutations(four, 2)), "test": [("ann", "bob"), ("bob", "ann")]}
    told = [
        _paired(c, pairs[c.split][(n // 2) % len(pairs[c.split])])
        for n, c in enumerate(commands(192, split=lambda n: ("train", "test")[n % 2]))
    ]
    assert "balance.voice_split" in found(told, splits=SPLITS, kinds={})
    own = {
        "train": {"share": 1, "voices": list(four)},
        "test": {"share": 1, "voices": ["ann", "bob"]},
    }
    assert "balance.voice_split" not in found(told, splits=own, kinds={})


def test_a_voice_is_in_a_split_that_declares_others() -> None:
    own = {"test": {"share": 1, "voices": ["ann", "bob"]}}
    told = commands(2, wearer=lambda n: "ann", bystander=lambda n: ("bob", "cat")[n])
    one = only(balance_faults(deal(told), design(splits=own)), "balance.held_out")
    assert one.items == ("door_001",)
    assert one.fault == "voices cat in split test; allowed: ann, bob"


def test_a_voice_is_the_bystander_alone() -> None:
    pairs = [("ann", "bob"), ("bob", "ann"), ("ann", "cat"), ("bob", "cat")]
    told = [_paired(c, pairs[n % 4]) for n, c in enumerate(commands(48))]
    at = found(told)
    assert at["balance.role"][0].fault.startswith("cat is wearer 0 times and bystander 24 times")


def test_no_pair_of_voices_is_ever_the_other_way_round() -> None:
    """Ann answers bob, bob answers cat, cat answers ann: each voice has each role in a third."""
    ring = [("bob", "ann"), ("cat", "bob"), ("ann", "cat")]
    told = [_paired(c, ring[n % 3]) for n, c in enumerate(commands(48))]
    at = found(told)
    assert set(at) == {"balance.pair_order", "balance.pair_uses"}
    assert at["balance.pair_order"][0].fault.startswith(
        "ann and cat are wearer and bystander 16 times, the other way round 0 times"
    )
    assert at["balance.pair_uses"][0].fault.startswith(
        "wearer ann with bystander cat 16 times of 48, where an even share of 6 pairs is 8.0"
    )


def test_pairs_are_used_unevenly_within_a_split() -> None:
    """Ann and bob talk to one another all the time, cat to anybody hardly ever."""
    pairs = [("ann", "bob"), ("bob", "ann")] * 6 + list(permutations(VOICES, 2))
    told = [_paired(c, pairs[n % len(pairs)]) for n, c in enumerate(commands(36))]
    assert set(found(told)) == {"balance.pair_uses"}


def test_a_kind_of_processing_is_the_bystanders_alone() -> None:
    """The wearer's voice as it comes, the bystander's through a vocoder."""
    kinds = {v: ("vits", "plain" if v == "ann" else "world", "en-US") for v in VOICES}
    told = commands(12, wearer=lambda n: "ann", bystander=lambda n: ("bob", "cat")[n % 2])
    at = found(told, kinds=kinds)["balance.kind"]
    assert [c.items[0] for c in at] == [c.id for c in told]
    assert at[0].fault == (
        "wearer ann and bystander bob differ in kind: processing plain against world; "
        "allowed: voices of one kind"
    )


def test_a_kind_that_is_known_of_one_voice_alone() -> None:
    kinds = {"ann": ("vits", "plain", "en-US")}
    told = commands(2, wearer=lambda n: "ann", bystander=lambda n: "bob")
    at = found(told, kinds=kinds)["balance.kind"]
    assert len(at) == 2
    assert "that of one is not known" in at[0].fault


def test_a_checkpoint_goes_with_a_tool() -> None:
    """Four voices of two checkpoints in fair pairs, and each tool has a checkpoint."""
    kinds = {
        v: (m, "plain", "en-US") for v, m in zip("abcd", ("vits",) * 2 + ("flow",) * 2, strict=True)
    }
    pairs = {TOOLS[0]: [("a", "b"), ("b", "a")], TOOLS[1]: [("c", "d"), ("d", "c")]}
    told = [_paired(c, pairs[c.tool][n % 2]) for n, c in enumerate(commands(48))]
    at = found(told, kinds=kinds)
    assert "balance.kind" not in at
    assert at["balance.kind_tool"][0].fault.startswith("checkpoint flow has tool")


def test_a_room_is_in_one_split_alone_though_no_recipe_says_so() -> None:
    rooms = {"train": ROOMS, "test": ("den", "den")}
    told = commands(96, split=in_two, nuisances=lambda n: {"room": rooms[in_two(n)][n // 24 % 2]})
    at = found(told, splits=SPLITS)
    assert list(at) == ["balance.nuisance_split"]
    assert "room den has split test 48 times of 72, where chance gives 36.0" in (
        at["balance.nuisance_split"][0].fault
    )
    own = {"train": {"share": 1, "room": list(ROOMS)}, "test": {"share": 1, "room": ["den"]}}
    assert not found(told, splits=own)


@pytest.mark.parametrize(
    ("room", "check"),
    [
        (lambda n: ROOMS[n // 6 % 2], "balance.nuisance_tool"),
        (lambda n: ROOMS[n % 6 < 2], "balance.nuisance_voice"),  # 0 and 1: ann is the wearer
    ],
    ids=["tool", "wearer"],
)
def test_a_room_goes_with_what_was_dealt(room: Any, check: str) -> None:
    assert list(found(commands(48, nuisances=lambda n: {"room": room(n)}))) == [check]


@pytest.mark.parametrize("what", ["voice", "nuisance"])
def test_what_was_dealt_goes_with_the_conditions_of_slots(what: str) -> None:
    """Where ann is the wearer, or in the den, the trigger is near."""
    near = ["same_near_0", "different_near_0"]
    far = ["same_far_0", "different_far_0"]
    told = [
        replace(
            c,
            conditions=near if (c.wearer == "ann" if what == "voice" else n % 2) else far,
            nuisances={"room": ROOMS[(n + n // 6) % 2 if what == "voice" else n % 2]},
        )
        for n, c in enumerate(commands(96))
    ]
    at = faults(balance_faults(deal(told, "balanced"), design("balanced")))
    assert f"balance.{what}_condition" in at


def test_a_voice_goes_with_the_target_of_slots() -> None:
    """Where ann is the wearer nobody else speaks, so that her voice is a call."""
    told = [
        replace(c, conditions=["same_near_0"] + (["different_near_0"] if c.wearer != "ann" else []))
        for c in commands(96)
    ]
    at = faults(balance_faults(deal(told, "balanced"), design("balanced")))
    assert "balance.voice_target" in at


def test_one_voice_for_all_has_nothing_to_be_told_by() -> None:
    told = commands(24, wearer=lambda n: "ann", bystander=lambda n: "ann")
    assert not found(told)


def test_commands_that_are_text_alone_have_no_voices() -> None:
    assert not list(balance_faults(deal(commands(4, conditions=lambda n: ["text_only"])), design()))


def test_what_the_recipe_holds_out_is_declared() -> None:
    own = {"test": {"share": 1, "voices": list(VOICES)}}
    assert declared_balance(deal(commands(8)), design(splits=own)) == (
        "split test: voices of its own: ann, bob, cat",
        "split test: 6 ordered pairs of voices, 1 to 2 uses each",
    )


def dealt_in_turn(number: int) -> list[Told]:
    """Rounds of three: each voice once a wearer and once a bystander, every pair in two rounds."""
    ring = [
        ("ann", "bob"),
        ("bob", "cat"),
        ("cat", "ann"),
        ("ann", "cat"),
        ("bob", "ann"),
        ("cat", "bob"),
    ]
    return [_paired(c, ring[n % 6]) for n, c in enumerate(commands(number))]


@pytest.mark.parametrize("number", [1, 4, 6, 7, 23])
def test_what_is_dealt_in_turn_is_used_within_one(number: int) -> None:
    told = dealt_in_turn(number)
    assert not found(told, in_turn=True)
    assert not found(
        [replace(c, wearer=c.bystander, bystander=c.wearer) for c in told], in_turn=True
    )


def test_few_commands_are_enough_where_voices_are_dealt_in_turn() -> None:
    """Twelve commands in which cat is never the wearer: chance may do that, a round may not."""
    told = [
        _paired(c, (c.bystander, c.wearer)) if c.wearer == "cat" else c for c in dealt_in_turn(12)
    ]
    assert not found(told)
    texts = [c.fault for c in found(told, in_turn=True)["balance.even"]]
    # Of 4 uses as wearer cat keeps none; two each go to ann and bob.
    assert texts == [
        "split test: wearer ann 6 times, cat 0 times; allowed: within 1, as dealt",
        "split test: bystander cat 8 times, ann 2 times; allowed: within 1, as dealt",
        "split test: wearer ann with bystander cat 4 times, cat with bystander ann 0 times; "
        "allowed: within 1, as dealt",
    ]


def test_a_voice_of_the_pool_that_is_never_used_is_uneven() -> None:
    own = {"test": {"share": 1, "voices": [*VOICES, "dan"]}}
    at = found(dealt_in_turn(6), in_turn=True, splits=own)["balance.even"]
    assert at[0].fault == "split test: wearer ann 2 times, dan 0 times; allowed: within 1, as dealt"


def test_a_lost_command_may_leave_voices_uneven() -> None:
    """Of one round of three and one command more, the two in which cat speaks first are lost."""
    told = dealt_in_turn(12)
    left = [c for c in told if c.id not in ("door_002", "door_005")]
    assert found(left, in_turn=True)["balance.even"]
    lost = frozenset({"door_002__single", "door_005__switch"})
    assert not found(left, in_turn=True, failed=lost)
