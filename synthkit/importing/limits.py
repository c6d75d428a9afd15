"""Limits: what a recording must read to be retained, and where one falls short."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from synthkit.errors import InputError
from synthkit.importing.items import Reason


@dataclass(frozen=True)
class Limits:
    """What is allowed of a recording; docs/recordings.md says why.

    ``min_snr_db`` is of the speech over the noise floor, ``letters_per_second`` lowest and highest
    over the speech without its pauses, ``max_wer`` a share of the words.
    """

    min_snr_db: float = 15.0
    max_clipped_runs: int = 0
    letters_per_second: tuple[float, float] = (5.0, 25.0)
    min_sampling_rate: int = 8000
    max_wer: float = 0.3

    def __post_init__(self) -> None:
        low, high = self.letters_per_second
        if not 0 <= low < high:
            raise InputError(
                f"letters a second: {low:g} to {high:g}; allowed: 0 or more, lowest first"
            )

    def describe(self) -> dict[str, Any]:
        """As plain JSON values."""
        return dataclasses.asdict(self) | {"letters_per_second": list(self.letters_per_second)}


@dataclass(frozen=True)
class Read:
    """What the limits are held against: of the recording as it came."""

    sampling_rate: int
    clipped_runs: int
    snr_db: float | None
    letters_per_second: float
    seconds: float
    letters: int


def shortfalls(read: Read, limits: Limits) -> Iterator[Reason]:
    """Yield each limit that a recording does not keep, with what was found and what is allowed."""
    if read.sampling_rate < limits.min_sampling_rate:
        yield Reason(
            "sampling_rate",
            f"sampling rate is {read.sampling_rate} Hz; "
            f"allowed: {limits.min_sampling_rate} Hz or more",
        )
    if read.clipped_runs > limits.max_clipped_runs:
        allowed = f"up to {limits.max_clipped_runs}" if limits.max_clipped_runs else "none"
        yield Reason(
            "clipping",
            f"clipped: {read.clipped_runs} runs of samples at its largest value; "
            f"allowed: {allowed}",
        )
    # Without a floor there is digital silence around the speech, and no noise to be heard.
    if read.snr_db is not None and read.snr_db < limits.min_snr_db:
        yield Reason(
            "signal_to_noise",
            f"speech is {read.snr_db:.1f} dB over the noise; "
            f"allowed: {limits.min_snr_db:g} dB or more",
        )
    low, high = limits.letters_per_second
    if not low <= read.letters_per_second <= high:
        what = "too short" if read.letters_per_second > high else "too long"
        yield Reason(
            "length",
            f"{what} for its text: {read.seconds:.2f} s of speech for {read.letters} letters, "
            f"{read.letters_per_second:.1f} a second; allowed: {low:g} to {high:g}",
        )
