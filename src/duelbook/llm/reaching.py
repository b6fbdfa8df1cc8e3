"""The way to a model: one of the two interfaces, whose packages are extras."""

from __future__ import annotations

from duelbook.core import DuelError
from duelbook.llm.interface import Interface
from duelbook.llm.kind import OPENAI, Model


def interface_for(model: Model) -> Interface:
    """The way to ask this model, with its package and its key; what is missing is said in a sentence."""
    try:
        if model.provider == OPENAI:
            from duelbook.llm.openai_chat import OpenaiChat

            return OpenaiChat(model.axes.url)
        from duelbook.llm.anthropic_messages import AnthropicMessages

        return AnthropicMessages(model.axes.url)
    except ImportError:
        raise DuelError(
            f"A language model in a seat needs the package {model.provider}, which is not installed. "
            "Install it with: pip install 'duelbook[llm]'"
        ) from None
