#!/usr/bin/env python3
"""The charts of docs/benchmarks/README.md are what python3 bin/lab charts draws, the page shows each of them, and each
figure is in the table of the page that the chart names."""

import json
import re
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "bin"))

from lab import benchmark_charts  # noqa: E402

PAGES = ROOT / "docs/benchmarks"
FIGURES = json.loads((PAGES / "charts/figures.json").read_text())


class Charts(unittest.TestCase):
    def test_the_committed_charts_are_what_the_command_draws(self):
        with tempfile.TemporaryDirectory() as folder:
            benchmark_charts.main([folder])
            drawn = {path.name: path.read_text() for path in Path(folder).iterdir()}
        committed = {path.name: path.read_text() for path in (PAGES / "charts").glob("*.svg")}
        self.assertEqual(sorted(committed), sorted(drawn))
        for name in drawn:
            self.assertTrue(committed[name] == drawn[name], f"{name} is out of date: run python3 bin/lab charts")

    def test_the_page_shows_each_chart_once(self):
        shown = re.findall(r"!\[[^]]+\]\(charts/(\w+)\.svg\)", (PAGES / "README.md").read_text())
        self.assertEqual(sorted(shown), sorted(chart["name"] for chart in FIGURES))

    def test_each_figure_is_on_the_page_that_the_chart_names(self):
        for chart in FIGURES:
            page = (PAGES / chart["page"]).read_text()
            for name, texts in chart["rows"]:
                for text in filter(None, texts):
                    found = re.search(rf"(?<![\d.,]){re.escape(text)}(?![\d]|[.,]\d)", page)
                    self.assertTrue(found, f"{chart['page']} lacks {text}, which {chart['name']}.svg has of {name}")

    def test_a_bar_is_as_long_as_its_figure_says(self):
        chart = {"name": "x", "title": "t", "unit": "u", "columns": [""], "rows": [["a", ["1"]], ["b", ["2"]], ["c", [None]]]}
        root = ElementTree.fromstring(benchmark_charts.draw(chart))
        widths = [float(rect.get("width")) for rect in root if rect.tag.endswith("rect") and len(rect)]
        self.assertEqual(2, len(widths))
        self.assertAlmostEqual(2 * widths[0], widths[1], delta=0.02)

    def test_nothing_is_drawn_outside_of_a_chart(self):
        for name, svg in benchmark_charts.charts().items():
            root = ElementTree.fromstring(svg)
            for shape in root:
                if shape.tag.endswith("text"):
                    room = float(shape.get("font-size")) * 0.62 * len(shape.text)
                    left = float(shape.get("x")) - {"start": 0, "middle": room / 2, "end": room}[shape.get("text-anchor")]
                    self.assertTrue(left >= 0 and left + room <= float(root.get("width")), f"{name}: {shape.text}")


if __name__ == "__main__":
    unittest.main()
