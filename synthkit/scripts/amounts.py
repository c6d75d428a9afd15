"""The numbers that an English text says, in figures or words, and the lengths of time."""

from __future__ import annotations

import re
from collections.abc import Iterator

from synthkit.scripts.texts import straight

_TOKEN = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?|[^\W\d_]+(?:'[^\W\d_]+)*|[$£€%.,;:!?-]")
_SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_PLACES = "first second third fourth fifth sixth seventh eighth ninth tenth"
ONES = {word: float(value) for value, word in enumerate(_SMALL.split())}
TENS = {word: 10.0 * value for value, word in enumerate(_TENS.split(), start=2)}
SCALES = {"hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9}
# One thing is said by its article; "a couple of" and the like are numbers too.
COUNTS = {"a": 1.0, "an": 1.0, "another": 1.0, "single": 1.0, "once": 1.0}
COUNTS |= {"couple": 2.0, "pair": 2.0, "both": 2.0, "twice": 2.0, "double": 2.0, "dozen": 12.0}
ORDINALS = {word: float(value) for value, word in enumerate(_PLACES.split(), start=1)}
FRACTIONS = {"half": 0.5, "quarter": 0.25, "quarters": 0.25}
MINUTES = {"second": 1 / 60, "minute": 1.0, "hour": 60.0, "day": 1440.0, "week": 10080.0}
MINUTES |= {"sec": 1 / 60, "min": 1.0, "fortnight": 20160.0}
WHOLE = frozenset(("dollar", "buck", "euro", "pound"))
CENTS = frozenset(("cent", "cents", "pence", "penny"))


def numbers(text: str) -> frozenset[float]:
    """Every number that ``text`` says: "two hundred" is 200, "a dozen" 1 and 12, "$9.50" 9.5.

    Dollars and cents make one number, cents alone are hundredths too.
    """
    found: list[float] = []
    tokens = _tokens(text)
    money = False  # whether the number before this one is of whole dollars
    for value, begin, end in _spans(tokens):
        unit = tokens[end] if end < len(tokens) else ""
        if begin and tokens[begin - 1] in ("minus", "negative", "-"):
            value = -value
        if unit in CENTS and money:
            found[-1] += value / 100
        elif unit in CENTS:
            found += [value, value / 100]
        else:
            found.append(value)
        money = unit.removesuffix("s") in WHOLE
    return frozenset(found)


def durations(text: str, unit: str) -> frozenset[float]:
    """Every length of time that ``text`` says, in ``unit``: "an hour and a half" is 90 minutes.

    ``unit`` is second, minute, hour, day or week. "Two hours and ten minutes" is one length.
    """
    found: list[float] = []
    tokens = _tokens(text)
    last_end = None
    for value, begin, end in _spans(tokens):
        size = MINUTES.get(tokens[end].removesuffix("s")) if end < len(tokens) else None
        if size is None:
            continue
        minutes = value * size
        for ending, more in (("half", 0.5), ("quarter", 0.25)):  # "an hour and a half"
            if tokens[end + 1 : end + 4] == ["and", "a", ending]:
                minutes += more * size
        if last_end is not None and begin - last_end <= 1:
            found[-1] += minutes
        else:
            found.append(minutes)
        last_end = end + 1
    return frozenset(round(minutes / MINUTES[unit], 6) for minutes in found)


def _tokens(text: str) -> list[str]:
    found = _TOKEN.findall(straight(text).casefold())
    # "twenty-one" is two words; a minus stands before figures.
    return [
        token
        for place, token in enumerate(found)
        if token != "-" or (found[place + 1 : place + 2] and found[place + 1][0].isdecimal())
    ]


def _spans(tokens: list[str]) -> Iterator[tuple[float, int, int]]:
    """Each number with where it begins and ends; the longest reading, and single words."""
    at = 0
    while at < len(tokens):
        value, end = _longest(tokens, at)
        if value is None:
            at += 1
            continue
        yield value, at, end
        if end - at == 2 and tokens[at] in COUNTS:  # "a dozen" is also one thing
            yield 1.0, at, at + 1
        at = end


def _longest(tokens: list[str], start: int) -> tuple[float | None, int]:
    """The number that begins at ``start``, if one does, and where it ends."""
    word = tokens[start]
    if word[0].isdecimal():  # not isdigit: a digit of some scripts is no figure of a number
        value = float(word.replace(",", ""))
        if tokens[start + 1 : start + 2] and tokens[start + 1] in SCALES:
            return value * SCALES[tokens[start + 1]], start + 2
        return value, start + 1
    if word in ORDINALS:
        return ORDINALS[word], start + 1
    if word in FRACTIONS:
        more = tokens[start + 1 : start + 3]
        if word == "half" and more[:1] == ["dozen"]:
            return 6.0, start + 2
        if word == "half" and more == ["a", "dozen"]:
            return 6.0, start + 3
        end = start + 1
        while tokens[end : end + 1] and tokens[end] in ("of", "a", "an"):  # "half an hour"
            end += 1
        return FRACTIONS[word], end
    return _in_words(tokens, start)


def _in_words(tokens: list[str], start: int) -> tuple[float | None, int]:
    total, part, at, seen = 0.0, 0.0, start, False
    while at < len(tokens):
        word = tokens[at]
        following = tokens[at + 1] if at + 1 < len(tokens) else ""
        if word in TENS and part % 100 == 0:
            part += TENS[word]
        elif word in ONES and _fits(part, ONES[word]):
            if seen and not part and not total:
                break  # "zero five" is no number of two figures
            part += ONES[word]
        elif word == "hundred" and seen:
            part = (part or 1.0) * 100
        elif word in SCALES and seen:
            total, part = total + (part or 1.0) * SCALES[word], 0.0
        elif word == "dozen" and seen:
            return (total + (part or 1.0) * 12), at + 1
        elif word == "and" and seen and part % 100 == 0 and (part or total) and _adds(following):
            pass  # "two hundred and five"
        elif not seen and word in COUNTS:
            if following in SCALES or following in ("dozen", "couple", "pair"):
                part = 0.0 if following in SCALES else 1.0
                if following in ("couple", "pair"):
                    return COUNTS[following], at + 2
            else:
                return _with_fraction(COUNTS[word], tokens, at + 1)
        else:
            break
        seen = True
        at += 1
    if not seen:
        return None, start
    return _with_fraction(total + part, tokens, at)


def _fits(part: float, value: float) -> bool:
    """Whether ``value``, 0 to 19, can be said after ``part``: "twenty-one", no "ten five"."""
    return part % 100 == 0 or (part % 100 >= 20 and part % 10 == 0 and 0 < value < 10)


def _adds(word: str) -> bool:
    return word in ONES or word in TENS


def _with_fraction(value: float, tokens: list[str], at: int) -> tuple[float, int]:
    """``value`` with what follows it: "and a half", "point five"."""
    if tokens[at : at + 3] == ["and", "a", "half"]:
        return value + 0.5, at + 3
    if tokens[at : at + 1] == ["point"]:
        figures = ""
        while tokens[at + 1 : at + 2] and ONES.get(tokens[at + 1], 10.0) < 10:
            figures += str(int(ONES[tokens[at + 1]]))
            at += 1
        if figures:
            return value + float(f"0.{figures}"), at + 1
    return value, at
