"""What a page is made of: a tree of elements, written as HTML here, or handed to the browser's script as JSON.

Both are made of the same tree, so a page looks the same with and without a script; and nothing that anybody said ever
becomes markup, for text is escaped here and set as text there.
"""

from __future__ import annotations

from html import escape
from typing import NamedTuple, Union

from duelbook.serve.events import Json
from duelbook.speech import plain_lines

VOID = frozenset({"br", "hr", "img", "input", "link", "meta"})
"""Elements that hold nothing."""


class Node(NamedTuple):
    tag: str
    attributes: dict[str, str]
    inside: tuple[Part, ...]


Part = Union[Node, str]  # noqa: UP007 - the text of a class that is not there yet cannot be joined by a bar


def node(tag: str, *inside: Part | None, **attributes: str | int | float | bool | None) -> Node:
    """An element. `class_` is class, `data_key` data-key; True stands alone, and what is False or None is left out."""
    named = {name.rstrip("_").replace("_", "-"): value for name, value in attributes.items()}
    given = {
        name: "" if value is True else str(value)
        for name, value in named.items()
        if value is not None and value is not False
    }
    return Node(tag, given, tuple(part for part in inside if part is not None))


def html(part: Part) -> str:
    if isinstance(part, str):
        return escape(plain_lines(part))
    named = "".join(
        f' {name}="{escape(plain_lines(value))}"' if value else f" {name}" for name, value in part.attributes.items()
    )
    if part.tag in VOID:
        return f"<{part.tag}{named}>"
    return f"<{part.tag}{named}>{''.join(map(html, part.inside))}</{part.tag}>"


def as_json(part: Part) -> Json:
    """A text, or an element as [tag, attributes, what is inside]."""
    if isinstance(part, str):
        return plain_lines(part)
    inside: list[Json] = [as_json(each) for each in part.inside]
    attributes: dict[str, Json] = {name: plain_lines(value) for name, value in part.attributes.items()}
    return [part.tag, attributes, inside]
