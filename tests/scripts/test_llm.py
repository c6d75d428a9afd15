"""Commands from a chat server on this machine, which answers as the test says."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from synthkit.errors import InputError
from synthkit.scripts import read_scripts
from synthkit.scripts.inventory import Inventory, read_inventory
from synthkit.scripts.llm import MAX_BYTES, ROUNDS, ask, server_at
from synthkit.speech.engines.http.request import _words
from tests.commands import synthkit

Answer = tuple[int, dict[str, str], bytes]
GOOD = [
    {
        "context": "The groceries are getting heavy in my arms.",
        "trigger": "Unlock the side door.",
        "params": {"door": "side door"},
    },
    {
        "context": "My cousin drove six hours through the rain.",
        "trigger": "Please open the lock on the cellar door.",
        "params": {"door": "cellar door"},
    },
]
QUESTION = {**GOOD[0], "trigger": "Could you unlock the side door?"}


def said(content: object, fence: bool = False) -> bytes:
    """The body of an answer whose message is ``content`` as JSON, or a text as it is."""
    text = content if isinstance(content, str) else json.dumps(content)
    text = f"```json\n{text}\n```" if fence else text
    return json.dumps({"choices": [{"message": {"content": text}}]}).encode()


class Chat:
    """A server that answers in turn, its last answer for ever; and what it was asked."""

    def __init__(self) -> None:
        self.answers: list[bytes | Answer] = []
        self.asked: list[tuple[str, dict[str, str], dict[str, Any]]] = []
        chat = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                chat.asked.append((self.path, dict(self.headers), body))
                answer = chat.answers[min(len(chat.asked), len(chat.answers)) - 1]
                status, headers, content = (
                    answer if isinstance(answer, tuple) else (200, {}, answer)
                )
                if status == 0:
                    self.close_connection = True
                    return
                self.send_response(status)
                for name, value in {"Content-Type": "application/json", **headers}.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_: object) -> None:
                pass

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/v1"


@pytest.fixture
def chat(monkeypatch: pytest.MonkeyPatch) -> Iterator[Chat]:
    monkeypatch.setattr("time.sleep", lambda _: None)
    served = Chat()
    thread = threading.Thread(target=served.server.serve_forever, daemon=True)
    thread.start()
    yield served
    served.server.shutdown()
    served.server.server_close()
    thread.join()


@pytest.fixture
def door() -> Inventory:
    """The inventory with one tool alone."""
    whole = read_inventory()
    tools = {"unlock_door": whole.tools["unlock_door"]}
    return Inventory(whole.name, whole.instruction, whole.grammar, tools)


def refusal(do: Callable[[], object]) -> str:
    with pytest.raises(InputError) as told:
        do()
    assert "\n" not in str(told.value)
    return str(told.value)


@pytest.mark.parametrize("fence", [False, True])
def test_good_rows_become_commands(chat: Chat, door: Inventory, fence: bool) -> None:
    chat.answers = [said(GOOD, fence)]
    made = ask(door, server_at(chat.url, None), "small", 2, 7)
    assert [(c.id, c.family, c.trigger, c.params) for c in made] == [
        ("unlock_door_l01", "llm", "Unlock the side door.", {"door": "side door"}),
        (
            "unlock_door_l02",
            "llm",
            "Please open the lock on the cellar door.",
            {"door": "cellar door"},
        ),
    ]
    ((path, headers, body),) = chat.asked
    assert path == "/v1/chat/completions" and body["model"] == "small"
    assert "Authorization" not in headers and "unlock_door" in body["messages"][1]["content"]


def test_what_is_refused_is_asked_for_again(chat: Chat, door: Inventory) -> None:
    rows = [QUESTION, {"context": "x"}, 3, GOOD[0]]
    chat.answers = [said(rows), said("no JSON"), b"[]", said([GOOD[0]]), said([GOOD[1]])]
    made = ask(door, server_at(chat.url, None), "small", 2, 7)
    assert [c.trigger for c in made] == [row["trigger"] for row in GOOD]
    assert len(chat.asked) == 5


def test_a_server_that_gives_too_few_is_told_with_the_reasons(chat: Chat, door: Inventory) -> None:
    chat.answers = [said([QUESTION]), said("sorry")]
    told = refusal(lambda: ask(door, server_at(chat.url, None), "small", 2, 7))
    assert f"gave 0 commands of 2 in {ROUNDS} requests" in told
    assert "1 for trigger: " in told and f"{ROUNDS - 1} for an answer: a JSON array" in told
    assert len(chat.asked) == ROUNDS


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ((400, {}, b'{"error": {"message": "no such model"}}'), "status 400: no such model"),
        ((302, {"Location": "http://192.0.2.1/"}, b""), "redirects to http://192.0.2.1/"),
        ((500, {}, b"{}"), "status 500"),
        ((0, {}, b""), "tool unlock_door: "),
        (b" " * (MAX_BYTES + 1), "more than 4 MiB"),
        (b"", "answered nothing"),
    ],
)
def test_a_server_that_fails_is_one_line(
    chat: Chat, door: Inventory, answer: bytes | Answer, told: str
) -> None:
    chat.answers = [answer]
    assert told in refusal(lambda: ask(door, server_at(chat.url, None), "small", 1, 7))


def test_overload_passes(chat: Chat, door: Inventory) -> None:
    chat.answers = [(500, {}, b"{}"), (429, {"Retry-After": "1"}, b"{}"), said(GOOD)]
    assert len(ask(door, server_at(chat.url, None), "small", 1, 7)) == 1


@pytest.mark.parametrize(
    "url", ["http://example.com/v1", "ftp://127.0.0.1", "example.com", "http://[", "", "file:///x"]
)
def test_only_https_or_this_machine_is_asked(url: str) -> None:
    assert "allowed: " in refusal(lambda: server_at(url, None)) or url == "http://["


def test_the_key_is_sent_and_told_nobody(
    chat: Chat, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SYNTHKIT_LLM_KEY", "k-secret")
    tools = tmp_path / "tools.json"
    whole = json.loads((Path(__file__).parents[2] / "examples" / "tools.json").read_text())
    tools.write_text(json.dumps({**whole, "tools": whole["tools"][:1]}))
    out = tmp_path / "made.jsonl"
    asked = ["scripts", "generate", "--per-tool", "2", "--seed", "1", "--tools", tools]
    asked += ["--llm", chat.url, "--model", "small", "--out", out]
    chat.answers = [(401, {}, b'{"error": "bad key k-secret"}'), said(GOOD)]
    first = synthkit(*asked)
    assert first.exit_code == 2 and not out.exists()
    assert synthkit(*asked).exit_code == 0
    assert chat.asked[0][1]["Authorization"] == "Bearer k-secret"
    assert "k-secret" not in first.output + out.read_text()
    assert len(read_scripts(out)) == 2
    assert synthkit("scripts", "check", out, "--need-family").exit_code == 0


@pytest.mark.parametrize("key", ["k-secret\nX: y", "k-secret\r", "k-secret\u20ac", "k-secret\0"])
def test_a_key_that_no_header_can_hold_is_refused_and_not_told(key: str) -> None:
    told = refusal(lambda: server_at("https://127.0.0.1:1/v1", key))
    assert "allowed: printable ASCII" in told and "k-secret" not in told


def test_a_command_that_quotes_the_key_is_no_command(chat: Chat, door: Inventory) -> None:
    chat.answers = [
        said([{**GOOD[0], "context": "The groceries of k-secret are heavy."}, GOOD[1]]),
        said(GOOD[:1]),
    ]
    made = ask(door, server_at(chat.url, "k-secret"), "small", 2, 1)
    assert [command.context for command in made] == [GOOD[1]["context"], GOOD[0]["context"]]


@pytest.mark.parametrize(
    "options", [("--llm", "", "--model", "m"), ("--llm", "URL", "--model", "")]
)
def test_an_address_or_model_left_empty_is_not_taken_for_none(
    chat: Chat, options: tuple[str, ...]
) -> None:
    chat.answers = [said(GOOD)]
    given = [chat.url if option == "URL" else option for option in options]
    run = synthkit("scripts", "generate", "--seed", "1", "--per-tool", "1", *given)
    assert run.exit_code == 2 and "allowed" in run.output and chat.asked == []


def test_no_server_is_asked_for_what_cannot_be_written(chat: Chat, tmp_path: Path) -> None:
    out = tmp_path / "made.jsonl"
    out.write_text("mine")
    chat.answers = [said(GOOD)]
    asked = ["scripts", "generate", "--seed", "1", "--llm", chat.url, "--model", "m", "--out", out]
    run = synthkit(*asked)
    assert run.exit_code == 2 and "is there already; allowed: a new file" in run.output
    assert chat.asked == [] and out.read_text() == "mine"


def test_pages_of_errors_with_unclosed_tags_are_read_in_one_pass() -> None:
    # Looking for the end of each through all others would take hours.
    assert _words(b"bad <b>key</b>" + b"<style" * 100_000, "text/html") == "bad key"
    assert _words(b"<style>x</style>no <" + b"<" * 100_000, "text/html").startswith("no <<")
