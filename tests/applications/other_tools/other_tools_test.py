"""Graphs go to other programs and come back: each way is an identity.  other_tools_test.py GRAPH_TOOL"""

import csv
import json
import pathlib
import random
import subprocess
import sys
import tempfile

import igraph
import networkx
import numpy
import scipy.io
import scipy.sparse

try:
    import networkit
except ImportError:
    networkit = None

tool = sys.argv[1]
cases = failures = 0


def check(what, found, expected):
    global cases, failures
    cases += 1
    if found == expected:
        print(f"ok      {what}")
        return
    failures += 1
    print(f"FAILED  {what}\n  only found: {sorted(found - expected)[:5]}\n  only expected: {sorted(expected - found)[:5]}")


def draw(directed, weighted, seed):
    """Edges (a, b, weight) of vertices 0 to n - 1, of which each has one; of an undirected graph both directions."""
    choose = random.Random(seed)
    n = 40
    pairs = {(v, (v + 1) % n) for v in range(n)}
    while len(pairs) < 3 * n:
        pairs.add(tuple(choose.sample(range(n), 2)))
    edges = {}
    for a, b in sorted(pairs):
        weight = choose.randint(1, 64) / 4 if weighted else 1.0
        if directed:
            edges[a, b] = weight
        elif (a, b) not in edges:
            edges[a, b] = edges[b, a] = weight
    return {(a, b, weight) for (a, b), weight in edges.items()}


def convert(*flags):
    done = subprocess.run([tool, "convert", "--cores=2", *map(str, flags)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(f"FAILED  graph_tool convert {' '.join(map(str, flags))}\n{done.stderr}")


# The edges of a file as other tools read it, in both directions for undirected graphs.
def from_networkx(graph, name=int):
    edges = {(name(a), name(b), float(data.get("weight", 1))) for a, b, data in graph.edges(data=True)}
    return edges if graph.is_directed() else edges | {(b, a, w) for a, b, w in edges}


def from_igraph(graph, name=lambda vertex: vertex.index):
    weights = graph.es["weight"] if "weight" in graph.es.attributes() else [1] * graph.ecount()
    edges = {(name(graph.vs[e.source]), name(graph.vs[e.target]), float(w)) for e, w in zip(graph.es, weights)}
    return edges if graph.is_directed() else edges | {(b, a, w) for a, b, w in edges}


def from_matrix(matrix):
    matrix = scipy.sparse.coo_array(matrix)
    return {(int(a), int(b), float(w)) for a, b, w in zip(matrix.row, matrix.col, matrix.data)}


def from_networkit(graph):
    edges = set()
    graph.forEdges(lambda a, b, w, _: edges.add((a, b, w)))
    return edges if graph.isDirected() else edges | {(b, a, w) for a, b, w in edges}


def graphml_name(vertex):
    return int(str(vertex["id"]).removeprefix("n"))


def others_read(folder, given, edges, directed, weighted):
    kind = f"{'directed' if directed else 'undirected'}{', with weights' if weighted else ''}"
    for suffix in ("graphml", "gml", "mtx", "csv", "el", *([] if directed else ["graph"])):
        if suffix != "graph" or not weighted:  # METIS has whole weights only
            convert(f"--graph={given}", f"--output={folder / 'out'}.{suffix}")
    out = f"{folder}/out"
    check(f"NetworkX reads our GraphML, {kind}", from_networkx(networkx.read_graphml(f"{out}.graphml")), edges)
    check(f"NetworkX reads our GML, {kind}", from_networkx(networkx.read_gml(f"{out}.gml", label="id")), edges)
    check(f"NetworkX reads our edge list, {kind}", from_networkx(networkx.read_edgelist(
        f"{out}.el", create_using=networkx.DiGraph, nodetype=int, data=[("weight", float)] if weighted else False)), edges)
    check(f"igraph reads our GraphML, {kind}", from_igraph(igraph.Graph.Read_GraphML(f"{out}.graphml"), graphml_name), edges)
    check(f"igraph reads our GML, {kind}", from_igraph(igraph.Graph.Read_GML(f"{out}.gml"), lambda v: int(v["id"])), edges)
    check(f"SciPy reads our Matrix Market, {kind}", from_matrix(scipy.io.mmread(f"{out}.mtx")), edges)
    table = numpy.genfromtxt(f"{out}.csv", delimiter=",", names=True)
    check(f"NumPy reads our table, {kind}",
          {(int(r["source"]), int(r["target"]), float(r["weight"]) if weighted else 1.0) for r in table}, edges)
    if networkit and not directed and not weighted:
        check(f"NetworKit reads our METIS, {kind}",
              from_networkit(networkit.readGraph(f"{out}.graph", networkit.Format.METIS)), edges)


def ours(folder, file, *flags, vertex=int):
    convert(f"--graph={file}", f"--output={folder}/back.csv", *flags)
    with open(folder / "back.csv", newline="", encoding="utf-8") as table:
        rows = list(csv.reader(table))[1:]
    return {(vertex(r[0]), vertex(r[1]), float(r[2]) if len(r) > 2 else 1.0) for r in rows}


def shifted(edges, by):
    return {(a + by, b + by, w) for a, b, w in edges}


def we_read(folder, edges, directed, weighted):
    kind = f"{'directed' if directed else 'undirected'}{', with weights' if weighted else ''}"
    once = [(a, b, w) for a, b, w in sorted(edges) if directed or a < b]
    graph = (networkx.DiGraph if directed else networkx.Graph)()
    graph.add_nodes_from(range(40))
    graph.add_weighted_edges_from(once) if weighted else graph.add_edges_from((a, b) for a, b, _ in once)
    writers = {
        "graphml": networkx.write_graphml,
        "gexf": networkx.write_gexf,
        "gml": lambda g, path: networkx.write_gml(g, path),
        "json": lambda g, path: pathlib.Path(path).write_text(json.dumps(networkx.node_link_data(g))),
        "edgelist": networkx.write_edgelist,
    }
    if not weighted:
        writers["adjlist"] = networkx.write_adjlist
        if not directed:
            writers["g6"] = networkx.write_graph6
            writers["s6"] = networkx.write_sparse6
    for suffix, write in writers.items():
        path = f"{folder}/networkx.{suffix}"
        write(graph, path)
        # These two do not say that edges have no direction.
        flags = ["--symmetrize"] if suffix in ("adjlist", "edgelist") and not directed else []
        check(f"we read NetworkX's {suffix}, {kind}", ours(folder, path, *flags), edges)

    other = igraph.Graph(n=40, edges=[(a, b) for a, b, _ in once], directed=directed)
    if weighted:
        other.es["weight"] = [w for _, _, w in once]
    for suffix, write in {"gml": other.write_gml, "net": other.write_pajek}.items():
        write(f"{folder}/igraph.{suffix}")
        check(f"we read igraph's {suffix}, {kind}", ours(folder, f"{folder}/igraph.{suffix}"),
              shifted(edges, suffix == "net"))

    rows, columns, values = zip(*sorted(edges))
    matrix = scipy.sparse.coo_matrix((values, (rows, columns)), shape=(40, 40))
    for layout in ("csr", "csc", "coo"):
        for compressed in (True, False):
            scipy.sparse.save_npz(f"{folder}/scipy.npz", matrix.asformat(layout), compressed)
            check(f"we read SciPy's {layout}{' compressed' if compressed else ''}, {kind}", ours(folder, f"{folder}/scipy.npz"), edges)
    scipy.io.mmwrite(f"{folder}/scipy.mtx", matrix)
    check(f"we read SciPy's Matrix Market, {kind}", ours(folder, f"{folder}/scipy.mtx"), shifted(edges, 1))
    array = numpy.array(sorted(edges))
    numpy.save(f"{folder}/rows.npy", array if weighted else array[:, :2].astype("u4"))
    numpy.save(f"{folder}/columns.npy", array.T if weighted else numpy.asfortranarray(array[:, :2].astype(">i8").T))
    for name in ("rows", "columns"):
        check(f"we read NumPy's edges by {name}, {kind}", ours(folder, f"{folder}/{name}.npy"), edges)


ids_of_any_kind = {
    "ids from 1": list(range(1, 13)),
    "ids from 7": list(range(7, 19)),
    "ids with gaps": [0, 3, 4, 1000, 1001, 70000, 2**31 - 1, 2**31, 2**32, 2**40, 2**50, 2**53],
    "ids over 2^63": [1, 2, 2**53 + 1, 2**62, 2**63 - 1, 2**63, 2**63 + 1, 2**63 + 2, 2**64 - 4, 2**64 - 3, 2**64 - 2, 2**64 - 1],
}
names_of_any_kind = ["a", '"quoted"', "it's", "<b>&amp;", "x & y", "New York, NY", "zoë", "東京", "\N{GRINNING FACE}", "007", "#no", "]["]


def draw_among(vertices, directed, parallel, seed):
    """Edges (a, b, weight) of which some have the same ends."""
    choose = random.Random(seed)
    edges = [(v, vertices[k - 1], k / 4) for k, v in enumerate(vertices)] + [(vertices[3], vertices[3], 9.5)]
    edges += [(*choose.sample(vertices, 2), choose.randint(100, 200) / 4) for _ in range(8)]
    edges = list({(a, b) if directed else frozenset((a, b)): (a, b, w) for a, b, w in edges}.values())
    if parallel:
        edges += [(a, b, w + 1000) for a, b, w in edges[::3]]
    return edges if directed else edges + [(b, a, w) for a, b, w in edges if a != b]


def others_read_any_vertices(folder, kind, vertices, names):
    vertex = str if names else int
    for directed, parallel in ((True, False), (False, False), (True, True), (False, True)):
        drawn = draw_among(vertices, directed, parallel, len(kind))
        edges = set(drawn)
        kinds = f"{kind}, {'directed' if directed else 'undirected'}{', parallel edges' if parallel else ''}"
        given = folder / "given.csv"
        with open(given, "w", newline="", encoding="utf-8") as table:
            csv.writer(table).writerows([("source", "target", "weight"), *drawn])
        flags = ["--names"] if names else []
        for suffix in ("graphml", "gml", "csv"):
            convert(f"--graph={given}", f"--output={folder}/out.{suffix}", *flags)
            check(f"we read our {suffix}, {kinds}", ours(folder, f"{folder}/out.{suffix}", *flags, vertex=vertex), edges)
        out = f"{folder}/out"
        check(f"NetworkX reads our GraphML, {kinds}", from_networkx(networkx.read_graphml(f"{out}.graphml"), vertex), edges)
        check(f"NetworkX reads our GML, {kinds}",
              from_networkx(networkx.read_gml(f"{out}.gml", label="label" if names else "id"), vertex), edges)
        check(f"igraph reads our GraphML, {kinds}",
              from_igraph(igraph.Graph.Read_GraphML(f"{out}.graphml"), lambda v: vertex(v["id"].replace("&#38;", "&"))), edges)  # it leaves an & so
        if not names and max(vertices) <= 2**53:  # it has ids of GML as doubles
            check(f"igraph reads our GML, {kinds}", from_igraph(igraph.Graph.Read_GML(f"{out}.gml"), lambda v: int(v["id"])), edges)
        if kind == "ids from 1":
            convert(f"--graph={given}", f"--output={folder}/out.mtx")
            if not parallel:  # SciPy adds those up
                check(f"SciPy reads our Matrix Market, {kinds}", shifted(from_matrix(scipy.io.mmread(f"{out}.mtx")), 1), edges)
            check(f"we read our Matrix Market, {kinds}", ours(folder, f"{out}.mtx"), edges)


with tempfile.TemporaryDirectory() as work:
    folder = pathlib.Path(work)
    for seed, (directed, weighted) in enumerate([(True, True), (True, False), (False, True), (False, False)]):
        edges = draw(directed, weighted, seed)
        given = folder / "given.el"
        given.write_text("".join(f"{a} {b} {w}\n" if weighted else f"{a} {b}\n" for a, b, w in sorted(edges)))
        others_read(folder, given, edges, directed, weighted)
        we_read(folder, edges, directed, weighted)
    for kind, ids in ids_of_any_kind.items():
        others_read_any_vertices(folder, kind, ids, names=False)
    others_read_any_vertices(folder, "names", sorted(names_of_any_kind), names=True)
if failures:
    sys.exit(f"{failures} of {cases} cases failed")
print(f"all {cases} cases passed")
