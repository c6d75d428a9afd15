"""Splits of any table: disjoint where it is promised, whole, and blind to order."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synthkit.errors import InputError
from synthkit.scripts.commands import Command
from synthkit.scripts.items import AXES, Item
from synthkit.scripts.split import Split, share_out, split_commands, split_items
from synthkit.scripts.texts import fold_text
from tests.properties.settings import PROPERTY

NAMES = st.sampled_from("abcdefgh")
VALUES = st.fixed_dictionaries(
    {axis: st.frozensets(NAMES, max_size=2 if axis == "voice" else 1) for axis in AXES}
).map(lambda values: {axis: groups for axis, groups in values.items() if groups})
ITEMS = st.lists(
    st.tuples(VALUES, st.none() | NAMES, st.frozensets(NAMES, max_size=1)), min_size=1, max_size=60
).map(
    # Texts and recordings that each chain a few items, not all of them.
    lambda rows: [
        Item(
            f"i{n}",
            values,
            text and f"{text}{n // 9}",
            None,
            frozenset(f"{one}{n // 9}" for one in audio),
        )
        for n, (values, text, audio) in enumerate(rows)
    ]
)
BY = st.lists(st.sampled_from(AXES), min_size=1, max_size=3, unique=True)
SHARES = st.lists(st.integers(1, 4), min_size=2, max_size=3).map(
    lambda shares: dict(zip("xyz", shares, strict=False))
)
SEEDS = st.integers(0, 9)


def told(item: Item, kind: str) -> Iterable[str]:
    if kind == "audio":
        return item.audio
    if kind == "text":
        return [item.text] if item.text else []
    return item.values.get(kind, ())


def tried(items: list[Item], by: list[str], shares: dict[str, int], seed: int) -> Split | None:
    try:
        return split_items(items, by, shares, seed)
    except InputError as error:
        assert "leave none for" in str(error)
        return None


@PROPERTY
@given(ITEMS, BY, SHARES, SEEDS)
def test_parts_share_nothing_that_was_promised_and_hold_each_item_once(
    items: list[Item], by: list[str], shares: dict[str, int], seed: int
) -> None:
    made = tried(items, by, shares, seed)
    if made is None:
        return
    assert {*made.promised} == {"audio", *by, *(["text"] if "command" in by else [])}
    for first, second in combinations(shares, 2):
        for kind in made.promised:
            groups = [
                {value for i in items if i.id in set(made.ids(part)) for value in told(i, kind)}
                for part in (first, second)
            ]
            assert not groups[0] & groups[1], kind
    assert not any(made.shared[kind] for kind in made.promised)
    everywhere = [id_ for part in (*shares, None) for id_ in made.ids(part)]
    assert sorted(everywhere) == sorted(item.id for item in items)
    counts = made.describe()["counts"]
    assert sum(counts[part] for part in (*shares, "dropped")) == counts["all"] == len(items)


@PROPERTY
@given(ITEMS, BY, SHARES, SEEDS, st.randoms(use_true_random=False))
def test_the_order_of_items_has_no_say(items, by, shares, seed, random) -> None:
    made = tried(items, by, shares, seed)
    other = list(items)
    random.shuffle(other)
    again = tried(other, by, shares, seed)
    assert (made is None) == (again is None)
    if made and again:
        places = dict(zip((i.id for i in items), made.placed, strict=True))
        assert dict(zip((i.id for i in other), again.placed, strict=True)) == places


@PROPERTY
@given(st.lists(NAMES, min_size=1), SHARES, SEEDS)
def test_one_axis_drops_nothing_and_its_groups_are_shared_out_exactly(
    voices: list[str], shares: dict[str, int], seed: int
) -> None:
    items = [Item(f"i{n}", {"voice": frozenset([v])}) for n, v in enumerate(voices)]
    made = tried(items, ["voice"], shares, seed)
    num, total = len(set(voices)), sum(shares.values())
    if made is None:
        assert not all(share_out(num, shares).values())
        return
    assert not made.ids(None)
    for part, size in made.groups("voice").items():
        assert abs(size - num * shares[part] / total) < 1
    assert sum(made.groups("voice").values()) == num


COMMANDS = st.lists(
    st.tuples(st.sampled_from(["door", "lamp"]), st.sampled_from(["a", "A.", "b", "c", "d"])),
    min_size=1,
    max_size=60,
).map(
    lambda rows: [
        Command(f"c{n}", tool, f"Context {n}.", f"Say {text} {n // 7}")
        for n, (tool, text) in enumerate(rows)
    ]
)


@PROPERTY
@given(COMMANDS, st.integers(1, 60), SHARES, SEEDS)
def test_appending_commands_changes_nothing_before_them(
    commands: list[Command], kept: int, shares: dict[str, int], seed: int
) -> None:
    whole = split_commands(commands, ["command"], shares, seed)
    assert not whole.ids(None)
    assert (whole.shared["text"], whole.shared["command"]) == (0, 0)
    part = split_commands(commands[:kept], ["command"], shares, seed)
    assert part.placed == whole.placed[:kept]


@PROPERTY
@given(st.text())
def test_folding_twice_is_folding_once(text: str) -> None:
    folded = fold_text(text)
    assert fold_text(folded) == folded


@PROPERTY
@given(st.integers(0, 1000), SHARES)
def test_shares_add_up_and_none_is_off_by_one(number: int, shares: dict[str, int]) -> None:
    sizes = share_out(number, shares)
    assert sum(sizes.values()) == number
    total = sum(shares.values())
    assert all(abs(sizes[part] - number * shares[part] / total) < 1 for part in shares)


@pytest.mark.parametrize(
    ("number", "shares", "sizes"),
    [
        (4, (3, 1), (3, 1)),
        (9, (3, 1), (7, 2)),  # 6.75 and 2.25
        (10, (4, 1), (8, 2)),
        (3, (1, 1), (2, 1)),
        (5, (1, 1, 1), (2, 2, 1)),
        (2, (9, 1), (2, 0)),
    ],
)
def test_shares_of_a_number(number: int, shares: tuple[int, ...], sizes: tuple[int, ...]) -> None:
    parts = dict(zip("xyz", shares, strict=False))
    assert tuple(share_out(number, parts).values()) == sizes
