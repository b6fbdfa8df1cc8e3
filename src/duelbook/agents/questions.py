"""What can be answered from the rules alone: the duels, their books, what may be played, what comes of it.

Nothing is kept between two questions: a position is a text that says everything.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from duelbook.agents.answers import (
    TURNS,
    Choices,
    DuelEntry,
    DuelList,
    Face,
    KnobEntry,
    RuleBook,
    Standing,
)
from duelbook.core import BOTH, LUCK, DuelError, Game, check_beginning, rules_hash, settings, variant
from duelbook.games import load, load_all, rulebook
from duelbook.match import LATEST_BELL, Match, read_move
from duelbook.speech import quote

LONGEST_POSITION = 2000
"""Letters. The longest that any duel here writes has some dozens."""
LONGEST_WORD = 200
MOST_RULES = 100
"""Changes of rules in one question."""


def check_length(text: str, longest: int, what: str) -> str:
    if len(text) > longest:
        raise DuelError(f"{what} has at most {longest:,} letters; this has {len(text):,}.")
    return text


def duel_of(duel: str, rules: Sequence[str]) -> tuple[Game, object]:
    """A duel and its rules, as somebody far away names them."""
    game = load(check_length(duel, LONGEST_WORD, "The name of a duel"))
    if len(rules) > MOST_RULES:
        raise DuelError(f"At most {MOST_RULES} rules can be changed at once.")
    return game, variant(game, [check_length(each, LONGEST_WORD, "A rule") for each in rules])


def state_of(game: Game, rules: object, position: str | None) -> object:
    """The state that a text names; without one, the start of a game that can be played."""
    if position is None:
        check_beginning(game, rules)
        return game.start(rules, 0)
    return game.read_position(rules, check_length(position, LONGEST_POSITION, "A position"))


def list_duels() -> DuelList:
    return DuelList(
        [
            DuelEntry(
                game.id,
                game.name,
                game.pitch,
                game.write_position(game.book, game.start(game.book, 0)),
                list(game.dialogue.words(game.book)),
                bool(game.faces),
                picks_at_once(game),
            )
            for game in load_all()
        ]
    )


def picks_at_once(game: Game) -> bool:
    return hasattr(game.rules_file, "resolve")


def read_rules(duel: str, rules: Sequence[str]) -> RuleBook:
    game, changed = duel_of(duel, rules)
    knobs = [
        KnobEntry(
            name,
            knob.show(getattr(changed, name)),
            knob.show(getattr(game.book, name)),
            knob.allowed(getattr(game.book, name)),
            knob.meaning,
        )
        for name, knob in game.knobs.items()
    ]
    return RuleBook(game.id, game.name, settings(game, changed), rules_hash(game, changed), knobs, rulebook(game))


def legal_moves(duel: str, position: str | None, rules: Sequence[str]) -> Standing:
    return standing(_match(duel, position, rules))


def play_move(duel: str, move: str, position: str | None, rules: Sequence[str]) -> Standing:
    """What comes of a move, of two picks (`7/5`), or of what luck brings (`7`)."""
    match = _match(duel, position, rules)
    said = check_length(move, LONGEST_WORD, "A move").strip()
    if match.turn == LUCK:
        match.deal(_face(match, said))
    elif match.turn == BOTH:
        _both(match, said)
    else:
        (seat,) = match.to_act() or (match.next_seat(),)  # where it is over, the referee says so
        match.play(seat, read_move(match, seat, said) if match.outcome is None else 0)
    return standing(match)


def _match(duel: str, position: str | None, rules: Sequence[str]) -> Match:
    game, changed = duel_of(duel, rules)
    return Match(game, changed, start=state_of(game, changed, position), max_turns=LATEST_BELL)


def _face(match: Match, said: str) -> int:
    chance = match.game.chance
    if not re.fullmatch(r"\d{1,6}:?", said, re.ASCII):
        can_come = ", ".join(str(face.face) for face in _faces(match))
        raise DuelError(f"A {chance.face} must be {chance.drawn} here: one of {can_come}. {quote(said)} is none.")
    return int(said.rstrip(":"))


def _both(match: Match, said: str) -> None:
    picks = said.split("/")
    if len(picks) != 2:
        raise DuelError(
            f"Both players pick at once here: say both picks, Player 1's first, as in 7/5. {quote(said)} is not that."
        )
    for seat, pick in enumerate(picks):
        match.play(seat, read_move(match, seat, pick.strip()))


def standing(match: Match) -> Standing:
    """Where a match stands, as everybody may know it."""
    game, rules, state = match.game, match.rules, match.state
    words, outcome = game.dialogue.words(rules), match.outcome
    # Who has picked already and waits is not told apart: both decide in such a turn.
    deciding = () if outcome or match.turn == LUCK else (0, 1) if match.turn == BOTH else (match.turn,)
    return Standing(
        game.id,
        settings(game, rules),
        game.write_position(rules, state),
        "over" if outcome else TURNS[match.turn],
        [Choices(seat + 1, [words[move] for move in game.legal_moves(rules, state, seat)]) for seat in deciding],
        _faces(match) if match.turn == LUCK and not outcome else [],
        [line.text for line in game.dialogue.status(rules, state, match.names) if line.text.strip()],
        outcome.result if outcome else "*",
        outcome.reason if outcome else None,
    )


def _faces(match: Match) -> list[Face]:
    game = match.game
    odds = {face: game.odds(match.rules, match.state, face) for face in game.faces}
    return [Face(face, weight / sum(odds.values())) for face, weight in odds.items() if weight]
