"""Graphs that the tests of the Python package share."""

import networkx as nx
import numpy as np

SEED = 20240229


def random_edges(vertices=200, edges=900, seed=SEED):
    draw = np.random.default_rng(seed)
    return draw.integers(0, vertices, edges), draw.integers(0, vertices, edges)


def digraph(sources, targets, vertices):
    """Without parallel edges."""
    graph = nx.DiGraph()
    graph.add_nodes_from(range(vertices))
    graph.add_edges_from(zip(sources.tolist(), targets.tolist()))
    return graph
