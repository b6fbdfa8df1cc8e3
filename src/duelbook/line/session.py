"""One sitting: people and programs at a match, talked through line by line, saved before every answer."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from typing import TYPE_CHECKING

from duelbook.core import DuelError, Misread, Turn
from duelbook.line.console import Console, EndOfInput, Quit
from duelbook.match import Event, Match, Played, Player, PlayerFault, Revealed, TakenBack
from duelbook.speech import Line, quote, tidy
from duelbook.table.telling import count_to_take_back, in_words, last_decision, tell

if TYPE_CHECKING:
    from duelbook.coach.coach import Coach

HELP_ABOUT_COMMANDS = (
    "At every prompt: help, hint, rules, status, undo, save (or: save FILE), resign, quit. None of them uses a turn."
)


LEAVING = ("quit", "q", "exit")
WORDS = {
    "help": "_help",
    "?": "_help",
    "hint": "_hint",
    "rules": "_rules",
    "status": "_status",
    "undo": "_undo",
    "save": "_save",
    "resign": "_resign",
    **dict.fromkeys(LEAVING, "_quit"),
}
"""The words that work at every prompt, and what in a session does each."""


class Session:
    """Drives one match at a terminal or through a pipe.

    It knows no rule: it asks the match and lets the game's dialogue speak.
    """

    def __init__(
        self,
        match: Match,
        players: tuple[Player | None, Player | None],
        console: Console,
        keep: Callable[[str | None], str],
        *,
        coaching: bool = False,
        bar: bool = False,
    ) -> None:
        """`players` has None where a person sits. `keep(None)` saves the game, `keep(FILE)` a copy; both say where.

        With `coaching` a person's move that gives something away is answered at once; `bar` shows the score after
        every turn.
        """
        self.match = match
        self.players = players
        self.console = console
        self.keep = keep
        self.coaching = coaching
        self.bar = bar
        self._coach: Coach | None = None
        self.people = tuple(seat for seat in (0, 1) if players[seat] is None)
        self.voice = match.game.dialogue
        self.jumped = False
        """The position was reached by taking back, not by a move that was just told."""
        match.listen(self._hear)

    def run(self) -> None:
        """Play to the end. Leaves early through Quit, EndOfInput or KeyboardInterrupt, with the game on disk."""
        match = self.match
        if self.coaching or self.bar:
            self._wake_the_coach()
        self.console.say(*self._beginning())
        while match.outcome is None:
            if match.turn == Turn.LUCK:
                self._draw()
            elif match.turn == Turn.BOTH:
                self._round()
            else:
                self._take_turn(match.turn)

    def _beginning(self) -> list[Line]:
        """The book's opening; with where the game stands, unless it stands where the book begins."""
        match = self.match
        opening: list[Line] = self.voice.opening(match.rules, match.state, match.names)
        by_the_book = [match.game.start(match.rules, seat) for seat in (0, 1)]
        if not match.steps and match.start in by_the_book:
            return opening
        shown = [line for line in opening if line.tone != "extra"]
        status: list[Line] = self.voice.status(match.rules, match.state, match.names)
        asked: list[Line] = []
        if match.turn in (Turn.FIRST, Turn.SECOND) and match.turn in self.people:
            asked = self.voice.ask(match.rules, match.state, match.turn, match.names)
        known = {line.text for line in shown} | {line.gauge for line in asked if line.gauge}
        return shown + [line for line in status if line.text not in known and line.gauge not in known]

    # Turns

    def _take_turn(self, seat: int) -> None:
        match, player = self.match, self.players[seat]
        if player is not None:
            self._let_choose(seat, player)
            return
        lines = self.voice.ask(match.rules, match.state, seat, match.names)
        if self.jumped and not lines:  # the question alone would not say where the game stands
            lines = self.voice.status(match.rules, match.state, match.names)
        self.jumped = False
        if lines:
            self.console.say("", *lines)
        steps = len(match.steps)
        self._decide(seat)
        if self.coaching and len(match.steps) > steps:
            self._comment(may_take_back=True)

    def _let_choose(self, seat: int, player: Player) -> None:
        """Have a program decide. One that fails loses the game."""
        match = self.match
        try:
            move = player.choose(match.view(seat))
        except PlayerFault as fault:
            match.fault(seat, fault.kind, fault.sentence)
            return
        match.play(seat, move)

    def _decide(self, seat: int, *, hidden: bool = False) -> None:
        """Ask until a move is played, or until the position changed under the question (after undo or resign)."""
        match, steps = self.match, len(self.match.steps)
        warned_of: int | None = None
        while match.outcome is None and len(match.steps) == steps and seat in match.to_act():
            line = self.console.ask(self.voice.prompt(match.rules, match.state, seat, match.names), hidden=hidden)
            try:
                if self._command(line, seat):
                    continue
                move = self.voice.read(match.rules, match.state, seat, line)
                if self._must_confirm(seat, move, warned_of):
                    warned_of = move
                    self.console.complain(self.voice.foul_warning(match.rules, match.state, seat))
                    continue
                match.play(seat, move)
            except Misread as error:
                self.console.complain(f"{error} {match.choices(seat)} (Or: help.)")
            except DuelError as error:
                self.console.complain(str(error))

    def _must_confirm(self, seat: int, move: int, warned_of: int | None) -> bool:
        """A person at a terminal is warned once before a move that breaks the rules and costs the game."""
        match = self.match
        return self.console.typing and move != warned_of and match.game.foul(match.rules, match.state, seat, move)

    def _draw(self) -> None:
        match = self.match
        seat = self.voice.drawer(match.state)
        self.console.say("", *self.voice.before_draw(match.rules, match.state, match.names))
        steps = len(match.steps)
        while seat in self.people:
            gap = " " if self.console.typing else ""  # a script's Enter leaves the book's line as it stands
            line = self.console.ask(self.voice.draw_prompt(match.rules, match.state, match.names) + gap)
            try:
                if not line.strip() or tidy(line) in ("draw", "enter"):
                    break
                if not self._command(line, seat):
                    self.console.complain(
                        f"First draw: press Enter with nothing typed before it, not {quote(line)}. "
                        "You choose once you have seen your card. (Or: help.)"
                    )
            except Misread as error:
                self.console.complain(f"{error} Press Enter to draw. (Or: help.)")
            except DuelError as error:
                self.console.complain(str(error))
            if match.outcome is not None or len(match.steps) != steps:
                return
        match.deal()

    def _round(self) -> None:
        """Both pick. Between two people at one keyboard nothing that is typed shows until both picks are in."""
        match = self.match
        self.console.say("", *self.voice.round_heading(match.rules, match.state, match.turns + 1))
        facing = len(self.people) == 2
        steps = len(match.steps)
        try:
            with self.console.hiding() if facing else nullcontext():
                for seat in match.to_act():
                    if match.outcome is not None:  # a program failed
                        break
                    player = self.players[seat]
                    if player is not None:
                        self._let_choose(seat, player)
                        continue
                    if facing and self.console.typing:
                        me, foe = match.names[seat], match.names[1 - seat]
                        self.console.say(
                            Line(
                                f"(Only {me} looks at the screen and types; it stays hidden. {foe}, look away.)",
                                "quiet",
                            )
                        )
                    self._decide(seat, hidden=facing)
                    if match.outcome is not None or len(match.steps) < steps:
                        break
        finally:
            match.unseal()
        if self.coaching and len(match.steps) > steps:
            self._comment(may_take_back=False)

    # The coach

    @property
    def coach(self) -> Coach:
        if self._coach is None:
            from duelbook.coach.coach import Coach

            self._coach = Coach(self.match)
        return self._coach

    def _wake_the_coach(self) -> None:
        """Have the solution at hand before the first move; a duel that cannot be solved is played without a coach."""
        try:
            _ = self.coach.solution
        except DuelError as error:
            self.console.complain(f"The coach has nothing to say here. {error}")
            self.coaching = self.bar = False

    def _comment(self, *, may_take_back: bool) -> None:
        """Say what a person's last move gave away. At a terminal it can be taken back, before anybody answers it."""
        for remark in self.coach.remarks():
            if remark.seat not in self.people:
                continue
            self.console.say(Line(remark.sentence, "calm"))
            if may_take_back and self.console.typing and self._yes("Take it back? (yes/no) "):
                self.match.take_back()
                return

    def _show_bar(self) -> None:
        if self.bar and self.match.outcome is None:
            blocks = ("█", "░") if self.console.fancy else ("#", ".")
            self.console.say(Line(self.coach.bar(*blocks), "quiet"))

    # Words that work at every prompt

    def _command(self, line: str, seat: int) -> bool:
        """Do what a command word says. False when the line is no command, so that it is read as a move."""
        name, _, rest = line.strip().partition(" ")
        name = name.lower().lstrip("/")
        if name == "save" and rest.strip():
            self.console.say(self.keep(rest.strip()))
            return True
        if rest:
            return False
        if name not in WORDS:
            return False
        getattr(self, WORDS[name])(seat)
        return True

    def _help(self, seat: int) -> None:
        match, voice, say = self.match, self.voice, self.console.say
        explain = getattr(voice, "explain", None)
        words = voice.words(match.rules)
        if match.turn == Turn.LUCK:
            say("Press Enter to draw. You choose once you have seen your card:")
            say(*(f"  {word}" for word in words))
        elif explain is not None:
            say(*explain(match.rules, match.state, seat))
        else:
            say("You can play:")
            for move, word in enumerate(words):
                question = (match.rules, match.state, seat, move)
                if match.game.legal(*question):
                    say(f"  {word}: {voice.effect(*question)}")
                else:
                    say(Line(f"  {word}: not now. {voice.why_not(*question)}", "quiet"))
        say(Line(HELP_ABOUT_COMMANDS, "quiet"))

    def _hint(self, seat: int) -> None:
        try:
            self.console.say(*self.coach.hint(seat))
        except DuelError as error:
            self.console.complain(f"There is no hint here. {error}")

    def _rules(self, seat: int) -> None:
        from duelbook.line.page import show_rulebook

        show_rulebook(self.match.game, self.console)

    def _status(self, seat: int) -> None:
        match = self.match
        self.console.say(*self.voice.status(match.rules, match.state, match.names))
        self.console.say(
            f"Turn {match.turns + 1} of at most {match.max_turns}.",
            f"Position: {match.game.write_position(match.rules, match.state)}",
        )

    def _undo(self, seat: int) -> None:
        """Take back the last decision; against a program, the person's own last one with all that came after."""
        count = count_to_take_back(self.match, self.people, seat)
        if len(self.people) == 2 and not self._all_agree():
            return
        for _ in range(count):
            self.match.take_back()

    def _all_agree(self) -> bool:
        match = self.match
        what = in_words(match, last_decision(match))
        for name in match.names:
            if not self._yes(f"{name}, do you agree to take back {what}? (yes/no) "):
                self.console.say("Not agreed: nothing is taken back.")
                return False
        return True

    def _yes(self, question: str) -> bool:
        with self.console.showing():
            while True:
                answer = self.console.ask(question).strip().lower()
                if answer in ("y", "yes"):
                    return True
                if answer in ("n", "no"):
                    return False
                if answer in LEAVING:
                    raise Quit
                self.console.complain("Please answer yes or no.")

    def _save(self, seat: int) -> None:
        self.console.say(self.keep(None))

    def _resign(self, seat: int) -> None:
        name = self.match.names[seat]
        if self.console.typing and not self._yes(f"{name}, resign and lose this game? (yes/no) "):
            self.console.say("The game goes on.")
            return
        self.match.resign(seat)

    def _quit(self, seat: int) -> None:
        raise Quit

    # What happened, told

    def _hear(self, event: Event) -> None:
        self.jumped = self.jumped or isinstance(event, TakenBack)
        self.console.say(*tell(self.match, event, self.people))
        if isinstance(event, Played | Revealed):
            self._show_bar()


__all__ = ["EndOfInput", "Quit", "Session"]
