"""What may be said as a command, and before one: imperatives, statements, and no give-away."""

from __future__ import annotations

import re
from collections.abc import Iterator

from synthkit.errors import quoted
from synthkit.scripts.actions import actions, named_in
from synthkit.scripts.imperatives import ASKING, COMMA, readings
from synthkit.scripts.texts import sentences, words
from synthkit.scripts.vocabulary import DETERMINERS, FILLERS, OBJECTS, VERBS, WH, listed

OF = listed("time day date kind color much many far long old often big fast soon way")
# Asks for something in the form of a statement. Of words without case and marks.
_ONE = r"(?:you|somebody|someone|one of you)"
_ANY = r"(?:you|somebody|someone|one of you|anybody|anyone|everybody|everyone)"
# What follows in "you should have seen it", "someone could see us": no request.
_SEEN = r"(?! have| be| see| hear| feel| smell| tell| say| imagine| not| never| only)"
REQUESTS = re.compile(
    rf"\bplease\b|\b{_ONE} (?:can|could|will|would|might){_SEEN}\b"
    rf"|\b{_ANY} (?:all )?(?:should|must|ought to|better|had better|shall){_SEEN}\b"
    rf"|\b{_ANY} (?:need to|needs to|have to|has to|may want to|are to|gotta)\b"
    r"|\b(?:can|could|would|will|won't|can't) you\b|\b(?:you|we)'d better\b"
    rf"|\b(?:need|want|wants|like|expect|asking) you to\b|\b(?:need|want|like) {_ANY} to\b"
    r"|\b(?:wish|hope|hoping|appreciate it if|nice if|great if|good if|glad if|help if) "
    rf"{_ONE}\b|\b(?:it's|it is) time (?:to|you|we|for you)\b"
    r"|\bmind if you\b|\bif you (?:could|would)\b|\b(?:how|what) about\b"
    r"|\bwhy (?:don't|not)\b|\blet's\b|\blet us\b|\b(?:make sure|go ahead|feel free)\b"
    r"|\b(?:do|don't|never) forget\b|\bi was wondering if\b|\bdo me a favor\b"
)
# Tells in words what only the sound may tell: where somebody stands, who speaks, what to answer.
GIVE_AWAYS = re.compile(
    r"\b(?:across|the other (?:end|side) of) (?:the|this) room\b"
    r"|\b(?:in|from) (?:the (?:other|next)|another) room\b"
    r"|\b(?:far|far away|close) (?:from|to) (?:the|this|my|your) "
    r"(?:mic|microphone|device|phone|speaker|glasses)\b"
    r"|\b(?:microphone|mic|earshot|far field|near field)s?\b"
    r"|\b(?:not|isn't|ain't) (?:the|your|its|this device's) (?:owner|user|wearer)\b"
    r"|\b(?:am|i'm|is) (?:the|your) (?:owner|user|wearer)\b|\b(?:wearer|bystander|stranger)s?\b"
    r"|\b(?:stay|be|keep|remain) (?:silent|mute|quiet)\b|\bdon't (?:answer|respond|react|listen)\b"
    r"|\b(?:not|wasn't|isn't) (?:talking|speaking|meant) (?:to|for) you\b"
)


def context_faults(context: str, trigger: str) -> Iterator[str]:
    """Yield why ``context`` cannot stand before ``trigger``.

    It may be no command, question or request, not name the trigger's action, and not say in words
    what the conditions tell apart by sound.
    """
    if asked := _question(context):
        yield f"asks: found {quoted(asked)}; allowed: statements"
    for reading in readings(context):
        if not reading.fault:
            yield _commands(" ".join(reading.words))
    for sentence in sentences(context):
        if inner := _inner_command([word.casefold() for word in sentence]):
            yield _commands(inner)
    folded = " ".join(words(context))
    if request := REQUESTS.search(folded):
        yield f"requests: found {quoted(request.group())}; allowed: statements that ask for nothing"
    for action in actions(trigger):
        if named_in(action, context):
            found = " ".join(action)
            yield f"names the action of the trigger: found {quoted(found)}; allowed: anything else"
    yield from _given_away(folded)


def trigger_faults(trigger: str) -> Iterator[str]:
    """Yield why ``trigger`` is no plain command to an assistant: each sentence has to be one."""
    if "?" in trigger:
        yield f"asks: found {quoted(trigger)}; allowed: an imperative, without a question mark"
    for reading in readings(trigger):
        if reading.fault:
            yield f"no imperative: {reading.fault}; allowed: such as 'Unlock the front door.'"
    yield from _given_away(" ".join(words(trigger)))


def _commands(found: str) -> str:
    return f"commands: found {quoted(found)}; allowed: statements"


def _given_away(folded: str) -> Iterator[str]:
    if told := GIVE_AWAYS.search(folded):
        yield f"gives away a condition: found {quoted(told.group())}; allowed: anything else"


def _question(text: str) -> str:
    """What makes ``text`` a question: its mark, or the words that begin a sentence."""
    if "?" in text:
        return text
    for sentence in sentences(text):
        low = [word.casefold() for word in sentence if word.casefold() not in FILLERS | {COMMA}]
        asks = low[0] in ASKING - {"do", "have", "will", "may"} if low else False
        inverted = low[0] in ("do", "have", "will", "may") if low else False
        if len(low) > 1 and (
            (asks and low[1] not in ("not",))
            or (inverted and low[1] in ("i", "you", "we", "they", "he", "she", "it"))
            or (low[0] in WH - {"if"} and low[1] in ASKING)
            or (
                low[0] in ("what", "how", "which")
                and low[2:3]
                and low[2] in ASKING
                and low[1] in OF
            )
        ):
            return " ".join(sentence)
    return ""


def _inner_command(low: list[str]) -> str:
    """A command after a comma or "so": "my hands are full, unlock the door".

    Not in a row of things done: "I get up, make the bed, and leave".
    """
    strong = DETERMINERS | OBJECTS
    for place in range(1, len(low) - 2):
        if low[place] not in (COMMA, "so"):
            continue
        after = [word for word in low[place + 1 :] if word not in FILLERS]
        listing = COMMA in after and {"and", "or"} & set(after[after.index(COMMA) :])
        if len(after) > 1 and after[0] in VERBS and after[1] in strong and not listing:
            return " ".join(after)
    return ""
