"""One reading of text for all engines: figures, signs, quotes, emoji and markup."""

# ruff: noqa: RUF001 - characters that look alike are what is tested

from __future__ import annotations

import json
import re
import unicodedata

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from synthkit.errors import InputError
from synthkit.speech.english import sentences
from synthkit.speech.text import pieces, spoken_text
from tests.conftest import ROOT

# What is said, worked out by hand.
ENGLISH = {
    "money": [
        ("It costs $5.", "It costs five dollars."),
        ("It costs $5.20.", "It costs five dollars and twenty cents."),
        ("$1.01", "one dollar and one cent"),
        ("$0.99", "ninety-nine cents"),
        ("$.50", "fifty cents"),
        ("$1,000", "one thousand dollars"),
        ("Pay $1984 now.", "Pay one thousand nine hundred eighty-four dollars now."),
        ("£3.50", "three pounds and fifty pence"),
        ("€20", "twenty euros"),
        ("20 €", "twenty euros"),
        ("$2.5 million", "two point five million dollars"),
        ("$5k", "five thousand dollars"),
        ("-$5", "minus five dollars"),
        ("$-5", "minus five dollars"),
        ("$5-10", "five to ten dollars"),
        ("$5-$10 a day", "five to ten dollars a day"),
        ("¥500 or 50¢", "five hundred yen or fifty cents"),
    ],
    "times": [
        ("It's 7:30.", "It's seven thirty."),
        ("It's 7:05 a.m.", "It's seven oh five A.M."),
        ("10:00 PM.", "ten P.M."),
        ("Wake me at 6:00.", "Wake me at six o'clock."),
        ("at 18:45", "at eighteen forty-five"),
        ("It's 7pm now.", "It's seven P.M. now."),
        ("7.30 pm", "seven thirty P.M."),
        ("Meet at 10 a.m. Bring it.", "Meet at ten A.M. Bring it."),
        ("I am 5.", "I am five."),
    ],
    "dates": [
        ("Dec. 25", "December twenty-fifth"),
        ("Dec 25th.", "December twenty-fifth."),
        ("December 25, 2025.", "December twenty-fifth, twenty twenty-five."),
        ("the 4th of July", "the fourth of July"),
        ("12/25/2025", "December twenty-fifth, twenty twenty-five"),
        ("2025-12-25", "December twenty-fifth, twenty twenty-five"),
        ("the 1980s and the '90s", "the nineteen eighties and the nineties"),
        ("The year 1905.", "The year nineteen oh five."),
        ("in 2010 and 2005", "in twenty ten and two thousand five"),
        ("1990-2000", "nineteen ninety to two thousand"),
    ],
    "numbers": [
        ("3.14", "three point one four"),
        (".5 percent", "zero point five percent"),
        ("It is -.5.", "It is minus zero point five."),
        ("1,000", "one thousand"),
        ("1,234,567", "one million two hundred thirty-four thousand five hundred sixty-seven"),
        ("10,000.50", "ten thousand point five zero"),
        ("The 1st, 2nd and 21st.", "The first, second and twenty-first."),
        ("the 100th time", "the one hundredth time"),
        ("007", "zero zero seven"),
        ("1234567890123", "one two three four five six seven eight nine zero one two three"),
        ("Set it to -5.", "Set it to minus five."),
        ("Set it to \u22125.", "Set it to minus five."),
        ("10-20", "ten to twenty"),
        ("5–10 minutes", "five to ten minutes"),
        ("2.5-3.5 cups", "two point five to three point five cups"),
        ("1/2 and 3/4", "one half and three quarters"),
        ("½ cup", "one half cup"),
        ("5 > 3 and 3 < 5", "five greater than three and three less than five"),
        ("2+2=4", "two plus two equals four"),
        ("~5 minutes", "about five minutes"),
        ("#5 and № 6", "number five and number six"),
        ("② ٣ ４", "two three four"),
        ("Version 1.2.3", "Version one point two point three"),
        (
            "192.168.0.1",
            "one hundred ninety-two point one hundred sixty-eight point zero point one",
        ),
        ("Henry VIII, Chapter IV", "Henry the eighth, Chapter four"),
    ],
    "telephone numbers": [
        ("555-1234", "five five five, one two three four"),
        ("Call 555-123-4567.", "Call five five five, one two three, four five six seven."),
        ("(555) 123-4567", "five five five, one two three, four five six seven"),
        ("+1 555 123 4567", "plus one, five five five, one two three, four five six seven"),
        ("1-800-555-1234", "one, eight zero zero, five five five, one two three four"),
    ],
    "units": [
        ("1 km, 5 km", "one kilometer, five kilometers"),
        ("10kg at 70 mph", "ten kilograms at seventy miles per hour"),
        ("2.4 GHz", "two point four gigahertz"),
        ("20°C", "twenty degrees Celsius"),
        ("-1°F", "minus one degree Fahrenheit"),
        ("70°", "seventy degrees"),
        ("50% or 0.5 %", "fifty percent or zero point five percent"),
        ("10-20%", "ten to twenty percent"),
    ],
    "letters and digits": [
        ("B2, MP3, H2O", "B two, MP three, H two O"),
        ("COVID-19", "COVID nineteen"),
        ("4G", "four G"),
        ("v2.0", "v two point zero"),
        ("AT&T", "AT and T"),
        ("me@example.com", "me at example.com"),
    ],
    "abbreviations": [
        ("No.", "No."),
        ("No. I won't.", "No. I won't."),
        ("no. 5", "number five"),
        ("Nos. 5 and 6", "Numbers five and six"),
        ("Dr. Smith saw J. R. Jones.", "Dr Smith saw J. R. Jones."),
        ("St. Paul", "Saint Paul"),
        ("approx. 5 vs. 6", "approximately five versus six"),
        ("Fruit, e.g. pears, etc.", "Fruit, for example pears, et cetera."),
    ],
    "markup": [
        (
            "<speak>Hi <break time='1s'/> you</speak>",
            "speak Hi break time equals one s' slash you slash speak",
        ),
        ("[[hello]] world", "hello world"),
        ("<b>Stop</b>", "b Stop slash b"),
        ("*Bold* _it_ `code` ~~gone~~ {x} a|b", "Bold it code gone x a b"),
        ("--help", "help"),
        ("-f /etc/passwd", "f slash etc slash passwd"),
        ("# Title", "Title"),
    ],
    "emoji": [
        ("Turn it on 😀", "Turn it on"),
        ("Hi 👨\u200d👩\u200d👧 family 👍🏽", "Hi family"),
        ("Go 🇯🇵 now ❤️", "Go now"),
        ("Press 1️⃣ now", "Press one now"),
    ],
    "invisible characters": [
        ("\u200fHello\u200e there", "Hello there"),
        ("a\u00a0b\tc\nd", "a b c d"),
        ("zero\u200bwidth soft\u00adhyphen \ufeffmark", "zerowidth softhyphen mark"),
        ("Cafe\u0301", "Café"),
    ],
    "quotes and pauses": [
        ("don’t don＇t don´t don`t donʼt", "don't don't don't don't don't"),
        ("“turn on” ‘it’ «now» \"so\" 'there'", "turn on it now so there"),
        ("the boys’ room at 5 o’clock", "the boys' room at five o'clock"),
        ("Wait… what", "Wait, what"),
        ("Wait...", "Wait."),
        ("...and then", "and then"),
        ("wait—what – no -- yes", "wait, what, no, yes"),
        ("hello (there) world", "hello, there, world"),
        ("What?! No!!!", "What?! No!"),
        ("a well-known twenty-one", "a well-known twenty-one"),
    ],
}


@pytest.mark.parametrize(
    ("text", "spoken"), [row for rows in ENGLISH.values() for row in rows], ids=repr
)
def test_english_is_read_out(text: str, spoken: str) -> None:
    assert spoken_text(text, "en-US", "row 1") == spoken


@pytest.mark.parametrize(
    ("language", "text", "spoken"),
    [
        ("de-DE", "Es kostet 3,50 €: „gut“!", "Es kostet 3,50 €: gut!"),
        ("de-DE", "Stell auf -5 Grad.", "Stell auf -5 Grad."),
        ("es-ES", "¿Qué hora es? Son las 3:30.", "¿Qué hora es? Son las 3:30."),
        ("fr-FR", "Ça va ? L’heure, c’est 10 h.", "Ça va? L'heure, c'est 10 h."),
        ("ja-JP", "電気を３つ、つけて。", "電気を3つ、つけて。"),
        ("hi-IN", "क्\u200dष 5 बजे।", "क्\u200dष 5 बजे।"),
        ("de-DE", "<b>Mach</b> das 😀 [[x]] Licht *an*", "b Mach /b das x Licht an"),
    ],
)
def test_other_languages_keep_figures_and_punctuation(
    language: str, text: str, spoken: str
) -> None:
    assert spoken_text(text, language, "row 1") == spoken


@pytest.mark.parametrize("language", ["en-US", "de-DE"])
@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n",
        "...",
        "?!",
        "😀",
        "👨\u200d👩\u200d👧",
        "🇯🇵",
        "\u200b",
        "<>",
        "[[*]]",
        "“”",
        "--",
    ],
)
def test_nothing_to_say_is_refused(language: str, text: str) -> None:
    with pytest.raises(InputError, match=r"row 1: found .*; allowed: text with a letter or digit"):
        spoken_text(text, language, "row 1")


@pytest.mark.parametrize("text", ["a\0b", "ring\a", "\x1b[31mred", "\x7f", "\ud800"])
def test_control_characters_are_refused(text: str) -> None:
    with pytest.raises(InputError, match="text without control characters") as caught:
        spoken_text(text, "en-US", "row 1")
    assert str(caught.value).isprintable()


def test_the_example_scripts_are_said_as_they_are_written() -> None:
    for path in sorted((ROOT / "examples").glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            said = [utterance["text"] for utterance in row.get("utterances", ())]
            for text in said or (row["context"], row["trigger"]):
                if not re.search(r"\d", text):
                    assert spoken_text(text, "en-US", path.name) == text.replace('"', "")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Set it to 3.14 then stop. Thanks.", ["Set it to 3.14 then stop.", "Thanks."]),
        ("Dr. Smith called. J. R. too!", ["Dr. Smith called.", "J. R. too!"]),
        ("It is Dec. 25 today. Good.", ["It is Dec. 25 today.", "Good."]),
        ("No. Why? So.", ["No.", "Why?", "So."]),
    ],
)
def test_a_dot_inside_ends_no_sentence(text: str, found: list[str]) -> None:
    assert sentences(text) == found


# Texts of what the reading treats apart, between letters and whatever else there is.
SIGNS = [*"019.,:;!?'-–—…/%&@+#$£€~<>=()[]{}*°½²’“😀\u200d\u0301"]
SHORT = ["a.m.", "th", "s", "No.", "Dr.", "etc.", "Dec.", "VIII", "Chapter", "km", "St.", "I"]
PARTS = st.sampled_from([*SIGNS, *SHORT, "Hello", "a", " ", " "])
TEXTS = st.one_of(
    st.lists(PARTS, max_size=12).map("".join),
    st.text(st.characters(exclude_categories=("Cc", "Cs")), max_size=30),
)


@settings(deadline=None, max_examples=200)
@given(TEXTS, st.sampled_from(["en-US", "de-DE", "hi-IN"]))
@example("1.5.2-3$", "en-US")
def test_any_text_is_read_or_refused_and_read_once(text: str, language: str) -> None:
    try:
        spoken = spoken_text(text, language, "row 1")
    except InputError:
        return
    assert any(c.isalnum() for c in spoken)
    assert spoken == spoken.strip() == " ".join(spoken.split())
    assert spoken_text(spoken, language, "row 1") == spoken
    if language == "en-US":
        strange = {c for c in spoken if unicodedata.category(c)[0] not in "LM"}
        assert strange <= set(" .,;:!?'-")


WORDS = st.lists(
    st.text("abcde", min_size=1, max_size=8).flatmap(
        lambda word: st.sampled_from([word, f"{word},", f"{word}.", f"{word}?"])
    ),
    min_size=1,
    max_size=40,
)


@settings(deadline=None)
@given(WORDS, st.integers(min_value=9, max_value=60))
def test_pieces_lose_no_word_and_keep_the_limit(words: list[str], longest: int) -> None:
    found = pieces(" ".join(words), longest, "row 1")
    assert " ".join(found).split() == words
    assert all(0 < len(piece) <= longest for piece in found)


@pytest.mark.parametrize(
    ("text", "longest", "found"),
    [
        ("One two. Three four.", 30, ["One two. Three four."]),
        ("One two. Three four.", 12, ["One two.", "Three four."]),
        ("One, two three four.", 15, ["One,", "two three four."]),
        ("One two three", 8, ["One two", "three"]),
        ("一二。三四。", 3, ["一二。", "三四。"]),
    ],
)
def test_pieces_part_at_sentences_then_commas_then_words(
    text: str, longest: int, found: list[str]
) -> None:
    assert pieces(text, longest, "row 1") == found


def test_a_word_that_is_too_long_is_refused() -> None:
    with pytest.raises(InputError, match="row 1: 20 signs without a break; allowed: 10"):
        pieces("a " + "b" * 20, 10, "row 1")


def test_a_text_of_a_book_is_refused_with_its_length() -> None:
    with pytest.raises(InputError, match="row 1: found 10001 characters; allowed: up to 10000"):
        spoken_text("a" * 10001, "en-US", "row 1")


@pytest.mark.parametrize("mark", ["。", "!", "?", "、"])
def test_long_texts_without_spaces_are_cut_after_their_marks(mark: str) -> None:
    text = f"電気を三つつけて{mark}" * 40
    found = pieces(text, 50, "row 1")
    assert all(len(piece) <= 50 for piece in found)
    assert "".join(found).replace(" ", "") == text
