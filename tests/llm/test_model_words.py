"""How a model is named, what it is told, and how its answer is read: all without asking one."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from duelbook import Asking, Axes, DuelError, PlayerFault, Price, View, game_ids, load, seat_player, variant
from duelbook.cli.models import read_prices
from duelbook.core import LUCK
from duelbook.llm.asking import ask_so, check_asking
from duelbook.llm.cache import keep, kept, key_of
from duelbook.llm.faults import ModelFault, Spent
from duelbook.llm.interface import wanted_wait
from duelbook.llm.keys import key_for, without_keys
from duelbook.llm.kind import Model, read_model
from duelbook.llm.prompt import Messages, check_prompt, filled, prompt_hash, read_prompt, shipped
from duelbook.llm.reply import LENGTH, REFUSAL, Reply, read_move
from duelbook.llm.told import Asked, rules_text, told
from duelbook.llm.usage import Ledger, Usage, by_kind
from duelbook.players import check_kind, short_kind, usual_name
from slow_helper import one_of_each_kind

TOWER = load("tower")
HASH = prompt_hash(shipped())


def view_of(id: str, *rules: str, number: int = 0) -> View:
    """The first decision of a duel."""
    game = load(id)
    book = variant(game, rules)
    state = game.start(book, 0)
    while game.turn(book, state) == LUCK:
        state = game.deal(book, state, next(face for face in game.faces if game.odds(book, state, face)))
    return View(game, book, state, min(game.turn(book, state), 1) if game.turn(book, state) < 2 else 0, number)


# Its name


@pytest.mark.parametrize(
    ("typed", "settled"),
    [
        ("llm:openai/gpt-5-mini", f"llm:openai/gpt-5-mini prompt={HASH}"),
        (" LLM:OpenAI/GPT-x  thinking=low ", f"llm:openai/GPT-x thinking=low prompt={HASH}"),
        ("llm:anthropic/claude rules=no moves=no", f"llm:anthropic/claude rules=no moves=no prompt={HASH}"),
        ("llm:openai/org/name:8b temperature=0.50", f"llm:openai/org/name:8b temperature=0.5 prompt={HASH}"),
        ("llm:openai/m history=yes rules=yes", f"llm:openai/m history=yes prompt={HASH}"),
        ("llm:openai/m url=http://127.0.0.1:1/v1/", f"llm:openai/m url=http://127.0.0.1:1/v1 prompt={HASH}"),
        ("llm:anthropic/m thinking=02048", f"llm:anthropic/m thinking=2048 prompt={HASH}"),
    ],
)
def test_a_kind_becomes_tidy_and_says_its_prompt(typed: str, settled: str) -> None:
    assert check_kind(typed) == settled
    assert check_kind(settled) == settled


def test_what_a_command_says_completes_a_kind_that_leaves_it_open_and_no_settled_one() -> None:
    settled = check_kind("llm:openai/m")
    ask_so(Asking(Axes(moves=False, thinking="high")))
    assert check_kind("llm:openai/m") == f"llm:openai/m moves=no thinking=high prompt={HASH}"
    assert check_kind("llm:openai/m moves=yes") == f"llm:openai/m thinking=high prompt={HASH}"
    assert check_kind("llm:openai/m thinking=default") == f"llm:openai/m moves=no prompt={HASH}"
    assert check_kind(settled) == settled


@pytest.mark.parametrize(
    ("kind", "says"),
    [
        ("llm:", "llm:PROVIDER/MODEL"),
        ("llm:openai", "llm:PROVIDER/MODEL"),
        ("llm:openai/", "llm:PROVIDER/MODEL"),
        ("llm:nobody/m", "anthropic or openai"),
        ("llm:openai/m thinkin=low", "Did you mean 'thinking'?"),
        ("llm:openai/m quickly", "words such as thinking=low"),
        ("llm:openai/m thinking=much", "default, off, low or high"),
        ("llm:openai/m thinking=3", "from 1,024 on"),
        ("llm:openai/m temperature=warm", "from 0 to 2"),
        ("llm:openai/m temperature=nan", "from 0 to 2"),
        ("llm:openai/m rules=maybe", "yes or no"),
        ("llm:openai/m url=ftp://x", "not the address"),
        ("llm:openai/m url=http://", "not the address"),
        ("llm:openai/m url=http://h:99999999", "not the address"),
        ("llm:openai/m url=http://me:secret@h/v1", "Keys come from the environment"),
        ("llm:openai/m url=http://h/v1?key=secret", "Keys come from the environment"),
        ("llm:openai/m prompt=0123456789ab", "--prompt FILE"),
    ],
)
def test_what_is_no_model_is_answered_with_a_sentence(kind: str, says: str) -> None:
    with pytest.raises(DuelError, match=r"\.$|\?$") as caught:
        check_kind(kind)
    assert says in str(caught.value)
    assert "secret" not in str(caught.value)


def test_a_model_is_called_by_its_name_and_its_prompt() -> None:
    kind = check_kind("llm:openai/some-house/a-model")
    assert usual_name(kind) == short_kind(kind) == f"a-model#{HASH}"
    assert len(usual_name(check_kind(f"llm:openai/{'x' * 100}"))) == 40
    assert usual_name("llm:nonsense") == "llm:nonsense"


# Its prompt


def test_a_paragraph_with_nothing_to_say_is_left_out() -> None:
    values = dict.fromkeys(("duel", "rules", "position"), "")
    text = "Play {duel}.\n\nThe rules:\n{rules}\n\n---\n\nAt {position}\n\nmove: X"
    assert filled(text, values | {"duel": "Go"}) == Messages("Play Go.", "move: X")
    assert filled(text, {"duel": "Go", "rules": "a\n\nb", "position": "0"}) == Messages(
        "Play Go.\n\nThe rules:\na\n\nb", "At 0\n\nmove: X"
    )
    assert filled("move: X", values) == Messages("", "move: X")


def test_what_a_rule_book_says_in_braces_stands_for_nothing() -> None:
    assert filled("{rules}\n\nmove: X", {"rules": "{position} {duel}"}).user == "{position} {duel}\n\nmove: X"


def test_an_unknown_placeholder_is_answered_with_those_there_are(tmp_path: Path) -> None:
    file = tmp_path / "mine.md"
    file.write_text("Play {dule} and say\nmove: X", encoding="utf-8")
    with pytest.raises(DuelError, match=r"mine\.md: The prompt has \{dule\}.* It can have \{duel\}, .*\."):
        read_prompt(str(file))


@pytest.mark.parametrize(
    ("content", "says"),
    [(b"Play well.", "move: MOVE"), (b"\xff move:", "UTF-8"), (None, "No such file"), (b"x" * (1 << 19), "too much")],
)
def test_what_cannot_be_a_prompt_is_refused(content: bytes | None, says: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.md"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(DuelError, match=says):
        read_prompt(str(file))


def test_the_prompt_that_ships_can_be_used() -> None:
    check_prompt(shipped())
    assert len(HASH) == 12


# What it is told


@pytest.mark.parametrize("id", one_of_each_kind())
def test_a_question_holds_the_position_and_every_legal_move(id: str) -> None:
    view = view_of(id)
    game, rules, state, seat, _ = view
    system, user = filled(shipped(), told(view, Axes(), []))
    assert game.name in system
    assert "## Who wins" in system
    assert "## What you type" not in system
    assert game.write_position(rules, state) in user
    words = game.dialogue.words(rules)
    assert ", ".join(words[move] for move in view.legal()) in user
    assert game.seats[seat] in user


@pytest.mark.parametrize("id", game_ids())
def test_each_axis_takes_away_what_it_says(id: str) -> None:
    view = view_of(id)
    game, rules = view.game, view.rules
    words = game.dialogue.words(rules)
    legal = ", ".join(words[move] for move in view.legal())
    usual = filled(shipped(), told(view, Axes(), []))
    silent = filled(shipped(), told(view, Axes(rules=False), []))
    assert silent.user == usual.user
    assert "rule book of the game" not in silent.system
    unlisted = filled(shipped(), told(view, Axes(moves=False), []))
    assert f"can play now: {legal}" in usual.user
    assert "can play now:" not in unlisted.user
    assert ", ".join(words) in unlisted.user
    before = [Asked(0, "some position", words[0])]
    assert "some position" not in filled(shipped(), told(view, Axes(), before)).user
    remembered = filled(shipped(), told(view, Axes(history=True), before)).user
    assert f"- turn 1, position some position: you played {words[0]}" in remembered


def test_changed_rules_are_told_below_the_book() -> None:
    text = rules_text(TOWER, variant(TOWER, ["goal=20"]))
    assert text.startswith("# Tower Defense Duel")
    assert text.splitlines()[-1].startswith("- goal=20: ")
    assert text.endswith("(the rule book has 15)")


# Its answer


@pytest.mark.parametrize(
    "text", ["move: build 4", "I think.\nmove: attack\nmove: build 4\n\n", "x\r\nmove: build 4\r\n"]
)
def test_a_move_is_read_on_the_last_line(text: str) -> None:
    assert read_move(view_of("tower"), Reply(text), "m") == 2


@pytest.mark.parametrize(
    "text",
    [
        "",
        "build 4",
        "Move: build 4",
        "**move: build 4**",
        "move: build 4.",
        "move:build 4",
        "move: Build 4",
        "move: b4",
        "move: build 4\nGood luck!",
        "move:",
        "my move: build 4",
        "move: build 4 move: build 4",
    ],
)
def test_there_is_no_second_way_to_read_a_move(text: str) -> None:
    with pytest.raises(ModelFault, match="did not end with 'move: MOVE' but with") as caught:
        read_move(view_of("tower"), Reply(text), "m")
    assert (caught.value.kind, caught.value.reply) == ("unreadable", text)


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (Reply("move: attack"), "illegal"),
        (Reply("move: build 4", LENGTH), "cut"),
        (Reply("move: build 4", REFUSAL, "I will not."), "refused"),
    ],
)
def test_other_faults_have_their_kinds(reply: Reply, kind: str) -> None:
    with pytest.raises(PlayerFault) as caught:
        read_move(view_of("tower"), reply, "m")
    assert caught.value.kind == kind
    assert caught.value.sentence.endswith(".")


def test_a_foul_is_played_and_costs_what_the_rules_say() -> None:
    secret = load("secret")
    state = secret.read_position(secret.book, "98 96 9 7")
    assert read_move(View(secret, secret.book, state, 0, 1), Reply("move: 9"), "m") == 8


def test_a_fault_goes_from_process_to_process_with_its_answer() -> None:
    fault = pickle.loads(pickle.dumps(ModelFault("cut", "It was cut.", "raw")))
    assert (fault.kind, fault.sentence, fault.reply, fault.stderr) == ("cut", "It was cut.", "raw", "raw")


# Keys


def test_a_key_comes_from_the_environment_or_a_server_needs_none(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(DuelError, match=r"OPENAI_API_KEY.*--base-url.*OPENAI_BASE_URL"):
        key_for("openai", "")
    assert key_for("openai", "http://127.0.0.1:1") == "none"
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:1")
    assert key_for("anthropic", "") == "none"
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-one")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-two")
    assert (key_for("anthropic", ""), key_for("openai", "http://127.0.0.1:1")) == ("sk-one", "sk-two")
    assert without_keys("a sk-one b sk-two") == "a [key] b [key]"


# Limits, prices, what was used


def test_tokens_for_an_answer_follow_from_how_it_thinks() -> None:
    def tokens(thinking: str, most: int | None = None) -> int:
        return Asking(move_tokens=most).tokens(Model("anthropic", "m", Axes(thinking=thinking)))

    assert tokens("off") < tokens("low") < tokens("default") < tokens("high")
    assert tokens("5000") == 9_000
    assert tokens("high", 50) == 50
    with pytest.raises(DuelError, match="more than 5,000 tokens"):
        tokens("5000", 5_000)


def test_prices_are_those_of_the_model_or_those_for_all(tmp_path: Path) -> None:
    file = tmp_path / "prices"
    file.write_text("# what I pay\nopenai/a 1 2\nb 3 4 # by its name alone\n\n", encoding="utf-8")
    asking = Asking(prices=(*read_prices(str(file)), Price("", 5, 6)))
    assert asking.price(Model("openai", "a")) == ("openai/a", 1, 2)
    assert asking.price(Model("anthropic", "b")) == ("b", 3, 4)
    assert asking.price(Model("anthropic", "a")) == ("", 5, 6)
    assert Asking().price(Model("openai", "a")) is None


@pytest.mark.parametrize("line", ["openai/a 1", "openai/a 1 2 3", "openai/a one 2", "a -1 2"])
def test_a_line_that_is_no_price_is_refused(line: str, tmp_path: Path) -> None:
    file = tmp_path / "prices"
    file.write_text(line, encoding="utf-8")
    with pytest.raises(DuelError):
        read_prices(str(file))


def test_money_without_a_price_is_refused_before_anything_is_asked() -> None:
    with pytest.raises(DuelError, match="name its price"):
        seat_player("llm:openai/m", 0, asking=Asking(total_money=1.0))


def test_totals_hold_for_all_who_share_a_ledger(tmp_path: Path) -> None:
    asking = Asking(total_tokens=100, total_money=5.0, ledger=str(tmp_path / "used"))
    one, two = (Ledger(kind, asking, Price("", 1e6, 2e6)) for kind in ("one", "two"))
    one.note(Usage(tokens_in=1, tokens_out=1, requests=1))
    two.check()
    two.note(Usage(tokens_in=2, requests=1, retries=1))
    with pytest.raises(Spent, match="money"):
        one.check()
    assert (one.mine.money, two.mine.money) == (3.0, 2.0)
    assert {kind: used.requests for kind, used in by_kind(asking.ledger).items()} == {"one": 1, "two": 1}
    with pytest.raises(Spent, match="tokens"):
        Ledger("three", asking._replace(total_money=None, total_tokens=4), None).check()
    Ledger("three", asking._replace(total_money=None, total_tokens=5), None).check()


def test_without_a_price_money_is_not_known() -> None:
    ledger = Ledger("one", Asking(), None)
    ledger.note(Usage(tokens_in=10, requests=1))
    assert ledger.mine == Usage(tokens_in=10, requests=1)
    assert ledger.mine.money is None


@pytest.mark.parametrize(
    "asking",
    [
        Asking(move_time=0),
        Asking(move_time=float("nan")),
        Asking(move_tokens=0),
        Asking(total_tokens=-1),
        Asking(total_money=float("inf")),
        Asking(retries=-1),
        Asking(prompt="no form"),
        Asking(Axes(thinking="much")),
        Asking(Axes(temperature=9.0)),
        Asking(axes=None),  # type: ignore[arg-type]  # that is what is refused
        None,
    ],
)
def test_what_cannot_be_asked_for_is_refused(asking: object) -> None:
    with pytest.raises(DuelError):
        check_asking(asking)


@pytest.mark.parametrize(
    ("headers", "wait"),
    [
        ({}, None),
        ({"retry-after": "7"}, 7.0),
        ({"retry-after-ms": "1500", "retry-after": "7"}, 1.5),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-3"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0.0),
    ],
)
def test_what_a_server_asks_to_wait(headers: dict[str, str], wait: float | None) -> None:
    assert wanted_wait(headers) == wait


# The cache


def test_an_answer_is_kept_by_everything_that_matters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    asked = {"provider": "openai", "url": "u", "prompt": "p", "sample": "0", "model": "m", "messages": [{"a": "b"}]}
    reply = Reply("move: build 4", tokens_in=1, tokens_out=2)
    keep(key_of(asked), asked, reply)
    assert kept(key_of(asked)) == reply
    for name in asked:
        assert kept(key_of(asked | {name: "other"})) is None
    assert kept(key_of(asked | {"temperature": 0.5})) is None
    (file,) = tmp_path.rglob("*.json")
    file.write_text("{", encoding="utf-8")
    assert kept(key_of(asked)) is None


def test_a_disk_that_keeps_nothing_is_no_trouble(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "duelbook").write_text("in the way", encoding="utf-8")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    keep("00", {}, Reply("x"))
    assert kept("00") is None


def test_a_kind_reads_back_as_the_same_model() -> None:
    axes = Axes(rules=False, moves=False, history=True, thinking="low", temperature=0.25, url="http://127.0.0.1:1/v1")
    model = Model("anthropic", "house/m", axes, "abc")
    assert read_model(model.kind) == model
