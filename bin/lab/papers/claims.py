"""What the papers' parts share: claims, verdicts that allow for noise, words for figures."""

import math
import pathlib
from collections.abc import Callable
from typing import NamedTuple

from lab.charts import bars
from lab.rounds import Figure, mean_ratio, number
from lab.svg import short

YES, NO, CANNOT_TELL = "yes", "no", "cannot tell"
# Verdict for a figure of another machine or program that is not measured here.
NOT_COMPARED = "not compared"


class Claim(NamedTuple):
    """A row of the table."""
    where: str
    what: str
    paper: str
    here: str
    holds: str
    why: str = ""
    size: str = ""  # of the paper's runs; of those here


class Part(NamedTuple):
    """The programs that a part of a paper runs, and how large the runs are."""
    programs: list
    paper: str
    here: Callable  # of the options

    def size(self, options):
        return f"{self.paper}; {self.here(options)}"


class Bars(NamedTuple):
    """A chart and its numbers: a row per group, a bar per column."""
    name: str
    title: str
    unit: str
    columns: list
    rows: dict  # group -> figures, or lists by round; or these by column
    log: bool = False

    def write(self, folder):
        columns = [str(column) for column in self.columns]
        rows = [(str(group), list(map(number, values.values() if isinstance(values, dict) else values)))
                for group, values in dict(self.rows).items()]
        lines = ["# " + "\t".join(["group", *columns]), *("\t".join([group, *(f"{value:.6g}" for value in values)]) for group, values in rows)]
        pathlib.Path(folder, f"{self.name}.dat").write_text("\n".join(lines) + "\n")
        drawn = [(group, [(value, short(value)) if 0 < value < math.inf else None for value in values]) for group, values in rows]
        pathlib.Path(folder, f"{self.name}.svg").write_text(bars(self.title, self.unit, columns, drawn, self.log).svg())


def at_least(figure, bar):
    if figure.low >= bar:
        return YES
    return NO if figure.high < bar else CANNOT_TELL


def at_most(figure, bar):
    if figure.high <= bar:
        return YES
    return NO if figure.low > bar else CANNOT_TELL


def between(figure, least, most):
    return both(at_least(figure, least), at_most(figure, most))


def both(*verdicts):
    if NO in verdicts:
        return NO
    return YES if all(v == YES for v in verdicts) else CANNOT_TELL


def gains(ratios):
    """Whether they are a gain as a whole and a loss nowhere, beyond noise."""
    whole = at_least(mean_ratio(ratios), 1)
    return NO if any(r.high < 1 for r in ratios) else whole


def times(r):
    return f"{r.mid if isinstance(r, Figure) else r:.2f}x"


def because(*reasons):
    return "; ".join(reason for reason in reasons if reason)


def listed(values):
    return ", ".join(f"{name}{':' * isinstance(name, int)} {value}" for name, value in values.items())


def shown(ratios):
    return listed({name: times(r) for name, r in ratios.items()})


def noise_text(noise):
    """A factor, or several by name, of which the largest counts."""
    return f"the same twice: {times(max(noise.values()) if isinstance(noise, dict) else noise)}"


def across(table):
    """column -> row -> value of row -> column -> value."""
    return {column: {row: of[column] for row, of in table.items()} for column in next(iter(table.values()))}
