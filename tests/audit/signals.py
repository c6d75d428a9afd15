"""What is done to a segment's samples when a fault is planted: piece in, piece out."""

from __future__ import annotations

import zlib

import numpy as np
import scipy
import soxr

from synthkit.audio import SAMPLING_RATE, Audio, Samples, Span
from synthkit.levels import from_db, rms_dbfs
from synthkit.renderers.base import Renderer, chain
from synthkit.renderers.fade import Fade
from synthkit.renderers.lowpass import LowPass
from synthkit.renderers.postwindow import PostWindow
from synthkit.renderers.room import Room
from synthkit.speech.cache import default_cache
from synthkit.speech.voice import voice as voice_of
from tests.audit.planting import Piece, levelled

POST_MS, FADE_MS = 200, 5  # of the example recipes


def in_room(
    piece: Piece, room: str = "living_room", place: str = "across", lowpass: float | None = None
) -> Piece:
    """A dry segment as it is heard from a place in a room, finished as in the recipes."""
    field: list[Renderer] = [Room(room, place)]
    if lowpass is not None:
        field.append(LowPass(lowpass))
    finished = chain(*field, PostWindow(POST_MS), Fade(FADE_MS))
    return levelled(finished(piece.audio))


def spoken(voice: str, text: str) -> Piece:
    """What a voice of the package says, finished as near speech is in the recipes."""
    finished = chain(PostWindow(POST_MS), Fade(FADE_MS))
    return levelled(finished(voice_of(voice, cache=default_cache()).say(text)))


def lowpassed(piece: Piece, cutoff: float) -> Piece:
    """Through a low-pass without delay, cut to the length it had."""
    return piece.levelled(_faded(LowPass(cutoff)(piece.audio).samples[: len(piece.pcm)]))


def flipped_bit(piece: Piece, at: int = 1000) -> Piece:
    """The lowest bit of one sample."""
    pcm = piece.pcm.copy()
    pcm[at] ^= 1
    return Piece(pcm, piece.speech)


def even(piece: Piece) -> Piece:
    """No lowest bit at all: a watermark that nobody hears."""
    return Piece(piece.pcm & ~np.int16(1), piece.speech)


def dithered(piece: Piece) -> Piece:
    """Rounded otherwise: half of the lowest bits are others."""
    change = _random(piece).integers(-1, 2, len(piece.pcm)).astype(np.int16)
    return Piece(np.where(piece.pcm != 0, piece.pcm + change, 0).astype(np.int16), piece.speech)


def louder(piece: Piece, gain_db: float) -> Piece:
    return piece.levelled(piece.samples, _dbfs(piece) + gain_db)


def inverted(piece: Piece) -> Piece:
    return Piece((-piece.pcm).astype(np.int16), piece.speech)


def shifted(piece: Piece, by: int) -> Piece:
    """Later by so many samples within the same places."""
    moved = np.concatenate([np.zeros(by), piece.samples[: len(piece.pcm) - by]])
    return piece.levelled(moved)


def warped(piece: Piece, share: float = 0.01) -> Piece:
    """Another take: said up to ``share`` quicker in one half and slower in the other."""
    length = len(piece.pcm)
    at = np.arange(length)
    bent = at + share * length / (2 * np.pi) * np.sin(2 * np.pi * at / length)
    return piece.levelled(scipy.ndimage.map_coordinates(piece.samples, [bent], order=3))


def resampled(piece: Piece, ratio: float) -> Piece:
    """Shorter by ``ratio``, and higher by as much; margins and post window as they were."""
    samples = soxr.resample(piece.samples, SAMPLING_RATE, SAMPLING_RATE * ratio)
    start, end = (round(place * ratio) for place in piece.speech)
    front = piece.speech.start - start
    audio = Audio(np.pad(samples, (front, 0)), SAMPLING_RATE, Span(start, end).moved(front))
    return levelled(chain(PostWindow(POST_MS), Fade(FADE_MS))(audio))


def fitted(piece: Piece, place: Piece) -> Piece:
    """Cut or filled up to the length of another, whose speech window it gets."""
    length = len(place.pcm)
    samples = np.pad(piece.samples, (0, max(0, length - len(piece.pcm))))[:length]
    return place.levelled(_faded(samples))


def padded(piece: Piece, front: int = 0, end: int = 0) -> Piece:
    """Samples of silence before the segment or after it."""
    return Piece(np.pad(piece.pcm, (front, end)), piece.speech.moved(front))


def chopped(piece: Piece) -> Piece:
    """Nothing left after the speech: the decay is cut hard."""
    pcm = piece.pcm.copy()
    pcm[piece.speech.end :] = 0
    return Piece(pcm, piece.speech)


def with_tone(piece: Piece, hz: float, dbfs: float) -> Piece:
    """With a sine of an RMS level of ``dbfs``, faded in and out as the segment is."""
    sine = np.sqrt(2) * np.sin(2 * np.pi * hz * np.arange(len(piece.pcm)) / SAMPLING_RATE)
    return piece.levelled(piece.samples + from_db(dbfs) * _faded(sine))


def with_noise(piece: Piece, dbfs: float) -> Piece:
    noise = _random(piece).standard_normal(len(piece.pcm))
    return piece.levelled(piece.samples + from_db(dbfs) * _faded(noise))


def with_offset(piece: Piece, offset: float) -> Piece:
    return piece.levelled(piece.samples + _faded(np.full(len(piece.pcm), offset)))


def with_click(piece: Piece, peak: float) -> Piece:
    """One sample at the very start."""
    samples = piece.samples.copy()
    samples[0] = peak
    return piece.levelled(samples)


def with_echo(piece: Piece, ms: float, gain_db: float) -> Piece:
    late = np.concatenate([np.zeros(int(ms * SAMPLING_RATE / 1000)), piece.samples])
    return piece.levelled(_faded(piece.samples + from_db(gain_db) * late[: len(piece.pcm)]))


def clipped(piece: Piece, dbfs: float) -> Piece:
    most = from_db(dbfs)
    return piece.levelled(np.clip(piece.samples, -most, most))


def mu_law(piece: Piece) -> Piece:
    """Through 8 bits and back (ITU-T G.711's curve, mu = 255)."""
    curve = np.sign(piece.samples) * np.log1p(255 * np.abs(piece.samples)) / np.log(256)
    steps = np.rint(curve * 127) / 127
    return piece.levelled(np.sign(steps) * np.expm1(np.abs(steps) * np.log(256)) / 255)


def vocoded(piece: Piece, rounds: int = 4) -> Piece:
    """Rebuilt from the magnitudes of its spectra alone (Griffin and Lim's iteration)."""
    samples = piece.samples
    _, _, spectra = scipy.signal.stft(samples, nperseg=512)
    magnitudes, phases = np.abs(spectra), _random(piece).uniform(0, 2 * np.pi, spectra.shape)
    for _ in range(rounds):
        _, rebuilt = scipy.signal.istft(magnitudes * np.exp(1j * phases), nperseg=512)
        phases = np.angle(scipy.signal.stft(rebuilt[: len(samples)], nperseg=512)[2])
    return piece.levelled(_faded(_within(rebuilt[: len(samples)], piece.speech)))


def _within(samples: Samples, speech: Span) -> Samples:
    """Nothing before the speech and after it but a margin of 20 ms."""
    margin = SAMPLING_RATE // 50
    kept = np.zeros_like(samples)
    span = slice(max(0, speech.start - margin), speech.end + margin)
    kept[span] = _faded(samples[span])
    return kept


def _faded(samples: Samples) -> Samples:
    return Fade(FADE_MS)(Audio(samples, SAMPLING_RATE)).samples


def _dbfs(piece: Piece) -> float:
    found = rms_dbfs(piece.samples[slice(*piece.speech)])
    assert found is not None
    return found


def _random(piece: Piece) -> np.random.Generator:
    """Another draw for every segment, the same for the same one."""
    return np.random.default_rng(zlib.crc32(piece.pcm.tobytes()))
