"""Around the game: the friend's link, links to watch and to go on elsewhere, giving up, and looking back afterwards."""

from __future__ import annotations

from duelbook.serve.pages.actions import SURE, button, form
from duelbook.serve.pages.markup import Node, Part, node
from duelbook.serve.pages.sight import Sight


def drawn(sight: Sight) -> list[Node]:
    online = sight.online
    found: list[Node] = []
    if sight.viewer is not None and not online.over and not all(seat.is_taken for seat in online.seats):
        found += _friend(sight)
    if sight.viewer is None and not online.over and not all(seat.is_taken for seat in online.seats):
        found.append(sit(sight))
    if sight.stale:
        found.append(node("p", "You sat here, and have gone on on another device. From here you watch.", class_="said"))
    if online.withdrawn is not None:
        found.append(node("p", node("a", "To the lobby", href="/", class_="button")))
    elif online.over:
        found += _afterwards(sight)
    elif sight.viewer is not None and online.seats[sight.viewer].kept and online.hides:
        found.append(node("p", KEPT, class_="quiet"))
    return [*found, _links(sight), *_leaving(sight)]


def _friend(sight: Sight) -> list[Node]:
    if not sight.invitation:
        if sight.online.is_open:
            return [node("p", "This game stands open in the lobby: anybody may sit down. You need not wait here.")]
        return [node("p", "The seat across from you is free for whoever has its link.")]
    return [
        _link("friend", "Send this link to your friend; it works once:", f"{sight.address}#i={sight.invitation}"),
        node("p", "You need not wait here: the game is kept, and the lobby leads back to it.", class_="quiet"),
    ]


def _link(id: str, words: str, way: str) -> Node:
    field = node("input", id=id, value=way, readonly=True, class_="way", dir="ltr")
    copy = node("button", "Copy", type="button", data_copy=id, class_="scripted")
    return node("div", node("label", words, for_=id), node("span", field, copy, class_="line"), class_="link")


def sit(sight: Sight) -> Node:
    """For somebody who was invited, or comes to an open game. A script fills in what the link has behind its #."""
    online = sight.online
    host = next((seat.name for seat in online.seats if seat.is_taken), "")
    words = f"{host} waits for you." if host else "Nobody sits here yet."
    asked: list[Part] = [] if online.is_open else [_code()]
    return node(
        "form",
        node("h2", "Sit down"),
        node("p", words),
        node("label", "Your name", for_="name"),
        node("input", id="name", name="name", maxlength=30, autocomplete="nickname"),
        *asked,
        button("Sit down", class_="primary"),
        node("noscript", node("p", KEPT, class_="quiet")),
        method="post",
        action=f"/game/{online.id}/sit",
        class_="sit",
        data_act="sit",
        data_links=str(online.links),
    )


KEPT = (
    "Without a script your browser cannot keep the secrets that make luck and hidden picks provable, so the server "
    "keeps yours. You can play everything; that it does not look is then a matter of trust, and the record says so."
)


def _code() -> Node:
    return node(
        "span",
        node("label", "The link that you were sent", for_="invitation"),
        node("input", id="invitation", name="invitation", maxlength=300, autocomplete="off", dir="ltr"),
        class_="code",
    )


def _links(sight: Sight) -> Node:
    online = sight.online
    ways = [
        node("li", node("a", "The rules", href=f"/rules/{online.duel.id}")),
        node("li", node("a", "Link to watch", href=sight.address, data_copy="itself")),
    ]
    return node("ul", *ways, class_="ways")


def _leaving(sight: Sight) -> list[Node]:
    online = sight.online
    if sight.viewer is None or online.over:
        return []
    do, words = ("resign", "Resign") if online.match is not None else ("withdraw", "Withdraw")
    give_up = form(sight, do, button(words), data_sure=SURE[do])
    elsewhere = node(
        "form",
        button("Go on on another device"),
        method="post",
        action=f"/game/{online.id}/offer",
        data_act="offer",
    )
    own = node("div", id="elsewhere", class_="link", data_own=True)  # a script shows its link here, and keeps it
    return [node("div", give_up, elsewhere, class_="leaving"), own]


def _afterwards(sight: Sight) -> list[Node]:
    online = sight.online
    ways = (
        (f"/game/{online.id}/review", "Look back: what was given away"),
        (f"/game/{online.id}/replay", "Step through it"),
    )
    links = [node("li", node("a", words, href=way)) for way, words in ways]
    record = node(
        "a", "Save the record", href=f"/api/games/{online.id}/record", download=f"{online.duel.id}-{online.id}.duel"
    )
    return [node("ul", *links, node("li", record), class_="ways")]
