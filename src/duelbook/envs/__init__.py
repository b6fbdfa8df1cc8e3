"""Environments for the field's own tools, each made from the rules of a duel and from nothing else.

What an observation and an action are stands in `encoding`, how a game is carried on in `carried`; each tool has a file
of its own, which imports it and nobody else's.
"""
