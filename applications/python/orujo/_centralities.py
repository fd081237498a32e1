"""Centralities. Each takes a Graph and returns arrays of shape (vertices,), in the order of Graph.ids."""

from __future__ import annotations

import random
import warnings
from math import inf
from operator import index
from typing import Any, Dict, Iterable, Iterator, List, Mapping, Optional, Tuple

import numpy as np

from . import _core
from ._graph import Graph
from ._inputs import check
from ._results import of, of_edges


def _check_convergence(damping: Optional[float], max_iterations: int) -> None:
    if damping is not None:
        check(0 <= damping < 1, "damping", damping, "from 0 to below 1")
    check(1 <= index(max_iterations) < 2**31, "max_iterations", max_iterations, "from 1 to 2**31 - 1")


def _warn(about: Dict[str, Any], algorithm: str, level: int = 3) -> None:
    if not about["converged"]:
        warnings.warn(
            f"{algorithm} has not converged in {about['iterations']} iterations: the last changed the result by {about['change']:.1e}",
            RuntimeWarning,
            stacklevel=level,
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
    weighted: bool = False,
) -> np.ndarray:
    """PageRank, of Page, Brin, Motwani and Winograd (1999): float32 or float64, shape (vertices,), with the sum 1.

    Power iteration ends when the sum of all changes is below tolerance, or after exactly `iterations`, if that is not 0.
    dangling: "redistribute" the rank of vertices without out-edges over all vertices, or "ignore" it. precision: "single"
    (float32, tolerance at least 5e-7) or "double" (float64). weighted: a vertex divides its rank among its out-edges in
    proportion to their weights, which must not be negative; otherwise equally. It requires a graph made without keep.
    Gives a RuntimeWarning if max_iterations do not suffice.

    >>> ranks = orujo.pagerank(orujo.Graph([("a", "b"), ("c", "b"), ("b", "a")]))
    >>> [round(rank, 2) for rank in ranks.tolist()]  # of a, b and c
    [0.46, 0.49, 0.05]
    """
    _check_convergence(damping, max_iterations)
    check(0 <= index(iterations) < 2**31, "iterations", iterations, "from 0 to 2**31 - 1")
    check(dangling in ("redistribute", "ignore"), "dangling", dangling, "redistribute or ignore")
    check(precision in ("single", "double"), "precision", precision, "single or double")
    enough = tolerance >= 0 and (iterations > 0 or precision == "double" or tolerance >= 5e-7)
    check(enough, "tolerance", tolerance, "at least 5e-7 with precision=\"single\", whose rounding hides smaller changes")
    redistribute, single = dangling == "redistribute", precision == "single"
    ranks, about = _core.pagerank(g._core, damping, tolerance, iterations, max_iterations, redistribute, single, bool(weighted))
    _warn(about, "pagerank")
    return of(g, ranks)


def _restarts(g: Graph, source: Any) -> Tuple[List[Any], List[float]]:
    """The keys of the vertices where restarts lead, and their shares."""
    if not isinstance(source, Mapping):
        return [g._key(source)], [1.0]
    shares = np.array(list(source.values()), dtype=np.float64)
    total = float(shares.sum())
    fit = bool((shares >= 0).all()) and 0 < total < inf
    check(fit, "source", source, "a dictionary of vertices and their shares: from 0 on, not all 0, finite")
    return [g._key(v) for v in source], (shares / total).tolist()


def personalized_pagerank(
    g: Graph,
    source: Any,
    damping: float = 0.85,
    *,
    tolerance: float = 1e-6,
    max_iterations: int = 1000,
    weighted: bool = False,
) -> np.ndarray:
    """PageRank with restarts at the source, also from vertices without out-edges: float64, shape (vertices,).

    source: a vertex, or a dictionary of vertices and their shares of the restarts, in any proportion. weighted: a vertex
    divides its rank among its out-edges in proportion to their weights, as in pagerank().

    >>> g = orujo.Graph([(0, 1), (1, 0), (2, 0)])
    >>> orujo.personalized_pagerank(g, 0).round(2).tolist()
    [0.54, 0.46, 0.0]
    >>> orujo.personalized_pagerank(g, {0: 3, 2: 1}).round(2).tolist()
    [0.52, 0.44, 0.04]
    """
    _check_convergence(damping, max_iterations)
    check(tolerance >= 0, "tolerance", tolerance, "at least 0")
    keys, shares = _restarts(g, source)
    ranks, about = _core.personalized_pagerank(g._core, keys, shares, damping, tolerance, max_iterations, bool(weighted))
    _warn(about, "personalized_pagerank")
    return of(g, ranks)


def _rows_of_ranks(
    g: Graph, sources: Iterable[Any], damping: float, tolerance: float, max_iterations: int, weighted: bool
) -> Iterator[np.ndarray]:
    _check_convergence(damping, max_iterations)
    check(tolerance >= 0, "tolerance", tolerance, "at least 0")
    keys = [g._key(v) for v in sources]
    for first in range(0, len(keys), 8):
        group = keys[first : first + 8]
        rows, about = _core.personalized_pageranks(g._core, group, damping, tolerance, max_iterations, bool(weighted))
        _warn(about, "personalized_pagerank", 5)
        yield from rows


def personalized_pageranks(
    g: Graph,
    sources: Iterable[Any],
    damping: float = 0.85,
    *,
    tolerance: float = 1e-6,
    max_iterations: int = 1000,
    weighted: bool = False,
) -> np.ndarray:
    """personalized_pagerank() from each of several sources: float64, shape (sources, vertices).

    8 sources are ranked at a time, which takes little longer than one. personalized_neighbors() takes less memory.

    >>> g = orujo.Graph([(0, 1), (1, 0), (2, 0)])
    >>> orujo.personalized_pageranks(g, [0, 2]).round(2).tolist()
    [[0.54, 0.46, 0.0], [0.46, 0.39, 0.15]]
    """
    rows = list(_rows_of_ranks(g, sources, damping, tolerance, max_iterations, weighted))
    return np.array(rows, dtype=np.float64).reshape(len(rows), g.vertices)


def personalized_neighbors(
    g: Graph,
    sources: Iterable[Any],
    count: int,
    damping: float = 0.85,
    *,
    tolerance: float = 1e-6,
    max_iterations: int = 1000,
    weighted: bool = False,
) -> Tuple[np.ndarray, np.ndarray]:
    """The count vertices of the highest personalized_pagerank() from each source: two arrays of shape (sources, count).

    The first has indices into Graph.ids (int64), in descending order of ranks, the second their ranks (float64). Of equal
    ranks the smaller index comes first. Where fewer vertices have a rank above 0, the rest is -1 and 0.

    >>> g = orujo.Graph([(0, 1), (1, 0), (2, 0)])
    >>> vertices, ranks = orujo.personalized_neighbors(g, [0, 2], 3)
    >>> vertices.tolist()
    [[0, 1, -1], [0, 1, 2]]
    """
    check(0 <= index(count), "count", count, "at least 0")
    vertices, values = [], []
    for ranks in _rows_of_ranks(g, sources, damping, tolerance, max_iterations, weighted):
        least = np.partition(ranks, len(ranks) - count)[len(ranks) - count] if 0 < count < len(ranks) else 0
        chosen = np.flatnonzero((ranks >= least) & (ranks > 0))
        chosen = chosen[np.argsort(-ranks[chosen], kind="stable")][:count]
        missing = (0, count - len(chosen))
        vertices.append(np.pad(chosen, missing, constant_values=-1))
        values.append(np.pad(ranks[chosen], missing))
    shape = (len(vertices), count)
    return np.array(vertices, dtype=np.int64).reshape(shape), np.array(values, dtype=np.float64).reshape(shape)


def hits(g: Graph, *, tolerance: float = 1e-6, max_iterations: int = 1000) -> Tuple[np.ndarray, np.ndarray]:
    """Hubs and authorities, of Kleinberg (1999): two float64 arrays of shape (vertices,), of unit length (L2 norm).

    >>> hubs, authorities = orujo.hits(orujo.Graph([(0, 2), (1, 2)]))
    >>> authorities.round(2).tolist()
    [0.0, 0.0, 1.0]
    """
    _check_convergence(None, max_iterations)
    check(tolerance >= 1e-7, "tolerance", tolerance, "at least 1e-7: smaller changes are lost in rounding")
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
    check(0 <= alpha < inf, "alpha", alpha, "at least 0")
    check(0 < beta < inf, "beta", beta, "above 0")
    check(0 < tolerance < inf, "tolerance", tolerance, "above 0")
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
    check(0 < tolerance < inf, "tolerance", tolerance, "above 0")
    scores, about = _core.eigenvector_centrality(g._core, tolerance, max_iterations)
    _require_convergence(about, "eigenvector_centrality", "a larger tolerance")
    return of(g, scores)


def betweenness_centrality(
    g: Graph, sources: Optional[Iterable[Any]] = None, *, k: Optional[int] = None, seed: int = 1, weighted: bool = False
) -> np.ndarray:
    """Betweenness centrality (Brandes, 2001): float64, shape (vertices,).

    The sum over sources and all other vertices of the share of shortest paths that lead through the vertex, ends excluded.
    The sources are those given, or k sampled by seed, or all vertices. In symmetric graphs a path and its reverse are two.
    Parallel edges are different paths. weighted: the length of a path is the sum of its weights, in double precision,
    instead of the number of its edges. It requires a graph made without keep, and raises ValueError if a weight on a shortest
    path is 0, or too small to change its length.

    >>> orujo.betweenness_centrality(orujo.Graph("path:4")).tolist()
    [0.0, 2.0, 2.0, 0.0]
    >>> orujo.betweenness_centrality(orujo.Graph(([0, 0, 1], [1, 2, 2], [1, 3, 1])), weighted=True).tolist()
    [0.0, 1.0, 0.0]
    """
    keys = _keys_of_sources(g, sources, k, seed, "betweenness_centrality")
    return of(g, _core.betweenness_centrality(g._core, keys, bool(weighted)))


def _keys_of_sources(g: Graph, sources: Optional[Iterable[Any]], k: Optional[int], seed: int, algorithm: str) -> List[Any]:
    if sources is not None and k is not None:
        raise ValueError(f"{algorithm}(): pass sources or k, not both")
    if sources is not None:
        return [g._key(v) for v in sources]
    places: Iterable[int] = range(g.vertices)
    if k is not None:
        check(1 <= k <= g.vertices, "k", k, f"from 1 to the number of vertices, {g.vertices}")
        places = random.Random(seed).sample(range(g.vertices), k)
    ids = g.ids
    return [g._key(ids[place]) for place in places]


def edge_betweenness_centrality(
    g: Graph, sources: Optional[Iterable[Any]] = None, *, k: Optional[int] = None, seed: int = 1, weighted: bool = False
) -> Tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Betweenness centrality of edges (Girvan, Newman, 2002): three arrays, of sources and targets by index, and of scores.

    The sum over sources and all other vertices of the share of shortest paths that lead along the edge. The sources are as in
    betweenness_centrality(), as are paths and weighted. Edges ascend. Parallel edges have one score together. In symmetric graphs so have
    both directions, and the source is the smaller end.

    >>> sources, targets, scores = orujo.edge_betweenness_centrality(orujo.Graph("path:4"))
    >>> scores.tolist()
    [3.0, 4.0, 3.0]
    """
    keys = _keys_of_sources(g, sources, k, seed, "edge_betweenness_centrality")
    return of_edges(g, _core.edge_betweenness_centrality(g._core, keys, bool(weighted)))


def _closeness(g: Graph, harmonic: bool, wf_improved: bool, k: Optional[int], seed: int) -> np.ndarray:
    if k is not None:
        check(1 <= index(k) <= g.vertices, "k", k, f"from 1 to the number of vertices, {g.vertices}")
    check(0 <= index(seed) < 2**64, "seed", seed, "from 0 to 2**64 - 1")
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
