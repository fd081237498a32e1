"""The Python package under mpirun: each of two processes checks that it gets the whole results, and prints a line.

processes_test.py NAMES [dying | one_more]: process 1 ends by an exception of its own, or makes one call more.
"""

import sys
import time

import networkx as nx
import numpy as np
import orujo

orujo.start(cores=1, watchdog_seconds=1)
me = orujo.process()
assert orujo.processes() == 2 and orujo.cores() == 2

graph = nx.gnp_random_graph(100, 0.06, seed=1)
g = orujo.Graph(graph)
np.testing.assert_allclose(orujo.pagerank(g), list(nx.pagerank(graph).values()), atol=1e-5)
assert orujo.k_core(g).tolist() == list(nx.core_number(graph).values())
assert orujo.triangles(g).tolist() == list(nx.triangles(graph).values())
assert orujo.triangle_counting(g) == sum(nx.triangles(graph).values()) // 3
levels, parents = orujo.bfs(g, 3)
assert {v: level for v, level in enumerate(levels.tolist()) if level >= 0} == nx.single_source_shortest_path_length(graph, 3)
assert len(set(orujo.connected_components(g).tolist())) == nx.number_connected_components(graph)
hubs, _ = orujo.hits(g)
assert abs((hubs**2).sum() - 1) < 1e-9
assert orujo.eccentricity(g, [3])[0][0] == levels.max()
assert orujo.sssp(g, 3)[levels >= 0].max() == levels.max()

# Every process brings a part, or one alone all; names and sparse ids are everywhere.
mine = np.array([0, 1]) + 3 * me
parts = orujo.Graph((mine, mine + 1), parts=True)
assert parts.edges == 4 and orujo.connected_components(parts).tolist() == [0, 0, 0, 3, 3, 3]
assert orujo.Graph((mine, mine + 1)).vertices == 3
assert orujo.Graph((mine * 10**12, mine * 10**12 + 1), parts=True, sparse=True).ids.tolist()[-1] == 4 * 10**12 + 1
with open(sys.argv[1]) as names:
    expected = sorted({word for line in names for word in line.split()})
named = orujo.Graph(sys.argv[1], names=True)
assert named.ids == expected

for table in (named.to_pandas(), orujo.Graph(sys.argv[1], names=True, keep=["pagerank"]).to_pandas()):
    assert sorted(zip(table["source"], table["target"])) == sorted(tuple(line.split()) for line in open(sys.argv[1]))

# Rows of graphs and results are everywhere, those of arrays at process 0.
found = orujo.query("SELECT count(*) AS n, sum(value) AS value FROM edges JOIN cores ON source = vertex", edges=g, cores=orujo.k_core(g))
assert (found["n"][0], found["value"][0]) == (g.edges, sum(core * degree for core, (_, degree) in zip(nx.core_number(graph).values(), graph.degree())))
rows = {"n": np.arange(10) + 100 * me, "word": [f"{me}:{k}" for k in range(10)]}
found = orujo.query("SELECT n, word FROM t ORDER BY n", t=rows)
assert (found["n"].tolist(), found["word"].tolist()) == (list(range(10)), [f"0:{k}" for k in range(10)])
assert orujo.Graph(orujo.query("SELECT target AS source, source AS target FROM t", t=named)).ids == expected

# Mistakes are everybody's, and nobody waits for one who does something else, or comes late.
for wrong in (lambda: orujo.bfs(g, 1000), lambda: orujo.Graph("kronecker:99")):
    try:
        wrong()
        raise AssertionError("no ValueError")
    except ValueError:
        pass


def refused(call, says):
    try:
        call()
    except RuntimeError as e:
        assert says in str(e), e
        return
    raise AssertionError(f"no RuntimeError: {says}")


refused(lambda: orujo.k_core(g) if me == 0 else orujo.coloring(g), "process 1 calls coloring() where process 0 calls k_core()")
refused(lambda: orujo.triangles(g) if me == 0 else orujo.triangle_counting(g), "process 1 calls triangle_counting() where process 0 calls tri")
other = orujo.Graph("path:5")
for call, argument, ours, theirs in (
    (lambda: orujo.pagerank(g, (0.5, 0.85)[me]), "damping", "0.5", "0.85"),
    (lambda: orujo.pagerank((g, other)[me]), "g", "<graph 1, edges in memory>", "<graph 8, path:5>"),
    (lambda: orujo.bfs(g, (1, 2)[me]), "source", "1", "2"),
    (lambda: orujo.betweenness_centrality(g, [[1, 2], [1, 3]][me]), "sources", "[1, 2]", "[1, 3]"),
    (lambda: orujo.Graph(("path:5", "path:6")[me]), "data", "'path:5'", "'path:6'"),
    (lambda: orujo.Graph("path:5", **({}, {"transpose": True})[me]), "transpose", "False", "True"),
    (lambda: orujo.Graph("path:5", keep=(None, "bfs")[me]), "keep", "[]", "['bfs']"),
    (lambda: orujo.Graph((mine, mine), vertices=(5, 6)[me]), "vertices", "5", "6"),
    (lambda: orujo.Graph((mine, mine, (None, mine)[me]), parts=True), "weights", "False", "True"),
    (lambda: orujo.query(("SELECT 1 AS a", "SELECT 2 AS a")[me]), "sql", "'SELECT 1 AS a'", "'SELECT 2 AS a'"),
    (lambda: orujo.query("SELECT 1 AS a", t={"nm"[me]: [1]}), "tables", "'t(n integer)'", "'t(m integer)'"),
):
    refused(call, f"with {argument}={theirs} where process 0 has {argument}={ours}: all ")
long = list(range(90)) * 9
refused(lambda: orujo.betweenness_centrality(g, [*long, me]), "process 1 calls betweenness_centrality() with sources=[0, 1, 2")
for late in (0, 1):
    if me == late:
        time.sleep(2)  # longer than the watchdog lets a job hang
    assert abs(orujo.pagerank(g).sum() - 1) < 1e-4
if me == 0 and len(sys.argv) == 2:
    for _ in range(2):  # the other has ended its program, and waits for the end of this one
        refused(lambda: orujo.pagerank(g), "process 1 has stopped or ended its program where process 0 calls pagerank()")
print(f"process {me} is content", flush=True)
if "dying" in sys.argv and me == 1:
    raise ValueError("of one process")
if "dying" in sys.argv or ("one_more" in sys.argv and me == 1):
    orujo.pagerank(g)
