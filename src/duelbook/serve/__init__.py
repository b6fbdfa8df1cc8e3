"""Duels between people who sit apart: a server, what it keeps, and what it tells whom."""
