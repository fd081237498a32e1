"""The algorithms, but for centralities. Each takes a Graph and returns arrays of shape (vertices,), in the order of Graph.ids.
Under mpirun each is collective: every process calls it, and gets the whole result."""

from __future__ import annotations

from operator import index
from typing import Any, Iterable, List, NamedTuple, Tuple

import numpy as np

from . import _core
from ._graph import Graph
from ._inputs import check
from ._results import of, of_edges

# A Ctrl-C ends algorithms that run superstep by superstep after the current one, and others at their end.


class SearchTree(NamedTuple):
    """The result of bfs().

    levels: int32, shape (vertices,), the number of edges from the source, -1 if no path leads to the vertex. parents: int64,
    shape (vertices,), the index in Graph.ids of the vertex before it on a shortest path; the source is its own parent; -1 if
    no path leads to the vertex.

    >>> orujo.bfs(orujo.Graph([(0, 1), (1, 2)]), source=1).levels.tolist()
    [-1, 0, 1]
    """

    levels: np.ndarray
    parents: np.ndarray


def bfs(g: Graph, source: Any) -> SearchTree:
    """Breadth-first search from a vertex along out-edges: levels and parents, each of shape (vertices,) (SearchTree).

    >>> g = orujo.Graph([("ann", "bob"), ("bob", "cyd")])
    >>> levels, parents = orujo.bfs(g, "ann")
    >>> g.as_dict(levels)
    {'ann': 0, 'bob': 1, 'cyd': 2}
    >>> g.ids[parents[2]]
    'bob'
    """
    levels, parents = _core.bfs(g._core, g._key(source))
    return SearchTree(of(g, levels), of(g, parents))


def sssp(g: Graph, source: Any, *, delta: float = 0) -> np.ndarray:
    """Distances from a vertex along out-edges: float64, shape (vertices,), inf if no path leads to a vertex.

    Edges without weights have length 1. Whole weights give exact distances up to 2**53. delta: width of the bins of
    delta-stepping; 0: chosen. Raises ValueError if a weight is negative.

    >>> orujo.sssp(orujo.Graph(([0, 1], [1, 2], [2.5, 1])), 0).tolist()
    [0.0, 2.5, 3.5]
    """
    check(delta == 0 or 1e-30 <= delta <= 1e30, "delta", delta, "0, or from 1e-30 to 1e30")
    return of(g, _core.sssp(g._core, g._key(source), delta))


def connected_components(g: Graph) -> np.ndarray:
    """The weak component of every vertex: int64, shape (vertices,), the index in Graph.ids of the component's first vertex.

    >>> labels = orujo.connected_components(orujo.Graph([(0, 1), (2, 3), (3, 4)]))
    >>> labels.tolist()
    [0, 0, 2, 2, 2]
    >>> np.unique(labels, return_counts=True)[1].tolist()  # sizes
    [2, 3]
    """
    return of(g, _core.connected_components(g._core))


def strongly_connected_components(g: Graph) -> np.ndarray:
    """The strong component of every vertex: int64, shape (vertices,), the index in Graph.ids of its first vertex.

    >>> labels = orujo.strongly_connected_components(orujo.Graph([(0, 1), (1, 2), (2, 1), (2, 3)]))
    >>> labels.tolist()
    [0, 1, 1, 3]
    """
    return of(g, _core.strongly_connected_components(g._core))


def condensation(g: Graph) -> Tuple[Graph, np.ndarray]:
    """The graph of the strong components: a vertex for each, and an edge where edges lead from one to another.

    Returns a graph with the vertices 0, 1, ..., whose weights are numbers of edges of g; and int64, shape (vertices,), the
    vertex there of every vertex of g. Components are in the order of their first vertices. The graph has no cycle.

    >>> between, component = orujo.condensation(orujo.Graph([(0, 1), (1, 2), (2, 1), (2, 3), (1, 3)]))
    >>> component.tolist(), between.to_pandas().values.tolist()
    ([0, 1, 1, 2], [[0.0, 1.0, 1.0], [1.0, 2.0, 2.0]])
    """
    labels, (sources, targets, counts) = _core.condensation(g._core)
    firsts, component = np.unique(labels, return_inverse=True)
    ends = np.searchsorted(firsts, sources), np.searchsorted(firsts, targets)
    return Graph((*ends, counts.astype(np.float32)), vertices=len(firsts)), of(g, component.astype(np.int64))


def dag_levels(g: Graph) -> np.ndarray:
    """The level of every vertex of an acyclic graph: int32, shape (vertices,), the number of edges of a longest path to it.

    Every edge leads to a higher level. Raises ValueError, which names a cycle, if there is one.

    >>> orujo.dag_levels(orujo.Graph([(0, 1), (1, 2), (0, 2), (3, 2)])).tolist()
    [0, 1, 2, 0]
    """
    levels, cycle = _core.dag_levels(g._core)
    if cycle:
        ids, shown = g.ids, cycle[:10] if len(cycle) > 10 else [*cycle, cycle[0]]
        path = " -> ".join([str(ids[place]) for place in shown] + (["..."] if len(cycle) > 10 else []))
        raise ValueError(f"dag_levels(): the graph has a cycle of {len(cycle)} edge{'s' * (len(cycle) > 1)}: {path}")
    return of(g, levels)


def topological_generations(g: Graph) -> List[np.ndarray]:
    """The vertices of each level of dag_levels(): int64 indices into Graph.ids, ascending. Raises what it raises.

    >>> [level.tolist() for level in orujo.topological_generations(orujo.Graph([(0, 1), (1, 2), (0, 2), (3, 2)]))]
    [[0, 3], [1], [2]]
    """
    levels = dag_levels(g)
    return np.split(np.argsort(levels, kind="stable"), np.cumsum(np.bincount(levels))[:-1]) if len(levels) else []


def topological_sort(g: Graph) -> np.ndarray:
    """An order in which all edges lead forward: int64, shape (vertices,), indices into Graph.ids. By levels, then indices.

    >>> orujo.topological_sort(orujo.Graph([(2, 1), (1, 0), (2, 0)])).tolist()
    [2, 1, 0]
    """
    return np.argsort(dag_levels(g), kind="stable")


def minimum_spanning_forest(g: Graph) -> Tuple[np.ndarray, np.ndarray, np.ndarray]:
    """For each component a tree of edges whose weights have the least sum, whatever the directions of edges.

    Returns three arrays of shape (edges,): the two ends of each edge, int64 indices into Graph.ids with the smaller first,
    ascending; and the weights, float32. Edges without weights have weight 1. Of equal weights the edge with the smaller
    first end is taken, then that with the smaller second.

    >>> sources, targets, weights = orujo.minimum_spanning_forest(orujo.Graph(([0, 1, 2], [1, 2, 0], [2, 1, 3])))
    >>> sources.tolist(), targets.tolist(), weights.tolist()
    ([0, 1], [1, 2], [2.0, 1.0])
    """
    return of_edges(g, _core.minimum_spanning_forest(g._core))


def label_propagation(g: Graph, *, iterations: int = 10, weighted: bool = False) -> np.ndarray:
    """Communities as in LDBC Graphalytics: int64, shape (vertices,), labels that are indices into Graph.ids.

    In every iteration all vertices at once take the most frequent label of their neighbours, the smallest of several. The
    first label of a vertex is its own index. weighted: the label whose edges have the largest sum of weights, which must not
    be negative, in place of the most frequent one.

    >>> g = orujo.Graph([(0, 1), (0, 2), (1, 2), (3, 4), (3, 5), (4, 5)], symmetrize=True)
    >>> orujo.label_propagation(g).tolist()
    [0, 0, 0, 3, 3, 3]
    """
    check(0 <= index(iterations) < 2**31, "iterations", iterations, "from 0 to 2**31 - 1")
    return of(g, _core.label_propagation(g._core, iterations, bool(weighted))[0])


def _communities(g: Graph, louvain: bool, resolution: float, quality: str, seed: int, iterations: int, levels: int) -> np.ndarray:
    check(0 < resolution < 1e9, "resolution", resolution, "above 0 and below 1e9")
    check(quality in ("modularity", "cpm"), "quality", quality, "'modularity' or 'cpm'")
    check(0 <= index(seed) < 2**64, "seed", seed, "from 0 to 2**64 - 1")
    check(1 <= index(iterations) < 2**31, "iterations", iterations, "from 1 to 2**31 - 1")
    check(0 <= index(levels) < 2**31, "levels", levels, "from 0 to 2**31 - 1")
    return of(g, _core.leiden(g._core, louvain, quality == "cpm", resolution, seed, iterations, levels)[0])


def leiden(
    g: Graph, *, resolution: float = 1, quality: str = "modularity", seed: int = 1, iterations: int = 2, levels: int = 0
) -> np.ndarray:
    """Connected communities by the Leiden algorithm: int64, shape (vertices,), the index in Graph.ids of the first vertex.

    Requires a graph made with symmetrize. quality is what it maximises: "modularity", or "cpm", the constant Potts model. A
    larger resolution gives smaller communities. levels=K gives those of level K, and 0 those of the last one. The result
    depends on the seed.

    >>> g = orujo.Graph([(0, 1), (0, 2), (1, 2), (2, 3), (3, 4), (3, 5), (4, 5)], symmetrize=True)
    >>> orujo.leiden(g).tolist()
    [0, 0, 0, 3, 3, 3]
    """
    return _communities(g, False, resolution, quality, seed, iterations, levels)


def louvain(
    g: Graph, *, resolution: float = 1, quality: str = "modularity", seed: int = 1, iterations: int = 1, levels: int = 0
) -> np.ndarray:
    """Communities by Louvain's method, which may be disconnected: as leiden().

    >>> g = orujo.Graph([(0, 1), (0, 2), (1, 2), (2, 3), (3, 4), (3, 5), (4, 5)], symmetrize=True)
    >>> orujo.louvain(g).tolist()
    [0, 0, 0, 3, 3, 3]
    """
    return _communities(g, True, resolution, quality, seed, iterations, levels)


def k_core(g: Graph, *, weighted: bool = False) -> np.ndarray:
    """Core numbers: uint32, shape (vertices,). Requires a graph made with symmetrize.

    The core number of a vertex is the largest k for which it belongs to a subgraph whose vertices have k neighbours or more.
    A loop counts as one neighbour. weighted: a neighbour counts as the weight of the edge, which must not be negative (s-cores
    of Eidsaa and Almaas, 2013), and numbers are float64.

    >>> g = orujo.Graph([(0, 1), (0, 2), (1, 2), (2, 3)], symmetrize=True)
    >>> orujo.k_core(g).tolist()
    [2, 2, 2, 1]
    """
    return of(g, _core.k_core(g._core, bool(weighted)))


def edge_support(g: Graph) -> Tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The number of triangles that each edge belongs to. Requires a graph made with symmetrize.

    Returns three arrays of shape (edges,): the two ends of each edge, int64 indices into Graph.ids with the smaller first,
    ascending; and the numbers, uint32. Loops are left out.

    >>> sources, targets, support = orujo.edge_support(orujo.Graph([(0, 1), (1, 2), (2, 0), (2, 3)], symmetrize=True))
    >>> sources.tolist(), targets.tolist(), support.tolist()
    ([0, 0, 1, 2], [1, 2, 2, 3], [1, 1, 1, 0])
    """
    return of_edges(g, _core.edge_support(g._core))


def truss_numbers(g: Graph) -> Tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The truss number of each edge. Requires a graph made with symmetrize.

    The truss number of an edge is the largest k such that it belongs to a subgraph whose edges all belong to k - 2
    triangles or more. Returns three arrays as edge_support() does.

    >>> sources, targets, numbers = orujo.truss_numbers(orujo.Graph([(0, 1), (1, 2), (2, 0), (2, 3)], symmetrize=True))
    >>> numbers.tolist()
    [3, 3, 3, 2]
    """
    return of_edges(g, _core.truss_numbers(g._core))


def clique_count(g: Graph, size: int) -> int:
    """The number of cliques of size vertices, from 3 to 64, each counted once. Requires a graph made with symmetrize.

    A clique is a set of vertices that all have edges with each other. Raises ValueError if there are 2**64 or more.

    >>> orujo.clique_count(orujo.Graph("complete:6", symmetrize=True), 4)
    15
    """
    check(3 <= index(size) <= 64, "size", size, "from 3 to 64")
    return _core.cliques(g._core, size, False)[0]


def cliques(g: Graph, size: int) -> np.ndarray:
    """The number of cliques of size vertices that each vertex is in: uint64, shape (vertices,). As clique_count().

    >>> orujo.cliques(orujo.Graph("complete:6", symmetrize=True), 4).tolist()
    [10, 10, 10, 10, 10, 10]
    """
    check(3 <= index(size) <= 64, "size", size, "from 3 to 64")
    counts = _core.cliques(g._core, size, True)[1]
    assert counts is not None  # because they were asked for
    return of(g, counts)


def triangle_counting(g: Graph) -> int:
    """The number of triangles, each counted once. Requires a graph made with symmetrize.

    >>> orujo.triangle_counting(orujo.Graph("complete:4", symmetrize=True))
    4
    """
    return _core.triangles(g._core, False)[0]


def triangles(g: Graph) -> np.ndarray:
    """The number of triangles of each vertex: uint64, shape (vertices,). Requires a graph made with symmetrize.

    >>> orujo.triangles(orujo.Graph([(0, 1), (0, 2), (1, 2), (2, 3)], symmetrize=True)).tolist()
    [1, 1, 1, 0]
    """
    counts = _core.triangles(g._core, True)[1]
    assert counts is not None  # because they were asked for
    return of(g, counts)


def clustering(g: Graph, *, weighted: bool = False) -> np.ndarray:
    """Local clustering coefficients: float64, shape (vertices,). Requires a graph made with symmetrize.

    The coefficient is the share of the pairs of a vertex's neighbours that have an edge. weighted: a pair that has one counts
    as the geometric mean of the three weights, which must not be negative, divided by the largest weight of the graph (Onnela
    and others, 2005).

    >>> orujo.clustering(orujo.Graph([(0, 1), (0, 2), (1, 2)], symmetrize=True)).tolist()
    [1.0, 1.0, 1.0]
    """
    return of(g, _core.clustering(g._core, bool(weighted)))


def eccentricity(g: Graph, sources: Iterable[Any]) -> Tuple[np.ndarray, np.ndarray]:
    """Greatest distances along out-edges from 1 to 64 sources; weights have no effect.

    Returns two int32 arrays: of shape (sources,), the distance from each source to the farthest vertex that it reaches; and
    of shape (vertices,), the distance to each vertex from the farthest source that reaches it, or -1.

    >>> of_sources, farthest = orujo.eccentricity(orujo.Graph("path:4"), [0, 2])
    >>> of_sources.tolist(), farthest.tolist()
    ([3, 1], [0, 1, 2, 3])
    """
    of_sources, farthest = _core.eccentricity(g._core, [g._key(v) for v in sources])
    return np.array(of_sources, dtype=np.int32), of(g, farthest)


def maximal_independent_set(g: Graph, *, seed: int = 1) -> np.ndarray:
    """A maximal set of vertices of which no two are neighbours: bool, shape (vertices,). Requires a graph made with symmetrize.

    It is the set that a greedy search finds in a random order.

    >>> chosen = orujo.maximal_independent_set(orujo.Graph("complete:5", symmetrize=True))
    >>> int(chosen.sum())
    1
    """
    check(0 <= index(seed) < 2**64, "seed", seed, "from 0 to 2**64 - 1")
    return of(g, _core.maximal_independent_set(g._core, seed).view(bool))


def coloring(g: Graph) -> np.ndarray:
    """Colours from 0 on that differ between neighbours: int32, shape (vertices,). Requires a graph made with symmetrize.

    Greedy, in the order of degrees.

    >>> colours = orujo.coloring(orujo.Graph("complete:3", symmetrize=True))
    >>> sorted(colours.tolist())
    [0, 1, 2]
    """
    return of(g, _core.coloring(g._core)[0])
