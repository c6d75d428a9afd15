"""Stand-ins: prompts of a script spoken by voices where no person has recorded them yet."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from synthkit import licensing
from synthkit.audio import Audio
from synthkit.clip import Clip, Gap, join
from synthkit.errors import InputError, SynthkitError, UnspeakableError
from synthkit.files import write_bytes
from synthkit.keys import draw
from synthkit.renderers.base import chain
from synthkit.renderers.fade import Fade
from synthkit.renderers.level import Level
from synthkit.renderers.postwindow import PostWindow
from synthkit.scripts.prompts import Prompt
from synthkit.speech.voice import Voice

RECORD = "stand_ins.json"
SCHEMA_VERSION = 1
# Silence between the utterances of a prompt. With the window after speech and the margin before
# it, 520 ms pass from speech to speech.
PAUSE_MS = 300
NOTE = "Synthetic speech that stands in for recordings of people. It is none."
SEED = 0

Dealt = Sequence[tuple[Prompt, Voice]]


@dataclass(frozen=True)
class Spoken:
    """What a run wrote, by prompt its SHA-256, and what it could not: by prompt the reason."""

    files: Mapping[str, str]
    failures: Mapping[str, str]


def deal_voices(prompts: Sequence[Prompt], voices: Sequence[Voice]) -> list[tuple[Prompt, Voice]]:
    """Give each prompt a voice, in rounds of one prompt for each voice.

    So the uses of any two differ by 1 at most. Within a round a hash of the prompt's id chooses;
    prompts that are appended change nothing before them.
    """
    dealt: list[tuple[Prompt, Voice]] = []
    left: list[Voice] = []
    for prompt in prompts:
        left = left or list(voices)
        chosen = min(left, key=lambda voice: draw(SEED, prompt.id, voice.card.id, 128))
        left.remove(chosen)
        dealt.append((prompt, chosen))
    return dealt


def check(dealt: Dealt, folder: Path) -> None:
    """Refuse (:class:`InputError`), before any work, what cannot be spoken or written.

    A folder that holds anything is refused: recordings of the same names may lie there.
    """
    try:
        holds_any = folder.exists() and (not folder.is_dir() or any(folder.iterdir()))
    except OSError as error:
        raise InputError(f"--out {folder}: cannot be read ({error.strerror})") from None
    if holds_any:
        raise InputError(f"--out {folder}: holds other files; allowed: a new or empty folder")
    ids = [voice.card.id for voice in {id(voice): voice for _, voice in dealt}.values()]
    if twice := next((name for name in ids if ids.count(name) > 1), None):
        raise InputError(f"--voices: {twice} stands twice; allowed: each voice once")
    refusals = []
    for prompt, voice in dealt:
        wanted, spoken = prompt.language, voice.card.language
        if wanted.split("-")[0] != spoken.split("-")[0]:
            raise InputError(
                f"prompt {prompt.id}: field language: found {wanted}; allowed: {spoken}, which "
                f"voice {voice.card.id} speaks"
            )
        for place, (_, text) in enumerate(prompt.lines):
            try:
                voice.check(text, _seed(prompt, place))
            except InputError as error:
                refusals.append(f"prompt {prompt.id}: {error}")
    if refusals:
        raise UnspeakableError(tuple(refusals))


def speak(dealt: Dealt, folder: Path, advance: Callable[[], None] = lambda: None) -> Spoken:
    """Write ``<prompt id>.wav`` (16 kHz, mono, PCM16) for each prompt, and the record.

    The record is there before the first WAV, so that no sound ever lies there unmarked; at the
    end it has the hashes, and no prompt that failed.
    """
    check(dealt, folder)
    _write_record(dealt, folder, {})
    files: dict[str, str] = {}
    failures: dict[str, str] = {}
    for prompt, voice in dealt:
        try:
            content = clip(prompt, voice).wav_bytes()
        except SynthkitError as error:
            failures[prompt.id] = str(error)
        else:
            write_bytes(folder / f"{prompt.id}.wav", content)
            files[prompt.id] = hashlib.sha256(content).hexdigest()
        advance()
    _write_record([pair for pair in dealt if pair[0].id in files], folder, files)
    return Spoken(files, failures)


def clip(prompt: Prompt, voice: Voice) -> Clip:
    """The prompt as dry and levelled as a near segment, its utterances joined by a short pause."""
    finish = chain(PostWindow(), Fade(), Level())
    parts: list[Audio | Gap] = []
    for place, (_, text) in enumerate(prompt.lines):
        parts += [Gap(PAUSE_MS)] if parts else []
        parts.append(finish(voice.say(text, _seed(prompt, place))))
    return join(*parts)


def _seed(prompt: Prompt, place: int) -> int:
    return draw(SEED, prompt.id, f"utterance {place}")


def record(dealt: Dealt, files: Mapping[str, str]) -> dict[str, Any]:
    """What the record says: that all is synthetic, who said what, by which engine and licence."""
    voices = {voice.card.id: voice for _, voice in dealt}
    return {
        "schema_version": SCHEMA_VERSION,
        "synthetic": True,
        "note": NOTE,
        "license": licensing.derived(v.provenance.voice_license for v in voices.values()),
        "pause_ms": PAUSE_MS,
        "voices": {name: _described(voices[name]) for name in sorted(voices)},
        "recordings": {
            prompt.id: {"voice": voice.card.id, "text": prompt.text}
            | ({"sha256": files[prompt.id]} if prompt.id in files else {})
            for prompt, voice in dealt
        },
    }


def _described(voice: Voice) -> dict[str, object]:
    card, made = voice.card, voice.provenance
    return {
        "engine": made.engine,
        "engine_version": made.version,
        "model_sha256": made.model_sha256,
        "checkpoint": card.checkpoint,
        "processing": card.processing,
        "code_license": made.code_license,
        "voice_license": made.voice_license,
        "attribution": card.attribution,
    }


def _write_record(dealt: Dealt, folder: Path, files: Mapping[str, str]) -> None:
    text = json.dumps(record(dealt, files), ensure_ascii=False, allow_nan=False, indent=1)
    write_bytes(folder / RECORD, f"{text}\n".encode())
