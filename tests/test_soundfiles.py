"""Sound files of any kind: what is read, what is remarked, what is refused."""

from __future__ import annotations

import io
import os
import struct
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import soundfile
from hypothesis import given, settings
from hypothesis import strategies as st

from synthkit import soundfiles
from synthkit.errors import AudioError
from synthkit.soundfiles import Sound, read_sound, read_sound_bytes
from synthkit.wav import mono_of, pcm16_of, read_mono, wav_bytes

RATE = 16000
PCM = np.arange(-300, 300, dtype=np.int16)
# MP3 has a test of its own, RAW no header, SD2 its header in a second file, and SDS is refused.
NOT_HERE = {"MP3", "RAW", "SD2", "SDS"}
KINDS = [
    (container, subtype)
    for container in sorted(soundfile.available_formats())
    if container not in NOT_HERE
    for subtype in sorted(soundfile.available_subtypes(container))
    # libsndfile says it can, and can't: the second loses blocks of ten samples
    if (container, subtype) not in (("AIFF", "DWVW_12"), ("PAF", "PCM_24"))
]
# A step of full scale. Reading back is within two: libsndfile cuts off what is below a step when
# it writes, and scales by a step less than full scale.
STEP = {"PCM_S8": 2**-7, "PCM_U8": 2**-7, "PCM_16": 2**-15, "PCM_24": 2**-23, "PCM_32": 2**-31}
STEP |= {"ALAC_16": 2**-15, "FLOAT": 2**-24, "DOUBLE": 0.0, "DWVW_16": 2**-15, "DWVW_24": 2**-23}
STEP |= {"DPCM_8": 2**-6, "DPCM_16": 2**-14}  # each sample a difference to the last
BLOCKS = 4096  # coded sound comes in blocks of less than this


def written(
    container: str, subtype: str, samples: np.ndarray | None = None, rate: int = RATE
) -> bytes:
    file = io.BytesIO()
    samples = PCM / 32768 if samples is None else samples
    soundfile.write(file, samples, rate, format=container, subtype=subtype)
    return file.getvalue()


def chunk(name: bytes, content: bytes, size: int | None = None) -> bytes:
    return name + struct.pack("<I", len(content) if size is None else size) + content


def riff(*chunks: bytes) -> bytes:
    content = b"WAVE" + b"".join(chunks)
    return chunk(b"RIFF", content)


FMT = chunk(b"fmt ", struct.pack("<HHIIHH", 1, 1, RATE, 2 * RATE, 2, 16))
DATA = chunk(b"data", PCM.tobytes())


def same(sound: Sound) -> bool:
    return bool((sound.samples[:, 0] * 32768 == PCM).all()) and sound.sampling_rate == RATE


@settings(max_examples=250, deadline=None)
@given(
    st.sampled_from(KINDS),
    st.integers(1, 4),
    st.sampled_from([4000, 8000, 11025, 16000, 22050, 44100, 48000, 96000]),
    st.integers(1, 5000),
    st.integers(0, 2**32 - 1),
)
def test_what_was_written_is_read_back(
    kind: tuple[str, str], channels: int, rate: int, num_samples: int, seed: int
) -> None:
    container, subtype = kind
    samples = np.random.default_rng(seed).uniform(-0.9, 0.9, (num_samples, channels))
    try:
        content = written(container, subtype, samples, rate)
        found_rate, found_channels = (
            (i := soundfile.info(io.BytesIO(content))).samplerate,
            i.channels,
        )
    except soundfile.LibsndfileError:
        return  # no such rate, or so many channels, in this kind
    sound = read_sound_bytes(content, "a")
    assert (sound.container, sound.subtype) == kind
    assert (sound.sampling_rate, sound.samples.shape[1]) == (found_rate, found_channels)
    assert not sound.cut_short
    assert all("cannot be told" in remark for remark in sound.remarks)
    found = len(sound.samples)
    assert found >= num_samples
    error = np.abs(sound.samples[:num_samples] - samples)
    if subtype in STEP:
        # libsndfile counts the pad byte of an odd AIFF, and a byte of VOC, as a sample.
        assert found - num_samples in ((0, 1) if container in ("AIFF", "VOC") else (0,))
        assert error.max() <= 2 * STEP[subtype]
    elif subtype in ("ULAW", "ALAW"):
        # G.711: 16 steps in each octave, the lowest as wide as 2^-8 and less.
        assert (error <= np.abs(samples) / 16 + 2**-8).all()
    assert found < num_samples + BLOCKS


@pytest.mark.parametrize("bits", [20, 24, 32])
def test_apple_lossless_is_read_back(bits: int) -> None:
    # Of tones: libsndfile writes noise of several channels wrongly, as ffmpeg reads it too.
    tones = 0.5 * np.sin(np.outer(np.arange(5000), [0.05, 0.07]))
    sound = read_sound_bytes(written("CAF", f"ALAC_{bits}", tones), "a.caf")
    assert np.abs(sound.samples - tones).max() <= 2.0 ** (1 - bits) * (1 + 1e-9)


BASES = [
    written("WAV", "PCM_16"),
    written("WAV", "FLOAT"),
    written("WAV", "MS_ADPCM"),
    written("WAVEX", "PCM_24"),
    written("RF64", "PCM_16"),
    written("W64", "PCM_16"),
    written("AIFF", "PCM_16"),
    written("AU", "PCM_16"),
    written("CAF", "PCM_16"),
    written("NIST", "PCM_16"),
    written("FLAC", "PCM_16"),
    written("OGG", "VORBIS"),
    riff(chunk(b"LIST", b"INFO"), FMT, DATA, chunk(b"id3 ", b"abc\0")),
]
SIZES = [0, 1, 2, 64, 0x7FFF, 0xFFFF, 0x7FFFFFFF, 0x7FFFF000, 0x80000000, 0xFFFFFFFE, 0xFFFFFFFF]
JUNK = st.one_of(
    st.binary(max_size=12), st.builds(lambda size: struct.pack("<I", size), st.sampled_from(SIZES))
)
EDITS = st.lists(st.tuples(st.integers(0, 120), st.integers(0, 12), JUNK), max_size=4)


@settings(max_examples=500, deadline=None)
@given(st.sampled_from(BASES), EDITS, st.one_of(st.none(), st.integers(0, 1500)))
def test_a_damaged_file_is_sound_or_one_line(
    base: bytes, edits: list[tuple[int, int, bytes]], end: int | None
) -> None:
    content = base
    for at, removed, put in edits:
        content = content[:at] + put + content[at + removed :]
    for read in (read_sound_bytes, mono_of, pcm16_of):
        try:
            found = read(content[:end], "a.wav")
        except AudioError as error:
            assert str(error).startswith("a.wav: ")
            assert str(error).isprintable()
        else:
            if isinstance(found, Sound):
                assert len(found.samples) > 0
                assert np.isfinite(found.samples).all()


@pytest.mark.parametrize("magic", [b"RIFF", b"RIFX"])
@pytest.mark.parametrize(
    ("size", "remark"),
    [
        (1200, None),
        (64000, "cut short: 600 of 32000 samples"),
        (1202, "cut short: 600 of 601 samples"),
        (0xFFFFFFFF, "length in header unknown (stream)"),
        (0x7FFFF000, "length in header unknown (stream)"),
        (0xFFFFFFFF - 44, "length in header unknown (stream)"),
        (0x80000000, "length in header unknown (stream)"),
        (0, "length in header 0: 600 samples found"),
        (2**30, "cut short: 600 of 536870912 samples"),
    ],
)
def test_a_length_in_the_header_is_not_believed(
    magic: bytes, size: int, remark: str | None
) -> None:
    order = ">" if magic == b"RIFX" else "<"
    fmt = struct.pack(f"{order}4sIHHIIHH", b"fmt ", 16, 1, 1, RATE, 2 * RATE, 2, 16)
    data = struct.pack(f"{order}4sI", b"data", size) + PCM.astype(f"{order}i2").tobytes()
    content = magic + struct.pack(f"{order}I", 4 + len(fmt + data)) + b"WAVE" + fmt + data
    sound = read_sound_bytes(content, "a.wav")
    assert same(sound)
    assert sound.remarks == ((remark,) if remark else ())
    cut = remark is not None and remark.startswith("cut")
    assert sound.cut_short == cut
    if cut:
        with pytest.raises(AudioError, match=rf"^a\.wav: {remark}; allowed: a whole file$"):
            mono_of(content, "a.wav")
    else:
        np.testing.assert_array_equal(mono_of(content, "a.wav").samples, PCM / 32768)


@pytest.mark.parametrize("container", ["RF64", "W64", "AIFF", "AU", "CAF", "NIST", "WAVEX", "WAV"])
def test_a_file_that_lost_its_end_says_what_is_missing(container: str) -> None:
    content = written(container, "PCM_16")
    start = len(content) - 2 * len(PCM) - len(content) % 2
    sound = read_sound_bytes(content[: start + 1196], "a")
    assert sound.cut_short
    found = len(sound.samples)
    assert 590 <= found <= 598  # what of the 600 is left, after a header of either length
    assert sound.remarks == (f"cut short: {found} of 600 samples",)
    np.testing.assert_array_equal(sound.samples[:, 0] * 32768, PCM[:found])


@pytest.mark.parametrize(
    ("container", "subtype"), [("WAV", "IMA_ADPCM"), ("WAV", "GSM610"), ("AIFF", "DWVW_16")]
)
def test_coded_sound_that_lost_its_end_is_told_in_bytes(container: str, subtype: str) -> None:
    content = written(container, subtype, np.tile(PCM, 20) / 32768)
    sound = read_sound_bytes(content[:-100], "a")
    assert sound.cut_short
    assert sound.remarks[0].endswith("bytes of sound")


def test_a_stream_of_flac_that_does_not_know_its_length_is_whole() -> None:
    content = bytearray(written("FLAC", "PCM_16", np.tile(PCM, 30) / 32768))
    at = content.index(b"fLaC") + 8 + 13  # the 36 bits of STREAMINFO that count samples
    content[at] &= 0xF0
    content[at + 1 : at + 5] = bytes(4)
    sound = read_sound_bytes(bytes(content), "a.flac")
    np.testing.assert_array_equal(sound.samples[:, 0] * 32768, np.tile(PCM, 30))
    assert not sound.cut_short


def test_flac_that_claims_more_is_cut_short_and_a_torn_block_is_damage() -> None:
    content = bytearray(written("FLAC", "PCM_16", np.tile(PCM, 30) / 32768))
    with pytest.raises(AudioError, match=r"^a\.flac: damaged or cut short after sample 12288 \("):
        read_sound_bytes(bytes(content[:-500]), "a.flac")
    at = content.index(b"fLaC") + 8 + 14
    content[at : at + 4] = struct.pack(">I", 36000)
    assert read_sound_bytes(bytes(content), "a.flac").remarks == (
        "cut short: 18000 of 36000 samples",
    )


@pytest.mark.parametrize("subtype", ["VORBIS", "OPUS"])
def test_an_ogg_file_without_its_last_page_is_cut_short(subtype: str) -> None:
    noise = np.random.default_rng(1).uniform(-0.1, 0.1, 160000)
    content = written("OGG", subtype, noise)
    assert not read_sound_bytes(content, "a.ogg").cut_short
    sound = read_sound_bytes(content[: content.rindex(b"OggS")], "a.ogg")
    assert sound.cut_short
    assert sound.remarks == ("cut short: no end of stream",)
    assert 0 < len(sound.samples) < 160000


def test_mp3_is_read_and_known_when_cut(tmp_path: Path) -> None:
    noise = np.random.default_rng(1).uniform(-0.1, 0.1, 48000)
    (tmp_path / "a.mp3").write_bytes(written("MP3", "MPEG_LAYER_III", noise))
    sound = read_sound(tmp_path / "a.mp3")
    assert (sound.container, len(sound.samples), sound.cut_short) == ("MP3", 48000, False)
    sound = read_sound_bytes((tmp_path / "a.mp3").read_bytes()[:-3000], "a.mp3")
    assert sound.cut_short
    assert sound.remarks == (f"cut short: {len(sound.samples)} of 48000 samples",)


@pytest.mark.parametrize(
    ("content", "loose"),
    [
        (riff(FMT, DATA, chunk(b"id3 ", bytes(range(200)))), 0),
        (riff(chunk(b"LIST", b"INFO" + bytes(4000)), FMT, DATA), 0),
        (riff(chunk(b"LIST", b"abc") + b"\0", FMT, DATA), 0),  # odd, padded
        (riff(FMT, DATA, chunk(b"id3 ", b"abc") + b"\0"), 0),
        (riff(FMT, DATA, chunk(b"id3 ", b"abc")), 0),  # its pad byte forgotten
        (riff(chunk(b"zzzz", b"1234"), FMT, chunk(b"fact", bytes(4)), DATA), 0),
        (riff(FMT, DATA) + b"junk, not a chunk", 17),
        (riff(FMT, DATA) + bytes(512), 512),
    ],
)
def test_sound_is_the_data_chunk_and_nothing_else(content: bytes, loose: int) -> None:
    sound = read_sound_bytes(content, "a.wav")
    assert same(sound)
    assert len(sound.samples) == 600
    assert sound.remarks == ((f"{loose} bytes after the sound that are no chunk",) if loose else ())
    with pytest.raises(AudioError, match=r"^a\.wav: .*allowed: a header of 44 bytes and the samp"):
        pcm16_of(content, "a.wav")


def test_no_sound_before_other_chunks_is_none() -> None:
    empty = chunk(b"data", b"")
    for content in (riff(FMT, empty), riff(FMT, empty, chunk(b"LIST", b"INFO"))):
        with pytest.raises(AudioError, match=r"^a\.wav: 0 samples$"):
            read_sound_bytes(content, "a.wav")


@pytest.mark.parametrize("subtype", ["FLOAT", "DOUBLE"])
@pytest.mark.parametrize("container", ["WAV", "WAVEX", "AIFF", "AU", "CAF", "W64", "RF64"])
def test_floats_over_full_scale_stay_as_they_are(container: str, subtype: str) -> None:
    samples = np.array([0.5, 2.0, -3.5, 100.0])
    sound = read_sound_bytes(written(container, subtype, samples), "a")
    np.testing.assert_array_equal(sound.samples[:, 0], samples)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, 1e30])
def test_samples_that_are_no_numbers_are_refused(bad: float) -> None:
    content = written("WAV", "FLOAT", np.array([[0.0, 0.1], [bad, 0.1]]))
    with pytest.raises(AudioError, match=r"^a\.wav: sample 1 is \[.*, 0\.1.*\]; allowed: finite"):
        read_sound_bytes(content, "a.wav")


def fmt(channels: int = 1, rate: int = RATE) -> bytes:
    width = 2 * channels % 2**16
    fields = (1, channels, rate, rate * width % 2**32, width, 16)
    return chunk(b"fmt ", struct.pack("<HHIIHH", *fields))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (riff(fmt(65), DATA), "65 channels; allowed: up to 64"),
        (riff(fmt(0), DATA), "not a readable sound file"),
        (riff(fmt(65535), DATA), "not a readable sound file"),
        (riff(fmt(rate=3999), DATA), "sampling rate 3999 Hz; allowed: 4000 to 768000"),
        (riff(fmt(rate=768001), DATA), "sampling rate 768001 Hz"),
        (riff(fmt(rate=0), DATA), "not a readable sound file"),
        (riff(fmt(rate=2**32 - 1), DATA), "not a readable sound file|sampling rate"),
        (riff(FMT), "not a readable sound file"),
        (riff(FMT, DATA)[:30], "not a readable sound file"),
        (riff(DATA), "not a readable sound file"),
        (riff(FMT, DATA) + riff(FMT, DATA), "not a readable sound file"),
        (riff(*[chunk(b"zzzz", b"")] * 20000, FMT, DATA), "more than 10000 chunks; allowed: up to"),
        (riff(FMT, DATA, *[chunk(b"zzzz", b"")] * 20000), "more than 10000 chunks; allowed: up to"),
        (written("SDS", "PCM_16"), "found a MIDI sample dump; allowed: WAV, FLAC"),
        (b"", "not a readable sound file"),
    ],
)
def test_what_no_recorder_writes_is_refused(content: bytes, message: str) -> None:
    with pytest.raises(AudioError, match=rf"^a\.wav: ({message})"):
        read_sound_bytes(content, "a.wav")


def test_more_than_an_hour_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(soundfiles, "MAX_SECONDS", 1)
    read_sound_bytes(written("FLAC", "PCM_16", np.zeros(RATE)), "a.flac")
    with pytest.raises(AudioError, match=r"^a\.flac: longer than 1 s; allowed: up to that$"):
        read_sound_bytes(written("FLAC", "PCM_16", np.zeros(RATE + 1)), "a.flac")
    monkeypatch.setattr(soundfiles, "MAX_VALUES", 2 * RATE)  # of all channels together
    with pytest.raises(AudioError, match=r"^a\.flac: longer than 0\.5 s; allowed"):
        read_sound_bytes(written("FLAC", "PCM_16", np.zeros((RATE, 4))), "a.flac")


HUNGRY = """
import resource, struct, sys
from pathlib import Path
from synthkit.errors import AudioError
from synthkit.soundfiles import read_sound
files = [Path(name) for name in sys.argv[1:]]
read_sound(files[0])
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
for file in files:
    try:
        read_sound(file)
    except AudioError:
        pass
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


def test_no_claim_makes_memory_be_taken(tmp_path: Path) -> None:
    pytest.importorskip("resource", reason="Windows does not say how much memory was taken")
    flac = bytearray(written("FLAC", "PCM_16"))
    at = flac.index(b"fLaC") + 8 + 13
    flac[at : at + 5] = b"\xff" * 5
    contents = [
        riff(FMT, DATA),
        riff(fmt(64), chunk(b"data", PCM.tobytes(), 0xFFFFFFF0)),
        riff(fmt(rate=768000), chunk(b"data", PCM.tobytes(), 0x7FFFF000)),
        riff(chunk(b"LIST", b"INFO", 0xFFFFFFF0), FMT, DATA),
        riff(FMT, DATA, chunk(b"LIST", b"INFO", 0x7FFFFFFF)),
        bytes(flac),
    ]
    paths = [tmp_path / f"{number}.wav" for number in range(len(contents))]
    for path, content in zip(paths, contents, strict=True):
        path.write_bytes(content)
    with (tmp_path / "sparse.wav").open("wb") as file:  # all of 1 TB, as the file system says
        file.write(riff(FMT, DATA))
        file.truncate(2**40)
    command = [sys.executable, "-c", HUNGRY, *map(str, paths), str(tmp_path / "sparse.wav")]
    run = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    unit = 1 if sys.platform == "darwin" else 1024
    assert int(run.stdout) * unit < 32 * 2**20
    assert run.stderr == ""


def test_only_regular_files_are_opened(tmp_path: Path) -> None:
    places = [tmp_path, tmp_path / "none.wav", tmp_path / "a\0b.wav"]
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe.wav")  # opening it would wait for a writer
        places += [tmp_path / "pipe.wav", Path("/dev/zero")]
    for place in places:
        for read in (read_sound, read_mono):
            with pytest.raises(AudioError, match="not a readable sound file") as caught:
                read(place)
            assert str(caught.value).isprintable()


def test_a_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "a.wav").write_bytes(wav_bytes(PCM, RATE))
    (tmp_path / "b.wav").symlink_to(tmp_path / "a.wav")
    assert same(read_sound(tmp_path / "b.wav"))


@pytest.mark.parametrize("name", ["a.raw", "a.pcm", "a.vox", "a.gsm", "a.au", "a.snd", "a.wav"])
def test_what_has_no_header_is_not_guessed(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(PCM.tobytes())
    with pytest.raises(AudioError, match=rf"^{name}: not a readable sound file"):
        read_sound(tmp_path / name)


@pytest.mark.parametrize(
    ("name", "container", "remarks"),
    [
        ("a.wav", "FLAC", ("extension .wav, found FLAC",)),
        ("a.FLAC", "WAV", ("extension .flac, found WAV",)),
        ("a.wav", "WAVEX", ()),
        ("a.WAV", "RF64", ()),
        ("a.wav", "NIST", ("extension .wav, found NIST",)),
        ("a.take", "WAV", ()),
        ("a", "FLAC", ()),
    ],
)
def test_an_extension_that_is_not_true_is_remarked(
    tmp_path: Path, name: str, container: str, remarks: tuple[str, ...]
) -> None:
    (tmp_path / name).write_bytes(written(container, "PCM_16"))
    sound = read_sound(tmp_path / name)
    assert (sound.container, sound.remarks) == (container, remarks)


def test_a_kind_that_may_be_cut_without_a_trace_is_read_but_not_imported(tmp_path: Path) -> None:
    path = tmp_path / "a.voc"
    path.write_bytes(written("VOC", "PCM_16"))
    assert read_sound(path).remarks == ("VOC: whether it is whole cannot be told",)
    with pytest.raises(AudioError, match=r"^a\.voc: found VOC, of which nobody can tell"):
        read_mono(path)
