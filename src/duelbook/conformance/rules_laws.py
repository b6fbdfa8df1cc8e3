"""The laws of the rules and the notation: what must be true at every position of every duel.

Each law is a function that looks at one position and gives the mistakes it finds. The tests of our own duels run the
same functions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from duelbook.conformance.mistake import Mistake, mistake, shown
from duelbook.conformance.steps import steps
from duelbook.core import BOTH, DRAW, LUCK, OVER, Game, SomeState, Turn
from duelbook.positions.layout import FARTHEST, LONGEST

Law = Callable[[Game, object, object], Iterator[Mistake]]


def a_state_is_a_value_of_whole_numbers(game: Game, rules: object, state: SomeState) -> Iterator[Mistake]:
    """The same NamedTuple as at the start, of ints and of tuples of ints that are always as long."""
    start = game.start(rules, 0)
    if type(state) is not type(start) or not hasattr(state, "_fields"):
        told = f"{shown(state)} is not a {type(start).__name__}; every position is the NamedTuple that start gives."
        yield mistake("rules.State", state, told)
        return
    for name, part, first in zip(state._fields, state, start, strict=True):
        numbers, told = part if type(part) is tuple else (part,), ""
        if not all(type(number) is int for number in numbers):
            told = f"its field {name} is {shown(part)}; a state holds whole numbers and tuples of them, nothing else."
        elif type(part) is not type(first) or (type(part) is tuple and len(part) != len(first)):
            told = f"its field {name} is {shown(part)} and was {shown(first)} at the start; its shape must stay."
        elif len(numbers) > LONGEST or any(abs(number) > FARTHEST for number in numbers):
            told = f"its field {name} is {shown(part)}, more or larger numbers than a table of positions can hold."
        elif name == "mover" and part not in (0, 1):
            told = f"its field mover is {shown(part)}; a field of that name holds a seat, 0 or 1."
        if told:
            yield mistake("rules.State", part, told, shown(state))


def somebody_can_act_or_it_is_over(game: Game, rules: object, state: object) -> Iterator[Mistake]:
    """`turn` names a turn that the duel has functions for, and whoever it names has something to play."""
    turn = game.turn(rules, state)
    if not isinstance(turn, int) or turn not in tuple(Turn):
        told = f"it gives {shown(turn)}; it must give FIRST (0), SECOND (1), BOTH (2), LUCK (3) or OVER (4)."
        yield mistake("rules.turn", turn, told)
        return
    needed = {LUCK: "deal", BOTH: "resolve", OVER: "winner"}.get(turn, "apply")
    if not hasattr(game.rules_file, needed):
        told = f"it gives {Turn(turn).name}, but the rules have no function {needed}."
        yield mistake("rules.turn", turn, told)
        return
    if turn in (OVER, LUCK):
        return
    for seat in (0, 1) if turn == BOTH else (turn,):
        if not any(game.legal(rules, state, seat, move) for move in game.moves):
            told = f"nothing is legal for seat {seat}, although turn names it; somebody can act or the game is over."
            yield mistake("rules.legal", None, told)


def an_end_has_a_winner_or_is_a_draw(game: Game, rules: object, state: object) -> Iterator[Mistake]:
    if game.turn(rules, state) != OVER:
        return
    winner = game.winner(rules, state)
    if not isinstance(winner, int) or isinstance(winner, bool) or winner not in (0, 1, DRAW):
        told = f"it gives {shown(winner)}; it must give the winner's seat, 0 or 1, or DRAW (2)."
        yield mistake("rules.winner", winner, told)


def luck_is_whole_weights(game: Game, rules: object, state: object) -> Iterator[Mistake]:
    """Weights of 0 or more, not all 0 where luck acts; a player acts next, or the game is over."""
    if game.turn(rules, state) != LUCK:
        return
    total = 0
    for face in game.faces:
        weight = game.odds(rules, state, face)
        if not isinstance(weight, int) or weight < 0:
            told = f"it gives {shown(weight)} for the face {face}; a weight is a whole number, 0 or more."
            yield mistake("rules.odds", weight, told)
            return
        total += weight
        if weight and game.turn(rules, game.deal(rules, state, face)) == LUCK:
            told = f"after the face {face} luck acts again; a player acts next, or the game is over."
            yield mistake("rules.deal", face, told)
    if not total:
        told = "it gives 0 for every face although luck acts here; at least one face must be able to come."
        yield mistake("rules.odds", 0, told)


def a_move_is_legal_or_a_foul_but_never_both(game: Game, rules: object, state: object) -> Iterator[Mistake]:
    for seat in (0, 1):
        for move in game.moves:
            legal, foul = game.legal(rules, state, seat, move), game.foul(rules, state, seat, move)
            for name, said in (("legal", legal), ("foul", foul)):
                if type(said) is not bool:
                    told = f"it gives {shown(said)} for move {move} of seat {seat}; it must give True or False."
                    yield mistake(f"rules.{name}", said, told)
            if legal and foul:
                told = f"move {move} of seat {seat} is legal and a foul at once; a foul is a move that is not legal."
                yield mistake("rules.foul", move, told)


def a_position_reads_back_as_it_was_written(game: Game, rules: object, state: object) -> Iterator[Mistake]:
    text = game.write_position(rules, state)
    if not isinstance(text, str) or not text.strip() or not text.isprintable():
        told = f"it gives {shown(text)}; a position is one line of text that can be seen."
        yield mistake("notation.write_position", text, told)
        return
    again = game.read_position(rules, text)
    if again != state:
        told = f"it reads {shown(again)} where {shown(state)} was written."
        yield mistake("notation.read_position", again, told)


def the_same_play_gives_the_same_position_every_time(game: Game, rules: object, state: object) -> Iterator[Mistake]:
    """Nothing is left to chance but what `odds` says."""
    once, again = list(steps(game, rules, state)), list(steps(game, rules, state))
    for one, two in zip(once, again, strict=False):
        if one != two:
            told = (
                f"it gives {shown(one.after)} and then {shown(two.after)} for {shown(one.arguments)}; it may not vary."
            )
            yield mistake(one.function, two.after, told)
            return
    if len(once) != len(again):
        told = f"{len(once)} things can happen here, and {len(again)} when asked again; it may not vary."
        yield mistake("rules.legal", len(again), told)


LAWS: tuple[Law, ...] = (
    a_state_is_a_value_of_whole_numbers,
    somebody_can_act_or_it_is_over,
    an_end_has_a_winner_or_is_a_draw,
    luck_is_whole_weights,
    a_move_is_legal_or_a_foul_but_never_both,
    a_position_reads_back_as_it_was_written,
    the_same_play_gives_the_same_position_every_time,
)
PLAYABLE: tuple[Law, ...] = (
    somebody_can_act_or_it_is_over,
    an_end_has_a_winner_or_is_a_draw,
    luck_is_whole_weights,
    a_position_reads_back_as_it_was_written,
)
"""What must hold under all rules that the knobs allow."""
