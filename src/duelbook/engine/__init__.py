"""Programs in any language as players: a line protocol over standard input and output, and who keeps watch."""
