"""The algorithms. Each takes a Graph and returns arrays with a value for each vertex, in the order of Graph.ids. Under mpirun
each is collective: every process calls it, and gets the whole result."""

from __future__ import annotations

import random
from operator import index
import warnings
from typing import Any, Dict, Iterable, NamedTuple, Optional, Tuple

import numpy as np

from . import _core
from ._graph import Graph

# A Ctrl-C ends algorithms that run superstep by superstep after the current one, and others at their end.


class SearchTree(NamedTuple):
    """levels: how many edges a vertex is away from the source, -1 where no path leads. parents: the place in Graph.ids of the
    vertex before it on a shortest path, the source's is its own, -1 where no path leads."""

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
    """PageRank, of Page, Brin, Motwani and Winograd (1999), by power iteration until the ranks change by less than tolerance
    in all (L1 norm), or exactly so many iterations. Ranks sum to 1; weights do not count.

    dangling: "redistribute" the rank of vertices without out-edges over all vertices, or "ignore" it. precision: "single"
    (float32, tolerance at least 5e-7) or "double" (float64).
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
    return ranks


def personalized_pagerank(
    g: Graph, source: Any, damping: float = 0.85, *, tolerance: float = 1e-6, max_iterations: int = 1000
) -> np.ndarray:
    """PageRank of a surfer who goes back to the source, also from vertices without out-edges; float64."""
    _check_convergence(damping, max_iterations)
    _check(tolerance >= 0, "tolerance", tolerance, "at least 0")
    ranks, about = _core.personalized_pagerank(g._core, g._key(source), damping, tolerance, max_iterations)
    _warn(about, "personalized_pagerank")
    return ranks


def hits(g: Graph, *, tolerance: float = 1e-6, max_iterations: int = 1000) -> Tuple[np.ndarray, np.ndarray]:
    """Hubs and authorities, of Kleinberg (1999): two arrays of unit length (L2 norm)."""
    _check_convergence(None, max_iterations)
    _check(tolerance >= 1e-7, "tolerance", tolerance, "at least 1e-7: smaller changes are lost in rounding")
    hubs, authorities, about = _core.hits(g._core, tolerance, max_iterations)
    _warn(about, "hits")
    return hubs, authorities


def bfs(g: Graph, source: Any) -> SearchTree:
    """Breadth-first search from a vertex along out-edges."""
    return SearchTree(*_core.bfs(g._core, g._key(source)))


def sssp(g: Graph, source: Any, *, delta: float = 0) -> np.ndarray:
    """Distances from a vertex along out-edges, float64, inf where no path leads; edges without weights have length 1. They are
    exact where weights are whole and distances at most 2**53. delta: width of the bins of delta-stepping; 0: chosen. Raises
    ValueError where a weight is negative."""
    _check(delta == 0 or 1e-30 <= delta <= 1e30, "delta", delta, "0, or from 1e-30 to 1e30")
    return _core.sssp(g._core, g._key(source), delta)


def connected_components(g: Graph) -> np.ndarray:
    """The component of every vertex, whatever the direction of edges (of directed graphs the weak components): the place in
    Graph.ids of its first vertex. numpy.unique(labels, return_counts=True) has their sizes."""
    return _core.connected_components(g._core)


def label_propagation(g: Graph, *, iterations: int = 10) -> np.ndarray:
    """Communities as LDBC Graphalytics has them: in every iteration, all vertices at once, each takes the label that most of
    its neighbours have, the smallest of several. Labels begin as places in Graph.ids."""
    _check(0 <= index(iterations) < 2**31, "iterations", iterations, "from 0 to 2**31 - 1")
    return _core.label_propagation(g._core, iterations)[0]


def k_core(g: Graph) -> np.ndarray:
    """Core numbers: the largest k such that the vertex belongs to a subgraph in which all have k neighbours or more. A loop
    counts as one neighbour. For graphs made with symmetrize."""
    return _core.k_core(g._core)


def triangle_counting(g: Graph) -> int:
    """How many triangles there are, each once. For graphs made with symmetrize."""
    return _core.triangles(g._core, False)[0]


def triangles(g: Graph) -> np.ndarray:
    """How many triangles every vertex is in. For graphs made with symmetrize."""
    return _core.triangles(g._core, True)[1]


def clustering(g: Graph) -> np.ndarray:
    """Local clustering coefficients: the share of the pairs of a vertex's neighbours that have an edge. For graphs made with
    symmetrize."""
    return _core.clustering(g._core)


def betweenness_centrality(
    g: Graph, sources: Optional[Iterable[Any]] = None, *, k: Optional[int] = None, seed: int = 1
) -> np.ndarray:
    """How many shortest paths lead through every vertex, ends excluded (Brandes, 2001): the sum over the sources of the share
    of shortest paths from it to any other vertex. Sources are these, or k drawn by seed, or all. In symmetric graphs a path
    and its reverse are two. Parallel edges are different paths; weights do not count."""
    if sources is not None and k is not None:
        raise ValueError("betweenness_centrality(): pass sources or k, not both")
    if sources is not None:
        return _core.betweenness_centrality(g._core, [g._key(v) for v in sources])
    places: Iterable[int] = range(g.vertices)
    if k is not None:
        _check(1 <= k <= g.vertices, "k", k, f"from 1 to the number of vertices, {g.vertices}")
        places = random.Random(seed).sample(range(g.vertices), k)
    ids = g.ids
    return _core.betweenness_centrality(g._core, [g._key(ids[place]) for place in places])


def eccentricity(g: Graph, sources: Iterable[Any]) -> Tuple[np.ndarray, np.ndarray]:
    """From up to 64 sources along out-edges: the greatest distance of a vertex that each reaches, by source; and of every
    vertex the greatest distance from a source, -1 where none reaches it. Weights do not count."""
    of_sources, farthest = _core.eccentricity(g._core, [g._key(v) for v in sources])
    return np.array(of_sources, dtype=np.int32), farthest


def maximal_independent_set(g: Graph, *, seed: int = 1) -> np.ndarray:
    """Vertices of which no two are neighbours, and beside which there is room for no other, as bools: the set that greedy
    search finds in a random order. For graphs made with symmetrize."""
    _check(0 <= index(seed) < 2**64, "seed", seed, "from 0 to 2**64 - 1")
    return _core.maximal_independent_set(g._core, seed).view(bool)


def coloring(g: Graph) -> np.ndarray:
    """Colours from 0 on such that no two neighbours have the same: greedy, in the order of degrees. For graphs made with
    symmetrize."""
    return _core.coloring(g._core)[0]
