"""Faults thought of by who has not seen the checks: careless tools, quiet dealing, lying labels."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import soundfile

from synthkit.assignments import Assignment
from synthkit.audio import SAMPLING_RATE, Audio, from_pcm16
from synthkit.casting import Cast
from synthkit.levels import peak_dbfs, rounded, true_peak_dbtp
from synthkit.manifest import Row
from synthkit.renderers.base import chain
from synthkit.renderers.fade import Fade
from synthkit.renderers.lowpass import LowPass
from synthkit.renderers.postwindow import PostWindow
from synthkit.wav import wav_bytes
from tests.audit import signals_independent as tools
from tests.audit.fault import NONE, Fault
from tests.audit.planting import ROLES, Change, Piece, PlantedSet, levelled
from tests.audit.signals import in_room, inverted, louder, shifted, spoken

ALL = 24
CUTOFF = 4000.0  # of the eight
TRIGGER = ("trigger",)
BYSTANDER, WEARER = {"source": "different"}, {"source": "same"}


def _remade(change: Change, speakers: Sequence[str] = ("bystander",), voice: str | None = None):
    """Speech of these put through ``change`` near, and heard far again: same chain, same room."""

    def plant(planted: PlantedSet) -> None:
        for command, source, role in itertools.product(planted.commands, (0, 1), ROLES):
            levels = (WEARER, BYSTANDER)[source]
            rows = planted.of(command, **levels)
            said = next(s for s in rows[0]["segments"] if s["role"] == role)
            if said["speaker"] in speakers and voice in (None, said["voice"]):
                near = planted.of(command, field="near", **levels)
                made = change(planted.piece(near[0], role))
                planted.put(near, role, made)
                heard = in_room(made, lowpass=CUTOFF)
                planted.put(planted.of(command, field="far", **levels), role, heard)

    return plant


def _heard(change: Change, roles: Sequence[str] = TRIGGER, **levels: str):
    """What is heard in these conditions put through ``change``."""
    return lambda planted: planted.change(planted.of(**levels), roles, change)


# --- levels and onsets whose mean tells nothing ---


def _sign(*key: str) -> int:
    return 1 if hashlib.sha256(" ".join(key).encode()).digest()[0] % 2 else -1


def _level_wobbles(planted: PlantedSet) -> None:
    """Bystanders 0.08 dB over or under, as often as not; wearers exact."""
    for command in planted.commands:
        gain = 0.08 * _sign(command)
        planted.change(planted.of(command, **BYSTANDER), TRIGGER, lambda p, g=gain: louder(p, g))


def _level_by_tool(planted: PlantedSet) -> None:
    """Bystanders over in every other tool and wearers under; the other way in the others."""
    tools_ = sorted({row["tool"] for row in planted.rows})
    for row in planted.of(field="near", gap_ms=0):
        sign = 1 if tools_.index(row["tool"]) % 2 else -1
        gain = 0.07 * sign * (1 if row["factors"]["source"] == "different" else -1)
        rows = planted.of(row["command"], source=row["factors"]["source"])
        planted.change(rows, TRIGGER, lambda p, g=gain: louder(p, g))


def _onsets_wobble(planted: PlantedSet) -> None:
    """Far bystanders up to three samples early or late; wearers in place."""
    draws = np.random.default_rng(3)
    for command in planted.commands:
        by = int(draws.choice([-3, -2, -1, 1, 2, 3]))
        rows = planted.of(command, field="far", **BYSTANDER)
        old = planted.piece(rows[0], "trigger")
        planted.put(rows, "trigger", old.levelled(np.roll(old.samples, by)))


# --- rooms ---


def _room_twice(planted: PlantedSet) -> None:
    for command in planted.commands:
        near = planted.piece(planted.of(command, field="near", **BYSTANDER)[0], "trigger")
        twice = in_room(in_room(near), lowpass=CUTOFF)
        planted.put(planted.of(command, field="far", **BYSTANDER), "trigger", twice)


def _room_twice_balanced(planted: PlantedSet) -> None:
    planted.change(planted.of(field="far", **BYSTANDER), TRIGGER, in_room)


def _early_room(planted: PlantedSet) -> None:
    """Far bystanders without what comes later than 50 ms after the direct sound."""
    finish = chain(LowPass(CUTOFF), PostWindow(200), Fade(5))
    for command in planted.commands:
        near = planted.piece(planted.of(command, field="near", **BYSTANDER)[0], "trigger")
        wet = Audio(tools.in_room_early(near), SAMPLING_RATE, near.speech)
        rows = planted.of(command, field="far", **BYSTANDER)
        planted.put(rows, "trigger", levelled(finish(wet)))


# --- what does not belong to the segment ---


def _bleeding(planted: PlantedSet) -> None:
    """What the wearer said before is heard under the bystander, 40 dB down."""
    for command in planted.commands:
        for field in ("near", "far"):
            rows = planted.of(command, field=field, **BYSTANDER)
            context, trigger = (planted.piece(rows[0], role) for role in ROLES)
            planted.put(rows, "trigger", tools.over(trigger, context, -40))


def _room_tone_far(planted: PlantedSet) -> None:
    """A quiet room's own noise, 65 dB down, red, under far bystanders alone."""

    def noisy(piece: Piece) -> Piece:
        white = np.random.default_rng(len(piece.pcm)).standard_normal(len(piece.pcm))
        red = np.convolve(white, 0.9 ** np.arange(60))[: len(white)]
        scaled = red / np.sqrt(np.mean(red**2)) * 10 ** (-65 / 20)
        return piece.levelled(piece.samples + tools.faded(scaled))

    planted.change(planted.of(field="far", **BYSTANDER), TRIGGER, noisy)


def _bystanders_ask_nicely(planted: PlantedSet) -> None:
    """One word more than the label says, of every bystander."""
    for command in planted.commands:
        near = planted.of(command, field="near", **BYSTANDER)
        said = near[0]["segments"][1]
        text = said["spoken_text"]
        made = spoken(said["voice"], f"Please, {text[0].lower()}{text[1:]}")
        planted.put(near, "trigger", made)
        far = planted.of(command, field="far", **BYSTANDER)
        planted.put(far, "trigger", in_room(made, lowpass=CUTOFF))


def _order_reversed(planted: PlantedSet) -> None:
    """The command first and the context after it, where the wearer says both."""
    for row in planted.of(planted.commands[1], **WEARER):
        context, trigger = (planted.piece(row, role) for role in ROLES)
        planted.put([row], "context", trigger)
        planted.put([row], "trigger", context)


def _bed_elsewhere(planted: PlantedSet) -> None:
    """The bed of the command starts two seconds later wherever the bystander speaks."""
    bed = {"kind": "pink", "snr_db": 30}
    planted.edit_recipe(bed="hiss", beds={"hiss": bed})
    planted.replan(list)
    for row in planted.of(**BYSTANDER):
        _lay(planted, row)


def _lay(planted: PlantedSet, row: Row) -> None:
    path, old = planted.folder / row["file"], planted.folder / row["bed"]["file"]
    under, _ = soundfile.read(old, dtype="int16")
    other = np.roll(under, -2 * SAMPLING_RATE)
    content = wav_bytes(other, SAMPLING_RATE)
    name = hashlib.sha256(content).hexdigest()
    (planted.folder / "beds" / f"{name}.wav").write_bytes(content)
    pcm, _ = soundfile.read(path, dtype="int16")
    mixed = pcm - under[: len(pcm)] + other[: len(pcm)]
    path.write_bytes(wav_bytes(mixed, SAMPLING_RATE))
    row["bed"].update(file=f"beds/{name}.wav", sha256=name)
    row.update(
        sha256=hashlib.sha256(path.read_bytes()).hexdigest(),
        peak_dbfs=rounded(peak_dbfs(from_pcm16(mixed))),
        true_peak_dbtp=rounded(true_peak_dbtp(from_pcm16(mixed))),
    )


# --- dealing ---


def _one_way_ring(commands: list[Assignment]) -> list[Assignment]:
    """Who hears the wearer knows the bystander: always the next in the ring."""
    voices = sorted({v for a in commands for v in (a.cast.wearer, a.cast.bystander)})
    ring = itertools.cycle(itertools.pairwise([*voices, voices[0]]))
    return [replace(a, cast=Cast(*pair)) for a, pair in zip(commands, ring, strict=False)]


def _slots(planted: PlantedSet, deal: Callable[[int, Assignment], Sequence[str]]) -> None:
    planted.edit_recipe(limit=len(planted.commands))

    def changed(commands: list[Assignment]) -> list[Assignment]:
        text = [[c for c in a.conditions or () if c == "text_only"] for a in commands]
        return [replace(a, conditions=(*deal(n, a), *text[n])) for n, a in enumerate(commands)]

    planted.replan(changed)


def _field_and_pause_together(planted: PlantedSet) -> None:
    """Neither field nor pause tells the action alone, and both together always."""
    _slots(
        planted,
        lambda n, a: (
            ("same_near_0", "same_far_600")[n % 2],
            "different_near_600",
            "different_far_0",
        ),
    )


def _pause_tells_in_each_tool(planted: PlantedSet) -> None:
    """Wearers pause in every other tool and bystanders do not; in the others they do."""
    tools_ = sorted({row["tool"] for row in planted.rows})

    def deal(n: int, a: Assignment) -> Sequence[str]:
        pause = 600 * (tools_.index(a.command.tool) % 2)
        wearer = f"same_{('near', 'far')[n // 2 % 2]}_{pause}"
        return wearer, *(f"different_{field}_{600 - pause}" for field in ("near", "far"))

    _slots(planted, deal)


# --- no faults ---


def _a_little_softer(planted: PlantedSet) -> None:
    planted.change(planted.of(), ROLES, lambda piece: louder(piece, -0.05))


def _one_voice(change: Change) -> Callable[[PlantedSet], None]:
    """A voice's speech through ``change`` wherever it is heard: its own, as its sound is."""

    def plant(planted: PlantedSet) -> None:
        voice = planted.of()[0]["wearer"]
        _remade(change, ("wearer", "bystander"), voice)(planted)

    return plant


def _everything(change: Change) -> Callable[[PlantedSet], None]:
    return _remade(change, ("wearer", "bystander"))


INDEPENDENT = [
    *(
        Fault(f"bystanders_{name}", "eight", _remade(change), True, kind, ALL)
        for name, kind, change in (
            ("compressed", "processing", tools.compressed),
            ("resampled_badly", "processing", tools.badly_resampled),
            ("through_opus", "processing", tools.coded),
            ("gated", "noise_floor", tools.gated),
            ("by_another_microphone", "processing", tools.equalised),
            ("denoised", "processing", tools.denoised),
            ("in_few_bits", "processing", tools.coarse),
            ("late_inside", "margin", tools.late_inside),
            ("hesitant", "processing", tools.hesitant),
        )
    ),
    Fault(
        "bystanders_dithered",
        "eight",
        _heard(tools.triangular, **BYSTANDER),
        True,
        "noise_floor",
        ALL,
    ),
    Fault("far_drifts", "eight", _heard(tools.drifted, ROLES, field="far"), True, "field", ALL),
    Fault("far_drifts_six", "six", _heard(tools.drifted, field="far"), True, "field", 12),
    Fault(
        "far_bystanders_short_tail",
        "six",
        _heard(tools.short_tail, field="far", **BYSTANDER),
        True,
        "tail",
        12,
    ),
    # No level is off by what could be heard; rounding twice is what tells.
    Fault("level_wobbles", "eight", _level_wobbles, True, "processing", ALL),
    Fault("level_by_tool", "eight", _level_by_tool, True, "level", ALL),
    Fault("onsets_wobble", "eight", _onsets_wobble, True, "onset", ALL),
    Fault("room_twice", "eight", _room_twice, True, "room", ALL),
    Fault("room_twice_balanced", "balanced", _room_twice_balanced, True, "room", 12),
    Fault("early_room", "eight", _early_room, True, "room", ALL),
    Fault("context_bleeds", "eight", _bleeding, True, "noise_floor", ALL),
    Fault("far_bystanders_room_tone", "eight", _room_tone_far, True, "noise_floor", ALL),
    Fault("bystanders_ask_nicely", "eight", _bystanders_ask_nicely, True, "duration", ALL),
    Fault("order_reversed", "eight", _order_reversed, False, "sharing"),
    Fault("bed_elsewhere", "eight", _bed_elsewhere, False, "sharing", ALL),
    Fault("one_way_ring", "tones", lambda p: p.replan(_one_way_ring), True, "voice_role", 100),
    Fault(
        "field_and_pause_together",
        "balanced",
        _field_and_pause_together,
        False,
        "condition_tells",
        12,
    ),
    Fault(
        "pause_tells_in_each_tool",
        "balanced",
        _pause_tells_in_each_tool,
        False,
        "condition_tells",
        12,
    ),
    Fault("all_a_little_softer", "eight", _a_little_softer, True, NONE, ALL),
    # A codec adds energy below speech, and the room makes much more of it than of speech.
    Fault("all_through_opus", "eight", _everything(tools.coded), True, "low_frequencies", ALL),
    Fault("one_voice_inverted", "eight", _one_voice(inverted), True, NONE, ALL),
    Fault("one_voice_by_another_microphone", "eight", _one_voice(tools.equalised), True, NONE, ALL),
    Fault("all_two_samples_late", "eight", _everything(lambda p: shifted(p, 2)), True, NONE, ALL),
]
