"""Pictures of what --output=FILE.csv has: the top vertices, how values are spread, the largest groups."""

import collections
import csv
import math

from stats_charts import WIDTH
from svg import BLUE, Plot, Scale, short

MOST_BARS = 20
GROUPS = ("label", "color")  # columns whose values are names of groups, not amounts
NEITHER = ("parent",)  # properties of vertices
NOTHING = {"level": -1}  # the value of a column for a vertex without one


def read_columns(path):
    """name -> values, of the columns behind the ids, and the ids."""
    with open(path, newline="", encoding="utf-8") as file:
        rows = csv.reader(file)
        names = next(rows, [])
        if len(names) < 2 or names[0] != "id":
            raise ValueError("its first line is not that of --output=FILE.csv")
        columns = list(zip(*rows)) or [()] * len(names)
    return columns[0], dict(zip(names[1:], columns[1:]))


def bars(title, axis, rows, about):
    """(name, value) from the top down, on a scale that has the 0."""
    rows = rows[:MOST_BARS]
    longest = max((len(name) for name, _ in rows), default=1)
    plot = Plot(WIDTH, 96 + 22 * len(rows), title, left=min(40 + 7.6 * min(longest, 40), 380), top=40)
    values = [value for _, value in rows] + [0]
    x = Scale(min(values), max(values), plot.left, plot.right - 70)
    for k, (name, value) in enumerate(rows):
        top = plot.top + 22 * k
        plot.rect(min(x(0), x(value)), top + 2, abs(x(value) - x(0)), 18, BLUE, about(name, value))
        plot.text(plot.left - 7, top + 15, name if len(name) <= 40 else name[:39] + "…", anchor="end")
        plot.text(max(x(0), x(value)) + 5, top + 15, short(value), size=11)
    plot.line(x(0), plot.top, x(0), plot.bottom)
    plot.x_axis(x, axis)
    return plot


def top_chart(name, ids, values):
    top = sorted(zip(ids, values), key=lambda row: (-row[1], row[0]))
    return bars(f"The top vertices by {name}", name, top, lambda vertex, value: f"{vertex}: {value:g}")


def groups_chart(name, values):
    sizes = collections.Counter(values)
    return bars(f"The largest groups of equal {name}, of {len(sizes):,}", "vertices", sizes.most_common(), lambda group, size: f"{group}: {size:,}")


def spread_chart(name, values):
    """Values in descending order, both axes by powers where all are positive."""
    plot = Plot(WIDTH, 300, f"All vertices by descending {name}", top=40)
    ordered = sorted((value for value in values if value > 0), reverse=True)
    x, y = Scale(1, len(ordered), plot.left, plot.right, log=True), Scale(ordered[-1], ordered[0], plot.bottom, plot.top, log=True)
    places = sorted({min(int(1.05 ** k), len(ordered)) for k in range(1, 400)} | {1, len(ordered)})
    plot.y_axis(y, name, tell=lambda value: f"{value:.0e}" if value < 0.01 else short(value))
    plot.polyline([(x(place), y(ordered[place - 1])) for place in places], BLUE, name)
    plot.x_axis(x, "position")
    return plot


def charts(path):
    """(name, drawing, caption) for each column."""
    ids, columns = read_columns(path)
    for name, texts in columns.items():
        if name in NEITHER:
            continue
        try:
            values = [float(text) for text in texts] if name not in GROUPS else None
        except ValueError:
            values = None
        if values is None:
            yield f"groups_{name}", groups_chart(name, texts), "How many vertices have the same value."
            continue
        finite = [(vertex, value) for vertex, value in zip(ids, values) if math.isfinite(value) and value != NOTHING.get(name)]
        if not finite:
            continue
        yield f"top_{name}", top_chart(name, *zip(*finite)), f"The {min(MOST_BARS, len(finite))} largest of {len(finite):,} values."
        if sum(value > 0 for _, value in finite) > 1:
            yield (f"spread_{name}", spread_chart(name, [value for _, value in finite]),
                   "From the largest to the smallest that is above 0; both axes by powers.")
