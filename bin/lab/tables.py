"""Tables as text."""

import re


def aligned(heads, rows):
    """For terminals: columns of numbers, with units or without, to the right."""
    rows = [[str(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(heads, *rows)]
    right = [all(re.fullmatch(r"[\d.,^]+( \S+)?", row[k]) for row in rows) for k in range(len(heads))]
    return "".join("  ".join(cell.rjust(wide) if to_right else cell.ljust(wide) for cell, wide, to_right in zip(line, widths, right)).rstrip() + "\n"
                   for line in (heads, *rows))


def markdown(heads, rows):
    return "".join("| " + " | ".join(line) + " |\n" for line in (heads, ["---"] * len(heads), *rows))
