"""What the benchmarks of scaling write: a folder with a table, its data, and a page with pictures."""

import json
import pathlib

from lab.page import write
from lab.runs import ROOT


def add_options(parser, folder):
    parser.add_argument("--png", action="store_true", help="also write pictures as PNG")
    parser.add_argument("--output", default=str(ROOT / "build" / folder), metavar="FOLDER", help=f"folder for the results (default build/{folder})")


def save(options, page, table, name, data):
    """The data go to NAME.json. Prints the table, too."""
    folder = pathlib.Path(options.output)
    folder.mkdir(parents=True, exist_ok=True)
    write(folder / "table.txt", table)
    write(folder / f"{name}.json", json.dumps(data, indent=1) + "\n")
    print(table, end="")
    print(f"pictures: {page.save(folder / 'report.html', svg=True, png=options.png)[0]}")
