"""Every game there is to go on with or to look at again: the player's own, the books' examples, any file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from duelbook.core import DuelError, Game
from duelbook.games import example, load_all
from duelbook.me.played import played
from duelbook.players import HUMAN, people_in
from duelbook.players.whose import briefly, who_played, who_won, why_over
from duelbook.record import RESULTS, Record
from duelbook.saves import Listed, Save, saved
from duelbook.speech import plain
from duelbook.table.begun import terms
from duelbook.table.shelf import is_own, locate, read_file
from duelbook.table.telling import verdict
from duelbook.tui.background import in_background
from duelbook.tui.base import BaseScreen
from duelbook.tui.dialogs import Ask
from duelbook.tui.keybar import KeyBar
from duelbook.tui.menu import QUIET
from duelbook.tui.naming import Name, Named
from duelbook.tui.preview import BREAKPOINTS, WIDE, Glimpse

_TAG = re.compile(r'^\[(\w+) "(.*)"\]$', re.MULTILINE)
UNFINISHED, FINISHED, DAMAGED, EXAMPLES = "To go on with", "To look at again", "Cannot be read", "From the rule books"
GROUPS = (UNFINISHED, FINISHED, DAMAGED, EXAMPLES)
SIDES = 3
"""Columns of the list that its rows do not have: its padding, and the bar for scrolling."""
AT_A_TIME = 50
"""So many files are read before the list is drawn anew: the keys never wait for a whole shelf."""


class Entry(NamedTuple):
    """A game on the shelf, as its tags tell it until its moves have been read."""

    path: Path
    group: str
    title: str
    players: str = ""
    state: str = ""
    when: str = ""
    terms: str = ""
    """What sets it apart from a game by the book."""
    read: bool = False

    def row(self, width: int) -> Content:
        """One line, or two where the window is too narrow for it: then how it ended and when stand below who played.
        Another one says on which terms it was played, where they are not the book's."""
        what, how = ((self.title, 20, ""), (self.players, 27, "")), ((self.state, 13, QUIET), (self.when, 12, QUIET))
        lines = [_beside_each_other((*what, *how))]
        if lines[0].cell_length > width:
            below = [_beside_each_other((("", 20, ""), *how))] if self.state or self.when else []
            lines = [_beside_each_other(what), *below]
        return Content("\n").join([*lines, *([Content.styled(f"  {plain(self.terms)}", QUIET)] if self.terms else [])])


def _beside_each_other(cells: Iterable[tuple[str, int, str]]) -> Content:
    """Words, each with the columns that it takes and how it looks."""
    return Content(" ").join(
        Content.styled(plain(words), style).truncate(width, ellipsis=True, pad=True) for words, width, style in cells
    )


def on_the_shelf() -> list[Entry]:
    """Every game by its tags alone, the latest first in each group."""
    games = {game.id: game for game in load_all()}
    entries = [by_its_tags(item, games) for item in saved() if item.text or item.problem]
    return entries + [
        Entry(example(game), EXAMPLES, game.name, "the worked example", read=True)
        for game in games.values()
        if example(game).exists()
    ]


def by_its_tags(item: Listed, games: dict[str, Game]) -> Entry:
    tags = dict(_TAG.findall(item.text[:4000]))
    game, result = games.get(tags.get("Game", "")), tags.get("Result", "*")
    entry = Entry(item.save.path, DAMAGED, item.save.id, when=_when(item.changed))
    if game is None or result not in RESULTS:
        return entry
    names = (tags.get("Player1", game.seats[0]), tags.get("Player2", game.seats[1]))
    kinds = (tags.get("Seat1", HUMAN), tags.get("Seat2", HUMAN))
    entry = entry._replace(title=game.name, players=briefly(kinds, names, game.seats))
    if result == "*" and "Termination" not in tags:
        return entry._replace(group=UNFINISHED)
    return entry._replace(group=FINISHED, state=who_won(kinds, names, RESULTS[result]))


def by_its_moves(entry: Entry) -> Entry:
    """The same entry once the whole file has been read: where it stands, or that it cannot be read."""
    try:
        (record,) = read_file(entry.path)
    except ValueError as error:
        state = "damaged" if isinstance(error, DuelError) else "several games"
        return entry._replace(group=DAMAGED, title=entry.path.stem, players="", state=state, read=True)
    match = record.match
    entry = entry._replace(terms=terms(match))
    if match.outcome is None:
        return entry._replace(group=UNFINISHED, state=f"turn {match.turns + 1}", read=True)
    return entry._replace(group=FINISHED, read=True)


def _counts(entry: Entry) -> bool:
    """Whether a game is in the record of whoever plays here."""
    if entry.group != FINISHED:
        return False
    try:
        return any(played(entry.path.stem, record).counts for record in read_file(entry.path))
    except DuelError:
        return False


def _when(changed: float) -> str:
    """The day and the time; for a game of another year the day and the year."""
    then = datetime.fromtimestamp(changed)
    day = f"{then.day} {then.strftime('%b')}"
    return f"{day} {then.strftime('%H:%M')}" if then.year == datetime.now().year else f"{day} {then.year}"


class GameList(OptionList):
    BINDINGS = [Binding("enter,space", "select", "Open", key_display="Enter")]


class Shelf(Named[None]):
    """The list, and in a wide window the highlighted game beside it."""

    HORIZONTAL_BREAKPOINTS = BREAKPOINTS
    BINDINGS = [
        Binding("f", "file", "Open a file"),
        Binding("x,delete", "remove", "Remove"),
        Binding("question_mark", "help", "Help", key_display="?"),
        Binding("q,escape", "dismiss", "Back", key_display="Esc"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.entries: list[Entry] = []

    def compose(self) -> ComposeResult:
        title = Content.styled("Games and replays", "bold $accent")
        yield Static(Content.assemble(title, "  Enter opens, X removes, F opens a file"), id="heading")
        with Horizontal(classes="beside"):
            yield GameList(id="shelf")
            yield Glimpse()
        yield KeyBar()

    def on_mount(self) -> None:
        self.query_one(GameList).focus()

    def on_resize(self) -> None:
        if self.entries:
            self._fill()

    def on_screen_resume(self) -> None:
        """Look again whenever one comes back: a game may have gone on meanwhile."""
        self._look()

    @work(group="shelf", exclusive=True)
    async def _look(self) -> None:
        self.entries = await in_background(on_the_shelf)
        self._fill()
        unread = [at for at, entry in enumerate(self.entries) if not entry.read]
        for start in range(0, len(unread), AT_A_TIME):
            chosen = unread[start : start + AT_A_TIME]
            entries = [self.entries[at] for at in chosen]
            found = await in_background(lambda some: [by_its_moves(each) for each in some], entries)
            for at, entry in zip(chosen, found, strict=True):
                self.entries[at] = entry
            self._fill()

    def _fill(self) -> None:
        """Draw the list, with the same game highlighted as before."""
        shelf = self.query_one(GameList)
        before = shelf.highlighted_option.id if shelf.highlighted_option else None
        options: list[Option] = []
        for group in GROUPS:
            members = [(str(at), entry) for at, entry in enumerate(self.entries) if entry.group == group]
            if not members and group in (DAMAGED, EXAMPLES):
                continue
            heading = f"{group} ({len(members)})" if members else f"{group}: nothing yet"
            options += [Option("", disabled=True)] if options else []
            options.append(Option(Content.styled(heading, "bold $primary"), disabled=True))
            options += [Option(entry.row(self.size.width - SIDES), id=id) for id, entry in members]
        shelf.clear_options().add_options(options)
        games = [at for at, option in enumerate(options) if not option.disabled]
        same = [at for at in games if options[at].id == before]
        shelf.highlighted = next(iter(same or games), None)

    def highlighted(self) -> Entry | None:
        option = self.query_one(GameList).highlighted_option
        return None if option is None else self.entries[int(option.id or 0)]

    def names(self) -> dict[str, Name]:
        here, file = Name("open", "open the game that is highlighted"), Name("file", "open a file by its path")
        known = dict.fromkeys(("open", "play", "resume", "replay", "review", "look back"), here)
        known |= {"file": file, "open a file": file, "help": Name("help", "every key")}
        known |= dict.fromkeys(
            ("remove", "delete"), Name("remove", "remove the game that is highlighted; you are asked")
        )
        return known | dict.fromkeys(("back", "leave", "quit", "exit"), Name("dismiss", "back to where you came from"))

    def action_open(self) -> None:
        self.query_one(GameList).action_select()

    # Looking

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        self.refresh_bindings()
        if self.size.width >= WIDE:
            self._show(self.entries[int(event.option.id or 0)])

    @work(group="glimpse", exclusive=True)
    async def _show(self, entry: Entry) -> None:
        """How the highlighted game stands, or why it cannot be read."""
        glimpse = self.query_one(Glimpse)
        try:
            records = await in_background(read_file, entry.path)
        except DuelError as error:
            glimpse.say(plain(entry.title), str(error))
            return
        match = records[0].match
        seats = records[0].seats
        state = f"Turn {match.turns + 1}."
        if match.outcome is not None:
            people = people_in(seats)
            state = f"{verdict(match, people)} {why_over(match.outcome, match.names, people)}"
        words = "\n".join(filter(None, (terms(match), who_played(seats, match.names), state)))
        glimpse.show_match(match, words)

    # Opening

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        entry = self.entries[int(event.option.id or 0)]
        self._open(entry.path, None if entry.group == EXAMPLES else entry.path.stem)

    def _open(self, path: Path, name: str | None) -> None:
        """Go on with a game that waits, look through one that is over, say what is wrong with any other.

        `name` is what it is gone on with by; a rule book's example has none, and is only looked at.
        """
        try:
            records = read_file(path)
        except DuelError as error:
            self.duelbook.complain(str(error))
            return
        if len(records) > 1:
            self.app.push_screen(Several(plain(path.name), records), self._look_through)
        elif name is not None and records[0].match.outcome is None:
            self.duelbook.take_up(name)
        else:
            self.duelbook.open_replay(records[0], yours=is_own(path))

    def _look_through(self, record: Record | None) -> None:
        if record is not None:
            self.duelbook.open_replay(record)

    # Removing

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """What comes with a rule book stays."""
        entry = self.highlighted() if action == "remove" and self.is_mounted else None
        return action != "remove" or (entry is not None and entry.group != EXAMPLES)

    def action_remove(self) -> None:
        entry = self.highlighted()
        if entry is None:
            return
        cells = (entry.title, entry.terms, entry.players, entry.state, entry.when)
        about = ", ".join(plain(words) for words in cells if words)
        counted = " It will not count in your record any more." if _counts(entry) else ""
        question = f"Remove this game for good?{counted}\n{about}"
        answers = [("y", "Remove"), ("n", "Keep")]

        def answered(said: str | None) -> None:
            if said == "y":
                self._remove(entry)

        self.app.push_screen(Ask(question, answers, final=True), answered)

    def _remove(self, entry: Entry) -> None:
        try:
            Save(entry.path).remove()
        except DuelError as error:
            self.duelbook.complain(str(error))
        self._look()

    # Files from elsewhere

    def action_file(self) -> None:
        from duelbook.tui.dialogs import AskForText

        question = "Which file? A path such as ~/game.duel, or the id of a saved game."
        self.app.push_screen(AskForText(question), self._open_named)

    def _open_named(self, name: str | None) -> None:
        if name is None:
            return
        try:
            path = locate(name)
        except DuelError as error:
            self.duelbook.complain(str(error))
        else:
            self._open(path, name)

    def action_help(self) -> None:
        from duelbook.tui.dialogs import Page

        lines = [
            "Up, down, Page Up and Page Down walk through the list; Enter or a click opens a game.",
            "One that is not over goes on where it stopped; one that is over can be looked through.",
            "X: remove a game for good; you are asked first.",
            "F: open a file by its path. Games are small text files, and friends can send you theirs.",
        ]
        self.app.push_screen(Page("Games and replays", lines))


class Several(BaseScreen[Record | None]):
    """The games in one file, to choose one of them."""

    BINDINGS = [Binding("q,escape", "dismiss", "Back", key_display="Esc")]

    def __init__(self, title: str, records: Sequence[Record]) -> None:
        super().__init__()
        self.heading, self.records = title, records

    def compose(self) -> ComposeResult:
        yield Static(Content.assemble((self.heading, "bold"), "  Which of its games?"), id="heading")
        yield GameList(*(self._row(at) for at in range(len(self.records))), id="shelf")
        yield KeyBar()

    def on_resize(self) -> None:
        for at in range(len(self.records)):
            self.query_one(GameList).replace_option_prompt_at_index(at, self._row(at))

    def _row(self, at: int) -> Content:
        match = self.records[at].match
        state = match.verdict().rstrip(".!") if match.outcome else f"turn {match.turns + 1}"
        players = f"{match.names[0]} against {match.names[1]}"
        return Entry(Path(), "", match.game.name, players, state, terms=terms(match)).row(self.app.size.width - SIDES)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(self.records[event.option_index])
