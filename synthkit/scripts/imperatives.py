"""Whether an English sentence is an imperative, by word lists and the order of its words.

No parser and no model: a verb in its base form stands where the sentence begins, once openers
("please", "and then"), a name with a comma and parts that end at a comma ("when we get home,") are
set aside, and what follows it reads as its object and not as the rest of a statement ("unlock
codes are on the fridge", "order arrived late").

Limits: a verb that is not in ``vocabulary.VERBS`` is not known; a part in front needs its comma;
a statement whose subject is such a verb used as a noun, followed by an article or a pronoun, is
taken for a command ("text my sister sent was funny"). A question is no imperative, polite or not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from synthkit.errors import quoted
from synthkit.scripts.texts import sentences
from synthkit.scripts.vocabulary import (
    AUXILIARIES,
    DETERMINERS,
    DOES,
    FRONTED,
    HAPPENINGS,
    LATER,
    MAY_DO,
    NUMBER_WORDS,
    OBJECTS,
    OPENERS,
    OPENING_CLAUSE,
    PARTICIPLES,
    PARTICLES,
    PASTS,
    PEOPLE,
    PREPOSITIONS,
    PRONOUNS,
    SAYING,
    SAYS,
    STATES,
    SURE,
    VERBS,
    WH,
    listed,
)

COMMA = ","
ASKING = listed(
    "could would can will should shall may might do does did is are was were have has am"
) | {"won't", "can't", "couldn't", "wouldn't", "isn't", "aren't", "don't"}
NEGATIVE = listed("don't dont never not")
LET_US = [["know"], ["see"], ["hear"], ["have"], ["in"], ["out"], ["into"], ["through"]]
LET_ME = listed("know see hear in out")  # "let me call her" says what the speaker will do
SUBJECTS = listed("i you he she we they")
ANYTHING = listed("everything something nothing everybody everyone somebody someone nobody")
LONGEST_NAME = 3  # words before the comma of "Hey Computer, …"


@dataclass(frozen=True, slots=True)
class Reading:
    """One sentence: why it is no imperative (empty: it is one), and its words from the verb on."""

    fault: str
    words: tuple[str, ...] = ()


def readings(text: str) -> list[Reading]:
    """Each sentence of ``text`` read."""
    return [read(sentence) for sentence in sentences(text)]


def read(sentence: Sequence[str]) -> Reading:
    """Read one sentence, given as its words and commas as they are spelled."""
    rest = _main_clause(list(sentence))
    low = [word.casefold() for word in rest]
    if not low:
        return Reading("no words after what opens it")
    if fault := _first_fault(low):
        return Reading(fault)
    if low[0] == "do" and len(low) > 1 and low[1] in VERBS:
        rest, low = rest[1:], low[1:]
    if low[0] not in VERBS:
        return Reading(f"begins with {quoted(rest[0])}, no known verb in its base form")
    if fault := _statement(rest, low):
        return Reading(fault)
    return Reading("", tuple(rest))


def _main_clause(rest: list[str]) -> list[str]:
    """``rest`` without what may stand before an imperative."""
    while rest:
        low = [word.casefold() for word in rest]
        comma = low.index(COMMA) if COMMA in low else None
        if low[0] == COMMA or low[0] in OPENERS:
            # "Hey Jarvis unlock the door"
            named = low[0] in ("hey", "hi", "hello", "okay", "ok") and len(low) > 2
            skip = 2 if named and low[1] not in VERBS and low[2] in VERBS else 1
            rest = rest[skip:]
        elif low[0] in FRONTED and comma is not None and low[1:4] != ["i", "were", "you"]:
            rest = rest[comma + 1 :]
        elif low[0].endswith("ly") and low[0] not in VERBS and low[1:2] and low[1] in VERBS:
            rest = rest[1:]
        elif comma is not None and comma <= LONGEST_NAME and _is_name(rest[:comma], low[:comma]):
            rest = rest[comma + 1 :]
        else:
            return rest
    return rest


def _is_name(words: list[str], low: list[str]) -> bool:
    """Whether words before a comma call somebody: none of them begins or makes a clause."""
    known = VERBS | PRONOUNS | AUXILIARIES | NEGATIVE | {"to", "let's", "i'm", "i'd", "i'll"}
    return not set(low) & known and all("'" not in word and word.isalpha() for word in words)


def _first_fault(low: list[str]) -> str:
    """What its first words make the sentence, if no imperative."""
    second = low[1] if len(low) > 1 else ""
    if low[0] in NEGATIVE or low[:2] == ["do", "not"]:
        return "a negative imperative, which asks for no call"
    if low[0] in ("let's", "lets") or (low[:2] == ["let", "us"] and low[2:3] not in LET_US):
        return "a proposal, no command"
    if low[:2] == ["let", "me"] and low[2:3] and low[2] not in LET_ME:
        return "what the speaker is about to do, no command"
    if low[0] in ASKING - {"do", "have"}:
        return "the form of a question, however polite"
    if low[0] in ("do", "have") and second in SUBJECTS:
        return "the form of a question, however polite"
    if low[0] == "to":
        return "an infinitive, no command"
    if low[0] in ("you", "you'd", "you'll"):
        return "a statement about whom it is said to"
    if low[0] in FRONTED:
        return f"{quoted(low[0])} opens a part that no comma ends"
    return ""


def _statement(rest: list[str], low: list[str]) -> str:
    """Why the first word, a verb by its form, is the subject of a statement; empty: it is not."""
    verb, at = low[0], 1
    while low[at : at + 1] and low[at] in PARTICLES | {COMMA, "please"}:
        at += 1
    after, spelled = low[at:], rest[at:]
    if not after:
        return ""
    first = after[0]
    if first in ("you", "ya"):
        return f"{quoted(verb)} with 'you' as what it is done to: said to a person"
    if first in DETERMINERS | OBJECTS | NUMBER_WORDS | WH | SURE | {"and", "that", "if", "please"}:
        return _bargain(verb, low)
    if first[0].isdigit() or first in PRONOUNS or verb in SAYS:
        return _bargain(verb, low)
    if verb in SAYING and (first in PEOPLE or spelled[0][0].isupper()):
        return ""
    for place, word in enumerate(after):
        if word in OPENING_CLAUSE or word == COMMA:
            break
        if _is_finite(after, place):
            return f"{quoted(rest[0])} reads as a noun, with {quoted(spelled[place])} as its verb"
    return _bargain(verb, low)


def _bargain(verb: str, low: list[str]) -> str:
    """Whether it says what comes of it: "call me and I'll come" is no command to an assistant."""
    subjects = ("i'll", "you'll", "we'll", "he'll", "she'll", "it'll", "they'll")
    for place in range(1, len(low) - 1):
        if low[place] in ("and", "or") and low[place + 1] in subjects and verb not in SAYING:
            return f"a bargain ({quoted(' '.join(low[place : place + 2]))}), no command"
    return ""


def _is_finite(after: list[str], place: int) -> bool:
    """Whether the word at ``place`` is the verb of a statement whose subject stands before it."""
    word = after[place]
    before = after[place - 1] if place else ""
    following = after[place + 1] if place + 1 < len(after) else ""
    if word in AUXILIARIES or word in PASTS:
        return before not in PRONOUNS
    ends = following in ("", COMMA) or following in LATER
    adds = following in DETERMINERS | OBJECTS
    if word in PARTICIPLES:
        return adds
    if word.endswith("s") and following in OBJECTS | ANYTHING:
        return True
    if word.endswith("ed") and len(word) > 4:
        return ends or adds or (place == 0 and following in PREPOSITIONS)
    if word in DOES:
        return True
    if word in MAY_DO:
        return ends or adds or following in PREPOSITIONS
    if not before.endswith("s") or before.endswith(("ss", "'s")):
        return False
    if word in STATES:
        return word in HAPPENINGS and following in LATER
    return word in VERBS | HAPPENINGS
