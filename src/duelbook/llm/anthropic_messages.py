"""The interface of Anthropic, messages. Loads the package `anthropic`."""

from __future__ import annotations

import os
from typing import Any

import anthropic

from duelbook.llm.interface import CONNECT, Heard, Question, Trouble, trouble_of
from duelbook.llm.keys import TOKEN, key_for
from duelbook.llm.kind import ANTHROPIC, DEFAULT, OFF
from duelbook.llm.reply import LENGTH, REFUSAL, STOP
from duelbook.speech import plain

ENDS = {"max_tokens": LENGTH, "model_context_window_exceeded": LENGTH, "refusal": REFUSAL}


class AnthropicMessages:
    def __init__(self, url: str) -> None:
        key = key_for(ANTHROPIC, url)
        self._client = anthropic.AsyncAnthropic(
            # One of the two is always named, so that the package looks for none in files.
            api_key=key or None,
            auth_token=None if key else os.environ.get(TOKEN),
            base_url=url or None,
            max_retries=0,  # what is sent again is counted, so it is sent again elsewhere
            timeout=anthropic.Timeout(None, connect=CONNECT),
        )
        self._create = self._client.messages.create  # now: to load what it needs takes a while

    @property
    def url(self) -> str:
        return str(self._client.base_url).rstrip("/")

    def parameters(self, question: Question) -> dict[str, Any]:
        model, (system, user), tokens = question
        said: dict[str, Any] = {
            "model": model.name,
            "messages": [{"role": "user", "content": user}],
            "max_tokens": tokens,
        }
        if system:
            said["system"] = system
        if model.axes.temperature is not None:  # the package has no name for it any more; older models take it
            said["extra_body"] = {"temperature": model.axes.temperature}
        if model.axes.thinking == OFF:
            said["thinking"] = {"type": "disabled"}
        elif model.axes.thinking.isdigit():
            said["thinking"] = {"type": "enabled", "budget_tokens": int(model.axes.thinking)}
        elif model.axes.thinking != DEFAULT:
            said["thinking"] = {"type": "adaptive"}
            said["output_config"] = {"effort": model.axes.thinking}
        return said

    async def ask(self, question: Question, heard: Heard) -> None:
        try:
            stream = await self._create(**self.parameters(question), stream=True)
            async with stream:
                async for event in stream:
                    _hear(event, heard)
        except Exception as error:  # whatever goes wrong between here and the server becomes a sentence
            raise trouble_of(error, anthropic, ANTHROPIC, self.url) from error
        if not heard.ended:
            raise Trouble(f"The answer of {plain(self.url)} broke off before its end.", passing=True)

    async def close(self) -> None:
        await self._client.close()


def _hear(event: Any, heard: Heard) -> None:
    """Note one event of an answer."""
    if event.type == "message_start":
        heard.tokens_in = event.message.usage.input_tokens
    elif event.type == "content_block_delta" and event.delta.type == "text_delta":
        heard.text += event.delta.text
    elif event.type == "content_block_delta" and event.delta.type == "thinking_delta":
        heard.thinking += event.delta.thinking
    elif event.type == "message_delta":
        heard.tokens_out = event.usage.output_tokens
        if event.delta.stop_reason:
            heard.ended = ENDS.get(event.delta.stop_reason, STOP)
