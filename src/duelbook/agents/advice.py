"""What can be answered from solutions: what a position is worth, what to play, what was lost.

Each function takes texts and gives back plain values, so that it can be asked of a process that is stopped when it
takes too long. What would be large to solve is refused before that (`positions/size.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum

from duelbook.agents.answers import (
    Chosen,
    FaceValue,
    HintChoice,
    Hints,
    Judged,
    JudgedDecision,
    JudgedGame,
    JudgedPlayer,
    MoveValue,
    PlayerHint,
    PlayerMoves,
    Reviewed,
    Slip,
    Solved,
)
from duelbook.agents.questions import LONGEST_WORD, check_length, duel_of, state_of
from duelbook.coach.hint import hint
from duelbook.coach.report import accounting, average_lines, flawless, heading, worst
from duelbook.coach.review import Review, averages, review
from duelbook.coach.words import chance
from duelbook.core import BOTH, LUCK, OVER, DuelError, Game, SomeState, settings
from duelbook.match import Prepared, View
from duelbook.players import HUMAN, KINDS, check_kind, seat_player
from duelbook.record import Record, iter_games
from duelbook.solving.best_line import best_line
from duelbook.solving.library import solution_at
from duelbook.solving.solution import Solution
from duelbook.solving.verdict import verdict
from duelbook.speech import amount, quote

LONGEST_RECORD = 200_000
"""Letters of what can be judged at once."""
MOST_GAMES = 200
MOST_DECISIONS = 5000
"""In all games together: what comes back has to be read."""


def solved_at(duel: str, position: str | None, rules: Sequence[str]) -> tuple[Solution, SomeState]:
    game, changed = duel_of(duel, rules)
    state = game.start(changed, 0) if position is None else state_of(game, changed, position)
    return solution_at(game, changed, state), state


def solve(duel: str, position: str | None, rules: Sequence[str]) -> Solved:
    solution, state = solved_at(duel, position, rules)
    game, changed = solution.game, solution.rules
    low, high = solution.bounds(state)
    return Solved(
        game.id,
        settings(game, changed),
        game.write_position(changed, state),
        solution.value(state),
        low,
        high,
        solution.plies(state),
        verdict(solution, state),
        [_moves(solution, state, seat) for seat in _deciding(game, changed, state)],
        [FaceValue(draw.face, draw.chance, draw.value) for draw in solution.draws(state)],
        list(best_line(solution, state).words),
    )


def _deciding(game: Game, rules: object, state: SomeState) -> tuple[int, ...]:
    turn = game.turn(rules, state)
    return (0, 1) if turn == BOTH else () if turn in (LUCK, OVER) else (turn,)


def _moves(solution: Solution, state: SomeState, seat: int) -> PlayerMoves:
    words, plan = solution.game.dialogue.words(solution.rules), solution.plan(state, seat)
    ranked = sorted(solution.options(state, seat), key=lambda each: (each.rank(seat), -plan[each.move]))
    return PlayerMoves(
        seat + 1,
        [MoveValue(words[each.move], each.value, each.plies, each.lost, plan[each.move]) for each in ranked],
    )


def give_hint(duel: str, position: str | None, rules: Sequence[str]) -> Hints:
    game, changed = duel_of(duel, rules)
    state = state_of(game, changed, position)
    solution = solution_at(game, changed, state)
    seats = (0, 1) if game.turn(changed, state) == BOTH else (None,)
    hints = []
    for seat in seats:
        found = hint(solution, state, seat)
        choices = [HintChoice(each.word, each.best, each.wins, each.share, each.about) for each in found.choices]
        hints.append(PlayerHint(found.seat + 1, found.wins, found.why, list(found.ideas), choices, list(found.line)))
    return Hints(game.id, settings(game, changed), game.write_position(changed, state), hints)


# What a player of ours does


def _is_ours(kind: str) -> bool:
    """Whether it plays from our tables. Whatever else there is starts a program, or costs somebody money."""
    return kind != HUMAN and (":" not in kind or kind.startswith("level:"))


PLAYERS = "; ".join(f"{kind} ({meaning})" for kind, meaning in KINDS.items() if _is_ours(kind))
"""Who can be asked, in words."""


def check_player(kind: str) -> str:
    """The tidy name of a player of ours. Nobody far away has programs started or models asked here."""
    wanted = " ".join(check_length(kind, LONGEST_WORD, "A kind of player").lower().split())
    if not _is_ours(wanted):
        raise DuelError(f"{quote(kind)} cannot be asked from here. A player is one of these: {PLAYERS}.")
    return check_kind(wanted)


def get_ready(duel: str, position: str | None, rules: Sequence[str], kind: str) -> None:
    """Whatever this player needs, at hand: what cannot be had is said before a game begins."""
    game, changed = duel_of(duel, rules)
    player = seat_player(check_player(kind), 0)
    if isinstance(player, Prepared):
        player.prepare(View(game, changed, state_of(game, changed, position), 0, 0))


def choose(
    duel: str, position: str | None, rules: Sequence[str], kind: str, seat: int | None, seed: int, turn: int = 0
) -> Chosen:
    """What a kind of player plays. The seed is whoever asks's own: another one each time."""
    game, changed = duel_of(duel, rules)
    state = state_of(game, changed, position)
    deciding = _deciding(game, changed, state)
    if not deciding:
        why = f"a {game.chance.face} comes first" if game.turn(changed, state) == LUCK else "the game is over"
        raise DuelError(f"Nobody decides at {game.write_position(changed, state)}: {why}.")
    if seat is None and len(deciding) > 1:
        where = game.write_position(changed, state)
        raise DuelError(f"Both players decide at {where}: say for which of them, by seat 1 or 2.")
    if seat not in (None, 0, 1):
        raise DuelError(f"A seat is 1 or 2, not {seat + 1}.")
    who = deciding[0] if seat is None else seat
    if who not in deciding:
        raise DuelError(f"Player {who + 1} has nothing to decide at {game.write_position(changed, state)}.")
    player = seat_player(check_player(kind), seed)
    assert player is not None  # that no person sits there was looked at
    move = player.choose(View(game, changed, state, who, turn))
    words = game.dialogue.words(changed)
    return Chosen(game.id, settings(game, changed), game.write_position(changed, state), who + 1, words[move])


# What was played


def judge(text: str) -> Judged:
    """Every decision of every game with what it lost."""
    games, decisions = [], 0
    for record in _records(text):
        found = review(record)
        decisions += len(found.decisions)
        if decisions > MOST_DECISIONS:
            raise DuelError(f"At most {MOST_DECISIONS:,} decisions are judged at once; ask of fewer games.")
        games.append(_judged(found))
    return Judged(games)


def _records(text: str) -> list[Record]:
    found = []
    for record in iter_games(check_length(text, LONGEST_RECORD, "A record")):
        found.append(record)
        if len(found) > MOST_GAMES:
            raise DuelError(f"At most {amount(MOST_GAMES, 'game')} are judged at once; ask of fewer.")
    return found


def _judged(found: Review) -> JudgedGame:
    match = found.match
    decisions = [
        JudgedDecision(each.turn, each.seat + 1, each.position, each.move, each.before, each.lost)
        for each in found.decisions
    ]
    players = []
    for seat, name in enumerate(match.names):
        lost = [each.lost for each in found.decisions if each.seat == seat]
        players.append(JudgedPlayer(seat + 1, name, len(lost), fsum(lost), fsum(lost) / len(lost) if lost else None))
    return JudgedGame(
        match.game.id,
        settings(match.game, match.rules),
        match.outcome.result if match.outcome else "*",
        match.outcome.reason if match.outcome else None,
        players,
        decisions,
    )


def look_back(text: str, number: int) -> Reviewed:
    """One game with its slips, why each was one, and how luck and skill made the result."""
    records = _records(text)
    if not 1 <= number <= len(records):
        raise DuelError(f"The record holds {amount(len(records), 'game')}; there is no number {number}.")
    found = review(records[number - 1])
    slips = [
        Slip(each.turn, each.seat + 1, each.move, each.mark, each.lost, list(each.better), found.why(each).lines())
        for each in found.decisions
        if each.mark
    ]
    said = [
        *([] if worst(found.decisions) else [flawless(found)]),
        *accounting(found),
        *average_lines(averages([found])),
    ]
    return Reviewed(found.match.game.id, heading(found), [chance(value) for value in found.curve], slips, said)
