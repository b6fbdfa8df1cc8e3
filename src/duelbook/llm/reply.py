"""What a model answers, and the one way to read a move in it."""

from __future__ import annotations

from typing import NamedTuple

from duelbook.llm.faults import CUT, REFUSED, UNREADABLE, ModelFault
from duelbook.llm.prompt import FORM
from duelbook.match import ILLEGAL, View
from duelbook.speech import either, plain, quote

STOP, LENGTH, REFUSAL = "stop", "length", "refusal"
"""How an answer ends: by itself, at the limit of its tokens, or by a refusal."""
SHOWN = 80
"""Letters of an answer that a sentence shows."""


class Reply(NamedTuple):
    """A whole answer, as it came."""

    text: str
    ended: str = STOP
    refusal: str = ""
    """What was said in place of an answer."""
    thinking: str = ""
    """What the model let us see of its thinking. No move is looked for in it."""
    tokens_in: int | None = None
    """None where the server does not say."""
    tokens_out: int | None = None


def read_move(view: View, reply: Reply, name: str) -> int:
    """The move on the last line of an answer. There is no second way to read one: whatever else it is, is a fault."""
    if reply.ended == REFUSAL:
        said = reply.refusal or reply.text
        why = f": {_excerpt(said)}" if said.strip() else "."
        raise ModelFault(REFUSED, f"{name} refused to answer{why}", said)
    if reply.ended == LENGTH:
        raise ModelFault(CUT, f"{name} was cut off at the limit of its tokens.", reply.text)
    game, rules, state, seat, _ = view
    words = game.dialogue.words(rules)
    last = reply.text.rstrip().rpartition("\n")[2].strip()
    word = last.removeprefix(FORM).strip()
    if word not in words or last != f"{FORM} {word}":
        raise ModelFault(UNREADABLE, f"{name} did not end with '{FORM} MOVE' but with {_excerpt(last)}", reply.text)
    move = words.index(word)
    legal = view.legal()
    if move in legal or game.foul(rules, state, seat, move):  # a foul is played, and costs what the rules say
        return move
    could = either([words[each] for each in legal])
    where = game.write_position(rules, state)
    raise ModelFault(ILLEGAL, f"{name} played {quote(word)} at {where}, where it could play {could}.", reply.text)


def _excerpt(text: str) -> str:
    """The end of what was said, on one line."""
    line = " ".join(plain(text.strip()[-SHOWN:]).split())
    return f"'{line}'." if line else "nothing."
