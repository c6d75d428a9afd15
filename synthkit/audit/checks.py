"""What each check asks, as a reviewer reads it, and what to do where it finds something."""

from __future__ import annotations

from typing import NamedTuple


class Check(NamedTuple):
    """A check's question in a few words, and the remedy for what it finds."""

    title: str
    remedy: str


AGAIN = "generate the set again; `--prune` takes out what the recipe no longer has"
PROCESSED = "find what was done to the files of one condition alone, and generate them again"
AS_DECLARED = "listen to it; render what the manifest says, or say what was rendered"

# By the name of a check, or by what follows the contrast in it.
CHECKS: dict[str, Check] = {
    "file.readable": Check("file is there, mono, 16 bits, nothing besides", AGAIN),
    "file.hash": Check("file is the one in the manifest", "run `synthkit verify` first"),
    "file.parts": Check("every sample is in a part", AGAIN),
    "gap.length": Check("gap has its samples, exactly", AGAIN),
    "gap.silence": Check("gap is digital silence", PROCESSED),
    "part.level": Check("level over the speech window", "level each segment by itself, at the end"),
    "part.end": Check("same length after the speech", "cut or pad all alike, by `post_ms`"),
    "part.speech": Check(
        "dry speech fills its window", "trim all voices alike, with the same margins"
    ),
    "words": Check("same words, same tool", "give every condition the row of one script"),
    "cast": Check("same wearer, same bystander", "deal voices by command, not by condition"),
    "bed": Check("same bed", "lay one bed under every condition of a command"),
    "zeros": Check("lengths differ by the gap alone", AGAIN),
    "bytes": Check("what is shared is equal, bit for bit", "render it once and use it twice"),
    "level": Check("same level", "level after the room, over the speech window"),
    "edges": Check("same margins before and after", "cut or pad all alike, by `post_ms`"),
    "window": Check("same onset, same length", "take the room's known delay out"),
    "rendering": Check("one take, through the declared chains", PROCESSED),
    "applied": Check("field is really applied", "render the far field from the conditioned source"),
    "room": Check("same room", "render both voices with one impulse response"),
    "voice": Check(
        "another voice, not the same take", "render the trigger in the bystander's voice"
    ),
    "heard.speech": Check("there is speech", "listen to it; take the command out, or record again"),
    "heard.words": Check("the words are those of the text", AS_DECLARED),
    "heard.voice": Check("no other voice is clearly closer", AS_DECLARED),
    "heard.identified": Check(
        "triggers are told from the other voices", "cast voices that sound less alike"
    ),
    "heard.source": Check("wearer sounds like the context, bystander less", AS_DECLARED),
}


def check(name: str) -> Check:
    """The check of a name such as ``field.level``, of which the contrast comes first."""
    return CHECKS.get(name) or CHECKS[name.rpartition(".")[2]]


# In the order of a report: who is compared, by the first part of a check's name.
GROUPS: dict[str, str] = {
    "file": "each file",
    "gap": "each gap",
    "part": "each segment",
    "gap_ms": "gap / gap",
    "field": "field / field",
    "source": "same / different source",
    "several": "several factors (single / switch)",
    "modality": "audio / text",
    "heard": "what the instruments hear",
}
