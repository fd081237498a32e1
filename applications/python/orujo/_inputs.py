"""Edges of other libraries, as arrays of their ends and weights. None of the libraries is imported for that."""

from __future__ import annotations

from typing import Any, Dict, NamedTuple, Optional, Sequence

import numpy as np


class Edges(NamedTuple):
    sources: np.ndarray
    targets: np.ndarray
    weights: Optional[np.ndarray] = None
    vertices: Optional[int] = None
    labels: Optional[Sequence[Any]] = None  # of the vertices: the ends are their places then
    undirected: bool = False


def edges_of(data: Any, options: Dict[str, Any], ignore_weights: bool = False) -> Edges:
    library = type(data).__module__.split(".", 1)[0]
    if library == "networkx":
        return _of_networkx(data, _taken(options, "weight_column"), ignore_weights)
    if library == "igraph":
        return _of_igraph(data, _taken(options, "weight_column"), ignore_weights)
    if library == "scipy" or hasattr(data, "tocoo"):
        _taken(options)
        return _of_matrix(data)
    if library == "pyarrow":
        return _of_table(data, data.column_names, _of_arrow, options, ignore_weights)
    if library == "pandas":
        return _of_table(data, list(data.columns), _of_pandas, options, ignore_weights)
    if isinstance(data, (tuple, list)) and len(data) in (2, 3):
        _taken(options)
        return _of_arrays(*data)
    raise TypeError(
        f"Graph() of a {type(data).__name__}: expected a file's name, a generator's specification, (sources, targets) or "
        "(sources, targets, weights), or a graph or table of SciPy, pandas, Arrow, NetworkX or igraph"
    )


def _taken(options: Dict[str, Any], *names: str) -> Any:
    """The value of the option, if there is one name; others than these do not apply."""
    for name in options:
        if name not in names:
            raise TypeError(f"Graph() of data in memory got an unexpected keyword argument '{name}'")
    return options.get(names[0]) if names else None


def _column(values: Any, what: str) -> np.ndarray:
    column = np.asarray(values)
    if column.ndim != 1:
        raise ValueError(f"{what}: expected an array of one dimension, not {column.ndim}")
    if column.size == 0 and what != "weights":
        return column.astype(np.int64)
    if column.dtype == bool:
        return column.astype(np.uint8)
    if column.dtype.kind == "f" and column.dtype.itemsize not in (4, 8):
        return column.astype(np.float64)
    if not column.dtype.isnative:
        return column.astype(column.dtype.newbyteorder("="))
    if column.dtype.kind not in ("iuf" if what == "weights" else "iu"):
        raise TypeError(f"{what}: expected {'numbers' if what == 'weights' else 'whole numbers'}, not {column.dtype}")
    return column


def _of_arrays(sources: Any, targets: Any, weights: Any = None) -> Edges:
    ends = _column(sources, "sources"), _column(targets, "targets")
    heavy = None if weights is None else _column(weights, "weights")
    _check_lengths(*ends, heavy)
    return Edges(*ends, heavy)


def _check_lengths(sources: np.ndarray, targets: np.ndarray, weights: Optional[np.ndarray]) -> None:
    if len(sources) != len(targets):
        raise ValueError(f"{len(sources)} sources and {len(targets)} targets: an edge has one of each")
    if weights is not None and len(weights) != len(sources):
        raise ValueError(f"{len(sources)} edges and {len(weights)} weights: there is a weight for each edge, or none")


def _of_matrix(matrix: Any) -> Edges:
    rows, columns = matrix.shape
    if rows != columns:
        raise ValueError(f"a matrix of {rows} x {columns}: that of a graph is square")
    entries = matrix.tocoo()
    weights = entries.data
    if weights.dtype == bool or (weights == 1).all():
        weights = None
    else:
        weights = _column(weights, "weights")
    return Edges(_column(entries.row, "sources"), _column(entries.col, "targets"), weights, rows)


def _of_pandas(table: Any, name: Any) -> np.ndarray:
    return table[name].to_numpy()


def _of_arrow(table: Any, name: str) -> np.ndarray:
    return table.column(name).combine_chunks().to_numpy(zero_copy_only=False)


def _of_table(table: Any, columns: Sequence[Any], read: Any, options: Dict[str, Any], ignore_weights: bool) -> Edges:
    _taken(options, "source_column", "target_column", "weight_column")
    if len(columns) < 2:
        raise ValueError("a table of edges has two columns or more: their sources and their targets")
    source = options.get("source_column", "source" if "source" in columns else columns[0])
    target = options.get("target_column", "target" if "target" in columns else columns[1])
    weight = options.get("weight_column")
    for name in (source, target, weight):
        if name is not None and name not in columns:
            raise ValueError(f"the table has no column {name!r}; it has {', '.join(map(repr, columns))}")
    weights = None if weight is None or ignore_weights else _column(read(table, weight), "weights")
    sources, targets = read(table, source), read(table, target)
    if sources.dtype.kind in "iu" and targets.dtype.kind in "iu":
        return Edges(_column(sources, "sources"), _column(targets, "targets"), weights)
    if sources.dtype.kind == "f" or targets.dtype.kind == "f":
        raise TypeError("the ends of edges are not whole numbers: some may be missing")
    labels, places = np.unique(np.concatenate([sources, targets]).astype(str), return_inverse=True)
    return Edges(places[: len(sources)], places[len(sources) :], weights, labels=labels.tolist())


def _of_networkx(graph: Any, weight: Optional[str], ignore_weights: bool) -> Edges:
    labels = list(graph)
    place = {node: k for k, node in enumerate(labels)}
    count = graph.number_of_edges()
    ends = np.fromiter((place[v] for edge in graph.edges() for v in edge), dtype=np.int64, count=2 * count)
    name = weight or "weight"
    weights = None
    if not ignore_weights and any(name in data for _, _, data in graph.edges(data=True)):
        weights = np.fromiter((w for _, _, w in graph.edges(data=name, default=1)), dtype=np.float64, count=count)
    return Edges(ends[0::2], ends[1::2], weights, labels=labels, undirected=not graph.is_directed())


def _of_igraph(graph: Any, weight: Optional[str], ignore_weights: bool) -> Edges:
    ends = np.array(graph.get_edgelist(), dtype=np.int64).reshape(-1, 2)
    name = weight or "weight"
    weights = None
    if not ignore_weights and name in graph.es.attributes():
        weights = np.asarray(graph.es[name], dtype=np.float64)
    labels = graph.vs["name"] if "name" in graph.vs.attributes() else None
    return Edges(ends[:, 0], ends[:, 1], weights, graph.vcount(), labels, undirected=not graph.is_directed())
