"""The report page in a real browser: Debian's Chromium, driven by selenium."""

from __future__ import annotations

import json
import os
import shutil
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
import tomli_w
from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.support.wait import WebDriverWait

from synthkit.generate import generate
from synthkit.manifest import Row, read_manifest
from synthkit.plan import make_plan
from synthkit.recipe import read_recipe
from synthkit.report.page import write_page

ROOT = Path(__file__).resolve().parents[1]
VOICES = ROOT / "tests" / "data" / "voices" / "tone"
FLAGS = (
    "--headless=new --no-sandbox --disable-gpu --disable-quic --no-first-run "
    "--disable-background-networking --disable-component-update --disable-sync "
    "--window-size=1280,1000"
)
HOSTILE = {
    "id": "hostile_01",
    "tool": "unlock_door",
    "context": "<script>document.title = 'taken'</script> \"it's\" & <img src=x onerror=alert(2)>",
    "trigger": "</p></div><b id='made-by-text'>Unlock</b> the \"front\" 'door'.",
}
# What each player knows once it has loaded its metadata.
PLAYERS = """
return [...document.querySelectorAll('audio')].map(player => ({
  src: player.getAttribute('src'), ready: player.readyState, duration: player.duration,
  error: player.error && player.error.message }));
"""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of two commands of the demo and one that tries to be markup, by fast voices."""
    home = tmp_path_factory.mktemp("a set")
    recipe = tomllib.loads((ROOT / "examples/demo.toml").read_text(encoding="utf-8"))
    script = (ROOT / "examples" / recipe["scripts"]).read_text(encoding="utf-8")
    rows = [*script.splitlines()[:2], json.dumps(HOSTILE)]
    (home / "commands.jsonl").write_text("\n".join(rows) + "\n", encoding="utf-8")
    cards = sorted(VOICES.glob("*.toml"))
    recipe |= {"scripts": "commands.jsonl", "voices": [str(card) for card in cards]}
    (home / "recipe.toml").write_text(tomli_w.dumps(recipe), encoding="utf-8")
    outcome = generate(make_plan(read_recipe(home / "recipe.toml")), home / "out")
    assert not outcome.failures
    return write_page(home / "out")


@pytest.fixture(scope="module")
def browser(page: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[webdriver.Chrome]:
    """A browser that has opened the page from disk and loaded what it names."""
    chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
    assert chromium and driver, "needs Debian's packages chromium and chromium-driver"
    options = Options()
    options.binary_location = chromium
    for flag in FLAGS.split():
        options.add_argument(flag)
    options.add_argument(f"--user-data-dir={tmp_path_factory.mktemp('profile')}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    window = webdriver.Chrome(options=options, service=Service(driver))
    try:
        window.get(page.as_uri())
        WebDriverWait(window, 60).until(
            lambda window: all(p["ready"] or p["error"] for p in window.execute_script(PLAYERS))
        )
        yield window
    finally:
        window.quit()


@pytest.fixture(scope="module")
def audio_rows(page: Path) -> list[Row]:
    return [row for row in read_manifest(page.parent) if row["file"]]


def test_every_player_loads_with_the_duration_of_the_manifest(
    browser: webdriver.Chrome, audio_rows: list[Row]
) -> None:
    players = browser.execute_script(PLAYERS)
    assert [player["src"] for player in players] == [row["file"] for row in audio_rows]
    assert len(players) == 3 * 8
    for player, row in zip(players, audio_rows, strict=True):
        assert player["error"] is None and player["ready"] >= 1, player
        assert player["duration"] == pytest.approx(row["duration"], abs=0.001), player


def test_text_of_a_command_shows_as_text_and_makes_no_element(browser: webdriver.Chrome) -> None:
    shown = browser.find_element(By.TAG_NAME, "body").text
    assert HOSTILE["context"] in shown
    assert HOSTILE["trigger"] in shown
    assert not browser.find_elements(By.CSS_SELECTOR, "script, img, #made-by-text, [onerror]")
    assert browser.title == "demo"


def test_the_console_stays_empty(browser: webdriver.Chrome) -> None:
    assert browser.get_log("browser") == []


def test_the_page_fits_a_narrow_window(browser: webdriver.Chrome) -> None:
    overflow = "return document.documentElement.scrollWidth - document.documentElement.clientWidth"
    before = browser.get_window_size()
    browser.set_window_size(500, 900)
    try:
        assert browser.execute_script(overflow) <= 0
    finally:
        browser.set_window_size(before["width"], before["height"])


def test_screenshot(browser: webdriver.Chrome) -> None:
    """Set SYNTHKIT_SCREENSHOT to a PNG file to look at the page."""
    wanted = os.environ.get("SYNTHKIT_SCREENSHOT")
    shot = browser.get_screenshot_as_png()
    assert len(shot) > 10_000, "an empty page"
    if wanted:
        Path(wanted).write_bytes(shot)
