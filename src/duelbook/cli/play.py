"""`duelbook play`: a duel at the terminal."""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Unpack

import click

from duelbook.cli import completing
from duelbook.cli.models import AXES, Asked, about_models, models
from duelbook.cli.options import SEED, at_position, changed_rules, perhaps_a_duel, playing_plainly
from duelbook.cli.programs import Around, around_programs, keep_info, surroundings
from duelbook.cli.screen import Screen, by_line
from duelbook.cli.values import whole, wrong_usage
from duelbook.core import DuelError, Game
from duelbook.line.console import Console, EndOfInput, Quit
from duelbook.match import BELL
from duelbook.players import ENGINE, HUMAN
from duelbook.table.invitation import Invitation, accept, has_first_player

if TYPE_CHECKING:
    from duelbook.tui.app import DuelbookApp

SEATS = (
    "human, random, level:1 to level:6, perfect, a character (hoarder, brawler, cautious, gambler), engine:COMMAND "
    "for a program of yours, or llm:PROVIDER/MODEL for a language model"
)


class Told(Around, Asked):
    """What is said of programs and models, by the names of the options."""


@click.command
@perhaps_a_duel
@click.option(
    "--p1", metavar="KIND", shell_complete=completing.players, help=f"Who is Player 1: {SEATS}.  [default: human]"
)
@click.option(
    "--p2", metavar="KIND", shell_complete=completing.players, help=f"Who is Player 2: {SEATS}.  [default: human]"
)
@click.option("--name1", metavar="NAME", help="What Player 1 is called.")
@click.option("--name2", metavar="NAME", help="What Player 2 is called.")
@click.option("--first", type=click.Choice(["1", "2", "toss"]), help="Who starts.  [default: 1]")
@click.option(
    "--seed",
    type=SEED,
    help="The seed of all luck: the same seed brings the same cards or throws. @FILE reads it from a file.",
)
@click.option("--max-turns", type=whole(1, 999_999), default=BELL, help="When the bell rings: no result.")
@changed_rules
@at_position
@click.option(
    "--deck",
    "--luck",
    "deck",
    metavar="7,4,9,...",
    help="Fix what luck brings first: these cards, or these throws of a die, in this order.",
)
@click.option("--save", "copy", metavar="FILE", help="Write the game to this .duel file too.")
@click.option("--coach", is_flag=True, help="Say at once when a move gave something away, and offer it back.")
@click.option("--bar", is_flag=True, help="Show who is ahead after every turn.")
@click.option("--online", metavar="SERVER", help="A new game on this server; you get a link to send to a friend.")
@click.option("--open", "is_open", is_flag=True, help="With --online: whoever comes may sit down.")
@click.option(
    "--pace",
    metavar="SECONDS",
    type=whole(0, 14 * 24 * 3600),
    default=0,
    show_default=False,
    help="With --online: the time for each decision.  [default: as long as it takes]",
)
@around_programs
@keep_info
@about_models
@by_line
@playing_plainly
def command(
    game: Game | None,
    p1: str | None,
    p2: str | None,
    name1: str | None,
    name2: str | None,
    first: str | None,
    seed: int | None,
    max_turns: int,
    rule: tuple[str, ...],
    position: str | None,
    deck: str | None,
    copy: str | None,
    coach: bool,
    bar: bool,
    online: str | None,
    is_open: bool,
    pace: int,
    line: bool,
    plain: bool,
    **around: Unpack[Told],
) -> int:
    """Play a duel at this terminal.

    On the full screen, unless --line says otherwise or the terminal cannot show it. Without DUEL the lobby opens; line
    by line, a small menu asks which duel, who plays and who starts. Through a pipe, a script of moves plays the game.
    """
    from duelbook.solving.library import ask_for
    from duelbook.table.keeper import make_ready, open_copy, open_save, start_record, usable_path

    screen = Screen(wanted=not (line or plain))
    if online is not None:
        from duelbook.cli.online import Asked, begin

        with wrong_usage():
            asked = Asked(online, game, (p1, p2), (name1, name2), first, rule, pace, is_open=is_open)
            asked.refuse(seed=seed, position=position, luck=deck, coach=coach, bar=bar, bell=max_turns != BELL)
        return begin(asked, screen, Console(plain=plain), copy)
    if is_open or pace:
        raise click.UsageError("--open and --pace are for games on a server: say which with --online.")
    if game is None and screen.usable:
        from duelbook.tui.app import run

        surroundings(around, programs=False)
        return run()
    if game is None:
        screen.explain()
        try:
            game, p1, p2, first = _menu(Console(plain=plain), p1, p2, first, position)
        except Quit:
            return 0
    if game is None:
        from duelbook.cli.resume import command as resume

        context = click.get_current_context()
        of_models = {name: value for name, value in around.items() if name not in AXES}
        return int(context.invoke(resume, coach=coach, bar=bar, line=True, plain=plain, **of_models))
    seats, names = (p1 or HUMAN, p2 or HUMAN), (name1, name2)
    if sys.stdin.isatty():  # a script is answered in the same words whoever runs it
        from duelbook.tui.preferences import remembered

        names = remembered().names(seats, names)
    models(around, seats)
    with wrong_usage():
        wish = Invitation(game, seats, names, first, rule, position, seed, deck, max_turns)
        match, kinds = accept(wish)
        target = usable_path(copy) if copy is not None else None
    surroundings(around, programs=any(kind.startswith(ENGINE) for kind in kinds))
    ask_for(game, match.rules)
    make_ready(match, kinds)
    by_the_book = position is None and not rule
    if not screen.usable and by_the_book and HUMAN in kinds:
        screen.explain()
        try:
            _perhaps_teach(game, Console(plain=plain))
        except Quit:
            return 0
    toss = f"The coin says that {match.names[match.next_seat()]} starts." if first == "toss" else ""
    record, twin = start_record(match, kinds), open_copy(target)
    if screen.usable:
        from duelbook.tui.app import run

        def sit_down(app: DuelbookApp) -> None:
            from duelbook.tui.lesson import offer

            app.sit_down(record, open_save(match, app.complain), twin, coach=coach or bar or None, toss=toss)
            if by_the_book and HUMAN in kinds:
                app.call_after_refresh(offer, app, match.game)

        return run(sit_down)
    from duelbook.line.play_out import play_out

    save, console = open_save(match), Console(plain=plain)
    screen.explain()
    if toss:
        console.say(toss)
    return play_out(record, save, twin, console, coaching=coach, bar=bar)


def _perhaps_teach(game: Game, console: Console) -> None:
    """Somebody who opens a duel for the first time is offered a guided game before it; leaving it leads to the game."""
    from duelbook.line.lesson import offer, teach

    try:
        if offer(game, console):
            with suppress(Quit):
                teach(game, console, before_a_game=True)
        console.whole = ()
    except EndOfInput:
        raise DuelError("The input ended before the game began.") from None


def _menu(
    console: Console, p1: str | None, p2: str | None, first: str | None, position: str | None
) -> tuple[Game | None, str | None, str | None, str | None]:
    """What is to be played, by whom and who starts, as far as it was not said; no duel for a game that is saved."""
    from duelbook.line.menu import choose_first, choose_game, choose_players
    from duelbook.table.shelf import latest_unfinished

    try:
        game = choose_game(console, latest_unfinished())
        if game is None:
            return None, p1, p2, first
        if p1 is None and p2 is None:
            p1, p2 = choose_players(console, game)
        if first is None and position is None and has_first_player(game):
            first = choose_first(console, game)
    except EndOfInput:
        raise DuelError("The input ended before a game was chosen.") from None
    console.say("")
    return game, p1, p2, first
