"""Does the compiler take the rules, and do they do the same then? Large duels are walked through by machine code."""

from __future__ import annotations

from collections.abc import Iterator

from duelbook.conformance.mistake import Mistake, mistake, shown, where
from duelbook.conformance.steps import steps
from duelbook.core import BOTH, LUCK, OVER, Game, SomeState
from duelbook.games import compiler_says
from duelbook.positions.compiled import compiled

MOST_COMPILED = 200
"""At so many positions the compiled rules are held against the plain ones."""
Call = tuple[str, tuple[int, ...]]
"""A rule function's name, and what it takes besides the rules and the position."""


def the_compiler_takes_the_rules(game: Game, states: list[SomeState]) -> Iterator[Mistake]:
    """Each function is compiled where it is first needed, and named once if it cannot be or differs."""
    machine, rules, failed = compiled(game), game.book, set[str]()
    for state in states[:: len(states) // MOST_COMPILED + 1]:
        for name, arguments in _calls(game, rules, state):
            if name in failed:
                continue
            expected = getattr(game, name)(rules, state, *arguments)
            try:
                found = getattr(machine, name)(rules, state, *arguments)
            except Exception as error:  # noqa: BLE001 - the compiler's own errors, and whatever compiled code raises
                failed.add(name)
                told = f"the compiler does not take it: {compiler_says(error)}."
                yield mistake(f"rules.{name}", error, told)
                continue
            if found != expected:
                failed.add(name)
                told = f"compiled it gives {shown(found)}, in plain Python {shown(expected)}, for {shown(arguments)}."
                yield mistake(f"rules.{name}", found, told, where(game, rules, state))


def _calls(game: Game, rules: object, state: object) -> Iterator[Call]:
    """What the tools that walk through every position ask of the rules at this one."""
    turn = game.turn(rules, state)
    yield "turn", ()
    if turn == OVER:
        yield "winner", ()
    if turn == LUCK:
        yield from (("odds", (face,)) for face in game.faces)
    for seat in (0, 1) if turn == BOTH else (turn,) if turn < BOTH else ():
        yield from (("legal", (seat, int(move))) for move in game.moves)
        if hasattr(game.rules_file, "foul"):
            yield from (("foul", (seat, int(move))) for move in game.moves)
    yield from ((step.function.removeprefix("rules."), step.arguments) for step in steps(game, rules, state))
