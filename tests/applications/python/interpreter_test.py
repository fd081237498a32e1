"""The Python package within an interpreter: threads, interrupts, jobs, what outlives them.  python interpreter_test.py [UNITTEST_ARGUMENT...]"""

import os
import signal
import subprocess
import sys
import threading
import unittest

import numpy as np
import orujo


def setUpModule():
    orujo.start(cores=2)


class the_interpreter(unittest.TestCase):
    def test_other_threads_go_on_and_may_call(self):
        at_work, done = threading.Event(), threading.Event()
        turns = [0]

        def count():
            at_work.set()
            while not done.is_set():
                turns[0] += 1

        counting = threading.Thread(target=count)
        counting.start()
        at_work.wait()
        before = turns[0]
        orujo.Graph("kronecker:14")
        between = turns[0]
        done.set()
        counting.join()
        self.assertGreater(between, before)
        g, sums = orujo.Graph("kronecker:10"), []
        callers = [threading.Thread(target=lambda: sums.append(orujo.pagerank(g).sum())) for _ in range(4)]
        for caller in callers:
            caller.start()
        for caller in callers:
            caller.join()
        np.testing.assert_allclose(sums, [1] * 4, rtol=1e-5)

    def test_threads_that_make_graphs_at_once_get_their_own(self):
        made = {}

        def make(k):
            for _ in range(6):
                rows = np.arange(1000 * k)
                made.setdefault(k, set()).add(orujo.Graph((rows, rows + 1)).edges)

        makers = [threading.Thread(target=make, args=(k,)) for k in (1, 2, 3)]
        for maker in makers:
            maker.start()
        for maker in makers:
            maker.join()
        self.assertEqual(made, {k: {1000 * k} for k in (1, 2, 3)})

    def interrupt(self, call):
        """Interrupts a call, and returns how many KeyboardInterrupts it has raised."""
        over = threading.Event()

        def interrupt():
            while not over.wait(0.01):
                os.kill(os.getpid(), signal.SIGINT)

        caught = 0
        interrupting = threading.Thread(target=interrupt)
        try:
            interrupting.start()
            call()
        except KeyboardInterrupt:
            caught += 1
        while True:  # one more may be on its way
            try:
                over.set()
                interrupting.join()
                break
            except KeyboardInterrupt:
                pass
        return caught

    def test_interrupts(self):
        g = orujo.Graph("kronecker:10")
        self.assertEqual(self.interrupt(lambda: orujo.pagerank(g, iterations=2**31 - 1)), 1)
        self.assertAlmostEqual(float(orujo.pagerank(g).sum()), 1, places=4)

    def test_interrupts_of_betweenness(self):
        g = orujo.Graph("mesh2d:300x300:weights=1..9", symmetrize=True)  # all sources take minutes
        for find in orujo.betweenness_centrality, orujo.edge_betweenness_centrality:
            for weighted in False, True:
                self.assertEqual(self.interrupt(lambda: find(g, weighted=weighted)), 1)
        self.assertEqual(len(orujo.betweenness_centrality(g, k=1)), 90000)

    def test_progress_in_a_notebook(self):
        ran = self.run_python(
            "import importlib, signal, sys, types\n"
            "class handle:\n"
            "  def update(self, content, raw): told(content)\n"
            "def display(content, raw, display_id):\n"
            "  told(content)\n"
            "  return handle()\n"
            "lines = []\n"
            "def told(content):\n"
            "  lines.append(content['text/plain'])\n"
            "  if len(lines) == 3: signal.raise_signal(signal.SIGINT)\n"
            "shell = types.SimpleNamespace(kernel=None)\n"
            "sys.modules['IPython'] = types.SimpleNamespace(get_ipython=lambda: shell)\n"
            "sys.modules['IPython.display'] = types.SimpleNamespace(display=display)\n"
            "import orujo\n"
            "orujo.start(cores=1)\n"
            "g = orujo.Graph('kronecker:10')\n"
            "assert lines == []\n"
            "try: orujo.pagerank(g, iterations=2**31 - 1)\n"
            "except KeyboardInterrupt: print(*lines, sep='|')\n"
            "orujo.stop()\n"
            "orujo.start(cores=1, progress=False)\n"
            "orujo.pagerank(orujo.Graph('path:3'))\n"
        )
        self.assertEqual((ran.returncode, ran.stderr), (0, ""), ran)
        self.assertRegex(ran.stdout, r"^(superstep \d+ of 2147483647, .* active: \d+ s, 0 %, about [^|]+ to go\|){3}\n$")

    def run_python(self, script):
        return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120)

    def test_jobs_one_after_the_other(self):
        ran = self.run_python(
            "import orujo\n"
            "g = orujo.Graph('path:4')\n"
            "try: orujo.start()\n"
            "except RuntimeError as e: print(e)\n"
            "orujo.stop()\n"
            "try: orujo.pagerank(g)\n"
            "except RuntimeError as e: print(e)\n"
            "for wrong in ({'simd': 'none'}, {'coers': 1}, {'cores': -1}):\n"
            "  try: orujo.start(**wrong)\n"
            "  except ValueError as e: print(e)\n"
            "orujo.start(cores=1, locales=2)\n"
            "print(orujo.cores(), orujo.bfs(orujo.Graph('path:4'), 0).levels)\n"
        )
        lines = ran.stdout.splitlines()
        self.assertEqual((ran.returncode, ran.stderr, len(lines)), (0, "", 6), ran)
        self.assertIn("the job runs already", lines[0])
        self.assertIn("the job of this graph has ended", lines[1])
        self.assertIn('simd="none"', lines[2])
        self.assertIn("coers", lines[3])
        self.assertIn("cores=-1", lines[4])
        self.assertEqual(lines[5], "2 [0 1 2 3]")

    def test_a_launcher_without_mpi(self):
        ran = self.run_python(
            "import os, sys\n"
            "os.environ['OMPI_COMM_WORLD_SIZE'] = '2'\n"
            "sys.modules['orujo.with_mpi._core'] = None\n"
            "import orujo\n"
        )
        self.assertIn("ImportError: a launcher has started this process, but MPI cannot be loaded: ", ran.stderr)

    def test_devices(self):
        ran = self.run_python(
            "import numpy as np, orujo\n"
            "def found():\n"
            "  g = orujo.Graph('kronecker:9', symmetrize=True)\n"
            "  return orujo.pagerank(g, iterations=9, precision='double'), orujo.bfs(g, 1).levels\n"
            "results = []\n"
            "for device in 'cpu', 'emulated', 'auto':\n"
            "  orujo.start(cores=2, device=device)\n"
            "  results.append(found())\n"
            "  orujo.stop()\n"
            "for ranks, levels in results[1:]:\n"
            "  assert np.allclose(ranks, results[0][0], rtol=1e-12) and (levels == results[0][1]).all()\n"
            "if orujo._core.why_no_gpu():\n"
            "  try: orujo.start(device='cuda')\n"
            "  except RuntimeError as e: assert \"use device='cpu'\" in str(e), e\n"
            "  else: assert False\n"
            "print('done')\n"
        )
        self.assertEqual((ran.returncode, ran.stdout), (0, "done\n"), ran)

    def test_results_outlive_graphs_and_jobs(self):
        ran = self.run_python(
            "import gc, orujo\n"
            "orujo.start(cores=2)\n"
            "ranks = [orujo.pagerank(orujo.Graph('kronecker:8')) for _ in range(20)]\n"
            "gc.collect()\n"
            "orujo.stop()\n"
            "print(round(float(sum(r.sum() for r in ranks)), 3))\n"
        )
        self.assertEqual((ran.returncode, ran.stdout, ran.stderr), (0, "20.0\n", ""))

    def test_forked_processes_are_refused(self):
        g = orujo.Graph("kronecker:8")
        levels = orujo.bfs(g, 0).levels
        calls = [
            lambda: orujo.pagerank(g), lambda: orujo.Graph("path:3"), lambda: orujo.Graph(([0], [1])), lambda: g.out_degrees,
            lambda: orujo.bfs(g, 0), orujo.cores, orujo.process, orujo.processes, orujo.start, orujo.stop,
        ]  # fmt: skip
        child = os.fork()
        if child == 0:
            refused = 0
            for call in calls:
                try:
                    call()
                except RuntimeError as e:
                    refused += "was forked from one that has a job" in str(e)
            del g  # whose memory is the parent's
            os._exit(refused + 100 * (orujo.started() or levels[0] != 0))
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), len(calls))
        self.assertEqual(len(orujo.pagerank(g)), 256)

    def test_processes_of_multiprocessing(self):
        ran = self.run_python(
            "import multiprocessing, os, sys, orujo\n"
            "def vertices(k): return orujo.Graph(f'path:{k}').vertices\n"
            "def pool(): return multiprocessing.get_context('fork').Pool(1)\n"
            "with pool() as before: print(before.map(vertices, [3, 4]))\n"
            "orujo.start(cores=1)\n"
            "with pool() as within:\n"
            "  try: within.map(vertices, [3, 4])\n"
            "  except RuntimeError as e: print(e)\n"
            "with multiprocessing.get_context('spawn').Pool(1) as spawned:\n"
            "  print(spawned.map(eval, ['__import__(\"orujo\").Graph(\"path:4\").vertices']))\n"
            "child = os.fork()\n"
            "if child == 0: sys.exit(3)\n"
            "print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), vertices(5))\n"
            "orujo.stop()\n"
            "with pool() as after: print(after.map(vertices, [6]))\n"
        )
        lines = ran.stdout.splitlines()
        self.assertEqual((ran.returncode, ran.stderr, len(lines)), (0, "", 5), ran)
        self.assertEqual(lines[0], "[3, 4]")
        self.assertRegex(lines[1], "forked from one that has a job.* multiprocessing.get_context\\('spawn'\\)")
        self.assertEqual(lines[2:], ["[4]", "3 5", "[6]"])

    def test_the_end_does_not_wait_for_daemon_threads(self):
        ran = self.run_python(
            "import threading, orujo\n"
            "g = orujo.Graph('kronecker:10')\n"
            "at_work = threading.Event()\n"
            "def work():\n"
            "  at_work.set()\n"
            "  try: orujo.pagerank(g, tolerance=0, precision='double', max_iterations=2**31 - 1)\n"
            "  except RuntimeError as e: print(e, flush=True)\n"
            "threading.Thread(target=work, daemon=True).start()\n"
            "at_work.wait()\n"
        )
        self.assertEqual((ran.returncode, ran.stderr), (0, ""), ran)
        # The interpreter may end between the thread's words and the end of their line.
        self.assertIn(ran.stdout.rstrip("\n"), ("", "the call was interrupted", "the interpreter ends, and the job with it"))


if __name__ == "__main__":
    unittest.main()
