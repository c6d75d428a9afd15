"""What each check asks, as a reviewer reads it, and what to do where it finds something."""

from __future__ import annotations

from typing import NamedTuple

from synthkit.audit.meters import METERS


class Check(NamedTuple):
    """A check's question in a few words, and the remedy for what it finds."""

    title: str
    remedy: str


AGAIN = "generate the set again; `--prune` takes out what the recipe no longer has"
PROCESSED = "find what was done to the files of one condition alone, and generate them again"
DEAL = "deal voices and nuisances anew, balanced within each tool and split"
WORDS = "give every text the same conditions, or rewrite those that tell"
APART = "deal splits by command, and keep what they hold out apart"
AS_DECLARED = "listen to it; render what the manifest says, or say what was rendered"

MARGINS = "cut or pad all alike, by `post_ms`"
FADES = "fade every part in and out, after the room"

# What to do about a meter that tells two conditions apart, where it says where to look.
METER_REMEDIES = {
    "level": "level after the room, over the speech window",
    "front_margin": MARGINS,
    "post_window": MARGINS,
    "lag": "take the room's known delay out",
    "dc": "take the constant out of speech and response, for all alike",
    "sub_bass": "high-pass all speech before the room",
    "start_step": FADES,
    "end_step": FADES,
}

# By the name of a check, or by what follows the contrast in it.
CHECKS: dict[str, Check] = {
    "file.readable": Check("file is there, mono, 16 bits, nothing besides", AGAIN),
    "file.hash": Check("file is the one in the manifest", "run `synthkit verify` first"),
    "file.parts": Check("every sample is in a part", AGAIN),
    "gap.length": Check("gap has its samples, exactly", AGAIN),
    "gap.silence": Check("gap is digital silence", PROCESSED),
    "part.level": Check("level over the speech window", "level each segment by itself, at the end"),
    "part.clipped": Check(
        "not cut off at full scale", "level it lower, or limit it, before it is written"
    ),
    "part.end": Check("same length after the speech", MARGINS),
    "part.room": Check("response is that of its field's room", AGAIN),
    "part.speech": Check(
        "dry speech fills its window", "trim all voices alike, with the same margins"
    ),
    "words": Check("same words, same tool", "give every condition the row of one script"),
    "cast": Check("same wearer, same bystander", "deal voices by command, not by condition"),
    "bed": Check("same bed", "lay one bed under every condition of a command"),
    "zeros": Check("lengths differ by the gap alone", AGAIN),
    "bytes": Check("what is shared is equal, bit for bit", "render it once and use it twice"),
    "level": Check("same level", "level after the room, over the speech window"),
    "edges": Check("same margins before and after", MARGINS),
    "window": Check(
        "same onset, same length", "take the room's known delay out; cut its decay alike"
    ),
    "rendering": Check("one take, through the declared chains", PROCESSED),
    "applied": Check("field is really applied", "render the field that is declared"),
    "lowpass": Check("less above the cutoff of a low-pass", AGAIN),
    "decay": Check("room is heard in the decay of speech", "render the field that is declared"),
    "room": Check("same room", "render both voices with one impulse response"),
    "voice": Check(
        "another voice, not the same take", "render the trigger in the bystander's voice"
    ),
    "design.target": Check("target follows the rule", "correct the target, or the rule"),
    "design.condition": Check("levels are its condition's", AGAIN),
    "design.segments": Check("speakers and fields are its condition's", AGAIN),
    "design.grid": Check("every condition, once a command", AGAIN),
    "design.command": Check("one tool, split, wording and call a command", AGAIN),
    "design.order": Check("rows of a command stand together", "sort rows by command"),
    "design.cast": Check("one cast and room a command", "deal voices and rooms by command"),
    "design.speakers": Check("bystander is not the wearer", "deal two voices to every command"),
    "design.slots": Check("conditions filled as the slots declare", AGAIN),
    "design.association": Check(
        "factors go together as declared, no more", "spread rows evenly over the grid's conditions"
    ),
    "balance.kind": Check(
        "both voices of one checkpoint and processing", "cast both voices from one kind"
    ),
    "balance.even": Check("voices and pairs used within one, as dealt", AGAIN),
    "balance.held_out": Check("voices and levels are the split's own", AGAIN),
    "balance.voice_tool": Check("voice tells nothing of the tool", DEAL),
    "balance.voice_split": Check("voice tells nothing of the split", DEAL),
    "balance.voice_condition": Check("voice tells nothing of the condition", DEAL),
    "balance.voice_target": Check("voice tells nothing of the target", DEAL),
    "balance.kind_tool": Check("kind of voice tells nothing of the tool", DEAL),
    "balance.kind_split": Check("kind of voice tells nothing of the split", DEAL),
    "balance.kind_condition": Check("kind of voice tells nothing of the condition", DEAL),
    "balance.kind_target": Check("kind of voice tells nothing of the target", DEAL),
    "balance.nuisance_tool": Check("nuisance tells nothing of the tool", DEAL),
    "balance.nuisance_split": Check("nuisance tells nothing of the split", DEAL),
    "balance.nuisance_condition": Check("nuisance tells nothing of the condition", DEAL),
    "balance.nuisance_target": Check("nuisance tells nothing of the target", DEAL),
    "balance.nuisance_voice": Check("nuisance tells nothing of the voices", DEAL),
    "balance.role": Check("each voice wearer as often as bystander", DEAL),
    "balance.pair_order": Check("each pair of voices both ways round", DEAL),
    "balance.pair_uses": Check("each pair of voices as often as any other", DEAL),
    "text.target": Check("no text has one action alone", WORDS),
    "text.tool": Check("tool tells nothing of the action", WORDS),
    "text.family": Check("family of texts tells nothing of the action", WORDS),
    "text.word": Check("no word tells the action", WORDS),
    "leak.command": Check("a command is in one split", APART),
    "leak.context": Check("a context is in one split", APART),
    "leak.trigger": Check("a trigger is in one split", APART),
    "leak.file": Check("a file is in one split", APART),
    "leak.segment": Check("a segment's sound is in one split", APART),
    "leak.held_out": Check("what is held out is in one split", APART),
    "leak.repeated_file": Check("a file is of rows that declare one sound", AGAIN),
    "leak.segment_said": Check("one sound has one text and one voice", AGAIN),
    "leak.repeated_context": Check("no two commands have one context", "rewrite one of the two"),
    "leak.repeated_trigger": Check("no two commands have one trigger", "rewrite one of the two"),
    "heard.speech": Check("there is speech", "listen to it; take the command out, or record again"),
    "heard.words": Check("the words are those of the text", AS_DECLARED),
    "heard.voice": Check("no other voice is clearly closer", AS_DECLARED),
    "heard.identified": Check(
        "triggers are told from the other voices", "cast voices that sound less alike"
    ),
    "heard.source": Check("wearer sounds like the context, bystander less", AS_DECLARED),
}


def check(name: str) -> Check:
    """The check of a name such as ``field.level``, of which the contrast comes first.

    A probe's name is ``probe.`` and its meter.
    """
    group, _, what = name.rpartition(".")
    if group == "probe":
        return Check(METERS[what].reads, METER_REMEDIES.get(what, PROCESSED))
    return CHECKS.get(name) or CHECKS[what]


# In the order of a report: who is compared, by the first part of a check's name.
GROUPS: dict[str, str] = {
    "file": "each file",
    "gap": "each gap",
    "part": "each segment",
    "gap_ms": "two files that differ in the gap",
    "field": "two files that differ in field",
    "source": "two files that differ in source",
    "several": "two files that differ in several factors",
    "modality": "a file and its text",
    "design": "rule and grid",
    "balance": "dealing of voices and nuisances",
    "text": "words against actions",
    "leak": "within and across splits",
    "heard": "what the instruments hear",
}
