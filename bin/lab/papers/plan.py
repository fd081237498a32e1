"""The runs that the claims want, in turn; those of engine_lab and minimd by what is measured of them."""

import pathlib
import statistics
from functools import partialmethod

from lab.rounds import in_turn, noise_of
from lab.runs import NoNodes, built, run

PAPER_CORES = 28  # of PPoPP and ICPP
DEFAULTS = {"phase_interface": "scheduler_aware", "engine": "pull", "algorithm": "pagerank", "schedule": "dynamic"}


def excess_over_median(values):
    return max(values) / statistics.median(values) - 1 if max(values) > 0 else 0.0


class Plan:
    """Runs by what is run: a command, and whether it is the same once more. The first pass over the claims only notes which
    they want; measure() runs these in turn, round after round; then the claims get figures, a list by round."""

    def __init__(self, options):
        self.options = options
        self.runs = {}
        self.without = {}  # command -> why this machine cannot run it
        self.measured = False
        scale = options.scale
        width = int(2 ** (scale / 2))
        made = {"Kronecker": f"kronecker:{scale}", "uniform": f"uniform:{scale}", "mesh": f"mesh2d:{width}x{width}"}
        self.graphs = {name: (f"--generate={spec}", "--symmetrize") for name, spec in made.items()}
        # Directed, so that some vertices, and some ranges of them, have most of the in-edges.
        self.skewed = {"Kronecker": (f"--generate=kronecker:{scale}",), "preferential": (f"--generate=barabasi_albert:{2 ** scale}",)}
        self.skewed |= {pathlib.Path(file).name.split(".")[0]: (f"--graph={file}",) for file in options.graphs}
        self.sizes = {f"size {size}": (f"--size={size}",) for size in options.sizes}

    def measure(self):
        for key in in_turn(self.runs, self.options.rounds):
            try:
                self.runs[key].append(run(key[0]))
            except NoNodes as why:
                self.without[key[0]] = why.reason
        self.measured = True

    def command(self, name, *flags, locales=1, cores=None, trials=None):
        """One process; `trials` where the program takes them."""
        return (built(name, self.options.programs), f"--locales={locales}", f"--cores={cores or self.options.cores}", *flags,
                *([f"--trials={trials}"] if trials else []), *(["--pin=false"] if self.options.nopin else []))

    def figures(self, command, of_run, again=False, placeholder=1.0):
        """By round what of_run(a Run) is; before anything is measured, and where it cannot be, a placeholder."""
        found = self.runs.setdefault((tuple(command), again), [])
        if not self.measured or tuple(command) in self.without:
            return [placeholder] * self.options.rounds
        return [of_run(ran) for ran in found]

    def trials(self, command, of_trial, again=False):
        """By round the median of the trials but the first."""
        return self.figures(command, lambda ran: max(statistics.median(map(of_trial, ran.trials())), 1e-12), again)

    def twice(self, command, of_trial):
        """The same, and how far it is from itself."""
        figures = self.trials(command, of_trial)
        return figures, noise_of((figures, self.trials(command, of_trial, again=True)))

    def each(self, command, names, of_stats, noisy=None):
        """name -> by round what of_stats(JSON of a run, name) is, and how far those that are `noisy`, or all, are from themselves."""
        found, again = ({name: self.figures(command, lambda ran, name=name: of_stats(ran.stats, name), again) for name in names} for again in (False, True))
        return found, noise_of(*((found[name], again[name]) for name in noisy or names))

    def values(self, of_trial, source, again=False, cores=None, **flags):
        """Of engine_lab on a graph, or of minimd on a size."""
        o = self.options
        program = "minimd" if source[0].startswith("--size") else "engine_lab"
        if program == "minimd":
            fixed = [f"--steps={o.steps}"]
        else:
            flags = {name: value for name, value in flags.items() if DEFAULTS.get(name) != value}
            if flags.get("engine") != "push":  # which has a schedule of its own
                flags.setdefault("schedule", DEFAULTS["schedule"])
            fixed = ["--remove_self_loops"] + ([] if "algorithm" in flags else [f"--iterations={o.iterations}"])
        given = [f"--{name}={value}" for name, value in sorted(flags.items())]
        return self.trials(self.command(program, *source, *fixed, *given, cores=cores, trials=o.trials), of_trial, again)

    # Milliseconds of an edge-pull phase, an edge-push phase, a vertex phase, a whole run, and a step's loop over the forces.
    pull = partialmethod(values, lambda t: 1e3 * t["pull_seconds"] / max(t["pulls"], 1))
    push = partialmethod(values, lambda t: 1e3 * t["push_seconds"] / max(t["pushes"], 1), engine="push")
    vertex = partialmethod(values, lambda t: 1e3 * t["vertex_seconds"] / max(t["iterations"], 1))
    total = partialmethod(values, lambda t: 1e3 * t["seconds"])
    force = partialmethod(values, lambda t: 1e3 * t["force_seconds"] / t["steps"])
    # By how many percent the busiest core's processor time in the loop exceeds the cores' mean, and so the load that it begins with,
    # which takes no clock.
    imbalance = partialmethod(values, lambda t: 100 * t["imbalance"])
    over_median = partialmethod(values, lambda t: 100 * excess_over_median(t.get("pull_cpu_seconds") or t["force_cpu_seconds"]))
    dealt = partialmethod(values, lambda t: 100 * t["dealt_imbalance"])

    def by_graph(self, measure, **flags):
        return {name: measure(source, **flags) for name, source in self.graphs.items()}

    def noise(self, measure, source, **flags):
        """How far a measure is from itself."""
        return noise_of((measure(source, **flags), measure(source, again=True, **flags)))

    def noises(self, measure, **flags):
        """The same by graph."""
        return {name: self.noise(measure, source, **flags) for name, source in self.graphs.items()}

    def packing(self, source, lanes):
        o = self.options
        command = self.command("engine_lab", *source, "--remove_self_loops", f"--iterations={o.iterations}",
                               f"--schedule={DEFAULTS['schedule']}", trials=o.trials)
        return self.figures(command, lambda ran: ran.stats["packing_efficiency"][str(lanes)])[0]

    def fewer_cores(self):
        return f"{self.options.cores} cores instead of {PAPER_CORES}" if self.options.cores < PAPER_CORES else ""

    def told(self):
        o = self.options
        named = ", ".join(f"{name} {source[0].split('=')[1]}" for name, source in self.graphs.items())
        skewed = ", ".join(source[0].split("=")[1].split("/")[-1] for source in self.skewed.values())
        return (f"Graphs: {named}, symmetrized, {o.iterations} iterations of PageRank. Vertices are dealt on {skewed}, as directed "
                f"as they are; minimd does {o.steps} steps.")
