"""Pictures of what --output=FILE.csv has: the top vertices, the largest groups, how values are distributed."""

import collections
import csv
import functools
import math

from lab.charts import WIDTH
from lab.report.stats_charts import counts_chart
from lab.svg import BLUE, FAINT, Plot, Scale, counted, short

MOST_BARS = 20
MOST_KINDS = 64  # different values of which each has a point of its own
GROUPS = ("label", "color")  # columns whose values are names of groups, not amounts
NEITHER = ("parent",)  # properties of vertices
NOTHING = {"level": -1}  # the value of a column for a vertex without one


@functools.cache
def read_columns(path):
    """The ids, and name -> values of the columns after them."""
    with open(path, newline="", encoding="utf-8") as file:
        names, *rows = list(csv.reader(file)) or [[]]
    if len(names) < 2 or names[0] != "id":
        raise ValueError("its first line is not that of --output=FILE.csv")
    columns = list(zip(*rows)) or [()] * len(names)
    return columns[0], dict(zip(names[1:], columns[1:]))


def first_column(path):
    """The name of the first column of values and id -> text of it; (None, {}) without a file."""
    ids, columns = read_columns(path) if path else ((), {})
    name = next((name for name in columns if name not in NEITHER), None)
    return name, dict(zip(ids, columns[name])) if name else {}


def numbers_of(name, texts):
    """The values of a column of amounts; None of one that names groups."""
    try:
        return [float(text) for text in texts] if name not in GROUPS else None
    except ValueError:
        return None


def has_value(name, value):
    return math.isfinite(value) and value != NOTHING.get(name)


def are_few(kinds):
    """Whether these different values are few whole numbers."""
    return len(kinds) <= MOST_KINDS and all(value == int(value) for value in kinds)


def rows_chart(title, axis, rows, about, tell=short):
    """(name, value) from the top down: bars on a scale that has the 0; dots on a logarithmic scale for counts of which bars would be too
    short to see."""
    rows = rows[:MOST_BARS]
    longest = max((len(name) for name, _ in rows), default=1)
    plot = Plot(WIDTH, 96 + 22 * len(rows), title, left=min(40 + 7.6 * min(longest, 40), 380), top=40)
    values = [value for _, value in rows] + [0]
    uneven = tell is not short and max(values) > 50 * min(values[:-1], default=1)
    x = Scale(min(values), max(values), plot.left, plot.right - 70, counts=uneven)
    for k, (name, value) in enumerate(rows):
        top = plot.top + 22 * k
        if uneven:
            plot.line(plot.left, top + 11, x(value), top + 11, FAINT, 2)
            plot.dot(x(value), top + 11, BLUE, about(name, value))
        else:
            plot.rect(min(x(0), x(value)), top + 2, abs(x(value) - x(0)), 18, BLUE, about(name, value))
        plot.text(plot.left - 7, top + 15, name if len(name) <= 40 else name[:39] + "…", anchor="end")
        plot.text((x(value) + 4 if uneven else max(x(0), x(value))) + 5, top + 15, tell(value), size=11)
    plot.line(x(0), plot.top, x(0), plot.bottom)
    plot.x_axis(x, axis)
    return plot


def spread_chart(name, values):
    """Values in descending order, both axes logarithmic."""
    plot = Plot(WIDTH, 300, f"All vertices in the order of their {name}", top=40)
    ordered = sorted((value for value in values if value > 0), reverse=True)
    x, y = Scale(1, len(ordered), plot.left, plot.right, log=True), Scale(ordered[-1], ordered[0], plot.bottom, plot.top, log=True)
    positions = sorted({min(int(1.05 ** k), len(ordered)) for k in range(1, 400)} | {1, len(ordered)})
    plot.y_axis(y, name, tell=lambda value: f"{value:.0e}" if value < 0.01 else short(value))
    plot.polyline([(x(position), y(ordered[position - 1])) for position in positions], BLUE, name)
    plot.x_axis(x, "position in this order")
    return plot


def kinds_chart(name, kinds):
    """How many vertices have each value, of few whole numbers: on a scale of them, or side by side if most are far apart."""
    ordered = sorted(kinds)
    if ordered[-1] - ordered[0] < 2 * MOST_KINDS:
        ordered = [ordered[0] + k for k in range(int(ordered[-1] - ordered[0]) + 1)]
    points = [(k, kinds[value], f"{value:g}") for k, value in enumerate(ordered) if value in kinds]
    return counts_chart(f"Vertices by {name}", name, {name: points}, len(ordered), lambda k: f"{ordered[k]:g}")


def charts(path):
    """(name, drawing, caption) for each column."""
    ids, columns = read_columns(path)
    for name, texts in columns.items():
        if name in NEITHER:
            continue
        values = numbers_of(name, texts)
        if values is None:
            sizes = collections.Counter(texts)
            drawn = rows_chart(f"Largest groups of one {name}, of {len(sizes):,}", "vertices", sizes.most_common(),
                               lambda group, size: f"{group}: {size:,}", "{:,}".format)
            yield f"groups_{name}", drawn, "Number of vertices with the same value."
            continue
        finite = [(vertex, value) for vertex, value in zip(ids, values) if has_value(name, value)]
        if not finite:
            continue
        kinds = collections.Counter(value for _, value in finite)
        without = len(values) - len(finite)
        left_out = f" Without a {name}: {counted(without, 'vertex', 'vertices')}." if without else ""
        top = sorted(finite, key=lambda row: (-row[1], len(row[0]), row[0]))  # (id, value), the largest first
        largest = kinds[top[0][1]]
        tied = largest >= MOST_BARS  # bars of one length
        if not tied:
            drawn = rows_chart(f"Top vertices by {name}", name, top, lambda vertex, value: f"{vertex}: {value:g}")
            yield f"top_{name}", drawn, f"The {min(MOST_BARS, len(top))} largest of {len(top):,} values.{left_out}"
        else:
            left_out = (f" {largest:,} vertices have the largest {name}, {top[0][1]:g}, among them "
                        f"{', '.join(vertex for vertex, _ in top[:5])}.{left_out}")
        if are_few(kinds):
            yield f"spread_{name}", kinds_chart(name, kinds), f"Number of vertices with each {name}; the vertical axis is logarithmic.{left_out}"
        elif sum(value > 0 for _, value in finite) > 1:
            yield (f"spread_{name}", spread_chart(name, [value for _, value in finite]),
                   f"From the largest to the smallest that is above 0; both axes are logarithmic.{left_out if tied else ''}")
