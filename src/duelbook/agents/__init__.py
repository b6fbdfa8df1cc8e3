"""The duels as tools for agents: asked with texts, answered with plain values."""
