"""Similarities of vertices by their common neighbours. Under mpirun each function is collective."""

from __future__ import annotations

from typing import Any, Tuple

import numpy as np

from . import _core
from ._graph import Graph
from ._results import of_edges

MEASURES = (
    "common_neighbours",
    "jaccard",
    "cosine",
    "overlap",
    "adamic_adar",
    "resource_allocation",
    "preferential_attachment",
)


def _check(measure: str) -> None:
    if measure not in MEASURES:
        raise ValueError(f"measure={measure!r}: must be one of {', '.join(MEASURES)}")


def similarity(g: Graph, measure: str = "jaccard") -> Tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The similarity of the ends of each edge. Requires a graph made with symmetrize.

    measure: with d(v) neighbours of v, and c common neighbours w of u and v, "common_neighbours" is c, "jaccard"
    c / (d(u) + d(v) - c), "cosine" c / sqrt(d(u) d(v)), "overlap" c / min(d(u), d(v)), "adamic_adar" the sum of 1 / ln d(w),
    "resource_allocation" that of 1 / d(w), and "preferential_attachment" d(u) d(v). Loops and parallel edges do not count.

    Returns three arrays of shape (edges,): the two ends of each edge, int64 indices into Graph.ids with the smaller first,
    ascending; and the values, float64.

    >>> sources, targets, values = orujo.similarity(orujo.Graph([(0, 1), (1, 2), (2, 0), (2, 3)], symmetrize=True))
    >>> sources.tolist(), targets.tolist(), values.round(2).tolist()
    ([0, 0, 1, 2], [1, 2, 2, 3], [0.33, 0.25, 0.25, 0.0])
    """
    _check(measure)
    return of_edges(g, _core.similarity(g._core, measure))


def pair_similarity(g: Graph, sources: Any, targets: Any, measure: str = "jaccard") -> np.ndarray:
    """The similarity of given pairs of vertices: float64, in the order of the pairs. Requires a graph made with symmetrize.

    sources, targets: ids or names, as many of each. measure: that of similarity().

    >>> g = orujo.Graph([("ann", "bob"), ("bob", "cyd"), ("ann", "dan"), ("dan", "cyd")], symmetrize=True)
    >>> orujo.pair_similarity(g, ["ann", "ann"], ["cyd", "bob"]).tolist()
    [1.0, 0.0]
    """
    _check(measure)
    places = g._places(sources), g._places(targets)
    if len(places[0]) != len(places[1]):
        raise ValueError(f"{len(places[0])} sources and {len(places[1])} targets; expected as many of each")
    return _core.pair_similarity(g._core, *places, measure)
