"""Runs of engine_lab and minimd for the papers about loops over edges and schedules: lists of figures by round."""

import pathlib
from functools import partialmethod

from lab.rounds import noise_of

PAPER_CORES = 28
DEFAULTS = {"phase_interface": "scheduler_aware", "engine": "pull", "algorithm": "pagerank", "schedule": "dynamic"}


class Engine:
    def __init__(self, plan):
        self.plan = plan
        scale = plan.options.scale
        width = int(2 ** (scale / 2))
        made = {"Kronecker": f"kronecker:{scale}", "uniform": f"uniform:{scale}", "mesh": f"mesh2d:{width}x{width}"}
        self.graphs = {name: (f"--generate={spec}", "--symmetrize") for name, spec in made.items()}
        # Directed, so that some vertices, and some ranges of them, have most of the in-edges.
        self.skewed = {"Kronecker": (f"--generate=kronecker:{scale}",),
                       "preferential": (f"--generate=barabasi_albert:{2 ** scale}",)}
        for file in plan.options.graphs:
            self.skewed[pathlib.Path(file).name.split(".")[0]] = (f"--graph={file}",)
        self.sizes = {f"size {size}": (f"--size={size}",) for size in plan.options.sizes}

    def values(self, of_trial, source, again=False, cores=None, **flags):
        o = self.plan.options
        program = "minimd" if source[0].startswith("--size") else "engine_lab"
        if program == "minimd":
            fixed = [f"--steps={o.steps}"]
        else:
            flags = {name: value for name, value in flags.items() if DEFAULTS.get(name) != value}
            if flags.get("engine") != "push":  # which has a schedule of its own
                flags.setdefault("schedule", DEFAULTS["schedule"])
            fixed = ["--remove_self_loops"] + ([] if "algorithm" in flags else [f"--iterations={o.iterations}"])
        given = [f"--{name}={value}" for name, value in sorted(flags.items())]
        command = self.plan.command(program, *source, *fixed, *given, cores=cores, trials=o.trials)
        return self.plan.trials(command, of_trial, again)

    # Milliseconds of an edge-pull phase, an edge-push phase, a vertex phase, a whole run, and a step's loop over the forces.
    pull = partialmethod(values, lambda t: 1e3 * t["pull_seconds"] / max(t["pulls"], 1))
    push = partialmethod(values, lambda t: 1e3 * t["push_seconds"] / max(t["pushes"], 1), engine="push")
    vertex = partialmethod(values, lambda t: 1e3 * t["vertex_seconds"] / max(t["iterations"], 1))
    total = partialmethod(values, lambda t: 1e3 * t["seconds"])
    force = partialmethod(values, lambda t: 1e3 * t["force_seconds"] / t["steps"])
    # By how many percent the busiest core's processor time in the loop exceeds the cores' mean, and so the load that it begins with,
    # which takes no clock.
    imbalance = partialmethod(values, lambda t: 100 * t["imbalance"])
    dealt = partialmethod(values, lambda t: 100 * t["dealt_imbalance"])

    def noise(self, measure, source, **flags):
        """How far a measure is from itself."""
        return noise_of((measure(source, **flags), measure(source, again=True, **flags)))

    def packing(self, source, lanes):
        o = self.plan.options
        command = self.plan.command("engine_lab", *source, "--remove_self_loops", f"--iterations={o.iterations}",
                                   f"--schedule={DEFAULTS['schedule']}", trials=o.trials)
        return self.plan.figures(command, lambda run: run["packing_efficiency"][str(lanes)])[0]

    def told(self):
        o = self.plan.options
        named = ", ".join(f"{name} {source[0].split('=')[1]}" for name, source in self.graphs.items())
        skewed = ", ".join(source[0].split("=")[1].split("/")[-1] for source in self.skewed.values())
        return (f"Graphs: {named}, symmetrized, {o.iterations} iterations of PageRank. Vertices are dealt on {skewed}, as directed "
                f"as they are; minimd does {o.steps} steps.")
