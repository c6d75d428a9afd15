"""English figures and signs as words, so that every engine is given the same words to say."""

from __future__ import annotations

import functools
import re

NUMBER = r"(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?"
CURRENCIES = {"$": ("dollar", "cent"), "£": ("pound", "pence"), "€": ("euro", "cent")}
# Read letter by letter or digit by digit: longer ones are codes, not quantities.
MOST_DIGITS = 12

_HALVES_OF_DAY = re.compile(r"(?<![\w:.])(\d{1,2})\s?([AaPp])\.?[Mm]\b\.?")
_MONEY = re.compile(rf"([$£€])\s?({NUMBER})")
_DOTTED = re.compile(r"(?<![\w.,])\d+(?:\.\d+){2,}")
_ORDINAL = re.compile(r"\b(\d+)(?:st|nd|rd|th)\b", re.IGNORECASE)
_DECADE = re.compile(r"\b(\d{2}|\d{4})'?s\b")
_NEGATIVE = re.compile(r"(?<![\w.,-])[-\u2212](?=\d)")
_NUMBER = re.compile(NUMBER)
_PHONE = re.compile(
    r"(?<![\w.-])(?:(\+?)(\d{1,3})[-. ])?\(?(\d{3})\)?[-. ]{1,2}(\d{3})[-. ](\d{4})(?![\w-]|\.\d)"
)
_RANGE = re.compile(rf"(?<![\w.,-])({NUMBER})\s?[-\u2013]\s?({NUMBER})(\s?%|(?![\w/-]|\.\d))")
# Rewritten in figures, so that what follows reads them as it reads the usual form.
# With what must be in a text for there to be any: most have none of it, and looking takes no time.
_USUAL = tuple(
    (needed, re.compile(pattern), usual)
    for needed, pattern, usual in (
        (".", r"(?<![\w.])\.(?=\d)", "0."),
        (".", r"\b(\d{1,2})\.([0-5]\d)(?=\s?[AaPp]\.?[Mm]\b)", r"\1:\2"),
        ("$£€", rf"({NUMBER})\s?([$£€])(?!\s?\d)", r"\2\1"),
        ("$£€", r"(?<![\w.,-])[-\u2212]\s?([$£€])|([$£€])[-\u2212](?=\d)", r"minus \1\2"),
        ("$£€", rf"([$£€])\s?({NUMBER})\s?[-\u2013]\s?[$£€]?(?={NUMBER})", r"\2 to \1"),
        ("~", r"~(?=\s?\d)", "about "),
        (".", r"(?i)(?<![\w/.])e\.g\b\.?", "for example"),
        (".", r"(?i)(?<![\w/.])i\.e\b\.?", "that is"),
        ("cC", r"(?i)(?<![\w/.])etc(?:\.|(?=\s*(?:[,;:!?]|$)))", "et cetera"),
    )
)
_SIGNS = {"%": " percent ", "&": " and ", "@": " at ", "+": " plus ", "/": " slash "}
_SIGNS |= {sign: f" {unit} " for sign, (unit, _) in CURRENCIES.items()}
# Kinds of brackets and marks that some program somewhere takes for an instruction.
_MARKUP = re.compile(r"[\[\]{}\\|*_`^]|~(?!\s?\d)|<(?!\s?\d)|>(?!\s?\d)|(?<!\d)(?<!\d\s)>|#(?!\d)")


_WORD = "[A-Za-z]+(?:['-][A-Za-z]+)*"
_PLAIN = re.compile(rf"{_WORD}(?:[.,;:!?]? {_WORD})*[.!?]?")
_LETTERS = re.compile("[A-Za-z]+")


@functools.cache
def _read_otherwise() -> frozenset[str]:
    """Words of letters alone that are read as something else, or make what follows be."""
    from hibari.g2p.normalize import ABBREV, ROMAN_CARDINAL, ROMAN_ORDINAL, TITLES

    known = (*ABBREV, *ROMAN_CARDINAL, *ROMAN_ORDINAL, *TITLES)
    return frozenset(word for name in known for word in _LETTERS.findall(name))


def is_plain(text: str) -> bool:
    """Whether ``text`` is words of letters and single marks in which nothing can be read otherwise.

    Most commands are, once read; finding it out takes a hundredth of the time of reading.
    """
    if not _PLAIN.fullmatch(text):
        return False
    words = _LETTERS.findall(text)
    return _read_otherwise().isdisjoint(words) and "etc" not in map(str.lower, words)


def in_words(text: str) -> str:
    """``text`` with numbers, money, times, dates, units and abbreviations spelled out.

    The reading of times, dates, units and abbreviations is that of hibari-tts (Apache-2.0),
    sentence by sentence with the full stop aside, so that "No." stays an answer.
    """
    return " ".join(_sentence(sentence) for sentence in sentences(_MARKUP.sub(" ", text)))


def sentences(text: str) -> list[str]:
    """The sentences of ``text``; a dot in a number, after a title or an initial ends none."""
    from hibari import Hibari
    from hibari.g2p.normalize import ABBREV

    found: list[str] = []
    for part in Hibari.split_sentences(text):
        if found and part[0].isdigit() and found[-1].split()[-1] in {*ABBREV, "Nos."}:
            found[-1] += f" {part}"  # "Dec. 25", "no. 5"
        else:
            found.append(part)
    return found


def _sentence(text: str) -> str:
    from hibari.g2p.normalize import normalize

    stop = "." if text.endswith(".") and not text.endswith("..") else ""
    read = _PHONE.sub(_phone, text.removesuffix(stop))
    for needed, pattern, usual in _USUAL:
        if has_any(needed, read):
            read = pattern.sub(usual, read)
    if has_any("-\u2013", read):
        read = _RANGE.sub(_range, read)
    read = normalize(_HALVES_OF_DAY.sub(_half_of_day, read))
    read = _MONEY.sub(lambda match: f" {_money(match)} ", read)
    if "." in read:
        read = _DOTTED.sub(lambda match: " point ".join(match.group().split(".")), read)
    read = _ORDINAL.sub(lambda match: f" {_ordinal(match.group(1))} ", read)
    read = _DECADE.sub(_decade, read)
    if has_any("-\u2212", read):
        read = _NEGATIVE.sub("minus ", read)
    read = _NUMBER.sub(lambda match: f" {number(match.group())} ", read)
    for sign, word in _SIGNS.items():
        read = read.replace(sign, word)
    return read + ("" if read.rstrip().endswith(".") else stop)


def has_any(characters: str, text: str) -> bool:
    """Whether ``text`` has one of ``characters``."""
    return any(map(text.__contains__, characters))


def number(digits: str) -> str:
    """``1,000`` "one thousand", ``3.14`` "three point one four", ``1984`` "nineteen eighty-four".

    Leading zeros and more than twelve digits are read digit by digit.
    """
    from hibari.g2p import numbers

    whole, point, fraction = digits.partition(".")
    plain = whole.replace(",", "")
    if len(plain) > MOST_DIGITS or (len(plain) > 1 and plain[0] == "0"):
        words = _one_by_one(plain)
    elif len(plain) == 4 and "," not in whole and not point:
        words = str(numbers.year(int(plain))).replace("oh-", "oh ")
    else:
        words = str(numbers.cardinal(int(plain)))
    words = words.replace(",", "").replace(" and ", " ")
    return f"{words} point {_one_by_one(fraction)}" if point else words


def _one_by_one(digits: str) -> str:
    return " ".join(number(digit) for digit in digits)


def _ordinal(digits: str) -> str:
    from hibari.g2p import numbers

    if len(digits) > MOST_DIGITS:
        return number(digits)
    return str(numbers.ordinal(int(digits))).replace(",", "").replace(" and ", " ")


def _phone(match: re.Match[str]) -> str:
    """Digits one by one, a pause between the groups."""
    plus, *groups = match.groups("")
    read = ", ".join(" ".join(group) for group in groups if group)
    return f"plus {read}" if plus else read


def _range(match: re.Match[str]) -> str:
    """Of decimals, thousands and percents; whole numbers may be dates or telephone numbers."""
    first, last, percent = match.groups()
    if not (percent or set(first + last) & set(".,")):
        return match.group()
    return f"{first} to {last}{percent}"


def _half_of_day(match: re.Match[str]) -> str:
    return f"{number(match.group(1))} {match.group(2).upper()}.M."


def _money(match: re.Match[str]) -> str:
    """``$5.20`` "five dollars and twenty cents"; what has no cents is "point"."""
    unit, small = CURRENCIES[match.group(1)]
    whole, point, fraction = match.group(2).partition(".")
    if point and len(fraction) != 2:
        return f"{number(match.group(2))} {unit}s"
    parts = []
    if whole.strip("0,") or not fraction.strip("0"):
        parts.append(_count(whole.replace(",", ""), unit))
    if fraction.strip("0"):
        parts.append(_count(str(int(fraction)), small))
    return " and ".join(parts)


def _count(digits: str, unit: str) -> str:
    plural = "" if digits.lstrip("0") == "1" or unit == "pence" else "s"
    # An amount is a quantity even where four digits alone would be a year.
    spelled = f"{digits[:-3]},{digits[-3:]}" if len(digits) == 4 else digits
    return f"{number(spelled)} {unit}{plural}"


def _decade(match: re.Match[str]) -> str:
    words = number(match.group(1))
    return f"{words[:-1]}ies" if words.endswith("y") else f"{words}s"
