"""How models are asked: everything that is not in their names. Plain values: they are sent to workers, too."""

from __future__ import annotations

from math import inf
from reprlib import repr as shown
from typing import Any, NamedTuple

from duelbook.core import DuelError
from duelbook.llm.kind import DEFAULT, HIGH, LOW, OFF, Axes, Model, read_model
from duelbook.llm.prompt import check_prompt, prompt_hash, shipped
from duelbook.speech import plain, quote

MOVE_TIME = 120.0
"""Seconds for an answer."""
LONGEST_TIME = 86_400.0
ANSWER_TOKENS = 4_000
"""Tokens for an answer, besides what it takes to think."""
TOKENS = {DEFAULT: 16_000, OFF: ANSWER_TOKENS, LOW: 8_000, HIGH: 32_000}
"""Tokens for an answer, thinking included."""
MOST_TOKENS = 10**12
RETRIES = 4
MOST_RETRIES = 100


class Price(NamedTuple):
    """What a million tokens cost, in whatever money; for one model, or for all where it names none."""

    model: str
    tokens_in: float
    tokens_out: float


class Asking(NamedTuple):
    """How models are asked. What is in `axes` holds where a model's name does not say otherwise."""

    axes: Axes = Axes()
    prompt: str = ""
    """The text of the prompt; empty for the one that comes with Duelbook."""
    move_time: float = MOVE_TIME
    move_tokens: int | None = None
    """Tokens for one answer, thinking included; None for what its way to think usually takes."""
    total_tokens: int | None = None
    """Tokens in and out, after which nothing more is asked."""
    total_money: float | None = None
    prices: tuple[Price, ...] = ()
    retries: int = RETRIES
    """How often a question is sent again that got no answer through a fault of the line or the server."""
    cache: bool = True
    transcripts: str = ""
    """The folder for transcripts; empty for none."""
    ledger: str = ""
    """The file in which all players of one command note what they used, so that the totals hold for all of them.
    Without one they hold for each player."""

    def text(self) -> str:
        return self.prompt or shipped()

    def model(self, kind: str) -> Model:
        """The model that a kind names, with all that this says of it."""
        model = read_model(kind, self.axes, prompt_hash(self.text()))
        if model.prompt != prompt_hash(self.text()):
            raise DuelError(
                f"{quote(kind)} goes with a prompt whose hash is {plain(model.prompt)}, and the one at hand has "
                f"{prompt_hash(self.text())}. Give the right one with --prompt FILE."
            )
        return model

    def tokens(self, model: Model) -> int:
        """How many tokens an answer may have."""
        thinking = model.axes.thinking
        budget = int(thinking) if thinking.isdigit() else 0
        if self.move_tokens is None:
            return TOKENS.get(thinking, ANSWER_TOKENS + budget)
        if self.move_tokens <= budget:
            raise DuelError(
                f"With thinking={thinking} an answer needs more than {budget:,} tokens; it has {self.move_tokens:,}."
            )
        return self.move_tokens

    def price(self, model: Model) -> Price | None:
        """What its tokens cost: by its own price, or by the one for all."""
        wanted = f"{model.provider}/{model.name}"
        return next((each for name in (wanted, model.name, "") for each in self.prices if each.model == name), None)

    def its_own(self) -> list[Any]:
        """What tells one tournament from another, besides what is in the names."""
        return [self.move_time, self.move_tokens]


_usual = Asking()


def ask_so(asking: Asking) -> None:
    """Have every model asked so from now on: it is said once, where a command begins."""
    global _usual
    check_asking(asking)
    _usual = asking


def usual_asking() -> Asking:
    return _usual


def check_asking(asking: object) -> None:
    """Refuse what cannot be asked for: in Python it can be given any value."""
    if not isinstance(asking, Asking) or not isinstance(asking.axes, Axes):
        raise DuelError(f"How models are asked is said as in Asking(move_time=60); {shown(asking)} is not that.")
    read_model(Model("openai", "any", asking.axes).kind)  # in words each of them can be
    if asking.prompt:  # ours need not be read where no model plays
        check_prompt(asking.prompt)
    _check("move_time", asking.move_time, _number(asking.move_time) and 0 < asking.move_time < inf)
    for name in ("move_tokens", "total_tokens"):
        value = getattr(asking, name)
        _check(name, value, value is None or (isinstance(value, int) and value > 0))
    _check("total_money", asking.total_money, asking.total_money is None or _number(asking.total_money))
    _check("retries", asking.retries, isinstance(asking.retries, int) and 0 <= asking.retries <= MOST_RETRIES)


def _number(value: object) -> bool:
    return isinstance(value, int | float) and 0 <= value < inf


def _check(name: str, value: object, good: bool) -> None:
    if not good:
        raise DuelError(f"{name} cannot be {shown(value)} where a model is asked.")
