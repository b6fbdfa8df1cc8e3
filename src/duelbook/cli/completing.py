"""What Tab offers for an argument or an option of a command: duels, players, rules, saved games."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from click.shell_completion import CompletionItem

    from duelbook.saves import Listed

    Items = list[CompletionItem]

FILES = "file"
"""The kind of item for which the shell offers its own files."""


def _beginning(begun: str, words: Mapping[str, str]) -> Items:
    """Of these words, with what they mean, those that begin so."""
    from click.shell_completion import CompletionItem  # here, for every command starts by loading this file

    return [CompletionItem(word, help=about) for word, about in words.items() if word.startswith(begun)]


def duels(_ctx: click.Context, _param: click.Parameter, begun: str) -> Items:
    from duelbook.games import game_ids

    return _beginning(begun, dict.fromkeys(game_ids(), ""))


def players(_ctx: click.Context, _param: click.Parameter, begun: str) -> Items:
    """Everybody who can sit in a seat; a program is completed as the file that it is."""
    from duelbook.players import KINDS
    from duelbook.policies.levels import RUNGS

    # Of a kind that goes on with what a person knows, the beginning is offered: engine: and llm:
    known = {f"{name.partition(':')[0]}:" if _goes_on(name) else name: KINDS[name] for name in KINDS}
    return _beginning(begun, dict.fromkeys(RUNGS, "") | known)


def _goes_on(kind: str) -> bool:
    return any(letter.isupper() for letter in kind)


def our_players(ctx: click.Context, param: click.Parameter, begun: str) -> Items:
    """Those that play by themselves."""
    from duelbook.players import ENGINE, HUMAN, LLM

    return [item for item in players(ctx, param, begun) if item.value not in (HUMAN, ENGINE, LLM)]


def rules(ctx: click.Context, _param: click.Parameter, begun: str) -> Items:
    """Names of the duel's rules, then what each can be set to; where no duel was named yet, of all duels."""
    from duelbook.games import game_ids, load

    typed = [id for id in game_ids() if id in ctx.obj]
    found = [load(id) for id in typed or game_ids()]
    name, equals, _ = begun.partition("=")
    words: dict[str, str] = {}
    for game in found:
        for each, knob in game.knobs.items():
            if equals and each == name:
                book = getattr(game.book, each)
                words |= {f"{each}={value}": "" for value in knob.choices or [knob.show(book)]}
            elif not equals:
                words[f"{each}="] = knob.meaning
    return _beginning(begun, words)


def unfinished_games(_ctx: click.Context, _param: click.Parameter, begun: str) -> Items:
    """What can be gone on with."""
    from duelbook.table.shelf import unfinished

    return _ids(begun, unfinished())


def _ids(begun: str, listed: Iterable[Listed]) -> Items:
    """Ids that stand in a command line as they are and are no options there, in the order of the list."""
    import shlex

    ids = [each.save.id for each in listed]
    return _beginning(begun, {id: "" for id in ids if shlex.quote(id) == id and id[:1] != "-"})


def recorded_games(ctx: click.Context, param: click.Parameter, begun: str) -> Items:
    """Saved games, the duels for their books' examples, and files."""
    from click.shell_completion import CompletionItem

    from duelbook.saves import saved

    return [*_ids(begun, saved()), *duels(ctx, param, begun), CompletionItem(begun, type=FILES)]


def commands(_ctx: click.Context, _param: click.Parameter, begun: str) -> Items:
    from duelbook.cli.commands import COMMANDS

    return _beginning(begun, {name: about.what for name, about in COMMANDS.items()})
