"""Who sees what of an event: one function, and who is nobody sees least."""

from __future__ import annotations

from duelbook.serve.events import Event, Json

SHOWN: dict[str, tuple[str, ...]] = {
    "created": (
        "game",
        "duel",
        "rules",
        "hash",
        "first",
        "pace",
        "turns",
        "links",
        "open",
        "promise",
        "kinds",
        "names",
        "anchors",
    ),
    "joined": ("seat", "name", "anchor", "kept", "program"),
    "link": ("seat", "number", "link"),
    "began": ("first",),
    "moved": ("seat", "move"),
    "dealt": ("number", "face", "faces", "weights"),
    "sealed": ("seat", "turn", "seal"),
    "opened": ("seat",),
    "revealed": ("turn", "picks", "salts"),
    "resigned": ("seat",),
    "withdrawn": ("seat",),
    "faulted": ("seat", "fault", "sentence"),
    "over": ("result", "reason", "key"),
    "offered": ("seat",),
    "handed": ("seat",),
    "rematch": ("seat",),
    "again": ("game",),
}
"""What everybody may know of each kind. What is not here, nobody is told: a new secret is one without being named."""


def public(event: Event, viewer: int | None = None) -> dict[str, Json]:
    """The event as it is sent to whoever sits in this seat, or to somebody who watches (None).

    Who has a seat also sees which of their own acts an event came from, so that an act sent twice is known again.
    """
    shown: dict[str, Json] = {"seq": event.seq, "at": event.at, "kind": event.kind}
    shown |= {name: event.body[name] for name in SHOWN.get(event.kind, ()) if name in event.body}
    if viewer is not None and event.body.get("seat") == viewer and event.act.startswith(f"{viewer} "):
        shown["act"] = event.act
    return shown
