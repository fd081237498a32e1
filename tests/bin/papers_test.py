#!/usr/bin/env python3
"""Runs `bin/orujo bench papers` as a user does, over small inputs, and looks at its verdicts.   papers_test.py BUILD_FOLDER"""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import unittest.mock
import xml.etree.ElementTree as tree

ROOT = pathlib.Path(__file__).resolve().parents[2]
SVG = "{http://www.w3.org/2000/svg}"
BUILD = pathlib.Path(sys.argv[1])
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "bin"))

from lab import charts, rounds  # noqa: E402
from lab.papers import claims  # noqa: E402
from lab.papers import bench as papers  # noqa: E402

SMALL = ["--quick", "--scale=7", "--rounds=1", "--trials=1", "--iterations=2", "--sizes=4,5", "--steps=4", "--codec_scale=8", "--vertices=500"]
VERDICTS = {claims.YES, claims.NO, claims.CANNOT_TELL, claims.NOT_COMPARED, "in kind", "cannot be seen"}
# The first words of each part's rows.
ROWS = {
    "Grappa": ["latency tolerance", "k-means", "queries", "figure 9b | SP2Bench's query 2", "BFS | Kronecker 10"],
    "PPoPP": ["figure 5", "figure 6", "figure 7", "figure 8", "figure 9a", "figure 9b", "figure 10 | PageRank, edge-pull", "figure 10 | PageRank, edge-push",
              "figure 10 | PageRank, vertex", "figure 10 | PageRank, end to end", "figure 10b | connected_components", "figure 10b | bfs", "section 5 | pagerank", "section 5 | connected_components",
              "section 5 | bfs", "baselines | PageRank, edge-pull: Vector-Sparse over compressed rows", "baselines | PageRank, edge-push: the paper's"],
    "thesis": ["table 5.4 | all frontiers", "table 5.5 | all frontiers", "chapter 5 | bytes of the rows", "chapter 5 | bytes of the columns", "figure 7.1", "figure 7.2",
               "table 7.5 | time of the column", "table 7.5 | time of the row"],
    "blocking": ["search tree", "figure 4", "figure 6", "graphs | small world, bfs", "graphs | all of these: by blocks over breadth first", "section 8.1 | 4-ary tree, sssp", "live nodes"],
}
SCHEDULES = ["edge vectors dealt: usersched over the", "edge vectors dealt: usersched over static_steal", "edge vectors dealt: usersched_profiled over the",
             "vertices dealt, PageRank: usersched_profiled over static_steal", "vertices dealt, PageRank: processor time",
             "vertices dealt, PageRank: in-edges that", "vertices dealt, connected_components: usersched over the",
             "vertices dealt, bfs: usersched_profiled over static_steal",
             "vertices dealt, bfs: processor time of the busiest core", "minimd, whole runs", "minimd, force loop: usersched_profiled over the",
             "minimd, size 5: usersched_profiled", "minimd, size 4: neighbours of the atoms", "minimd, size 4: processor time", "usersched_profiled, chunks"]


def bench(*arguments, fails=0, build=False):
    command = [str(ROOT / "bin/orujo"), "bench", "papers", *map(str, arguments)]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300, check=False,
                          env=os.environ | ({} if build else {"ORUJO_NO_BUILD": "1"}))
    assert done.returncode == fails, (command, done.returncode, done.stderr)
    return done


class Verdicts(unittest.TestCase):
    def test_a_bar_within_the_spread_cannot_be_told(self):
        near = rounds.Figure(1.2, 1.1, 1.3)
        self.assertEqual([claims.at_least(near, bar) for bar in (1.0, 1.2, 1.4)], [claims.YES, claims.CANNOT_TELL, claims.NO])
        self.assertEqual([claims.at_most(near, bar) for bar in (1.0, 1.2, 1.4)], [claims.NO, claims.CANNOT_TELL, claims.YES])
        self.assertEqual(claims.between(near, 1, 2), claims.YES)
        self.assertEqual(claims.between(near, 1.2, 2), claims.CANNOT_TELL)
        self.assertEqual(claims.between(near, 2, 3), claims.NO)

    def test_ratios_are_of_the_same_round_and_as_wide_as_their_noise(self):
        found = rounds.ratio([2, 30, 4], [1, 10, 2])  # a slow round is slow for both
        self.assertEqual((found.low, found.mid, found.high), (2, 2, 3))
        noisy = rounds.ratio([2.0], [1.0], 1.25)
        self.assertEqual((noisy.low, noisy.high), (1.6, 2.5))
        self.assertAlmostEqual(rounds.noise_of(([1.0, 2.0], [2.0, 1.0])), 2)  # neither makes up for the other

    def test_a_gain_is_one_as_a_whole_and_a_loss_nowhere(self):
        def around(mid):
            return rounds.Figure(mid, mid / 1.05, mid * 1.05)

        self.assertEqual(claims.gains([around(1.2), around(1.1)]), claims.YES)
        self.assertEqual(claims.gains([around(2.0), around(0.9)]), claims.NO)
        self.assertEqual(claims.gains([around(2.0), around(0.97)]), claims.YES)
        self.assertEqual(claims.gains([around(1.02), around(1.0)]), claims.CANNOT_TELL)
        self.assertEqual(claims.gains([around(0.9), around(0.9)]), claims.NO)


class Bars(unittest.TestCase):
    def test_of_a_chart_are_as_long_as_their_values(self):
        with tempfile.TemporaryDirectory() as folder:
            claims.Bars("x", "title", "ms", ["a", "b"], [("one", [[10.0, 20.0, 30.0], 5]), ("two", [0, 20.0])]).write(folder)
            drawn = tree.parse(f"{folder}/x.svg").getroot()
            self.assertEqual(pathlib.Path(folder, "x.dat").read_text(), "# group\ta\tb\none\t20\t5\ntwo\t0\t20\n")
        widths = {r[0].text.rsplit(":", 1)[0]: float(r.get("width")) for r in drawn.iter(f"{SVG}rect") if len(r)}
        self.assertEqual(set(widths), {"one a", "one b", "two b"})  # of rounds the median; nothing is no bar
        self.assertAlmostEqual(widths["one a"], widths["two b"], places=1)
        self.assertAlmostEqual(widths["one a"], 4 * widths["one b"], places=1)

    def test_have_a_grey_colour_and_a_place_in_the_legend_where_they_are_many(self):
        names = [f"column {k}" for k in range(10)]
        drawn = tree.fromstring(charts.bars("title", "ms", names, [("row", [(1.0, "1")] * 10)]).svg())
        legend = {t.text: (float(t.get("x")), float(t.get("y"))) for t in drawn.iter(f"{SVG}text") if t.text in names}
        self.assertEqual(len(set(legend.values())), 10)
        top = min(float(r.get("y")) for r in drawn.iter(f"{SVG}rect") if len(r))
        self.assertLess(max(y for _, y in legend.values()), top)
        self.assertEqual([r.get("fill") for r in drawn.iter(f"{SVG}rect") if len(r)][-3:], ["#999999"] * 3)


class Papers(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory())) if hasattr(self, "enterContext") else self.made_folder()

    def made_folder(self):
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        return pathlib.Path(made.name)

    def rows_of(self, folder):
        rows = [line for line in (folder / "claims.md").read_text().splitlines() if line.startswith("| ") and not line.startswith(("| where", "| ---"))]
        for row in rows:
            cells = row.strip("|").split(" | ")
            self.assertEqual(len(cells), 7, row)
            paper, here = cells[6].split("; ")
            self.assertTrue(paper and here.strip(), row)
            holds = cells[4].strip()
            self.assertTrue(holds in VERDICTS or holds.startswith("from "), row)
            if "Spark" in row or "Shark" in row or "original Grappa" in row:
                self.assertIn("elsewhere", cells[2], row)
                self.assertEqual(holds, claims.NOT_COMPARED, row)
        return rows

    def test_all_five_are_repeated(self):
        (self.folder / "pairs.txt").write_text("1 2\n2 3\n3 1\n7 3\n")
        without = [name for name, part in papers.PARTS.items() if "benchmarks" not in papers.ABOUT[part].programs]
        done = bench(*SMALL, "--graphs", self.folder / "pairs.txt", f"--out={self.folder}/out", "--only", *without)
        rows = self.rows_of(self.folder / "out")
        self.assertEqual(done.stdout, (self.folder / "out/claims.md").read_text())
        for paper, parts in ROWS.items():
            for part in parts:
                self.assertTrue(any(row.startswith(f"| {paper}, {part}") for row in rows), f"{paper}, {part}")
        for part in SCHEDULES:
            self.assertTrue(any(row.startswith(f"| ICPP | {part}") for row in rows), part)
        self.assertTrue(any("pairs 1." in row or "pairs 0." in row for row in rows), "graphs of files are among the rows")
        names = {path.stem for path in (self.folder / "out").glob("*.svg")}
        self.assertEqual(names, {path.stem for path in (self.folder / "out").glob("*.dat")})
        self.assertGreaterEqual(len(names), len(without))
        for name in names:
            tree.parse(self.folder / "out" / f"{name}.svg")

    def test_what_is_counted_is_as_in_any_other_run(self):
        bench(*SMALL, f"--out={self.folder}", "--only", "packing", "packing_of_rmats", "bytes_of_a_search")
        before = self.rows_of(self.folder)
        bench(*SMALL, f"--out={self.folder}", "--only", "packing", "packing_of_rmats", "bytes_of_a_search")
        self.assertEqual(self.rows_of(self.folder), before)
        self.assertEqual(len(before), 5)

    @unittest.skipUnless((BUILD / "tests/benchmarks").exists(), "the benchmarks are not built")
    def test_the_runtimes_claims_are_repeated(self):
        bench("--quick", "--trials=1", f"--out={self.folder}", "--only", "switches", "updates", "searches", "flat_loop")
        rows = self.rows_of(self.folder)
        for part in ("Grappa, context switch", "Grappa, GUPS", "Grappa, BFS | mesh", "ICPP, figure 7 |"):
            self.assertTrue(any(row.startswith(f"| {part}") for row in rows), part)

    def test_one_paper_is_asked_for_by_name(self):
        self.assertEqual(papers.targets_of(papers.parse_arguments(["--paper=blocking"])), ["layout_lab"])
        self.assertEqual(papers.targets_of(papers.parse_arguments(["--paper=schedules", "--paper=compression"])),
                         ["benchmarks", "codec_lab", "engine_lab", "graph500", "minimd"])
        self.assertIn("benchmarks", papers.targets_of(papers.parse_arguments([])))
        self.assertIn("invalid choice: 'other'", bench("--paper=other", fails=2).stderr)

    def test_large_runs_are_as_large_as_the_papers_or_as_memory_holds(self):
        usual, large = (papers.parse_arguments(arguments) for arguments in ([], ["--large"]))
        self.assertEqual([(o.queries, o.clusters, o.sizes) for o in (usual, large)],
                         [(300_000, [10, 100], ["10", "20"]), (3_000_000, [10, 100, 10_000], ["20", "32"])])
        self.assertEqual(papers.parse_arguments(["--large", "--scale=17"]).scale, 17)
        self.assertIn("not allowed with argument", bench("--quick", "--large", fails=2).stderr)
        with unittest.mock.patch.object(papers, "free_memory", return_value=2 ** 30):
            self.assertEqual(papers.in_half_of_memory(10_000_000, 512), 2 ** 20)
            self.assertEqual(papers.in_half_of_memory(1_000, 512), 1_000)
            self.assertEqual(papers.power_in_half_of_memory(25, 512), 20)
            self.assertEqual(papers.power_in_half_of_memory(14, 512), 14)

    def test_a_run_that_fails_ends_it(self):
        (self.folder / "applications").mkdir()
        (self.folder / "applications/kmeans").symlink_to("/bin/false")
        done = bench("--quick", "--only", "clusters", f"--programs={self.folder}", f"--out={self.folder}/none", fails=1)
        self.assertIn("ended with status 1", done.stderr)
        self.assertFalse((self.folder / "none").exists())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
