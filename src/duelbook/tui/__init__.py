"""The full-screen terminal: it drives the same match, dialogue and coach as line mode, and knows no rule."""
