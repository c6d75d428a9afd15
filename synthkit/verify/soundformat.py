"""The format that is asked of sound files: container, encoding, sampling rate, channels."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import soundfile

from synthkit.errors import InputError, quoted
from synthkit.measure.loaded import Loaded
from synthkit.soundfiles import EXTENSIONS

ANY = "any"
_COUNT = re.compile("[1-9][0-9]{0,6}", re.ASCII)


@dataclass(frozen=True)
class Format:
    """Container, encoding, sampling rate in Hz and number of channels; None allows any.

    A container is the ending of its files' names, an encoding libsndfile's name in lower case
    without underscores.
    """

    container: str | None
    encoding: str | None
    sampling_rate: int | None
    channels: int | None

    @classmethod
    def parse(cls, text: str) -> Format:
        """Parse ``[CONTAINER/]ENCODING/RATE/CHANNELS``; :class:`InputError` for anything else."""
        parts = text.lower().split("/")
        parts = [ANY, *parts] if len(parts) == 3 else parts
        containers = {suffix[1:] for suffix in EXTENSIONS}
        encodings = {_plain(name) for name in soundfile.available_subtypes()}
        if not (
            len(parts) == 4
            and parts[0] in containers | {ANY}
            and parts[1] in encodings | {ANY}
            and all(part == ANY or _COUNT.fullmatch(part) for part in parts[2:])
        ):
            raise InputError(
                f"format {quoted(text)}; allowed: [CONTAINER/]ENCODING/RATE/CHANNELS such as "
                f"pcm16/16000/1 or flac/{ANY}/48000/2; containers {', '.join(sorted(containers))}; "
                "encodings: pcm16, pcm24, float, ulaw, vorbis … as libsndfile names them"
            )
        container, encoding = (None if part == ANY else part for part in parts[:2])
        rate, channels = (None if part == ANY else int(part) for part in parts[2:])
        return cls(container, encoding, rate, channels)

    def __str__(self) -> str:
        parts = (self.container, self.encoding, self.sampling_rate, self.channels)
        return "/".join(ANY if part is None else str(part) for part in parts)

    def faults(self, loaded: Loaded) -> Iterator[str]:
        """Yield what differs in a file, in the same words."""
        if self.container and loaded.container not in EXTENSIONS[f".{self.container}"]:
            yield f"container is {loaded.container.lower()}; allowed: {self.container}"
        encoding = _plain(loaded.subtype)
        if self.encoding and encoding != self.encoding:
            yield f"encoding is {encoding}; allowed: {self.encoding}"
        if self.sampling_rate and loaded.sampling_rate != self.sampling_rate:
            yield f"sampling rate is {loaded.sampling_rate} Hz; allowed: {self.sampling_rate}"
        if self.channels and loaded.num_channels != self.channels:
            yield f"channels: {loaded.num_channels}; allowed: {self.channels}"


def _plain(name: str) -> str:
    return name.lower().replace("_", "")
