"""Another game of the same two, when one is over. It stands where the moves were, so that no wish is overlooked."""

from __future__ import annotations

from duelbook.serve.pages.actions import button, form
from duelbook.serve.pages.markup import Node, node
from duelbook.serve.pages.sight import Sight


def drawn(sight: Sight) -> list[Node]:
    online = sight.online
    if not online.over or online.withdrawn is not None:
        return []
    if online.next_game:
        return [_next(sight)]
    return [] if sight.viewer is None else _rematch(sight)


def _rematch(sight: Sight) -> list[Node]:
    assert sight.viewer is not None
    mine, theirs = sight.online.seats[sight.viewer], sight.online.seats[1 - sight.viewer]
    if mine.again:
        told = f"You have asked for another game. {theirs.name} has not answered yet; you need not wait here."
        return [node("p", told, class_="said")]
    asks = [node("p", f"{theirs.name} would like another game.", class_="said")] if theirs.again else []
    return [*asks, form(sight, "rematch", button("Another game, seats swapped", class_="primary", data_key="rematch"))]


def _next(sight: Sight) -> Node:
    """Who sat here sits down there by what they have already; who watched goes along."""
    way = f"/game/{sight.online.next_game}"
    if sight.viewer is None:
        return node("p", node("a", "They play on: to the next game", href=way, class_="button primary"))
    return node(
        "form",
        node("input", type="hidden", name="after", value=sight.online.id),
        button("To the next game", class_="primary", data_key="next"),
        method="post",
        action=f"{way}/sit",
        data_act="sit",
        data_links=str(sight.online.links),
    )
