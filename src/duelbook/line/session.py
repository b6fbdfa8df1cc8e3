"""One game talked through line by line: what its host says is due is asked, and what happened is told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext

from duelbook.beside import Work
from duelbook.core import BOTH, LUCK, DuelError, Misread
from duelbook.line.console import Console, Quit
from duelbook.match import Played, Revealed, TakenBack
from duelbook.players import people_in
from duelbook.speech import Line, bare, either, quote, tidy
from duelbook.table.answers import ALSO_SAID
from duelbook.table.host import Advice, Due, Happening, Host, What
from duelbook.table.standstill import too_early
from duelbook.table.telling import resigning, tell

HELP_ABOUT_COMMANDS = (
    "At every prompt: help, hint, coach, rules, status, undo, save (or: save FILE), resign, quit. "
    "None of them uses a turn."
)
LEAVING = ("quit", "q", "exit", "leave")
WORDS = {
    "help": "_help",
    "?": "_help",
    "hint": "_hint",
    "coach": "_coach",
    "rules": "_rules",
    "status": "_status",
    "undo": "_undo",
    "save": "_save",
    "resign": "_resign",
    "stop": "_stop",
    **dict.fromkeys(LEAVING, "_quit"),
}
"""The words that work at every prompt, and what in a session does each."""
ON_OR_OFF = ("on", "off")
"""What may follow the word `coach`; alone it turns the coach on or off, whichever they are not."""
AFTER_A_SLIP = {
    "try again": ("t", "try", *ALSO_SAID["try again"]),
    "show me": ("s", "show", *ALSO_SAID["show me"]),
    "keep it": ("g", "k", "keep", "n", *ALSO_SAID["keep it"]),
}
"""What a person may do about a move that gave something away, and how they may say it: the letter first."""
AFTER_A_ROUND = {"show me": (*AFTER_A_SLIP["show me"], "y", "yes"), "go on": ("g", "n", "", *ALSO_SAID["go on"])}
"""The same of a pick, which stands: both have seen it."""


class Session:
    """Shows one table at a terminal or through a pipe.

    It knows no rule and no order of play: it asks the host, and lets the game's dialogue speak.
    """

    about_commands = HELP_ABOUT_COMMANDS

    def __init__(self, host: Host, console: Console, *, bar: bool = False) -> None:
        """Where the host has a coach who speaks, a person's move that gives something away is answered at once; `bar`
        shows the score after every turn.
        """
        self.host = host
        self.match = host.match
        self.console = console
        self.bar = bar
        self.voice = host.match.game.dialogue
        console.whole = (*self.voice.words(host.match.rules), "save FILE")
        self.jumped = False
        """The position was reached by taking back, not by a move that was just told."""

    def run(self) -> None:
        """Play to the end. Leaves early through Quit, EndOfInput or KeyboardInterrupt, with the game on disk."""
        host = self.host
        if host.coaching or self.bar:
            self._wake_the_coach()
        self.console.say(*self._beginning())
        while (due := host.due()[0]).what is not What.OVER:
            if due.what is What.WAIT and self.match.turn != BOTH:
                self.wait()
            elif due.what is What.DRAW:
                self._draw(due)
            elif self.match.turn == BOTH:
                self._round(due)
            elif due.what is What.THINK:
                self._let_think(due)
            else:
                self._take_turn(due)

    def _beginning(self) -> list[Line]:
        """The book's opening; with where the game stands, unless it stands as the book begins, in its numbers."""
        match = self.match
        opening: list[Line] = self.voice.opening(match.rules, match.state, match.names)
        status: list[Line] = self.voice.status(match.rules, match.state, match.names)
        book = match.game.book
        by_the_book = [self.voice.status(book, match.game.start(book, seat), match.names) for seat in (0, 1)]
        if not match.steps and status in by_the_book:
            return opening
        shown = [line for line in opening if line.tone != "extra"]
        asked: list[Line] = []
        due = self.host.due()[0]
        if due.what is What.ASK and match.turn != BOTH:
            asked = self.voice.ask(match.rules, match.state, due.seat, match.names)
        known = {line.text for line in shown} | {line.gauge for line in asked if line.gauge}
        return shown + [line for line in status if line.text not in known and line.gauge not in known]

    # Turns

    def _let_think(self, due: Due) -> None:
        self.tell(self.host.answer(due, self.host.question(due)()))

    def wait(self) -> None:
        """Until something has happened elsewhere, at a table of which a part is there."""
        raise DuelError("Nobody at this table is elsewhere.")

    def _take_turn(self, due: Due) -> None:
        match = self.match
        lines = self.voice.ask(match.rules, match.state, due.seat, match.names)
        if self.jumped and not lines:  # the question alone would not say where the game stands
            lines = self.voice.status(match.rules, match.state, match.names)
        self.jumped = False
        if lines:
            self.console.say("", *lines)
        self._decide(due)

    def _decide(self, due: Due) -> None:
        """Ask until a move is played, or until the position changed under the question (after undo or resign)."""
        match, seat = self.match, due.seat
        warned_of: int | None = None
        while due in self.host.due():
            prompt = self.voice.prompt(match.rules, match.state, seat, match.names)
            line = self.console.ask(prompt, hidden=due.what is What.CURTAIN)
            try:
                if self.command(line, seat):
                    continue
                move = self.voice.read(match.rules, match.state, seat, line)
                if self._must_confirm(seat, move, warned_of):
                    warned_of = move
                    warning = self.voice.foul_warning(match.rules, match.state, seat)
                    self.console.complain(f"{warning} Enter it once more to forfeit, or choose another.")
                    continue
                self.tell(self.host.answer(due, move))
            except Misread as error:
                self.console.complain(f"{error} {match.choices(seat)} (Or: help.)")
            except DuelError as error:
                self.console.complain(str(error))

    def _must_confirm(self, seat: int, move: int, warned_of: int | None) -> bool:
        """A person at a terminal is warned once before a move that breaks the rules and costs the game."""
        match = self.match
        return self.console.typing and move != warned_of and match.game.foul(match.rules, match.state, seat, move)

    def _draw(self, due: Due) -> None:
        match = self.match
        self.console.say("", *self.voice.before_draw(match.rules, match.state, match.names))
        chance = match.game.chance
        while due.seat in self.host.people:
            gap = " " if self.console.typing else ""  # a script's Enter leaves the book's line as it stands
            line = self.console.ask(self.voice.draw_prompt(match.rules, match.state, match.names) + gap)
            try:
                if not line.strip() or tidy(line) in (chance.draw, "enter"):
                    break
                if not self.command(line, due.seat):
                    self.console.complain(
                        f"First {chance.draw}: press Enter with nothing typed before it, not {quote(line)}. "
                        f"You choose once you have seen your {chance.face}. (Or: help.)"
                    )
            except Misread as error:
                self.console.complain(f"{error} Press Enter to {chance.draw}. (Or: help.)")
            except DuelError as error:
                self.console.complain(str(error))
            if due not in self.host.due():
                return
        self.tell(self.host.draw(due))

    def _round(self, first: Due) -> None:
        """Both pick. Between two people at one keyboard nothing that is typed shows until both picks are in."""
        match = self.match
        self.console.say("", *self.voice.round_heading(match.rules, match.state, match.turns + 1))
        with self.console.hiding() if first.what is What.CURTAIN else nullcontext():
            while (due := self.host.due()[0]).moment == first.moment:
                if due.what is What.THINK:
                    self._let_think(due)
                    continue
                if due.what is What.WAIT:
                    self.wait()
                    continue
                if due.what is What.CURTAIN and self.console.typing:
                    me, foe = match.names[due.seat], match.names[1 - due.seat]
                    words = f"(Only {me} looks at the screen and types; it stays hidden. {foe}, look away.)"
                    self.console.say(Line(words, "quiet"))
                self._decide(due)

    # The coach

    def _wake_the_coach(self) -> None:
        """Have the solution at hand before the first move; a duel that cannot be solved is played without a coach."""
        try:
            self.host.wake_the_coach()
            self.host.coach.find_odds()
            if self.host.coach.odds_take_a_while and self.console.typing:  # a script would be over before
                self.host.coach.odds_promised = True
                Work(self.host.coach.work_out_odds, daemon=True).start()
        except DuelError as error:
            self.console.complain(f"The coach has nothing to say here. {error}")
            self.host.coaching = self.bar = False

    def _advise(self, advice: Advice) -> None:
        """Say what a person's last move gave away. At a terminal they choose what comes then: to try again, before
        anybody answers the move, or to be shown why. A script is shown all of it.
        """
        # Two people read it, and one of them is `you`.
        to_whom = f"To {self.match.names[advice.seat]}: " if len(people_in(self.host.keeper.record.seats)) > 1 else ""
        why = [Line(line if at else f"{to_whom}{line}", "calm") for at, line in enumerate(advice.why)]
        self.console.say(Line(advice.sentence, "calm"))
        if not self.console.typing:
            self.console.say(*why)
            return
        ways = AFTER_A_SLIP if advice.may_take_back else AFTER_A_ROUND
        chosen = self._one_of(ways)
        if chosen == "show me":
            self.console.say(*why)
            ways = {name: way for name, way in ways.items() if name != "show me"}
            chosen = self._one_of(ways) if advice.may_take_back else "go on"
        if chosen == "try again":
            self.tell(self.host.take_back(self.host.may_take_back(advice.seat)))

    def _show_bar(self) -> None:
        if self.bar and self.match.outcome is None:
            blocks = ("█", "░") if self.console.fancy else ("#", ".")
            self.console.say(*(Line(line, "quiet") for line in self.host.coach.bar(*blocks)))

    # Words that work at every prompt

    def command(self, line: str, seat: int) -> bool:
        """Do what a command word says. False when the line is no command, so that it is read as a move."""
        name, _, rest = line.strip().partition(" ")
        name = name.lower().lstrip("/")
        if name == "save" and rest.strip():
            self.console.say(self.host.keeper.keep(rest.strip()))
            return True
        if name == "coach" and bare(rest.strip().lower()) in ON_OR_OFF:
            self._let_coach(bare(rest.strip().lower()) == "on")
            return True
        name = bare(name)
        if rest or name not in WORDS:
            return False
        getattr(self, WORDS[name])(seat)
        return True

    def _help(self, seat: int) -> None:
        match, voice, say = self.match, self.voice, self.console.say
        explain = getattr(voice, "explain", None)
        words = voice.words(match.rules)
        if match.turn == LUCK:
            chance = match.game.chance
            say(f"Press Enter to {chance.draw}. You choose once you have seen your {chance.face}:")
            say(*(f"  {word}" for word in words))
        elif explain is not None:
            say(*explain(match.rules, match.state, seat))
        else:
            say("You can play:")
            for move, word in match.game.menu(match.rules, match.state, seat).items():
                question = (match.rules, match.state, seat, move)
                if match.game.legal(*question):
                    say(f"  {word}: {voice.effect(*question)}")
                else:
                    say(Line(f"  {word}: not now. {voice.why_not(*question)}", "quiet"))
        say(Line(self.about_commands, "quiet"))

    def _hint(self, seat: int) -> None:
        try:
            self.console.say(*self.host.hint(seat))
        except DuelError as error:
            self.console.complain(f"There is no hint here. {error}")

    def _rules(self, seat: int) -> None:
        from duelbook.line.page import show_rulebook

        show_rulebook(self.match.game, self.console)

    def _coach(self, seat: int) -> None:
        self._let_coach(not self.host.coaching)

    def _let_coach(self, wanted: bool) -> None:
        self.host.coaching = wanted
        if wanted:
            self._wake_the_coach()
        self.console.say(f"The coach {'watches and speaks up' if self.host.coaching else 'is silent'}.")

    def _status(self, seat: int) -> None:
        match = self.match
        self.console.say(*self.voice.status(match.rules, match.state, match.names))
        self.console.say(
            f"Turn {match.turns + 1} of at most {match.max_turns}.",
            f"Position: {match.game.write_position(match.rules, match.state)}",
        )

    def _undo(self, seat: int) -> None:
        """Take back the last decision; against a program, the person's own last one with all that came after."""
        wish = self.host.may_take_back(seat)
        for name in (self.match.names[each] for each in wish.agree):
            if not self._yes(f"{name}, do you agree to take back {wish.words}? (yes/no) "):
                self.console.say("Not agreed: nothing is taken back.")
                return
        self.tell(self.host.take_back(wish))

    def _one_of(self, ways: Mapping[str, Sequence[str]]) -> str:
        """Which of a few ways a person chooses; each can be said by its name and by some other words."""
        names = either(ways)
        with self.console.showing():
            while True:
                answer = self.console.ask(f"{names.capitalize()}? ").strip().lower()
                for name, spellings in ways.items():
                    if answer == name or answer in spellings:
                        return name
                if answer in LEAVING:
                    raise Quit
                letters = either(spelled[0] for spelled in ways.values())
                if answer in ("help", "?"):
                    self.console.say(f"Here you can say {names}, or {letters}; or quit.")
                else:
                    self.console.complain(f"Please say {names}, or {letters}.")

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
        self.console.say(self.host.keeper.keep(None))

    def _resign(self, seat: int) -> None:
        if self.console.typing and not self._yes(f"{resigning(self.match, seat, self.host.people)} (yes/no) "):
            self.console.say("The game goes on.")
            return
        self.tell(self.host.resign(seat))

    def _stop(self, seat: int) -> None:
        """Have the bell rung at once: between two people both must agree."""
        if not self.host.may_stop:
            self.console.complain(too_early(self.match))
            return
        people = self.host.people
        for name in (self.match.names[each] for each in people if len(people) == 2):
            if not self._yes(f"{name}, do you agree to stop without a result? (yes/no) "):
                self.console.say("Not agreed: the game goes on.")
                return
        self.tell(self.host.stop())

    def _quit(self, seat: int) -> None:
        raise Quit

    # What happened, told

    def tell(self, happenings: list[Happening]) -> None:
        for each in happenings:
            if isinstance(each, Advice):
                self._advise(each)
                continue
            self.jumped = self.jumped or isinstance(each, TakenBack)
            self.console.say(*tell(self.match, each, self.host.people))
            if isinstance(each, Played | Revealed):
                self._show_bar()
