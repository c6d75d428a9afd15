"""Keys and draws: one spelling for equal values, one number for each purpose."""

from __future__ import annotations

import hashlib
import json
import math

import pytest

from synthkit.keys import canonical_json, content_key, draw


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (20, "20"),
        (20.0, "20"),
        (-3.0, "-3"),
        (0.0, "0"),
        (-0.0, "0"),
        (1e6, "1000000"),
        (0.1, "0.1"),
        (1.5e-7, "1.5e-07"),
        (True, "true"),
        (None, "null"),
        ("20.0", '"20.0"'),
        ([1.0, 2.5], "[1,2.5]"),
        ((1, 2), "[1,2]"),
        ({"b": 1, "a": [2.0, {"d": 3.0, "c": 4}]}, '{"a":[2,{"c":4,"d":3}],"b":1}'),
        ("Grüße …", '"Gr\\u00fc\\u00dfe \\u2026"'),
    ],
)
def test_a_value_has_one_spelling(value, text: str) -> None:
    assert canonical_json(value) == text


def test_it_is_json_of_an_equal_value() -> None:
    value = {"gap_ms": 600.0, "cutoff": 0.1, "name": 'a "b"\n', "none": None, "list": [1.0, False]}
    assert json.loads(canonical_json(value)) == value


def test_whole_floats_and_integers_have_one_key() -> None:
    assert content_key({"cutoff": 4000.0}) == content_key({"cutoff": 4000})
    assert content_key({"cutoff": 4000.5}) != content_key({"cutoff": 4000})


def test_the_order_of_keys_does_not_matter_and_that_of_items_does() -> None:
    assert content_key({"a": 1, "b": 2}) == content_key({"b": 2, "a": 1})
    assert content_key([1, 2]) != content_key([2, 1])


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("wrap", [lambda n: n, lambda n: [1, n], lambda n: {"a": {"b": n}}])
def test_what_is_not_a_number_has_no_spelling(number: float, wrap) -> None:
    with pytest.raises(ValueError, match="JSON"):
        canonical_json(wrap(number))


def test_a_key_is_the_sha256_of_the_spelling() -> None:
    wanted = hashlib.sha256(b'{"a":[1,"x"],"b":0.5}').hexdigest()
    assert content_key({"b": 0.5, "a": [1.0, "x"]}) == wanted


def test_what_looks_alike_has_different_keys() -> None:
    values = [1, "1", [1], {"1": 1}, True, None, "null", "", [], {}, [["a"], "b"], ["a", ["b"]]]
    assert len({content_key(value) for value in values}) == len(values)


def test_a_draw_is_the_top_of_the_hash_of_seed_item_and_purpose() -> None:
    text = b'[2026,"unlock_door_01","cast"]'
    first_31_bits = int.from_bytes(hashlib.sha256(text).digest()[:4], "big") >> 1
    assert draw(2026, "unlock_door_01", "cast") == first_31_bits
    first_byte = hashlib.sha256(text).digest()[0]
    assert draw(2026, "unlock_door_01", "cast", bits=8) == first_byte


def test_a_draw_is_fixed_by_its_arguments() -> None:
    assert draw(7, "item", "speech") == draw(7, "item", "speech")
    drawn = [
        draw(7, "item", "speech"),
        draw(8, "item", "speech"),
        draw(7, "item2", "speech"),
        draw(7, "item", "cast"),
        draw(7, "speech", "item"),
        draw(7, "items", "peech"),
    ]
    assert len(set(drawn)) == len(drawn)


@pytest.mark.parametrize("bits", [1, 8, 31, 64])
def test_draws_lie_in_their_range_and_fill_it(bits: int) -> None:
    drawn = [draw(1, f"item{i}", "test", bits=bits) for i in range(400)]
    assert all(isinstance(n, int) and 0 <= n < 2**bits for n in drawn)
    # Even draws have the mean (2^bits - 1) / 2 and the deviation 2^bits / sqrt(12), or 1/2.
    spread = 0.5 if bits == 1 else 2**bits / math.sqrt(12)
    mean = sum(drawn) / len(drawn)
    assert abs(mean - (2**bits - 1) / 2) < 4 * spread / math.sqrt(len(drawn))
