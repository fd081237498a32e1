"""Edges of other libraries, as arrays of their ends and weights. None of the libraries is imported for that."""

from __future__ import annotations

import reprlib
import sys
from collections.abc import Iterable, Mapping, Set, Sized
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np

EXPECTED = (
    "a file's name, a generator's specification, a tuple of arrays (sources, targets) or (sources, targets, weights), "
    "edges as a list of tuples or an (m, 2) or (m, 3) array, a dict of the columns source and target, or a graph or table of "
    "SciPy, pandas, Arrow, NetworkX or igraph"
)


class Edges(NamedTuple):
    sources: np.ndarray
    targets: np.ndarray
    weights: Optional[np.ndarray] = None
    vertices: Optional[int] = None
    labels: Optional[List[Any]] = None  # of the vertices, whose indices the ends then are
    undirected: bool = False


def edges_of(data: Any, options: Dict[str, Any], ignore_weights: bool = False) -> Edges:
    library = type(data).__module__.split(".", 1)[0]
    if library == "networkx" and hasattr(data, "adjacency"):
        return _of_networkx(data, _taken(options, "weight_column"), ignore_weights)
    if library == "igraph" and hasattr(data, "get_edgelist"):
        return _of_igraph(data, _taken(options, "weight_column"), ignore_weights)
    if hasattr(data, "tocoo"):
        _taken(options)
        return _of_matrix(data)
    if library == "pyarrow" and hasattr(data, "column_names"):
        return _of_table(data, data.column_names, _of_arrow, options, ignore_weights)
    if library == "pandas" and hasattr(data, "columns"):
        return _of_table(data, list(data.columns), _of_pandas, options, ignore_weights)
    keyed = isinstance(data, Mapping) and not isinstance(data, Set)  # NetworkX's views of edges are both
    if keyed and {options.get("source_column", "source"), options.get("target_column", "target")} <= set(data):
        return _of_table(data, list(data), _of_mapping, options, ignore_weights)
    _taken(options)
    if isinstance(data, tuple):
        return _of_columns(data)
    if hasattr(data, "__array__"):
        return _of_array(_unmasked(data, "the array of edges"))
    if isinstance(data, Iterable) and not keyed and not isinstance(data, (bytes, bytearray)):
        return _of_pairs(list(data))
    raise TypeError(f"Graph() of a {type(data).__name__}: expected {EXPECTED}")


def _taken(options: Dict[str, Any], *names: str) -> Any:
    """The value of the option, if there is one name; others than these do not apply."""
    for name in options:
        if name not in names:
            raise TypeError(f"Graph() of data in memory got an unexpected keyword argument '{name}'")
    return options.get(names[0]) if names else None


def _here(values: Any) -> Any:
    """An array of another library as NumPy can read it: copied from the memory of a GPU, used in place in any other."""
    if isinstance(values, np.ndarray) or not hasattr(values, "__dlpack_device__"):
        return values
    if int(values.__dlpack_device__()[0]) in _IN_PROCESS:
        return values if hasattr(values, "__array__") else np.from_dlpack(values)
    if hasattr(values, "get"):  # CuPy
        return values.get()
    return values.cpu().numpy() if hasattr(values, "cpu") else values  # PyTorch; JAX has __array__


_IN_PROCESS = (1, 3)  # DLPack's numbers of memory of the process: plain, and pinned for CUDA


def _unmasked(values: Any, what: str) -> np.ndarray:
    values = _here(values)
    ma = sys.modules.get("numpy.ma")  # loaded if there is a masked array
    if ma and isinstance(values, ma.MaskedArray) and ma.is_masked(values):
        first = int(np.flatnonzero(ma.getmaskarray(values))[0])
        raise ValueError(f"{what}: element {first} is masked; expected a value: remove masked ones")
    return np.asarray(values)


def _column(values: Any, what: str) -> np.ndarray:
    """Numbers that can be read where they lie, or else a copy that can."""
    column = _unmasked(values, what)
    if column.ndim != 1:
        raise ValueError(f"{what}: expected an array of one dimension, not {column.ndim}")
    if column.size == 0 and what != "weights":
        return column.astype(np.int64)
    if column.dtype == bool:
        return column.astype(np.uint8)
    if column.dtype.kind not in ("iuf" if what == "weights" else "iu"):
        raise TypeError(f"{what}: expected {'numbers' if what == 'weights' else 'whole numbers'}, not {column.dtype}")
    if column.dtype.kind == "f" and column.dtype.itemsize not in (4, 8):
        return column.astype(np.float64)
    if not column.dtype.isnative:
        return column.astype(column.dtype.newbyteorder("="))
    if not column.flags.aligned or column.strides[0] % column.dtype.itemsize != 0:
        return np.ascontiguousarray(column)  # of packed records
    return column


def _of_columns(columns: Tuple[Any, ...]) -> Edges:
    if len(columns) not in (2, 3):
        raise TypeError(f"Graph() of a tuple of {len(columns)}: expected {EXPECTED}")
    if all(isinstance(column, tuple) for column in columns):
        raise TypeError(
            "Graph() of a tuple of tuples, which may be edges or columns: give edges as a list of tuples, or columns as "
            "a tuple of lists or arrays"
        )
    ends = _column(columns[0], "sources"), _column(columns[1], "targets")
    weights = _column(columns[2], "weights") if len(columns) == 3 and columns[2] is not None else None
    _check_lengths(*ends, weights)
    return Edges(*ends, weights)


def _of_array(edges: np.ndarray) -> Edges:
    """An edge in each row."""
    if edges.ndim != 2 or edges.shape[1] not in (2, 3):
        raise ValueError(
            f"Graph() of an array of shape {edges.shape}: expected (m, 2) or (m, 3), an edge in each row; "
            "columns are given as a tuple of arrays"
        )
    columns: List[Any] = [edges[:, k] for k in range(edges.shape[1])]
    if edges.dtype.kind == "f":  # beside weights, say
        columns[:2] = [_without_fraction(column, what) for column, what in zip(columns, ("source", "target"))]
    return _of_ends(columns[0], columns[1], columns[2] if len(columns) == 3 else None)


def _without_fraction(column: np.ndarray, what: str) -> np.ndarray:
    whole = (column == np.floor(column)) & (np.abs(column) < 2.0**63)
    if not whole.all():
        first = int(np.flatnonzero(~whole)[0])
        raise ValueError(f"edge {first} has the {what} {column[first]}; expected a whole number")
    return column.astype(np.int64)


def _of_pairs(edges: List[Any]) -> Edges:
    """Edges one by one."""
    kinds: Any = (tuple, list, np.ndarray, np.void)
    for k, edge in enumerate(edges):
        if not isinstance(edge, kinds) or len(edge) not in (2, 3):
            raise TypeError(
                f"edge {k} is {reprlib.repr(edge)}; expected (source, target) or (source, target, weight); columns are "
                "given as a tuple of arrays"
            )
        if len(edge) != len(edges[0]):
            raise ValueError(f"edge {k} is {reprlib.repr(edge)}, edge 0 is {reprlib.repr(edges[0])}: all have a weight, or none")
    return _of_ends(*zip(*edges)) if edges else Edges(np.array([], np.int64), np.array([], np.int64))


def _of_ends(sources: Sequence[Any], targets: Sequence[Any], weights: Optional[Sequence[Any]] = None) -> Edges:
    """Of ends that are whole numbers, or else strings, which become labels: then numbers do, too."""
    heavy = None if weights is None else _column(weights, "weights")
    ends = _numbers_or_strings(sources, "source"), _numbers_or_strings(targets, "target")
    _check_lengths(ends[0], ends[1], heavy)
    if isinstance(ends[0], np.ndarray) and isinstance(ends[1], np.ndarray):
        return Edges(ends[0], ends[1], heavy)
    texts = [list(map(str, column)) for column in ends]
    labels = sorted(set().union(*texts))
    place = {label: k for k, label in enumerate(labels)}
    places = [np.fromiter((place[text] for text in column), dtype=np.int64, count=len(column)) for column in texts]
    return Edges(places[0], places[1], heavy, labels=labels)


def _numbers_or_strings(values: Sequence[Any], what: str) -> Union[np.ndarray, List[str]]:
    """An array of whole numbers, or a list of strings."""
    if isinstance(values, np.ndarray) and (values.dtype.kind in "iub" or len(values) == 0):
        return _column(values, what + "s")
    plain = values.tolist() if isinstance(values, np.ndarray) else list(values)
    kinds = set(map(type, plain))
    if all(issubclass(kind, str) for kind in kinds):
        return plain
    if all(issubclass(kind, (int, np.integer, np.bool_)) for kind in kinds):
        return _whole_numbers(plain, what)
    for k, value in enumerate(plain):
        if _is_missing(value):
            raise TypeError(f"edge {k} has no {what}; expected a whole number or a string")
    for k, value in enumerate(plain):
        if not isinstance(value, (int, np.integer, np.bool_, str)):
            raise TypeError(f"edge {k} has the {what} {reprlib.repr(value)}; expected a whole number or a string")
    raise TypeError(f"some {what}s are whole numbers and some are strings; expected one kind")


def _whole_numbers(plain: List[Any], what: str) -> np.ndarray:
    for kind in (np.int64, np.uint64):
        try:
            return np.array(plain, dtype=kind)
        except OverflowError:
            pass
    raise ValueError(f"{what}s: expected whole numbers from 0 to 2**64 - 1")


def _is_missing(value: Any) -> bool:
    """As pandas, Arrow and NumPy have it."""
    return value is None or type(value).__name__ in ("NAType", "NaTType") or (isinstance(value, float) and value != value)


def _check_lengths(sources: Sized, targets: Sized, weights: Optional[np.ndarray]) -> None:
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


def _of_pandas(table: Any, name: Any) -> Any:
    return table[name].to_numpy()


def _of_arrow(table: Any, name: str) -> Any:
    return table.column(name).combine_chunks().to_numpy(zero_copy_only=False)


def _of_mapping(table: Any, name: Any) -> Any:
    return _here(table[name])


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
    weights = None if weight is None or ignore_weights else read(table, weight)
    return _of_ends(read(table, source), read(table, target), weights)


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


def check(holds: bool, name: str, value: Any, expected: str) -> None:
    if not holds:
        raise ValueError(f"{name}={value}: must be {expected}")
