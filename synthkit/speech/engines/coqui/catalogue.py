"""Coqui's catalogue of models, and where on this machine they lie; nothing is ever fetched."""

from __future__ import annotations

import functools
import importlib.util
import json
import os
import sys
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from synthkit.errors import InputError, quoted
from synthkit.files import read_text
from synthkit.speech.cards import VoiceCard

PACKAGE = "coqui-tts"
INSTALL = (
    "pip install torch==2.9.1 torchaudio==2.9.1 torchcodec==0.9.1 coqui-tts==0.28.0 "
    "transformers==4.57.6 six"
)
KINDS = ("vits", "xtts")  # of models that the engine speaks with
CONSENT = "COQUI_TOS_AGREED"
LICENCE_PAGES = {"CPML": "https://tts-hub.github.io/cpml"}


def missing_package(kind: str = "") -> str | None:
    """The pip command, where something that coqui imports is absent, or too new for ``kind``."""
    try:
        version(PACKAGE)
    except PackageNotFoundError:
        return f"install coqui once by: {INSTALL}"
    for name in ("torch", "torchaudio", "torchcodec", "six"):  # it declares none of them
        if importlib.util.find_spec(name) is None:
            return f"coqui's {name} is missing, install it once by: {INSTALL}"
    # XTTS of 0.28.0 fails in every text with transformers 5.24, which it does not rule out.
    if kind == "xtts" and int((found := version("transformers")).split(".")[0]) > 4:
        return f"XTTS does not speak with transformers {found}, install once by: {INSTALL}"
    return None


def model_name(card: VoiceCard) -> str | None:
    """The catalogue's name of the card's model, None for a model by its path."""
    name = card.parameters.get("model")
    return str(name) if name else None


def entry(card: VoiceCard) -> Mapping[str, Any]:
    """The catalogue's entry of the card's model, empty for a model by its path.

    Raises :class:`InputError` for a name that the catalogue lacks.
    """
    if (name := model_name(card)) is None:
        return {}
    # Found without importing the package, which takes seconds.
    spec = importlib.util.find_spec("TTS")
    folders = tuple(spec.submodule_search_locations or ()) if spec else ()
    found = _entries(folders)
    if name not in found:
        known = [known for known in found if known.split("/")[3].startswith(KINDS)]
        # English and multilingual ones first, as the line is cut.
        known.sort(key=lambda n: (n.split("/")[1] not in ("en", "multilingual"), n))
        raise InputError(
            f"voice {card.id}: model {quoted(name)} is not in the catalogue of {PACKAGE}; "
            f"allowed: {', '.join(known)}"
        )
    return found[name]


def model_folder(card: VoiceCard) -> Path | None:
    """Where the card's catalogue model lies: in coqui's folder or in Hugging Face's cache."""
    folder = _installed(card)
    if (folder / "config.json").is_file():
        return folder
    if repository := entry(card).get("repo_id"):
        from huggingface_hub import try_to_load_from_cache

        files = [try_to_load_from_cache(repository, f) for f in ("config.json", "model.pth")]
        if all(isinstance(file, str) for file in files):
            return Path(str(files[0])).parent
    return None


def fetch(card: VoiceCard) -> str:
    """How a user fetches the card's catalogue model; coqui asks for consent where it must."""
    licence = entry(card).get("license") or "not noted"
    return (
        f"with a network, fetch its model (licence by coqui's catalogue: {licence}) once by: "
        'python -c "from TTS.utils.manage import ModelManager; '
        f"ModelManager().download_model('{model_name(card)}')\""
    )


def consent(card: VoiceCard, kind: str) -> str | None:
    """How to agree to the licence of the card's model, None where no consent is lacking.

    Coqui itself would ask at the terminal. The answer it keeps beside a model counts here too.
    """
    item = entry(card)
    # XTTS by its path is Coqui's own network or was trained from it: the same licence.
    if not (item.get("tos_required") or kind == "xtts") or os.environ.get(CONSENT) == "1":
        return None
    if model_name(card) and (_installed(card) / "tos_agreed.txt").is_file():
        return None
    licence = str(item.get("license", "CPML"))
    page = LICENCE_PAGES.get(licence, "see the model's page")
    return f"its model's licence, {licence} ({page}), asks for consent; to give it, set {CONSENT}=1"


@functools.cache
def _entries(folders: tuple[str, ...]) -> Mapping[str, Mapping[str, Any]]:
    """Text-to-speech models by name, of the catalogue that the package carries."""
    found = {}
    for folder in folders:
        kinds = json.loads(read_text(Path(folder, ".models.json")))
        for language, by_data in kinds["tts_models"].items():
            for data, models in by_data.items():
                for model, item in models.items():
                    found[f"tts_models/{language}/{data}/{model}"] = item
    return found


def _installed(card: VoiceCard) -> Path:
    """Coqui's own folder for the card's catalogue model, there or not."""
    return _home() / str(model_name(card)).replace("/", "--")


def _home() -> Path:
    """Coqui's folder of models, as coqui finds it (``trainer.io.get_user_data_dir``)."""
    for name in ("TTS_HOME", "XDG_DATA_HOME"):
        if name in os.environ:
            return Path(os.environ[name]).expanduser() / "tts"
    if sys.platform == "darwin":
        return Path("~/Library/Application Support/tts").expanduser()
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", "~/AppData/Local")).expanduser() / "tts"
    return Path.home() / ".local/share/tts"
