#!/usr/bin/env python3
"""LDBC Graphalytics' algorithms on small graphs in its layout, against their definitions (arXiv 2011.15028, appendix A),
and `bin/orujo bench ldbc`, which compares with references:  ldbc_test.py FOLDER_OF_APPLICATIONS"""

import math
import pathlib
import random
import subprocess
import sys
import tempfile

programs = pathlib.Path(sys.argv[1])
SPLITS = [("1", "2"), ("2", "1")]
UNREACHED = 9223372036854775807
failures = 0


class Graph:
    """Edges as the file has them; neighbours as the algorithms see them, without loops and parallel edges."""

    def __init__(self, vertices, edges, directed):
        self.vertices, self.edges, self.directed = vertices, edges, directed
        self.out, self.into = {v: {} for v in vertices}, {v: {} for v in vertices}
        for a, b, weight in edges:
            for source, target in [(a, b)] if directed else [(a, b), (b, a)]:
                self.out[source][target] = weight
                self.into[target][source] = weight

    def around(self, v):
        return set(self.out[v]) | set(self.into[v])


def random_graph(directed, seed):
    draw = random.Random(seed)
    vertices = draw.sample(range(1, 10**6), 60) + [7 * 10**12]
    pairs = set()
    while len(pairs) < 150:
        a, b = draw.sample(vertices[:50], 2)
        if directed or (b, a) not in pairs:
            pairs.add((a, b))
    return Graph(vertices, [(a, b, draw.randint(1, 64) / 8) for a, b in sorted(pairs)], directed)


def write(folder, name, graph, source):
    (folder / f"{name}.v").write_text("".join(f"{v}\n" for v in graph.vertices))
    (folder / f"{name}.e").write_text("".join(f"{a} {b} {weight}\n" for a, b, weight in graph.edges))
    keys = {"vertex-file": f"{name}.v", "edge-file": f"{name}.e", "meta.vertices": len(graph.vertices),
            "meta.edges": len(graph.edges), "directed": str(graph.directed).lower(),
            "edge-properties.names": "weight", "edge-properties.types": "real",
            "algorithms": "bfs, cdlp, lcc, pr, sssp, wcc", "bfs.source-vertex": source, "cdlp.max-iterations": 5,
            "pr.damping-factor": 0.85, "pr.num-iterations": 7, "sssp.weight-property": "weight",
            "sssp.source-vertex": source}
    path = folder / f"{name}.properties"
    path.write_text("# a graph\n" + "".join(f"graph.{name}.{key} = {value}\n" for key, value in keys.items()))
    return path


def properties(path):
    pairs = (line.split("=", 1) for line in path.read_text().splitlines() if "=" in line)
    return {key.strip().removeprefix(f"graph.{path.stem}."): value.strip() for key, value in pairs}


def bfs(graph, source):
    levels, frontier = {source: 0}, [source]
    while frontier:
        frontier = [u for u in {t for v in frontier for t in graph.out[v]} if u not in levels and levels.setdefault(
            u, levels[frontier[0]] + 1)]
    return {v: levels.get(v, UNREACHED) for v in graph.vertices}


def sssp(graph, source):
    distances = {v: math.inf for v in graph.vertices} | {source: 0.0}
    for _ in graph.vertices:
        for v in graph.vertices:
            for u, weight in graph.out[v].items():
                distances[u] = min(distances[u], distances[v] + weight)
    return distances


def wcc(graph, _):
    labels = {v: v for v in graph.vertices}
    for _ in graph.vertices:
        for v in graph.vertices:
            labels[v] = min([labels[v]] + [labels[u] for u in graph.around(v)])
    return labels


def cdlp(graph, iterations):
    labels = {v: v for v in graph.vertices}
    for _ in range(int(iterations)):
        counts = {}
        for v in graph.vertices:
            of = counts[v] = {}
            for u in list(graph.out[v]) + (list(graph.into[v]) if graph.directed else []):
                of[labels[u]] = of.get(labels[u], 0) + 1
        labels = {v: min(of, key=lambda label: (-of[label], label)) if (of := counts[v]) else labels[v] for v in labels}
    return labels


def pr(graph, iterations):
    n, damping = len(graph.vertices), 0.85
    ranks = {v: 1 / n for v in graph.vertices}
    for _ in range(int(iterations)):
        lost = sum(ranks[v] for v in graph.vertices if not graph.out[v])
        ranks = {v: (1 - damping) / n + damping * (sum(ranks[u] / len(graph.out[u]) for u in graph.into[v]) + lost / n)
                 for v in graph.vertices}
    return ranks


def lcc(graph, _):
    shares = {}
    for v in graph.vertices:
        around = graph.around(v)
        joined = sum(1 for u in around for w in around if w in graph.out[u])
        shares[v] = joined / (len(around) * (len(around) - 1)) if len(around) > 1 else 0.0
    return shares


def same_parts(found, expected):
    return len(set(zip(found.values(), expected.values()))) == len(set(found.values())) == len(set(expected.values()))


# Algorithm: its definition, the property that it takes, the application and its flags, and what a value is.
ALGORITHMS = {
    "bfs": (bfs, "bfs.source-vertex", "bfs --trials=1 --source={}", int),
    "sssp": (sssp, "sssp.source-vertex", "sssp --trials=1 --source={}", float),
    "wcc": (wcc, None, "connected_components", int),
    "cdlp": (cdlp, "cdlp.max-iterations", "label_propagation --iterations={}", int),
    "pr": (pr, "pr.num-iterations", "pagerank --iterations={} --precision=double", float),
    "lcc": (lcc, None, "triangle_counting --coefficients", float),
}


def agree(algorithm, found, expected):
    if found.keys() != expected.keys():
        return False
    if algorithm == "wcc":
        return same_parts(dict(sorted(found.items())), dict(sorted(expected.items())))
    return all(found[v] == expected[v] or math.isclose(found[v], expected[v], rel_tol=1e-4) for v in expected)


def check(path, graph, algorithm, split, output):
    global failures
    definition, key, application, number = ALGORITHMS[algorithm]
    argument = properties(path).get(key)
    value = int(argument) if argument else None
    name, *flags = application.format(argument).split()
    done = subprocess.run(
        [programs / name, *flags, f"--graph={path}", f"--output={output}", "--output_format=ldbc",
         f"--locales={split[0]}", f"--cores={split[1]}"],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120)
    right = done.returncode == 0
    if right:
        lines = [line.split() for line in output.read_text().splitlines()]
        right = agree(algorithm, {int(v): number(x) for v, x in lines}, definition(graph, value))
    what = f"{algorithm} of {path.stem} is LDBC's on {' x '.join(split)}"
    print(f"ok      {what}" if right else f"FAILED  {what}; it said:\n{done.stdout}")
    failures += not right


def write_references(path, graph):
    """As the benchmark has them: NAME-BFS and the like."""
    for algorithm, (definition, key, _, _) in ALGORITHMS.items():
        values = definition(graph, int(properties(path)[key]) if key else None)
        lines = (f"{v} {'infinity' if x == math.inf else x}\n" for v, x in values.items())
        path.with_name(f"{path.stem}-{algorithm.upper()}").write_text("".join(lines))


def driver(what, status, said, *arguments):
    global failures
    orujo = pathlib.Path(__file__).resolve().parents[2] / "bin/orujo"
    done = subprocess.run([orujo, "bench", "ldbc", *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, timeout=120)
    right = done.returncode == status and all(text in done.stdout for text in said)
    print(f"ok      {what}" if right else f"FAILED  {what} (status {done.returncode}); it said:\n{done.stdout}")
    failures += not right


def check_driver(folder, path):
    graph_bfs = path.with_name(f"{path.stem}-BFS")
    driver("bench ldbc finds all six right", 0, [f"{path.stem} {a}: " for a in ALGORITHMS] + ["s, right"], "-c2", folder)
    first, rest = graph_bfs.read_text().split("\n", 1)
    graph_bfs.write_text(f"{first}7\n{rest}")
    driver("bench ldbc finds a wrong value", 1, ["s, WRONG: vertex", " instead of "], "-c2", "--algorithms=bfs", path)
    graph_bfs.write_text(rest)
    driver("bench ldbc finds a vertex too many", 1, ["is not expected"], "-c2", "--algorithms=bfs", path)
    graph_bfs.unlink()
    driver("bench ldbc says what is not compared", 0, [f"there is no {path.stem}-BFS"], "-c2", "--algorithms=bfs", path)
    driver("bench ldbc refuses what has no graph", 1, ["has no graph of LDBC's"], folder / "none")


with tempfile.TemporaryDirectory() as work:
    folder = pathlib.Path(work)
    for directed in (True, False):
        graph = random_graph(directed, 20 + directed)
        path = write(folder, "directed" if directed else "undirected", graph, graph.edges[0][0])
        for algorithm in ALGORITHMS:
            for split in SPLITS:
                check(path, graph, algorithm, split, folder / "output")
        if directed:
            write_references(path, graph)
            (folder / "none").mkdir()
            check_driver(folder, path)
if failures:
    sys.exit(f"{failures} cases failed")
print("all cases passed")
