"""The interface of OpenAI, chat completions, which most servers of one's own speak too. Loads the package `openai`."""

from __future__ import annotations

from typing import Any

import openai

from duelbook.core import DuelError
from duelbook.llm.interface import CONNECT, Heard, Question, Trouble, trouble_of
from duelbook.llm.keys import key_for
from duelbook.llm.kind import DEFAULT, OFF, OPENAI
from duelbook.llm.reply import LENGTH, REFUSAL, STOP
from duelbook.speech import plain

EFFORT = {OFF: "none"}
"""What this interface calls a way to think, where it has another word for it."""
ENDS = {"stop": STOP, "length": LENGTH, "content_filter": REFUSAL}
SHOWN_THINKING = ("reasoning_content", "reasoning")
"""Servers of one's own show the thinking of their models under one of these names."""
HOME = "https://api.openai.com"


class OpenaiChat:
    def __init__(self, url: str) -> None:
        self._client = openai.AsyncOpenAI(
            api_key=key_for(OPENAI, url),
            base_url=url or None,
            max_retries=0,  # what is sent again is counted, so it is sent again elsewhere
            timeout=openai.Timeout(None, connect=CONNECT),
        )
        self._create = self._client.chat.completions.create  # now: to load what it needs takes a while

    @property
    def url(self) -> str:
        return str(self._client.base_url).rstrip("/")

    def parameters(self, question: Question) -> dict[str, Any]:
        model, (system, user), tokens = question
        said: dict[str, Any] = {
            "model": model.name,
            "messages": [
                *([{"role": "system", "content": system}] if system else []),
                {"role": "user", "content": user},
            ],
            # The newer name is refused by some servers of one's own, the older one by the newest models of OpenAI.
            "max_completion_tokens" if self.url.startswith(HOME) else "max_tokens": tokens,
        }
        if model.axes.temperature is not None:
            said["temperature"] = model.axes.temperature
        if model.axes.thinking.isdigit():
            raise DuelError(
                f"The interface of {OPENAI} takes no number of tokens to think with: say thinking=low or high."
            )
        if model.axes.thinking != DEFAULT:
            said["reasoning_effort"] = EFFORT.get(model.axes.thinking, model.axes.thinking)
        return said

    async def ask(self, question: Question, heard: Heard) -> None:
        try:
            stream = await self._create(
                **self.parameters(question), stream=True, stream_options={"include_usage": True}
            )
            async with stream:
                async for chunk in stream:
                    _hear(chunk, heard)
        except Exception as error:  # whatever goes wrong between here and the server becomes a sentence
            raise trouble_of(error, openai, OPENAI, self.url) from error
        if not heard.ended:
            raise Trouble(f"The answer of {plain(self.url)} broke off before its end.", passing=True)

    async def close(self) -> None:
        await self._client.close()


def _hear(chunk: Any, heard: Heard) -> None:
    """Note one piece of an answer."""
    if chunk.usage is not None:
        heard.tokens_in, heard.tokens_out = chunk.usage.prompt_tokens, chunk.usage.completion_tokens
    for choice in (chunk.choices or [])[:1]:
        heard.text += choice.delta.content or ""
        heard.refusal += getattr(choice.delta, "refusal", None) or ""
        for name in SHOWN_THINKING:
            heard.thinking += getattr(choice.delta, name, None) or ""
        if choice.finish_reason:
            heard.ended = ENDS.get(choice.finish_reason, STOP)
