"""Make a bed: its noise at its level, exactly, as the 16-bit samples that the set keeps."""

from __future__ import annotations

import hashlib

from synthkit.audio import SAMPLING_RATE, Pcm16, Samples, from_pcm16, to_pcm16
from synthkit.beds.babble import Talkers, babble
from synthkit.beds.file import excerpt
from synthkit.beds.pink import pink
from synthkit.beds.room_tone import room_tone
from synthkit.beds.spec import BedSpec
from synthkit.errors import AudioError, InputError
from synthkit.levels import from_db, rms_dbfs, rounded
from synthkit.wav import wav_bytes

TOLERANCE_DB = 0.01
MAX_ROUNDS = 30


def make_bed(
    spec: BedSpec, num_samples: int, seed: int, speech_dbfs: float, talkers: Talkers | None = None
) -> Pcm16:
    """The bed at 16 kHz, int16 of shape (num_samples,), its RMS within 0.01 dB of what is asked.

    ``speech_dbfs`` is the level the recipe asks of the speech; ``talkers`` are for babble alone.
    The level is that of all its samples, and two kinds are periodic in their length, so a
    shorter bed is *no* beginning of a longer one: make one for the longest clip of a command,
    and put its beginning under the others.

    Raises :class:`InputError` for babble without enough talkers and a level out of range,
    :class:`AudioError` for silence, and for peaks or levels that 16 bits cannot hold.
    """
    if num_samples < 1:
        raise AudioError(f"bed: {num_samples} samples; allowed: 1 or more")
    level = spec.level(speech_dbfs)
    noise = _noise(spec, num_samples, seed, talkers)
    return _at_level(noise - noise.mean(), level, spec.kind)


def bed_sha256(bed: Pcm16) -> str:
    """SHA-256 of the bed's whole WAV file, header too: what ``sha256sum`` says of it.

    The set keeps a bed under this name, ``beds/<sha256>.wav``.
    """
    return hashlib.sha256(wav_bytes(bed, SAMPLING_RATE)).hexdigest()


def _noise(spec: BedSpec, num_samples: int, seed: int, talkers: Talkers | None) -> Samples:
    """The kind's own samples at no particular level, shape (num_samples,)."""
    match spec.kind:
        case "pink":
            return pink(num_samples, SAMPLING_RATE, seed)
        case "room_tone":
            return room_tone(num_samples, SAMPLING_RATE, seed)
        case "babble":
            if talkers is None or spec.num_talkers is None:
                raise InputError("bed: babble without talkers; allowed: voices, texts and say")
            return babble(num_samples, SAMPLING_RATE, seed, spec.num_talkers, talkers)
        case _:
            assert spec.recording is not None  # the schema gives a file bed its path
            return excerpt(num_samples, SAMPLING_RATE, seed, spec.recording.samples)


def _at_level(samples: Samples, level: float, kind: str) -> Pcm16:
    """``samples`` in 16 bits at ``level`` dBFS RMS.

    Rounding adds power, 0.3 dB at -90 dBFS, so the gain is solved on what is read back.
    """
    found = rms_dbfs(samples)
    where = f"bed {kind} at {level:g} dBFS"
    if found is None:
        raise AudioError(f"{where}: its samples are silence; allowed: noise")
    gain_db = level - found
    for _ in range(MAX_ROUNDS):
        try:
            bed = to_pcm16(samples * from_db(gain_db))
        except AudioError as error:
            raise AudioError(f"{where}: {error}") from None
        found = rms_dbfs(from_pcm16(bed))
        if found is None:
            break
        if abs(found - level) <= TOLERANCE_DB:
            return bed
        gain_db += level - found
    raise AudioError(
        f"{where}: reads {rounded(found)} dBFS after rounding to 16 bits; "
        f"allowed: within {TOLERANCE_DB} dB"
    )
