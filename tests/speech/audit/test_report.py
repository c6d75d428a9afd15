"""An audit as lines, verdict, JSON and picture, from figures written by hand."""

from __future__ import annotations

import builtins
import json
import sys
from dataclasses import replace

import pytest
from click.testing import CliRunner

from synthkit.cli import main
from synthkit.errors import InputError
from synthkit.speech.audit.limits import shortfalls, worst
from synthkit.speech.audit.picture import draw
from synthkit.speech.audit.record import record
from synthkit.speech.audit.table import figures, lines
from tests.speech.audit.figures import AUDIT, CAST, COSINES, changed


def squeezed(line: str) -> str:
    return " ".join(line.split())


def test_a_voice_is_one_line_under_heads_and_units():
    head, units, ann, _, cy, dee = figures(AUDIT)
    assert squeezed(head) == (
        "voice WER names numbers DNSMOS F0 spread rate spread band limited by ident."
    )
    assert squeezed(units) == "% % % ovrl sig p808 Hz st syll/s syll/s Hz % dB %"
    assert squeezed(ann) == "cast/ann 1.0 50 100 3.21 3.50 3.90 204 3.3 4.81 0.36 2467 25 1.6 100"
    assert cy.split()[7:9] == ["-", "-"]
    assert dee.split()[2] == dee.split()[-1] == "-"
    assert len({len(line) for line in (units, ann, cy, dee)}) == 1


def test_matrices_show_each_pair_once_with_numbered_columns():
    rows = [squeezed(line) for line in lines(AUDIT)]
    start = rows.index("cosine of mean speaker embeddings")
    assert rows[start + 1 : start + 4] == [
        "1 cast/ann",
        "2 cast/bob 0.820",
        "3 cast/cy 0.700 0.600",
    ]
    assert rows[start + 5] == "1 2 3"
    assert "3 cast/cy 20 30" in rows
    assert {"2 cast/bob -", "3 cast/cy 0.50 0.50"} <= set(rows)


def test_the_closest_pair_is_told_within_a_kind_and_over_all():
    text = "\n".join(lines(AUDIT))
    assert "closest of one kind      0.820  cast/ann and cast/bob\n" in text
    assert "closest of all           0.950  cast/ann and other/dee\n" in text
    one_kind = replace(AUDIT, voices=AUDIT.voices[:3])
    assert "closest pair             0.820  cast/ann and cast/bob\n" in "\n".join(lines(one_kind))


def test_figures_at_their_limit_are_good_and_short_of_their_aim():
    # 0.82, 90 %: at the limit; a pair of two kinds at 0.95 is not judged.
    assert shortfalls(AUDIT) == ()
    last = list(lines(AUDIT))
    assert last[-1] == "4 voices, 34 sentences each; 0 of 14 figures over a limit: all good"
    (cosine,) = [line for line in last if line.startswith("cosine of a pair")]
    assert squeezed(cosine).endswith("0.82 0.75 0.82 cast/ann and cast/bob, short of the aim")
    (wer,) = [line for line in last if line.startswith("word errors")]
    assert "short of" not in wer


@pytest.mark.parametrize(
    ("index", "figure", "line"),
    [
        (0, {"wer": 0.0501}, "cast/ann: word errors 5.0 %; allowed: at most 5.0 %"),
        (1, {"wer": 0.125}, "cast/bob: word errors 12.5 %; allowed: at most 5.0 %"),
        (2, {"identified": 0.88}, "cast/cy: identified 88.0 %; allowed: at least 90.0 %"),
    ],
)
def test_a_voice_over_a_limit_is_named(index, figure, line):
    bad = changed(index, **figure)
    assert [finding.line for finding in shortfalls(bad)] == [line]
    assert list(lines(bad))[-2] == line
    assert list(lines(bad))[-1].endswith("1 of 14 figures over a limit: NOT GOOD")


def test_a_pair_over_the_limit_is_named_and_only_of_one_kind():
    cosines = [list(row) for row in COSINES]
    cosines[2][1] = cosines[1][2] = 0.8201
    bad = replace(AUDIT, cast=replace(CAST, cosines=tuple(map(tuple, cosines))))
    assert [finding.line for finding in shortfalls(bad)] == [
        "cast/bob and cast/cy: cosine of a pair of one kind 0.82; allowed: at most 0.82"
    ]


def test_the_worst_of_each_criterion_is_found():
    found = {finding.criterion.name: finding for finding in worst(AUDIT)}
    assert found["word errors"].who == ("cast/bob",)
    assert found["identified"].value == 0.9
    alone = replace(AUDIT, voices=AUDIT.voices[3:], cast=replace(CAST, ids=("other/dee",)))
    assert [f.criterion.name for f in worst(alone)] == ["word errors", "DNSMOS overall"]


def test_the_record_is_strict_json_with_its_verdict():
    text = json.dumps(record(AUDIT), allow_nan=False)
    found = json.loads(text)
    assert found["good"] is True
    assert found["shortfalls"] == []
    assert len(found["sentences"]) == 34
    assert found["voices"][0]["kind"] == {
        "checkpoint": "one", "processing": "none", "language": "en-US"
    }  # fmt: skip
    assert found["voices"][0]["words"]["errors"] == 2
    assert found["cast"]["closest_pair"] == {"voices": ["cast/ann", "cast/bob"], "value": 0.82}
    bad = record(changed(0, wer=0.2))
    assert bad["good"] is False
    assert bad["shortfalls"] == [{"criterion": "word errors", "voices": ["cast/ann"], "value": 0.2}]


def test_the_picture_depends_on_the_figures_alone(tmp_path):
    for name in ("one.png", "other.png"):
        draw(AUDIT, tmp_path / name)
    one, other = ((tmp_path / name).read_bytes() for name in ("one.png", "other.png"))
    assert one.startswith(b"\x89PNG")
    assert one == other
    draw(changed(1, wer=0.2), tmp_path / "third.png")
    assert (tmp_path / "third.png").read_bytes() != one


def test_without_matplotlib_the_extra_is_named(tmp_path, monkeypatch):
    real = builtins.__import__

    def refuse(name, *rest, **more):
        if name.startswith("matplotlib"):
            raise ImportError(name)
        return real(name, *rest, **more)

    for name in [name for name in sys.modules if name.startswith("matplotlib")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(InputError, match=r"pip install 'synthkit\[plots\]'"):
        draw(AUDIT, tmp_path / "x.png")
    assert list(tmp_path.iterdir()) == []


def test_the_command_names_missing_packages_before_a_voice_speaks(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "faster_whisper", None)
    record_path = tmp_path / "heart.json"
    run = CliRunner().invoke(main, ["voices", "audit", "heart", "--json", str(record_path)])
    assert run.exit_code == 2
    (line,) = run.output.splitlines()
    assert line.startswith("synthkit: instruments: Python package ")
    assert "faster_whisper" in line
    assert line.endswith("pip install --no-deps resemblyzer==0.1.4")
    assert not record_path.exists()
