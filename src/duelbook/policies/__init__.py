"""What somebody would do: players as tables, and what happens when two of them meet."""
