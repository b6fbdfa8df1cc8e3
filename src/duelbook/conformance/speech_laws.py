"""The laws of the dialogue and the scene: what a duel must be able to say, at every position."""

from __future__ import annotations

from collections.abc import Iterator

from duelbook.conformance.mistake import Mistake, mistake, shown
from duelbook.conformance.rules_laws import Law
from duelbook.conformance.steps import Step, allowed, steps
from duelbook.core import BOTH, LUCK, OVER, Game
from duelbook.scene import Scene, scene_of
from duelbook.speech import Line

MOST_STEPS = 12
"""So many things that can happen at one position are told."""
TONES = ("", "title", "turn", "hurt", "gain", "calm", "quiet", "end", "goal", "extra")


def every_word_is_understood(game: Game, rules: object, state: object) -> Iterator[Mistake]:
    """What the words call a move, `read` takes for that move; and what cannot be played is refused in a sentence."""
    turn, words, speak = game.turn(rules, state), game.dialogue.words(rules), game.dialogue
    if turn in (LUCK, OVER):
        return
    for seat in (0, 1) if turn == BOTH else (turn,):
        able = allowed(game, rules, state, seat)
        if able and max(able) >= len(words):
            told = f"it gives {len(words)} words, but move {max(able)} can be played; each move needs its word."
            yield mistake("dialogue.words", words, told)
            return
        for move, word in enumerate(words):
            heard = speak.read(rules, state, seat, word)
            if heard != move:
                told = f"it takes the word {shown(word)} for {shown(heard)}; that is the word of move {move}."
                yield mistake("dialogue.read", heard, told)
            if move in able and game.legal(rules, state, seat, move):
                yield from _sentence("effect", speak.effect(rules, state, seat, move))
            elif move not in able:
                yield from _sentence("why_not", speak.why_not(rules, state, seat, move))


def everything_that_happens_is_told(game: Game, rules: object, state: object) -> Iterator[Mistake]:
    speak, names = game.dialogue, game.seats
    turn = game.turn(rules, state)
    yield from _lines("opening", speak.opening(rules, state, names))
    yield from _lines("status", speak.status(rules, state, names))
    if turn == OVER:
        ending = speak.ending(rules, state, names)
        yield from _sentence("ending", ending)
        if isinstance(ending, str) and not ending.rstrip().endswith((".", "!")):
            yield mistake("dialogue.ending", ending, f"it gives {shown(ending)}; that is not a whole sentence.")
        yield from _lines("farewell", speak.farewell(rules, state, names))
        return
    if turn == LUCK:
        drawer = speak.drawer(state)
        if drawer not in (0, 1):
            yield mistake("dialogue.drawer", drawer, f"it gives {shown(drawer)}; it must name a seat, 0 or 1.")
        yield from _lines("before_draw", speak.before_draw(rules, state, names))
        yield from _sentence("draw_prompt", speak.draw_prompt(rules, state, names))
    elif turn == BOTH:
        yield from _lines("round_heading", speak.round_heading(rules, state, 1))
        for seat in (0, 1):
            yield from _questions(game, rules, state, seat)
    else:
        yield from _lines("ask", speak.ask(rules, state, turn, names))
        yield from _questions(game, rules, state, turn)
    for step in list(steps(game, rules, state))[:MOST_STEPS]:
        yield from _told(game, rules, state, step)


def _questions(game: Game, rules: object, state: object, seat: int) -> Iterator[Mistake]:
    speak = game.dialogue
    yield from _sentence("prompt", speak.prompt(rules, state, seat, game.seats))
    if hasattr(speak, "choices"):
        yield from _sentence("choices", speak.choices(rules, state, seat))
    explain = getattr(speak, "explain", None)
    said = explain(rules, state, seat) if explain is not None else []
    if not isinstance(said, list) or not all(isinstance(line, str) for line in said):
        yield mistake("dialogue.explain", said, f"it gives {shown(said)}; it must give a list of sentences.")
    yield from _listed(game, rules, state, seat)
    if any(game.foul(rules, state, seat, move) for move in game.moves):
        yield from _sentence("foul_warning", speak.foul_warning(rules, state, seat))


def _listed(game: Game, rules: object, state: object, seat: int) -> Iterator[Mistake]:
    """A menu of its own leaves out nothing that can be played, and has a word for everything."""
    listed = game.menu(rules, state, seat)
    if not isinstance(listed, dict) or not all(isinstance(word, str) and word for word in listed.values()):
        yield mistake("dialogue.menu", listed, f"it gives {shown(listed)}; it must give a word for each move it lists.")
        return
    missing = [move for move in game.legal_moves(rules, state, seat) if move not in listed]
    if missing:
        yield mistake("dialogue.menu", listed, f"it leaves out move {missing[0]}, which can be played.")


def _told(game: Game, rules: object, state: object, step: Step) -> Iterator[Mistake]:
    speak, names = game.dialogue, game.seats
    if step.function == "rules.resolve":
        one, two = step.arguments
        yield from _lines("tell_round", speak.tell_round(rules, state, (one, two), step.after, names))
        return
    name = "tell_draw" if step.function == "rules.deal" else "tell"
    for you in (True, False):
        yield from _lines(name, getattr(speak, name)(rules, state, step.arguments[0], step.after, names, you))


def the_table_can_be_drawn(game: Game, rules: object, state: object) -> Iterator[Mistake]:
    """A duel that describes its own table does so in the values that are drawn."""
    if game.scene is None:
        return
    scene = scene_of(game, rules, state)
    if not isinstance(scene, Scene) or len(scene.sides) != 2:
        yield mistake("scene.scene", scene, f"it gives {shown(scene)}; it must give a Scene with two sides.")
        return
    for side in scene.sides:
        if not all(isinstance(number, int) for number in (side.gauge.value, side.gauge.top)):
            yield mistake("scene.scene", side.gauge, f"the gauge {shown(side.gauge)} holds no whole numbers.")


def _sentence(name: str, said: object) -> Iterator[Mistake]:
    if not isinstance(said, str) or not said.strip():
        yield mistake(f"dialogue.{name}", said, f"it gives {shown(said)}; it must give words.")


def _lines(name: str, said: object) -> Iterator[Mistake]:
    if not isinstance(said, list | tuple) or not all(isinstance(line, Line) for line in said):
        yield mistake(f"dialogue.{name}", said, f"it gives {shown(said)}; it must give a list of Lines.")
        return
    for line in said:
        if not isinstance(line.text, str):
            yield mistake(f"dialogue.{name}", line, f"it gives {shown(line)}, a Line without text.")
        elif line.text and not line.text.isprintable():
            told = f"it gives {shown(line.text)}; a Line is one line, of letters that can be seen."
            yield mistake(f"dialogue.{name}", line.text, told)
        elif not _is_gauge(line.gauge):
            told = f"it gives the gauge {shown(line.gauge)}; it must be a pair of whole numbers, the value and its top."
            yield mistake(f"dialogue.{name}", line.gauge, told)
        elif line.tone not in TONES:
            told = f"it gives the tone {shown(line.tone)}; there are {', '.join(filter(None, TONES))}."
            yield mistake(f"dialogue.{name}", line.tone, told)


def _is_gauge(gauge: object) -> bool:
    if not isinstance(gauge, tuple):
        return gauge is None
    return len(gauge) == 2 and all(isinstance(number, int) for number in gauge) and gauge[1] > 0


SPOKEN_LAWS: tuple[Law, ...] = (
    every_word_is_understood,
    everything_that_happens_is_told,
    the_table_can_be_drawn,
)
