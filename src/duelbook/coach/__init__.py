"""The coach: what each choice is worth (`hint`), what each decision lost (`review`), a word during play (`coach`).

It restates no rule. Everything it says comes from the solution of the duel and from the duel's own words.
"""
