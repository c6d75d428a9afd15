"""Words against a recogniser's transcript, annotators against one another, limits by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from synthkit.errors import AudioError, InputError
from synthkit.importing.limits import Limits, Read, shortfalls
from synthkit.importing.review import agreements, read_review
from synthkit.importing.run import Given, import_recordings
from synthkit.importing.take import Settings
from synthkit.importing.words import Recogniser, heard_errors, names, respaced
from synthkit.scripts.prompts import Prompt
from tests.importing.recordings import checks, rows, script, voiced, write


def plain(text: str) -> list[str]:
    return "".join(c if c.isalnum() else " " for c in text.lower()).split()


def prompt(text: str, **params: object) -> Prompt:
    target = {"action": "call", "name": "t", "params": params} if params else None
    return Prompt("p", "p", (("assistant", text),), "en-US", target=target)


def recogniser(heard: str) -> Recogniser:
    return Recogniser("fake", lambda samples, rate: heard, plain)


@pytest.mark.parametrize(
    ("text", "params", "found"),
    [
        ("Call Anna. Then I'll call her mother.", {}, ("Anna",)),
        ("Anna, call me.", {}, ()),
        ("Anna, call me.", {"contact": "Anna"}, ("Anna",)),
        ("Ask Anna Lee, not Bo.", {"contact": "Anna Lee"}, ("Anna", "Lee", "Bo")),
        ("Well, I think I do.", {"minutes": 3}, ()),
        ("Call Anna.", {"contact": "Ann"}, ("Anna",)),
    ],
)
def test_names_are_capitals_within_a_sentence_and_values_of_the_target(
    text: str, params: dict[str, object], found: tuple[str, ...]
) -> None:
    assert names(prompt(text, **params)) == found


@pytest.mark.parametrize(
    ("text", "heard", "errors", "words"),
    [
        ("Call Anna now.", "call hannah now", 0, 2),
        ("Unlock the back door.", "unlock the backdoor", 0, 4),
        ("Open the sunroof.", "open the sun roof", 0, 3),
        ("Start the engine of the van.", "start the engine of the band", 1, 6),
        ("Start the van.", "", 3, 3),
    ],
)
def test_errors_are_counted_without_names_and_without_spaces(
    text: str, heard: str, errors: int, words: int
) -> None:
    found = heard_errors(prompt(text), heard, recogniser(heard))
    assert (found.errors, found.words) == (errors, words)


def test_words_are_not_joined_where_the_text_parts_them() -> None:
    assert respaced(["back", "door"], ["back", "door"]) == ["back", "door"]
    assert respaced(["in", "to"], ["in", "to", "into"]) == ["in", "to"]


def imported(tmp_path: Path, hear: Recogniser, language: str = "") -> dict[str, object]:
    path = script(tmp_path / "talk.jsonl", "a")
    if language:
        path.write_text(path.read_text().replace('"id"', f'"language": "{language}", "id"'))
    write(tmp_path / "in" / "a.wav", voiced())
    given = Given(tmp_path / "in", path)
    import_recordings(given, tmp_path / "out", Settings(), hear)
    return rows(tmp_path / "out")["a"]


def test_a_recording_of_its_words_is_retained_with_its_transcript(tmp_path: Path) -> None:
    row = imported(tmp_path, recogniser("unlock a front door for me"))
    assert (row["status"], row["wer"]) == ("retained", 0.1667)  # 1 of 6 words
    assert row["transcript"] == "unlock a front door for me"


def test_a_recording_of_other_words_is_rejected_with_its_transcript(tmp_path: Path) -> None:
    row = imported(tmp_path, recogniser("what is the weather like"))
    assert (row["status"], checks(row), row["file"]) == ("rejected", ["words"], None)
    assert row["transcript"] == "what is the weather like"
    assert row["reasons"][0]["what"].endswith("allowed: 30%")


def test_a_recogniser_that_fails_rejects_what_it_could_not_hear(tmp_path: Path) -> None:
    def deaf(samples: object, rate: int) -> str:
        raise AudioError("heard nothing")

    row = imported(tmp_path, Recogniser("fake", deaf, plain))
    assert (checks(row), row["transcript"]) == (["words"], None)


def test_a_language_that_is_not_recognised_is_refused_before_any_work(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="a: language de-DE, which is not recognised"):
        imported(tmp_path, recogniser(""), "de-DE")
    assert not (tmp_path / "out").exists()


def review(path: Path, *lines: str) -> Path:
    path.write_text("\n".join(("id,decision,reason,annotator", *lines)) + "\n")
    return path


def test_agreement_is_counted_by_hand(tmp_path: Path) -> None:
    said = {
        "kim": "keep keep keep keep keep reject reject reject reject keep",
        "lee": "keep keep keep keep reject reject reject reject keep keep",
    }
    lines = [
        f"i{number},{decision},noise,{who}"
        for who, decisions in said.items()
        for number, decision in enumerate(decisions.split())
    ]
    ids = [f"i{number}" for number in range(10)]
    (found,) = agreements(read_review(review(tmp_path / "r.csv", *lines), ids))
    assert (found.both_keep, found.both_reject, found.differ) == (5, 3, 2)
    # Each keeps 6 of 10: by chance 0.6 * 0.6 + 0.4 * 0.4 = 0.52; (0.8 - 0.52) / 0.48.
    assert found.kappa == 0.5833


def test_who_agrees_on_one_answer_throughout_has_no_kappa(tmp_path: Path) -> None:
    path = review(tmp_path / "r.csv", "a,keep,,kim", "a,keep,,lee", "b,keep,,kim")
    (found,) = agreements(read_review(path, ["a", "b"]))
    assert (found.both_keep, found.differ, found.kappa) == (1, 0, None)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("c,keep,,kim", "a prompt of the script"),
        ("a,maybe,,kim", "keep, reject"),
        ("a,reject, ,kim", "without a reason"),
        ("a,keep,,", "annotator is empty"),
        ("A,keep,,kim", "twice"),
        ("a,keep", "number of cells"),
    ],
)
def test_a_decision_that_means_nothing_is_refused(tmp_path: Path, line: str, said: str) -> None:
    path = review(tmp_path / "r.csv", "a,reject,noise,kim", line)
    with pytest.raises(InputError, match=said) as refusal:
        read_review(path, ["a", "b"])
    assert "row 3" in str(refusal.value)


@pytest.mark.parametrize(
    ("values", "found"),
    [
        ((16000, 0, 15.0, 5.0), []),
        ((8000, 0, None, 25.0), []),
        ((7999, 1, 14.99, 25.01), ["sampling_rate", "clipping", "signal_to_noise", "length"]),
        ((8000, 0, 15.0, 4.99), ["length"]),
    ],
)
def test_what_is_at_a_limit_is_allowed(
    values: tuple[int, int, float | None, float], found: list[str]
) -> None:
    read = Read(*values, seconds=1.0, letters=20)
    assert [reason.check for reason in shortfalls(read, Limits())] == found


@pytest.mark.parametrize("bounds", [(5.0, 5.0), (6.0, 5.0), (-1.0, 5.0)])
def test_bounds_that_allow_nothing_are_refused(bounds: tuple[float, float]) -> None:
    with pytest.raises(InputError, match="letters a second"):
        Limits(letters_per_second=bounds)
