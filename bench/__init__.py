"""Speed and memory, measured: commands that print a figure and what it is held against."""
