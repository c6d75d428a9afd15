"""Speech is kept by content, given back to the bit, and never believed without its hash."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from synthkit.audio import Audio
from synthkit.errors import InputError
from synthkit.generate import generate
from synthkit.plan import make_plan
from synthkit.recipe import read_recipe
from synthkit.speech.cache import SpeechCache, default_cache
from synthkit.speech.engines import tone
from synthkit.speech.voice import Voice, voice
from tests.conftest import DATA

KEY, OTHER = "ab" * 32, "cd" * 32


def speech(seed: int = 1, num_samples: int = 2400) -> Audio:
    samples = np.random.default_rng(seed).standard_normal(num_samples).astype(np.float32)
    return Audio(samples.astype(np.float64), 24000)


@pytest.fixture
def cache(tmp_path: Path) -> SpeechCache:
    return SpeechCache(tmp_path / "speech")


def files(cache: SpeechCache) -> list[Path]:
    return sorted(path for path in cache.folder.rglob("*") if path.is_file())


def test_what_was_put_is_given_back_to_the_bit(cache: SpeechCache) -> None:
    assert cache.get(KEY) is None
    cache.put(KEY, speech())
    kept = cache.get(KEY)
    assert kept is not None
    assert kept.sampling_rate == 24000
    np.testing.assert_array_equal(kept.samples, speech().samples)
    assert cache.get(OTHER) is None


@pytest.mark.parametrize("fault", ["cut", "altered", "empty", "another entry", "longer"])
def test_an_entry_that_is_not_what_was_put_is_made_again(cache: SpeechCache, fault: str) -> None:
    cache.put(KEY, speech())
    (path,) = files(cache)
    content = bytearray(path.read_bytes())
    if fault == "cut":
        path.write_bytes(content[:-100])
    elif fault == "altered":
        content[len(content) // 2] ^= 1
        path.write_bytes(content)
    elif fault == "empty":
        path.write_bytes(b"")
    elif fault == "longer":
        path.write_bytes(content + b"\0")
    else:  # a whole entry, but of another text
        cache.put(OTHER, speech(2))
        other = next(p for p in files(cache) if p != path)
        path.write_bytes(other.read_bytes())
    assert cache.get(KEY) is None
    cache.put(KEY, speech())
    assert cache.get(KEY) is not None


def test_what_was_used_longest_ago_goes_first(tmp_path: Path) -> None:
    # 2,400 samples of 4 bytes and a head: an entry is about 9.7 kB, so three fit into 30 kB.
    cache = SpeechCache(tmp_path, max_bytes=30_000)
    keys = [f"{number:02x}" * 32 for number in range(4)]
    for age, key in enumerate(keys[:3]):
        cache.put(key, speech())
        os.utime(cache._path(key), (1000 + age, 1000 + age))
    assert cache.get(keys[0]) is not None  # used now, so no longer the oldest
    cache.put(keys[3], speech())
    assert [key for key in keys if cache.get(key)] == [keys[0], keys[2], keys[3]]
    assert cache.info().num_bytes <= 30_000


def test_what_killed_writers_left_goes_with_time(cache: SpeechCache) -> None:
    cache.put(KEY, speech())
    old, new = (cache.folder / "ab" / f".synthkit-1-1-{name}.tmp" for name in ("old", "new"))
    for path in (old, new):
        path.write_bytes(b"half")
    os.utime(old, (1000, 1000))
    cache.clear()
    assert files(cache) == [new]  # which may still be written


def test_a_folder_that_takes_no_new_time_is_read(
    cache: SpeechCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.put(KEY, speech())

    def refuse(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "utime", refuse)
    assert cache.get(KEY) is not None


def test_clearing_deletes_entries_and_no_other_file(cache: SpeechCache) -> None:
    cache.put(KEY, speech())
    cache.put(OTHER, speech())
    mine = cache.folder / "ab" / "notes.txt"
    mine.write_text("mine")
    assert cache.clear().entries == 2
    assert files(cache) == [mine]
    assert cache.info().entries == 0


def test_a_cache_that_cannot_be_written_keeps_nothing_and_says_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    cache = SpeechCache(tmp_path / "file")
    cache.put(KEY, speech())
    assert cache.get(KEY) is None


@pytest.mark.parametrize("wanted", ["-1", "many", "1e9", "1.5", "9" * 5000])
def test_a_size_that_is_no_number_is_refused(monkeypatch: pytest.MonkeyPatch, wanted: str) -> None:
    monkeypatch.setenv("SYNTHKIT_CACHE_BYTES", wanted)
    with pytest.raises(InputError, match=r"SYNTHKIT_CACHE_BYTES: found .*; allowed: a number"):
        default_cache()


def test_several_processes_may_share_it(tmp_path: Path) -> None:
    code = (
        "import sys, numpy as np; from pathlib import Path\n"
        "from synthkit.audio import Audio; from synthkit.speech.cache import SpeechCache\n"
        "cache = SpeechCache(Path(sys.argv[1]), 60_000)\n"
        "for n in range(200):\n"
        "    key = f'{n % 8:02x}' * 32\n"
        "    audio = Audio(np.full(2400, float(n % 8)), 24000)\n"
        "    kept = cache.get(key)\n"
        "    assert kept is None or (kept.samples == n % 8).all()\n"
        "    cache.put(key, audio)\n"
    )
    runs = [
        subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], stderr=subprocess.PIPE)
        for _ in range(3)
    ]
    for run in runs:
        _, errors = run.communicate()
        assert run.returncode == 0, errors
    # 60 kB, and at most a twentieth more from each process.
    assert SpeechCache(tmp_path, 60_000).info().num_bytes <= 60_000 + 3 * 13_000


def test_a_hit_speaks_nothing_and_gives_the_same_set(
    cache: SpeechCache, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = make_plan(read_recipe(DATA / "eight_tone.toml"), limit=2)
    generate(plan, tmp_path / "first", cache=cache)
    generate(plan, tmp_path / "without")

    def never(*_: object) -> Audio:
        raise AssertionError("spoken again")

    monkeypatch.setattr(tone.Engine, "speak", never)
    generate(plan, tmp_path / "second", cache=cache)
    sets = [
        {p.name: p.read_bytes() for p in (tmp_path / name).rglob("*") if p.is_file()}
        for name in ("without", "first", "second")
    ]
    assert sets[0] == sets[1] == sets[2]


@pytest.mark.parametrize("name", ["heart/mom", "joe/joe"])
def test_a_hit_loads_no_model(tmp_path: Path, name: str) -> None:
    # A name that is in no lexicon: another network would guess it.
    code = (
        "import sys; import synthkit as sk; from pathlib import Path\n"
        "from synthkit.speech.cache import SpeechCache\n"
        "voice = sk.voice(sys.argv[2], cache=SpeechCache(Path(sys.argv[1])))\n"
        "voice.check('Good night, Zorblatt.', 3)\n"
        "print(voice.speak('Good night, Zorblatt.', 3).samples.tobytes().hex()[-64:])\n"
        "print('onnxruntime' in sys.modules)\n"
    )
    first, second = (
        subprocess.run(
            [sys.executable, "-c", code, str(tmp_path), name],
            check=True,
            capture_output=True,
            text=True,
        ).stdout.split()
        for _ in range(2)
    )
    assert first[1] == "True"
    assert second == [first[0], "False"]


def test_the_same_text_card_and_seed_give_the_same_samples_in_any_thread_and_order() -> None:
    mom = voice("heart/mom")
    texts = [f"Turn on lamp {number}." for number in ("one", "two", "three", "four")]
    expected = {text: mom.speak(text, 5).samples for text in texts}
    found: list[tuple[str, np.ndarray]] = []

    def speak(order: list[str]) -> None:
        speaker = Voice(mom.card, mom.engine)
        found.extend((text, speaker.speak(text, 5).samples) for text in order)

    threads = [threading.Thread(target=speak, args=(texts[n:] + texts[:n],)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 16
    for text, samples in found:
        np.testing.assert_array_equal(samples, expected[text])


def test_what_is_not_an_entry_is_neither_counted_nor_deleted(
    cache: SpeechCache, tmp_path: Path
) -> None:
    cache.put(KEY, speech())
    (cache.folder / "ab" / "interview.speech").write_text("mine")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / f"{'aa' * 32}.speech").write_text("mine too")
    (cache.folder / "aa").symlink_to(elsewhere)
    (cache.folder / "cd").mkdir()
    (cache.folder / "cd" / f"{OTHER}.speech").mkdir()
    assert cache.info().entries == 1
    cache.clear()
    assert cache.info().entries == 0
    assert (cache.folder / "ab" / "interview.speech").read_text() == "mine"
    assert (elsewhere / f"{'aa' * 32}.speech").read_text() == "mine too"
    # A folder in an entry's place: nothing is kept there, and nothing is said.
    cache.put(OTHER, speech())
    assert cache.get(OTHER) is None
