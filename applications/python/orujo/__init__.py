"""Orujo: graph algorithms on all cores of a machine, or of a cluster under mpirun.

>>> import orujo
>>> g = orujo.Graph("kronecker:14", symmetrize=True)
>>> ranks = orujo.pagerank(g)           # ranks[k] is that of the vertex g.ids[k]
>>> levels, parents = orujo.bfs(g, source=g.ids[0])

The job starts with the first graph, on all CPUs that the process may use, or by start(). Every function that takes a graph
returns NumPy arrays of shape (vertices,), in the order of Graph.ids: ascending ids, or names, or the order of the nodes of the
NetworkX or igraph graph that it was made from. While a call works, other threads of Python go on.
"""

from ._load import load as _load

_load()

from ._algorithms import (  # noqa: E402
    SearchTree,
    bfs,
    clique_count,
    cliques,
    clustering,
    coloring,
    condensation,
    connected_components,
    dag_levels,
    eccentricity,
    edge_support,
    k_core,
    label_propagation,
    leiden,
    louvain,
    maximal_independent_set,
    minimum_spanning_forest,
    sssp,
    strongly_connected_components,
    topological_generations,
    topological_sort,
    triangle_counting,
    triangles,
    truss_numbers,
)
from ._centralities import (  # noqa: E402
    betweenness_centrality,
    closeness_centrality,
    edge_betweenness_centrality,
    eigenvector_centrality,
    harmonic_centrality,
    hits,
    katz_centrality,
    pagerank,
    personalized_neighbors,
    personalized_pagerank,
    personalized_pageranks,
)
from ._graph import Graph, read_csv  # noqa: E402
from ._job import cores, process, processes, start, started, stop  # noqa: E402
from ._query import query  # noqa: E402
from ._results import top  # noqa: E402
from ._samples import NeighborSample, neighbor_sample, random_walks  # noqa: E402
from ._similarities import pair_similarity, similarity  # noqa: E402

__version__ = "0.1.0"

__all__ = [
    "Graph",
    "NeighborSample",
    "SearchTree",
    "betweenness_centrality",
    "bfs",
    "clique_count",
    "cliques",
    "closeness_centrality",
    "clustering",
    "coloring",
    "condensation",
    "connected_components",
    "cores",
    "dag_levels",
    "eccentricity",
    "edge_betweenness_centrality",
    "edge_support",
    "eigenvector_centrality",
    "harmonic_centrality",
    "hits",
    "k_core",
    "katz_centrality",
    "label_propagation",
    "leiden",
    "louvain",
    "maximal_independent_set",
    "minimum_spanning_forest",
    "neighbor_sample",
    "pagerank",
    "pair_similarity",
    "personalized_neighbors",
    "personalized_pagerank",
    "personalized_pageranks",
    "process",
    "processes",
    "query",
    "random_walks",
    "read_csv",
    "similarity",
    "sssp",
    "start",
    "started",
    "stop",
    "strongly_connected_components",
    "top",
    "topological_generations",
    "topological_sort",
    "triangle_counting",
    "triangles",
    "truss_numbers",
]
