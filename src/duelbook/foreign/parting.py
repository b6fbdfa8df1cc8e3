"""What the lines that were played side by side say of three laws: who the opponent is, what ends it, what moves do."""

from __future__ import annotations

from duelbook.core import BOTH, LUCK, Game
from duelbook.foreign.following import END, INSIDE, Followed, Parted, follow
from duelbook.foreign.laws import BREAKS, CANNOT_TELL, KEEPS, Finding, Law
from duelbook.foreign.reading import Driven
from duelbook.foreign.telling import told
from duelbook.speech import amount, either

GAMES = 12
"""So many games are begun to see what somebody inside answers."""
UNREAD = "What it shows cannot be read as this duel's two numbers, so nothing can be held against ours"


def first_of(driven: Driven, by: str) -> Parted | None:
    """The shortest line on which they part by this."""
    found = [parted for _, followed in driven.games for parted in followed.parted if parted.by == by]
    return min(found, key=lambda parted: len(parted.line), default=None)


def broken(game: Game, law: Law, parted: Parted) -> Finding:
    return Finding(law, BREAKS, f"{parted.seen[0].upper()}{parted.seen[1:]}.", (told(game, parted.line),))


def opponent(game: Game, driven: Driven, law: Law) -> Finding:
    if not driven.readable:
        return Finding(law, CANNOT_TELL, f"{UNREAD}.")
    if driven.reading.way != INSIDE:
        steps = sum(followed.agreed for _, followed in driven.games)
        return Finding(law, KEEPS, f"Each player's decisions are asked for: {amount(steps, 'step')} agree with that.")
    line = next(line for line, followed in driven.games if followed.agreed)[:1]
    answered: dict[str, str] = {}
    replies = set[frozenset[object]]()
    words = game.dialogue.words(game.book)
    for seed in range(GAMES):
        followed = follow(game, driven.reading, line, driven.words, driven.play(line, seed))
        replies.add(frozenset(followed.ours))
        if len(followed.ours) == 1 and followed.agreed:
            (done,) = followed.ours.values()
            reply = done[-1][1][1] if done[-1][0] == BOTH else done[-1][1]
            answered.setdefault(words[reply], told(game, done))
    if not answered:
        followed = driven.games[0][1]
        shown = told(game, next(iter(followed.ours.values())))
        return Finding(law, BREAKS, "After one step both have moved: somebody inside answers.", (shown,))
    which = f"{either(sorted(answered, key=words.index), 'and')} were seen in {GAMES} games"
    chance = "by chance" if len(replies) > 1 else "always the same"
    seen = f"After one step of Player 1 both have moved: somebody inside answers, {chance} ({which})."
    return Finding(law, BREAKS, seen, (next(iter(answered.values())),))


def end(game: Game, driven: Driven, law: Law) -> Finding:
    parted = first_of(driven, END)
    if not driven.readable:
        return Finding(law, CANNOT_TELL, f"{UNREAD}.")
    if parted is not None:
        return broken(game, law, parted)
    ended = [followed for _, followed in driven.games if followed.ended]
    if not ended:
        return Finding(law, CANNOT_TELL, "No line came to an end before it parted from ours by something else.")
    if not all(followed.told for followed in ended):
        return Finding(law, CANNOT_TELL, "It ends where ours ends, but neither reward nor words say who has won.")
    return Finding(law, KEEPS, f"{_ends(ended)} where ours ends, with the same winner.")


def _ends(ended: list[Followed]) -> str:
    return f"{amount(len(ended), 'line')} {'ends' if len(ended) == 1 else 'end'}"


def effect(game: Game, driven: Driven, law: Law) -> Finding:
    parted = first_of(driven, law.name)
    if not driven.readable or driven.reading.keys is None:
        return Finding(law, CANNOT_TELL, f"{UNREAD}.")
    if parted is not None:
        return broken(game, law, parted)
    steps = sum(followed.agreed for _, followed in driven.games)
    known = "" if driven.reading.way != INSIDE else " with some answer of whoever is inside"
    luck = " with some card" if any(done[0] == LUCK for _, f in driven.games for done in _line(f)) else ""
    return Finding(law, KEEPS, f"The numbers after {amount(steps, 'step')} are ours{luck}{known}.")


def _line(followed: Followed) -> tuple[tuple[int, object], ...]:
    return next(iter(followed.ours.values()), ())
