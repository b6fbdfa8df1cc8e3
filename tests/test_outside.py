r"""Words from outside, at every door through which they are shown: none steers a terminal, none is markup or a format.

Doors: `verify`, `games`, `replay`, `resume`, `review`, complaints about arguments and files, `--json`, the line mode's
words, prompts and echo, the notice that somebody is waited for, the arena's progress and its page for a browser, and on
the full screen the shelf,
the list of a file's games, the table, the replay, the aftermath, and notices.
"""

from __future__ import annotations

import io
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from duelbook import Match, load
from duelbook.arena.judge.findings import findings
from duelbook.arena.play.results import Fault
from duelbook.arena.report.html import page
from duelbook.arena.report.plots import Line as PlotLine
from duelbook.arena.report.plots import Mark, dot_plot
from duelbook.cli import run as run_command
from duelbook.line.console import Console
from duelbook.record import Record, reads, writes
from duelbook.saves import Save, saved, state_folder
from duelbook.speech import Line, plain, plain_lines
from duelbook.tui.aftermath import Aftermath
from duelbook.tui.shelf import Shelf, by_its_tags
from slow_helper import first_now
from tui_helper import LARGE, at_home, rows, run, seen, settle
from verdicts_helper import held

TITLE, C1, BIDI = "\x1b]0;owned\x07", "\x9b2J", "\u202eevil"
FORMAT, MARKUP = "{task.fields}{0.__globals__}", "[@click=app.quit]x[/][bold]y[/bold][red]"
ATTACKS = {"title": TITLE, "C1": C1, "bidi": BIDI, "format": FORMAT, "markup": MARKUP, "surrogate": "\udc9bA"}
GAME = '[Game "tower"]\n{}\n1. build 4 build 4 *\n'
Command = Callable[..., tuple[int, str, str]]


@pytest.fixture
def duelbook(monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes], tmp_path: Path) -> Command:
    """The command in this process, in a folder of its own. What it writes is looked at byte by byte."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))

    def call(*words: str, typed: str = "") -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["duelbook", *words])
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        code = run_command()
        sys.stdout.flush()
        sys.stderr.flush()
        out, err = (stream.decode("utf-8") for stream in capfdbinary.readouterr())
        assert "made a mistake" not in err
        for said in (out, err):
            assert plain_lines(said) == said
        return code, out, err

    return call


def named(attack: str) -> str:
    """The attack as part of a file's name."""
    return ATTACKS[attack].replace("/", "|")


# Names of files


@pytest.mark.parametrize("attack", ATTACKS)
def test_a_file_name_in_verify(attack: str, duelbook: Command) -> None:
    good, bad = Path(f"{named(attack)}.duel"), Path(f"bad {named(attack)}.duel")
    good.write_text(GAME.format(""), encoding="utf-8")
    bad.write_text(GAME.format("").replace("build 4 *", "build 9 *"), encoding="utf-8")
    code, out, _ = duelbook("verify", str(good), str(bad), f"none{named(attack)}")
    assert code == 1
    assert f"{plain(good)}: good. " in out
    assert f"{plain(bad)}: line 3" in out
    reports = json.loads(duelbook("verify", str(good), str(bad), "--json")[1])
    assert [report["file"] for report in reports] == [str(good), str(bad)]


@pytest.mark.parametrize("attack", ATTACKS)
def test_a_file_name_in_every_other_complaint(attack: str, duelbook: Command) -> None:
    bad = Path(f"bad {named(attack)}.duel")
    bad.write_bytes(b"\xff\xfe")
    for command in ("replay", "review", "resume"):
        code, _, err = duelbook(command, str(bad))
        assert code == 1
        assert plain(bad) in err
    two = Path(f"two {named(attack)}.duel")
    two.write_text(GAME.format("") * 2, encoding="utf-8")
    assert plain(two) in duelbook("replay", str(two), "--game", "3")[2]
    assert plain(two) in duelbook("resume", str(two))[2]
    assert duelbook("play", "tower", "--save", str(two))[0] == 2


@pytest.mark.parametrize("attack", ATTACKS)
def test_an_argument_in_every_complaint(attack: str, duelbook: Command) -> None:
    word = ATTACKS[attack]
    for words in (
        [word],
        ["play", word],
        ["play", "tower", "--p1", word],
        ["play", "tower", "--name1", word, "--from", word],
        ["play", "tower", f"--{word}"],
        ["play", "tower", "--seed", word],
        ["hint", "tower", "--rule", word],
        ["arena", word, word],
        ["arena", "random", "perfect", "--event", word, "--games", word],
        ["puzzle", "tower", "--date", word],
        ["games", word],
    ):
        code, out, err = duelbook(*words)
        assert code in (1, 2), words
        assert err or out


@pytest.mark.parametrize("attack", ATTACKS)
def test_a_file_name_on_the_list_of_games(attack: str, duelbook: Command) -> None:
    folder = state_folder()
    folder.mkdir(parents=True)
    (folder / f"a{named(attack)}.duel").write_text(GAME.format(""), encoding="utf-8")
    (folder / f"b{named(attack)}.duel").write_text("no game", encoding="utf-8")
    _, out, _ = duelbook("games")
    assert len(out.splitlines()) == 2
    rows = json.loads(duelbook("games", "--json")[1])
    assert {row["id"] for row in rows} == {f"a{named(attack)}", f"b{named(attack)}"}


@pytest.mark.parametrize("attack", ATTACKS)
def test_a_file_name_when_a_game_is_left(attack: str, duelbook: Command) -> None:
    """The advice names the path, as one line that a shell understands."""
    Path("sub").mkdir()
    file = Path("sub") / f"{named(attack)}.duel"
    file.write_text(GAME.format(""), encoding="utf-8")
    code, out, err = duelbook("resume", str(file), typed="save\nquit\n")
    assert code == 0
    assert "Go on later with: " in out
    assert err.splitlines()[-1].startswith("The game is saved. Go on later with: ")


# Tags and comments of records


def tags(attack: str, **more: str) -> str:
    value = ATTACKS[attack].replace("\\", "\\\\").replace('"', '\\"')
    lines = [f'[{name} "{value}"]' for name in ("Player1", "Event", "Date", "Seat1", *more)]
    return "\n".join([*lines, f'[Player2 "{value}2"]', ""])


@pytest.mark.parametrize("attack", ["title", "C1", "bidi", "surrogate"])
def test_a_tag_that_would_steer_a_terminal_is_refused(attack: str, duelbook: Command) -> None:
    text = GAME.format(tags(attack))
    with pytest.raises(ValueError, match="The tag Player1 holds characters that cannot be seen"):
        reads(text)


@pytest.mark.parametrize("attack", ["format", "markup"])
def test_tags_are_shown_as_they_are(attack: str, duelbook: Command) -> None:
    Path("g.duel").write_text(GAME.format(tags(attack)), encoding="utf-8")
    for words in (["replay", "g.duel"], ["review", "g.duel"], ["replay", "g.duel", "--at", "1"]):
        code, out, _ = duelbook(*words)
        assert code == 0
        assert ATTACKS[attack] in out
    assert json.loads(duelbook("replay", "g.duel", "--json")[1])["players"][0] == ATTACKS[attack]


def test_a_letter_without_width_in_a_tag_is_shown(duelbook: Command) -> None:
    Path("g.duel").write_text(GAME.format('[Player1 "a\ufe0fb"]\n'), encoding="utf-8")
    assert r"a\ufe0fb" in duelbook("replay", "g.duel")[1]
    (record,) = reads(Path("g.duel").read_text(encoding="utf-8"))
    assert reads(writes(record))[0].match.names == record.match.names == (r"a\ufe0fb", "Player 2")


@pytest.mark.parametrize("attack", ["title", "C1", "bidi", "markup", "surrogate"])
def test_a_comment_is_shown_plainly(attack: str, duelbook: Command) -> None:
    text = GAME.format("").replace("build 4 *", f"build 4 {{{ATTACKS[attack]}}} *")
    Path("g.duel").write_bytes(text.encode("utf-8", "surrogatepass"))
    if attack == "surrogate":
        assert "is not text" in duelbook("replay", "g.duel")[2]
        return
    assert plain(ATTACKS[attack]) in duelbook("replay", "g.duel")[1]


@pytest.mark.parametrize("attack", ATTACKS)
def test_what_we_write_steers_nothing_and_reads_back(attack: str) -> None:
    match = Match(load("tower"), names=(ATTACKS[attack], "Player 2"))
    match.fault(0, "crash", f"It said {ATTACKS[attack]}")
    text = writes(Record(match, ("human", f"engine:{ATTACKS[attack]}"), extra={"Event": ATTACKS[attack]}))
    assert plain_lines(text) == text
    (again,) = reads(text)
    assert again.match.outcome is not None
    assert again.match.outcome.kind == "fault"
    assert writes(again) == text


# Line mode


@pytest.mark.parametrize("attack", ATTACKS)
def test_line_mode_says_asks_and_repeats_plainly(attack: str) -> None:
    sink = io.StringIO()
    console = Console(source=io.StringIO(f"{ATTACKS[attack]}\n"), sink=sink)
    console.say(ATTACKS[attack], Line(f"{ATTACKS[attack]}\nnext", "title", (3, 9)))
    console.complain(ATTACKS[attack])
    assert console.ask(f"{ATTACKS[attack]}: ") == ATTACKS[attack]
    said = sink.getvalue()
    assert said.count(plain(ATTACKS[attack])) == 5
    assert plain_lines(said) == said


@pytest.mark.parametrize("attack", ATTACKS)
def test_colours_stay_and_are_the_only_codes(attack: str, monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    sink = Terminal()
    Console(source=io.StringIO(), sink=sink).say(Line(ATTACKS[attack], "hurt", (3, 9)))
    said = sink.getvalue()
    assert "\x1b[" in said
    ours = re.sub(r"\x1b\[[0-9;]*m", "", said)
    assert plain_lines(ours) == ours


# Those who wait


class Tty(io.StringIO):
    def isatty(self) -> bool:
        return True


class Later:
    """Something that takes more than a second, without the second."""

    def __init__(self) -> None:
        self.waits = 0

    def wait(self, seconds: float) -> bool:
        self.waits += 1
        return self.waits == 3


@pytest.mark.parametrize("attack", ATTACKS)
def test_the_words_of_patience_are_neither_format_nor_markup(attack: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from duelbook import patience

    screen = Tty()
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setattr(sys, "stderr", screen)
    patience._show([f"Waiting for {ATTACKS[attack]} ...", "at first", ATTACKS[attack]], Later(), drawn=True)
    assert f"Waiting for {plain(ATTACKS[attack])} ... {plain(ATTACKS[attack])}" in screen.getvalue()


def test_how_long_one_waits_already_is_seen_in_a_narrow_window_too(monkeypatch: pytest.MonkeyPatch) -> None:
    from duelbook import patience

    screen = Tty()
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "70")
    monkeypatch.setattr(sys, "stderr", screen)
    patience._show(
        ["Waiting for a program with a long name that nobody would cut ...", "reading its tables"], Later(), drawn=True
    )
    assert "0:00:00" in screen.getvalue()
    assert "Waiting for a program with a long name" in screen.getvalue()


@pytest.mark.parametrize("attack", ATTACKS)
def test_the_arenas_progress_shows_names_as_they_are(attack: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from duelbook.arena.play.results import Entrant
    from duelbook.cli.arena_progress import Running, progress

    entrants = [Entrant(ATTACKS[attack], "random"), Entrant("other", "random")]
    running = Running(entrants)
    running.games, running.note = [2, 2], lambda: ATTACKS[attack]
    lines = list(running.lines())
    assert lines[0].startswith(f"  {plain(ATTACKS[attack])}")
    assert lines[-1] == f"  {plain(ATTACKS[attack])}"
    screen = Tty()
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setattr(sys, "stderr", screen)
    with progress(entrants, 4) as shown:
        shown.games = [2, 2]
    assert plain(ATTACKS[attack]) in screen.getvalue()


# The full screen


def check(pilot: Pilot[int], attack: str) -> None:
    """The attack is on the screen as it is, as far as there is room for it, and does nothing when it is clicked."""
    lines = rows(pilot.app)
    assert all(map(str.isprintable, lines))
    assert any(plain(ATTACKS[attack])[:8] in line for line in lines)
    strips = pilot.app.screen._compositor.render_strips(pilot.app.size)
    metas = [segment.style.meta for strip in strips for segment in strip if segment.style]
    assert [meta for meta in metas if re.search(r"app\.quit\b", str(meta.get("@click")))] == []


def record_with(attack: str, end: str = "*") -> str:
    name = plain(ATTACKS[attack]).replace("\\", "\\\\")
    result = f'[Result "{end}"]\n[Termination "{name} resigned."]\n' if end != "*" else ""
    return f'[Game "tower"]\n[Player1 "{name}"]\n{result}\n1. build 4 build 4 {end}\n'


@pytest.mark.slow
def test_the_shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    at_home(monkeypatch, tmp_path)
    folder = state_folder()
    folder.mkdir(parents=True)
    for attack, letters in ATTACKS.items():
        (folder / f"{named(attack)}.duel").write_text("no game", encoding="utf-8")
        raw = f'[Game "tower"]\n[Player1 "{letters}"]\n\n1. build 4 *\n'
        (folder / f"{attack}.duel").write_bytes(raw.encode("utf-8", "surrogatepass"))
    games = {"tower": load("tower")}
    assert all(str(by_its_tags(item, games).row(80)).isprintable() for item in saved())

    async def tale(pilot: Pilot[int]) -> None:
        await pilot.app.push_screen(Shelf())
        for attack in ATTACKS:
            await seen(pilot, plain(named(attack))[:15])
            check(pilot, attack)

    run(tale, size=LARGE)


@pytest.mark.slow
@pytest.mark.parametrize("attack", first_now(["format", "markup"]))
def test_the_lobby_offers_a_game_by_its_names(attack: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    at_home(monkeypatch, tmp_path)
    state_folder().mkdir(parents=True)
    (state_folder() / "g.duel").write_text(record_with(attack), encoding="utf-8")

    async def tale(pilot: Pilot[int]) -> None:
        await seen(pilot, plain(ATTACKS[attack])[:8])
        check(pilot, attack)

    run(tale, size=LARGE)


@pytest.mark.slow
def test_the_replay_the_aftermath_the_table_and_notices(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    at_home(monkeypatch, tmp_path)

    async def tale(pilot: Pilot[int]) -> None:
        app: Any = pilot.app
        for attack in ATTACKS:
            (over,) = reads(record_with(attack, "0-1"))
            (running,) = reads(record_with(attack))
            app.open_replay(over)
            await seen(pilot, "the start")
            check(pilot, attack)
            await app.push_screen(Aftermath(over, Save(tmp_path / f"{named(attack)}.duel")))
            await seen(pilot, f"kept as {plain(named(attack))[:8]}")
            check(pilot, attack)
            app.sit_down(running, None)
            await seen(pilot, "Build 4")
            check(pilot, attack)
            app.clear_notifications()
            app.complain(f"Somebody said {ATTACKS[attack]}")
            await seen(pilot, "Somebody said")
            check(pilot, attack)
            while len(app.screen_stack) > 2:  # back to the lobby
                app.pop_screen()
            await settle(pilot)

    run(tale)


# Doors are few


def test_commands_speak_through_one_door() -> None:
    """A new command that prints on its own would bring back what this file is about."""
    source = Path(__file__).parent.parent / "src" / "duelbook"
    for path in (source / "cli").glob("*.py"):
        text = path.read_text(encoding="utf-8")
        allowed = 3 if path.name == "options.py" else 0  # say, hand_over and echo_json
        assert len(re.findall(r"click\.s?echo\(", text)) == allowed, path


@pytest.mark.slow
def test_a_name_with_dollars_is_no_formula(duelbook: Command) -> None:
    Path("g.duel").write_text(GAME.format('[Player1 "$\\\\frac{$"]\n'), encoding="utf-8")
    assert duelbook("review", "g.duel", "--svg", "g.svg")[0] == 0
    assert r"$\frac{$ against Player 2" in Path("g.svg").read_text(encoding="utf-8")


# A tournament's page


@pytest.mark.parametrize("attack", ATTACKS)
def test_what_a_failing_program_wrote_on_the_page_of_a_tournament(attack: str) -> None:
    """Whoever looks at the page's source in a terminal is as safe as in a browser."""
    word = ATTACKS[attack]
    known = held(("level:5", "random"), ("tower",), 1, bots=1)
    spoilt = known.results[0]._replace(winner=1, fault=Fault(0, "crash", f"It ended {word}.", f"Traceback\n{word}"))
    plan = known.programme.plan
    entrants = (plan.entrants[0]._replace(name=f"bot {word}"), *plan.entrants[1:])
    programme = known.programme._replace(plan=plan._replace(entrants=entrants, event=f"cup {word}"))
    shown = page(findings(known._replace(programme=programme, results=[spoilt, *known.results[1:]])))
    assert f"Traceback\n{plain(word)}</pre>" in shown
    unbroken = shown.replace("\N{NO-BREAK SPACE}%", " %")
    assert plain_lines(unbroken) == unbroken
    drawn = dot_plot([PlotLine(word, (Mark(0, -1, 1),))], word, 400, title=word)
    assert plain_lines(drawn) == drawn
