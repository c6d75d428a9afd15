"""An audit's instruments over real speech: nothing is found in it as it is, swaps are."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from synthkit.audio import Audio, Span
from synthkit.audit.ears import HeardPart, instruments
from synthkit.audit.findings import tallied
from synthkit.audit.hearing import Hearing, Listener
from synthkit.audit.items import Design, Item, Part
from tests_instruments.conftest import said

VOICES = ("heart/dad", "heart/mom")
TEXTS = {
    "unlock": ("It is raining, and I am late.", "Unlock the front door."),
    "call": ("My car broke down on the way.", "Call a taxi to the station."),
    "book": ("We are out of town next week.", "Book a room for Sunday evening."),
    "disarm": ("The dog is in the garden again.", "Switch off the alarm in the kitchen."),
    "send": ("He paid for our lunch yesterday.", "Send him twenty dollars, please."),
    "delete": ("My phone has no space left.", "Delete all of the holiday videos."),
}
SOURCES = ("same", "different")


def item(command: str, source: str, sounds: dict[str, Audio]) -> Item:
    wearer, bystander = sorted(VOICES, reverse=list(TEXTS).index(command) % 2 == 1)
    speakers = {"context": "wearer", "trigger": "wearer" if source == "same" else "bystander"}
    texts = dict(zip(("context", "trigger"), TEXTS[command], strict=True))
    parts = []
    for role, speaker in speakers.items():
        voice = wearer if speaker == "wearer" else bystander
        sound = sounds[voice, texts[role]]
        span = (0, sound.num_samples)
        parts.append(Part(role, speaker, voice, texts[role], "near", Span(*span), sound.window))
    return Item(
        id=f"{command}__{source}",
        command=command,
        condition=f"{source}_near_0",
        split="test",
        tool=command,
        texts=texts,
        factors={"source": source, "field": "near", "gap_ms": 0},
        action="call" if source == "same" else "mute",
        called=None,
        wearer=wearer,
        bystander=bystander,
        file="x.wav",
        parts=tuple(parts),
    )


@pytest.fixture(scope="module")
def parts() -> list[HeardPart]:
    sounds = {
        (voice, text): said(voice, text)
        for command in TEXTS
        for text in TEXTS[command]
        for voice in VOICES
    }

    def made() -> Iterator[HeardPart]:
        for command in TEXTS:
            for source in SOURCES:
                one = item(command, source, sounds)
                for part in one.parts:
                    samples = sounds[part.voice, part.text].samples
                    digest = hashlib.sha256(samples.tobytes()).hexdigest()
                    yield HeardPart(one, part.role, samples, 16000, digest)

    return list(made())


def heard(parts: list[HeardPart]) -> tuple[Hearing, dict[str, set[str]]]:
    """What was heard, and the items of findings by check."""
    listener = Listener(Design(Path(), dry=frozenset({"near"})), instruments())
    listener.hear(parts)
    hearing = listener.hearing()
    found: dict[str, set[str]] = {}
    for tally in tallied(hearing.comparisons):
        for finding in tally.findings:
            found.setdefault(tally.check, set()).update(finding.items)
    return hearing, found


def test_nothing_is_found_in_speech_that_is_what_it_says(parts):
    hearing, found = heard(parts)
    assert found == {}
    assert hearing.sounds == 18
    assert hearing.words_judged
    for row in hearing.fields:
        assert row.identified == 1.0
        assert row.wer is not None and row.wer < 0.1
        assert row.own is not None and row.others is not None and row.own > row.others + 0.1
    cosines = {row.condition: row.like_context for row in hearing.conditions if row.like_context}
    assert cosines["same_near_0"] > cosines["different_near_0"] + 0.1
    assert all(row.ovrl is not None and 2 < row.ovrl < 4 for row in hearing.conditions)


def test_triggers_of_two_sources_or_two_commands_that_were_swapped_are_found(parts):
    def exchanged(one: str, other: str) -> list[HeardPart]:
        by_id = {part.item.id: part for part in parts if part.role == "trigger"}
        sounds = {one: by_id[other], other: by_id[one]}
        return [
            replace(part, samples=sound.samples, sha256=sound.sha256)
            if part.role == "trigger" and (sound := sounds.get(part.item.id))
            else part
            for part in parts
        ]

    both = {"unlock__same", "unlock__different"}
    _, found = heard(exchanged(*both))
    assert {"heard.voice", "heard.source"} <= set(found)
    assert all(items == both for items in found.values())
    _, found = heard(exchanged("unlock__same", "book__same"))  # of one voice
    assert found == {"heard.words": {"unlock__same", "book__same"}}
