"""What benchmarks share: options, tables as text, and the files that they write."""

import argparse
import json
import pathlib
import re

from lab.page import write
from lab.runs import ROOT


def some_of(known):
    """The type of an option: some of these words, separated by commas."""
    def read(text):
        found = text.split(",")
        if not set(found) <= set(known):
            raise argparse.ArgumentTypeError(f"{text}: some of {', '.join(known)} are possible")
        return found
    return read


class Parser(argparse.ArgumentParser):
    """Of a benchmark with --quick, and perhaps --large. sizes: name -> (meaning, default, default of --quick, of --large),
    whole numbers; without a meaning no option."""

    def __init__(self, name, about, quick, sizes, large=None):
        super().__init__(prog=f"bin/orujo bench {name}", description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
        self.sizes = sizes
        one_of = self.add_mutually_exclusive_group()
        one_of.add_argument("--quick", action="store_true", help=quick)
        if large:
            one_of.add_argument("--large", action="store_true", help=large)
        for size, (meaning, usual, small, *most) in sizes.items():
            if meaning:
                self.add_argument(f"--{size}", type=int, help=f"{meaning} (default {usual}, of --quick {small}" +
                                  (f", of --large {most[0]})" if most else ")"))

    def add_page(self, folder):
        """Options of save()."""
        self.add_argument("--png", action="store_true", help="also write pictures as PNG")
        self.add_argument("--output", default=str(ROOT / "build" / folder), metavar="FOLDER", help=f"folder for the results (default build/{folder})")

    def parse_args(self, arguments):
        options = super().parse_args(arguments)
        for size, (_, usual, small, *most) in self.sizes.items():
            if getattr(options, size, None) is None:
                large = most and getattr(options, "large", False)
                setattr(options, size, small if options.quick else most[0] if large else usual)
        return options


def aligned(heads, rows):
    """For terminals: columns of numbers, with units or without, to the right."""
    rows = [[str(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(heads, *rows)]
    right = [all(re.fullmatch(r"[\d.,^]+( \S+)?", row[k]) for row in rows) for k in range(len(heads))]
    return "".join("  ".join(cell.rjust(wide) if to_right else cell.ljust(wide) for cell, wide, to_right in zip(line, widths, right)).rstrip() + "\n"
                   for line in (heads, *rows))


def markdown(heads, rows):
    return "".join("| " + " | ".join(line) + " |\n" for line in (heads, ["---"] * len(heads), *rows))


def save(options, page, table, name, data):
    """Writes the table, which it prints, too, the data as NAME.json, and the page."""
    folder = pathlib.Path(options.output)
    folder.mkdir(parents=True, exist_ok=True)
    write(folder / "table.txt", table)
    write(folder / f"{name}.json", json.dumps(data, indent=1) + "\n")
    print(table, end="")
    print(f"pictures: {page.save(folder / 'report.html', svg=True, png=options.png)[0]}")
