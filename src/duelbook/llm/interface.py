"""What the two interfaces have in common: a question, an answer as it comes in, and what can go wrong on the way."""

from __future__ import annotations

from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from time import time
from types import ModuleType
from typing import Any, NamedTuple, Protocol

from duelbook.llm.keys import KEYS, without_keys
from duelbook.llm.kind import Model
from duelbook.llm.prompt import Messages
from duelbook.llm.reply import REFUSAL, Reply
from duelbook.speech import plain

CONNECT = 10.0
"""Seconds to reach a server: whoever cannot be reached is not late."""
FORBIDDEN = (401, 403)
WORTH_ANOTHER_TRY = (408, 409, 425, 429)
"""Besides every 5xx."""
NO_MONEY = "insufficient_quota"
"""What stands in an answer of 429 that no waiting changes."""
SHOWN = 200
"""Letters of a server's own words that are shown."""


class Question(NamedTuple):
    """What is asked of a model, whatever its interface."""

    model: Model
    messages: Messages
    tokens: int


class Heard:
    """An answer as far as it has come."""

    def __init__(self) -> None:
        self.text = self.thinking = self.refusal = self.ended = ""
        self.tokens_in: int | None = None
        self.tokens_out: int | None = None

    @property
    def anything(self) -> bool:
        return bool(self.text or self.thinking or self.refusal)

    def reply(self) -> Reply:
        """The answer. Nothing in it is a key, whatever the server sent."""
        ended = REFUSAL if self.refusal else self.ended
        said = [without_keys(text) for text in (self.text, self.refusal, self.thinking)]
        return Reply(said[0], ended, said[1], said[2], self.tokens_in, self.tokens_out)


class Interface(Protocol):
    """One way to ask a model over the network."""

    @property
    def url(self) -> str:
        """Where it asks."""
        ...

    def parameters(self, question: Question) -> dict[str, Any]:
        """All that is sent, the messages included."""
        ...

    async def ask(self, question: Question, heard: Heard) -> None:
        """Ask, and note what comes as it comes. Raises Trouble."""
        ...

    async def close(self) -> None: ...


class Trouble(Exception):
    """A question that got no answer through the line or the server."""

    def __init__(self, sentence: str, *, passing: bool, wait: float | None = None) -> None:
        super().__init__(sentence)
        self.sentence, self.passing, self.wait = without_keys(sentence), passing, wait


def trouble_of(error: Exception, sdk: ModuleType, provider: str, url: str) -> Trouble:
    """What an error on the way comes to. Both packages name their errors alike."""
    if isinstance(error, sdk.APIStatusError) and error.response.status_code >= 400:
        return _answered(error, provider, url)
    if isinstance(error, sdk.APIConnectionError):
        cause = error.__cause__ or error
        return Trouble(f"The line to {plain(url)} failed: {_short(cause)}", passing=True)
    # A stream that breaks off, is no JSON, or has an error in it.
    return Trouble(f"The answer of {plain(url)} broke off: {_short(error)}", passing=True)


def _answered(error: Any, provider: str, url: str) -> Trouble:
    status, headers = int(error.response.status_code), error.response.headers
    said = f"{plain(url)} answered {status}"
    if status in FORBIDDEN:  # some servers answer with a part of the key
        return Trouble(f"{said}: it does not take the key in {KEYS[provider]}.", passing=False)
    passing = (status >= 500 or status in WORTH_ANOTHER_TRY) and NO_MONEY not in str(error.body)
    return Trouble(f"{said}: {_short(_message(error.body) or error)}", passing=passing, wait=wanted_wait(headers))


def _message(body: object) -> str:
    """What a server says of its error, where that is where both interfaces have it."""
    while isinstance(body, dict):
        if isinstance(body.get("message"), str):
            return str(body["message"])
        body = body.get("error")
    return ""


def _short(error: object) -> str:
    said = " ".join(plain(without_keys(str(error) or type(error).__name__)).split())
    return f"{said[:SHOWN]}..." if len(said) > SHOWN else said.rstrip(".") + "."


def wanted_wait(headers: Mapping[str, str]) -> float | None:
    """The seconds that a server asks to be left alone: a number or a date in Retry-After."""
    for name, scale in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        text = headers.get(name, "")
        try:
            seconds = float(text) / scale
            return seconds if 0 <= seconds < float("inf") else None
        except ValueError:
            pass
    try:
        return max(0.0, parsedate_to_datetime(headers.get("retry-after", "")).timestamp() - time())
    except (ValueError, TypeError):
        return None
