"""How a language model is named: `llm:openai/gpt-5-mini thinking=high`.

Behind the model stand words for what may differ from the usual. A kind that says which prompt it goes with, by its
hash, is settled: nothing is added to it any more. That is the form in records, so that they say how it was asked.
"""

from __future__ import annotations

from typing import NamedTuple

from duelbook.core import DuelError
from duelbook.speech import either, guess, plain, quote

LLM = "llm:"
OPENAI, ANTHROPIC = "openai", "anthropic"
PROVIDERS = (ANTHROPIC, OPENAI)
"""The interfaces that are spoken: whoever else speaks one of them is reached by its address."""
DEFAULT, OFF, LOW, HIGH = "default", "off", "low", "high"
THINKING = (DEFAULT, OFF, LOW, HIGH)
"""As the model does by itself, not at all, a little, a lot. Where an interface has it, also a number of tokens."""
LEAST_BUDGET, MOST_BUDGET = 1_024, 1_000_000
HOTTEST = 2.0
YES_OR_NO = {"yes": True, "no": False}
LONGEST_MODEL = 200


class Axes(NamedTuple):
    """What a model is told and how it is to think: what one may want to compare."""

    rules: bool = True
    """Whether it is told the rule book."""
    moves: bool = True
    """Whether it is told which moves are legal now."""
    history: bool = False
    """Whether it is told what it was asked before in this game, and what it played."""
    thinking: str = DEFAULT
    temperature: float | None = None
    """None leaves it to the model."""
    url: str = ""
    """Where it is asked; empty for where its package asks by itself."""


USUAL = Axes()


class Model(NamedTuple):
    """One model and all that matters of how it is asked."""

    provider: str
    name: str
    axes: Axes = USUAL
    prompt: str = ""
    """The hash of the prompt."""

    @property
    def kind(self) -> str:
        """As `read_model` reads it: with what differs from the usual alone."""
        said = []
        for name, value in self.axes._asdict().items():
            if value != getattr(USUAL, name):
                said.append(f"{name}={_shown(value)}")
        if self.prompt:
            said.append(f"prompt={self.prompt}")
        return " ".join([f"{LLM}{self.provider}/{self.name}", *said])

    @property
    def short_name(self) -> str:
        """What it is called where nobody named it: the model, without its house."""
        return self.name.rpartition("/")[2] or self.name


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value)


def is_model(kind: str) -> bool:
    """Whether this names a language model."""
    return kind.strip()[: len(LLM)].lower() == LLM


def read_model(kind: str, usual: Axes = USUAL, prompt: str = "") -> Model:
    """The model that a kind names. What it leaves open is as usual, unless it is settled: then it is as by default."""
    where, *words = kind.strip()[len(LLM) :].split() or [""]
    provider, slash, name = where.partition("/")
    provider = provider.lower()
    if not slash or not name or provider not in PROVIDERS:
        raise DuelError(
            f"A language model is named as in llm:PROVIDER/MODEL, with {either(PROVIDERS, 'or')} for PROVIDER, the "
            f"interface that it speaks; {quote(kind)} is not. A server of your own takes the words url=http://... too."
        )
    if len(name) > LONGEST_MODEL or not name.isprintable():
        raise DuelError(f"{quote(name)} is not a name that a model can have.")
    said = _words(words)
    settled = said.pop("prompt", "")
    axes = USUAL if settled else usual
    for key, text in said.items():
        axes = axes._replace(**{key: read_axis(key, text)})  # type: ignore[arg-type]  # each is read as what it is
    return Model(provider, name, axes, settled or prompt)


def _words(words: list[str]) -> dict[str, str]:
    known, said = [*Axes._fields, "prompt"], dict[str, str]()
    for word in words:
        key, equals, text = word.partition("=")
        if not equals or key not in known:
            raise DuelError(
                f"Behind a model stand words such as thinking=low; {quote(word)} is none. There are "
                f"{either(known, 'and')}.{guess(key, known)}"
            )
        said[key] = text
    return said


def read_axis(name: str, text: str) -> bool | str | float | None:
    """What a word sets an axis to."""
    if name == "url":
        return checked_url(text)
    if name == "thinking":
        return read_thinking(text)
    if name == "temperature":
        return read_temperature(text)
    return YES_OR_NO[_among(name, text, tuple(YES_OR_NO))]


def _among(name: str, text: str, known: tuple[str, ...]) -> str:
    if text not in known:
        raise DuelError(f"{name}={plain(text)} cannot be: it is {either(known, 'or')}.")
    return text


def read_thinking(text: str) -> str:
    digits = text.isascii() and text.isdigit() and len(text) <= len(str(MOST_BUDGET))
    if text in THINKING or (digits and LEAST_BUDGET <= int(text) <= MOST_BUDGET):
        return str(int(text)) if digits else text
    known = either(THINKING, "or")
    raise DuelError(f"thinking={plain(text)} cannot be: it is {known}, or a number of tokens from {LEAST_BUDGET:,} on.")


def read_temperature(text: str) -> float | None:
    if text == DEFAULT:
        return None
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 <= number <= HOTTEST:
        raise DuelError(f"{quote(text)} is not a temperature: that is a number from 0 to {HOTTEST:g}, or {DEFAULT}.")
    return number


def checked_url(text: str) -> str:
    """The address of a server. One that holds a password or a key is refused: addresses are written down."""
    if not text or text == DEFAULT:
        return ""
    from urllib.parse import urlsplit  # here, for every command starts by loading this file

    try:
        parts = urlsplit(text)
        good = parts.scheme in ("http", "https") and bool(parts.hostname) and text.isascii() and text.isprintable()
        _ = parts.port
    except ValueError:
        parts, good = urlsplit(""), False
    if not good or " " in text:
        raise DuelError(f"{quote(text)} is not the address of a server, as http://127.0.0.1:8080/v1 is one.")
    if parts.username is not None or parts.password is not None or parts.query or parts.fragment:
        raise DuelError(
            "The address of a server must hold neither a name and password nor anything behind a ? or #, for it is "
            "written into records. Keys come from the environment."
        )
    return text.rstrip("/")
