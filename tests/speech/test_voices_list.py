"""The casts that come along: what they promise about models that are not here."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from hibari.voices import VOICES

from synthkit.cli import main
from synthkit.speech.cards import voice_card, voices

DOWNLOADS = ("emma", "fable", "fenrir", "kore")


@pytest.mark.parametrize("name", DOWNLOADS)
def test_a_card_of_a_downloaded_voice_agrees_with_hibaris_registry(name: str) -> None:
    card = voice_card(f"{name}/{name}")
    assert card.parameters == {"voice": name, "speed": 1.0}
    assert card.language == VOICES[name]["language"]
    person = {"male": "Adult man", "female": "Adult woman"}[VOICES[name]["gender"]]
    assert card.description.startswith(f"{person}, {VOICES[name]['accent']}")
    assert card.checkpoint == f"hibari-{name}"


def test_the_list_says_in_a_line_how_to_get_a_voice_that_is_not_here(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HIBARI_HOME", str(tmp_path))
    lines = CliRunner().invoke(main, ["voices", "list"]).output.splitlines()
    for name in DOWNLOADS:
        row = next(n for n, line in enumerate(lines) if line.startswith(f"{name}/{name} "))
        assert "not on this machine" in lines[row + 1]
        assert f"voice_path('{name}')" in lines[row + 1]
    # No other voice of hibari is missing; espeak-ng's may be.
    assert sum("hibari.voices" in line for line in lines) == len(DOWNLOADS)
    listed = {line.split()[0] for line in lines if "/" in line.split()[0]}
    assert listed == set(voices())
