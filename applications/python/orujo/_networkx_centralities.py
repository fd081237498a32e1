"""Centralities of the backend of NetworkX."""

from __future__ import annotations

from math import inf
from numbers import Integral, Real
from typing import Any, Dict

import networkx as nx

from . import _centralities
from ._networkx_graph import BackendGraph, Functions, simple, weighted_copy, weights_count, weights_fit


def pagerank(
    G, alpha=0.85, personalization=None, max_iter=100, tol=1.0e-6, nstart=None, weight="weight", dangling=None
) -> Dict[Any, float]:
    if len(G) == 0:
        return {}
    from . import _core

    weighted = weights_count(G, weight)
    graph = weighted_copy(G, weight) if weighted else G.orujo
    ranks, about = _core.pagerank(graph._core, alpha, len(graph) * tol, 0, max_iter, True, False, weighted)
    if not about["converged"]:
        raise nx.PowerIterationFailedConvergence(max_iter)
    return G.orujo.as_dict(ranks)


def _can_pagerank(G, alpha=0.85, personalization=None, max_iter=100, tol=1.0e-6, nstart=None, weight="weight", dangling=None):
    if personalization is not None or nstart is not None or dangling is not None:
        return "personalization, nstart and dangling are not there"
    if not (isinstance(alpha, Real) and 0 <= alpha < 1):
        return "alpha must be from 0 to below 1"
    if not (isinstance(max_iter, Integral) and 1 <= max_iter < 2**31 and isinstance(tol, Real) and 0 < tol < inf):
        return "max_iter must be from 1 to below 2**31, and tol a positive number"
    hash(weight)  # else NetworkX's dispatch fails, even where there are no edges
    return simple(G) if simple(G) is not True else weights_fit(G, weight)


def betweenness_centrality(G, k=None, normalized=True, weight=None, endpoints=False, seed=None) -> Dict[Any, float]:
    scores = _centralities.betweenness_centrality(G.orujo)
    n = len(G.orujo)
    if normalized:
        scores *= 1 / ((n - 1) * (n - 2)) if n > 2 else 0
    elif not G.is_directed():
        scores /= 2
    return G.orujo.as_dict(scores)


def _can_find_betweenness(G, k=None, normalized=True, weight=None, endpoints=False, seed=None):
    if k is not None or weight is not None or endpoints:
        return "without k, weight and endpoints"
    return simple(G)


def edge_betweenness_centrality(G, k=None, normalized=True, weight=None, seed=None) -> Dict[Any, float]:
    nodes = list(G.nx)
    chosen = nodes if k is None else seed.sample(nodes, k)
    places = {node: place for place, node in enumerate(nodes)}
    sources = None if k is None else [G.orujo.ids[places[node]] for node in chosen]
    edges = zip(*(column.tolist() for column in _centralities.edge_betweenness_centrality(G.orujo, sources)))
    scores = {(a, b): score for a, b, score in edges}
    n, directed = len(nodes), G.is_directed()
    scale = 1.0
    if n > 1:
        scale = 1 / (len(chosen) * (n - 1)) if normalized else n / (len(chosen) * (1 if directed else 2))
    ends = [((u, v), (places[u], places[v])) for u, v in G.nx.edges]
    return {edge: scale * scores[(a, b) if directed or a < b else (b, a)] for edge, (a, b) in ends}


def _can_find_edge_betweenness(G, k=None, normalized=True, weight=None, seed=None):
    if weight is not None:
        return "without weight"
    if k is not None and not (type(k) is int and 1 <= k <= len(G)):
        return "k must be from 1 to the number of nodes"
    if any(isinstance(node, tuple) for node in G):
        return "NetworkX may take nodes that are pairs for edges"
    return simple(G) if len(G) > 0 else "there are no nodes"


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
