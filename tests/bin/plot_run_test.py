#!/usr/bin/env python3
"""bin/orujo run --report=PAGE: a report in one go, its files and its status.  plot_run_test.py BUILD_FOLDER"""

import os
import subprocess
import unittest

from plot_test import BUILD, ROOT, Case, Page


class ReportOfRun(Case):
    """bin/orujo run --report=PAGE APP FLAG..."""

    def run_with_report(self, *arguments, fails=0, page="report.html"):
        done = subprocess.run([ROOT / "bin/orujo", "run", f"--report={self.work}/{page}", "-n", "1", "-c", "2", *arguments], text=True,
                              capture_output=True, timeout=120, check=False, env=os.environ | {"ORUJO_NO_BUILD": "1", "TMPDIR": str(self.work)})
        self.assertEqual(done.returncode, fails, done.stderr)
        self.assertEqual([path.name for path in self.work.iterdir() if path.name.startswith("orujo-")], [], "left behind")
        return done

    def application(self, body):
        """A program of the user, with these flags and this body."""
        path = self.work / "program"
        path.write_text("#!/bin/bash\n[[ $1 != --helpfull ]] || { echo '  --stats_json ('; exit; }\n"
                        f"printf '%s\\n' \"$@\" >{self.work}/arguments\n"
                        "for flag; do [[ $flag != --stats_json=* ]] || stats=${flag#*=}; done\n" + body)
        path.chmod(0o755)
        return path

    def test_has_result_graph_and_performance(self):
        done = self.run_with_report(BUILD / "applications/pagerank", "--generate=kronecker:8")
        self.assertIn("graph: kronecker:8", done.stdout)
        self.assertTrue(done.stderr.endswith(f"orujo: wrote {self.work}/report.html\n"), done.stderr)
        page = Page(self.work / "report.html")
        self.assertLessEqual({"top_rank", "degrees", "frontier", "timeline"}, set(page.names))
        self.assertIn("<pre>pagerank --cores=2 --generate=kronecker:8</pre>", page.text)

    def test_an_application_without_a_graph_has_performance(self):
        self.run_with_report(BUILD / "applications/gups", "--log2_table=10")
        self.assertLessEqual({"cores", "traffic", "timeline"}, set(Page(self.work / "report.html").names))

    def test_files_of_the_user_are_written_and_drawn(self):
        files = [f"--stats_json={self.work}/own.json", "--trace-json", f"{self.work}/trace.json", f"--output={self.work}/own.csv"]
        self.run_with_report(BUILD / "applications/bfs", "--generate=kronecker:8", *files)
        for name in ("own.json", "trace.json", "own.csv"):
            self.assertGreater((self.work / name).stat().st_size, 100)
        self.assertLessEqual({"top_level", "degrees", "timeline"}, set(Page(self.work / "report.html").names))
        done = self.run_with_report(BUILD / "applications/bfs", "--generate=kronecker:8", "--output=-")
        self.assertRegex(done.stdout, r"(?m)^0 -?\d+ -?\d+$")
        self.assertIn("--report leaves out --output=-, which is no .csv file", done.stderr)
        self.assertNotIn("top_level", Page(self.work / "report.html").names)

    def test_the_status_is_that_of_the_application(self):
        stats = '{"application": "program", "locales": 1, "cores": 1, "verified": false}'
        wrong = self.application(f"echo '{stats}' >$stats; exit 1")
        self.run_with_report(wrong, "--own", fails=1, page="wrong.html")
        self.assertIn("NOT VERIFIED", (self.work / "wrong.html").read_text())
        words = (self.work / "arguments").read_text().splitlines()
        self.assertEqual(words[:2], ["--cores=2", "--own"])
        self.assertEqual(len(words), 3, "only flags that the program has")
        self.run_with_report(self.application("exit 66"), fails=66, page="none.html")
        self.assertFalse((self.work / "none.html").exists())
        self.assertIn("no report", self.run_with_report(self.application("exit 0"), page="none.html").stderr)

    def test_a_page_that_cannot_be_written_is_refused_before_the_job(self):
        program = self.application("exit 0")
        for page, status in (("missing/report.html", 74), ("", 2)):
            done = self.run_with_report(program, fails=status, page=page)
            self.assertEqual(done.stderr.count("\n"), 1)
            self.assertFalse((self.work / "arguments").exists())


if __name__ == "__main__":
    unittest.main(argv=[__file__])
