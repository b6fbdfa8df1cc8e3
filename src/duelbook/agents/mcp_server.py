"""The tools as a server of the Model Context Protocol.

What a tool cannot do is a result that says so in a sentence, for the model that called it to read and do better. Only
a call of a tool that does not exist is an error of the protocol.
"""

from __future__ import annotations

import sys
from dataclasses import fields
from typing import Any, get_type_hints

from mcp import MCPError
from mcp.server.lowlevel import Server
from mcp.server.mcpserver.tools import Tool
from mcp.types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    ToolAnnotations,
)
from mcp.types import Tool as Shown
from pydantic import ValidationError

from duelbook import __version__
from duelbook.agents.given import refusal, taken
from duelbook.agents.tools import Tools
from duelbook.core import DuelError
from duelbook.speech import either, guess, plain_lines, quote

INSTRUCTIONS = (
    "Two-player duels, exactly by their rule books and solved exactly. Begin with list_duels and read_rules. "
    "A position is a text that says everything: give it with every call. To play a duel without luck and secret picks, "
    "apply your move with play_move and the other's with ask_player and play_move. A duel with luck or secret picks is "
    "played with begin_game and play_in_game, which keep cards and picks hidden. solve and hint say what is true of a "
    "position; judge_record and review_game say what was lost in a game. Values are Player 1's, from -1 (lost) to 1 "
    "(won)."
)


class ToolServer:
    """All that stands between the protocol and the tools."""

    def __init__(self, tools: Tools) -> None:
        self.tools = {tool.name: tool for tool in (_registered(*each) for each in tools.all())}

    async def list_tools(self, _context: object, _params: PaginatedRequestParams | None) -> ListToolsResult:
        return ListToolsResult(
            tools=[
                Shown(
                    name=tool.name,
                    title=tool.title,
                    description=tool.description,
                    input_schema=tool.parameters,
                    output_schema=tool.output_schema,
                    annotations=tool.annotations,
                )
                for tool in self.tools.values()
            ]
        )

    async def call_tool(self, _context: object, params: CallToolRequestParams) -> CallToolResult:
        tool = self.tools.get(params.name)
        if tool is None:
            names = either(list(self.tools), "and")
            sentence = f"There is no tool {quote(params.name)}.{guess(params.name, self.tools)} The tools are {names}."
            raise MCPError(code=INVALID_PARAMS, message=sentence)
        try:
            return await _called(tool, params.arguments or {})
        except DuelError as error:
            return _refused(str(error))
        except Exception as error:  # noqa: BLE001 - a mistake of ours must not end a conversation
            print(f"{tool.name}: {type(error).__name__}: {error}", file=sys.stderr)
            return _refused(f"Duelbook made a mistake, and it is not yours: {type(error).__name__}.")


def _registered(does: Any, title: str, reads_only: bool) -> Tool:
    """A tool with the schemas that follow from its function. What it does not take, it refuses."""
    hints = ToolAnnotations(read_only_hint=reads_only, destructive_hint=False, open_world_hint=False)
    said = " ".join((does.__doc__ or "").split())
    tool = Tool.from_function(does, title=title, description=said, annotations=hints, structured_output=True)
    tool.parameters["additionalProperties"] = False
    for field in fields(get_type_hints(does)["return"]):  # of what stands inside of an answer its own schema tells
        tool.output_schema["properties"][field.name]["description"] = field.metadata["description"]
    return tool


async def _called(tool: Tool, arguments: dict[str, object]) -> CallToolResult:
    known = tool.parameters["properties"]
    meant = taken(tool.name, known, arguments)
    try:
        given = tool.fn_metadata.validate_arguments(meant)
    except ValidationError as error:
        wrong = [str(each["loc"][0]) for each in error.errors()]
        raise DuelError(refusal(tool.name, known, meant, wrong)) from None
    result = tool.fn_metadata.convert_result(await tool.fn(**given))
    assert isinstance(result, CallToolResult)  # none of the tools asks anything back
    return result


def _refused(sentence: str) -> CallToolResult:
    return CallToolResult(content=[TextContent(type="text", text=plain_lines(sentence))], is_error=True)


def server(tools: Tools) -> Server[Any]:
    answers = ToolServer(tools)
    return Server(
        name="duelbook",
        title="Duelbook",
        version=__version__,
        instructions=INSTRUCTIONS,
        on_list_tools=answers.list_tools,
        on_call_tool=answers.call_tool,
    )
