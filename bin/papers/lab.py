"""What the papers' parts share: runs of programs, in turn; figures of them with their spread; verdicts that allow for noise."""

import json
import math
import pathlib
import statistics
import subprocess
import sys
import tempfile

YES, NO, CANNOT_TELL = "yes", "no", "cannot tell"
# Verdict for a figure of another machine or program that is not measured here.
NOT_COMPARED = "not compared"


def geometric_mean(values):
    values = list(values)
    return math.exp(sum(math.log(v) for v in values) / len(values))


class Figure:
    """A number and between what it lies, where the same is measured again."""

    def __init__(self, mid, low=None, high=None):
        self.mid = mid
        self.low = mid if low is None else low
        self.high = mid if high is None else high

    def __str__(self):
        return f"{self.mid:.3g}"


def ratio(over, under, noise=1.0):
    """Of two lists of figures of the same rounds: the median of the rounds' ratios, between the least and the largest
    of them, and not nearer than what one configuration differs from itself."""
    rounds = [a / b for a, b in zip(over, under)]
    mid = statistics.median(rounds)
    return Figure(mid, min(*rounds, mid / noise), max(*rounds, mid * noise))


def mean_ratio(ratios):
    ratios = list(ratios)
    return Figure(*(geometric_mean(getattr(r, part) for r in ratios) for part in ("mid", "low", "high")))


def noise_of(*pairs):
    """How far one configuration is from itself, of several the mean: none makes up for another. Pairs of lists, by round."""
    found = [max(a / b, b / a) for one, other in pairs for a, b in zip(one, other)]
    return geometric_mean(found)


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
    return ", ".join(f"{name} {value}" for name, value in values.items())


def noise_text(noise):
    return f"the same twice: {times(noise)}"


class Claim:
    def __init__(self, where, what, paper, ours, holds, why=""):
        self.cells = [where, what, paper, ours, holds, why]


class Lab:
    """Runs by what is run: a command, and whether it is the same once more. The first pass over the claims only notes which
    they want; measure() runs these in turn, round after round; then the claims get figures, a list by round."""

    def __init__(self, options):
        self.options = options
        self.runs = {}
        self.measured = False

    def measure(self):
        total = len(self.runs) * self.options.rounds
        with tempfile.TemporaryDirectory() as folder:
            found = pathlib.Path(folder) / "found.json"
            for number in range(total):
                key = list(self.runs)[number % len(self.runs)]
                if sys.stderr.isatty():
                    print(f"\rrun {number + 1} of {total} ", end="", file=sys.stderr)
                self.runs[key].append(self.run_once(key, found))
        if sys.stderr.isatty():
            print(file=sys.stderr)
        self.measured = True

    @staticmethod
    def run_once(key, found):
        command = list(key[0])
        if any(part.endswith("/benchmarks") for part in command):
            command += [f"--benchmark_out={found}", "--benchmark_out_format=json"]
        else:
            command += [f"--stats_json={found}"]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"orujo: {' '.join(command)}\nended with status {done.returncode}:\n{done.stderr.strip()}")
        return json.loads(found.read_text())

    def program(self, name):
        folder = self.options.programs
        return str(folder / ("tests" if name == "benchmarks" else "applications") / name)

    def command(self, name, *flags, locales=1, cores=None, trials=None):
        """One process; `trials` where the program takes them."""
        return (self.program(name), f"--locales={locales}", f"--cores={cores or self.options.cores}", *flags,
                *([f"--trials={trials}"] if trials else []), *(["--pin=false"] if self.options.nopin else []))

    def launched(self, name, *flags, locales=2, cores=1):
        """A process for each locale, by the launcher."""
        return (str(self.options.launcher), "run", "-n", str(locales), "-c", str(cores), self.program(name), *flags)

    def figures(self, command, of_run, again=False, placeholder=1.0):
        """By round what of_run(the program's JSON) is; before anything is measured a placeholder."""
        runs = self.runs.setdefault((tuple(command), again), [])
        if not self.measured:
            return [placeholder] * self.options.rounds
        return [of_run(run) for run in runs]

    def trials(self, command, of_trial, again=False, placeholder=1.0):
        """By round the median of the trials but the first, which touches the memory for the first time."""
        def of_run(run):
            return max(statistics.median(of_trial(t) for t in run["trials"][1:] or run["trials"]), 1e-12)

        return self.figures(command, of_run, again, placeholder)

    def fewer_cores(self, of_paper):
        return f"{self.options.cores} cores instead of {of_paper}" if self.options.cores < of_paper else ""
