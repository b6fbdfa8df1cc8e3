"""Keys, which come from the environment and go to the server alone.

Whatever else leaves this room, an error, an answer, a transcript, a name, has gone through `without_keys`: a server can
send anything back, and some send back the key.
"""

from __future__ import annotations

import os

from duelbook.core import DuelError
from duelbook.llm.kind import ANTHROPIC, OPENAI

KEYS = {OPENAI: "OPENAI_API_KEY", ANTHROPIC: "ANTHROPIC_API_KEY"}
URLS = {OPENAI: "OPENAI_BASE_URL", ANTHROPIC: "ANTHROPIC_BASE_URL"}
"""Where the packages of the interfaces themselves look for an address."""
TOKEN = "ANTHROPIC_AUTH_TOKEN"
"""What the package of Anthropic takes in place of a key."""
OTHERS = (TOKEN, "OPENAI_ADMIN_KEY", "OPENAI_WEBHOOK_SECRET")
"""Further secrets that these packages may send."""
NONE = "none"
"""What is sent as a key to a server of one's own that wants none."""
SHORTEST = 4
"""A key that is shorter is none: every answer holds such letters."""
HIDDEN = "[key]"


def key_for(provider: str, url: str) -> str:
    """The key for a provider. A server that somebody has named may need none."""
    key = os.environ.get(KEYS[provider], "").strip()
    if key or (provider == ANTHROPIC and os.environ.get(TOKEN)):
        return key
    if url or os.environ.get(URLS[provider]):
        return NONE
    raise DuelError(
        f"To ask a model of {provider}, put your key into the environment as {KEYS[provider]}. A server of your own, "
        f"which may need none, is named with --base-url, or with {URLS[provider]} in the environment."
    )


def without_keys(text: str) -> str:
    """The same text with nothing in it that is a key of ours."""
    for name in (*KEYS.values(), *OTHERS):
        key = os.environ.get(name, "").strip()
        if len(key) >= SHORTEST:
            text = text.replace(key, HIDDEN)
    return text
