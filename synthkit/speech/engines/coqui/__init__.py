"""The ``coqui`` engine: VITS and XTTS models by the maintained fork ``coqui-tts``."""

from __future__ import annotations

import contextlib
import functools
import importlib.util
import shutil
import subprocess
import sys
import unicodedata
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from synthkit.audio import Audio
from synthkit.errors import AudioError, InputError, quoted
from synthkit.files import inside, sha256_file
from synthkit.keys import content_key
from synthkit.speech.base import SpeechEngine
from synthkit.speech.cards import VoiceCard
from synthkit.speech.engines.coqui import catalogue, models
from synthkit.speech.engines.coqui.models import Model
from synthkit.speech.text import pieces
from synthkit.wav import read_mono

# XTTS writes these in Latin letters or syllables before it looks at its vocabulary.
_REWRITTEN = ("zh", "ja", "ko")


class Engine(SpeechEngine):
    """One network a model, on the processor, on one thread, from files that are there already.

    A card names a ``model`` of coqui's catalogue or the ``path`` of one, and a ``speaker`` of
    it or, for XTTS, the ``prompt`` clips of a speaker to clone. Coqui's own splitting into
    sentences, padding and trimming are not used.

    ``deterministic`` is said of VITS alone. Torch's generator is seeded for every text, apart
    from the caller's. XTTS is seeded alike and repeats with small random weights, but samples
    token by token, where the last bit of a sum can change all that follows, and no test here
    has the weights that people use: nothing is promised of it.

    Checkpoints are read by ``torch.load`` with ``weights_only``, which runs no code of theirs;
    kinds of models that coqui unpickles (Bark, fairseq) are refused.
    """

    longest_text = 250  # XTTS cuts English there; VITS knows no limit

    def version(self, card: VoiceCard) -> str:
        """Of coqui and torch, and of espeak where it makes the phonemes."""
        parts = [version(catalogue.PACKAGE), f"torch {version('torch')}"]
        if _phonemizer(models.find(card)) == "espeak":
            parts.append(_espeak_version())
        return ", ".join(parts)

    def missing(self, card: VoiceCard) -> str | None:
        if missing := catalogue.missing_package():
            return missing
        if catalogue.model_name(card) and catalogue.model_folder(card) is None:
            return catalogue.fetch(card)
        model = models.find(card)
        return (
            catalogue.missing_package(model.kind)
            or catalogue.consent(card, model.kind)
            or _missing_phonemizer(model)
        )

    def model_sha256(self, card: VoiceCard) -> str:
        return models.find(card).sha256

    def deterministic(self, card: VoiceCard) -> bool:
        return models.find(card).kind == "vits"

    def files(self, card: VoiceCard) -> tuple[Path, ...]:
        """The prompt clips; a model is not copied along, its hash says which one it was."""
        return tuple(_prompts(card))

    def source_sha256(self, text: str, card: VoiceCard) -> str | None:
        """Hash of the hashes of the prompt clips."""
        hashes = [sha256_file(clip) for clip in _prompts(card)]
        return content_key(hashes) if hashes else None

    def check(self, text: str, card: VoiceCard) -> None:
        """Refuse what the model would leave out or cannot be: letters, speaker, language."""
        if missing := self.missing(card):
            raise InputError(f"voice {card.id}: {missing}")
        model = models.find(card)
        _check_speaker(model, card)
        _language(model, card)
        _check_letters(text, model, card)
        _parts(text, model, card)

    def speak(self, text: str, card: VoiceCard, seed: int) -> Audio:
        model = models.find(card)
        speed = float(str(card.parameters.get("speed", 1.0)))
        asked: dict[str, Any] = {
            "speaker": card.parameters.get("speaker"),
            "speaker_wav": [str(clip) for clip in _prompts(card)] or None,
            "language": _language(model, card),
        }
        with _alone() as torch:
            network = _loaded(model, model.sha256)
            torch.default_generator.manual_seed(seed)
            parts = _parts(text, model, card)
            if model.kind == "xtts":
                asked["speed"] = speed
            else:
                network.length_scale = network.args.length_scale / speed
                network.tokenizer.not_found_characters.clear()
            made = [network.synthesize(part, **asked)["wav"] for part in parts]
        if model.kind == "vits":
            _check_dropped(network.tokenizer.not_found_characters, text, card)
        samples = np.concatenate([np.asarray(wav, np.float64).reshape(-1) for wav in made])
        audio = network.config.audio
        return Audio(samples, audio.get("output_sample_rate") or audio["sample_rate"])


@contextlib.contextmanager
def _alone() -> Iterator[Any]:
    """Torch on one thread, its generator and thread count the caller's again afterwards.

    Coqui prints to standard output, which is for results: all of that goes to standard error.
    """
    with contextlib.redirect_stdout(sys.stderr):
        import torch

        threads = torch.get_num_threads()
        torch.set_num_threads(1)  # the number of threads changes the bits
        try:
            with torch.random.fork_rng(devices=[]), torch.inference_mode():
                yield torch
        finally:
            torch.set_num_threads(threads)


@functools.lru_cache(maxsize=2)
def _loaded(model: Model, _sha256: str) -> Any:
    """The network with its weights; made again when a file of the model changes."""
    from TTS.config import load_config
    from TTS.tts.models import setup_model

    config = load_config(model.config)
    for field, file in model.others:
        for part in (config, config.model_args):
            if field in part:
                part[field] = str(file)
    network = setup_model(config)
    where = {"checkpoint_path": model.checkpoint}
    if model.kind == "xtts":
        where["checkpoint_dir"] = model.checkpoint.parent
    network.load_checkpoint(config, **where, eval=True)
    return network


def _prompts(card: VoiceCard) -> Iterator[Path]:
    given = card.parameters.get("prompt", ())
    for name in [given] if isinstance(given, str) else list(given):  # type: ignore[call-overload]
        clip = inside(name, card.folder, card.folder, f"voice {card.id}: prompt")
        if clip.suffix.lower() not in (".wav", ".flac"):
            raise InputError(f"voice {card.id}: prompt: found {quoted(name)}; allowed: .wav, .flac")
        yield clip


def _parts(text: str, model: Model, card: VoiceCard) -> list[str]:
    """``text`` in parts that the model speaks to their end."""
    if model.kind != "xtts":
        return [text]
    language = str(_language(model, card)).split("-")[0]
    return pieces(text, models.XTTS_LONGEST.get(language, 250), f"voice {card.id}")


def _check_speaker(model: Model, card: VoiceCard) -> None:
    speaker, prompts = card.parameters.get("speaker"), list(_prompts(card))
    if prompts and model.kind != "xtts":
        raise InputError(
            f"voice {card.id}: prompt: a {model.kind} model does not clone; allowed: speaker"
        )
    if prompts:
        for clip in prompts:
            stamp = clip.stat()
            _check_clip(clip, (stamp.st_size, stamp.st_mtime_ns), f"voice {card.id}: prompt")
        return
    names = models.speakers(model)
    if speaker is None and (len(names) > 1 or model.kind == "xtts"):
        raise InputError(
            f"voice {card.id}: speaker missing; allowed: {', '.join(names) or 'prompt'}"
        )
    if speaker is not None and speaker not in names:
        allowed = ", ".join(names) or ("prompt" if model.kind == "xtts" else "no speaker")
        raise InputError(f"voice {card.id}: found speaker {quoted(speaker)}; allowed: {allowed}")


@functools.lru_cache(maxsize=64)
def _check_clip(clip: Path, _: tuple[int, int], where: str) -> None:
    try:
        read_mono(clip)
    except AudioError as error:
        raise InputError(f"{where}: {error}") from None


def _language(model: Model, card: VoiceCard) -> str | None:
    """The model's name of the language to speak, None for a model of one."""
    names, given = models.languages(model), card.parameters.get("language")
    tag = card.language.lower()
    wanted = [str(given)] if given else [card.language, tag, tag.split("-")[0]]
    if len(names) > 1 or model.kind == "xtts":
        wanted += ["zh-cn"] if not given and wanted[-1] == "zh" else []
        for name in wanted:
            if name in names:
                return name
    elif given is None or given in names:
        return None
    allowed = ", ".join(names) or "no language"
    raise InputError(f"voice {card.id}: found language {quoted(wanted[0])}; allowed: {allowed}")


def _check_letters(text: str, model: Model, card: VoiceCard) -> None:
    """Refuse characters that the model would drop, after what its cleaner makes of the text."""
    known = models.vocabulary(model)
    if known is None or _phonemizer(model):
        return  # what is dropped is found when it speaks
    if model.kind == "xtts":
        if str(_language(model, card)).split("-")[0] in _REWRITTEN:
            return
        found = text.lower()
    else:
        found = text
        if not set(text) <= known and (cleaner := model.values.get("text_cleaner")):
            with contextlib.redirect_stdout(sys.stderr):
                from TTS.tts.utils.text import cleaners
            language = _language(model, card) or next(iter(models.languages(model)), "en")
            found = getattr(cleaners, cleaner)(text, lang=language)
    if unknown := sorted(set(found) - known):
        raise InputError(
            f"voice {card.id}: {quoted(''.join(unknown))} in {quoted(text)}; "
            f"allowed: {quoted(''.join(sorted(known)))}"
        )


def _check_dropped(dropped: list[str], text: str, card: VoiceCard) -> None:
    # A combining mark refines a phoneme that is spoken anyway; espeak writes more of them than
    # models have learned.
    if lost := [c for c in dropped if not unicodedata.category(c).startswith("M")]:
        raise AudioError(
            f"voice {card.id}: the model lacks {quoted(''.join(lost))}, heard in {quoted(text)}"
        )


def _phonemizer(model: Model) -> str | None:
    """What makes phonemes of letters for the model; None where it reads letters."""
    if model.kind == "xtts" or not model.values.get("use_phonemes"):
        return None
    return str(model.values.get("phonemizer") or "espeak")


def _missing_phonemizer(model: Model) -> str | None:
    name = _phonemizer(model)
    if name == "espeak" and not _espeak():
        return "its model reads phonemes: install the program espeak-ng (apt install espeak-ng)"
    if name == "gruut" and importlib.util.find_spec("gruut") is None:
        return "its model reads phonemes, install once: pip install gruut"
    return None


def _espeak() -> str | None:
    return shutil.which("espeak-ng") or shutil.which("espeak")


@functools.cache
def _espeak_version() -> str:
    told = subprocess.run([str(_espeak()), "--version"], capture_output=True, text=True, check=True)
    return " ".join(told.stdout.split()[:4]).removesuffix(" Data")
