"""The Python package where memory is short: MemoryError, and the job goes on.  python memory_test.py [UNITTEST_ARGUMENT...]"""

import subprocess
import sys
import unittest

# limited(MIB, CALL): what the MemoryError of a call says where the process may map so much more, or None.
PRELUDE = """
import resource, warnings
import numpy as np, orujo
warnings.simplefilter("ignore")

def limited(mib, call):
    pages = int(open("/proc/self/statm").read().split()[0])
    most = resource.getrlimit(resource.RLIMIT_AS)[1]
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + (mib << 20), most))
    try:
        call()
    except MemoryError as e:
        return str(e)
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
"""

JOBS = """
for mib in (1, 4, 20):
    print(limited(mib, lambda: orujo.start(cores=2)))
orujo.start(cores=2)
print(orujo.Graph("path:3").vertices)
"""

GRAPHS = """
orujo.start(cores=2)
many = np.broadcast_to(np.zeros(1, np.int32), (10**13,))
some = many[: 10**8]
for mib, call in (
    (10**9, lambda: orujo.Graph((many, many))),
    (300, lambda: orujo.Graph((some, some))),
    (300, lambda: orujo.Graph((some, some), sparse=True)),
    (300, lambda: orujo.Graph("kronecker:22")),
):
    print(limited(mib, call))
print(orujo.Graph("path:3").vertices)
"""

ALGORITHMS = """
calls = {
    "pagerank": lambda: orujo.pagerank(g, iterations=2),
    "personalized_pagerank": lambda: orujo.personalized_pagerank(g, 0, max_iterations=2),
    "personalized_pageranks": lambda: orujo.personalized_pageranks(g, range(8), max_iterations=2),
    "hits": lambda: orujo.hits(g, max_iterations=2),
    "katz_centrality": lambda: orujo.katz_centrality(g, 1e-3),
    "eigenvector_centrality": lambda: orujo.eigenvector_centrality(g, tolerance=1),
    "bfs": lambda: orujo.bfs(g, 0),
    "sssp": lambda: orujo.sssp(g, 0),
    "betweenness_centrality": lambda: orujo.betweenness_centrality(g, [0, 1]),
    "edge_betweenness_centrality": lambda: orujo.edge_betweenness_centrality(g, [0, 1]),
    "closeness_centrality": lambda: orujo.closeness_centrality(g, k=2),
    "harmonic_centrality": lambda: orujo.harmonic_centrality(g, k=2),
    "eccentricity": lambda: orujo.eccentricity(g, [0, 1]),
    "connected_components": lambda: orujo.connected_components(g),
    "strongly_connected_components": lambda: orujo.strongly_connected_components(g),
    "minimum_spanning_forest": lambda: orujo.minimum_spanning_forest(g),
    "condensation": lambda: orujo.condensation(g),
    "label_propagation": lambda: orujo.label_propagation(g, iterations=2),
    "leiden": lambda: orujo.leiden(g, iterations=1, levels=1),
    "louvain": lambda: orujo.louvain(g, levels=1),
    "k_core": lambda: orujo.k_core(g),
    "k_core(weighted=True)": lambda: orujo.k_core(heavy, weighted=True),
    "edge_support": lambda: orujo.edge_support(g),
    "truss_numbers": lambda: orujo.truss_numbers(g),
    "similarity": lambda: orujo.similarity(g),
    "pair_similarity": lambda: orujo.pair_similarity(g, [0, 1], [2, 3]),
    "maximal_independent_set": lambda: orujo.maximal_independent_set(g),
    "coloring": lambda: orujo.coloring(g),
    "clique_count": lambda: orujo.clique_count(g, 4),
    "cliques": lambda: orujo.cliques(g, 4),
    "random_walks": lambda: orujo.random_walks(g, num_walks=1, walk_length=1),
    "triangle_counting": lambda: orujo.triangle_counting(g),
    "triangles": lambda: orujo.triangles(g),
    "clustering": lambda: orujo.clustering(g),
    "clustering(weighted=True)": lambda: orujo.clustering(heavy, weighted=True),
    "Graph.out_degrees": lambda: g.out_degrees,
}
orujo.start(cores=2)
g = orujo.Graph("uniform:20:edgefactor=1", symmetrize=True)
heavy = orujo.Graph("uniform:20:edgefactor=1:weights=1..9", symmetrize=True)
# By weights they take more, which they say where there is enough for the others.
refused = {name: limited(70 if "weighted" in name else 2, call) for name, call in calls.items()}
for name, call in calls.items():
    call()
    print(name, refused[name])
"""

QUERIES = """
orujo.start(cores=2)
many, few = {"n": np.zeros(10**7, np.int64)}, {"n": np.arange(10**6)}
orujo.query("SELECT count(*) AS n FROM t", t=few)  # from here on the cores have stacks
for mib, sql, table in (
    (20, "SELECT count(*) AS n FROM t", many),
    (300, "SELECT count(*) AS n FROM t", many),
    (400, "SELECT " + ", ".join(f"n AS n{k}" for k in range(25)) + " FROM t", few),
):
    print(limited(mib, lambda: orujo.query(sql, t=table)))
print(orujo.query("SELECT count(*) AS n FROM t", t=many)["n"].tolist())
"""

# The limit falls while cores are at work.
AMID = """
import os, threading
sources, targets = np.random.default_rng(1).integers(0, 2**40, (2, 4000000))

def numbers():
    return [int(pages) * resource.getpagesize() for pages in open("/proc/self/statm").read().split()]

def build():
    try:
        orujo.Graph((sources, targets), sparse=True)
    except MemoryError as e:
        print(e)

orujo.start(cores=2)
before = numbers()[1]
building = threading.Thread(target=build)
building.start()
while building.is_alive() and numbers()[1] < before + (20 << 20):
    os.sched_yield()
resource.setrlimit(resource.RLIMIT_AS, (numbers()[0] + (2 << 20),) * 2)
building.join()
"""


class little_memory(unittest.TestCase):
    def said(self, script):
        ran = subprocess.run([sys.executable, "-c", PRELUDE + script], capture_output=True, text=True, timeout=200)
        self.assertEqual((ran.returncode, ran.stderr), (0, ""), ran)
        return ran.stdout.splitlines()

    def test_jobs_without_room_are_refused(self):
        *refused, last = self.said(JOBS)
        self.assertEqual((len(refused), last), (3, "3"))
        self.assertNotIn("None", refused)

    def test_graphs_without_room_are_refused(self):
        *refused, last = self.said(GRAPHS)
        self.assertEqual((len(refused), last), (4, "3"))
        self.assertRegex(refused[0], "^taking the edges requires about 160000000000000 bytes on a node and ")
        for line in refused[1:3]:
            self.assertRegex(line, r"^taking the edges requires about 16\d{8} bytes in a process and its limits leave ")
        self.assertRegex(refused[3], "^building the graph requires about ")

    def test_algorithms_without_room_are_refused(self):
        lines = self.said(ALGORITHMS)
        self.assertEqual(len(lines), 36)
        for line in lines:
            self.assertRegex(line, r"^([a-zA-Z._()=]+) \1(\(\))? requires about \d+ bytes in a process and its limits leave ")

    def test_queries_without_room_are_refused(self):
        *refused, last = self.said(QUERIES)
        self.assertEqual((len(refused), last), (3, "[10000000]"))
        for line in refused[:2]:
            self.assertRegex(line, r"^query\(\) requires about 348\d{6} bytes in a process and its limits leave ")
        self.assertRegex(refused[2], r"^the answer of query\(\) requires about \d+ bytes in a process and its limits leave ")

    def test_memory_that_runs_out_amid_the_work_ends_in_words(self):
        ran = subprocess.run([sys.executable, "-c", PRELUDE + AMID], capture_output=True, text=True, timeout=200)
        self.assertIn(ran.returncode, (0, 71), ran)
        if ran.returncode == 71:
            self.assertRegex(ran.stderr, "^\\[locale 0 core [01]\\] FATAL: .*(memory|cannot map)")


if __name__ == "__main__":
    unittest.main()
