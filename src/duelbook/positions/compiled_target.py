"""What `target` says, for compiled code to call."""

from duelbook.positions import target
from duelbook.positions.machine import compiling

value_at, winner_at = (compiling().twin(function) for function in (target.value_at, target.winner_at))
