"""A table on a server, line by line: wait for the other one, play, look back, and play once more."""

from __future__ import annotations

import signal
from collections.abc import Callable
from contextlib import suppress

from duelbook.core import DuelError
from duelbook.games import rulebook
from duelbook.line.apart import Apart
from duelbook.line.console import Console, EndOfInput, Quit
from duelbook.line.meanwhile import Meanwhile
from duelbook.line.session import LEAVING
from duelbook.saves import Save, SaveError
from duelbook.serve.arriving import invitation_link, next_table
from duelbook.serve.remote import Remote
from duelbook.serve.wire import Wire
from duelbook.speech import Line, quote, tidy
from duelbook.table.keeper import command_name

DONE, FAILED, INTERRUPTED = 0, 1, 130
WAYS_ON = "Type rematch, review or save FILE, or press Enter to leave: "


def play(wire: Wire, console: Console, warn: Callable[[str], None], copy: Save | None = None) -> int:
    """Play the game at the other end of this wire, and those after it, until somebody leaves. The exit code."""
    _leave_on_signals()
    while True:
        meanwhile = Meanwhile(wire, console)
        try:
            wire.start()
            if not _has_begun(wire, meanwhile, console, warn):
                return DONE
            remote = Remote(wire, copy=copy, complain=warn)
            Apart(remote, console, meanwhile, warn).run()
            another = _afterwards(remote, meanwhile, console)
            remote.leave()
        except Quit:
            code = DONE
        except EndOfInput:
            code = FAILED
        except KeyboardInterrupt:
            warn("")
            code = INTERRUPTED
        else:
            if another is None:
                return DONE
            wire, copy = another, None
            continue
        finally:
            meanwhile.close()
            wire.stop()
        if copy is not None:
            copy.let_go()
        if wire.online.over:
            return code
        what = "join" if wire.mine is not None else "join --watch"
        warn(f"The game goes on without you. Come back with: {command_name()} {what} {wire.link}")
        return code


def _leave_on_signals() -> None:
    """Whoever closes the window or stops the program leaves as with Ctrl-C."""
    for name in ("SIGTERM", "SIGHUP", "SIGQUIT"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.default_int_handler)


def _has_begun(wire: Wire, meanwhile: Meanwhile, console: Console, warn: Callable[[str], None]) -> bool:
    """Wait until both are there, and it is known who begins. False where somebody withdraws the game before that."""
    wire.take_in()
    if not wire.online.begun and not wire.online.over and wire.mine is not None:
        if wire.online.is_open:
            console.say(f"You wait for whoever comes, at {wire.link}")
        elif wire.mine.friend:
            console.say("Send this link to whoever is to play you; it works once:", f"  {invitation_link(wire)}")
    told, trouble = False, ""
    while not wire.online.begun and not wire.online.over:
        if not told and all(seat.is_taken for seat in wire.online.seats):
            told = True
        elif not told:
            told = True
            names = [seat.name for at, seat in enumerate(wire.online.seats) if at != wire.seat and not seat.is_taken]
            console.say(Line(f"Waiting for {' and '.join(names)} ...", "quiet"))
        typed = meanwhile.hear()
        if typed in LEAVING:
            raise Quit
        if typed:
            _before_it_begins(typed, wire, console)
        wire.take_in()
        if wire.failed is not None:
            raise wire.failed
        refusals, wire.refusals = wire.refusals, []
        for sentence in refusals:
            console.complain(sentence)
        if wire.trouble != trouble:
            trouble = wire.trouble
            warn(trouble or "Connected again.")
    if wire.online.over and not wire.online.begun:
        console.say(wire.online.reason)
    return wire.online.begun


def _before_it_begins(typed: str, wire: Wire, console: Console) -> None:
    if tidy(typed) == "rules":
        console.say(rulebook(wire.online.duel))
    elif tidy(typed) == "withdraw" and wire.mine is not None:
        wire.send({"do": "withdraw"}, "withdraw")
    elif wire.mine is None:
        console.complain("The game has not begun. You can type rules, or quit.")
    else:
        console.complain("The game has not begun. You can type rules, quit (the game stays here), or withdraw.")


def _afterwards(remote: Remote, meanwhile: Meanwhile, console: Console) -> Wire | None:
    """The proof, and what can be done now. The wire of the next game, where both want one."""
    wire = remote.wire
    if not remote.proved:
        console.complain(remote.proof)
    console.say("", Line(remote.proof, "quiet"), f"The record of this game: {wire.connection.place.api}/record")
    if not (console.typing and wire.mine is not None):
        return None
    with suppress(EndOfInput, Quit):
        return _ways_on(remote, meanwhile, console)
    return None


def _ways_on(remote: Remote, meanwhile: Meanwhile, console: Console) -> Wire | None:
    wire, seat = remote.wire, remote.wire.online.seats
    mine = wire.seat or 0
    told = asked = False
    while not wire.online.next_game:
        if seat[1 - mine].again and not told:
            told = True
            console.say(f"{seat[1 - mine].name} wants another game, with the seats swapped.")
        if not asked:
            console.say(WAYS_ON)
            asked = True
        typed = meanwhile.hear() if meanwhile.listens else console.ask("")
        wire.take_in()
        if typed is not None:
            asked = False
            if not typed or tidy(typed) in (*LEAVING, "no", "n"):
                return None
            _do(typed, remote, console)
        refusals, wire.refusals = wire.refusals, []
        for sentence in refusals:
            console.complain(sentence)
    console.say("")
    return next_table(wire)


def _do(typed: str, remote: Remote, console: Console) -> None:
    word, _, rest = typed.strip().partition(" ")
    if tidy(typed) in ("rematch", "again"):
        remote.wire.send({"do": "rematch"})
        if remote.wire.between_people:
            console.say("Another game begins when both want it. Enter leaves.")
    elif tidy(typed) in ("review", "r"):
        from duelbook.coach.review import review
        from duelbook.line.review import show

        try:
            show([review(remote.keeper.record)], console, yours=[True])
        except DuelError as error:
            console.complain(f"This game cannot be reviewed: {error}")
    elif tidy(word) == "save" and rest:
        try:
            console.say(remote.keeper.keep(rest.strip()))
        except SaveError as error:
            console.complain(str(error))
    else:
        console.complain(f"{quote(typed)} is not an answer here.")
