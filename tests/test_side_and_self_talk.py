"""The scripts of side-talk and self-talk: what is balanced, written and unique in them."""

from __future__ import annotations

import json
import re
from collections import Counter
from itertools import combinations, product
from pathlib import Path

import jsonschema
import pytest
from click.testing import CliRunner

from synthkit.cli import main
from synthkit.resources import folder
from synthkit.scripts import self_talk, side_talk
from synthkit.scripts.inventory import read_inventory
from synthkit.scripts.talk import Talk, read_talk
from synthkit.speech.text import spoken_text

SIDE, SELF = side_talk.build(2026), self_talk.build(2026)
INVENTORY = read_inventory()
WRITTEN = [seed for pool in side_talk.pools().values() for seed in pool]
SEED_OF = {text: seed for seed in WRITTEN for text in (seed.text, seed.rewrite)}


def folded(text: str) -> str:
    """The words alone."""
    return " ".join(re.findall(r"[a-z']+", text.casefold()))


def seeds_of(talk: Talk) -> dict[str, side_talk.SeedUtterance]:
    return {said.to: SEED_OF[said.text] for said in talk.utterances}


@pytest.mark.parametrize(
    ("command", "name", "count"),
    [("side-talk", "side_talk.jsonl", 400), ("self-talk", "self_talk.jsonl", 280)],
)
def test_the_examples_are_built_again_byte_for_byte(
    tmp_path: Path, command: str, name: str, count: int
) -> None:
    out = tmp_path / name
    run = CliRunner().invoke(main, ["scripts", command, "--seed", "2026", "--out", str(out)])
    assert run.exit_code == 0, run.output
    assert f"{count} scripts" in run.output
    assert out.read_bytes() == (folder("examples") / name).read_bytes()


@pytest.mark.parametrize("rows", [SIDE, SELF], ids=["side", "self"])
def test_what_is_written_is_read_back_as_it_was_built(rows: tuple[Talk, ...]) -> None:
    name = f"{rows[0].family}.jsonl"
    assert read_talk(folder("examples") / name) == rows
    assert [row.id for row in rows] == [
        f"{rows[0].family[:4]}_{number:03d}" for number in range(1, len(rows) + 1)
    ]


def test_another_seed_deals_other_scripts_of_the_same_form() -> None:
    others = side_talk.build(7), self_talk.build(7)
    for rows, other in zip((SIDE, SELF), others, strict=True):
        assert {row.utterances for row in rows} != {row.utterances for row in other}
        assert [r.configuration for r in rows] == [r.configuration for r in other]


def test_a_script_that_somebody_changed_is_not_overwritten(tmp_path: Path) -> None:
    out = tmp_path / "side.jsonl"
    out.write_text("mine\n")
    run = CliRunner().invoke(main, ["scripts", "side-talk", "--out", str(out)])
    assert (run.exit_code, out.read_text()) == (2, "mine\n")
    assert run.output.count("\n") == 1
    assert "differs" in run.output


def test_side_talk_has_fifty_scripts_of_each_of_eight_configurations() -> None:
    names = [
        f"{first}_first_{a}_{b}"
        for first, a, b in product(("assistant", "bystander"), ("tool", "chat"), ("tool", "chat"))
    ]
    assert Counter(row.configuration for row in SIDE) == dict.fromkeys(names, 50)
    # Whatever number of scripts is taken from the start, configurations are in balance.
    for end in range(8, 401, 8):
        counts = Counter(row.configuration for row in SIDE[:end])
        assert len(counts) == 8
        assert set(counts.values()) == {end // 8}


def test_a_configuration_says_who_is_spoken_to_first_and_what_about() -> None:
    for row in SIDE:
        first, _, assistant, bystander = row.configuration.split("_")
        assert [said.to for said in row.utterances] == (
            ["assistant", "bystander"] if first == "assistant" else ["bystander", "assistant"]
        )
        kinds = {to: seed.kind for to, seed in seeds_of(row).items()}
        assert kinds == {
            "assistant": f"assistant_{assistant}",
            "bystander": f"bystander_{bystander}",
        }


def test_half_of_each_configuration_is_verbatim_and_in_half_one_utterance_is_rewritten() -> None:
    which: dict[str, Counter[str | None]] = {}
    for row in SIDE:
        rewritten = [said.to for said in row.utterances if said.rewritten]
        assert len(rewritten) <= 1
        which.setdefault(row.configuration, Counter())[rewritten[0] if rewritten else None] += 1
        for said in row.utterances:
            seed = SEED_OF[said.text]
            assert said.text == (seed.rewrite if said.rewritten else seed.text)
    for counts in which.values():
        assert counts[None] == 25
        assert {counts["assistant"], counts["bystander"]} == {12, 13}
    # Over each factor by itself as often one as the other.
    for place, level in (
        (0, "assistant"),
        (0, "bystander"),
        (2, "tool"),
        (2, "chat"),
        (3, "tool"),
        (3, "chat"),
    ):
        own = [c for name, c in which.items() if name.split("_")[place] == level]
        assert sum(c["assistant"] for c in own) == sum(c["bystander"] for c in own) == 50


def test_side_talk_asks_for_the_call_or_for_an_answer_to_the_assistants_part() -> None:
    for row in SIDE:
        seed = seeds_of(row)["assistant"]
        if "_tool_" in row.configuration:
            assert row.tool == seed.tool
            assert row.target == {"action": "call", "name": seed.tool, "params": seed.params}
            tool = INVENTORY.tools[str(row.tool)]
            jsonschema.validate(row.target["params"], tool.parameters)
        else:
            assert row.tool is None
            assert row.target == {"action": "answer", "to": "assistant"}
    tools = Counter(row.tool for row in SIDE if row.tool)
    assert tools == dict.fromkeys(INVENTORY.tools, 20)


def test_no_two_seeds_come_together_twice_and_none_comes_often() -> None:
    pairs = Counter(tuple(seed.text for seed in seeds_of(row).values()) for row in SIDE)
    assert set(pairs.values()) == {1}
    uses = Counter(seed.text for row in SIDE for seed in seeds_of(row).values())
    assert set(uses) == {seed.text for seed in WRITTEN}
    assert max(uses.values()) <= 6
    assert all(len({seed.scene for seed in seeds_of(row).values()}) == 1 for row in SIDE)


def test_seeds_are_forty_of_each_kind_in_other_words_than_the_commands() -> None:
    assert {kind: len(pool) for kind, pool in side_talk.pools().items()} == dict.fromkeys(
        ("assistant_tool", "assistant_chat", "bystander_tool", "bystander_chat"), 40
    )
    texts = [folded(text) for seed in WRITTEN for text in (seed.text, seed.rewrite)]
    assert len(set(texts)) == len(texts) == 320
    commands = (folder("examples") / "commands.jsonl").read_text(encoding="utf-8").splitlines()
    triggers = {folded(json.loads(line)["trigger"]) for line in commands}
    assert not triggers & set(texts)
    for seed in WRITTEN:
        # A message is to hold the words that were said, in either way of saying it.
        message = folded(str((seed.params or {}).get("message", "")))
        assert message in folded(seed.text)
        assert message in folded(seed.rewrite)


def test_polite_words_and_names_do_not_tell_the_addressee() -> None:
    for word in ("please", "could you", "my", "for me"):
        kinds = {seed.kind.split("_")[0] for text, seed in SEED_OF.items() if word in text.lower()}
        assert kinds == {"assistant", "bystander"}, word
    # Neither does speaking in short forms: "we're", "don't", "what's".
    short = re.compile(r"\w(?:'(?:m|re|ll|ve|d)|n't)\b|\b(?:it|that|what|there)'s\b", re.IGNORECASE)
    kinds = Counter(seed.kind for text, seed in SEED_OF.items() if short.search(text))
    assert len(kinds) == 4 and all(12 <= count <= 24 for count in kinds.values()), kinds
    # Of what is said to a bystander, most is said without a name.
    names = ("Leo", "Nina", "Tom", "Maria", "Frank", "Timmy")
    spoken = [seed for seed in WRITTEN if seed.kind.startswith("bystander")]
    named = [seed for seed in spoken if any(name in seed.text for name in names)]
    assert 8 <= len(named) <= len(spoken) / 2


def test_self_talk_has_four_scripts_of_each_frame_with_each_tool() -> None:
    cells = Counter((row.configuration, row.tool) for row in SELF)
    frames = (
        "planning", "regret", "quotation", "sarcasm", "rhetorical_question", "conditional",
        "metaphor",
    )  # fmt: skip
    assert cells == dict.fromkeys(product(frames, INVENTORY.tools), 4)
    assert all(row.target == {"action": "mute"} for row in SELF)
    assert all([said.to for said in row.utterances] == ["nobody"] for row in SELF)


def test_templates_and_cores_of_self_talk_are_used_alike() -> None:
    written = self_talk.seeds()
    templates: Counter[str] = Counter()
    cores: Counter[str] = Counter()
    cells: Counter[tuple[str, str | None]] = Counter()
    for row in SELF:
        text = row.utterances[0].text
        (found,) = [
            (template, core["base"])
            for template in written.frames[row.configuration]
            for core in written.cores[str(row.tool)]
            if template.format_map(core) == text
        ]
        templates[found[0]] += 1
        cores[found[1]] += 1
        cells[found[0], row.tool] += 1
    assert (len(templates), set(templates.values())) == (56, {5})
    assert (len(cores), set(cores.values())) == (70, {4})
    assert set(cells.values()) == {1}, "one frame's words with two cores of a tool are nearly one"


def test_no_core_belongs_to_somebody() -> None:
    for forms in (core for cores in self_talk.seeds().cores.values() for core in cores):
        assert not {"my", "your", "me", "you", "i"} & set(folded(forms["base"]).split())


@pytest.mark.parametrize("rows", [SIDE, SELF], ids=["side", "self"])
def test_no_two_scripts_are_the_same_or_nearly_so(rows: tuple[Talk, ...]) -> None:
    words = [set(folded(" ".join(u.text for u in row.utterances)).split()) for row in rows]
    texts = {folded(" ".join(u.text for u in row.utterances)) for row in rows}
    assert len(texts) == len(rows)
    # Two that share an utterance differ in the whole other one.
    most = max(len(a & b) / len(a | b) for a, b in combinations(words, 2))
    assert most < 0.85


@pytest.mark.parametrize("rows", [SIDE, SELF], ids=["side", "self"])
def test_every_text_is_said_as_it_is_written(rows: tuple[Talk, ...]) -> None:
    for row in rows:
        for said in row.utterances:
            assert spoken_text(said.text, row.language, row.id) == said.text.replace('"', "")
            assert said.text[0].isupper()
            assert said.text.rstrip('"')[-1] in ".?!"
