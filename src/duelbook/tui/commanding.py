"""A screen on which the commands of a duel are typed, walked to or clicked.

Whatever can begin a command goes into one line that is seen, and Enter plays what the line means. The screen's own keys
are letters that begin neither a command of a book nor one of the screen's words; where a duel of somebody else has
such a letter it is typed, too, and a function key does what the letter would have done. Nothing is highlighted when a
decision begins, so that Enter alone never decides.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import inf
from typing import ClassVar, NamedTuple

from textual import events
from textual.binding import Binding, BindingType
from textual.timer import Timer

from duelbook.core import Misread
from duelbook.speech import either, quote, tidy
from duelbook.tui.actions import NO_MOVE, Action, ActionButton, Actions, action_of, command_words, first_letters
from duelbook.tui.book import BookBeside
from duelbook.tui.command import CURSOR, DROPPED, CommandLine, first_line
from duelbook.tui.leftover import ERASING
from duelbook.tui.menu import Choosable
from duelbook.tui.slow_words import are_quick_keys

MOST_SHOWN = 5
"""So many ways to go on are named behind a word that is not whole yet."""


class Word(NamedTuple):
    """A word of the screen itself: what it runs, and what that is."""

    runs: str
    about: str
    takes_a_name: bool = False
    """Whether a name may follow it."""


CLOSE_BOOK = Word("rules", "close the rule book")
LEAVE_AT_ONCE = Word("quit", "")


class Commanded(BookBeside):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,right,tab", "walk(1)", "Walk", show=False),
        Binding("up,left,shift+tab", "walk(-1)", "Walk back", show=False),
    ]
    heeds_held_keys = False
    words: dict[str, Word] = {}
    _held = ""
    """The key of the screen that waits a moment for the next letter: two letters in a row are a word, whatever it is,
    and none of them does anything by itself."""
    _waiting: Timer | None = None
    _covered: str | None = None
    """What the line said before it said what a key does that waits."""

    def __init__(self) -> None:
        super().__init__()
        self._begun: dict[str, set[str]] = {}
        """What can begin a command of each duel, worked out once: every key asks for it."""
        self._pressed = -inf
        """When the last key came."""
        self._gone = ""
        """The key whose place it has taken."""
        self._dropped = ""
        """All those that have given way one to the next since the line was empty."""

    # What the screen itself knows

    async def do(self, action: Action) -> None:
        """What a key, a line or a click asks for."""
        raise NotImplementedError

    def asked(self) -> tuple[object, object, int] | None:
        """The rules, the position and the seat that is to decide; None where nobody is asked for a move."""
        raise NotImplementedError

    def instead(self) -> str:
        """What is to be done where nobody is asked for a move."""
        raise NotImplementedError

    def choices(self) -> str:
        """The sentence that follows a line which means nothing."""
        raise NotImplementedError

    def not_now(self) -> str:
        """Why one of the screen's words does not work at this moment."""
        raise NotImplementedError

    def why_not_now(self, word: Word) -> str:
        """The same, where more can be said of this one."""
        return self.not_now()

    def ready(self, event: events.Key) -> bool:
        """Whether what is asked now was on the screen when this key was pressed."""
        return True

    def own_letters(self) -> set[str]:
        """The letters that do something at once: those of the screen that begin no command."""
        bound = {key for key in self._bindings.key_to_bindings if len(key) == 1 and key.isalpha()}
        if self.game.id not in self._begun:
            self._begun[self.game.id] = first_letters(self.game, self.rules_here())
        return bound - self._begun[self.game.id]

    def key_for(self, action: str) -> str:
        """The key that does this, as it is written."""
        bound = (each for bindings in self._bindings.key_to_bindings.values() for each in bindings)
        return next(
            self.app.get_key_display(each) for each in bound if each.action == action and not self.writes(each.key)
        )

    # Keys

    def writes(self, key: str) -> bool:
        """Whether a key goes into the line, even where nothing has been typed; a Space only where something has."""
        if key.isspace():
            return bool(self._held or self.query_one(CommandLine).text)
        signs = "/(-" if self.asked() is not None else "/("  # of a number below 0, which is refused whole
        return len(key) == 1 and (key.isalnum() or key in signs) and key.lower() not in self.own_letters()

    def gathers(self, key: str) -> bool:
        return key.isalpha() or self.writes(key)

    def begin_with(self, letters: str) -> None:
        self._held = ""
        self.query_one(CommandLine).put(letters)
        self.show_meaning()

    @property
    def known_words(self) -> dict[str, Word]:
        """The screen's words. While the book is open, Esc and `back` close it, and who types `quit` leaves at once."""
        if not self.reading:
            return self.words
        instead = {"leave": LEAVE_AT_ONCE, "rules": CLOSE_BOOK}
        known = {
            name: word._replace(runs=instead[word.runs].runs, about=instead[word.runs].about or word.about)
            if word.runs in instead
            else word
            for name, word in self.words.items()
        }
        return known | dict.fromkeys(("back", "close"), CLOSE_BOOK)

    def words_here(self) -> Iterable[str]:
        return self.known_words

    def is_key(self, letter: str) -> bool:
        return letter.lower() in self.own_letters()

    def begins_a_move(self, letter: str) -> bool:
        offered = self.query_one(Actions).offered
        return any(word.lower().startswith(letter.lower()) for each in offered for word in (each.word, *each.keys))

    def is_typing(self) -> bool:
        return bool(self._held or self.query_one(CommandLine).text)

    async def on_key(self, event: events.Key) -> None:
        if not self.has_the_keys:  # pressed before a question came that is to be answered first
            event.stop()
            return
        line = self.query_one(CommandLine)
        letter = event.character or ""
        if await self._waits(event, letter):
            event.stop()
            event.prevent_default()
            return
        self._gone = line.text if self._thinks_again(line.text, letter, event.time) else ""
        if not line.text or line.has_ended:
            self._dropped = ""
        if self._gone:
            meant_nothing = letter.isalpha() and self._gone.isalpha() and not self.begins(self._gone)
            self._dropped = f"{self._dropped}{self._gone}" if meant_nothing else ""
            line.clear()
        self._pressed = event.time
        if (line.text or self.writes(letter)) and line.take(event):
            self._show_letters()
        elif event.key == "enter" or (event.key == "space" and not line.text):
            if not await self._confirm(event, line):
                return
        elif event.key != "escape" or not self.duelbook.take_complaint_away():
            return
        event.stop()
        event.prevent_default()

    async def _waits(self, event: events.Key, letter: str) -> bool:
        """Whether a key is held back, or has joined the one that was. Any other lets that one act first, and Enter
        after a single letter only ends it."""
        before = self._held
        self._forget_what_waits()
        if before:
            if event.key in (*ERASING, "escape") and self.lasts(before):
                return True
            spaced = event.key == "space" and "space" not in self.active_bindings  # where people watch, it pauses
            if (letter.isalpha() and letter.lower() != before.lower()) or spaced:
                self.query_one(CommandLine).write(before + letter)
                self._show_letters()
                return True
            await self.app._check_bindings(before.lower())
            if event.key == "enter":
                return True
        if self.duelbook.pause <= 0 or self.query_one(CommandLine).text:
            return False
        if not self.has_the_keys or letter.lower() not in self.own_letters():
            return False
        if does := self.lasts(letter):
            line = self.query_one(CommandLine)
            about = next(word.about for word in self.words.values() if word.runs == does)
            self._covered = line.meaning
            line.explain(f"{letter}{CURSOR}  Enter: {about}")
        self._held, self._waiting = letter, self.set_timer(self.waits(letter), self._no_more_letters)
        return True

    def _forget_what_waits(self) -> None:
        """Nothing is held back any more: it is done, or something else is."""
        if self._waiting is not None:
            self._waiting.stop()
            self._waiting = None
        self._held = ""
        if self._covered is not None:
            self.query_one(CommandLine).explain(self._covered)
            self._covered = None

    def _show_letters(self) -> None:
        """Say what they mean; those that can be nothing but keys wait for another letter before they are pressed."""
        self.show_meaning()
        if self.duelbook.pause > 0 and are_quick_keys(self.query_one(CommandLine).text, self.is_key):
            self._waiting = self.set_timer(self.duelbook.pause, self._no_more_letters)

    async def _no_more_letters(self) -> None:
        line = self.query_one(CommandLine)
        held = self._held or line.text
        self._forget_what_waits()
        if line.text:
            self._begin_anew()
        for key in held:
            if self.has_the_keys:
                await self.app._check_bindings(key.lower())

    def _thinks_again(self, typed: str, letter: str, when: float) -> bool:
        """Whether a key takes the place of the one before it: whoever plays by single keys looks at one action after
        the other, or has pressed a key that means nothing. Who types a word does not stop after its first letter, and
        two digits are a number where the duel has such numbers.
        """
        doing = any(action.does for action in self.query_one(Actions).offered)
        if self.asked() is None and not doing:  # nothing can be looked at: what is typed is for the question that comes
            return False
        alone = len(typed) == 1 and typed.isalnum() and when - self._pressed >= self.duelbook.pause
        if not alone or not letter.isalnum() or not self.writes(letter):
            return False
        if (typed + letter).isdigit() and self._has_long_numbers():
            return False
        if self.begins(typed) and not self._is_whole(typed):  # somebody types a word, if none that is known
            return False
        return self.begins(letter) and not self.begins(typed + letter)

    def _is_whole(self, typed: str) -> bool:
        """Whether this spells something that can be chosen."""
        try:
            self._read(typed)
        except Misread:
            return False
        return True

    def _has_long_numbers(self) -> bool:
        known = command_words(self.game, self.rules_here())
        return any(part.isdigit() and len(part) > 1 for word in known for part in word.split())

    def begins(self, typed: str) -> bool:
        """Whether something that can be chosen or said now is spelled so, or begins so."""
        try:
            self._read(typed)
        except Misread:
            offered = self.query_one(Actions).offered
            known = {spelled for action in offered for spelled in (action.word, *action.keys)}
            known |= {*command_words(self.game, self.rules_here()), *self.known_words}
            return any(word.lower().startswith(typed.lower()) for word in known)
        return True

    def on_paste(self, event: events.Paste) -> None:
        """What is pasted is typed, and nothing more: only a key plays."""
        held = self._held
        self._forget_what_waits()
        self.query_one(CommandLine).write(held + first_line(event.text))
        self.show_meaning()

    async def on_action_button_pressed(self, event: ActionButton.Pressed) -> None:
        await self._carry_out(event.action)

    async def _carry_out(self, action: Action) -> None:
        """Do it. Where it is refused it stays highlighted: whoever walks on begins there. Where a question is asked
        before it nothing does: the Enter after that must not ask again."""
        self._begin_anew()
        await self.do(action)
        actions = self.query(Actions)
        if (
            not action.legal
            and self.has_the_keys
            and actions
            and any(each is action for each in actions.first().offered)
        ):
            actions.first().highlight(action)

    def action_walk(self, by: int) -> None:
        """Highlight the next action, or the one before. What was typed goes: only one of the two can be meant.

        What meant an action gives way to another one, as is seen; of anything else it is said.
        """
        line = self.query_one(CommandLine)
        if line.text and not self.begins(line.text):
            self.answer(DROPPED)
        line.clear()
        self.query_one(Actions).step(by)

    async def _confirm(self, event: events.Key, line: CommandLine) -> bool:
        """Enter or Space: play the line, or what an arrow has highlighted, or do the only thing there is to do."""
        actions = self.query_one(Actions)
        if isinstance(self.focused, Choosable):
            return False
        if line.text:
            if self.ready(event):
                await self._obey(line.text)
            else:
                line.end()
            return True
        action = actions.highlighted or next((each for each in actions.offered if event.key in each.keys), None)
        if action is not None and self.ready(event):
            await self._carry_out(action)
        elif action is None and actions.offered:
            self.answer(f"Nothing is highlighted. {self.choices()}")
        return bool(actions.offered)

    # What a line means

    def show_meaning(self) -> None:
        """Highlight what the line means, and say it behind the line."""
        line, actions = self.query_one(CommandLine), self.query_one(Actions)
        typed = line.text
        if not typed:
            actions.highlight(None)
            return
        action, word = None, self._word(typed)
        if word is not None:
            works = self.check_action(word.runs.partition("(")[0], ())
            meaning = f"Enter: {word.about}" if works else f"not now. {self.why_not_now(word)}"
        else:
            try:
                action = self._read(typed)
                about = action.about
                meaning = f"Enter: {about}" if action.legal else f"not now. {about[:1].upper()}{about[1:]}"
            except Misread:
                meaning = self._goes_on(typed)
        actions.highlight(action)
        another = self._gone.lower() not in ("", typed.lower())
        line.explain(f"{meaning} (not {self._gone})" if another else meaning)

    def _goes_on(self, typed: str) -> str:
        """How to go on with what is not whole."""
        found = self._begun_by(typed)
        if not found:
            return f"nothing begins like that. {self.choices() or self.instead()} Esc clears the line."
        return _some_of(found)

    def _begun_by(self, typed: str) -> list[str]:
        """What can be done or said now and begins so."""
        known = [*(action.word for action in self.query_one(Actions).offered), *self._words_now()]
        return [word for word in dict.fromkeys(known) if word.lower().startswith(typed.lower().lstrip("/"))]

    def _words_now(self) -> dict[str, Word]:
        return {name: word for name, word in self.known_words.items() if self.check_action(word.runs, ())}

    def _word(self, typed: str) -> Word | None:
        """The screen's word that was typed, or whose beginning no other word and no command has."""
        said = " ".join(typed.split()).lstrip("/")
        first, _, name = said.partition(" ")
        known = self.known_words
        if name and first.lower() in known and known[first.lower()].takes_a_name:
            word = known[first.lower()]
            return word._replace(runs=f"{word.runs}({name!r})")
        if said.lower() in known:
            return known[said.lower()]
        try:
            self._read(typed)
        except Misread:
            begun = {word for name, word in self._words_now().items() if said and name.startswith(said.lower())}
            moves = [
                action for action in self.query_one(Actions).offered if action.word.lower().startswith(said.lower())
            ]
            return begun.pop() if len(begun) == 1 and not moves else None
        return None

    def _read(self, typed: str) -> Action:
        """The action that a line spells. What spells none is refused as line mode refuses it."""
        word, offered = tidy(typed), self.query_one(Actions).offered
        for action in offered:
            if action.move == NO_MOVE and word in (action.word, action.word.split()[0], *action.keys):
                return action
        where = self.asked()
        if where is None:
            raise Misread(self.instead())
        try:
            move = self.game.dialogue.read(*where, typed)
        except Misread:
            move = next((action.move for action in offered if word in action.keys), NO_MOVE)
            if move == NO_MOVE:
                raise
        listed = next((action for action in offered if action.move == move), None)
        return listed or action_of(self.game, where, move, word)  # the book lists only what can be chosen now

    async def _obey(self, typed: str) -> None:
        word = self._word(typed)
        if word is None:
            try:
                action = self._read(typed)
            except Misread as error:
                why = self._refused(typed, error) if self.asked() else self._why_not_yet(typed)
                self._begin_anew()
                self.duelbook.complain(" ".join(filter(None, (why, self.choices(), "(Or: help.)"))))
                return
            await self._carry_out(action)
            return
        self._begin_anew()
        if not await self.app.run_action(word.runs, self):
            self.duelbook.complain(self.why_not_now(word))

    def _refused(self, typed: str, error: Misread) -> str:
        """What is wrong with a line, and the letters before it that gave way to others: they were typed, too."""
        begun = self._begun_by(typed)
        if len(begun) > 1 and not self._dropped and {*begun} <= {*self._words_now()}:
            return f"{quote(typed)} is not enough: {_some_of(begun)}"
        try:
            self._read(self._dropped + typed)
        except Misread as whole:
            return str(whole)
        return str(error)

    def _why_not_yet(self, typed: str) -> str:
        """Of a line where nobody is asked for a move: whoever wrote it has just pressed the Enter that would be next,
        so they are told how it goes on, and what Enter does with nothing typed."""
        begun = self._begun_by(typed)
        if not begun:
            return f"{quote(typed)} cannot be played now. {self.instead()}"
        alone = next((action.word for action in self.query_one(Actions).offered if "enter" in action.keys), "")
        how = f" Enter alone: {alone}." if alone and not self.choices() else ""
        return f"{quote(typed)} is not enough: {_some_of(begun)}{how}"

    def _begin_anew(self) -> None:
        """Whatever was typed, walked to or complained of belongs to what is decided now."""
        self._forget_what_waits()
        self.duelbook.let_old_notes_go()
        self.query_one(CommandLine).clear()
        self.query_one(Actions).highlight(None)


def _some_of(words: Sequence[str]) -> str:
    """As a question, which of these is meant; of many only the first."""
    return f"{either(words[:MOST_SHOWN])} ..." if len(words) > MOST_SHOWN else f"{either(words)}?"
