"""The law of what is seen before a choice: the same sight must not stand for two different things.

Where luck has brought something, what it was shows when it is used. If two games showed the very same before the
choice and then used different cards, the card was not shown, wherever one looks.
"""

from __future__ import annotations

from duelbook.core import BOTH, LUCK, Game
from duelbook.foreign.following import INSIDE, JOINT, SEALED, Done, follow
from duelbook.foreign.laws import BREAKS, CANNOT_TELL, KEEPS, Finding, Law
from duelbook.foreign.parting import UNREAD
from duelbook.foreign.reading import Driven
from duelbook.foreign.telling import told
from duelbook.speech import amount

GAMES = 60
"""So many games are begun, to see what the first card does."""


def sight(game: Game, driven: Driven, law: Law) -> Finding:
    if not driven.readable:
        return _hidden(game, driven, law) or Finding(law, CANNOT_TELL, f"{UNREAD}.")
    if game.turn(game.book, game.start(game.book, 0)) == BOTH:
        return _picks(game, driven, law)
    if game.faces:
        return _cards(game, driven, law)
    return _hidden(game, driven, law) or _numbers(driven, law)


def _numbers(driven: Driven, law: Law) -> Finding:
    if driven.reading.keys is None:
        return Finding(law, CANNOT_TELL, "The two numbers do not stand in what it shows, as far as can be read.")
    one, two = driven.reading.keys
    return Finding(law, KEEPS, f"Both numbers stand in what it shows before each choice ({one} and {two}).")


def _hidden(game: Game, driven: Driven, law: Law) -> Finding | None:
    """Two lines after which the same is shown to the same player, and the numbers are not the same."""
    first: dict[tuple[str, int], tuple[tuple[int, int], tuple[Done, ...]]] = {}
    if driven.reading.way == INSIDE:
        return None
    for _, followed in driven.games:
        for shown, asked, pair, line in followed.sights:
            other, had = first.setdefault((shown, asked), (pair, line))
            if other != pair and (driven.reading.keys is not None or driven.agreed == 1):
                one, two = (f"{each[0]} and {each[1]}" for each in (other, pair))
                seen = f"After both lines it shows the same; by the book that is {one} once, and {two} once."
                return Finding(law, BREAKS, seen, (told(game, had), told(game, line)))
    return None


def _picks(game: Game, driven: Driven, law: Law) -> Finding:
    way = driven.reading.way
    if way == JOINT:
        return Finding(law, KEEPS, "Both picks are handed over at once.")
    if way == INSIDE:
        why = "Whether whoever is inside picks before it knows yours does not show from outside."
        return Finding(law, CANNOT_TELL, why)
    assert way == SEALED
    words = game.dialogue.words(game.book)
    shown = {move: driven.hosted.play([driven.words[move]])[-1].sight for move in game.moves}
    for move in game.moves[1:]:
        if shown[move] != shown[0]:
            seen = (
                f"After {words[0]} of {game.seats[0]} it shows something else than after {words[move]}, and "
                f"{game.seats[1]} has not picked yet."
            )
            return Finding(law, BREAKS, seen, (told(game, ((BOTH, (0, 0)),)), told(game, ((BOTH, (move, 0)),))))
    return Finding(law, KEEPS, f"After each of {amount(len(shown), 'first pick')} it shows the same.")


def _cards(game: Game, driven: Driven, law: Law) -> Finding:
    used: dict[str, dict[int, tuple[Done, ...]]] = {}
    """What the first card was, by what was shown before the choice."""
    again = 0
    for move in game.moves:
        for seed in range(GAMES):
            answers = driven.play((move,), seed)
            followed = follow(game, driven.reading, (move,), driven.words, answers)
            faces = {line[0] for line in followed.ours.values() if line}
            if followed.agreed != 1 or len(faces) != 1:
                continue  # what was used does not show
            ((turn, face),) = faces
            assert turn == LUCK
            cards = used.setdefault(answers[0].sight, {})
            again += face in cards
            cards.setdefault(face, next(iter(followed.ours.values())))
            if len(cards) > 1:
                one, two = cards
                seen = (
                    f"Before both lines it shows the same, and the card is {_a(one)} in one and {_a(two)} in the other."
                )
                return Finding(law, BREAKS, seen, tuple(told(game, line) for line in cards.values()))
        if used:
            break
    if len(used) > 1 and again:
        return Finding(law, KEEPS, f"What it shows before the choice goes with the card, in {GAMES} games.")
    why = "luck brought always the same" if len(used) == 1 else "what it shows never came up twice"
    if not used:
        why = "the numbers do not say what was used"
    return Finding(law, CANNOT_TELL, f"Whether the card is shown cannot be told: {why}.")


def _a(face: int) -> str:
    return f"{'an' if face == 8 else 'a'} {face}"
