"""What whoever looks can do now: each is a form of its own, which works without a script.

With one the same forms are sent by it, together with what this browser keeps (`static/acts.js`).
"""

from __future__ import annotations

import secrets

from duelbook.core import BOTH, LUCK
from duelbook.match import Match
from duelbook.serve.pages.markup import Node, Part, node
from duelbook.serve.pages.sight import Sight
from duelbook.serve.pages.words import claim_words
from duelbook.table.keys import keys_of

SURE = {
    "resign": "Resign this game?",
    "withdraw": "Withdraw this game? Nobody can sit down at it any more; nobody has lost it.",
}
"""What is asked before a game is given up."""
MANY = 6
"""More moves than this stand side by side."""


def form(sight: Sight, do: str, *inside: Part, **attributes: str) -> Node:
    """A form that does something at this table; its name for the act makes sure that twice sent is done once."""
    hidden = [
        node("input", type="hidden", name="do", value=do),
        node("input", type="hidden", name="act", value=secrets.token_hex(8)),
    ]
    way = f"/game/{sight.online.id}/do"
    return node("form", *hidden, *inside, method="post", action=way, data_act=do, **attributes)


def button(words: str, **attributes: str) -> Node:
    return node("button", words, type="submit", **attributes)


def drawn(sight: Sight) -> list[Node]:
    match = sight.online.match
    if sight.online.over:
        return []
    if sight.viewer is None or match is None:
        return [_look_again(sight)]
    found: list[Node] = []
    if sight.mine and match.turn == LUCK and match.next_seat() == sight.viewer:
        chance = sight.online.duel.chance
        words = f"{chance.draw.capitalize()} a {chance.face}"
        found.append(form(sight, "link", button(words, class_="primary draw", data_key="draw")))
    if sight.mine and match.turn in (sight.viewer, BOTH) and not sight.online.seats[sight.viewer].seal:
        found += _moves(sight, match, sight.viewer)
    if not sight.mine:
        found += _waiting(sight)
    return found


def _moves(sight: Sight, match: Match, seat: int) -> list[Node]:
    game, where = match.game, (match.rules, match.state, seat)
    words, keys = game.dialogue.words(match.rules), keys_of(game, *where)
    listed = game.menu(*where)
    rows = []
    for move, label in listed.items():
        legal, foul = game.legal(*where, move), game.foul(*where, move)
        about = game.dialogue.effect(*where, move) if legal or foul else game.dialogue.why_not(*where, move)
        rows.append(node("li", _move(words[move], label, about, keys[move][:1], legal, bool(foul))))
    prompt = game.dialogue.prompt(*where, match.names).strip()
    kind = "moves many" if len(listed) > MANY else "moves"
    typed = form(
        sight,
        "move",
        node("label", prompt or "Your move:", for_="said"),
        node(
            "span",
            node(
                "input",
                id="said",
                name="said",
                maxlength=200,
                autocomplete="off",
                autocapitalize="off",
                spellcheck="false",
                enterkeyhint="go",
            ),
            button("Play"),
            class_="line",
        ),
        class_="typed",
    )
    return [form(sight, "move", node("ul", *rows, class_=kind)), typed]


def _move(word: str, label: str, about: str, keys: tuple[str, ...], legal: bool, foul: bool) -> Node:
    key = keys[0].upper() if keys else ""
    refused = not legal and not foul
    said = f"not now. {about}" if refused else about
    return node(
        "button",
        node("kbd", key, aria_hidden="true") if key and key != label else None,
        node("span", label[:1].upper() + label[1:], class_="word"),
        node("span", f" {said}", class_="about"),
        type="submit",
        name="move",
        value=word,
        class_="move foul" if foul else "move",
        aria_disabled="true" if refused else None,
        aria_keyshortcuts=key or None,
        data_key=f"move {word}",
        data_sure=f"{about[:1].upper()}{about[1:]}. Do it all the same?" if foul else None,
    )


def _waiting(sight: Sight) -> list[Node]:
    """What can be done while it waits for the other: nothing, or claim the game."""
    words, left = claim_words(sight), sight.claim_in
    if not words:
        return [_look_again(sight)]
    claim = form(sight, "claim", button("Claim the game", data_key="claim")) if left is not None and left < 0 else None
    return [node("div", node("p", words), claim, class_="claim", data_key="claim box"), _look_again(sight)]


def _look_again(sight: Sight) -> Node:
    """For pages without a script: the next page comes when something has happened, or after a while."""
    seq = sight.online.last.seq if sight.online.last else 0
    way = node("a", "Look again", href=f"/game/{sight.online.id}?after={seq}", class_="button")
    return node("p", way, class_="unscripted", data_key="look")
