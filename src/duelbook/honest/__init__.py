"""Luck that nobody can tilt or foresee, and picks that nobody can read or change: what both rest on is SHA-256.

`chains`: what each seat brings to every draw. `draws`: a face made of what the server and both seats have fixed.
`seals`: a pick that is fixed before it is shown. docs/honest.md says what each of them protects against.
"""
