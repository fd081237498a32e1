"""Clustered bars of what the papers' figures show, as SVG, and the numbers beside as text."""

import math
import statistics

from svg import COLOURS, GREY, Plot, Scale, short


class Bars:
    """A row per group, a column per bar. log: bars are the tops of a logarithmic scale."""

    def __init__(self, name, title, unit, columns, rows, log=False):
        self.name, self.title, self.unit, self.log = name, title, unit, log
        self.columns = [str(c) for c in columns]
        self.rows = [(str(group), [number(v) for v in values]) for group, values in rows]

    def write(self, folder):
        lines = ["# " + "\t".join(["group", *self.columns])]
        lines += ["\t".join([group, *(f"{value:.6g}" for value in values)]) for group, values in self.rows]
        (folder / f"{self.name}.dat").write_text("\n".join(lines) + "\n")
        (folder / f"{self.name}.svg").write_text(self.draw())

    def draw(self):
        names = max(len(group) for group, _ in self.rows)
        slanted = names * 7 > 700 / len(self.rows)
        plot = Plot(800, 480, self.title, bottom=52 + (min(names, 24) * 5 if slanted else 0))
        values = [v for _, row in self.rows for v in row if v > 0] or [1]
        scale = Scale(min(values) if self.log else 0, max(values) * (1 if self.log else 1.05), plot.bottom, plot.top, self.log)
        plot.y_axis(scale, self.unit)
        plot.legend(plot.left, 44, list(zip(self.colours(), self.columns)))
        room = (plot.right - plot.left) / len(self.rows)
        width = room * 0.8 / len(self.columns)
        for k, (group, row) in enumerate(self.rows):
            first = plot.left + k * room + room * 0.1
            for c, value in enumerate(row):
                if value > 0 and math.isfinite(value):
                    top = scale(value)
                    plot.rect(first + c * width, top, width, plot.bottom - top, self.colours()[c],
                              f"{group}, {self.columns[c]}: {short(value)} {self.unit}")
            middle = first + room * 0.4
            if slanted:
                plot.text(middle, plot.bottom + 14, group[:24], size=10, anchor="end", transform=f"rotate(-35 {middle:.2f} {plot.bottom + 14})")
            else:
                plot.text(middle, plot.bottom + 18, group, size=11, anchor="middle")
        plot.line(plot.left, plot.bottom, plot.right, plot.bottom)
        return plot.svg()

    def colours(self):
        return [COLOURS[k] if k < len(COLOURS) else GREY for k in range(len(self.columns))]


def number(value):
    """Of a list by round its median."""
    return statistics.median(value) if isinstance(value, list) else getattr(value, "mid", value)
