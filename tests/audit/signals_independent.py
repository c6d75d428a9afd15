"""What careless tools do to a segment's samples: piece in, piece of the same length out."""

from __future__ import annotations

import io
import zlib

import numpy as np
import scipy
import soundfile

from synthkit.audio import SAMPLING_RATE, Audio, Samples, Span
from synthkit.levels import from_db
from synthkit.renderers.fade import Fade
from synthkit.rooms.cards import room
from synthkit.rooms.simulate import impulse_response
from tests.audit.planting import Piece

BLOCK = 512


def compressed(piece: Piece, ratio: float = 4.0, threshold: float = -26.0) -> Piece:
    """Through an automatic gain that holds back what is over ``threshold``, in 10 ms."""
    power = scipy.ndimage.uniform_filter1d(piece.samples**2, SAMPLING_RATE // 100)
    over = np.maximum(0, 10 * np.log10(power + 1e-12) - threshold)
    return piece.levelled(piece.samples * 10 ** (-over * (1 - 1 / ratio) / 20))


def badly_resampled(piece: Piece, rate: int = 11025) -> Piece:
    """To another rate and back along straight lines, with nothing against aliasing."""
    at = np.arange(len(piece.pcm)) / SAMPLING_RATE
    there = np.arange(int(len(at) * rate / SAMPLING_RATE)) / rate
    return piece.levelled(faded(np.interp(at, there, np.interp(there, at, piece.samples))))


def coded(piece: Piece, level: float = 0.95) -> Piece:
    """Through Opus at about 18 kbit/s and back, onset where it was."""
    file = io.BytesIO()
    soundfile.write(
        file, piece.samples, SAMPLING_RATE, format="OGG", subtype="OPUS", compression_level=level
    )
    file.seek(0)
    decoded, rate = soundfile.read(file)
    assert rate == SAMPLING_RATE
    length = len(piece.pcm)
    lags = scipy.signal.correlate(decoded, piece.samples, "full")
    lag = int(np.argmax(np.abs(lags))) - (length - 1)
    moved = decoded[lag:] if lag >= 0 else np.pad(decoded, (-lag, 0))
    return piece.levelled(faded(np.pad(moved, (0, length))[:length]))


def gated(piece: Piece, threshold: float = -45.0) -> Piece:
    """Through a noise gate: digital silence wherever 20 ms are below ``threshold``."""
    power = scipy.ndimage.uniform_filter1d(piece.samples**2, SAMPLING_RATE // 50)
    open_ = (power > 10 ** (threshold / 10)).astype(float)
    smooth = scipy.ndimage.uniform_filter1d(open_, SAMPLING_RATE // 500) * (open_ > 0)
    return piece.levelled(piece.samples * smooth)


def dispersed(piece: Piece, sections: int = 12, radius: float = 0.9) -> Piece:
    """Through all-pass sections from 300 Hz to 3 kHz: other phases, the same magnitudes."""
    samples = piece.samples
    for hz in np.geomspace(300, 3000, sections):
        cosine = 2 * radius * np.cos(2 * np.pi * hz / SAMPLING_RATE)
        poles = [1, -cosine, radius**2]
        samples = scipy.signal.lfilter(poles[::-1], poles, samples)
    return piece.levelled(faded(samples))


def equalised(piece: Piece, gain_db: float = -3.0, hz: float = 2000.0) -> Piece:
    """By another microphone: everything over ``hz`` softer, without delay."""
    spectrum = np.fft.rfft(piece.samples, 2 * len(piece.pcm))
    above = np.fft.rfftfreq(2 * len(piece.pcm), 1 / SAMPLING_RATE) / hz
    spectrum *= from_db(gain_db) ** (above**4 / (1 + above**4))
    return piece.levelled(faded(np.fft.irfft(spectrum)[: len(piece.pcm)]))


def highpassed(piece: Piece, hz: float = 180.0) -> Piece:
    sections = scipy.signal.butter(2, hz, "highpass", fs=SAMPLING_RATE, output="sos")
    return piece.levelled(faded(scipy.signal.sosfilt(sections, piece.samples)))


def denoised(piece: Piece, share: float = 0.15) -> Piece:
    """By spectral subtraction of its own mean spectrum: musical noise, deeper valleys."""
    _, _, spectra = scipy.signal.stft(piece.samples, nperseg=BLOCK)
    magnitudes = np.abs(spectra)
    left = np.maximum(magnitudes - share * magnitudes.mean(axis=1, keepdims=True), 0)
    _, made = scipy.signal.istft(left * np.exp(1j * np.angle(spectra)), nperseg=BLOCK)
    return piece.levelled(faded(np.pad(made, (0, BLOCK))[: len(piece.pcm)]))


def coarse(piece: Piece, bits: int = 11) -> Piece:
    """Through fewer bits, then to the level of the set: holes in the values, no noise in zeros."""
    steps = 2 ** (bits - 1)
    return piece.levelled(np.rint(piece.samples * 0.87 * steps) / steps)


def triangular(piece: Piece) -> Piece:
    """Dithered by the book: triangular noise of one step either way, in the silence too."""
    draws = np.random.default_rng(zlib.crc32(piece.pcm.tobytes()))
    noise = draws.random((2, len(piece.pcm))).sum(axis=0) - 1
    return Piece(np.rint(piece.pcm + noise).astype(np.int16), piece.speech)


def drifted(piece: Piece, ppm: float = 100.0) -> Piece:
    """By a clock that is that much slow: 1.6 samples late after a second at 100 ppm."""
    at = np.arange(len(piece.pcm)) * (1 - ppm * 1e-6)
    return piece.levelled(scipy.ndimage.map_coordinates(piece.samples, [at], order=5))


def late_inside(piece: Piece, ms: float = 40.0) -> Piece:
    """Silence before the speech grows into its window: labels and length stay, the end is cut."""
    by = int(ms * SAMPLING_RATE / 1000)
    return piece.levelled(faded(np.pad(piece.samples, (by, 0))[: len(piece.pcm)]))


def hesitant(piece: Piece, ms: float = 120.0) -> Piece:
    """Digital silence put in where the middle of the speech is softest; its window grows too."""
    start, end = piece.speech
    middle = slice(start + (end - start) // 3, start + 2 * (end - start) // 3)
    power = scipy.ndimage.uniform_filter1d(piece.samples**2, SAMPLING_RATE // 50)
    at, by = middle.start + int(np.argmin(power[middle])), int(ms * SAMPLING_RATE / 1000)
    made = np.concatenate([faded(piece.samples[:at]), np.zeros(by), faded(piece.samples[at:])])
    longer = Piece(np.zeros(len(made), np.int16), Span(start, end + by))
    return longer.levelled(made)


def short_tail(piece: Piece, ms: float = 100.0) -> Piece:
    """Cut a little after the speech, faded in 5 ms, and filled up with zeros."""
    end = piece.speech.end + int(ms * SAMPLING_RATE / 1000)
    kept = faded(piece.samples[:end])
    return piece.levelled(np.pad(kept, (0, len(piece.pcm) - end)))


def over(piece: Piece, other: Piece, gain_db: float) -> Piece:
    """With another segment bleeding into it."""
    bled = np.pad(other.samples, (0, len(piece.pcm)))[: len(piece.pcm)]
    return piece.levelled(faded(piece.samples + from_db(gain_db) * bled))


def in_room_early(piece: Piece, ms: float = 50.0) -> Samples:
    """What the first ``ms`` after the direct sound alone make of a dry segment."""
    rir = impulse_response(room("living_room"), "across", SAMPLING_RATE)
    early = rir.samples[: rir.delay + int(ms * SAMPLING_RATE / 1000)]
    wet: Samples = scipy.signal.fftconvolve(piece.samples, early)[rir.delay :]
    return wet


def faded(samples: Samples) -> Samples:
    return Fade(5)(Audio(samples, SAMPLING_RATE)).samples
