"""What a program may use where nobody says otherwise: in a seat, in an arena and when it is checked."""

from __future__ import annotations

MOVE_TIME = 1.0
"""Seconds for a move."""
START_TIME = 10.0
"""Seconds to shake hands, and to get ready for a game; then again after every word that it is still preparing."""
START_LIMIT = 600.0
"""Seconds after which it must be ready, whatever it says."""
MOST_START_LIMIT = 86_400.0
MEMORY_MB = 1024
"""Megabytes for each process."""
LEAST_MEMORY_MB, MOST_MEMORY_MB = 16, 1 << 20
