#!/usr/bin/env python3
"""How bin/orujo bench choices tells what was chosen from the best; with --run it runs, too.   choices_test.py [--run]"""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "bin"))
from lab import choices  # noqa: E402  behind the path


class Choices(unittest.TestCase):
    def row(self, **fastest):
        row = choices.Row()
        for option, times in fastest.items():
            row.add("" if option == "auto" else f"--segments={option[1:]}", times)
        return row

    def test_the_fastest_of_each_piece_counts(self):
        row = self.row(auto=[2.0, 5.0])
        row.add("", [3.0, 4.0])
        self.assertEqual(row.seconds(""), 6.0)

    def test_misses_are_told_against_the_best_option(self):
        row = self.row(auto=[3.0], s1=[2.0], s4=[2.5])
        self.assertEqual(row.best(), "--segments=1")
        self.assertAlmostEqual(row.miss(), 0.5)

    def test_auto_and_what_it_chose_are_the_same(self):
        row = self.row(auto=[3.0], s1=[2.0], s4=[2.5])
        row.chosen = "--segments=1"
        self.assertEqual((row.best(), row.miss()), ("", 0.0))
        row.chosen = "--segments=8"  # which nobody has tried
        self.assertAlmostEqual(row.miss(), 0.5)

    def test_what_is_best_by_itself_misses_nothing(self):
        self.assertEqual(self.row(auto=[1.0], s2=[2.0]).miss(), 0.0)

    def test_the_choice_is_read_from_the_settings(self):
        self.assertEqual(choices.option_chosen("settings:\n  --x=1\n  segments: 4: ns per edge\n"), "--segments=4")
        self.assertIsNone(choices.option_chosen("settings:\n  --segments=auto\n"))

    def test_pieces(self):
        stats = {"supersteps": [{"seconds": 3}, {"seconds": 2}], "trials": [{"seconds": 5}, {"seconds": 7}]}
        self.assertEqual(choices.times_of("pagerank", stats, False), [2])
        self.assertEqual(choices.times_of("bfs", stats, False), [5, 7])
        stats = {"trials": [{"pull_cpu_seconds": [3, 5], "pulls": 2}, {"pull_cpu_seconds": [1, 5], "pulls": 2}]}
        self.assertEqual(choices.times_of("pagerank", stats, True), [3])

    @unittest.skipUnless("--run" in sys.argv, "runs some hundred jobs")
    def test_quick(self):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([ROOT / "bin/orujo", "bench", "choices", "--quick", f"--json={folder}/choices.json"], capture_output=True,
                                  text=True, timeout=300, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            found = json.loads(pathlib.Path(folder, "choices.json").read_text())
        self.assertEqual({(f["algorithm"], f["graph"]) for f in found},
                         {(a, g) for a in choices.ALGORITHMS for g in choices.QUICK})
        for f in found:
            self.assertGreaterEqual(f["miss"], 0)
            self.assertGreater(f["seconds"]["auto"], 0)
            self.assertEqual(f["chose"] is not None, f["algorithm"] == "pagerank", f)
        self.assertIn("auto misses the best by ", done.stdout)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
