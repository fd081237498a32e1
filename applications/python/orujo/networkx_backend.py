"""The backend "orujo" of NetworkX: networkx.pagerank(G, backend="orujo"), or networkx.config.backend_priority = ["orujo"].

can_run() says no wherever the result would differ: weights that count there and not here, multigraphs, and what a function's
comment says. The conversion takes far longer than most algorithms: NetworkX keeps the converted graph beside the one that it
is of. Weights are converted again in every call, as NetworkX does not say when they change.
"""

from __future__ import annotations

from typing import Any, Dict

import networkx as nx

from . import _networkx_centralities, _networkx_groups, _networkx_paths, _networkx_predictions
from ._networkx_graph import BackendGraph, plain

_known = {
    **_networkx_centralities.functions,
    **_networkx_groups.functions,
    **_networkx_paths.functions,
    **_networkx_predictions.functions,
}


class _Backend:
    """What NetworkX asks, under the names that it asks for."""

    def __init__(self) -> None:
        for name, (function, _) in _known.items():
            setattr(self, name, function)

    @staticmethod
    def convert_from_nx(graph: Any, *args: Any, **kwargs: Any) -> BackendGraph:
        return graph if isinstance(graph, BackendGraph) else BackendGraph(graph)

    @staticmethod
    def convert_to_nx(result: Any, *, name: Any = None) -> Any:
        return plain(result)

    @staticmethod
    def should_run(name: str, args: Any, kwargs: Any) -> Any:
        return name != "louvain_communities" or "communities are others than NetworkX's"

    @staticmethod
    def can_run(name: str, args: Any, kwargs: Any) -> Any:
        graph = args[0] if args else kwargs.get("G")
        if type(graph) not in (BackendGraph, nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph):
            return "classes derived from NetworkX's may have other edges than they tell"
        try:
            return _known[name][1](*args, **kwargs) if name in _known else False
        except TypeError:  # arguments that NetworkX is to complain of
            return False


backend = _Backend()


def info() -> Dict[str, Any]:
    return {
        "backend_name": "orujo",
        "project": "Orujo",
        "package": "orujo",
        "short_summary": "Graph algorithms on all cores of a machine.",
        "functions": {name: {} for name in _known},
    }
