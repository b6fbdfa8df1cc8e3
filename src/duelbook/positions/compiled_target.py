"""What `target` says, for compiled code to call."""

from duelbook.positions import target
from duelbook.positions.compiler import kept

value_at, winner_at = kept(target.value_at), kept(target.winner_at)
