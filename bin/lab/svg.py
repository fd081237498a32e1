"""Drawing: shapes as SVG text, axes with ticks, numbers for people. Needs nothing but Python."""

import contextlib
import math
from html import escape

# Okabe and Ito's colours, which people with any colour vision can distinguish.
BLUE, ORANGE, GREEN, RED, PURPLE, SKY, YELLOW, GREY = (
    "#0072b2", "#e69f00", "#009e73", "#d55e00", "#cc79a7", "#56b4e9", "#f0e442", "#999999")
COLOURS = [BLUE, ORANGE, GREEN, RED, PURPLE, SKY, YELLOW]
INK, FAINT = "#222222", "#dddddd"
FONT = "font-family='DejaVu Sans, Helvetica, Arial, sans-serif'"


def in_units(number, units):
    """Three digits that count, in the largest unit that is not larger; units: (its size, name), the largest first."""
    size, unit = next((unit for unit in units if abs(number) >= unit[0] * 0.9995), units[-1])
    return f"{number / size:.3g} {unit}".rstrip()


def short(number):
    """1234567 as 1.23 M."""
    return in_units(number, ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"), (1, "")))


def seconds_text(seconds):
    return in_units(seconds, ((1, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))) if seconds else "0 s"


def time_unit(largest):
    """The factor and the name of the unit in which an axis of times up to this is told."""
    for limit, factor, unit in ((1, 1, "s"), (1e-3, 1e3, "ms"), (0, 1e6, "µs")):
        if largest >= limit:
            return factor, unit
    raise ValueError("a time below 0")


def round_step(least):
    """1, 2 or 5 times a power of ten, from `least` on."""
    power = 10 ** math.floor(math.log10(least))
    return next(power * k for k in (1, 2, 5, 10) if power * k >= least)


def counted(number, noun, plural=None):
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


class Drawing:
    """One picture of so many pixels; shapes in the order in which they are drawn."""

    def __init__(self, width, height, title):
        self.width, self.height, self.title = width, height, title
        self.parts = []

    def shape(self, name, about=None, text=None, **attributes):
        told = "".join(f" {key.replace('_', '-')}='{escape(str(value), True)}'" for key, value in attributes.items())
        inside = (f"<title>{escape(about)}</title>" if about else "") + (escape(text) if text is not None else "")
        self.parts.append(f"<{name}{told}>{inside}</{name}>" if inside else f"<{name}{told}/>")

    @contextlib.contextmanager
    def group(self, name):
        """Shapes that a script finds by this class."""
        self.parts.append(f"<g class='{name}'>")
        yield
        self.parts.append("</g>")

    def rect(self, x, y, width, height, fill, about=None, **more):
        self.shape("rect", about, x=f"{x:.2f}", y=f"{y:.2f}", width=f"{max(width, 0):.2f}", height=f"{max(height, 0):.2f}",
                   fill=fill, **more)

    def line(self, x1, y1, x2, y2, stroke=INK, width=1, **more):
        self.shape("line", x1=f"{x1:.2f}", y1=f"{y1:.2f}", x2=f"{x2:.2f}", y2=f"{y2:.2f}", stroke=stroke, stroke_width=width, **more)

    def polyline(self, points, stroke, about=None, **more):
        self.shape("polyline", about, points=" ".join(f"{x:.2f},{y:.2f}" for x, y in points), fill="none", stroke=stroke,
                   stroke_width=more.pop("width", 2), stroke_linejoin="round", **more)

    def text(self, x, y, text, size=12, anchor="start", turned=False, fill=INK, **more):
        if turned:
            more["transform"] = f"rotate(-90 {x:.2f} {y:.2f})"
        self.shape("text", x=f"{x:.2f}", y=f"{y:.2f}", text=text, font_size=size, text_anchor=anchor, fill=fill, **more)

    def dot(self, x, y, fill, about=None, r=4, **more):
        self.shape("circle", about, cx=f"{x:.2f}", cy=f"{y:.2f}", r=f"{r:g}", fill=fill, **more)

    def svg(self, x=None, y=None):
        place = "" if x is None else f" x='{x}' y='{y}'"
        return (f"<svg xmlns='http://www.w3.org/2000/svg' role='img'{place} width='{self.width}' height='{self.height}' "
                f"viewBox='0 0 {self.width} {self.height}' {FONT}><title>{escape(self.title)}</title>"
                f"<rect width='{self.width}' height='{self.height}' fill='white'/>" + "".join(self.parts) + "</svg>")


class Scale:
    """Numbers from `least` to `most` on pixels from `first` to `last`. A log scale extends to powers of ten, one of `counts` begins at 0.5,
    so that a count of 1 lies above the axis. A linear scale that is `whole` extends to the next tick."""

    def __init__(self, least, most, first, last, log=False, counts=False, whole=False):
        self.log = log = log or counts
        if log:
            least = 0.5 if counts else 10 ** math.floor(math.log10(least))
            most = 10 ** math.ceil(math.log10(max(most, least * 1.001)))
        elif most <= least:
            most = least + 1
        self.least, self.most, self.first, self.last = least, most, first, last
        if whole and not log:
            step = self.step()
            self.most = step * math.ceil(most / step - 1e-9)

    def step(self, wanted=5):
        """Between ticks of a linear axis."""
        return round_step((self.most - self.least) / wanted * 0.999)

    def __call__(self, value):
        if self.log:
            value = max(value, self.least)
            part = math.log10(value / self.least) / math.log10(self.most / self.least)
        else:
            part = (value - self.least) / (self.most - self.least)
        return self.first + part * (self.last - self.first)

    def ticks(self, wanted=5):
        if self.log:
            low, high = math.ceil(math.log10(self.least)), round(math.log10(self.most))
            return [10.0 ** power for power in range(low, high + 1, max(1, (high - low) // wanted))]
        step = self.step(wanted)
        first = math.ceil(self.least / step - 1e-9)
        return [k * step for k in range(first, math.floor(self.most / step + 1e-9) + 1)]


class Plot(Drawing):
    """A drawing with a title and room for axes: left, top, right and bottom of the area are pixels. The legend, entries of (colour, what),
    has as many rows as it needs below the title, and the drawing is higher by those after the first."""

    def __init__(self, width, height, title, legend=(), left=86, right=20, top=58, bottom=52):
        placed, x, extra = [], left, 0
        for colour, what in legend:
            room = 17 + 7.4 * len(what)
            if x + room > width - 10 and x > left:
                x, extra = left, extra + 18
            placed.append((x, 44 + extra, colour, what))
            x += room + 18
        super().__init__(width, height + extra, title)
        self.left, self.top, self.right, self.bottom = left, top + extra, width - right, height + extra - bottom
        self.text(left, 24, title, size=15, font_weight="bold")
        for entry in placed:
            self.key(*entry)

    def pixels(self, places):
        """of -> [x, y] of places in a square of side 1 that fills the area."""
        return {of: [self.left + x * (self.right - self.left), self.top + y * (self.bottom - self.top)] for of, (x, y) in places.items()}

    def key(self, x, y, colour, what):
        """An entry of a legend."""
        self.rect(x, y - 10, 12, 12, colour)
        self.text(x + 17, y, what)

    def x_axis(self, scale, name, ticks=None, tell=short):
        self.line(self.left, self.bottom, self.right, self.bottom)
        for value in scale.ticks(8) if ticks is None else ticks:
            at = scale(value)
            self.line(at, self.bottom, at, self.bottom + 5)
            self.text(at, self.bottom + 19, tell(value), size=11, anchor="middle")
        self.text((self.left + self.right) / 2, self.bottom + 40, name, anchor="middle")

    def y_axis(self, scale, name, ticks=None, tell=short):
        for value in scale.ticks() if ticks is None else ticks:
            at = scale(value)
            self.line(self.left, at, self.right, at, FAINT)
            self.line(self.left - 5, at, self.left, at)
            self.text(self.left - 9, at + 4, tell(value), size=11, anchor="end")
        self.line(self.left, self.top, self.left, self.bottom)
        self.text(22, (self.top + self.bottom) / 2, name, anchor="middle", turned=True)


def places(count, most=16):
    """Which of 0 .. count - 1 an axis names, so that names do not touch."""
    return list(range(0, count, round(round_step(max(count / most, 1)))))


def shade(part):
    """From white to dark blue, by lightness: also told apart in grey. part from 0 to 1."""
    stops = [(0.0, (247, 251, 255)), (0.35, (158, 202, 225)), (0.7, (33, 113, 181)), (1.0, (8, 40, 90))]
    part = min(max(part, 0.0), 1.0)
    for (low, dark), (high, darker) in zip(stops, stops[1:]):
        if part <= high:
            share = (part - low) / (high - low)
            return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in zip(dark, darker))
    raise ValueError(part)
