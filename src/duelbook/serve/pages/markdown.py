"""A text in Markdown as elements of a page. What is no plain prose of it, markup above all, stays text."""

from __future__ import annotations

from collections.abc import Sequence

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

from duelbook.serve.pages.markup import Node, Part, node

TAGS = {
    "paragraph": "p",
    "bullet_list": "ul",
    "ordered_list": "ol",
    "list_item": "li",
    "strong": "strong",
    "em": "em",
    "blockquote": "blockquote",
    "table": "table",
    "thead": "thead",
    "tbody": "tbody",
    "tr": "tr",
    "th": "th",
    "td": "td",
    "hr": "hr",
}


def drawn(text: str) -> list[Part]:
    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    return _all(SyntaxTreeNode(reader.parse(text)).children)


def _all(parts: Sequence[SyntaxTreeNode]) -> list[Part]:
    return [drawn for part in parts for drawn in _part(part)]


def _part(part: SyntaxTreeNode) -> list[Part]:
    if part.type == "heading":
        return [node(part.tag, *_all(part.children))]
    if part.type in ("text", "html_block", "html_inline"):
        return [part.content]
    if part.type in ("softbreak", "hardbreak"):
        return [" "]
    if part.type == "code_inline":
        return [node("code", part.content)]
    if part.type in ("fence", "code_block"):
        return [node("pre", node("code", part.content), tabindex="0")]
    if part.type == "paragraph" and part.hidden:
        return _all(part.children)
    if part.type == "table":
        return [node("div", node("table", *_all(part.children)), class_="wide", tabindex="0")]
    if part.type in TAGS:
        return [_named(TAGS[part.type], part)]
    return _all(part.children)  # a link leads nowhere from here: what it says is enough


def _named(tag: str, part: SyntaxTreeNode) -> Node:
    return node(tag, *_all(part.children))
