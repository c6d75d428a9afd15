"""One clip's 16-bit samples against its manifest row; every reading is taken anew."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from synthkit.audio import FULL_SCALE, Pcm16, Span, from_pcm16, num_samples_of
from synthkit.beds.mix import remove_bed
from synthkit.clip import pcm_sha256
from synthkit.errors import AudioError
from synthkit.levels import joints_are_quiet, largest, rms_dbfs, rounded, to_db, true_peak_dbtp
from synthkit.loudness import lufs
from synthkit.manifest import Row
from synthkit.verify.findings import Tolerances

# How far a recorded reading may lie from the same meter's now: across machines, the last digit.
READING_DB = 0.001


class Reading(NamedTuple):
    """What the meters read in one segment."""

    speech_dbfs: float | None
    lufs: float | None
    true_peak_dbtp: float | None


class Part(NamedTuple):
    """A segment as it was found: the hash of its samples, and what the meters read."""

    sha256: str
    reading: Reading


# By what was read: the hash of the samples found, their rate, and where their speech lies.
Readings = dict[tuple[str, int, int, int], Reading]


def sample_faults(
    row: Row,
    pcm: Pcm16,
    bed: Pcm16 | None,
    sampling_rate: int,
    tolerances: Tolerances,
    readings: Readings,
) -> Iterator[str]:
    """Yield what is wrong with a clip, one line a fault.

    Peaks are the file's; levels, gaps and segments are read with the ``bed`` taken off again.
    ``readings`` keeps what was read, so that samples that clips share are read once.
    """
    if sampling_rate != row["sampling_rate"]:
        yield f"sampling rate is {sampling_rate} Hz; manifest: {row['sampling_rate']}"
    if len(pcm) != row["num_samples"]:
        yield f"length is {len(pcm)} samples; manifest: {row['num_samples']}"
        return  # places in the row mean nothing now
    if abs(row["duration"] - len(pcm) / sampling_rate) > 1e-6:
        yield f"duration is {len(pcm) / sampling_rate:.6f} s; manifest: {row['duration']}"
    layout = list(_layout_faults(row))
    yield from layout
    if layout:
        return
    parts = None if bed is not None else _parts(row, pcm, sampling_rate, readings)
    yield from _peak_faults(row, pcm, parts, tolerances)
    if bed is not None:
        try:
            pcm = remove_bed(pcm, bed)
        except AudioError as error:
            yield str(error)
            return
        under = rms_dbfs(from_pcm16(bed[: len(pcm)]))
        yield from _disagreement("bed: level_dbfs", under, row["bed"]["level_dbfs"])
    parts = parts or _parts(row, pcm, sampling_rate, readings)
    for segment, part in zip(row["segments"], parts, strict=True):
        yield from _segment_faults(segment, part, tolerances)
    for gap in row["gaps"]:
        yield from _gap_faults(gap, pcm, sampling_rate)


def bed_faults(
    bed: Pcm16,
    sampling_rate: int,
    wanted_rate: int,
    level_dbfs: float | None,
    tolerances: Tolerances,
) -> Iterator[str]:
    """Whether a whole bed has the rate of its clip and the level that the recipe asks for."""
    if sampling_rate != wanted_rate:
        yield f"bed: sampling rate is {sampling_rate} Hz; allowed: {wanted_rate}, as the clip's"
    found = rms_dbfs(from_pcm16(bed))
    if level_dbfs is not None and (found is None or abs(found - level_dbfs) > tolerances.level_db):
        yield (
            f"bed: level is {rounded(found)} dBFS; "
            f"allowed: {level_dbfs:g} within {tolerances.level_db:g} dB"
        )


def _layout_faults(row: Row) -> Iterator[str]:
    """Segments and gaps must cover the clip, one after another, speech inside its segment."""
    parts = sorted((*row["segments"], *row["gaps"]), key=lambda part: (part["start"], part["end"]))
    edges = [(0, 0), *((p["start"], p["end"]) for p in parts), (row["num_samples"],) * 2]
    for (_, end), (start, _) in pairwise(edges):
        if start != end:
            yield f"samples {min(start, end)} to {max(start, end)} are in no part, or in two"
    for segment in row["segments"]:
        places = [segment[k] for k in ("start", "speech_start", "speech_end", "end")]
        if places != sorted(places) or places[1] == places[2]:
            yield f"{segment['role']}: speech {places[1]} to {places[2]} is not within {places}"


def _parts(row: Row, pcm: Pcm16, sampling_rate: int, readings: Readings) -> list[Part]:
    """Each segment's hash and readings."""
    found = []
    for segment in row["segments"]:
        span = slice(segment["start"], segment["end"])
        speech = Span(segment["speech_start"], segment["speech_end"]).moved(-segment["start"])
        sha256 = pcm_sha256(pcm[span])
        reading = _reading(sha256, pcm[span], speech, sampling_rate, readings)
        found.append(Part(sha256, reading))
    return found


def _peak_faults(
    row: Row, pcm: Pcm16, parts: list[Part] | None, tolerances: Tolerances
) -> Iterator[str]:
    """Peaks of the file; ``parts`` are the segments' readings where they are all there is in it."""
    edges = [segment[at] for segment in row["segments"] for at in ("start", "end")]
    # Whatever a gap holds that should be silent is no segment's.
    silent = not any(pcm[gap["start"] : gap["end"]].any() for gap in row["gaps"])
    if parts is not None and silent and joints_are_quiet(pcm, edges):
        peaks = (part.reading.true_peak_dbtp for part in parts)
        true_peak = max((peak for peak in peaks if peak is not None), default=None)
    else:
        true_peak = true_peak_dbtp(from_pcm16(pcm))
    peak = to_db(largest(pcm) / FULL_SCALE)
    yield from _disagreement("peak_dbfs", peak, row["peak_dbfs"])
    yield from _disagreement("true_peak_dbtp", true_peak, row["true_peak_dbtp"])
    if true_peak is not None and true_peak > tolerances.max_true_peak_dbtp:
        yield f"true peak is {true_peak:.4f} dBTP; allowed: {tolerances.max_true_peak_dbtp:g}"


def _reading(
    sha256: str, pcm: Pcm16, speech: Span, sampling_rate: int, readings: Readings
) -> Reading:
    """Read the meters over the samples of one segment, of which ``sha256`` was just taken."""
    key = (sha256, sampling_rate, *speech)
    if key not in readings:
        samples = from_pcm16(pcm)
        readings[key] = Reading(
            rms_dbfs(samples[slice(*speech)]),
            lufs(samples, sampling_rate),
            true_peak_dbtp(samples),
        )
    return readings[key]


def _segment_faults(segment: Row, part: Part, tolerances: Tolerances) -> Iterator[str]:
    role = segment["role"]
    if part.sha256 != segment["pcm_sha256"]:
        yield f"{role}: pcm_sha256 of its samples is not the manifest's"
    found, loudness, true_peak = part.reading
    off = False
    for reading, unit in ((found, "dBFS"), (loudness, "LUFS")):
        wanted = segment["level"][f"requested_{unit.lower()}"]
        if wanted is not None and (reading is None or abs(reading - wanted) > tolerances.level_db):
            off = True
            yield (
                f"{role}: speech level is {rounded(reading)} {unit}; "
                f"allowed: {wanted:g} within {tolerances.level_db:g} dB"
            )
    if not off:
        recorded = segment["level"]["realised_dbfs"]
        yield from _disagreement(f"{role}: speech level in dBFS", found, recorded)
    yield from _disagreement(f"{role}: true_peak_dbtp", true_peak, segment["true_peak_dbtp"])
    yield from _disagreement(f"{role}: lufs", loudness, segment["lufs"])


def _gap_faults(gap: Row, pcm: Pcm16, sampling_rate: int) -> Iterator[str]:
    length = gap["end"] - gap["start"]
    wanted = num_samples_of(gap["requested_ms"], sampling_rate)
    if not length == gap["num_samples"] == wanted:
        yield (
            f"gap is {length} samples; allowed: {wanted} for {gap['requested_ms']:g} ms, "
            f"as the manifest's {gap['num_samples']} has to be"
        )
    loud = int((pcm[gap["start"] : gap["end"]] != 0).sum())
    if loud:
        yield f"gap has {loud} samples that are not zero; allowed: digital silence"


def _disagreement(name: str, found: float | None, recorded: float | None) -> Iterator[str]:
    """A fault where a meter reads something else than the manifest says."""
    if found is None or recorded is None:
        agree = found is recorded
    else:
        agree = abs(found - recorded) <= READING_DB
    if not agree:
        yield f"{name} is {rounded(found)}; manifest: {recorded}"
