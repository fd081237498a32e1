"""The algorithms. Each takes a Graph and returns arrays of shape (vertices,), in the order of Graph.ids. Under mpirun each is
collective: every process calls it, and gets the whole result."""

from __future__ import annotations

import random
import warnings
from math import inf
from operator import index
from typing import Any, Dict, Iterable, List, NamedTuple, Optional, Tuple

import numpy as np

from . import _core
from ._graph import Graph
from ._results import of

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


def _check(holds: bool, name: str, value: Any, expected: str) -> None:
    if not holds:
        raise ValueError(f"{name}={value}: must be {expected}")


def _check_convergence(damping: Optional[float], max_iterations: int) -> None:
    if damping is not None:
        _check(0 <= damping < 1, "damping", damping, "from 0 to below 1")
    _check(1 <= index(max_iterations) < 2**31, "max_iterations", max_iterations, "from 1 to 2**31 - 1")


def _warn(about: Dict[str, Any], algorithm: str) -> None:
    if not about["converged"]:
        warnings.warn(
            f"{algorithm} has not converged in {about['iterations']} iterations: the last changed the result by {about['change']:.1e}",
            RuntimeWarning,
            stacklevel=3,
        )


def pagerank(
    g: Graph,
    damping: float = 0.85,
    *,
    tolerance: float = 1e-6,
    max_iterations: int = 1000,
    iterations: int = 0,
    dangling: str = "redistribute",
    precision: str = "single",
) -> np.ndarray:
    """PageRank, of Page, Brin, Motwani and Winograd (1999): float32 or float64, shape (vertices,), with the sum 1.

    Power iteration ends when the sum of all changes is below tolerance, or after exactly `iterations`, if that is not 0.
    Weights have no effect. dangling: "redistribute" the rank of vertices without out-edges over all vertices, or "ignore" it.
    precision: "single" (float32, tolerance at least 5e-7) or "double" (float64). Gives a RuntimeWarning if max_iterations do
    not suffice.

    >>> ranks = orujo.pagerank(orujo.Graph([("a", "b"), ("c", "b"), ("b", "a")]))
    >>> [round(rank, 2) for rank in ranks.tolist()]  # of a, b and c
    [0.46, 0.49, 0.05]
    """
    _check_convergence(damping, max_iterations)
    _check(0 <= index(iterations) < 2**31, "iterations", iterations, "from 0 to 2**31 - 1")
    _check(dangling in ("redistribute", "ignore"), "dangling", dangling, "redistribute or ignore")
    _check(precision in ("single", "double"), "precision", precision, "single or double")
    enough = tolerance >= 0 and (iterations > 0 or precision == "double" or tolerance >= 5e-7)
    _check(enough, "tolerance", tolerance, "at least 5e-7 with precision=\"single\", whose rounding hides smaller changes")
    redistribute, single = dangling == "redistribute", precision == "single"
    ranks, about = _core.pagerank(g._core, damping, tolerance, iterations, max_iterations, redistribute, single)
    _warn(about, "pagerank")
    return of(g, ranks)


def personalized_pagerank(
    g: Graph, source: Any, damping: float = 0.85, *, tolerance: float = 1e-6, max_iterations: int = 1000
) -> np.ndarray:
    """PageRank with restarts at the source, also from vertices without out-edges: float64, shape (vertices,).

    >>> g = orujo.Graph([(0, 1), (1, 0), (2, 0)])
    >>> orujo.personalized_pagerank(g, 0).round(2).tolist()
    [0.54, 0.46, 0.0]
    """
    _check_convergence(damping, max_iterations)
    _check(tolerance >= 0, "tolerance", tolerance, "at least 0")
    ranks, about = _core.personalized_pagerank(g._core, g._key(source), damping, tolerance, max_iterations)
    _warn(about, "personalized_pagerank")
    return of(g, ranks)


def hits(g: Graph, *, tolerance: float = 1e-6, max_iterations: int = 1000) -> Tuple[np.ndarray, np.ndarray]:
    """Hubs and authorities, of Kleinberg (1999): two float64 arrays of shape (vertices,), of unit length (L2 norm).

    >>> hubs, authorities = orujo.hits(orujo.Graph([(0, 2), (1, 2)]))
    >>> authorities.round(2).tolist()
    [0.0, 0.0, 1.0]
    """
    _check_convergence(None, max_iterations)
    _check(tolerance >= 1e-7, "tolerance", tolerance, "at least 1e-7: smaller changes are lost in rounding")
    hubs, authorities, about = _core.hits(g._core, tolerance, max_iterations)
    _warn(about, "hits")
    return of(g, hubs), of(g, authorities)


def _require_convergence(about: Dict[str, Any], algorithm: str, remedy: str) -> None:
    if not about["converged"]:
        raise RuntimeError(
            f"{algorithm} has not converged in {about['iterations']} iterations: the last changed the scores by "
            f"{about['change']:.1e}; pass {remedy} or a larger max_iterations"
        )


def katz_centrality(
    g: Graph,
    alpha: float = 0.1,
    beta: float = 1.0,
    *,
    normalized: bool = True,
    tolerance: float = 1e-6,
    max_iterations: int = 1000,
) -> np.ndarray:
    """Katz centrality (1953): float64, shape (vertices,), alpha times the sum of the in-neighbours' scores, plus beta.

    Weights of edges are factors. normalized: the squares sum to 1. Iteration ends when the scores change by less than
    tolerance on average. Raises RuntimeError if max_iterations do not suffice: it diverges unless alpha is below 1 / the
    largest eigenvalue. Raises ValueError if a weight is negative.

    >>> orujo.katz_centrality(orujo.Graph([(0, 1), (1, 2)]), 0.5, normalized=False).tolist()
    [1.0, 1.5, 1.75]
    """
    _check_convergence(None, max_iterations)
    _check(0 <= alpha < inf, "alpha", alpha, "at least 0")
    _check(0 < beta < inf, "beta", beta, "above 0")
    _check(0 < tolerance < inf, "tolerance", tolerance, "above 0")
    scores, about = _core.katz_centrality(g._core, alpha, beta, normalized, tolerance, max_iterations)
    _require_convergence(about, "katz_centrality", "a smaller alpha")
    return of(g, scores)


def eigenvector_centrality(g: Graph, *, tolerance: float = 1e-6, max_iterations: int = 100) -> np.ndarray:
    """Eigenvector centrality (Bonacich, 1987): float64, shape (vertices,), of unit length (L2 norm).

    A score is proportional to the sum of the in-neighbours' scores, each times the weight of the edge. Iteration ends when
    the scores change by less than tolerance on average. Raises RuntimeError if max_iterations do not suffice, and ValueError
    if a weight is negative.

    >>> orujo.eigenvector_centrality(orujo.Graph([(0, 1), (1, 2)], symmetrize=True)).round(2).tolist()
    [0.5, 0.71, 0.5]
    """
    _check_convergence(None, max_iterations)
    _check(0 < tolerance < inf, "tolerance", tolerance, "above 0")
    scores, about = _core.eigenvector_centrality(g._core, tolerance, max_iterations)
    _require_convergence(about, "eigenvector_centrality", "a larger tolerance")
    return of(g, scores)


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
    _check(delta == 0 or 1e-30 <= delta <= 1e30, "delta", delta, "0, or from 1e-30 to 1e30")
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
    return _core.minimum_spanning_forest(g._core)


def label_propagation(g: Graph, *, iterations: int = 10) -> np.ndarray:
    """Communities as in LDBC Graphalytics: int64, shape (vertices,), labels that are indices into Graph.ids.

    In every iteration all vertices at once take the most frequent label of their neighbours, the smallest of several. The
    first label of a vertex is its own index.

    >>> g = orujo.Graph([(0, 1), (0, 2), (1, 2), (3, 4), (3, 5), (4, 5)], symmetrize=True)
    >>> orujo.label_propagation(g).tolist()
    [0, 0, 0, 3, 3, 3]
    """
    _check(0 <= index(iterations) < 2**31, "iterations", iterations, "from 0 to 2**31 - 1")
    return of(g, _core.label_propagation(g._core, iterations)[0])


def _communities(g: Graph, louvain: bool, resolution: float, quality: str, seed: int, iterations: int, levels: int) -> np.ndarray:
    _check(0 < resolution < 1e9, "resolution", resolution, "above 0 and below 1e9")
    _check(quality in ("modularity", "cpm"), "quality", quality, "'modularity' or 'cpm'")
    _check(0 <= index(seed) < 2**64, "seed", seed, "from 0 to 2**64 - 1")
    _check(1 <= index(iterations) < 2**31, "iterations", iterations, "from 1 to 2**31 - 1")
    _check(0 <= index(levels) < 2**31, "levels", levels, "from 0 to 2**31 - 1")
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


def k_core(g: Graph) -> np.ndarray:
    """Core numbers: uint32, shape (vertices,). Requires a graph made with symmetrize.

    The core number of a vertex is the largest k for which it belongs to a subgraph whose vertices have k neighbours or more.
    A loop counts as one neighbour.

    >>> g = orujo.Graph([(0, 1), (0, 2), (1, 2), (2, 3)], symmetrize=True)
    >>> orujo.k_core(g).tolist()
    [2, 2, 2, 1]
    """
    return of(g, _core.k_core(g._core))


def edge_support(g: Graph) -> Tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The number of triangles that each edge belongs to. Requires a graph made with symmetrize.

    Returns three arrays of shape (edges,): the two ends of each edge, int64 indices into Graph.ids with the smaller first,
    ascending; and the numbers, uint32. Loops are left out.

    >>> sources, targets, support = orujo.edge_support(orujo.Graph([(0, 1), (1, 2), (2, 0), (2, 3)], symmetrize=True))
    >>> sources.tolist(), targets.tolist(), support.tolist()
    ([0, 0, 1, 2], [1, 2, 2, 3], [1, 1, 1, 0])
    """
    return _core.edge_support(g._core)


def truss_numbers(g: Graph) -> Tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The truss number of each edge. Requires a graph made with symmetrize.

    The truss number of an edge is the largest k such that it belongs to a subgraph whose edges all belong to k - 2
    triangles or more. Returns three arrays as edge_support() does.

    >>> sources, targets, numbers = orujo.truss_numbers(orujo.Graph([(0, 1), (1, 2), (2, 0), (2, 3)], symmetrize=True))
    >>> numbers.tolist()
    [3, 3, 3, 2]
    """
    return _core.truss_numbers(g._core)


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


def clustering(g: Graph) -> np.ndarray:
    """Local clustering coefficients: float64, shape (vertices,). Requires a graph made with symmetrize.

    The coefficient is the share of the pairs of a vertex's neighbours that have an edge.

    >>> orujo.clustering(orujo.Graph([(0, 1), (0, 2), (1, 2)], symmetrize=True)).tolist()
    [1.0, 1.0, 1.0]
    """
    return of(g, _core.clustering(g._core))


def betweenness_centrality(
    g: Graph, sources: Optional[Iterable[Any]] = None, *, k: Optional[int] = None, seed: int = 1
) -> np.ndarray:
    """Betweenness centrality (Brandes, 2001): float64, shape (vertices,).

    The sum over sources and all other vertices of the share of shortest paths that lead through the vertex, ends excluded.
    The sources are those given, or k sampled by seed, or all vertices. In symmetric graphs a path and its reverse are two.
    Parallel edges are different paths; weights have no effect.

    >>> orujo.betweenness_centrality(orujo.Graph("path:4")).tolist()
    [0.0, 2.0, 2.0, 0.0]
    """
    if sources is not None and k is not None:
        raise ValueError("betweenness_centrality(): pass sources or k, not both")
    if sources is not None:
        return of(g, _core.betweenness_centrality(g._core, [g._key(v) for v in sources]))
    places: Iterable[int] = range(g.vertices)
    if k is not None:
        _check(1 <= k <= g.vertices, "k", k, f"from 1 to the number of vertices, {g.vertices}")
        places = random.Random(seed).sample(range(g.vertices), k)
    ids = g.ids
    return of(g, _core.betweenness_centrality(g._core, [g._key(ids[place]) for place in places]))


def _closeness(g: Graph, harmonic: bool, wf_improved: bool, k: Optional[int], seed: int) -> np.ndarray:
    if k is not None:
        _check(1 <= index(k) <= g.vertices, "k", k, f"from 1 to the number of vertices, {g.vertices}")
    _check(0 <= index(seed) < 2**64, "seed", seed, "from 0 to 2**64 - 1")
    return of(g, _core.closeness(g._core, harmonic, wf_improved, k or 0, seed))


def closeness_centrality(g: Graph, *, wf_improved: bool = True, k: Optional[int] = None, seed: int = 1) -> np.ndarray:
    """Closeness centrality: float64, shape (vertices,), the reciprocal of the mean distance from the vertices that reach a vertex.

    Distances are along the edges; weights have no effect. wf_improved: multiplied by the share of the other vertices that
    reach the vertex (Wasserman, Faust, 1994). k: estimated from k vertices sampled by seed (Eppstein, Wang, 2001).

    >>> orujo.closeness_centrality(orujo.Graph("path:5", symmetrize=True)).round(2).tolist()
    [0.4, 0.57, 0.67, 0.57, 0.4]
    """
    return _closeness(g, False, wf_improved, k, seed)


def harmonic_centrality(g: Graph, *, k: Optional[int] = None, seed: int = 1) -> np.ndarray:
    """Harmonic centrality: float64, shape (vertices,), the sum of 1 / distance over the other vertices that reach a vertex.

    Distances are along the edges; weights have no effect. k: estimated from k vertices sampled by seed.

    >>> orujo.harmonic_centrality(orujo.Graph([("a", "b"), ("b", "c")])).tolist()
    [0.0, 1.0, 1.5]
    """
    return _closeness(g, True, True, k, seed)


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
    _check(0 <= index(seed) < 2**64, "seed", seed, "from 0 to 2**64 - 1")
    return of(g, _core.maximal_independent_set(g._core, seed).view(bool))


def coloring(g: Graph) -> np.ndarray:
    """Colours from 0 on that differ between neighbours: int32, shape (vertices,). Requires a graph made with symmetrize.

    Greedy, in the order of degrees.

    >>> colours = orujo.coloring(orujo.Graph("complete:3", symmetrize=True))
    >>> sorted(colours.tolist())
    [0, 1, 2]
    """
    return of(g, _core.coloring(g._core)[0])
