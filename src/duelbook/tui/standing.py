"""How one is doing with the puzzles: the day's puzzles at a glance, the streak, the rating, the last two weeks."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Static

from duelbook.core import Game
from duelbook.puzzles.streak import DAY, Progress, best_streak, expected, streak, tally
from duelbook.speech import amount
from duelbook.tui.menu import Choosable

MARKS = {True: "✓", False: "✗", None: "·"}
WORDS = {True: "solved", False: "missed", None: "open"}
COLOURS = {True: "$success", False: "$error", None: "$text-muted"}
DAYS_SHOWN = 14


def short_name(game: Game) -> str:
    """One word for a duel, where all of them have to stand side by side."""
    return game.id.capitalize()


def is_solved(progress: Progress, game: Game, day: date) -> bool | None:
    """Whether a day's puzzle counts as solved; None while it has not been tried."""
    return tally(progress, game.id).dailies.get(day)


class DuelTab(Choosable, Static):
    """One duel, and how today's puzzle went."""

    BINDINGS = [
        Binding("enter,space", "choose", "Choose", show=False),
        Binding("right", "app.focus_next", "Next", show=False),
        Binding("left", "app.focus_previous", "Previous", show=False),
    ]

    def __init__(self, game: Game) -> None:
        super().__init__(classes="duel-tab")
        self.game, self.does = game, f"duel({game.id!r})"

    def show(self, solved: bool | None, *, chosen: bool) -> None:
        self.set_class(chosen, "chosen")
        name = (short_name(self.game), "bold $accent" if chosen else "")
        went = (f"{MARKS[solved]} {WORDS[solved]}", COLOURS[solved])
        self.update(Content.assemble(("▶ " if chosen else "  ", "$accent"), name, "\n  ", went))


class DuelTabs(Horizontal):
    """All duels side by side."""

    def __init__(self, games: Sequence[Game]) -> None:
        super().__init__(id="duel-tabs")
        self.games = games

    def compose(self) -> ComposeResult:
        for game in self.games:
            yield DuelTab(game)

    def show(self, progress: Progress, today: date, chosen: Game) -> None:
        for each in self.query(DuelTab):
            each.show(is_solved(progress, each.game, today), chosen=each.game is chosen)


# In words


def in_a_line(progress: Progress, game: Game, today: date) -> Content:
    """Where the player stands in a duel, short enough for 80 columns."""
    mine = tally(progress, game.id)
    here, anywhere = streak(progress, today, game.id), streak(progress, today)
    parts = [
        ("Rating ", f"{mine.rating:.0f}"),
        ("solved ", f"{mine.solved} of {mine.tried}"),
        ("streak ", f"{amount(here, 'day')} here, {anywhere} in any duel"),
    ]
    said = [Content.assemble((label, "$text-muted"), (value, "bold")) for label, value in parts]
    return Content.styled("  ·  ", "$text-muted").join(said)


def how_often_found(mine: float, rating: int) -> str:
    """What a puzzle's rating means for this player."""
    of_ten = round(10 * expected(mine, rating))
    share = {0: "hardly one", 10: "nearly every one"}.get(of_ten, f"about {of_ten} in 10")
    return f"at your rating {share} of this kind {'are' if 0 < of_ten < 10 else 'is'} solved."


def streak_in_words(progress: Progress, id: str, today: date) -> str:
    return f"{amount(streak(progress, today, id), 'day')} (best {best_streak(progress, id)})"


class Record(Static):
    """All duels with rating, totals, streak and the last two weeks, for windows that have room for it."""

    def show(self, progress: Progress, games: Sequence[Game], today: date) -> None:
        width = max(len(short_name(game)) for game in games)
        days = [today - DAY * ago for ago in reversed(range(DAYS_SHOWN))]
        head = f"{'':{width}}  rating   solved   streak  best  last {DAYS_SHOWN} days"
        rows = []
        for game in games:
            mine = tally(progress, game.id)
            went = [is_solved(progress, game, day) for day in days]
            totals = f"{mine.rating:6.0f}  {f'{mine.solved}/{mine.tried}':>7}"
            streaks = (streak(progress, today, game.id), best_streak(progress, game.id))
            rows.append(_row(short_name(game).ljust(width), totals, streaks, went))
        over_all = [_any_solved([is_solved(progress, game, day) for game in games]) for day in days]
        any_streaks = (streak(progress, today), best_streak(progress))
        rows.append(_row("Any".ljust(width), " " * 15, any_streaks, over_all))
        legend = "   ".join(
            f"{mark} {WORDS[went] if went is not None else 'not tried'}" for went, mark in MARKS.items()
        )
        lines = [Content.styled(head, "$text-muted"), *rows, Content(), Content.styled(legend, "$text-muted")]
        self.update(Content("\n").join(lines))


def _row(name: str, totals: str, streaks: tuple[int, int], went: Sequence[bool | None]) -> Content:
    numbers = f"  {totals}  {streaks[0]:>7}  {streaks[1]:>4}  "
    return Content.assemble((name, "bold"), numbers, *((MARKS[each], COLOURS[each]) for each in went))


def _any_solved(went: Sequence[bool | None]) -> bool | None:
    """How a day went over all duels: one solved is enough, and one tried is needed."""
    tried = [each for each in went if each is not None]
    return any(tried) if tried else None
