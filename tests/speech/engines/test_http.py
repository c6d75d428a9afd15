"""The http engine against a server on this machine that answers as servers do, well and badly."""

from __future__ import annotations

import http.server
import json
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from email.utils import formatdate
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from synthkit import schemas
from synthkit.cli import main
from synthkit.errors import AudioError, InputError
from synthkit.speech.cards import VoiceCard
from synthkit.speech.engines import tone
from synthkit.speech.engines.http import Engine, request
from synthkit.speech.voice import Voice
from synthkit.wav import wav_bytes
from tests.conftest import ROOT

KEY = "sk-secret-0123456789"
Answer = Callable[["Handler"], None]


@dataclass
class Told:
    """One request as the server got it."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]


@dataclass
class Server:
    """A running server: what it was told, and how it answers, one answer after the other."""

    port: int = 0
    told: list[Told] = field(default_factory=list)
    answers: list[Answer] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Any

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        told: Server = self.server.told
        told.told.append(Told(self.path, dict(self.headers.items()), body))
        answer = told.answers.pop(0) if told.answers else speech
        try:
            answer(self)
        except OSError:  # the client has gone
            self.close_connection = True

    do_GET = do_POST  # noqa: N815

    def log_message(self, *_: object) -> None:
        pass

    def send(self, status: int, kind: str, body: bytes, **headers: str) -> None:
        self.send_response(status)
        for name, value in {
            "Content-Type": kind,
            "Content-Length": str(len(body)),
            **headers,
        }.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)


def hum(text: str, voice: str) -> bytes:
    """The WAV that the server's voices say."""
    card = card_of("http://x", voice=voice)
    parameters = {"f0": 120 if voice == "low" else 200}
    spoken = tone.Engine().speak(text, VoiceCard(**{**vars(card), "parameters": parameters}), 1)
    return wav_bytes((spoken.samples * 20000).astype(np.int16), spoken.sampling_rate)


def asked(handler: Handler) -> bytes:
    body = handler.server.told.told[-1].body
    return hum(body["input"], body["voice"])


def speech(handler: Handler) -> None:
    handler.send(200, "audio/wav", asked(handler))


def streamed(handler: Handler) -> None:
    """In chunks, below a header that was written before anybody knew the length."""
    wav = bytearray(asked(handler))
    struct.pack_into("<I", wav, 4, 0xFFFFFFFF)
    struct.pack_into("<I", wav, 40, 0xFFFFFFFF)
    handler.send_response(200)
    handler.send_header("Content-Type", "audio/wav")
    handler.send_header("Transfer-Encoding", "chunked")
    handler.end_headers()
    for at in range(0, len(wav), 9999):
        chunk = wav[at : at + 9999]
        handler.wfile.write(b"%x\r\n%s\r\n" % (len(chunk), chunk))
    handler.wfile.write(b"0\r\n\r\n")


def says(status: int, kind: str, body: bytes | str, **headers: str) -> Answer:
    content = body.encode() if isinstance(body, str) else body
    return lambda handler: handler.send(status, kind, content, **headers)


def error(status: int, message: str = "", **headers: str) -> Answer:
    return says(status, "application/json", json.dumps({"error": {"message": message}}), **headers)


def dropped(handler: Handler) -> None:
    handler.close_connection = True


def cut_short(handler: Handler) -> None:
    handler.send_response(200)
    handler.send_header("Content-Length", "100000")
    handler.end_headers()
    handler.wfile.write(asked(handler)[:5000])
    handler.close_connection = True


def endless(handler: Handler) -> None:
    handler.send_response(200)
    handler.send_header("Content-Type", "audio/wav")
    handler.end_headers()
    handler.close_connection = True
    while True:
        handler.wfile.write(bytes(1 << 16))


def dripping(handler: Handler) -> None:
    handler.send_response(200)
    handler.end_headers()
    handler.close_connection = True
    while True:
        handler.wfile.write(b"R")
        time.sleep(0.05)


@pytest.fixture
def server() -> Iterator[Server]:
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as running:
        running.told = Server(running.server_address[1])  # type: ignore[attr-defined]
        running.daemon_threads = True
        running.block_on_close = False
        thread = threading.Thread(target=running.serve_forever, args=(0.01,))
        thread.start()
        yield running.told  # type: ignore[attr-defined]
        running.shutdown()
        thread.join()


@pytest.fixture(autouse=True)
def no_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    """The proxies of whoever runs the tests are not asked."""
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The pauses that would have been made, in seconds."""
    made: list[float] = []
    monkeypatch.setattr(request.time, "sleep", made.append)
    return made


def card_of(url: str, **parameters: object) -> VoiceCard:
    values = {"url": url, "model": "tiny", "voice": "low", **parameters}
    schemas.check(values, "engine-http", "card")
    return VoiceCard(
        id="far/low",
        name="Low",
        description="",
        engine="http",
        language="en-US",
        checkpoint="tiny",
        processing="none",
        code_license="Apache-2.0",
        voice_license="CC0-1.0",
        attribution="",
        parameters=values,
        folder=Path(),
    )


def speak(card: VoiceCard, text: str = "Open the door.") -> np.ndarray:
    return Voice(card, Engine()).speak(text, 7).samples


def refused(card: VoiceCard) -> str:
    with pytest.raises(AudioError) as caught:
        speak(card)
    message = str(caught.value)
    assert message.isprintable()
    assert KEY not in message
    assert message.startswith(f"voice far/low: {card.parameters['url']}/audio/speech: ")
    return message.partition("/audio/speech: ")[2]


def test_the_request_is_what_the_card_says(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", f"{KEY}\n")  # as a file with a final newline gives it
    card = card_of(
        f"{server.url}/",
        speed=1.5,
        instructions="Calmly.",
        api_key_env="MY_KEY",
        extra={"seed": "{seed}", "stream": False},
    )
    spoken = Voice(card, Engine()).speak("Öffne “it”.", 7)
    assert spoken.sampling_rate == 24000
    assert len(spoken.samples) == (len(hum("Öffne it.", "low")) - 44) // 2
    (told,) = server.told
    assert told.path == "/v1/audio/speech"
    assert told.headers["Authorization"] == f"Bearer {KEY}"
    assert told.headers["Content-Type"] == "application/json"
    assert told.body == {
        "model": "tiny",
        "voice": "low",
        "input": "Öffne it.",
        "response_format": "wav",
        "speed": 1.5,
        "instructions": "Calmly.",
        "seed": 7,
        "stream": False,
    }


def test_what_a_card_leaves_out_is_not_asked_for(server: Server) -> None:
    speak(card_of(server.url))
    (told,) = server.told
    assert set(told.body) == {"model", "voice", "input", "response_format"}
    assert "Authorization" not in told.headers


def test_a_stream_is_read_to_its_end(server: Server) -> None:
    plain = speak(card_of(server.url))
    server.answers = [streamed]
    np.testing.assert_array_equal(speak(card_of(server.url)), plain)


@pytest.mark.parametrize("status", [429, 500, 502, 503, 504])
def test_a_busy_server_is_asked_again(server: Server, waits: list[float], status: int) -> None:
    server.answers = [error(status, "busy"), error(status, "busy"), dropped]
    assert len(speak(card_of(server.url)))
    assert len(server.told) == 4
    assert waits == [0.5, 1.0, 2.0]


def test_a_server_is_waited_for_as_long_as_it_asks(server: Server, waits: list[float]) -> None:
    date = formatdate(time.time() + 20, usegmt=True)
    server.answers = [error(429, Retry_After="3"), error(503, Retry_After=date), error(429)]
    speak(card_of(server.url))
    assert waits[0] == 3.0
    assert 15 < waits[1] <= 20
    assert waits[2] == 0.5


def test_a_server_that_asks_for_an_hour_is_not_waited_for(
    server: Server, waits: list[float]
) -> None:
    server.answers = [error(429, "quota", Retry_After="3600")]
    assert refused(card_of(server.url)) == "status 429: quota"
    assert waits == []


def test_tries_come_to_an_end(server: Server, waits: list[float]) -> None:
    server.answers = [error(503, "loading")] * 9
    assert refused(card_of(server.url, retries=2)) == "status 503: loading (tried 3 times)"
    assert len(server.told) == 3
    server.told.clear()
    assert refused(card_of(server.url, retries=0)) == "status 503: loading"
    assert len(server.told) == 1


PAGE = "<html><style>p {}</style><h1>Not\nFound</h1></html>"
BAD = {
    "key": (error(401, f"Incorrect API key: {KEY}"), "status 401: Incorrect API key: ***"),
    "key at the cut": (error(403, "x" * 190 + KEY), "status 403: " + "x" * 190 + "***"),
    "key in text": (says(200, "text/plain", KEY), "answered text/plain '***'; allowed: a WAV"),
    "not found": (says(404, "text/html", PAGE), "status 404: Not Found"),
    "field": (
        says(422, "application/json", '{"detail": [{"msg": "voice"}]}'),
        'status 422: [{"msg": "voice"}]',
    ),
    "word": (
        says(400, "application/json", '{"error": "bad\\u001b[31m"}'),
        "status 400: bad\\x1b[31m",
    ),
    "empty error": (says(418, "text/plain", ""), "status 418: I'm a Teapot"),
    "no JSON": (says(400, "application/json", "{"), "status 400: {"),
    "page": (says(200, "text/html", PAGE), "answered text/html 'Not Found'; allowed: a WAV"),
    "JSON": (
        says(200, "application/json", '{"error": {"message": "no voice"}}'),
        "answered application/json 'no voice'; allowed: a WAV",
    ),
    "nothing": (says(200, "audio/wav", b""), "answered nothing; allowed: a WAV"),
    "mp3": (says(200, "audio/mpeg", b"ID3" + bytes(20)), "found b'ID3"),
    "cut WAV": (says(200, "audio/wav", b"RIFF\0\0\0\0WAVE"), "not a readable sound file"),
}


@pytest.mark.parametrize(("answer", "message"), BAD.values(), ids=BAD)
def test_a_bad_answer_is_told_in_one_line(
    server: Server, monkeypatch: pytest.MonkeyPatch, answer: Answer, message: str
) -> None:
    monkeypatch.setenv("MY_KEY", KEY)
    server.answers = [answer]
    assert refused(card_of(server.url, api_key_env="MY_KEY")).startswith(message)
    assert len(server.told) == 1


def test_an_answer_that_stops_is_not_taken(server: Server, waits: list[float]) -> None:
    server.answers = [cut_short] * 2
    assert refused(card_of(server.url, retries=1)) == "the answer was cut short (tried 2 times)"


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_no_redirect_is_followed(
    server: Server, monkeypatch: pytest.MonkeyPatch, status: int
) -> None:
    monkeypatch.setenv("MY_KEY", KEY)
    other = f"http://localhost:{server.port}/v1/audio/speech"
    server.answers = [says(status, "text/plain", "", Location=other)]
    found = refused(card_of(server.url, api_key_env="MY_KEY"))
    assert found == f"status {status}, redirects to {other}; allowed: the url that answers"
    assert len(server.told) == 1


@pytest.mark.parametrize(
    "answer", [dripping, lambda handler: time.sleep(3)], ids=["drips", "waits"]
)
def test_a_slow_server_is_left(server: Server, answer: Answer) -> None:
    server.answers = [answer]
    assert refused(card_of(server.url, timeout_s=0.3)) == "no whole answer within 0.3 s"


def test_a_body_without_end_is_cut_off(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(request, "MAX_BYTES", 2**20)
    server.answers = [endless]
    assert refused(card_of(server.url)) == "answered more than 1 MiB; allowed: up to that"


def test_a_server_that_is_not_there_is_told_by_the_utterance() -> None:
    # Port 1 of this machine; checks ask nobody.
    card = card_of("http://127.0.0.1:1/v1")
    Voice(card, Engine()).check("Hello")
    assert refused(card) == "no connection (Connection refused)"


def test_a_host_that_nobody_knows_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    found = refused(card_of("https://nowhere.invalid/v1"))
    assert found == "no connection (Name or service not known)"


@pytest.mark.parametrize("proxy", ["http://127.0.0.1:1", "http://nowhere.invalid"])
def test_this_machine_is_asked_without_a_proxy(
    server: Server, monkeypatch: pytest.MonkeyPatch, proxy: str
) -> None:
    monkeypatch.setenv("http_proxy", proxy)
    assert len(speak(card_of(server.url)))


def test_another_machine_is_asked_through_the_proxy(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{server.port}")
    assert len(speak(card_of("http://speech.invalid/v1")))
    assert server.told[0].path == "http://speech.invalid/v1/audio/speech"


@pytest.mark.parametrize("key", [None, "", " ", "sk\nx: y", "schlüssel"])
def test_a_key_that_is_none_is_refused_unsent_and_unseen(
    server: Server, monkeypatch: pytest.MonkeyPatch, key: str | None
) -> None:
    monkeypatch.delenv("MY_KEY", raising=False)
    if key is not None:
        monkeypatch.setenv("MY_KEY", key)
    card = card_of(server.url, api_key_env="MY_KEY")
    Voice(card, Engine()).check("Hello")
    with pytest.raises(InputError, match=r"voice far/low: .*MY_KEY") as caught:
        speak(card)
    assert not (key or "").strip() or str(key) not in str(caught.value)
    assert server.told == []


def test_the_key_is_no_part_of_what_is_kept(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    voice = Voice(card_of(server.url, api_key_env="MY_KEY"), Engine())
    monkeypatch.setenv("MY_KEY", KEY)
    one = voice.key("Hello")
    monkeypatch.setenv("MY_KEY", "other")
    assert Voice(voice.card, Engine()).key("Hello") == one
    assert KEY not in json.dumps(voice.provenance.describe())
    assert server.told == []


@pytest.mark.parametrize(
    "wrong",
    [
        {"url": "ftp://x/v1"},
        {"url": "http://me:secret@x/v1"},
        {"url": "http://x/v1?key=1"},
        {"url": "http://x/v1\n"},
        {"url": "file:///etc/passwd"},
        {"speed": 9},
        {"retries": 99},
        {"timeout_s": 0},
        {"api_key_env": "sk-0123"},
        {"api_key": "x"},
        {"extra": {"input": "x"}},
        {"response_format": "mp3"},
    ],
    ids=str,
)
def test_a_card_knows_its_fields(wrong: dict[str, object]) -> None:
    with pytest.raises(InputError, match="field"):
        card_of(**{"url": "http://x/v1", **wrong})  # type: ignore[arg-type]


def test_what_changes_no_sound_asks_for_none_anew(server: Server) -> None:
    def key(**parameters: object) -> str:
        return Voice(card_of(server.url, **parameters), Engine()).key("Hello")

    assert key() == key(timeout_s=5, retries=0, api_key_env="MINE", deterministic=True)
    others = key(speed=1.1), key(voice="high"), key(model="big"), key(extra={"seed": 1})
    assert len({key(), *others}) == 5


def test_long_texts_come_in_pieces(server: Server) -> None:
    server.answers = [says(200, "audio/wav", hum("word", "low"))] * 2
    speak(card_of(server.url), " ".join(["word"] * 1500))
    lengths = [len(told.body["input"]) for told in server.told]
    assert len(lengths) == 2
    assert max(lengths) <= 4096


CARD = """name = "Far"
description = ""
engine = "http"
language = "en-US"
checkpoint = "tiny"
processing = "none"
code_license = "Apache-2.0"
voice_license = "CC0-1.0"
attribution = ""
[parameters]
url = "{url}"
model = "tiny"
voice = "{voice}"
api_key_env = "MY_KEY"
extra = {{ seed = "{{seed}}" }}
"""


def test_a_whole_set_and_the_same_set_without_the_server(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_KEY", KEY)
    monkeypatch.setenv("SYNTHKIT_CACHE", str(tmp_path / "cache"))
    (tmp_path / "far").mkdir()
    for voice in ("low", "high"):
        (tmp_path / "far" / f"{voice}.toml").write_text(CARD.format(url=server.url, voice=voice))
    recipe = tmp_path / "recipe.toml"
    recipe.write_text(
        f"""name = "far"
scripts = "{ROOT / "examples" / "demo_commands.jsonl"}"
seed = 1
voices = ["far/low.toml", "far/high.toml"]
grid = "pair"
[fields]
near = []
far = [{{ renderer = "lowpass", cutoff = 4000 }}]
"""
    )

    def generate(name: str) -> Path:
        run = CliRunner().invoke(main, ["generate", str(recipe), "--out", str(tmp_path / name)])
        assert run.exit_code == 0, run.output
        assert CliRunner().invoke(main, ["verify", str(tmp_path / name)]).exit_code == 0
        return tmp_path / name

    one = generate("one")
    assert len(server.told) == 9  # three contexts, three commands in either voice
    assert json.loads((one / "dataset.json").read_text())["deterministic"] is False
    server.told.clear()
    monkeypatch.delenv("MY_KEY")
    two = generate("two")
    assert server.told == []
    assert (two / "SHA256SUMS").read_text() == (one / "SHA256SUMS").read_text()
    for path in tmp_path.rglob("*"):
        assert path.is_dir() or KEY.encode() not in path.read_bytes()


def test_a_dry_run_asks_nobody(tmp_path: Path, server: Server) -> None:
    for name, voice in (("far", "low"), ("near", "high")):
        (tmp_path / f"{name}.toml").write_text(CARD.format(url=server.url, voice=voice))
    recipe = str(ROOT / "examples" / "demo.toml")
    voices = f'voices=["{tmp_path / "far.toml"}", "{tmp_path / "near.toml"}"]'
    out = ["--out", str(tmp_path / "x"), "--dry-run"]
    run = CliRunner().invoke(main, ["generate", recipe, *out, "--set", voices])
    assert run.exit_code == 0, run.output
    assert server.told == []
    assert not (tmp_path / "x").exists()
