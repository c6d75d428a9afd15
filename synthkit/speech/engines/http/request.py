"""One request to a web server: its answer limited, repeated where that may help."""

from __future__ import annotations

import email.utils
import http.client
import json
import re
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from synthkit.errors import AudioError, InputError, one_line, quoted

MAX_BYTES = 256 * 2**20
SOUND = "audio/wav"
MAX_ERROR_BYTES = 1 << 16
BLOCK = 1 << 16
RETRIED = (429, 500, 502, 503, 504)
# Connections that broke; one that the server closed unanswered is a ConnectionResetError too.
PASSING = (ConnectionResetError, BrokenPipeError, http.client.IncompleteRead)
FIRST_WAIT_S = 0.5  # and twice as long each time
LONGEST_WAIT_S = 60.0  # a server that wants more is not waited for
LOOPBACK = ("localhost", "127.0.0.1", "::1")


class _PassingError(Exception):
    """A failure that may pass; ``wait_s`` is what the server asks for, None where it doesn't."""

    def __init__(self, message: str, wait_s: float | None = None) -> None:
        super().__init__(message)
        self.wait_s = wait_s


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Follows none: the key is for one host, and a POST that is redirected becomes a GET."""

    def redirect_request(self, *_: Any) -> None:
        return None


@dataclass(frozen=True)
class Server:
    """Where to ask and how long: ``timeout_s`` for each try, of which ``retries`` come after one.

    ``accept`` is the kind of answer, sound or JSON, of at most ``max_bytes``.
    Proxies are those of the environment, but for this machine itself.
    """

    url: str
    key: str | None = None
    timeout_s: float = 60.0
    retries: int = 3
    accept: str = SOUND
    max_bytes: int = field(default_factory=lambda: MAX_BYTES)

    def __post_init__(self) -> None:
        if self.key and not (self.key.isascii() and self.key.isprintable()):
            raise InputError(
                f"{self._without_key(self.url)}: its key holds a line end or another character "
                "that no header can hold; allowed: printable ASCII"
            )

    def post(self, body: Mapping[str, Any], where: str) -> bytes:
        """Send ``body`` as JSON and return what is answered.

        Overload (429), faults of the server and broken connections are tried again, with
        exponential pauses or those that the server asks for. Raises :class:`AudioError` with
        url, status and the server's own words, and never with the key.
        """
        pause = FIRST_WAIT_S
        for left in range(self.retries, -1, -1):
            try:
                return self._ask(body)
            except _PassingError as again:
                wait_s, message = again.wait_s, str(again)
                if wait_s is None:
                    wait_s, pause = pause, 2 * pause
                if left and wait_s <= LONGEST_WAIT_S:
                    time.sleep(wait_s)
                    continue
                tried = self.retries + 1 - left
                message += f" (tried {tried} times)" if tried > 1 else ""
            except (OSError, http.client.HTTPException, ValueError) as error:
                message = self._failure(error)
            raise AudioError(self._without_key(f"{where}: {self.url}: {message}"))
        raise AssertionError("unreachable")

    def _ask(self, body: Mapping[str, Any]) -> bytes:
        headers = {
            "Content-Type": "application/json",
            "Accept": self.accept,
            "User-Agent": "synthkit",
        }
        if self.key:
            headers["Authorization"] = f"Bearer {self.key}"
        request = urllib.request.Request(self.url, json.dumps(body).encode(), headers)
        handlers: list[urllib.request.BaseHandler] = [_NoRedirect()]
        if urlsplit(self.url).hostname in LOOPBACK:
            handlers.append(urllib.request.ProxyHandler({}))
        opener = urllib.request.build_opener(*handlers)
        deadline = time.monotonic() + self.timeout_s
        try:
            with opener.open(request, timeout=self.timeout_s) as response:
                content = _read(response, deadline, self.max_bytes)
        except urllib.error.HTTPError as error:
            with error:
                raise self._refusal(error) from None
        except (OSError, http.client.IncompleteRead) as error:
            if isinstance(getattr(error, "reason", error), PASSING):
                raise _PassingError(self._failure(error)) from None
            raise
        kind = response.headers.get_content_type()
        is_text = kind.startswith("text/") or kind == "application/json"
        if not content or (self.accept == SOUND and is_text and not content.startswith(b"RIFF")):
            found = f"{kind} {quoted(self._said(content, kind))}" if content else "nothing"
            allowed = "a WAV" if self.accept == SOUND else self.accept
            raise ValueError(f"answered {found}; allowed: {allowed}")
        return content

    def _refusal(self, error: urllib.error.HTTPError) -> Exception:
        """What an answer other than 200 means."""
        message = f"status {error.code}"
        if 300 <= error.code < 400:
            to = error.headers.get("Location", "nowhere")
            return ValueError(f"{message}, redirects to {to}; allowed: the url that answers")
        try:
            content = error.read(MAX_ERROR_BYTES)
        except (OSError, http.client.HTTPException):
            content = b""
        said = self._said(content, error.headers.get_content_type()) or error.reason
        message += f": {one_line(said, 200)}"
        if error.code in RETRIED:
            return _PassingError(message, _asked_wait(error.headers.get("Retry-After")))
        return ValueError(message)

    def _failure(self, error: Exception) -> str:
        """What went wrong below HTTP, in words."""
        reason = getattr(error, "reason", error)  # urllib wraps what the socket says
        if isinstance(reason, TimeoutError):
            return f"no whole answer within {self.timeout_s:g} s"
        if isinstance(reason, http.client.IncompleteRead):
            return "the answer was cut short"
        if isinstance(reason, OSError):
            return f"no connection ({reason.strerror or reason})"
        return str(reason) or type(reason).__name__

    def _said(self, content: bytes, kind: str) -> str:
        """The message in a body, whole: to be cut when no key is left in it."""
        return self._without_key(_words(content, kind))

    def _without_key(self, message: str) -> str:
        """A server may quote the key that it did not like."""
        return message.replace(self.key, "***") if self.key else message


def _read(response: http.client.HTTPResponse, deadline: float, most: int) -> bytes:
    """The whole body, if it ends in time and is not too long."""
    content = bytearray()
    while block := response.read1(BLOCK):
        content += block
        if len(content) > most:
            raise ValueError(f"answered more than {most // 2**20} MiB; allowed: up to that")
        if time.monotonic() > deadline:
            raise TimeoutError
    if response.length:  # bytes that were announced and did not come
        raise http.client.IncompleteRead(b"", response.length)
    return bytes(content)


def _words(content: bytes, kind: str) -> str:
    """The message in an error's body: of JSON as servers write it, else its text."""
    text = content.decode("utf-8", "replace")
    if kind == "text/html":
        text = re.sub(r"<(style|script)\b.*?(?:</\1>|\Z)|<[^<>]*>", " ", text, flags=re.DOTALL)
    try:
        found = json.loads(text)
        while isinstance(found, dict) and (
            inner := next((found[k] for k in ("error", "message", "detail") if found.get(k)), None)
        ):
            found = inner
        text = found if isinstance(found, str) else json.dumps(found)
    except (ValueError, RecursionError):
        pass
    return " ".join(text.split())


def _asked_wait(value: str | None) -> float | None:
    """Seconds of a Retry-After header, a number or a date; None where there is none."""
    if value is None:
        return None
    if value.strip().isdecimal():
        return float(value)
    try:
        return max(0.0, email.utils.parsedate_to_datetime(value).timestamp() - time.time())
    except ValueError:
        return None
