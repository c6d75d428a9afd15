"""A coqui model on this machine: its files, hash, speakers, languages and vocabulary.

Nothing of this loads the network.
"""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any

from synthkit.errors import InputError, quoted
from synthkit.files import read_text, sha256_file
from synthkit.speech.cards import VoiceCard
from synthkit.speech.engines.coqui.catalogue import KINDS, fetch, model_folder, model_name

CHECKPOINTS = ("model_file.pth", "model_file.pth.tar", "model.pth", "checkpoint.pth")
# What lies beside the checkpoint of an XTTS, whatever its config says.
XTTS_VOCABULARY, XTTS_SPEAKERS = "vocab.json", "speakers_xtts.pth"
# Where a config names a file that belongs to the model.
FILE_FIELDS = ("speaker_file", "speakers_file", "language_ids_file")

# Characters that XTTS speaks to their end, by language (the tokenizer of coqui-tts 0.28.0).
XTTS_LONGEST = {
    "en": 250, "de": 253, "fr": 273, "es": 239, "it": 213, "pt": 203, "pl": 224, "zh": 82,
    "ar": 166, "cs": 186, "ru": 182, "nl": 251, "tr": 226, "ja": 71, "hu": 224, "ko": 95, "hi": 150,
}  # fmt: skip


@dataclass(frozen=True)
class Model:
    """A model's files: of ``kind`` vits or xtts; ``others`` are (field of the config, file)."""

    kind: str
    checkpoint: Path
    config: Path
    others: tuple[tuple[str, Path], ...]

    @property
    def values(self) -> Mapping[str, Any]:
        """The configuration as it stands in the file."""
        return _values(self.config, _stamp(self.config))

    def setting(self, name: str) -> Any:
        """A value of the model's arguments or, failing that, of the configuration."""
        arguments = self.values.get("model_args") or {}
        return arguments.get(name) or self.values.get(name)

    @property
    def sha256(self) -> str:
        """Hash over names and contents of all files that make the model, sorted by name.

        Absolute paths in the configuration count by their last part alone: coqui writes the
        folder that it installs a model in into it.
        """
        files = (self.checkpoint, *(file for _, file in self.others))
        return _sha256(self.config, files, tuple(map(_stamp, (self.config, *files))))


def find(card: VoiceCard) -> Model:
    """The card's model; :class:`InputError` for what is not there or not of a kind we speak."""
    where = f"voice {card.id}"
    if name := model_name(card):
        folder = model_folder(card)
        if folder is None:
            raise InputError(f"{where}: model {name} is not on this machine; {fetch(card)}")
        given, config = folder, folder / "config.json"
    else:
        given = card.folder / str(card.parameters["path"])
        beside = given if given.is_dir() else given.parent
        config = card.folder / str(card.parameters.get("config", beside / "config.json"))
    checkpoint = _checkpoint(given, where) if given.is_dir() else given
    for file in (checkpoint, config):
        if not file.is_file():
            raise InputError(f"{where}: {quoted(file.name)} is not a file; allowed: a coqui model")
    values = _values(config, _stamp(config))
    # Coqui takes the class that base_model names, so that is what must be one of ours.
    kind = str(values.get("base_model") or values.get("model", "")).lower()
    if kind not in KINDS:
        raise InputError(
            f"{where}: found a model of kind {quoted(kind)}; allowed: {', '.join(KINDS)}"
        )
    made = Model(kind, checkpoint, config, ())
    if kind == "vits" and any(
        made.setting(f) for f in ("use_d_vector_file", "speaker_encoder_model_path")
    ):
        raise InputError(f"{where}: a VITS with a speaker encoder; allowed: VITS without, or XTTS")
    return Model(kind, checkpoint, config, _others(made, where))


def speakers(model: Model) -> tuple[str, ...]:
    """Names of the model's own speakers, in its order; none where it has but one, unnamed."""
    files = dict(model.others)
    if model.kind == "xtts":
        return _names(files[XTTS_SPEAKERS]) if XTTS_SPEAKERS in files else ()
    if not model.setting("use_speaker_embedding"):
        return ()
    if listed := model.values.get("speakers"):
        return tuple(listed)
    file = files.get("speaker_file") or files.get("speakers_file")
    return _names(file) if file else ()


def languages(model: Model) -> tuple[str, ...]:
    """Names of the languages that the model is told apart by."""
    if model.kind == "xtts":
        return tuple(model.values.get("languages") or ())
    if model.setting("use_language_embedding") and "language_ids_file" in dict(model.others):
        return _names(dict(model.others)["language_ids_file"])
    rows = model.values.get("datasets") or ()
    return tuple(sorted({row["language"] for row in rows if row.get("language")}))


def vocabulary(model: Model) -> frozenset[str] | None:
    """The characters that the network has learned, None where the config leaves them open."""
    if model.kind == "xtts":
        file = dict(model.others)[XTTS_VOCABULARY]
        tokens = _json(file).get("model", {}).get("vocab", {})
        return frozenset("".join(t for t in tokens if not t.startswith("["))) | {" "}
    given = model.values.get("characters")
    if not given:
        return None
    if given.get("vocab_dict"):
        return frozenset("".join(c for c in given["vocab_dict"] if len(c) == 1))
    parts = (given.get(part) or "" for part in ("characters", "punctuations", "phonemes"))
    return frozenset("".join(parts))


def _checkpoint(folder: Path, where: str) -> Path:
    """The checkpoint in a folder: of a usual name, or the only one there."""
    for name in CHECKPOINTS:
        if (folder / name).is_file():
            return folder / name
    there = [p for p in sorted(folder.glob("*.pth")) if not p.name.startswith("speaker")]
    if len(there) != 1:
        raise InputError(
            f"{where}: {len(there)} checkpoints in {quoted(str(folder))}; "
            f"allowed: {' or '.join(CHECKPOINTS[2:])}, one file *.pth, or path to a file"
        )
    return there[0]


def _others(model: Model, where: str) -> tuple[tuple[str, Path], ...]:
    """The files beside checkpoint and config that the model is made of."""
    folder = model.checkpoint.parent
    if model.kind == "xtts":
        if not (folder / XTTS_VOCABULARY).is_file():
            raise InputError(
                f"{where}: no {XTTS_VOCABULARY} beside {quoted(str(model.checkpoint))}"
            )
        found = (XTTS_VOCABULARY, XTTS_SPEAKERS)
        return tuple((name, folder / name) for name in found if (folder / name).is_file())
    others = []
    for field in FILE_FIELDS:
        if named := model.setting(field):
            # Its place is written down where it was trained or first installed.
            file = folder / PureWindowsPath(PurePosixPath(str(named)).name).name
            if not file.is_file():
                raise InputError(f"{where}: {field} {quoted(file.name)} is not in its folder")
            others.append((field, file))
    return tuple(others)


def _names(file: Path) -> tuple[str, ...]:
    if file.suffix == ".json":
        return tuple(_json(file))
    import torch

    # weights_only: a file of tensors and names, of which no code is run.
    return tuple(torch.load(file, map_location="cpu", weights_only=True))


def _json(file: Path) -> dict[str, Any]:
    # Not strict: coqui itself writes Infinity.
    try:
        values = json.loads(read_text(file))
    except (ValueError, RecursionError) as error:
        raise InputError(f"{file}: not JSON: {error}") from None
    if not isinstance(values, dict):
        raise InputError(f"{file}: allowed: one JSON object")
    return values


def _stamp(file: Path) -> tuple[int, int]:
    found = file.stat()
    return found.st_mtime_ns, found.st_size


@functools.lru_cache(maxsize=8)
def _values(config: Path, _: tuple[int, int]) -> dict[str, Any]:
    return _json(config)


@functools.lru_cache(maxsize=8)
def _sha256(config: Path, files: tuple[Path, ...], _: tuple[tuple[int, int], ...]) -> str:
    settings = json.dumps(_without_folders(_json(config)), sort_keys=True).encode()
    rows = [("config", hashlib.sha256(settings).hexdigest())]
    rows += [(file.name, sha256_file(file)) for file in files]
    return hashlib.sha256(json.dumps(sorted(rows)).encode()).hexdigest()


def _without_folders(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_folders(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_without_folders(inner) for inner in value]
    if isinstance(value, str) and PurePosixPath(value).is_absolute():
        return PurePosixPath(value).name
    if isinstance(value, str) and PureWindowsPath(value).is_absolute():
        return PureWindowsPath(value).name
    return value
