"""From misaki's alphabet of phonemes to the IPA that espeak-ng writes, as Piper's voices want it.

The rules were read off what espeak-ng 1.51 prints for English (``espeak-ng -q --ipa``); nothing of
espeak-ng itself is here. Where it tells apart what misaki's lexicon does not (the vowels of
"force" and "north"), the more frequent one is taken.
"""

from __future__ import annotations

import functools
import re

# Stress marks stand before the vowel in both alphabets.
_VOWEL = "AIOQWYaiuæɑɒɔəɛɜɪʊʌɐᵊᵻ"
_BEFORE_VOWEL = rf"(?=[ˈˌ]?[{_VOWEL}])"
_LINKED = rf"(?= ?[ˈˌ]?[{_VOWEL}])"  # of this word or the next
_END = r"(?=[ .,;:!?]|$)"
_START = r"(?:(?<=[ .,;:!?])|^)"

_AMERICAN = (
    # r-coloured vowels keep their r before a vowel alone
    (rf"əɹ{_LINKED}", "ɚɹ"),
    (r"əɹ", "ɚ"),
    (rf"ɜɹ{_LINKED}", "ɜːɹ"),
    (r"ɜɹ", "ɜː"),
    (rf"(?<=[ˈˌ])ɔɹ(?:{_BEFORE_VOWEL}|{_END})", "oːɹ"),
    # "button", "certain" end in a glottal stop and a syllabic n; not so "mountain"
    (rf"(?<=[{_VOWEL}ː])tᵊ?n(?=z?{_END})", "ʔn̩"),
    (r"tn", "tən"),
    # "off", "moth", "cross", "song" and "on" have a short vowel, kept apart as ɒ until the end
    (r"ɔ(?=[fθsŋ])", "ɒ"),
    (rf"{_START}([ˈˌ]?)ɔn{_END}", r"\1ɒn"),
    (r"ɔ", "ɔː"),
    (r"ɒ", "ɔ"),
    (r"ɑ", "ɑː"),
    (r"u", "uː"),
    (rf"{_START}ði{_END}", "ðɪ"),
    (r"i", "iː"),
    # the last vowel of "happy", "cities", "area" and "video" is short
    (rf"([{_VOWEL}o]ː?[^ ˈˌ{_VOWEL}]*)iː(?=[zd]?{_END}|ə)", r"\1i"),
    (r"iː(?=O)", "ɪ"),
    (r"iː(?=ə)", "i"),
    # "remind", "decide", "believe"
    (rf"{_START}(ɹ|d|b)ə(?=[^ {_VOWEL}]*[ˈˌ])", r"\1ᵻ"),
)
_BRITISH = (
    (r"ɛː", "eə"),
    (r"ɪə", "iə"),
)
_BOTH = (
    (rf"{_START}ə(?=\w)", "ɐ"),  # "about"
    # "in the", "of the" are written as one word
    (rf"{_START}(ɪn|ʌv|ɒv|wɪð|fɹʌm|fɹɒm|ðæt|ðat) (?=ð[əɪ]{_END})", r"\1"),
)
_SPELLED = {
    "A": "eɪ",
    "I": "aɪ",
    "O": "oʊ",
    "Q": "əʊ",
    "W": "aʊ",
    "Y": "ɔɪ",
    "T": "ɾ",
    "ʤ": "dʒ",
    "ʧ": "tʃ",
    "ᵊ": "ə",
}


def espeak_ipa(said: str, british: bool = False) -> str:
    """Write phonemes as espeak-ng's en-us (or en-gb) does; punctuation stays."""
    for pattern, replacement in _rules(british):
        said = pattern.sub(replacement, said)
    return "".join(_SPELLED.get(phoneme, phoneme) for phoneme in said)


@functools.cache
def _rules(british: bool) -> tuple[tuple[re.Pattern[str], str], ...]:
    rules = (*(_BRITISH if british else _AMERICAN), *_BOTH)
    return tuple((re.compile(pattern), replacement) for pattern, replacement in rules)
