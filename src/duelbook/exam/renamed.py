"""A duel under other names: another id, another name, other words for its moves and other letters in its positions.

The rules, the states and the numbers of the moves are the same, so an answer is judged as it is. What people, programs
and language models read is mapped on the way out: every word that the duel's moves, id or name are made of becomes one
that means nothing, wherever it stands, in the rule book too. What they type is mapped on the way in.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from string import ascii_lowercase
from typing import cast

from duelbook.contract import Chance, Voice
from duelbook.core import DuelError, Game, SomeRules, SomeState
from duelbook.games import rulebook
from duelbook.luck import below, mix
from duelbook.speech import Line

STARTS = ("b", "d", "f", "g", "j", "k", "l", "m", "n", "p", "r", "s", "t", "v", "z", "br", "dr", "gl", "kr", "pl", "tr")
MIDDLES = ("a", "e", "i", "o", "u")
ENDS = ("b", "d", "g", "k", "l", "m", "n", "p", "r", "sk", "st", "v", "x", "z")
KNOWN = {"duel", "game", "player", "number", "line", "turn", "rules", "the", "and", "with"}
"""Words that every rule book needs."""
SHORTEST = 4
"""A word of at least so many letters is found in its other forms, too: build in builds and building."""
SHIFT = 7
"""Letters of positions move on by so many places in the alphabet."""


def renamed(game: Game) -> Game:
    """The same duel in other words."""
    words = Words(game)
    there = str.maketrans(ascii_lowercase, ascii_lowercase[SHIFT:] + ascii_lowercase[:SHIFT])
    back = {ord(new): old for old, new in ((chr(old), chr(new)) for old, new in there.items())}

    def write_position(rules: SomeRules, state: SomeState) -> str:
        return game.write_position(rules, state).translate(there)

    def read_position(rules: SomeRules, text: str) -> SomeState:
        return game.read_position(rules, text.lower().translate(back))

    return game._replace(
        id=words.say(game.id).replace(" ", "-"),
        name=words.say(game.name),
        pitch=words.say(game.pitch),
        dialogue=cast(Voice, _Dialogue(game, words)),  # whatever the duel's own has
        write_position=write_position,
        read_position=read_position,
        parts={},
        scene=None,
        reasons=None,
        lesson=None,
    )


class Words:
    """Which word stands for which, and text with one or the other."""

    def __init__(self, game: Game) -> None:
        own = " ".join([game.id, game.name, *game.dialogue.words(game.book)]).lower()
        found = [word for word in dict.fromkeys(re.findall(r"[a-z]{3,}", own)) if word not in KNOWN]
        stems = list(dict.fromkeys(_stem(word) for word in found))
        self.new = dict(zip(stems, _made_up(mix(*game.id.encode()), len(stems)), strict=True))
        self.old = {new: old for old, new in self.new.items()}
        self._out, self._in = _pattern(self.new), _pattern(self.old)

    def say(self, text: str) -> str:
        return _mapped(text, self._out, self.new)

    def hear(self, text: str) -> str:
        return _mapped(text, self._in, self.old)


def _stem(word: str) -> str:
    return re.sub(r"(se|e|y)$", "", word) if len(word) > SHORTEST + 1 else word


def _pattern(words: Iterable[str]) -> re.Pattern[str] | None:
    listed = sorted(words, key=len, reverse=True)
    if not listed:
        return None
    parts = [
        rf"{re.escape(word)}(?=[a-z]*)" if len(word) >= SHORTEST else rf"{re.escape(word)}(?![a-z])" for word in listed
    ]
    return re.compile(rf"(?<![a-z])(?:{'|'.join(parts)})", re.IGNORECASE)


def _mapped(text: str, pattern: re.Pattern[str] | None, words: dict[str, str]) -> str:
    if pattern is None:
        return text

    def other(found: re.Match[str]) -> str:
        word = words[found[0].lower()]
        return word.upper() if found[0].isupper() else word.capitalize() if found[0][:1].isupper() else word

    return pattern.sub(other, text)


def _made_up(bits: int, count: int) -> list[str]:
    """Words that mean nothing, none of which begins another."""
    found: list[str] = []
    draw = 0
    while len(found) < count:
        parts = (STARTS, MIDDLES, ENDS, MIDDLES, ENDS)
        word = "".join(part[below(len(part), bits, draw, at)] for at, part in enumerate(parts))
        if not any(word.startswith(other) or other.startswith(word) for other in found):
            found.append(word)
        draw += 1
    return found


class _Dialogue:
    """A duel's dialogue in other words. Whatever the duel's own has is here, and says the same in the others."""

    def __init__(self, game: Game, words: Words) -> None:
        self._own, self._words = game.dialogue, words
        self._game = game

    @property
    def RULEBOOK(self) -> str:  # noqa: N802 - a constant of a dialogue
        """The rule book, for `games.rulebook`."""
        return self._words.say(rulebook(self._game))

    def read(self, rules: SomeRules, state: SomeState, me: int, text: str) -> int:
        return self._asked(self._own.read, rules, state, me, self._words.hear(text))  # type: ignore[return-value]  # what a read answers is a number

    def __getattr__(self, name: str) -> object:
        found = getattr(self._own, name)
        if not callable(found):
            return self._other(found)
        return lambda *asked: self._asked(found, *asked)

    def _asked(self, function: Callable[..., object], *asked: object) -> object:
        try:
            return self._other(function(*asked))
        except DuelError as error:
            raise type(error)(self._words.say(str(error))) from None

    def _other(self, value: object) -> object:
        """The same in other words."""
        if isinstance(value, str):
            return self._words.say(value)
        if isinstance(value, Line):
            return value._replace(text=self._words.say(value.text))
        if isinstance(value, Chance):
            return Chance._make(self._words.say(word) for word in value)
        if isinstance(value, (list, tuple)):
            return type(value)(map(self._other, value))
        if isinstance(value, dict):
            return {key: self._other(each) for key, each in value.items()}
        return value
