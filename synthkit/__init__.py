"""synthkit: acoustic counterfactual speech data, and the proof that only the cue changed."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from synthkit.audio import Audio as Audio
    from synthkit.audio import Span as Span
    from synthkit.clip import Clip as Clip
    from synthkit.clip import Gap as Gap
    from synthkit.clip import join as join
    from synthkit.errors import AudioError as AudioError
    from synthkit.errors import InputError as InputError
    from synthkit.errors import SilenceError as SilenceError
    from synthkit.errors import SynthkitError as SynthkitError
    from synthkit.manifest import read_manifest as read_manifest
    from synthkit.plan import make_plan as make_plan
    from synthkit.recipe import read_recipe as read_recipe
    from synthkit.renderers.bandpass import BandPass as BandPass
    from synthkit.renderers.base import Renderer as Renderer
    from synthkit.renderers.base import chain as chain
    from synthkit.renderers.crestcontrol import CrestControl as CrestControl
    from synthkit.renderers.fade import Fade as Fade
    from synthkit.renderers.highpass import HighPass as HighPass
    from synthkit.renderers.level import Level as Level
    from synthkit.renderers.lowpass import LowPass as LowPass
    from synthkit.renderers.postwindow import PostWindow as PostWindow
    from synthkit.renderers.removeoffset import RemoveOffset as RemoveOffset
    from synthkit.renderers.resample import Resample as Resample
    from synthkit.renderers.room import Room as Room
    from synthkit.renderers.trim import Trim as Trim
    from synthkit.rooms.cards import room as room
    from synthkit.speech.voice import Voice as Voice
    from synthkit.speech.voice import voice as voice

# Name -> module. Loaded on first use, so that `import synthkit` stays light. `generate` and
# `verify` are not among them: a name cannot be a module and the function in it.
_EXPORTS = {
    name: module
    for module, names in {
        "audio": "Audio Span",
        "clip": "Clip Gap join",
        "errors": "AudioError InputError SilenceError SynthkitError",
        "manifest": "read_manifest",
        "plan": "make_plan",
        "recipe": "read_recipe",
        "renderers.bandpass": "BandPass",
        "renderers.base": "Renderer chain",
        "renderers.crestcontrol": "CrestControl",
        "renderers.fade": "Fade",
        "renderers.highpass": "HighPass",
        "renderers.level": "Level",
        "renderers.lowpass": "LowPass",
        "renderers.postwindow": "PostWindow",
        "renderers.removeoffset": "RemoveOffset",
        "renderers.resample": "Resample",
        "renderers.room": "Room",
        "renderers.trim": "Trim",
        "rooms.cards": "room",
        "speech.voice": "Voice voice",
    }.items()
    for name in names.split()
}
__all__ = ["__version__", *_EXPORTS]


def __getattr__(name: str) -> Any:
    if name in _EXPORTS:
        return getattr(importlib.import_module(f"{__name__}.{_EXPORTS[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
