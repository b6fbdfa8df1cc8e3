"""Reasons where cards or secret picks have a say: read again and held against deals and pairs of picks."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from duelbook import load
from duelbook.coach.reasons import deed
from duelbook.core import Deed
from duelbook.solving.library import solution_for
from duelbook.solving.solution import Solution

Check = tuple[str, Callable[[Solution, Deed, "tuple[int, ...]"], bool]]


def every_claim_is_so(id: str, positions: Iterable[tuple[Any, int]], checks: Mapping[str, Check]) -> None:
    """Of every choice at these positions, fouls too, whatever is said; and hardly a slip has no idea."""
    game = load(id)
    solution = solution_for(game, game.book)
    assert game.reasons is not None
    heard = Counter[str]()
    for state, seat in positions:
        fouls = [move for move in game.moves if game.foul(game.book, state, seat, move)]
        for move in (*game.legal_moves(game.book, state, seat), *fouls):
            done = deed(solution, state, seat, move)
            said = 0
            for claim in game.reasons.CLAIMS:
                name, sentence = claim.__name__, claim(done)
                if not sentence:
                    continue
                said += 1
                shape, so = checks[name]
                counted = sentence.replace("the only card left", "the 1 card left").replace("both cards", "all 2 cards")
                found = re.fullmatch(shape, counted)
                assert found, f"{name}: {sentence}"
                numbers = tuple(int(part) for part in found.groups() if part and part.isdigit())
                heard[name] += 1
                where = f"{game.write_position(game.book, state)}, seat {seat}, move {move}"
                assert so(solution, done, numbers), f"{name} at {where}: {sentence}"
            heard["slips"] += done.slip
            heard["slips without an idea"] += done.slip and not said
    assert set(heard) - {"slips", "slips without an idea"} == set(checks)
    assert heard["slips without an idea"] <= heard["slips"] / 100
