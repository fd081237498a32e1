#!/usr/bin/env python3
"""Drawings of small and of large graphs in reports against the graph's edges, and the zoom of the timeline in a headless Chromium.
plot_drawings_test.py BUILD_FOLDER"""

import collections
import csv
import html
import json
import math
import re
import subprocess
import unittest

from plot_test import CHROMIUM, ROOT, SVG, Case, Page, plot, run

TOOLS = ROOT / "build/release/applications"


class Drawings(Case):
    def test_small_graphs_are_drawn(self):
        (self.work / "small.csv").write_text("from,to\nAnna,Bert\nBert,Carl\nDora,Emil\n")
        pages = []
        for number in range(2):
            run("connected_components", f"--graph={self.work}/small.csv", "--names", "--symmetrize", f"--output={self.work}/labels.csv",
                f"--stats_json={self.work}/small.json")
            plot(f"{self.work}/small.json", f"{self.work}/labels.csv", "-o", f"{self.work}/small{number}.html")
            pages.append(Page(self.work / f"small{number}.html"))
        if not (TOOLS / "graph_tool").exists():
            self.skipTest("there is no release build of graph_tool")
        drawn = pages[0].figures["graph"]
        self.assertEqual(drawn.dots, pages[1].figures["graph"].dots)
        self.assertEqual([about for about, _, _ in drawn.dots], ["Anna: Anna", "Bert: Anna", "Carl: Anna", "Dora: Dora", "Emil: Dora"])
        at = {about[:4]: (f"{x:.2f}", f"{y:.2f}") for about, x, y in drawn.dots}
        lines = {frozenset([(line.get("x1"), line.get("y1")), (line.get("x2"), line.get("y2"))]) for line in drawn.root.iter(f"{SVG}line")}
        self.assertEqual(lines, {frozenset([at[a], at[b]]) for a, b in (("Anna", "Bert"), ("Bert", "Carl"), ("Dora", "Emil"))})
        colours = {dot.find(f"{SVG}title").text[:4]: dot.get("fill") for dot in drawn.root.iter(f"{SVG}circle")}
        self.assertTrue(colours["Anna"] == colours["Carl"] != colours["Dora"])

    def drawing_of(self, application, *flags, column):
        """The figure of a graph, its edges, and id -> value."""
        flags = [*flags, f"--output={self.work}/large.csv", f"--stats_json={self.work}/large.json"]
        run(application, *flags, "--partition=hash")
        plot(f"{self.work}/large.json", f"{self.work}/large.csv", "-o", f"{self.work}/large.html")
        if not (TOOLS / "graph_tool").exists():
            self.skipTest("there is no release build of graph_tool")
        run("graph_tool", "convert", *flags[:2], f"--output={self.work}/edges.csv", split=(1, 1))
        edges = [tuple(row) for row in list(csv.reader((self.work / "edges.csv").read_text().splitlines()))[1:]]
        rows = csv.DictReader((self.work / "large.csv").read_text().splitlines())
        return Page(self.work / "large.html"), edges, {row["id"]: row[column] for row in rows}

    def test_large_graphs_are_drawn_as_rings_of_their_values(self):
        page, edges, core_of = self.drawing_of("k_core", "--generate=kronecker:10", "--undirected", column="core")
        figure = page.figures["graph"]
        self.assertIn(f"The graph by core: 1,000 of {len(edges):,} edges", figure.texts)
        least = [int(m[1]) for text in figure.texts if (m := re.match(r"(?:from )?(\d+)$", text))]
        self.assertEqual(least, sorted(least, reverse=True))
        rings = [circle for circle in figure.root.iter(f"{SVG}circle") if circle.get("fill") == "none"]
        ends = [0.0, *(float(ring.get("r")) for ring in rings)]
        middle = float(rings[0].get("cx")), float(rings[0].get("cy"))
        self.assertEqual(len(least), len(rings))
        at = {}
        for about, x, y in figure.dots[len(rings):]:
            vertex, core = about.split(": ")
            at[f"{x:.2f} {y:.2f}"] = vertex
            self.assertEqual(core_of[vertex], core)
            ring = next(k for k, first in enumerate(least) if int(core) >= first)
            far = math.dist(middle, (x, y))
            self.assertTrue(ends[ring] - 0.1 <= far <= ends[ring + 1] + 0.1, (about, far))
        (path,) = figure.root.iter(f"{SVG}path")
        drawn = [(at[a], at[b]) for a, b in re.findall(r"M([\d. ]+)L([\d. ]+)", path.get("d"))]
        self.assertEqual(len(drawn), 1000)
        self.assertLessEqual(set(drawn), set(edges))

    def test_groups_are_drawn_with_the_edges_between_them(self):
        page, edges, label_of = self.drawing_of("label_propagation", "--generate=watts_strogatz:600:degree=6:rewire=0.02", "--undirected",
                                                column="label")
        figure, sizes = page.figures["graph"], collections.Counter(label_of.values())
        self.assertEqual(sorted(int(about.split(": ")[1]) for about, _, _ in figure.dots), sorted(sorted(sizes.values())[-40:]))
        at = {(f"{x:.2f}", f"{y:.2f}"): about.split(":")[0] for about, x, y in figure.dots}
        for group in at.values():
            self.assertIn(f"{group}: {sizes[group]:,}", [about for about, _, _ in figure.dots])
        between = collections.Counter(frozenset([label_of[v], label_of[w]]) for v, w in edges if label_of[v] != label_of[w])
        lines = {frozenset([at[line.get("x1"), line.get("y1")], at[line.get("x2"), line.get("y2")]]): float(line.get("stroke-width"))
                 for line in figure.root.iter(f"{SVG}line")}
        self.assertEqual(set(lines), {pair for pair in between if pair <= set(at.values())})
        most = max(between[pair] for pair in lines)
        for pair, width in lines.items():
            self.assertAlmostEqual(width, max(12 * between[pair] / most, 0.3), places=1)
        within = sum(label_of[v] == label_of[w] for v, w in edges)
        self.assertIn(f"{100 * within / len(edges):.1f} % of all edges lie within a group", page.text)

    def test_what_is_not_drawn_says_why(self):
        page, _, _ = self.drawing_of("connected_components", "--generate=uniform:9:edgefactor=1", "--undirected", column="label")
        self.assertNotIn("graph", page.names)
        self.assertIn("not drawn, as no edge joins two groups of one label", page.text)
        told = json.loads((self.work / "large.json").read_text())
        told["graph"]["edges"] = 4_000_001
        (self.work / "large.json").write_text(json.dumps(told))
        plot(f"{self.work}/large.json", f"{self.work}/large.csv", "-o", f"{self.work}/large.html")
        self.assertIn("Graphs of more than 4,000,000 edges are not drawn.", (self.work / "large.html").read_text())


class Zoom(Case):
    def zoomed(self, page, *acts):
        """For each act, an expression of JavaScript, the bars of the timeline and its texts after it; and the page's errors."""
        text = page.read_text(encoding="utf-8")
        self.assertEqual(text.count("</body>"), 1)
        watch = "<script>const errors = []; addEventListener('error', (event) => errors.push(event.message));</script>"
        look = """<script>
          const figure = document.getElementById("timeline"), press = (key) => figure.dispatchEvent(new KeyboardEvent("keydown", {key}));
          const click = (name) => [...figure.querySelectorAll("button")].find((button) => button.textContent === name).click();
          const seen = () => ({texts: [...figure.querySelectorAll(".axis text")].map((text) => text.textContent), said: figure.querySelector("output").textContent,
            bars: [...figure.querySelectorAll(".lanes rect")].map((bar) => [bar.textContent, +bar.getAttribute("x"), +bar.getAttribute("width")])});
          const views = [%s].map((act) => { act(); return seen(); });
          document.body.textContent = JSON.stringify({views, errors});</script>""" % ", ".join(f"() => {act}" for act in acts)
        tried = self.work / "tried.html"
        tried.write_text(text.replace("<body>", "<body>" + watch).replace("</body>", look + "</body>"), encoding="utf-8")
        shown = subprocess.run([CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={self.work}/profile", "--dump-dom",
                                tried.as_uri()], check=True, capture_output=True, text=True, timeout=120).stdout
        told = json.loads(html.unescape(re.search(r"<body[^>]*>(.*)</body>", shown, re.S)[1]))
        self.assertEqual(told["errors"], [])
        return told["views"]

    @unittest.skipUnless(CHROMIUM, "there is no chromium")
    def test_the_timeline_zooms(self):
        events = [{"ph": "X", "tid": core, "ts": begin, "dur": last - begin, "name": name, "cat": "scheduler" if name == "nap" else "scope"} for core, begin, last, name in (
            (0, 0, 600_000, "reading"), (0, 600_000, 600_100, "pull"), (0, 600_100, 800_000, "push"), (1, 400_000, 1_000_000, "nap"))]
        (self.work / "trace.json").write_text(json.dumps({"traceEvents": events, "otherData": {"cores": 2}}))
        plot(f"{self.work}/trace.json", "-o", f"{self.work}/zoom.html")
        left, right = 86, 920
        drawn = Page(self.work / "zoom.html").figures["timeline"]
        whole, quarter, keys, later, work, deep, back = self.zoomed(
            self.work / "zoom.html", "press('0')", "(click('zoom in'), click('zoom in'))", "(press('0'), press('+'), press('='))", "press('ArrowRight')",
            "click('work')", "[...'+'.repeat(10)].forEach((key) => (press(key), press('ArrowLeft'), press('ArrowLeft')))", "(press('w'), click('whole'))")
        self.assertEqual(sorted(about for about, *_ in whole["bars"]), sorted(about for about, _, _ in drawn.bars))
        self.assertEqual(quarter, keys)
        self.assertEqual(whole, back)

        def check(view, begin, last):
            for core, spans in ((0, [(0, 0.6, "reading"), (0.6, 0.6001, "pull"), (0.6001, 0.8, "push")]), (1, [(0.4, 1, "nap")])):
                wanted = [(name, left + (max(a, begin) - begin) / (last - begin) * (right - left), (min(b, last) - max(a, begin)) / (last - begin) * (right - left))
                          for a, b, name in spans if min(b, last) - max(a, begin) > (last - begin) / 300]
                found = [(about.split(": ")[1], x, wide) for about, x, wide in view["bars"] if about.startswith(f"core {core}:")]
                self.assertEqual([name for name, *_ in found], [name for name, *_ in wanted])
                for (_, x, wide), (_, at, width) in zip(found, wanted):
                    self.assertAlmostEqual(x, at, delta=3)
                    self.assertAlmostEqual(wide, width, delta=5)
        check(whole, 0, 1)
        check(quarter, 0.375, 0.625)
        check(later, 0.4375, 0.6875)
        check(work, 0.6, 0.8)
        check(deep, 0.6, 0.6 + 0.2 / 1024)
        self.assertEqual([about for about, *_ in deep["bars"]], ["core 0: pull", "core 0: push", "core 1: nap"])
        self.assertEqual(work["said"], "600 ms to 800 ms")
        self.assertEqual(work["texts"][-1], "time from 600 ms on, ms")
        self.assertEqual(whole["texts"][-1], "time, s")


if __name__ == "__main__":
    unittest.main(argv=[__file__])
