"""A tournament for people and programs: on the terminal, as a page, as data."""
