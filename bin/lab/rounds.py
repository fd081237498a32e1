"""Rounds of runs, and how far figures of several rounds can be trusted."""

import statistics
import sys
from statistics import geometric_mean


def in_turn(cases, rounds):
    """Each case once a round, round after round, so that other load affects all of them; with a line of progress on a terminal."""
    cases, shown = list(cases), sys.stderr.isatty()
    for number in range(rounds * len(cases)):
        if shown:
            print(f"\rrun {number + 1} of {rounds * len(cases)} ", end="", file=sys.stderr)
        yield cases[number % len(cases)]
    if shown:
        print(file=sys.stderr)


class Figure:
    """A number and between what it lies, where the same is measured again."""

    def __init__(self, mid, low=None, high=None):
        self.mid = mid
        self.low = mid if low is None else low
        self.high = mid if high is None else high

    def __truediv__(self, other):
        return Figure(self.mid / other.mid, self.low / other.high, self.high / other.low)

    @staticmethod
    def of(values):
        """Their median, between the least and the largest."""
        return Figure(statistics.median_high(values), min(values), max(values))

    def widened(self, noise):
        """Not nearer than what one configuration differs from itself, a factor."""
        return Figure(self.mid, min(self.low, self.mid / noise), max(self.high, self.mid * noise))


def number(value):
    """The median of a list by round; the number of a figure."""
    return statistics.median(value) if isinstance(value, list) else getattr(value, "mid", value)


def ratio(over, under, noise=1.0):
    """The ratio of two lists of figures of the same rounds: the median of the rounds' ratios, and between what it lies."""
    rounds = [a / b for a, b in zip(over, under)]
    return Figure(statistics.median(rounds), min(rounds), max(rounds)).widened(noise)


def mean_ratio(ratios):
    ratios = list(ratios)
    return Figure(*(geometric_mean(getattr(r, part) for r in ratios) for part in ("mid", "low", "high")))


def noise_of(*pairs):
    """How far one configuration is from itself, of several the mean: none makes up for another. Pairs of lists, by round."""
    return geometric_mean(max(a / b, b / a) for one, other in pairs for a, b in zip(one, other))
