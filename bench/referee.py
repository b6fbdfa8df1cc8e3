"""How many decisions a second the referee takes, beside OpenSpiel and PettingZoo in the same run.

Every contender plays the same kind of game to its end, over and over: ask what is legal, take any of it, each as
likely as the next, and apply it.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
from collections.abc import Callable
from functools import partial
from random import Random
from time import process_time
from typing import Any, NamedTuple

from bench.report import Aim, alternate, publish, table

from duelbook import Match, load
from duelbook.core import Game, Turn
from duelbook.games import ROOMS
from duelbook.players.random import RandomPlayer

OPENSPIEL_TOWER = "OpenSpiel (Python) tower"
OPENSPIEL_TICTACTOE = "OpenSpiel (Python) tic-tac-toe"
PETTINGZOO_TICTACTOE = "PettingZoo tic-tac-toe"
PEERS = (OPENSPIEL_TOWER, OPENSPIEL_TICTACTOE, PETTINGZOO_TICTACTOE)


class Work(NamedTuple):
    """What some games came to. A pair of picks is two decisions; a card that luck deals is none."""

    decisions: int
    draws: int = 0


def play_duelbook(game: Game, games: int) -> Work:
    decisions = draws = 0
    picks = 2 if game.turn(game.book, game.start(game.book, 0)) == Turn.BOTH else 1
    for seed in range(games):
        match = Match(game, seed=seed)
        match.run((RandomPlayer(seed), RandomPlayer(seed)))
        decisions += match.turns * picks
        draws += match.draws
    return Work(decisions, draws)


def play_openspiel(game: Any, games: int) -> Work:
    """Naming the player spares OpenSpiel three calls into Python for each list of moves."""
    random, decisions = Random(1).random, 0
    for _ in range(games):
        state = game.new_initial_state()
        while not state.is_terminal():
            legal = state.legal_actions(state.current_player())
            state.apply_action(legal[int(random() * len(legal))])
            decisions += 1
    return Work(decisions)


def play_pettingzoo(env: Any, games: int) -> Work:
    """Stopping at the first sight of the end spares PettingZoo the steps of agents that are done."""
    random, decisions = Random(1).random, 0
    for _ in range(games):
        env.reset()
        while True:
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                break
            legal = [move for move, allowed in enumerate(observation["action_mask"].tolist()) if allowed]
            env.step(legal[int(random() * len(legal))])
            decisions += 1
    return Work(decisions)


def contenders() -> dict[str, Callable[[int], Work]]:
    """Duelbook, and whoever of the peers is installed."""
    found: dict[str, Callable[[int], Work]] = {id: partial(play_duelbook, load(id)) for id in ROOMS}
    for peer, contend in (("OpenSpiel", openspiel), ("PettingZoo", pettingzoo)):
        try:
            found |= contend()
        except ImportError as error:
            missing = f"{peer} is left out, because {error.name} is not installed here."
            print(f"{missing} To have it: pip install -e '.[bench]'", file=sys.stderr)
    return found


def openspiel() -> dict[str, Callable[[int], Work]]:
    from bench.openspiel_tower import TowerGame
    from open_spiel.python.games import tic_tac_toe

    check_same_race(TowerGame())
    return {
        OPENSPIEL_TOWER: partial(play_openspiel, TowerGame()),
        OPENSPIEL_TICTACTOE: partial(play_openspiel, tic_tac_toe.TicTacToeGame()),
    }


def pettingzoo() -> dict[str, Callable[[int], Work]]:
    os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"  # a greeting in the middle of --json
    from pettingzoo.classic.tictactoe import tictactoe

    return {PETTINGZOO_TICTACTOE: partial(play_pettingzoo, tictactoe.env())}


def check_same_race(theirs: Any) -> None:
    """OpenSpiel's tower must be Duelbook's, move by move, in every position that can come up."""
    tower = load("tower")
    rules, start = tower.book, tower.start(tower.book, 0)
    seen, waiting = {start}, [start]
    while waiting:
        state = waiting.pop()
        turn = tower.turn(rules, state)
        other = stand(theirs, state, over=turn == Turn.OVER)
        if turn == Turn.OVER:
            assert other.returns()[tower.winner(rules, state)] == 1.0, state
            continue
        legal = tower.legal_moves(rules, state, turn)
        assert (other.current_player(), other.legal_actions()) == (turn, legal), state
        for move in legal:
            after, other = tower.apply(rules, state, move), stand(theirs, state)
            other.apply_action(move)
            assert str(other) == tower.write_position(rules, after), (state, move)
            assert other.is_terminal() == (tower.turn(rules, after) == Turn.OVER), (state, move)
            if after not in seen:
                seen.add(after)
                waiting.append(after)


def stand(game: Any, state: Any, *, over: bool = False) -> Any:
    """Duelbook's position, set up on OpenSpiel's table."""
    other = game.new_initial_state()
    (other.one, other.two), other.mover, other.over = state.towers, state.mover, over
    return other


def enough_games(play: Callable[[int], Work], seconds: float) -> int:
    """How many games take about so long. Finding out also warms the contender up."""
    games = 1
    while (took := timed(play, games)) < seconds / 4:
        games *= 2
    return max(1, round(games * seconds / took))


def timed(play: Callable[[int], Work], games: int) -> float:
    """Seconds of this process alone, so that what other programs do in between does not count."""
    begun = process_time()
    play(games)
    return process_time() - begun


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.referee", description=__doc__)
    parser.add_argument("--rounds", type=int, default=40, help="how often each contender plays (default: 40)")
    parser.add_argument("--seconds", type=float, default=0.02, help="how long it plays each time (default: 0.02)")
    parser.add_argument("--json", action="store_true", help="print JSON, for programs")
    asked = parser.parse_args()

    plays = contenders()
    games = {name: enough_games(play, asked.seconds) for name, play in plays.items()}
    work = {name: play(games[name]) for name, play in plays.items()}
    seconds = alternate({name: partial(timed, play, games[name]) for name, play in plays.items()}, asked.rounds)

    best = {name: work[name].decisions / min(seconds[name]) for name in plays}
    median = {name: work[name].decisions / statistics.median(seconds[name]) for name in plays}
    peers = [peer for peer in PEERS if peer in plays]
    slowest = min(ROOMS, key=best.__getitem__)
    beside = (
        ("tower", "tower", OPENSPIEL_TOWER, 1),
        (slowest, f"the slowest duel, {slowest},", PETTINGZOO_TICTACTOE, 5),
    )
    aims = [
        Aim(f"{called} beside {peer}", best[duel] / best[peer], least)
        for duel, called, peer, least in beside
        if peer in plays
    ]
    speeds = [
        [
            name,
            f"{best[name]:,.0f}",
            f"{median[name]:,.0f}",
            f"{work[name].decisions / games[name]:.1f}",
            f"{work[name].draws / games[name]:.1f}",
        ]
        for name in plays
    ]
    ratios = [[name, *(f"{best[name] / best[peer]:.2f}x" for peer in peers)] for name in ROOMS]
    publish(
        "Decisions a second",
        asked.json,
        {
            "rounds": asked.rounds,
            "contenders": {
                name: {
                    "best_per_second": best[name],
                    "median_per_second": median[name],
                    "decisions": work[name].decisions,
                    "draws": work[name].draws,
                    "games": games[name],
                }
                for name in plays
            },
        },
        [
            table(["random play", "best/s", "median/s", "decisions a game", "draws a game"], speeds),
            *([table(["best of Duelbook against", *peers], ratios)] if peers else []),
        ],
        aims,
    )


if __name__ == "__main__":
    main()
