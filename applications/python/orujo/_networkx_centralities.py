"""Centralities of the backend of NetworkX."""

from __future__ import annotations

from math import inf, nan
from numbers import Integral, Real
from typing import Any, Dict, Tuple

import networkx as nx
import numpy as np

from . import _centralities
from ._graph import Graph
from ._networkx_graph import BackendGraph, Functions, plain, simple, weighted_copy, weights_count, weights_fit


def pagerank(
    G, alpha=0.85, personalization=None, max_iter=100, tol=1.0e-6, nstart=None, weight="weight", dangling=None
) -> Dict[Any, float]:
    if len(G) == 0:
        return {}
    from . import _core

    weighted = weights_count(G, weight)
    graph = weighted_copy(G, weight) if weighted else G.orujo
    if personalization is None:
        ranks, about = _core.pagerank(graph._core, alpha, len(graph) * tol, 0, max_iter, True, False, weighted)
    else:
        shares = {graph.ids[place]: personalization[v] for place, v in enumerate(G.nx) if personalization.get(v)}
        where = _centralities._restarts(graph, shares)
        ranks, about = _core.personalized_pagerank(graph._core, *where, alpha, len(graph) * tol, max_iter, weighted)
    if not about["converged"]:
        raise nx.PowerIterationFailedConvergence(max_iter)
    return G.orujo.as_dict(ranks)


def _fits(G, personalization):
    if not isinstance(personalization, dict) or not all(isinstance(share, Real) for share in personalization.values()):
        return False
    shares = [personalization.get(v, 0) for v in G]
    return all(0 <= share < inf for share in shares) and 0 < sum(shares) < inf


def _can_pagerank(G, alpha=0.85, personalization=None, max_iter=100, tol=1.0e-6, nstart=None, weight="weight", dangling=None):
    if nstart is not None or dangling is not None:
        return "nstart and dangling are not there"
    if personalization is not None and not _fits(G, personalization):
        return "personalization must be a dictionary of numbers from 0 on, with one above 0"
    if not (isinstance(alpha, Real) and 0 <= alpha < 1):
        return "alpha must be from 0 to below 1"
    if not (isinstance(max_iter, Integral) and 1 <= max_iter < 2**31 and isinstance(tol, Real) and 0 < tol < inf):
        return "max_iter must be from 1 to below 2**31, and tol a positive number"
    hash(weight)  # else NetworkX's dispatch fails, even where there are no edges
    return simple(G) if simple(G) is not True else weights_fit(G, weight)


def _graph_of_paths(G: BackendGraph, weight: Any) -> Tuple[Graph, bool]:
    weighted = weights_count(G, weight)
    return weighted_copy(G, weight) if weighted else G.orujo, weighted


def betweenness_centrality(G, k=None, normalized=True, weight=None, endpoints=False, seed=None) -> Dict[Any, float]:
    n, factor = len(G), 1 if G.is_directed() else 0.5
    chosen = None
    if k is not None and k != n:
        places = {node: place for place, node in enumerate(G.nx)}
        chosen = [places[node] for node in seed.sample(list(G.nx), k)]
    graph, weighted = _graph_of_paths(G, weight)
    sources = None if chosen is None else [graph.ids[place] for place in chosen]
    scores = _centralities.betweenness_centrality(graph, sources, weighted=weighted)
    if n > 2 and chosen is None:
        scores *= 1 / ((n - 1) * (n - 2)) if normalized else factor
    elif n > 2:  # a source is an end of all paths from itself
        factor = 1 / (n - 2) if normalized else factor * (n - 1)
        scales = np.full(n, factor / k)
        scales[chosen] = factor / (k - 1) if k > 1 else nan
        scores *= scales
    return G.orujo.as_dict(scores)


def _can_find_paths(G, k, weight):
    if k is not None and not (type(k) is int and 1 <= k <= len(G)):
        return "k must be from 1 to the number of nodes"
    if weight is None:
        return simple(G)
    if not isinstance(weight, str):
        return "weight must be the name of an attribute"
    fit = simple(G) if simple(G) is not True else weights_fit(G, weight)
    weights = [w for _, _, w in plain(G).edges(data=weight, default=1)] if fit is True else []
    longest = max(weights, default=0) * len(G)
    if weights and min(weights) <= longest * 2.0**-53:
        return "weights must be above 0, and not so small that sums lose them"
    if longest > 2**53 and any(type(w) is int for w in weights):
        return "sums of whole numbers must be at most 2**53"
    return fit


def _can_find_betweenness(G, k=None, normalized=True, weight=None, endpoints=False, seed=None):
    return "without endpoints" if endpoints else _can_find_paths(G, k, weight)


def edge_betweenness_centrality(G, k=None, normalized=True, weight=None, seed=None) -> Dict[Any, float]:
    nodes = list(G.nx)
    chosen = nodes if k is None else seed.sample(nodes, k)
    places = {node: place for place, node in enumerate(nodes)}
    graph, weighted = _graph_of_paths(G, weight)
    sources = None if k is None else [graph.ids[places[node]] for node in chosen]
    found = _centralities.edge_betweenness_centrality(graph, sources, weighted=weighted)
    scores = {(a, b): score for a, b, score in zip(*(column.tolist() for column in found))}
    n, directed = len(nodes), G.is_directed()
    scale = 1.0
    if n > 1:
        scale = 1 / (len(chosen) * (n - 1)) if normalized else n / (len(chosen) * (1 if directed else 2))
    ends = [((u, v), (places[u], places[v])) for u, v in G.nx.edges]
    return {edge: scale * scores[(a, b) if directed or a < b else (b, a)] for edge, (a, b) in ends}


def _can_find_edge_betweenness(G, k=None, normalized=True, weight=None, seed=None):
    if any(isinstance(node, tuple) for node in G):
        return "NetworkX may take nodes that are pairs for edges"
    return _can_find_paths(G, k, weight) if len(G) > 0 else "there are no nodes"


def closeness_centrality(G, u=None, distance=None, wf_improved=True) -> Dict[Any, float]:
    return G.orujo.as_dict(_centralities.closeness_centrality(G.orujo, wf_improved=bool(wf_improved)))


def harmonic_centrality(G, nbunch=None, distance=None, sources=None) -> Dict[Any, float]:
    return G.orujo.as_dict([score or 0 for score in _centralities.harmonic_centrality(G.orujo).tolist()])  # 0 is an int there


def _converged(found: Any, G: BackendGraph, max_iter: int) -> Dict[Any, float]:
    scores, about = found
    if not about["converged"]:
        raise nx.PowerIterationFailedConvergence(max_iter)
    return G.orujo.as_dict(scores)


def katz_centrality(
    G, alpha=0.1, beta=1.0, max_iter=1000, tol=1.0e-6, nstart=None, normalized=True, weight=None
) -> Dict[Any, float]:
    from . import _core

    return _converged(_core.katz_centrality(G.orujo._core, alpha, beta, bool(normalized), float(tol), max_iter), G, max_iter)


def eigenvector_centrality(G, max_iter=100, tol=1.0e-06, nstart=None, weight=None) -> Dict[Any, float]:
    from . import _core

    return _converged(_core.eigenvector_centrality(G.orujo._core, float(tol), max_iter), G, max_iter)


def _can_iterate(G, max_iter, tol, nstart, weight):
    if nstart is not None:
        return "without nstart"
    if not (isinstance(max_iter, Integral) and 1 <= max_iter < 2**31 and isinstance(tol, Real) and 0 < tol < inf):
        return "max_iter must be from 1 to below 2**31, and tol a positive number"
    if weights_count(G, weight):
        return "weights do not count"
    return simple(G) if len(G) > 0 else "there are no nodes"


def _can_find_katz(G, alpha=0.1, beta=1.0, max_iter=1000, tol=1.0e-6, nstart=None, normalized=True, weight=None):
    if not all(type(x) in (int, float) and 0 < x < 1e6 for x in (alpha, beta)):
        return "alpha and beta must be numbers above 0"
    return _can_iterate(G, max_iter, tol, nstart, weight)


def _can_find_eigenvector(G, max_iter=100, tol=1.0e-06, nstart=None, weight=None):
    return _can_iterate(G, max_iter, tol, nstart, weight)


functions: Functions = {
    "pagerank": (pagerank, _can_pagerank),
    "betweenness_centrality": (betweenness_centrality, _can_find_betweenness),
    "edge_betweenness_centrality": (edge_betweenness_centrality, _can_find_edge_betweenness),
    "closeness_centrality": (
        closeness_centrality,
        lambda G, u=None, distance=None, wf_improved=True: (u is None and distance is None) or "without u and distance",
    ),
    "harmonic_centrality": (
        harmonic_centrality,
        lambda G, nbunch=None, distance=None, sources=None: (
            (nbunch is None and distance is None and sources is None) or "without nbunch, distance and sources"
        ),
    ),
    "katz_centrality": (katz_centrality, _can_find_katz),
    "eigenvector_centrality": (eigenvector_centrality, _can_find_eigenvector),
}
