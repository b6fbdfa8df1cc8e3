"""Language models in seats: what they are told, how they are asked, and how their answers are read.

The player itself is `players/llm.py`. The packages of the two interfaces are loaded when a model gets ready to play.
"""
