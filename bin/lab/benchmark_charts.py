"""Draws the charts of docs/benchmarks/README.md out of docs/benchmarks/charts/figures.json: python3 bin/lab charts [FOLDER].

Each chart has a name, a page with the table that it shows, a title, a unit, columns (colours) and rows of figures as the
page writes them; null leaves a bar out. `log` asks for a logarithmic scale, `mark` for a line at a value."""

import json
import pathlib
import re

from lab.charts import bars
from lab.runs import ROOT

CHARTS = ROOT / "docs/benchmarks/charts"


def number(text):
    return float(text.replace(",", ""))


def draw(chart):
    rows = [(what, [(number(text), text) if text else None for text in texts]) for what, texts in chart["rows"]]
    mark = number(chart["mark"]) if "mark" in chart else None
    drawn = bars(chart["title"], chart["unit"], chart["columns"], rows, chart.get("log", False), mark).svg()
    return re.sub("><(rect|line|text)", r">\n<\1", drawn) + "\n"  # a line a shape, for git


def charts():
    """name -> SVG"""
    return {chart["name"]: draw(chart) for chart in json.loads((CHARTS / "figures.json").read_text())}


def main(arguments):
    folder = pathlib.Path(arguments[0]) if arguments else CHARTS
    for name, svg in charts().items():
        (folder / f"{name}.svg").write_text(svg)
