"""Queries in SQL over graphs, results, columns and files."""

from __future__ import annotations

import os
import reprlib
from collections.abc import Mapping
from typing import Any, Dict, List, NamedTuple, Optional, Tuple, Union

import numpy as np

from . import _core, _inputs, _job, _results
from ._graph import Graph

EXPECTED = (
    "a Graph, a result whose graph exists, a dict of columns, a table of pandas or Arrow, a tuple of columns (sources, targets) "
    "or (sources, targets, weights), a structured array, or a file's name"
)


class _Column(NamedTuple):
    """Integers (int64), reals (float64), or indices (int64) of texts."""

    values: np.ndarray
    nulls: Optional[np.ndarray] = None
    texts: Optional[List[str]] = None


def query(sql: str, /, **tables: Any) -> Dict[str, np.ndarray]:
    """The answer to a query in SQL over the given tables: a dict of columns, each an array of shape (rows,).

    A table has the name of its argument, and is one of

    - a Graph: the columns source and target, and weight if it has weights; an undirected edge is two rows;
    - a result with a value for each vertex: vertex and value;
    - a result of edges, as of truss_numbers() or minimum_spanning_forest(): source, target and value;
    - a dict of arrays or lists, a table of pandas or Arrow, or a structured array: its columns;
    - a tuple of columns, (sources, targets) or (sources, targets, weights);
    - the name of a file: CSV, TSV and the like, compressed or not, N-Triples, a graph file, or a directory of files.

    match('(a)-[edges]->(b)-[edges]->(c)') in the place of a table finds patterns of vertices.

    Vertices are ids or names. A result remembers its graph while that exists. The columns of an answer are int64, float64 or
    str. A column of integers with NULL is a masked array; NULL is nan among reals and None among strings. Graph() takes an
    answer; so does pandas.DataFrame(). EXPLAIN gives the steps of a query with their rows and seconds.

    Raises ValueError, with line and column of the query, for a query that is not supported (docs/reference/applications/query.md),
    and for a table that is malformed; OSError for a file that cannot be read; MemoryError if there is no room for the tables or
    the answer. Under mpirun every process gets the answer; arrays are those of process 0.

    >>> g = orujo.Graph([("ann", "bob"), ("bob", "cyd"), ("cyd", "ann"), ("dan", "ann")])
    >>> answer = orujo.query("SELECT source, target FROM edges JOIN ranks ON target = vertex WHERE value > 0.2", edges=g, ranks=orujo.pagerank(g))
    >>> sorted(orujo.Graph(answer).ids)
    ['ann', 'bob', 'cyd', 'dan']
    """
    given: List[Tuple[Any, ...]] = []
    for name, table in tables.items():
        if name.lower() in (other[0].lower() for other in given):
            raise ValueError(f"two tables are called {name!r}, whatever the case; give one another name")
        given.append(_given(name, table))
    _job.ensure_started()
    answer: Dict[str, np.ndarray] = {}
    for name, values, nulls in _core.query(str(sql), given):
        if name in answer:
            raise ValueError(f"two columns of the answer are called {name!r}; rename one: AS name")
        answer[name] = _found(values, nulls)
    return answer


def _found(values: Union[np.ndarray, List[Optional[str]]], nulls: Optional[np.ndarray]) -> np.ndarray:
    if isinstance(values, list):
        texts = np.empty(len(values), dtype=object)
        texts[:] = values
        return texts
    if nulls is None:
        return values
    if values.dtype.kind == "f":
        values[nulls != 0] = np.nan
        return values
    masked: np.ndarray = np.ma.MaskedArray(values, mask=nulls != 0)
    return masked


def _given(name: str, table: Any) -> Tuple[Any, ...]:
    """A table as the core takes it."""
    if isinstance(table, (str, bytes, os.PathLike)):
        path = os.fsencode(table)
        if b"\0" in path:
            raise ValueError("embedded null byte")  # as open() says
        return name, path
    if isinstance(table, Graph) and table._labels is None and table._core.positions:
        return name, table._core  # whose edges the cores bring
    everywhere, columns = _columns(name, table)
    if not columns:
        raise ValueError(f"the table {name!r} has no columns")
    rows = len(columns[0][1].values)
    for other, column in columns:
        if len(column.values) != rows:
            raise ValueError(
                f"the table {name!r} has {rows} rows in the column {columns[0][0]!r} and {len(column.values)} in {other!r}; "
                "expected as many in each"
            )
    words = [column.values.view(np.int64) for _, column in columns]
    shown = [(other, _type(column), each, column.nulls, column.texts or []) for (other, column), each in zip(columns, words)]
    return name, rows, everywhere, shown


def _type(column: _Column) -> str:
    return "text" if column.texts is not None else "real" if column.values.dtype.kind == "f" else "integer"


def _columns(name: str, table: Any) -> Tuple[bool, List[Tuple[str, _Column]]]:
    """Whether every process has the same rows, and the columns."""
    if isinstance(table, Graph):
        sources, targets, weights = _core.edges(table._core)
        found = _ends(name, table, sources, targets)
        return True, found if weights is None else [*found, ("weight", _column(name, "weight", weights))]
    g = _results.graph_of(table)
    if g is not None:
        if table.shape != (g.vertices,):
            raise ValueError(f"the table {name!r} has the shape {table.shape}; expected a value for each of {g.vertices} vertices")
        return True, [("vertex", _vertices(name, g, np.arange(g.vertices))), ("value", _column(name, "value", table))]
    if isinstance(table, tuple) and len(table) in (2, 3):
        g = _results.graph_of_edges(table)
        if g is not None:
            return True, [*_ends(name, g, table[0], table[1]), ("value", _column(name, "value", table[2]))]
        return False, [(column, _column(name, column, values)) for column, values in zip(("source", "target", "weight"), table)]
    found_columns = _named_columns(table)
    if found_columns is None:
        raise TypeError(f"the table {name!r} is a {type(table).__name__}; expected {EXPECTED}")
    return False, [(str(column), _column(name, column, values)) for column, values in found_columns]


def _named_columns(table: Any) -> Optional[List[Tuple[Any, Any]]]:
    if isinstance(table, Mapping):
        return list(table.items())
    if isinstance(table, np.ndarray):
        return None if table.dtype.names is None else [(column, table[column]) for column in table.dtype.names]
    library = type(table).__module__.split(".", 1)[0]
    if library == "pyarrow" and hasattr(table, "column_names"):
        return [(column, _of_arrow(table, column)) for column in table.column_names]
    if hasattr(table, "columns") and hasattr(table, "__getitem__"):
        return [(column, _of_series(table[column])) for column in table.columns]
    return None


def _of_arrow(table: Any, name: str) -> Any:
    # NumPy has no missing integers: Arrow would make reals of them.
    return table.column(name).to_pylist() if table.column(name).null_count else _inputs._of_arrow(table, name)


def _of_series(series: Any) -> Any:
    of_pandas = type(series).__module__.split(".", 1)[0] == "pandas"
    return series.to_numpy(dtype=object) if of_pandas and not isinstance(series.dtype, np.dtype) else series.to_numpy()


def _ends(name: str, g: Graph, sources: np.ndarray, targets: np.ndarray) -> List[Tuple[str, _Column]]:
    return [("source", _vertices(name, g, sources)), ("target", _vertices(name, g, targets))]


def _vertices(name: str, g: Graph, places: np.ndarray) -> _Column:
    """Ids or names of the vertices at these indices into Graph.ids."""
    ids = g.ids
    if isinstance(ids, np.ndarray):
        return _column(name, "vertices", ids[places])
    if all(isinstance(label, str) for label in ids):
        return _Column(np.ascontiguousarray(places, dtype=np.int64), None, ids)
    of_labels = _column(name, "vertices", ids)
    return _Column(of_labels.values[places], None if of_labels.nulls is None else of_labels.nulls[places])


def _column(table: str, name: Any, given: Any) -> _Column:
    what = f"the table {table!r}, {name!r}"
    given = _inputs._here(given)
    masked = np.ma.getmaskarray(given) if isinstance(given, np.ma.MaskedArray) and np.ma.is_masked(given) else None
    if isinstance(given, np.ndarray) or hasattr(given, "__array__"):
        values = np.asarray(given)
    else:
        listed = list(given)
        values = np.empty(len(listed), dtype=object)
        values[:] = listed
    if values.ndim != 1:
        raise ValueError(f"{what}: expected an array of one dimension, not {values.ndim}")
    if values.dtype.kind == "O":
        return _of_objects(what, values, masked)
    if values.dtype.kind == "U":
        texts, places = np.unique(values, return_inverse=True)
        return _Column(places.astype(np.int64), _as_nulls(masked), texts.tolist())
    if values.dtype.kind == "f":
        reals = np.ascontiguousarray(values, dtype=np.float64)
        missing = np.isnan(reals)
        return _Column(reals, _as_nulls(missing if masked is None else missing | masked))
    if values.dtype.kind not in "biu":
        raise TypeError(f"{what}: expected numbers or strings, not {values.dtype}; convert them by astype(str)")
    if values.dtype.kind == "u" and values.size > 0 and values.max() >= 2**63:
        raise ValueError(f"{what}: {values.max()} is beyond 63 bits; convert the column to strings or reals")
    return _Column(np.ascontiguousarray(values, dtype=np.int64), _as_nulls(masked))


def _as_nulls(missing: Optional[np.ndarray]) -> Optional[np.ndarray]:
    return None if missing is None or not missing.any() else np.ascontiguousarray(missing, dtype=np.uint8)


def _of_objects(what: str, values: np.ndarray, masked: Optional[np.ndarray]) -> _Column:
    """Of Python's numbers or strings; what pandas, Arrow and NumPy have for a missing one is NULL."""
    plain = values.tolist()
    missing = np.fromiter(map(_inputs._is_missing, plain), dtype=bool, count=len(plain))
    if masked is not None:
        missing |= masked
    present = [value for value, none in zip(plain, missing.tolist()) if not none]
    nulls = _as_nulls(missing)
    kinds = {_kind(value) for value in present}
    if kinds == {"string"}:
        place: Dict[str, int] = {}
        places = np.zeros(len(plain), dtype=np.int64)
        places[~missing] = [place.setdefault(value, len(place)) for value in present]
        return _Column(places, nulls, list(place))
    if kinds - {"integer", "real"}:
        strings = _kind(present[0]) == "string"
        row = next(k for k, value in enumerate(plain) if not missing[k] and not _fits(_kind(value), strings))
        raise TypeError(f"{what}: row {row} has {reprlib.repr(plain[row])}; expected numbers alone, or strings alone")
    numbers = np.zeros(len(plain), dtype=np.float64 if "real" in kinds else np.int64)
    try:
        numbers[~missing] = present
    except OverflowError:
        raise ValueError(f"{what}: an integer is beyond 64 bits; convert the column to strings or reals") from None
    return _Column(numbers, nulls)


def _fits(kind: Optional[str], strings: bool) -> bool:
    return kind == "string" if strings else kind in ("integer", "real")


def _kind(value: Any) -> Optional[str]:
    if isinstance(value, (int, np.integer, np.bool_)):
        return "integer"
    if isinstance(value, (float, np.floating)):
        return "real"
    return "string" if isinstance(value, str) else None
