"""SQL text, its expressions, and what can be read off them. Pure."""
