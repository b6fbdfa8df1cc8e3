"""Moves over the network, beside another server of turn-based games: `python -m bench.online`."""
