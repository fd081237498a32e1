"""The charts that several reports have in common: columns, lines and bars. Colours, shapes and axes are those of svg.py."""

import math

from lab.svg import COLOURS, FAINT, GREY, RED, Plot, Scale, places, short, time_unit

WIDTH = 940  # of the pictures in the report of a run


def slots(count, plot):
    """The horizontal scale of `count` equal slots; k is the middle of a slot."""
    return Scale(-0.5, count - 0.5, plot.left, plot.right)


def columns(title, stacks, axis, names, legend, unit=None, most=None, mark=None, width=WIDTH, height=320):
    """A column for each of `stacks`, which are lists of (value, colour, what it says) from below. Values are seconds where there is no
    unit. `most` is the top of their axis, `mark` the value of a dashed line."""
    plot = Plot(width, height, title, legend)
    most = most or max(sum(value for value, *_ in stack) for stack in stacks)
    factor, unit = (1, unit) if unit else time_unit(most)
    x, y = slots(len(stacks), plot), Scale(0, most * factor, plot.bottom, plot.top, whole=True)
    plot.y_axis(y, unit)
    wide = min((x(1) - x(0)) * (0.8 if len(stacks) <= 100 else 1), 120)
    for k, stack in enumerate(stacks):
        low = 0.0
        for value, colour, about in stack:
            high = low + value * factor
            plot.rect(x(k) - wide / 2, y(high), wide, y(low) - y(high), colour, about)
            low = high
    if mark is not None:
        plot.line(plot.left, y(mark * factor), plot.right, y(mark * factor), RED, 2, stroke_dasharray="6 4")
    plot.x_axis(x, axis, places(len(stacks), 24), lambda k: str(names[k]))
    return plot


def gains(title, axis, counts, series, weak, bands=None, log=False):
    """How many times as fast as one the programs of `series` are on so many cores, locales or nodes: name -> a gain by count, or None.
    Weak scaling: the time of one over the time of all. bands: name -> (low, high) factors by count."""
    names = list(counts)
    told = {name: [(k, gain) for k, gain in enumerate(found) if gain] for name, found in series.items()}
    plot = Plot(720, 400, title, [*zip(COLOURS, series), (GREY, "ideal")])
    x, best = slots(len(names), plot), max([gain for points in told.values() for _, gain in points], default=1)
    y = Scale(1 if log else 0, max(best, 1.2 if weak else names[-1]), plot.bottom, plot.top, log)
    inside = lambda gain: max(plot.top, min(plot.bottom, y(gain)))  # noqa: E731
    plot.y_axis(y, "time of one / time" if weak else "times as fast as one")
    plot.polyline([(x(k), inside(1 if weak else count)) for k, count in enumerate(names)], GREY, "ideal", stroke_dasharray="6 4")
    for (name, points), colour in zip(told.items(), COLOURS):
        band = (bands or {}).get(name, [])
        edges = [[(x(k), inside(gain * band[k][side])) for k, gain in points] for side in (0, 1) if band]
        if edges:
            around = " ".join(f"{a:.2f},{b:.2f}" for a, b in edges[0] + edges[1][::-1])
            plot.shape("polygon", f"{name}: as far as the model was off", points=around, fill=colour, fill_opacity="0.15")
        plot.polyline([(x(k), inside(gain)) for k, gain in points], colour, name)
        for k, gain in points:
            plot.dot(x(k), inside(gain), colour, f"{name}, {names[k]:,}: {gain:.2f}", r=3)
    plot.x_axis(x, axis, range(len(names)), lambda k: f"{names[k]:,}")
    return plot


def bars(title, unit, names, rows, log=False, mark=None):
    """Rows of (what, a bar for each of `names`), from the top down. A bar is (value, its label), or None. mark: the value of a dashed line."""
    high, gap = 12, 12
    row = high * len(names) + gap
    colours = [COLOURS[c] if c < len(COLOURS) else GREY for c in range(len(names))]
    plot = Plot(760, 58 + row * len(rows) + 52, title, [] if names == [""] else zip(colours, names), left=250, right=70)
    values = [bar[0] for _, each in rows for bar in each if bar]
    least = min([*values, math.inf if mark is None else mark], default=1)
    scale = Scale(least if log else 0, max(values, default=1), plot.left, plot.right, log, whole=True)
    for value in scale.ticks(8):
        plot.line(scale(value), plot.top, scale(value), plot.bottom, FAINT)
    labels = []
    for k, (what, each) in enumerate(rows):
        top = plot.top + k * row + gap / 2
        plot.text(plot.left - 8, top + (row - gap) / 2 + 4, what, anchor="end")
        for c, bar in enumerate(each):
            if bar:
                at = scale(bar[0])
                plot.rect(plot.left, top + c * high, at - plot.left, high - 1, colours[c], f"{what} {names[c]}: {bar[1]} {unit}")
                labels.append((at + 5, top + c * high + 9, bar[1]))
    plot.line(plot.left, plot.top, plot.left, plot.bottom)
    if mark is not None:
        plot.line(scale(mark), plot.top, scale(mark), plot.bottom, stroke_dasharray="4 3")
    for x, y, text in labels:  # over the lines, which they interrupt
        plot.rect(x - 2, y - 9, 6.4 * len(text) + 3, high - 1, "white")
        plot.text(x, y, text, size=10)
    plot.x_axis(scale, unit, tell=short)
    return plot
