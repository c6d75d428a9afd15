"""Timbre: each parameter moves what it names, by the amount it names, and nothing else."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hibari import dsp

from synthkit.speech.engines.hibari.timbre import Frames, Timbre

ROWS = 601  # 0 to 12 kHz in steps of 20 Hz
LN10_20 = math.log(10) / 20  # natural-log magnitude of one dB
NAMES = ("harmonic", "harmonic_phase", "noise", "residual", "residual_phase", "f0")
Array = np.ndarray


def row(hertz: float) -> int:
    return round(hertz / 20)


def frames(f0: Array | list[float], spectrum: Array | None = None) -> Frames:
    """Frames of pitch ``f0``, every magnitude being ``spectrum`` (default: -3 - row / 300)."""
    f0 = np.asarray(f0, np.float32)
    shape = (ROWS, f0.size)
    if spectrum is None:
        spectrum = -3 - np.arange(ROWS) / 300
    magnitude = np.repeat(np.asarray(spectrum, np.float32)[:, None], f0.size, axis=1)
    phase = np.full(shape, 0.3, np.float32)
    random = np.random.default_rng(5).uniform(-3, 3, shape).astype(np.float32)
    return Frames(magnitude, phase, magnitude - 1, magnitude - 2, random, f0)


def half_voiced() -> Frames:
    """Ten frames at 100 Hz, then ten unvoiced."""
    return frames([100.0] * 10 + [0.0] * 10)


def ridge(hertz: float) -> Array:
    """A formant 120 Hz wide over an even floor."""
    return -6 + 4 * np.exp(-0.5 * ((np.arange(ROWS) * 20 - hertz) / 120) ** 2)


# --- identity


def test_no_change_leaves_noise_phase_and_pitch_alone() -> None:
    before = half_voiced()
    after = Timbre()(before)
    for name in ("noise", "residual", "residual_phase", "f0"):
        np.testing.assert_allclose(getattr(after, name), getattr(before, name), rtol=1e-6)


def test_no_change_leaves_a_filter_that_is_straight_between_harmonics_alone() -> None:
    before = half_voiced()
    after = Timbre()(before)
    # Below the first harmonic, at 100 Hz, a filter has nothing to play: there it is level.
    np.testing.assert_allclose(after.harmonic[:5, :10], before.harmonic[5, 0], atol=1e-5)
    # The last harmonic, at the edge of the band, leans on the one inside it.
    np.testing.assert_allclose(after.harmonic[5:590], before.harmonic[5:590], atol=1e-5)
    np.testing.assert_allclose(after.harmonic_phase, before.harmonic_phase, atol=1e-5)


def test_the_filter_is_read_at_the_harmonics_only() -> None:
    # A notch between the first and the second harmonic of 200 Hz was never heard.
    notched = np.full(ROWS, -3.0)
    notched[row(300)] = -20.0
    after = Timbre()(frames([200.0] * 4, notched))
    np.testing.assert_allclose(after.harmonic, -3.0, atol=1e-5)


def test_unvoiced_pitch_becomes_exactly_0() -> None:
    # The vocoder's threshold is 40 Hz.
    after = Timbre(f0_scale=1.5, tremor_semitones=1.0)(frames([0.0, 0.4, 39.0, -1.0, 150.0]))
    assert after.f0[:4].tolist() == [0.0] * 4
    assert after.f0[4] > 0


# --- pitch


@pytest.mark.parametrize("scale", [0.5, 0.9, 1.3, 2.0])
def test_f0_scale_is_the_factor_on_voiced_frames(scale: float) -> None:
    f0 = np.random.default_rng(1).uniform(120, 290, 40).astype(np.float32)
    f0[::3] = 0
    after = Timbre(f0_scale=scale)(frames(f0))
    np.testing.assert_allclose(after.f0, scale * f0, rtol=2e-6)
    assert not after.f0[::3].any()


@pytest.mark.parametrize(
    ("f0", "median"),
    [
        ([100.0, 200.0, 440.0], 200.0),  # neither mean is 200
        ([0.0, 0.0, 100.0, 0.0, 200.0, 390.0], 200.0),  # unvoiced frames have no say
        ([100.0, 100.0, 400.0, 400.0], 200.0),  # the middle of the logarithms
    ],
)
@pytest.mark.parametrize("power", [-1.0, 0.0, 0.5, 1.0, 1.3])
def test_f0_range_is_an_exponent_around_the_median(f0, median: float, power: float) -> None:
    after = Timbre(f0_range=power)(frames(f0))
    wanted = [0.0 if hertz == 0 else median * (hertz / median) ** power for hertz in f0]
    np.testing.assert_allclose(after.f0, wanted, rtol=2e-6)


def test_scale_and_range_compose() -> None:
    after = Timbre(f0_scale=0.8, f0_range=0.5)(frames([100.0, 200.0, 400.0]))
    # 0.8 * 200 * (1 / sqrt 2, 1, sqrt 2)
    np.testing.assert_allclose(after.f0, [113.13708, 160.0, 226.27417], rtol=2e-6)


@pytest.mark.parametrize(("semitones", "hertz"), [(0.5, 5.0), (1.0, 5.0), (0.25, 3.0), (2.0, 8.5)])
def test_tremor_wavers_the_log_pitch_by_its_depth_at_its_rate(semitones, hertz) -> None:
    count = 160  # 2 s of 12.5 ms: the spectrum's bins lie 0.5 Hz apart
    after = Timbre(tremor_semitones=semitones, tremor_hz=hertz)(frames([200.0] * count))
    semitone = 12 * np.log2(after.f0.astype(np.float64) / 200)
    amplitude = 2 * np.abs(np.fft.rfft(semitone)) / count
    peak = int(np.argmax(amplitude))
    assert peak * 0.5 == hertz
    assert amplitude[peak] == pytest.approx(semitones, rel=1e-3)
    assert np.delete(amplitude, peak).max() < 1e-3


def test_the_slope_is_a_line_in_semitones_from_the_first_voiced_frame_to_the_last() -> None:
    f0 = [0.0, 200.0, 200.0, 0.0, 200.0, 200.0, 0.0]
    after = Timbre(f0_slope_semitones=8.0)(frames(f0))
    # Frames 1 to 5 are four steps of two semitones, -4 to +4 in all; the third is unvoiced.
    wanted = [
        0.0 if hertz == 0 else 200 * 2 ** (semitones / 12)
        for hertz, semitones in zip(f0, [0, -4, -2, 0, 2, 4, 0], strict=True)
    ]
    np.testing.assert_allclose(after.f0, wanted, rtol=2e-6)


def test_the_new_pitch_stays_where_the_vocoder_calls_it_voiced() -> None:
    low, high = (Timbre(f0_scale=s)(frames([60.0, 200.0, 0.0])).f0 for s in (0.01, 100.0))
    assert low.tolist() == [55.0, 55.0, 0.0]
    assert high.tolist() == [600.0, 600.0, 0.0]


@pytest.mark.parametrize("scale", [0.5, 2.0])
def test_a_new_pitch_keeps_the_power_of_the_voiced_sound(scale: float) -> None:
    def power(heard: Frames) -> float:
        # An even filter: its gain times the power of the vocoder's own pulses.
        gain = np.exp(heard.harmonic[row(1000), 10])
        return float(np.mean((gain * dsp.pulses(heard.f0)[1200:-1200]) ** 2))

    before = frames([150.0] * 40, np.full(ROWS, -3.0))
    assert power(Timbre(f0_scale=scale)(before)) == pytest.approx(power(before), rel=0.05)


# --- formants


@pytest.mark.parametrize(
    ("throat", "mouth", "before", "after"),
    [
        (1.25, 1.0, 400, 500),  # throat: up to 600 Hz
        (0.8, 1.0, 500, 400),
        (1.25, 0.9, 400, 500),
        (1.0, 0.9, 3000, 2700),  # mouth: from 2.4 kHz
        (1.0, 1.25, 4000, 5000),
        (0.8, 1.25, 4000, 5000),
        (1.44, 1.0, 1000, 1200),  # half way in octaves: the root of 1.44 x 1
        (1.0, 1.44, 1000, 1200),
    ],
)
@pytest.mark.parametrize("f0", [100.0, 0.0])
def test_throat_and_mouth_move_a_formant_by_their_factor(f0, throat, mouth, before, after) -> None:
    moved = Timbre(throat_scale=throat, mouth_scale=mouth)(frames([f0] * 3, ridge(before)))
    for name in ("harmonic", "noise", "residual"):
        peaks = np.argmax(getattr(moved, name), axis=0)
        assert peaks.tolist() == [row(after)] * 3, name


def test_the_formant_stays_where_it_is_when_the_pitch_moves() -> None:
    moved = Timbre(f0_scale=0.6)(frames([100.0] * 3, ridge(500)))
    assert np.argmax(moved.harmonic, axis=0).tolist() == [row(500)] * 3


def test_formant_gain_is_a_factor_on_the_height() -> None:
    # A ridge every 51 rows has an even trend over 51 rows; 60 Hz is every third row.
    comb = -6 + 0.5 * np.cos(2 * np.pi * np.arange(ROWS) / 51)

    def swing(gain: float) -> float:
        out = Timbre(formant_gain=gain)(frames([60.0] * 2, comb)).harmonic[51:-51, 0]
        return float(out.max() - out.min())

    assert swing(1.5) == pytest.approx(1.5 * swing(1.0), rel=1e-3)
    assert swing(0.5) == pytest.approx(0.5 * swing(1.0), rel=1e-3)


# --- gains


def gain_db(timbre: Timbre, name: str) -> Array:
    """What ``timbre`` adds to one part, dB, [601, 20]: ten voiced frames and ten unvoiced."""
    after, before = timbre(half_voiced()), Timbre()(half_voiced())
    return (getattr(after, name) - getattr(before, name)) / LN10_20


GAINS = [
    Timbre(tilt_db_per_octave=-3.0),
    Timbre(chest_db=6.0),
    Timbre(nasal_db=-6.0),
    Timbre(ring_db=-6.0),
    Timbre(breath_db=5.0),
]


@pytest.mark.parametrize("timbre", GAINS, ids=["tilt", "chest", "nasal", "ring", "breath"])
@pytest.mark.parametrize("name", ["noise", "residual"])
def test_gains_act_in_voiced_frames_and_fade_into_their_neighbours(timbre, name: str) -> None:
    gain = gain_db(timbre, name)
    full = gain[:, :1]
    assert np.abs(full).max() > 4
    np.testing.assert_allclose(gain[:, :9], np.repeat(full, 9, axis=1), atol=1e-4)
    np.testing.assert_allclose(gain[:, 11:], 0.0, atol=1e-4)
    edge = gain[:, 9:11] * np.sign(full)
    assert (edge[:, 1] <= edge[:, 0] + 1e-4).all()
    assert (edge[:, 0] <= np.abs(full[:, 0]) + 1e-4).all()
    assert (edge >= -1e-4).all()
    strong = np.abs(full[:, 0]) > 1
    assert (edge[strong, 1] > 0.1).all()
    assert (edge[strong, 0] < 0.9 * np.abs(full[strong, 0])).all()


@pytest.mark.parametrize("name", ["harmonic", "noise", "residual"])
def test_tilt_is_a_slope_in_octaves_around_1_khz(name: str) -> None:
    gain = gain_db(Timbre(tilt_db_per_octave=-2.0), name)[:, 3]
    wanted = {100: 6, 500: 2, 1000: 0, 2000: -2, 4000: -4, 8000: -6, 12000: -6}
    found = {hertz: gain[row(hertz)] for hertz in wanted}
    assert found == pytest.approx(wanted, abs=1e-3)


@pytest.mark.parametrize("name", ["harmonic", "noise", "residual"])
@pytest.mark.parametrize(
    ("timbre", "centre", "height"),
    [
        (Timbre(chest_db=6.0), 250, 6.0),
        (Timbre(nasal_db=5.0), 600, 5.0),
        (Timbre(ring_db=4.0), 2800, 4.0),
    ],
    ids=["chest", "nasal", "ring"],
)
def test_a_resonance_is_at_its_place_and_of_its_height(name, timbre, centre, height) -> None:
    gain = gain_db(timbre, name)[:, 3]
    assert abs(int(np.argmax(gain)) * 20 - centre) <= 20
    assert gain.max() == pytest.approx(height, rel=0.01)
    # Three octaves off it is gone.
    assert abs(gain[row(centre * 8) if centre < 1000 else row(centre / 8)]) < 0.01


@pytest.mark.parametrize("scale", [1.0, 1.5])
def test_h1_is_the_gain_of_the_first_harmonic_wherever_the_pitch_is(scale: float) -> None:
    def harmonic(h1_db: float) -> Array:
        heard = Timbre(f0_scale=scale, h1_db=h1_db)(frames([160.0] * 4)).harmonic
        return heard[:, 1] / LN10_20

    gain = harmonic(8.0) - harmonic(0.0)
    first = scale * 160
    assert gain[row(first)] == pytest.approx(8.0, abs=0.1)
    # An octave up, 1 / 0.35 deviations: 8 dB x exp(-4.08) = 0.135 dB; at the third harmonic, none.
    assert gain[row(2 * first)] == pytest.approx(0.135, abs=0.02)
    np.testing.assert_allclose(gain[row(3 * first) :], 0.0, atol=0.01)


def test_h1_leaves_noise_and_unvoiced_frames_alone() -> None:
    for name in ("noise", "residual"):
        np.testing.assert_allclose(gain_db(Timbre(h1_db=8.0), name), 0.0, atol=1e-4)
    np.testing.assert_allclose(gain_db(Timbre(h1_db=8.0), "harmonic")[:, 11:], 0.0, atol=1e-4)


def test_breath_leaves_the_pulses_alone() -> None:
    np.testing.assert_allclose(gain_db(Timbre(breath_db=-6.0), "harmonic"), 0.0, atol=1e-4)
    for name in ("noise", "residual"):
        np.testing.assert_allclose(gain_db(Timbre(breath_db=-6.0), name)[:, :9], -6, atol=1e-3)


# --- robustness

EVERYTHING = Timbre(
    f0_scale=1.4,
    f0_range=2.0,
    tremor_semitones=2.0,
    tremor_hz=9.0,
    f0_slope_semitones=8.0,
    throat_scale=1.4,
    mouth_scale=0.7,
    formant_gain=1.6,
    tilt_db_per_octave=6.0,
    h1_db=12.0,
    chest_db=10.0,
    nasal_db=10.0,
    ring_db=10.0,
    breath_db=10.0,
)
OPPOSITE = Timbre(
    f0_scale=0.35,
    f0_range=-1.0,
    f0_slope_semitones=-8.0,
    throat_scale=0.7,
    mouth_scale=1.4,
    formant_gain=0.5,
    tilt_db_per_octave=-6.0,
    h1_db=-12.0,
    chest_db=-10.0,
    nasal_db=-10.0,
    ring_db=-10.0,
    breath_db=-20.0,
)


@pytest.mark.parametrize("timbre", [Timbre(), EVERYTHING, OPPOSITE], ids=["none", "all", "other"])
@pytest.mark.parametrize(
    ("f0", "size"),
    [
        ([], 1.0),
        ([0.0], 1.0),
        ([150.0], 1.0),
        ([0.0] * 30, 3.0),
        ([41.0, 12000.0, 0.0, 1e6, 40.0, -1e6] * 5, 3.0),
        ([150.0] * 20 + [0.0] * 20, 1e3),
        ([150.0] * 20 + [0.0] * 20, 1e30),
    ],
    ids=["empty", "unvoiced", "voiced", "all unvoiced", "wild pitch", "loud", "absurd"],
)
def test_whatever_goes_in_finite_float32_comes_out(timbre: Timbre, f0, size: float) -> None:
    random = np.random.default_rng(3)
    spectra = [
        (size * random.standard_normal((ROWS, len(f0)))).astype(np.float32) for _ in range(5)
    ]
    after = timbre(Frames(*spectra, np.asarray(f0, np.float32)))
    assert [part.dtype for part in after.parts] == [np.float32] * 6
    assert all(np.isfinite(part).all() for part in after.parts)
    count = len(f0)
    assert [part.shape for part in after.parts] == [(ROWS, count)] * 5 + [(count,)]
    # The vocoder plays natural-log magnitudes up to 7; -25 is inaudible.
    for part in (after.harmonic, after.noise, after.residual):
        assert not part.size or -25 <= part.min() <= part.max() <= 7


def test_the_input_is_left_as_it_was() -> None:
    before = half_voiced()
    copies = [part.copy() for part in before.parts]
    EVERYTHING(before)
    for part, copy in zip(before.parts, copies, strict=True):
        np.testing.assert_array_equal(part, copy)


def test_the_same_frames_give_the_same_bits() -> None:
    once, again = EVERYTHING(half_voiced()), EVERYTHING(half_voiced())
    assert [p.tobytes() for p in once.parts] == [p.tobytes() for p in again.parts]


@pytest.mark.parametrize("broken", NAMES)
def test_frames_of_different_shapes_are_refused(broken: str) -> None:
    parts = dict(zip(NAMES, half_voiced().parts, strict=True))
    with pytest.raises(ValueError, match="shapes"):
        Frames(**parts | {broken: parts[broken][..., :-1]})
