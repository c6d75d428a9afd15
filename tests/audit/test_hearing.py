"""What an audit makes of what instruments hear, by instruments that hear what they are told."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from synthkit.audio import Span
from synthkit.audit.checks import CHECKS, GROUPS
from synthkit.audit.ears import Ears, Heard, HeardPart
from synthkit.audit.findings import Finding, tallied
from synthkit.audit.hearing import Hearing, Listener
from synthkit.audit.identified import Likeness, judged
from synthkit.audit.items import Design, Item, Part
from synthkit.audit.recognised import misheard, recognised
from synthkit.audit.utterances import Utterance
from synthkit.errors import AudioError
from synthkit.instruments.mos import Mos
from synthkit.instruments.words import WordErrors, align, tokens

RATE = 16000
VOICES = ("ann", "bob", "cat")
TEXTS = {
    "lock": ("it is late again", "lock the front door"),
    "call": ("my car broke down", "call a taxi to the station"),
    "play": ("what a long day", "play some quiet music"),
    "book": ("we are out of town", "book a room for sunday"),
    "stop": ("the oven is hot", "stop the kitchen timer"),
    "send": ("he paid for lunch", "send him twelve dollars"),
}
DESIGN = Design(folder=None, dry=frozenset({"near"}))  # type: ignore[arg-type]


class Booth:
    """Sounds that say what they are: their samples are a number, under which it is written down."""

    def __init__(self) -> None:
        self.takes: list[tuple[str, str, str]] = []  # voice, text, field
        self.heard: list[int] = []

    def record(self, voice: str, text: str, field: str) -> np.ndarray:
        take = voice, text, field
        if take not in self.takes:
            self.takes.append(take)
        return np.full(1600, (1 + self.takes.index(take)) / 1000)

    def take(self, samples: np.ndarray, rate: int) -> tuple[str, str, str]:
        assert rate == RATE
        return self.takes[round(1000 * float(samples[len(samples) // 2])) - 1]

    def ears(self) -> Ears:
        return Ears(self.transcribe, errors, self.embed, self.mos)

    def transcribe(self, samples: np.ndarray, rate: int) -> str:
        _, text, field = self.take(samples, rate)
        self.heard.append(round(1000 * float(samples[0])))
        return text if field == "near" else " ".join(text.split()[:-1])  # its last word is lost

    def embed(self, samples: np.ndarray, rate: int) -> np.ndarray:
        """The voice's own axis, and one more: near it is nobody's, far it is ann's."""
        voice, _, field = self.take(samples, rate)
        if voice == "nobody":
            raise AudioError("no speech found")
        vector = np.zeros(4, np.float32)
        vector[VOICES.index(voice)] = 3
        vector[0 if field == "far" else 3] += 4
        return vector / np.linalg.norm(vector)

    def mos(self, samples: np.ndarray, rate: int) -> Mos:
        _, _, field = self.take(samples, rate)
        return Mos(3.0, 3.5, 4.0, 3.0) if field == "near" else Mos(2.0, 2.5, 3.0, 2.0)


def errors(text: str, heard: str) -> WordErrors:
    return align(tokens(text, (), (), str.split), heard.split())


def an_item(command: str, source: str, field: str, gap: int) -> Item:
    """Wearers and bystanders go round; the context is near."""
    turn = list(TEXTS).index(command) % len(VOICES)
    wearer, bystander = VOICES[turn], VOICES[turn - 1]
    speaker = "wearer" if source == "same" else "bystander"
    context, trigger = TEXTS[command]
    window = Span(0, 1600)
    return Item(
        id=f"{command}__{source}_{field}_{gap}",
        command=command,
        condition=f"{source}_{field}_{gap}",
        split="test",
        tool=command,
        texts={"context": context, "trigger": trigger},
        factors={"source": source, "field": field, "gap_ms": gap},
        action="call" if (source, field) == ("same", "near") else "mute",
        called=None,
        wearer=wearer,
        bystander=bystander,
        file="x.wav",
        parts=(
            Part("context", "wearer", wearer, context, "near", window, window),
            Part(
                "trigger",
                speaker,
                wearer if source == "same" else bystander,
                trigger,
                field,
                window,
                window,
            ),
        ),
    )


ITEMS = tuple(
    an_item(command, source, field, gap)
    for command in TEXTS
    for source in ("same", "different")
    for field, gap in (("near", 0), ("near", 600), ("far", 600))
)


def said(items: Sequence[Item], booth: Booth, **wrong: dict[str, str]) -> list[HeardPart]:
    """The parts as declared, but for the triggers of those conditions of `lock` in ``wrong``."""
    parts = []
    for item in items:
        for part in item.parts:
            take = {"voice": str(part.voice), "text": part.text, "field": part.field}
            if part.role == "trigger" and item.command == "lock":
                take |= wrong.get(item.condition, {})
            samples = booth.record(**take)
            digest = hashlib.sha256(samples.tobytes()).hexdigest()
            parts.append(HeardPart(item, part.role, samples, RATE, digest))
    return parts


def hearing(parts: Sequence[HeardPart], booth: Booth, design: Design = DESIGN) -> Hearing:
    listener = Listener(design, booth.ears())
    for command in dict.fromkeys(part.item.command for part in parts):
        listener.hear(part for part in parts if part.item.command == command)
    return listener.hearing()


def findings(heard: Hearing) -> list[Finding]:
    return [finding for tally in tallied(heard.comparisons) for finding in tally.findings]


def test_a_set_that_says_what_it_declares_has_no_findings():
    booth = Booth()
    heard = hearing(said(ITEMS, booth), booth)
    assert findings(heard) == []
    assert heard.words_judged
    compared = {tally.check: tally.compared for tally in tallied(heard.comparisons)}
    # Per command: the context; triggers of two sources in two fields.
    assert compared == {
        "heard.speech": 30,
        "heard.words": 30,
        "heard.voice": 18,
        "heard.identified": 24,
        "heard.source": 6,
    }


def test_each_check_has_a_title_and_a_remedy_of_its_own():
    booth = Booth()
    names = {tally.check for tally in tallied(hearing(said(ITEMS, booth), booth).comparisons)}
    # "voice" and "words" are other checks' names, which "heard.voice" must not fall back on.
    assert names == {name for name in CHECKS if name.startswith("heard.")}
    for name in names:
        assert len(CHECKS[name].title) <= 46
        assert "\n" not in CHECKS[name].remedy
        assert not CHECKS[name].remedy.endswith(".")
    assert GROUPS["heard"] == "what the instruments hear"


def test_each_distinct_sound_is_heard_once():
    booth = Booth()
    assert hearing(said(ITEMS, booth), booth).sounds == 30
    assert sorted(booth.heard) == list(range(1, 31))


def test_figures_are_means_over_a_condition_and_a_field():
    booth = Booth()
    heard = hearing(said(ITEMS, booth), booth)
    rows = {(row.condition, row.role): row for row in heard.conditions}
    near, far = rows["same_near_600", "trigger"], rows["same_far_600", "trigger"]
    assert (near.parts, near.wer, near.ovrl) == (6, 0.0, 3.0)
    # One of 4, 6, 4, 5, 4 and 4 words is lost.
    assert (far.wer, far.p808) == (round(6 / 27, 4), 2.0)
    assert near.like_context == 1.0
    # Two voices share 4 of 5 on one axis: 0.64.
    assert rows["different_near_0", "trigger"].like_context == 0.64
    assert rows["same_near_600", "context"].like_context is None
    fields = {(row.field, row.role): row for row in heard.fields}
    assert (fields["near", "trigger"].own, fields["near", "trigger"].others) == (1.0, 0.64)
    assert fields["near", "trigger"].identified == 1.0
    # In the room all but ann, whose own axis it is, are closer to her.
    assert fields["far", "trigger"].identified == round(1 / 3, 4)
    assert len(heard.missed) == 8
    json.dumps(heard.describe(), allow_nan=False)
    shown = list(heard.lines())
    assert shown[0].split()[:2] == ["condition", "role"]
    assert sum(line.startswith("not identified: ") for line in shown) == 8


@pytest.mark.parametrize(
    ("wrong", "checks"),
    [
        ({"same_near_600": {"text": TEXTS["play"][1]}}, {"heard.words"}),
        ({"same_far_600": {"text": TEXTS["play"][1]}}, {"heard.words"}),
        ({"same_near_600": {"text": TEXTS["lock"][0]}}, {"heard.words"}),
        ({"same_near_600": {"text": "so we went home early"}}, {"heard.words"}),
        ({"same_near_600": {"voice": "bob"}}, {"heard.voice", "heard.identified"}),
        (
            {"same_near_600": {"voice": "cat"}, "different_near_600": {"voice": "ann"}},
            {"heard.voice", "heard.identified", "heard.source"},
        ),
        ({"different_near_600": {"voice": "nobody"}}, {"heard.speech"}),
    ],
    ids=["another text", "far", "context", "no text of the set", "voice", "swap", "no speech"],
)
def test_what_is_not_as_declared_is_found_and_named(wrong, checks):
    booth = Booth()
    found = findings(hearing(said(ITEMS, booth, **wrong), booth))
    assert {one.check for one in found} == checks
    for one in found:
        assert {f"lock__{condition}" for condition in wrong} & set(one.items)
        assert "lock__different_near_0" not in one.items or one.check == "heard.source"
        assert "\n" not in str(one)


class Blurred(Booth):
    """A room without echo, in which one trigger sounds a little more like the voice before."""

    def embed(self, samples: np.ndarray, rate: int) -> np.ndarray:
        voice, text, _ = self.take(samples, rate)
        vector = np.zeros(4, np.float32)
        vector[VOICES.index(voice)] = 1
        if text == TEXTS["lock"][1]:
            vector[(VOICES.index(voice) - 1) % len(VOICES)] = 1.02
        return vector / np.linalg.norm(vector)


@pytest.mark.parametrize(("times", "triggers"), [(1, 2), (4, 0)])
def test_triggers_that_are_not_identified_are_findings_where_they_are_many(times, triggers):
    # 2 of 12 are more than 5 %; 2 of 42 are not.
    booth = Blurred()
    more = [
        replace(item, command=f"{item.command}{n}", id=f"{item.id}{n}")
        for n in range(1, times)
        for item in ITEMS
        if item.command != "lock"
    ]
    listener = Listener(DESIGN, booth.ears())
    listener.hear(said([*ITEMS, *more], booth))
    heard = listener.hearing()
    found = findings(heard)
    assert len(heard.missed) == 4  # near and far
    assert {one.check for one in found} == ({"heard.identified"} if triggers else set())
    assert len(found) == triggers
    assert all("83.3 % of near triggers are identified" in one.what for one in found)


@pytest.mark.parametrize(("wrong", "found"), [(12, 12), (8, 0)])
def test_far_triggers_of_the_wearer_are_findings_where_chance_makes_no_so_many(wrong, found):
    # Of 12 of the bystander, 12 are a chance of 1 in 4096; 8 or more are one of 794 in 4096.
    booth, parts = Blurred(), []
    twice = [replace(i, id=f"{i.id}{n}", command=f"{i.command}{n}") for n in (0, 1) for i in ITEMS]
    far = [item.id for item in twice if (item.field, item.source) == ("far", "different")]
    for part in said(twice, booth):
        samples, sha256 = part.samples, part.sha256
        if part.role == "trigger" and part.item.id in far[:wrong]:
            text = f"{part.part.text} please"  # the room takes its last word
            samples = booth.record(str(part.item.wearer), text, "far")
            sha256 = hashlib.sha256(samples.tobytes()).hexdigest()
        parts.append(replace(part, samples=samples, sha256=sha256))
    told = [one for one in findings(hearing(parts, booth)) if "(far" in one.what]
    assert len(told) == found
    assert {one.check for one in told} <= {"heard.identified"}
    assert all("as are 12 of the bystander's 12" in one.what for one in told)


def test_far_triggers_of_large_sets_are_counted():
    made = [
        Likeness(
            Utterance((f"{n}",), f"{n}", role, speaker, voice, "", field, "", Heard()),
            {"ann": 0.5 + sign * at, "bob": 0.5 - sign * at},
        )
        for n in range(1300)
        # The wearer is one and the other in turn; the far trigger sounds like the wearer.
        for sign in (1 if n % 2 else -1,)
        for role, speaker, field, at, own in (
            ("context", "wearer", "near", 0.2, n % 2),
            ("trigger", "bystander", "far", 0.1, 1 - n % 2),
        )
        for voice in ("ann" if own else "bob",)
    ]
    told = [one for one in judged(made, {"near"}) if one.fault]
    assert len(told) == 1300
    assert {one.check for one in told} == {"heard.identified"}


def test_a_room_in_which_all_sound_like_the_one_wearer_is_no_finding():
    # Cosines of far triggers: 0.48 with ann's near speech, 0.36 with their own voice's.
    booth, many = Booth(), []
    items = [item for item in ITEMS if item.source == "different"]
    for number, item in enumerate(items * 3):
        bystander = VOICES[1 + list(TEXTS).index(item.command) % 2]
        own = tuple(
            replace(part, voice="ann" if part.speaker == "wearer" else bystander)
            for part in item.parts
        )
        command = f"{item.command}{number // len(items)}"
        many.append(replace(item, id=f"{item.id}{number}", command=command, parts=own))
    heard = hearing(said(many, booth), booth)
    assert len([one for one in heard.missed if one.said.field == "far"]) == 18
    assert findings(heard) == []


def test_words_in_a_language_that_is_not_known_are_not_judged():
    booth = Booth()
    design = replace(DESIGN, kinds=dict.fromkeys(VOICES, ("a", "b", "de-DE")))
    heard = hearing(said(ITEMS, booth), booth, design)
    assert booth.heard == []
    assert findings(heard) == []
    assert not heard.words_judged
    assert "words are not judged" in "\n".join(heard.lines())


def test_voices_of_two_kinds_are_not_compared():
    booth = Booth()
    kinds = {"ann": ("a", "", "en-US"), "bob": ("b", "", "en-US"), "cat": ("b", "", "en-US")}
    heard = hearing(said(ITEMS, booth), booth, replace(DESIGN, kinds=kinds))
    assert {row.compared for row in heard.fields if row.role == "context"} == {4}
    assert all("ann" not in one.cosines for one in heard.missed)


def test_it_is_said_where_too_few_sounds_are_there_to_know_voices_by():
    booth = Booth()
    few = [item for item in ITEMS if item.command in ("lock", "call")]
    heard = hearing(said(few, booth), booth)
    assert {row.compared for row in heard.fields} == {0}
    assert "heard.voice" not in {one.check for one in heard.comparisons}
    assert "voices are not judged" in "\n".join(heard.lines())
    whole = hearing(said(ITEMS, booth), booth)
    assert "not judged" not in "\n".join(whole.lines())


def test_a_set_without_names_of_voices_is_compared_by_its_contexts():
    booth = Booth()
    wrong = {"same_near_600": {"voice": "cat"}, "different_near_600": {"voice": "ann"}}
    parts = []
    for part in said(ITEMS, booth, **wrong):
        nameless = tuple(replace(one, voice=None) for one in part.item.parts)
        parts.append(replace(part, item=replace(part.item, parts=nameless)))
    found = findings(hearing(parts, booth))
    assert {one.check for one in found} == {"heard.source"}
    assert "the bystander's trigger is more like the context" in found[0].what


def test_sounds_of_other_rates_are_heard_at_the_instruments_rate():
    booth = Booth()
    listener = Listener(DESIGN, booth.ears())
    item = ITEMS[0]
    samples = np.full(4800, booth.record("ann", TEXTS["lock"][0], "near")[0])
    listener.hear([HeardPart(item, "context", samples, 48000, "0")])
    assert findings(listener.hearing()) == []


def named(text: str, heard: str) -> WordErrors:
    """The errors where a name costs nothing, as the instruments count them."""
    names = [word for word in text.split() if word.istitle()]
    return align(tokens(text, names, (), str.split), heard.split())


@pytest.mark.parametrize(
    ("heard", "found"),
    [
        # Two of seven words are wrong; the name may be any one or two words, and fits both.
        ("let me cover see where I am", False),
        # Of one word it cannot be told whether it was said or misheard.
        ("let my mother see where I am", False),
        ("let my mother see where we are", True),
        ("let Anna see where I am", True),
    ],
)
def test_a_text_with_a_name_is_not_what_any_word_says(heard, found):
    texts = ("let my brother see where I am", "let Anna see where I am")
    texts = (*texts, "let my mother see where we are", "let my mother see where I am")
    assert named(texts[1], "let me cover see where I am").errors == 0
    said = [
        Utterance((text,), text, "trigger", "wearer", None, text, field, "", Heard(words))
        for text in texts
        for field, words in (("near", text), ("far", heard if text == texts[0] else text))
    ]
    assert faults(said) == ([(texts[0],)] if found else [])


def faults(said: Sequence[Utterance]) -> list[tuple[str, ...]]:
    compared = misheard(recognised(said, named), frozenset({"near"}), named)
    return [one.items for one in compared if one.fault]


@pytest.mark.parametrize(
    ("heard", "found"),
    [
        # Three errors of four words, and yet three of the words are there.
        ("I am lock the clinic door", False),
        ("unlock the clinic door the clinic door door", False),
        ("I am luck the cynic though", True),
        ("what a day", True),
    ],
)
def test_near_speech_is_something_else_where_its_words_are_not_there(heard, found):
    text = "unlock the clinic door"
    assert named(text, heard).errors >= 3
    other = "so we went home early and had a cup of tea"
    said = [
        Utterance((said,), said, "trigger", "wearer", None, said, "near", "", Heard(words))
        for said, words in ((text, heard), (other, other))
    ]
    assert faults(said) == ([(text,)] if found else [])
