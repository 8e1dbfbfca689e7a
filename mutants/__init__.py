"""SQL to near-miss SQL. Pure."""
