#!/usr/bin/env python3
"""Draws the charts of docs/benchmarks/README.md out of docs/benchmarks/charts/figures.json.  benchmark_charts.py [FOLDER]

Each chart has a name, a page with the table that it shows, a title, a unit, columns (colours) and rows of figures as the
page writes them; null leaves a bar out. `log` asks for a logarithmic scale, `mark` for a line at a value."""

import json
import pathlib
import re
import sys

from svg import COLOURS, FAINT, Plot, Scale, short

ROOT = pathlib.Path(__file__).resolve().parents[2]
CHARTS = ROOT / "docs/benchmarks/charts"
WIDTH, BAR, GAP, NAMES = 760, 12, 12, 250


def number(text):
    return float(text.replace(",", ""))


def draw(chart):
    columns, rows = chart["columns"], chart["rows"]
    row = BAR * len(columns) + GAP
    plot = Plot(WIDTH, 58 + row * len(rows) + 52, chart["title"], left=NAMES, right=70)
    values = [number(text) for _, texts in rows for text in texts if text]
    least = min([*values, number(chart.get("mark", "inf"))])
    scale = Scale(least if chart.get("log") else 0, max(values), plot.left, plot.right, chart.get("log", False), whole=True)
    if columns != [""]:
        plot.legend(plot.left, 44, list(zip(COLOURS, columns)))
    for value in scale.ticks(8):
        plot.line(scale(value), plot.top, scale(value), plot.bottom, FAINT)
    labels = []
    for k, (name, texts) in enumerate(rows):
        top = plot.top + k * row + GAP / 2
        plot.text(plot.left - 8, top + (row - GAP) / 2 + 4, name, anchor="end")
        for c, text in enumerate(texts):
            if text:
                at = scale(number(text))
                plot.rect(plot.left, top + c * BAR, at - plot.left, BAR - 1, COLOURS[c], f"{name} {columns[c]}: {text} {chart['unit']}")
                labels.append((at + 5, top + c * BAR + 9, text))
    plot.line(plot.left, plot.top, plot.left, plot.bottom)
    if "mark" in chart:
        at = scale(number(chart["mark"]))
        plot.line(at, plot.top, at, plot.bottom, stroke_dasharray="4 3")
    for x, y, text in labels:  # over the lines, which they interrupt
        plot.rect(x - 2, y - 9, 6.4 * len(text) + 3, BAR - 1, "white")
        plot.text(x, y, text, size=10)
    plot.x_axis(scale, chart["unit"], tell=short)
    return re.sub("><(rect|line|text)", r">\n<\1", plot.svg()) + "\n"  # a line a shape, for git


def charts():
    """name -> SVG"""
    return {chart["name"]: draw(chart) for chart in json.loads((CHARTS / "figures.json").read_text())}


def main():
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else CHARTS
    for name, svg in charts().items():
        (folder / f"{name}.svg").write_text(svg)


if __name__ == "__main__":
    main()
