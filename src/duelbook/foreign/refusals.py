"""The law of what may be played: what our rules refuse is tried at the nearest position, and must be refused there."""

from __future__ import annotations

from duelbook.core import BOTH, OVER, Game
from duelbook.foreign.answers import Answer
from duelbook.foreign.following import INSIDE, MOVES, Done, Ours, actions, after, follow, left_out, parts, read, refuses
from duelbook.foreign.laws import BREAKS, CANNOT_TELL, KEEPS, Finding, Law
from duelbook.foreign.lines import Play, Refused, numbers, refused
from duelbook.foreign.parting import UNREAD, broken, first_of
from duelbook.foreign.reading import Driven
from duelbook.foreign.telling import told
from duelbook.speech import amount

PLAYED = "played"
NOTHING = "nothing changes"


def moves(game: Game, driven: Driven, law: Law) -> Finding:
    parted = first_of(driven, MOVES)
    if not driven.readable:
        return Finding(law, CANNOT_TELL, f"{UNREAD}.")
    tries = refused(game)
    refusals: dict[str, int] = {}
    for attempt in sorted(tries, key=lambda each: len(each.line)):
        how, line = _tried(game, driven, attempt)
        if how == PLAYED:
            words = game.dialogue.words(game.book)
            seen = f"It plays {words[attempt.move]} there, which the book does not allow."
            return Finding(law, BREAKS, seen, (told(game, line, attempt.move),))
        if how:
            refusals[how] = refusals.get(how, 0) + 1
    if parted is not None:
        return broken(game, law, parted)
    legal = sum(followed.agreed for _, followed in driven.games)
    if tries and not refusals:
        return Finding(law, CANNOT_TELL, "Whether it refuses what the book refuses does not show in anything it shows.")
    seen = f"{amount(legal, 'legal move')} were played"
    if refusals:
        how = max(refusals, key=lambda each: refusals[each])
        seen += f", and {sum(refusals.values())} of {len(tries)} that are not legal were refused: {how}"
    return Finding(law, KEEPS, f"{seen}.")


def _tried(game: Game, driven: Driven, attempt: Refused) -> tuple[str, tuple[Done, ...]]:
    """How an illegal move was refused, or that it was PLAYED; nothing where that does not show. And the line to it."""
    reading = driven.reading
    line: tuple[Play, ...] = (*attempt.line, attempt.move)
    if reading.way == INSIDE and attempt.seat == 1:
        return "", ()
    told_ = actions(reading.way, line, driven.words)
    answers = driven.hosted.play(told_)
    before, answer = answers[-2], answers[-1]
    if len(answers) != len(parts(reading.way, line)) + 1:
        return "", ()
    followed = follow(game, reading, line, driven.words, answers[:-1])
    if followed.parted or followed.agreed != len(answers) - 2:
        return "", ()
    ours = followed.ours
    where = next(iter(ours.values()))
    if any(game.legal(game.book, state, attempt.seat, attempt.move) for state in ours):
        return "", where
    how = refuses(reading, before, answer, told_[-1])
    if how:
        return how, where
    if before.listed is not None and not left_out(before, told_[-1]):
        return PLAYED, where
    played = _as_if_legal(game, driven, ours, attempt)
    return _which(game, driven, answer, ours, played) or _by_the_next(game, driven, line, ours, played), where


def _as_if_legal(game: Game, driven: Driven, ours: Ours, attempt: Refused) -> Ours:
    """Where ours would stand if the move were played all the same."""
    done: Ours = {
        game.apply(game.book, state, attempt.move): (*line, (attempt.seat, attempt.move))
        for state, line in ours.items()
    }
    if driven.reading.way != INSIDE:
        return done
    return {
        game.apply(game.book, state, move): line
        for state, line in done.items()
        if game.turn(game.book, state) not in (OVER, BOTH)
        for move in game.legal_moves(game.book, state, 1 - attempt.seat)
    }


def _which(game: Game, driven: Driven, answer: Answer, refused_: Ours, played: Ours) -> str:
    """Which of two stories the numbers tell; nothing where they fit both."""
    seen = read(driven.reading, answer)
    if seen is None:
        return ""
    stories = []
    for story in (refused_, played):
        pairs = {_seen_as(game, driven, state) for state in story}
        stories.append(seen in pairs)
    if stories == [True, True]:
        return ""
    return NOTHING if stories[0] else PLAYED


def _seen_as(game: Game, driven: Driven, state: object) -> tuple[int, int]:
    pair = numbers(state)
    turned = driven.reading.relative and game.turn(game.book, state) == 1
    return pair[::-1] if turned else pair


def _by_the_next(game: Game, driven: Driven, line: tuple[Play, ...], refused_: Ours, played: Ours) -> str:
    """Where both stories fit, a further move tells them apart: whose number does it change?"""
    if driven.reading.way == INSIDE:
        return ""
    for move in game.moves:
        nexts = [after(game, driven.reading.way, story, move) for story in (refused_, played)]
        if None in nexts:
            continue
        first, second = ({_seen_as(game, driven, state) for state in each or ()} for each in nexts)
        if first & second:
            continue
        answers = driven.play((*line, move))
        if len(answers) == len(line) + 2:
            seen = read(driven.reading, answers[-1])
            if seen in first:
                return NOTHING
            if seen in second:
                return PLAYED
    return ""
