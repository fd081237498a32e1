#!/usr/bin/env python3
"""Runs applications, makes reports of what they write by bin/orujo plot, and reads the pictures.
With --pictures it looks at the pages in a headless Chromium, and draws how the runtime scales.   plot_test.py BUILD_FOLDER [--pictures]"""

import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as tree
from html.parser import HTMLParser

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(sys.argv[1])
SVG = "{http://www.w3.org/2000/svg}"
CHROMIUM = next((found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), None)


def run(application, *flags, split=(2, 2), fails=0):
    command = [BUILD / "applications" / application, f"--locales={split[0]}", f"--cores={split[1]}", *flags]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == fails, (command, done.returncode, done.stderr)
    return done


def plot(*arguments, fails=0, path=None):
    done = subprocess.run([ROOT / "bin/orujo", "plot", *arguments], capture_output=True, text=True, timeout=120, check=False,
                          env=os.environ | ({"PATH": path} if path else {}))
    assert done.returncode == fails, (arguments, done.returncode, done.stderr)
    return done


class Page(HTMLParser):
    """The figures of a report by their names, and its tables."""

    def __init__(self, path):
        super().__init__()
        self.text = path.read_text(encoding="utf-8")
        self.open, self.names = [], []
        self.feed(self.text)
        assert not self.open, f"never closed: {self.open}"
        self.figures = {name: Figure(svg) for name, svg in zip(self.names, re.findall(r"<figure.*?(<svg.*?</svg>)", self.text, re.S))}

    def handle_starttag(self, tag, attributes):
        if tag != "meta":
            self.open.append(tag)
        if tag == "figure":
            self.names.append(dict(attributes)["id"])

    def handle_startendtag(self, tag, attributes):
        pass

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag


class Figure:
    """Bars and dots with what they tell under the mouse, and texts. All of it lies within the picture."""

    def __init__(self, svg):
        self.root = tree.fromstring(svg)
        width, height = (float(self.root.get(side)) for side in ("width", "height"))
        self.texts = [text.text for text in self.root.iter(f"{SVG}text")]
        self.bars = []
        for rect in self.root.iter(f"{SVG}rect"):
            x, y, w, h = (float(rect.get(key, 0)) for key in ("x", "y", "width", "height"))
            assert x >= -1 and y >= -1 and x + w <= width + 1 and y + h <= height + 1, (self.texts[0], x, y, w, h)
            about = rect.find(f"{SVG}title")
            if about is not None:
                self.bars.append((about.text, w, h))
        self.dots = []  # (what it tells, x, y)
        for dot in self.root.iter(f"{SVG}circle"):
            x, y, about = float(dot.get("cx")), float(dot.get("cy")), dot.find(f"{SVG}title")
            assert 0 <= x <= width and 0 <= y <= height, (self.texts[0], x, y)
            self.dots.append((about.text, x, y))
        for text in self.root.iter(f"{SVG}text"):
            assert 0 <= float(text.get("x")) <= width and 0 <= float(text.get("y")) <= height, text.text

    def matching(self, pattern):
        return [match for about, _, _ in self.bars + self.dots if (match := re.search(pattern, about))]


class Case(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.work = pathlib.Path(cls.folder.name)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def stats(self, application, *flags, **more):
        run(application, *flags, f"--stats_json={self.work}/{application}.json", **more)
        return json.loads((self.work / f"{application}.json").read_text())


class Report(Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        work = cls.work
        run("bfs", "--generate=kronecker:11", "--symmetrize", "--trials=3", f"--stats_json={work}/bfs.json",
            f"--trace_json={work}/trace.json", f"--output={work}/tree.csv")
        cls.said = plot(f"{work}/bfs.json", f"{work}/trace.json", f"{work}/tree.csv", "-o", f"{work}/report.html", "--svg").stderr
        cls.page = Page(work / "report.html")
        cls.told = json.loads((work / "bfs.json").read_text())
        cls.trace = json.loads((work / "trace.json").read_text())

    def test_is_one_page_that_needs_nothing_else(self):
        self.assertNotRegex(self.page.text.replace("http://www.w3.org/2000/svg", ""), r"(https?:)?//\w|src=|<link|<img|url\(|@import|fetch\(")
        self.assertIn("bfs on 2 locales, 4 cores", self.page.text)
        self.assertEqual(self.said, f"orujo: wrote {self.work}/report.html, {self.work}/report.svg\n")

    def test_names_the_run_and_begins_with_the_result(self):
        about = self.told["run"]
        for wanted in (about["host"], about["version"], about["date"][:10],
                       "<pre>bfs --locales=2 --cores=2 --generate=kronecker:11 --symmetrize --trials=3</pre>"):
            self.assertIn(wanted, self.page.text)
        self.assertEqual(re.findall(r"<h2>(.*?)</h2>", self.page.text), ["Result", "Graph", "Performance"])
        self.assertEqual([name for name in self.page.names if name != "graph"][:4], ["top_level", "spread_level", "degrees", "trials"])

    def test_dots_on_logarithmic_axes_lie_above_the_axis(self):
        (self.work / "sizes.csv").write_text("id,label\n" + "".join(f"{k},{max(0, k - 980)}\n" for k in range(1000)))
        plot(f"{self.work}/sizes.csv", "-o", f"{self.work}/sizes.html")
        groups = Page(self.work / "sizes.html").figures["groups_label"]
        self.assertEqual([about for about, _, _ in groups.dots[:2]], ["0: 981", "1: 1"])
        axis = min(x for _, x, _ in groups.dots) - min(float(line.get("x1")) for line in groups.root.iter(f"{SVG}line"))
        self.assertGreater(axis, 20)
        for name in ("degrees", "spread_level"):  # each has a count of 1
            figure = self.page.figures[name]
            bottom = max(float(line.get("y1")) for line in figure.root.iter(f"{SVG}line"))
            lowest = max(y for about, _, y in figure.dots)
            self.assertTrue(any(re.search(": 1 vertex$", about) for about, _, _ in figure.dots), name)
            self.assertGreater(bottom - lowest, 10, name)

    def test_loading_has_phases_and_the_work_a_picture_of_its_own(self):
        names = {e["name"] for e in self.trace["traceEvents"] if e["ph"] == "X"}
        self.assertLessEqual({"reading", "building", "computing", "writing", "pull"}, names)
        self.assertIn("work", self.page.names)
        self.assertFalse({"building", "writing"} & {m[1] for m in self.page.figures["work"].matching(r"^core \d+: (.*)$")})
        for name in ("idle", "nap"):
            self.assertIn(name, self.page.figures["timeline"].texts)
        # On a busy machine a phase may be too short to be drawn. Those of the work have a colour of their own.
        zoomed = json.loads(re.search(r"<script type='application/json'>(.*?)</script>", self.page.text)[1])
        self.assertIn("building", zoomed["names"])
        fills = dict(zip(zoomed["names"], zoomed["fills"]))
        self.assertEqual(len({fills["push"], fills["pull"], "#555555"}), 3)

    def test_largest_values_that_are_equal_are_told_not_drawn(self):
        (self.work / "ties.csv").write_text("id,core\n" + "".join(f"{k},{min(k, 30)}\n" for k in range(60)))
        plot(f"{self.work}/ties.csv", "-o", f"{self.work}/ties.html")
        page = Page(self.work / "ties.html")
        self.assertEqual(page.names, ["spread_core"])
        self.assertIn("30 vertices have the largest core, 30, among them 30, 31, 32, 33, 34.", page.text)

    def test_a_nap_is_thinner_than_other_bars(self):
        spans = [{"ph": "X", "pid": 0, "tid": 0, "ts": 1000 * k, "dur": 1000, "name": name} for k, name in enumerate(("building", "nap"))]
        (self.work / "nap.json").write_text(json.dumps(self.trace | {"traceEvents": spans}))
        plot(f"{self.work}/nap.json", "-o", f"{self.work}/nap.html")
        heights = {about: h for about, _, h in Page(self.work / "nap.html").figures["timeline"].bars}
        self.assertLess(heights["core 0: nap"], 0.5 * heights["core 0: building"])

    def test_every_picture_has_a_title_and_names_its_axes(self):
        self.assertEqual(set(self.page.names) - {"graph"}, {"trials", "frontier", "split", "cores", "traffic", "degrees", "timeline", "work", "phases",
                                                "messages_handled", "tasks_ready", "memory", "top_level",
                                                "spread_level"})
        words = {"trials": ["trial"], "frontier": ["active vertices", "time since the run's begin"],
                 "split": ["superstep"], "cores": ["core"], "traffic": ["from locale", "to locale"], "degrees": ["vertices", "degree: "],
                 "timeline": ["core", "time, "], "phases": ["core"], "memory": ["bytes", "time, "], "tasks_ready": ["tasks"],
                 "messages_handled": ["messages/s"]}
        for name, wanted in words.items():
            for word in wanted:
                self.assertTrue(any(word in text for text in self.page.figures[name].texts), (name, word, self.page.figures[name].texts))
        for name in ("trials", "frontier", "split", "cores", "phases", "timeline"):
            self.assertTrue(any(re.search(r"(^|[ ,])(µs|ms|s)\b", text) for text in self.page.figures[name].texts), name)

    def test_supersteps_are_those_of_the_last_run(self):
        last = [step for step in self.told["supersteps"] if step["run"] == 2]
        drawn = self.page.figures["frontier"].matching(r"^superstep (\d+)[ \w,]*: (\w+), frontier ([\d,]+),")
        self.assertEqual([(int(m[1]), m[2], int(m[3].replace(",", ""))) for m in drawn],
                         [(step["superstep"], step["direction"], step["frontier"]) for step in last])
        self.assertGreater(len(last), 3)
        widths = [w for _, w, _ in self.page.figures["frontier"].bars]
        for step, width in zip(last, widths, strict=True):  # as wide as it is long
            self.assertAlmostEqual(width / sum(widths), step["seconds"] / sum(s["seconds"] for s in last), places=2)

    def test_cores_traffic_and_degrees_have_their_numbers(self):
        self.assertEqual([int(m[1]) for m in self.page.figures["cores"].matching(r"^core (\d+): busy")], [0, 0, 1, 1, 2, 2, 3, 3])
        drawn = self.page.figures["traffic"].matching(r"^from locale (\d+) to (\d+): ([\d,]+) bytes")
        self.assertEqual({(int(m[1]), int(m[2]), int(m[3].replace(",", ""))) for m in drawn},
                         {(pair["from"], pair["to"], pair["bytes"]) for pair in self.told["traffic"]})
        vertices = self.page.figures["degrees"].matching(r"^out-degree .*: ([\d,]+) vert")
        self.assertEqual(sum(int(m[1].replace(",", "")) for m in vertices), self.told["graph"]["vertices"])

    def test_phases_add_up_to_what_the_trace_has(self):
        totals = {core: 0.0 for core in range(4)}
        for core in totals:
            spans = sorted((e["ts"], e["ts"] + e["dur"]) for e in self.trace["traceEvents"] if e["ph"] == "X" and e["tid"] == core)
            end = -1e300
            for begin, last in spans:  # the length of what they cover
                totals[core] += max(0.0, last - max(begin, end))
                end = max(end, last)
        units = {"s": 1e6, "ms": 1e3, "µs": 1.0, "ns": 1e-3}
        drawn = dict.fromkeys(totals, 0.0)
        for m in self.page.figures["phases"].matching(r"^core (\d+), .*: ([\d.e+-]+) (s|ms|µs|ns)$"):
            drawn[int(m[1])] += float(m[2]) * units[m[3]]
        for core, total in totals.items():
            self.assertGreater(total, 0)
            self.assertAlmostEqual(drawn[core] / total, 1, delta=0.02)

    def test_the_svg_beside_it_has_all_pictures(self):
        whole = tree.fromstring((self.work / "report.svg").read_text(encoding="utf-8"))
        self.assertEqual(len(whole.findall(f"{SVG}svg")), len(self.page.names))

    def test_draws_only_those_that_are_named(self):
        plot(f"{self.work}/bfs.json", "-o", f"{self.work}/few.html", "--only=degrees,frontier", "--svg")
        self.assertEqual(Page(self.work / "few.html").names, ["degrees", "frontier"])
        self.assertEqual(len(tree.fromstring((self.work / "few.svg").read_text(encoding="utf-8")).findall(f"{SVG}svg")), 2)
        said = plot(f"{self.work}/bfs.json", "-o", f"{self.work}/none.html", "--only=frontier,nosuch", fails=2)
        self.assertIn("there is no picture 'nosuch', but degrees, trials, frontier,", said.stderr)

    @unittest.skipUnless(shutil.which("rsvg-convert") or CHROMIUM, "there is no rsvg-convert and no chromium")
    def test_a_png_can_be_had(self):
        plot(f"{self.work}/bfs.json", "-o", f"{self.work}/alone.html", "--png")
        self.assertEqual((self.work / "alone.png").read_bytes()[:8], b"\x89PNG\r\n\x1a\n")

    def test_says_what_a_png_needs(self):
        tools = self.work / "tools"
        tools.mkdir()
        for name in ("python3", "bash", "dirname", "readlink", "env"):
            (tools / name).symlink_to(shutil.which(name))
        said = plot(f"{self.work}/bfs.json", "-o", f"{self.work}/without.html", "--png", fails=71, path=str(tools))
        self.assertIn("librsvg2-bin", said.stderr)

    def test_refuses_what_is_none_of_these_files(self):
        for content, status in (("{}", 65), ("[1]", 65), ("no json", 65), (None, 66)):
            path = self.work / "wrong.json"
            path.unlink(missing_ok=True)
            if content is not None:
                path.write_text(content)
            said = plot(path, "-o", self.work / "none.html", fails=status)
            self.assertEqual(said.stderr.count("\n"), 1)
            self.assertIn("wrong.json", said.stderr)
        (self.work / "wrong.csv").write_text("a,b\n1,2\n")
        plot(self.work / "wrong.csv", "-o", self.work / "none.html", fails=65)
        plot(self.work / "bfs.json", self.work / "bfs.json", fails=2)
        plot(self.work / "bfs.json", "-o", "/nonexistent/folder/report.html", fails=74)
        self.assertFalse((self.work / "none.html").exists())

    def test_draws_what_is_small(self):
        run("bfs", "--generate=path:2", f"--stats_json={self.work}/small.json", split=(1, 1))
        plot(f"{self.work}/small.json", "-o", f"{self.work}/small.html")
        Page(self.work / "small.html")
        run("gups", "--log2_table=0", f"--stats_json={self.work}/small.json", split=(1, 1))
        plot(f"{self.work}/small.json", "-o", f"{self.work}/small.html")
        self.assertIn("cores", Page(self.work / "small.html").names)


class Pictures(Case):
    """What takes longer."""

    @unittest.skipUnless(CHROMIUM, "there is no chromium")
    def test_a_browser_shows_the_page(self):
        run("pagerank", "--generate=kronecker:10", f"--stats_json={self.work}/stats.json", f"--trace_json={self.work}/trace.json", "--top=0")
        plot(f"{self.work}/stats.json", f"{self.work}/trace.json", "-o", f"{self.work}/report.html")
        subprocess.run([CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={self.work}/profile", "--hide-scrollbars",
                        "--window-size=1000,3000", f"--screenshot={self.work}/page.png", (self.work / "report.html").as_uri()],
                       check=True, capture_output=True, timeout=120)
        data = (self.work / "page.png").read_bytes()
        self.assertEqual(struct.unpack(">II", data[16:24]), (1000, 3000))
        self.assertGreater(len(data), 40_000, "an empty page takes some 10 KB")
        rendered = subprocess.run([CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={self.work}/profile", "--dump-dom",
                                   (self.work / "report.html").as_uri()], check=True, capture_output=True, text=True, timeout=120).stdout
        self.assertEqual(rendered.count("<svg "), len(Page(self.work / "report.html").names))

    def test_scaling_draws_over_cores_locales_and_nodes(self):
        done = subprocess.run([ROOT / "bin/orujo", "bench", "scaling", "--quick", f"--output={self.work}"], capture_output=True, text=True,
                              timeout=300, check=False, env=os.environ | {"ORUJO_NO_BUILD": "1"})
        self.assertEqual(done.returncode, 0, done.stderr)
        points = json.loads((self.work / "scaling.json").read_text())
        kinds = {"cores", "locales"} | (set() if "no nodes" in done.stdout else {"nodes"})
        self.assertEqual({(p["scaling"], p["over"], p["program"], p["count"]) for p in points},
                         {(s, k, p, c) for s in ("strong", "weak") for k in kinds for p in ("pagerank", "bfs", "gups") for c in (1, 2)})
        for p in points:
            self.assertGreater(p["seconds"], 0)
            self.assertTrue(0 < p["busy_mean"] <= p["busy_most"] <= 1 and 0 <= p["waiting_most"] <= 1, p)
        page = Page(self.work / "report.html")
        self.assertEqual(len(page.names), 4 * len(kinds))
        about, empty, *lines = (self.work / "table.txt").read_text().splitlines()
        self.assertIn("graphs of 2^16 vertices, a table of 2^20 words (gups)", about)
        self.assertEqual((empty, len(lines)), ("", 1 + len(points)))
        self.assertIn(about, page.text)


if __name__ == "__main__":
    long = "--pictures" in sys.argv
    names = ["Pictures"] if long else ["Report"]
    unittest.main(argv=[sys.argv[0], *names])
