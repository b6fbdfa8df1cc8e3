"""Players with a style, whom one can meet beside the ladder.

None of them looks for the best move; each likes one thing, and `inclination` says how that makes a plan.
"""

from __future__ import annotations

CHARACTERS = {
    "hoarder": "holds on to what it has, and builds it up",
    "brawler": "takes from you whatever it can, at once",
    "cautious": "fears the worst that you could do next",
    "gambler": "likes much to change at once, for better or worse",
}
"""What it is like to meet each of them, in a few words."""
