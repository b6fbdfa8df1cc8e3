"""Writes the man page from what the commands say of themselves. Run by `make golden`."""

from __future__ import annotations

import re
from inspect import cleandoc
from pathlib import Path

import click

from duelbook import __version__
from duelbook.cli import duelbook
from duelbook.cli.commands import COMMANDS
from duelbook.players import KINDS

PAGE = Path(__file__).parent / "duelbook.1"
EXITS = {"0": "done", "1": "failed", "2": "called wrongly", "130": "interrupted"}
FILES = {
    "$XDG_STATE_HOME/duelbook/games": "saved games, by default in ~/.local/state",
    "$XDG_CONFIG_HOME/duelbook": "settings, by default in ~/.config",
    "$XDG_CACHE_HOME/duelbook": "what was solved and computed, by default in ~/.cache; it can be deleted at any time",
}


def roff(text: str) -> str:
    """Text as roff takes it: nothing in it is a command, and a hyphen can be copied into a shell."""
    escaped = text.replace("\\", r"\e").replace("-", r"\-")
    return "\n".join(rf"\&{line}" if line[:1] in (".", "'") else line for line in escaped.splitlines())


def definition(term: str, meaning: str) -> list[str]:
    return [".TP", rf"\fB{roff(term)}\fR", roff(meaning)]


def paragraphs(text: str) -> list[str]:
    """As click keeps them: a paragraph behind its mark stands as it is written."""
    lines: list[str] = []
    for paragraph in re.split(r"\n\s*\n", cleandoc(text)):
        if paragraph.startswith("\b"):
            lines += [".PP", ".nf", roff(paragraph.removeprefix("\b").strip("\n")), ".fi"]
        else:
            lines += [".PP", roff(" ".join(paragraph.split()))]
    return lines


def about(name: str) -> list[str]:
    whole = click.Context(duelbook, info_name="duelbook", show_default=True)
    command = duelbook.get_command(whole, name)
    assert command is not None
    context = click.Context(command, parent=whole, info_name=name)
    usage = " ".join(command.collect_usage_pieces(context))
    lines = [f".SS {roff(f'duelbook {name} {usage}')}", *paragraphs(command.help or "")]
    for option in command.params:
        record = option.get_help_record(context) if isinstance(option, click.Option) else None
        if record is not None:
            lines += definition(*record)
    lines += [".PP", "Examples:", ".nf", *(roff(f"  duelbook {example}") for example in COMMANDS[name].examples), ".fi"]
    return lines


def page() -> str:
    described = duelbook.help or ""
    lines = [
        f'.TH DUELBOOK 1 "" "duelbook {__version__}" "User Commands"',
        ".SH NAME",
        r"duelbook \- two-player duels at the terminal, exactly by the book and solved exactly",
        ".SH SYNOPSIS",
        r"\fBduelbook\fR [\fICOMMAND\fR] [\fIOPTIONS\fR] [\fIARGUMENTS\fR]",
        ".SH DESCRIPTION",
        *paragraphs(described),
        ".SH COMMANDS",
        *(line for name in COMMANDS for line in about(name)),
        ".SH PLAYERS",
        "Who can sit in a seat:",
        *(line for kind, meaning in KINDS.items() for line in definition(kind, meaning)),
        ".SH FILES",
        *(line for path, meaning in FILES.items() for line in definition(path, meaning)),
        ".SH EXIT STATUS",
        *(line for code, meaning in EXITS.items() for line in definition(code, meaning)),
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
