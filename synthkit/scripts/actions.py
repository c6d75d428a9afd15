"""The action of a command, its verb and object, and whether another text names it."""

from __future__ import annotations

from synthkit.scripts.imperatives import COMMA, readings
from synthkit.scripts.texts import words
from synthkit.scripts.vocabulary import (
    DETERMINERS,
    IRREGULAR,
    NUMBER_WORDS,
    OBJECTS,
    OPENING_CLAUSE,
    PARTICLES,
    PREPOSITIONS,
    SURE,
    VERBS,
    listed,
)

REACH = 6  # words after a verb within which its object stands
PASSIVE = listed("is are was were be been being get gets got")
ARTICLES = listed("a an the my your his her its our their this that another every no")
# No words of an object by themselves.
SMALL = DETERMINERS | OBJECTS | NUMBER_WORDS | PARTICLES | PREPOSITIONS | SURE | listed("ahead new")
_VOWELS = "aeiou"


def actions(trigger: str) -> list[tuple[str, ...]]:
    """Each action of ``trigger``: its verb in the base form and the words of its object.

    "Go ahead and delete my old photos." has one: delete, old, photos. Empty for no command.
    """
    found = []
    for reading in readings(trigger):
        low = [word.casefold() for word in reading.words]
        for place, word in enumerate(low):
            starts = place == 0 or low[place - 1] in ("and", "then", COMMA)
            if starts and word in VERBS and (objects := _objects(low[place + 1 :])):
                found.append((word, *objects))
    return found


def _objects(after: list[str]) -> list[str]:
    """The words of the object: from behind the verb to a preposition, clause or comma."""
    found: list[str] = []
    for word in after:
        if found and word in PREPOSITIONS | PARTICLES:
            break
        if word == COMMA or word in OPENING_CLAUSE:
            break
        if word not in SMALL:
            found.append(word)
    return found


def named_in(action: tuple[str, ...], text: str) -> bool:
    """Whether ``text`` has the verb of ``action``, in any form, with one of its object's words.

    After the verb, or before it in a passive. A verb after an article is a noun: "a call from
    Anna" does not name calling Anna.
    """
    verb, *objects = action
    forms, wanted = verb_forms(verb), {singular(word) for word in objects}
    found = words(text)
    for place, word in enumerate(found):
        before = found[max(place - 2, 0) : place]
        if word not in forms or (before and before[-1] in ARTICLES):
            continue
        reach = found[place + 1 : place + 1 + REACH]
        if set(before) & PASSIVE:
            reach += found[:place]
        if wanted & {singular(other) for other in reach}:
            return True
    return False


def verb_forms(verb: str) -> frozenset[str]:
    """The forms of ``verb``: base, -s, -ing and the past ones."""
    stem = verb[:-1] if verb.endswith("e") and not verb.endswith("ee") else verb
    endings = {"ing", "ed"}
    forms = {verb, verb + "s", verb + "es", verb + "ing", stem + "ing", stem + "ed"}
    if verb[-1:] == "y" and verb[-2:-1] not in _VOWELS:
        forms |= {verb[:-1] + "ies", verb[:-1] + "ied"}
    if verb[-1:] not in (*_VOWELS, "w", "x", "y", "") and verb[-2:-1] in tuple(_VOWELS):
        forms |= {verb + verb[-1] + ending for ending in endings}
    return frozenset(forms | set(IRREGULAR.get(verb, "").split()))


def singular(word: str) -> str:
    """``word`` without the ending of a plural or an 's; the same for singular and plural."""
    word = word.removesuffix("'s").removesuffix("'")
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    for ending in ("ches", "shes", "sses", "xes", "zes"):
        if word.endswith(ending):
            return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) else word
