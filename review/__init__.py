"""The page for checking pairs by hand."""
