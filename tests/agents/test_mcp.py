"""`duelbook mcp` as agents meet it: a real process, a real client, over a pipe and over HTTP."""

from __future__ import annotations

import asyncio
import json
import subprocess
import urllib.error
import urllib.request
from typing import Any

import pytest

from agents_helper import COMMAND, http, need_mcp, over_a_pipe, over_http, refused, told
from duelbook import Duel, reads
from duelbook.games import example, game_ids, load
from helpers import HANGING

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def with_mcp() -> None:
    need_mcp()


async def a_whole_visit(client: Any) -> list[str]:
    """Every tool is used as an agent would use it; what comes back is the names of those there are."""
    tools = (await client.list_tools()).tools
    duels = (await told(client, "list_duels"))["duels"]
    assert [each["duel"] for each in duels] == game_ids()
    assert "# " in (await told(client, "read_rules", duel="tower"))["text"]
    start = await told(client, "legal_moves", duel="tower")
    assert start["choices"][0]["moves"] == Duel("tower").legal()
    after = await told(client, "play_move", duel="tower", position=start["position"], move="build 4")
    assert after["turn"] == "player 2"
    chosen = await told(client, "ask_player", duel="tower", position=after["position"], player="perfect")
    assert chosen["player"] == 2
    solved = await told(client, "solve", duel="tower")
    assert (solved["value"], solved["plies"]) == (Duel("tower").value(), Duel("tower").plies())
    hint = await told(client, "hint", duel="tower")
    assert hint["hints"][0]["choices"][0]["best"]
    record = example(load("tower")).read_text(encoding="utf-8")
    judged = await told(client, "judge_record", record=record)
    assert judged["games"][0]["decisions"]
    looked = await told(client, "review_game", record=record)
    assert len(looked["curve"]) == len(judged["games"][0]["decisions"]) + 1
    await _a_game(client)
    return [tool.name for tool in tools]


async def _a_game(client: Any) -> None:
    """Against a program, cards and all, to the end; and what it wrote down is a game that the rules allow."""
    begun = await told(client, "begin_game", duel="deck", opponent="level:2", player=2)
    (seat,) = begun["seats"]
    seen = await told(client, "look_at_game", game_id=seat["game_id"])
    while seen["standing"]["turn"] != "over":
        assert seen["your_turn"]
        seen = await told(client, "play_in_game", game_id=seat["game_id"], move="attack")
    (record,) = reads(seen["record"])
    assert record.match.outcome is not None
    assert record.seats == ("level:2", "agent")


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_everything_over_a_pipe(mode: str) -> None:
    assert len(over_a_pipe(a_whole_visit, mode)) == 12


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_everything_over_http(mode: str) -> None:
    with http() as address:
        assert len(over_http(a_whole_visit, address, mode)) == 12


def test_every_tool_says_what_it_takes_and_what_it_gives() -> None:
    async def look(client: Any) -> Any:
        return (await client.list_tools()).tools

    for tool in over_a_pipe(look):
        assert tool.description
        assert tool.title
        assert tool.output_schema["type"] == "object"
        assert tool.input_schema["additionalProperties"] is False
        for each in tool.input_schema["properties"].values():
            assert each["description"]
        for each in _fields(tool.output_schema):
            assert each["description"], tool.name


def _fields(schema: Any) -> list[Any]:
    shapes = [schema, *schema.get("$defs", {}).values()]
    return [field for shape in shapes for field in shape["properties"].values()]


def test_errors_are_sentences_and_the_conversation_goes_on() -> None:
    async def ask(client: Any) -> None:
        assert "There is no duel called 'towers'" in await refused(client, "legal_moves", duel="towers")
        assert "You can" in await refused(client, "play_move", duel="tower", move="attack")
        assert await refused(client, "legal_moves", duel="tower", positon="5 8 1") == (
            "legal_moves takes no 'positon'. Did you mean 'position'? It takes duel, position and rules."
        )
        assert "has no '='" in await refused(client, "legal_moves", duel="tower", rules="goal")
        assert "is not solved yet, and it is large" in await refused(client, "solve", duel="secret", rules=["hp=200"])
        assert "cannot be asked from here" in await refused(client, "ask_player", duel="tower", player="engine:./mybot")
        assert "There is no game" in await refused(client, "look_at_game", game_id="nonsense")
        assert (await told(client, "legal_moves", duel="tower"))["turn"] == "player 1"

    over_a_pipe(ask)


def test_what_is_clear_is_taken_as_it_was_meant() -> None:
    """Models write numbers where a text is asked for, null for what they leave out, and a text for a list of one."""

    async def ask(client: Any) -> None:
        higher = (await told(client, "legal_moves", duel="tower", rules=["goal=20", "knocked=2"]))["rules"]
        assert higher == ["goal=20", "knocked=2"]
        for rules in ("goal=20 knocked=2", '["goal=20", "knocked=2"]'):
            assert (await told(client, "legal_moves", duel="tower", rules=rules))["rules"] == higher
        start = await told(client, "legal_moves", duel="tower")
        assert await told(client, "legal_moves", duel="tower", position=None, rules=None) == start
        after = await told(client, "play_move", duel="deck", position="20 20 1 1-10", move=7)
        assert after == await told(client, "play_move", duel="deck", position="20 20 1 1-10", move="7")
        assert (await told(client, "ask_player", duel="secret", player="perfect", seat="2"))["player"] == 2

    over_a_pipe(ask)


def test_what_is_of_the_wrong_kind_is_refused_in_our_words() -> None:
    async def ask(client: Any) -> None:
        assert await refused(client, "legal_moves") == (
            "legal_moves needs duel: the id of a duel, as list_duels has it."
        )
        assert "5" in await refused(client, "legal_moves", duel="tower", position=5)
        assert await refused(client, "legal_moves", duel="tower", position=[5, 8, 1]) == (
            "legal_moves cannot take [5, 8, 1] as position, which is a text: a position as text, as other tools give "
            "it back; without it, the start of the game."
        )
        assert await refused(client, "ask_player", duel="secret", player="perfect", seat=1.5) == (
            "ask_player cannot take 1.5 as seat, which is a whole number: who decides: 1 or 2; needed only where both "
            "pick at once."
        )
        for wrong in ({"goal": 20}, 20, [20], True):
            said = await refused(client, "solve", duel="tower", rules=wrong)
            assert 'as rules, which is a list of texts: rules other than the book\'s, as in ["goal=20"]' in said
        both = await refused(client, "play_move", move={"build": 4})
        assert both.startswith("play_move needs duel: the id of a duel, as list_duels has it. play_move cannot take {")
        assert len(await refused(client, "legal_moves", duel=["tower"] * 1000)) < 200

    over_a_pipe(ask)


def test_a_tool_that_does_not_exist_is_an_error_of_the_protocol() -> None:
    from mcp import MCPError

    async def ask(client: Any) -> None:
        with pytest.raises(MCPError, match=r"There is no tool 'sovle'\. Did you mean 'solve'\?"):
            await client.call_tool("sovle", {})

    over_a_pipe(ask)


def test_two_agents_at_a_table_learn_nothing_of_each_others_pick() -> None:
    async def ask(client: Any) -> None:
        begun = await told(client, "begin_game", duel="secret")
        one, two = (seat["game_id"] for seat in begun["seats"])
        before = await told(client, "look_at_game", game_id=two)
        mine = await told(client, "play_in_game", game_id=one, move="7")
        assert not mine["your_turn"]
        assert await told(client, "look_at_game", game_id=two) == before
        after = await told(client, "play_in_game", game_id=two, move="5")
        assert "7/5" in after["record"]

    with http() as address:
        over_http(ask, address)


def test_many_ask_at_once_and_each_gets_an_answer() -> None:
    async def ask(client: Any) -> None:
        asked = [told(client, "solve", duel="tower", position=f"{at} 3 1") for at in range(15)]
        found = await asyncio.gather(*asked)
        assert [each["position"] for each in found] == [f"{at} 3 1" for at in range(15)]

    over_a_pipe(ask)


def test_standard_output_carries_the_protocol_and_nothing_else() -> None:
    """Rules that are solved for the first time have something said about them: not there."""
    message = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {
            "name": "solve",
            "arguments": {"duel": "tower", "rules": ["goal=17"]},
            "_meta": {
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
                "io.modelcontextprotocol/clientCapabilities": {},
            },
        },
    }
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(COMMAND, text=True, **pipes) as run:  # type: ignore[call-overload]  # three pipes of text
        assert run.stdin is not None
        assert run.stdout is not None
        run.stdin.write(json.dumps(message) + "\n")
        run.stdin.flush()
        answer = json.loads(run.stdout.readline())
        out, err = run.communicate(timeout=HANGING)
    assert answer["result"]["structuredContent"]["rules"] == ["goal=17"]
    assert (run.returncode, out) == (0, "")
    assert "Traceback" not in err


def answered(address: str, **headers: str) -> int:
    """The status of a bare question with these headers."""
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping"}).encode()
    usual = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
    question = urllib.request.Request(address, body, usual | headers)
    try:
        with urllib.request.urlopen(question, timeout=HANGING) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        with error:
            return error.code


def test_pages_of_other_places_and_other_names_are_refused() -> None:
    with http("--name", "duels.example.org") as address:
        own = address.removesuffix("/mcp")
        assert answered(address) == 200
        assert answered(address, origin=own) == 200
        assert answered(address, host="duels.example.org") == 200
        assert answered(address, origin="http://evil.example") == 403
        assert answered(address, host="evil.example") == 421
        assert answered(address, host="evil.example:80", origin="http://evil.example:80") == 421


def test_what_is_too_large_is_refused_before_it_is_read() -> None:
    with http() as address:
        question = urllib.request.Request(
            address, b" " * (1 << 20) + b"{}", {"content-type": "application/json", "accept": "application/json"}
        )
        with pytest.raises(urllib.error.HTTPError) as refused_it:
            urllib.request.urlopen(question, timeout=HANGING)
        with refused_it.value as error:
            assert error.code == 413


def test_only_this_machine_is_served_unless_somebody_says_otherwise() -> None:
    with http() as address:
        assert address.startswith("http://127.0.0.1:")
