"""Faults in single files: one condition of a command against its others."""

from __future__ import annotations

import numpy as np

from tests.audit.fault import NONE, Fault
from tests.audit.planting import PlantedSet
from tests.audit.signals import dithered, flipped_bit, louder

LONG = {"gap_ms": 600}


def _untouched(planted: PlantedSet) -> None:
    pass


def _bit_in_one_gap_condition(planted: PlantedSet) -> None:
    rows = planted.of(planted.commands[1], source="different", field="far", gap_ms=600)
    planted.change(rows, ("trigger",), flipped_bit)


def _bit_in_both_gap_conditions(planted: PlantedSet) -> None:
    rows = planted.of(planted.commands[1], source="different", field="far")
    planted.change(rows, ("trigger",), flipped_bit)


def _gap_changed_by(planted: PlantedSet, samples: int) -> None:
    (row,) = planted.of(planted.commands[2], source="same", field="near", gap_ms=600)
    planted.put_gap(row, np.zeros(len(planted.gap(row)) + samples, np.int16))


def _gap_short(planted: PlantedSet) -> None:
    _gap_changed_by(planted, -1)


def _gap_long(planted: PlantedSet) -> None:
    _gap_changed_by(planted, 1)


def _noise_in_the_gap(planted: PlantedSet) -> None:
    for row in planted.of(gap_ms=600):
        noise = np.random.default_rng(1).standard_normal(len(planted.gap(row)))
        planted.put_gap(row, np.rint(32768 * 1e-4 * noise).astype(np.int16))


def _one_condition_louder(planted: PlantedSet) -> None:
    rows = planted.of(planted.commands[3], source="different", field="far")
    planted.change(rows, ("trigger",), lambda piece: louder(piece, 0.15))


def _one_condition_a_little_quieter(planted: PlantedSet) -> None:
    rows = planted.of(planted.commands[3], source="different", field="far")
    planted.change(rows, ("trigger",), lambda piece: louder(piece, -0.09))


def _context_dithered_again(planted: PlantedSet) -> None:
    planted.change(planted.of(source="different"), ("context",), dithered)


SEGMENTS = [
    Fault("nothing", "eight", _untouched, True, NONE),
    Fault("bit_in_one_gap_condition", "eight", _bit_in_one_gap_condition, False, "sharing"),
    Fault("bit_in_both_gap_conditions", "eight", _bit_in_both_gap_conditions, True, NONE),
    Fault("gap_one_sample_short", "eight", _gap_short, False, "gap"),
    Fault("gap_one_sample_long", "eight", _gap_long, False, "gap"),
    Fault("noise_in_the_gap", "eight", _noise_in_the_gap, False, "gap", 24),
    Fault("one_condition_louder", "eight", _one_condition_louder, False, "level"),
    Fault("one_condition_a_little_quieter", "eight", _one_condition_a_little_quieter, True, NONE),
    Fault("context_dithered_again", "eight", _context_dithered_again, False, "sharing", 24),
]
