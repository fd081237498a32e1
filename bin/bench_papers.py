#!/usr/bin/env python3
"""Repeats what two papers claim, with engine_lab and minimd, and writes a table and plots. Run by `bin/orujo bench papers`.

  PPoPP  Grossman, Litz, Kozyrakis: "Making Pull-Based Graph Processing Performant", PPoPP 2018 (its figures 5 to 10)
  ICPP   Bak, Guo, Balaji, Sarkar: "Optimized Execution of Parallel Loops via User-Defined Scheduling Policies", 2019
"""

import argparse
import json
import math
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAPER_CORES = 28
INTERFACES = ["traditional", "traditional_nonatomic", "scheduler_aware"]
ENGINES = ["pull", "push", "hybrid"]
OTHER_SCHEDULES = ["static", "dynamic", "guided", "static_steal"]
USER_SCHEDULES = ["usersched", "usersched_profiled"]
DEFAULTS = {"phase_interface": "scheduler_aware", "engine": "pull", "algorithm": "pagerank", "schedule": "dynamic"}
CHUNKS = [16, 64, 256, 1024, 4096]
# What a configuration is run by a second time, under another name: how far it is from itself is the noise.
AGAIN = {"run": "again"}


def graphs_of_scale(scale):
    """Name -> generator; all have about 2^scale vertices."""
    width = int(2 ** (scale / 2))
    return {
        "Kronecker": f"kronecker:{scale}",
        "uniform": f"uniform:{scale}",
        "mesh": f"mesh2d:{width}x{width}",
    }


def skewed_graphs(scale, files):
    """Name -> flags; directed as they are, so that some vertices, and some stretches of them, have most of the in-edges."""
    found = {"Kronecker": f"--generate=kronecker:{scale}", "preferential": f"--generate=barabasi_albert:{2 ** scale}"}
    for file in files:
        found[pathlib.Path(file).name.split(".")[0]] = f"--graph={file}"
    return found


def geometric_mean(values):
    values = list(values)
    return math.exp(sum(math.log(v) for v in values) / len(values))


def gains(ratios):
    """Whether they are a gain as a whole and, up to noise, a loss nowhere. Ratios by graph."""
    return geometric_mean(ratios.values()) > 1.05 and min(ratios.values()) > 0.95


def reaches(ratio, bar, noise):
    """Whether a ratio is a bar or more, where the same configuration differs from itself by a ratio of `noise`."""
    if ratio / noise >= bar:
        return "yes"
    return "no" if ratio * noise < bar else "cannot tell"


def stays_below(percent, bar, noise):
    """The same of percentages, where the noise is their difference."""
    if percent + noise < bar:
        return "yes"
    return "no" if percent - noise >= bar else "cannot tell"


def times(ratio):
    return f"{ratio:.2f}x"


class Lab:
    """Runs of engine_lab by configuration: a graph and flags; and of minimd, whose "graph" is a size. The first pass over the claims only notes which they
    want; measure() runs these in turn, round after round; then the claims get medians."""

    def __init__(self, options):
        self.options = options
        self.graphs = graphs_of_scale(options.scale)
        self.skewed = skewed_graphs(options.scale, options.graphs)
        self.sizes = [f"size {size}" for size in options.sizes]
        self.runs = {}
        self.measured = False

    def measure(self):
        total = len(self.runs) * self.options.rounds
        with tempfile.TemporaryDirectory() as folder:
            stats = pathlib.Path(folder) / "stats.json"
            for number in range(total):
                key = list(self.runs)[number % len(self.runs)]
                if sys.stderr.isatty():
                    print(f"\rrun {number + 1} of {total} ", end="", file=sys.stderr)
                self.runs[key].append(self.run_once(key, stats))
        if sys.stderr.isatty():
            print(file=sys.stderr)
        self.measured = True

    def run_once(self, key, stats):
        graph, flags = key
        given = dict(flags)
        given.setdefault("cores", self.options.cores)
        given.pop("run", None)
        if self.options.nopin:
            given["pin"] = "false"
        command = self.program_of(graph, given) + [f"--trials={self.options.trials}", f"--stats_json={stats}"]
        command += [f"--{name}={value}" for name, value in given.items()]
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"orujo: {' '.join(command)}\nended with status {done.returncode}:\n{done.stderr.strip()}")
        return json.loads(stats.read_text())

    def program_of(self, graph, given):
        if graph in self.sizes:
            return [self.options.md, f"--size={graph.removeprefix('size ')}", f"--steps={self.options.steps}"]
        source = [f"--generate={self.graphs[graph]}", "--symmetrize"] if given.get("loop") != "vertices" else [self.skewed[graph]]
        return [self.options.lab, *source, "--remove_self_loops", f"--iterations={self.options.iterations}"]

    def of(self, graph, **flags):
        """The runs of a configuration: a list, empty in the first pass."""
        defaults = {"cores": self.options.cores} | ({} if graph in self.sizes else DEFAULTS)
        key = tuple(sorted((name, value) for name, value in flags.items() if defaults.get(name) != value))
        return self.runs.setdefault((graph, key), [])

    def median(self, graph, value, **flags):
        """Of all trials but the first of each run, which touches the memory for the first time."""
        runs = self.of(graph, **flags)
        if not self.measured:
            return 1.0
        counted = (value(trial) for run in runs for trial in run["trials"][1:] or run["trials"])
        return max(statistics.median(counted), 1e-9)

    def pull(self, graph, **flags):
        """Milliseconds of an edge-pull phase."""
        return self.median(graph, lambda t: 1e3 * t["pull_seconds"] / max(t["pulls"], 1), **flags)

    def push(self, graph, **flags):
        return self.median(graph, lambda t: 1e3 * t["push_seconds"] / max(t["pushes"], 1), engine="push", **flags)

    def vertex(self, graph, **flags):
        return self.median(graph, lambda t: 1e3 * t["vertex_seconds"] / max(t["iterations"], 1), **flags)

    def total(self, graph, **flags):
        """Milliseconds of a whole run."""
        return self.median(graph, lambda t: 1e3 * t["seconds"], **flags)

    def force(self, size, **flags):
        """Milliseconds of a step's loop over the forces."""
        return self.median(size, lambda t: 1e3 * t["force_seconds"] / t["steps"], **flags)

    def imbalance(self, graph, **flags):
        """By how many percent the busiest core's processor time in the loop exceeds the cores' mean."""
        return self.median(graph, lambda t: 100 * t["imbalance"], **flags)

    def dealt(self, graph, **flags):
        """By how many percent the load of what the busiest core begins with exceeds the mean, which takes no clock."""
        return self.median(graph, lambda t: 100 * t["dealt_imbalance"], **flags)

    def packing(self, graph, lanes):
        runs = self.of(graph)
        return runs[0]["packing_efficiency"][str(lanes)] if runs else 1.0


class Claim:
    def __init__(self, where, what, paper, ours, holds, why):
        self.cells = [where, what, paper, ours, holds if isinstance(holds, str) else "yes" if holds else "no", why]


class Plot:
    """A clustered bar chart: a row per group, a column per bar."""

    def __init__(self, name, title, unit, columns, rows):
        self.name, self.title, self.unit, self.columns, self.rows = name, title, unit, columns, rows

    def write(self, folder):
        data = folder / f"{self.name}.dat"
        lines = ["# " + " ".join(["group", *self.columns])]
        lines += [" ".join([str(group), *(f"{value:.6g}" for value in values)]) for group, values in self.rows]
        data.write_text("\n".join(lines) + "\n")
        bars = ", ".join(f"'{data.name}' using {k + 2}:xtic(1) title '{column}' noenhanced"
                         for k, column in enumerate(self.columns))
        (folder / f"{self.name}.gp").write_text(
            "set terminal svg size 800,480\n"
            f"set output '{self.name}.svg'\nset title '{self.title}'\nset ylabel '{self.unit}'\n"
            "set yrange [0:*]\nset style data histograms\nset style fill solid 0.6\nset key outside below\n"
            f"plot {bars}\n")

    def draw(self, folder):
        subprocess.run(["gnuplot", f"{self.name}.gp"], cwd=folder, check=True)


def fewer_cores(lab):
    return f"{lab.options.cores} cores instead of {PAPER_CORES}" if lab.options.cores < PAPER_CORES else ""


def because(*reasons):
    return "; ".join(reason for reason in reasons if reason)


def by_graph(values):
    return ", ".join(f"{graph} {value}" for graph, value in values.items())


def scheduler_awareness(lab):
    """Figure 5: what the interface between the scheduler and the loop is worth."""
    pull = {g: {i: lab.pull(g, phase_interface=i) for i in INTERFACES} for g in lab.graphs}
    atomic = {g: p["traditional"] / p["scheduler_aware"] for g, p in pull.items()}
    plain = {g: p["traditional_nonatomic"] / p["scheduler_aware"] for g, p in pull.items()}
    most = max(atomic.values())
    yield Claim("PPoPP, figure 5", "PageRank, edge-pull: scheduler-aware over traditional with atomics",
                "up to 50x, 1.15x on a mesh", by_graph({g: times(r) for g, r in atomic.items()}),
                gains(atomic) and ("in kind" if most < 25 else "yes"),
                because(fewer_cores(lab), f"so fewer collide on a total: {times(most)} at most"))
    rest = geometric_mean(plain[g] / atomic[g] for g in pull)
    yield Claim("PPoPP, figure 5", "the same over traditional without atomics (wrong results)",
                "still ahead: the shared writes cost, not only the atomics",
                by_graph({g: times(r) for g, r in plain.items()}), gains(plain),
                f"without atomics the traditional interface takes {times(rest)} of its time with them")
    return Plot("figure5", "PageRank, edge-pull", "ms", INTERFACES,
                [(g, [p[i] for i in INTERFACES]) for g, p in pull.items()])


def chunk_sizes(lab):
    """Figure 6."""
    pull = {i: [lab.pull("Kronecker", phase_interface=i, chunk_vectors=c) for c in CHUNKS] for i in INTERFACES}
    spread = {i: max(p) / min(p) for i, p in pull.items()}
    aware = pull["scheduler_aware"]
    even_from = next(k for k in range(len(CHUNKS)) if max(aware[k:]) / min(aware[k:]) < 1.25)
    gain = ", ".join(f"{times(t / a)} ({c})" for t, a, c in zip(pull["traditional"], aware, CHUNKS))
    yield Claim("PPoPP, figure 6", f"Kronecker, chunks of {CHUNKS[0]} to {CHUNKS[-1]} vectors: slowest over fastest",
                "scheduler-aware: insensitive", by_graph({i: times(s) for i, s in spread.items()}),
                f"from {CHUNKS[even_from]} vectors on" if even_from else "yes",
                because("smaller chunks cost time of their own (dealing out, slots to merge)" if even_from else "",
                        f"scheduler-aware over traditional by chunk: {gain}"))
    return Plot("figure6", "PageRank, edge-pull, Kronecker, by vectors per chunk", "ms", INTERFACES,
                [(c, [pull[i][k] for i in INTERFACES]) for k, c in enumerate(CHUNKS)])


def cores(lab):
    """Figure 7."""
    counts = sorted({1, lab.options.cores} | {c for c in (2, 4, 8, 16) if c < lab.options.cores})
    pull = {i: {c: lab.pull("Kronecker", phase_interface=i, cores=c) for c in counts} for i in INTERFACES}
    speedup = {i: p[1] / p[counts[-1]] for i, p in pull.items()}
    aware, atomic = speedup["scheduler_aware"], speedup["traditional"]
    yield Claim("PPoPP, figure 7", f"Kronecker: {counts[-1]} cores over one",
                "scheduler-aware scales, traditional does not", by_graph({i: times(s) for i, s in speedup.items()}),
                "cannot be seen" if len(counts) == 1 else aware > 0.8 * counts[-1] and aware > 0.95 * atomic,
                because(fewer_cores(lab), "with so few both scale" if atomic > 0.8 * counts[-1] else ""))
    return Plot("figure7", "PageRank, edge-pull, Kronecker, by cores", "ms", INTERFACES,
                [(c, [pull[i][c] for i in INTERFACES]) for c in counts])


def write_intensity(lab):
    """Figure 8: components that write each candidate, whether or not it is smaller."""
    def edge_phase(graph, **flags):
        return lab.pull(graph, algorithm="connected_components", **flags)

    aware = {g: edge_phase(g) for g in lab.graphs}
    usual = {g: edge_phase(g, phase_interface="traditional") for g in lab.graphs}
    intense = {g: edge_phase(g, phase_interface="traditional", write_intense="true") for g in lab.graphs}
    more = {g: intense[g] / usual[g] for g in lab.graphs}
    over = {g: f"{times(usual[g] / aware[g])} and {times(intense[g] / aware[g])}" for g in lab.graphs}
    yield Claim("PPoPP, figure 8", "components, edge-pull: scheduler-aware over traditional, usual and write-intense",
                "the more writes, the larger the gain", by_graph(over), gains(more),
                because(fewer_cores(lab), "writing always costs the traditional interface "
                        + by_graph({g: times(r) for g, r in more.items()})))
    return Plot("figure8", "connected components, edge-pull", "ms", ["scheduler_aware", "traditional", "write_intense"],
                [(g, [aware[g], usual[g], intense[g]]) for g in lab.graphs])


def packing(lab):
    """Figure 9."""
    full = {g: [lab.packing(g, lanes) for lanes in (4, 8, 16)] for g in lab.graphs}
    low = [g for g, f in full.items() if f[0] <= 0.75]
    yield Claim("PPoPP, figure 9", "packing efficiency with 4, 8 and 16 lanes", "above 75 % with 4 nearly always",
                by_graph({g: " / ".join(f"{100 * x:.0f}" for x in f) + " %" for g, f in full.items()}), not low,
                f"below: {', '.join(low)}" if low else "")
    return Plot("figure9", "packing efficiency, by lanes", "", ["4", "8", "16"], list(full.items()))


def vectors(lab):
    """Figure 10: vector over scalar code, phase by phase and end to end."""
    phases = {
        "edge-pull": lambda g, **flags: lab.pull(g, **flags),
        "edge-push": lambda g, **flags: lab.push(g, **flags),
        "vertex": lambda g, **flags: lab.vertex(g, **flags),
        "end to end": lambda g, **flags: lab.total(g, **flags),
    }
    gain = {p: {g: of(g, simd="scalar") / of(g) for g in lab.graphs} for p, of in phases.items()}
    mean = {p: geometric_mean(of.values()) for p, of in gain.items()}
    compact = geometric_mean(lab.pull(g, encoding="compact", simd="scalar") / lab.pull(g, encoding="compact")
                             for g in lab.graphs)
    expected = {"edge-pull": "about 2x", "edge-push": "little", "vertex": "little", "end to end": "most of edge-pull's"}
    for phase, of in gain.items():
        if phase == "edge-pull":
            holds = mean[phase] > 1.6
            why = because("the loads of the sources are the same" if not holds else "",
                          f"compact encoding {times(compact)}", "the scalar code is what the compiler makes of it")
        elif phase == "end to end":
            holds, why = mean[phase] > 0.8 * mean["edge-pull"] and mean[phase] > 1.05, "pull only"
        else:
            holds, why = 0.8 < mean[phase] < 1.5, ""
        yield Claim("PPoPP, figure 10", f"PageRank, {phase}: vectors over scalar code", expected[phase],
                    by_graph({g: times(r) for g, r in of.items()}), holds, why)
    return Plot("figure10", "PageRank: vector over scalar code", "times", list(lab.graphs),
                [(p.replace(" ", "_"), list(of.values())) for p, of in gain.items()])


def engines(lab):
    """Pull only, push only, and the choice in each iteration."""
    rows = []
    for algorithm in ("pagerank", "connected_components", "bfs"):
        time = {g: [lab.total(g, algorithm=algorithm, engine=e) for e in ENGINES] for g in lab.graphs}
        rows += [(f"{algorithm}/{g}", t) for g, t in time.items()]
        worst = max(hybrid / min(pull, push) for pull, push, hybrid in time.values())
        yield Claim("PPoPP, section 5", f"{algorithm}: pull only / push only / hybrid, ms",
                    "hybrid is as fast as the better",
                    by_graph({g: " / ".join(f"{x:.3g}" for x in t) for g, t in time.items()}), worst < 1.15,
                    f"hybrid takes {times(worst)} of the better at worst")
    return Plot("engines", "a whole run", "ms", ENGINES, rows)


def noise_of(*pairs):
    """The ratio of the two times of one configuration, of several the mean: none makes up for another."""
    return geometric_mean(max(a / b, b / a) for a, b in pairs)


def user_over_others(where, time, noise, why):
    """Rows for each user-defined schedule; time by graph and schedule."""
    told = because(why, f"the same twice: {times(noise)}")
    for user in [s for s in USER_SCHEDULES if s in next(iter(time.values()))]:
        over = {s: geometric_mean(p[s] / p[user] for p in time.values())
                for s in OTHER_SCHEDULES if s in next(iter(time.values()))}
        steal = over.pop("static_steal")
        yield Claim("ICPP", f"{where}: {user} over the OpenMP schedules (geometric means)", "1.16x to 1.54x",
                    by_graph({s: times(r) for s, r in over.items()}), reaches(max(over.values()), 1.16, noise), told)
        yield Claim("ICPP", f"{where}: {user} over static_steal (geometric mean)", "1.07x", times(steal),
                    reaches(steal, 1.07, noise), told)


def schedules(lab):
    """ICPP: user-defined schedules against the others, on the edge phase of PageRank."""
    every = OTHER_SCHEDULES + USER_SCHEDULES
    pull = {g: {s: lab.pull(g, encoding="compact", schedule=s) for s in every} for g in lab.graphs}
    noise = noise_of(*((p["static"], lab.pull(g, encoding="compact", schedule="static", **AGAIN)) for g, p in pull.items()))
    yield from user_over_others("edge vectors dealt", pull, noise,
                                because(fewer_cores(lab), "a vector is as much work as another: little to balance"))
    return Plot("schedules", "PageRank, edge-pull, compact, by schedule", "ms", every,
                [(g, [p[s] for s in every]) for g, p in pull.items()])


def vertex_loops(lab):
    """ICPP: the paper's loops, which deal vertices, whose work is their in-degree."""
    every = OTHER_SCHEDULES + USER_SCHEDULES
    def flags(schedule, **more):
        return {"loop": "vertices", "schedule": schedule, **more}

    pull = {g: {s: lab.pull(g, **flags(s)) for s in every} for g in lab.skewed}
    uneven = {g: {s: lab.imbalance(g, **flags(s)) for s in every} for g in lab.skewed}
    noise = noise_of(*((p["static"], lab.pull(g, **flags("static", **AGAIN))) for g, p in pull.items()))
    yield from user_over_others("vertices dealt, PageRank", pull, noise, fewer_cores(lab))

    last = "usersched_profiled"
    begin = {g: {s: lab.dealt(g, **flags(s)) for s in ("static", last)} for g in lab.skewed}
    yield Claim("ICPP", f"vertices dealt, PageRank: in-edges that the busiest core begins with above the mean, static and {last}",
                "balanced", by_graph({g: f"{b['static']:.1f} and {b[last]:.1f} %" for g, b in begin.items()}),
                stays_below(max(b[last] for b in begin.values()), 3, 0), "counted: no noise")
    points = max(abs(uneven[g][last] - lab.imbalance(g, **flags(last, **AGAIN))) for g in lab.skewed)
    yield Claim("ICPP", "vertices dealt, PageRank: processor time of the busiest core above the mean, static and "
                f"{last}", "balanced", by_graph({g: f"{u['static']:.1f} and {u[last]:.1f} %" for g, u in uneven.items()}),
                stays_below(max(u[last] for u in uneven.values()), 3, points),
                because(fewer_cores(lab), f"the same twice: {points:.1f} points at most; "
                        f"static_steal {max(u['static_steal'] for u in uneven.values()):.1f} %, "
                        f"dynamic {max(u['dynamic'] for u in uneven.values()):.1f} % at most"))
    for algorithm, more in (("connected_components", {"symmetrize": "true"}), ("bfs", {})):
        over = {g: lab.pull(g, **flags("static", algorithm=algorithm, **more)) /
                lab.pull(g, **flags(last, algorithm=algorithm, **more)) for g in lab.skewed}
        yield Claim("ICPP", f"vertices dealt, {algorithm}: {last} over static", "1.16x to 1.54x",
                    by_graph({g: times(r) for g, r in over.items()}),
                    reaches(geometric_mean(over.values()), 1.16, noise), fewer_cores(lab))
    return Plot("vertices", "PageRank, vertices dealt, by schedule", "ms", every,
                [(g, [p[s] for s in every]) for g, p in pull.items()])


def molecular_dynamics(lab):
    """ICPP: miniMD's loop over the forces, where an atom's work is its neighbours."""
    every = OTHER_SCHEDULES + USER_SCHEDULES
    force = {g: {s: lab.force(g, schedule=s) for s in every} for g in lab.sizes}
    uneven = {g: {s: lab.imbalance(g, schedule=s) for s in every} for g in lab.sizes}
    noise = {g: noise_of((p["static"], lab.force(g, schedule="static", **AGAIN))) for g, p in force.items()}
    yield from user_over_others("minimd, force loop", force, geometric_mean(noise.values()),
                                because(fewer_cores(lab), "atoms of a liquid have about as many neighbours each"))
    last = "usersched_profiled"
    for size, p in force.items():
        over = {s: p[s] / p[last] for s in OTHER_SCHEDULES}
        yield Claim("ICPP", f"minimd, {size}: {last} over the others", "not slower",
                    by_graph({s: times(r) for s, r in over.items()}), reaches(min(over.values()), 1, noise[size]),
                    f"{p[last]:.2f} ms a step; the same twice: {times(noise[size])}")
        begin = {s: lab.dealt(size, schedule=s) for s in ("static", last)}
        yield Claim("ICPP", f"minimd, {size}: neighbours of the atoms that the busiest core begins with above the mean", "below 3 %",
                    by_graph({s: f"{b:.1f} %" for s, b in begin.items()}), stays_below(begin[last], 3, 0), "counted: no noise")
        points = abs(uneven[size][last] - lab.imbalance(size, schedule=last, **AGAIN))
        yield Claim("ICPP", f"minimd, {size}: processor time of the busiest core above the mean", "below 3 %",
                    by_graph({s: f"{u:.1f} %" for s, u in uneven[size].items()}),
                    stays_below(uneven[size][last], 3, points), f"the same twice: {points:.1f} points")
    return Plot("minimd", "minimd, loop over the forces of a step, by schedule", "ms", every,
                [(g.replace(" ", "_"), [p[s] for s in every]) for g, p in force.items()])


def one_chunk_size(lab):
    """ICPP: a user-defined schedule needs no tuning per graph."""
    pull = {g: [lab.pull(g, encoding="compact", schedule="usersched_profiled", chunk_vectors=c) for c in CHUNKS]
            for g in lab.graphs}
    loss = [max(p[k] / min(p) for p in pull.values()) for k in range(len(CHUNKS))]
    best = loss.index(min(loss))
    chunks = f"chunks of {CHUNKS[0]} to {CHUNKS[-1]} vectors"
    yield Claim("ICPP", f"usersched_profiled, {chunks}: loss of one size for all graphs",
                "one size serves all graphs", f"{CHUNKS[best]} vectors lose {100 * (loss[best] - 1):.0f} % at most",
                loss[best] < 1.1, "each other size loses up to " + ", ".join(
                    f"{100 * (l - 1):.0f} % ({c})" for c, l in zip(CHUNKS, loss) if c != CHUNKS[best]))
    return Plot("chunks", "PageRank, edge-pull, compact, usersched_profiled, by vectors per chunk", "ms",
                list(lab.graphs), [(c, [p[k] for p in pull.values()]) for k, c in enumerate(CHUNKS)])


PARTS = {part.__name__: part for part in (
    scheduler_awareness, chunk_sizes, cores, write_intensity, packing, vectors, engines, schedules, one_chunk_size,
    vertex_loops, molecular_dynamics)}


def gather(lab):
    """All claims and plots, from what the lab knows by now."""
    claims, plots = [], []
    for part in lab.options.only or PARTS:
        made = PARTS[part](lab)
        while True:
            try:
                claims.append(next(made))
            except StopIteration as end:
                plots.append(end.value)
                break
    return claims, plots


def table(lab, claims):
    o = lab.options
    head = ["where", "what", "paper", "here", "holds", "why"]
    lines = [f"Graphs: {by_graph(lab.graphs)}, symmetrized; {o.cores} cores; medians of {o.rounds} alternating runs of "
             f"{o.trials} trials each, the first left out; PageRank does {o.iterations} iterations. "
             f"Vertices are dealt on {', '.join(flag.split('=')[1].split('/')[-1] for flag in lab.skewed.values())}, as directed "
             f"as they are; minimd does {o.steps} steps.", "",
             "| " + " | ".join(head) + " |", "| " + " | ".join("---" for _ in head) + " |"]
    return "\n".join(lines + ["| " + " | ".join(claim.cells) + " |" for claim in claims]) + "\n"


def parse_arguments():
    parser = argparse.ArgumentParser(prog="bin/orujo bench papers", description=(
        "Repeats the claims of the PPoPP 2018 and ICPP 2019 papers with engine_lab and minimd; writes a table and plots. "
        "About 6 minutes on 2 cores."))
    parser.add_argument("--quick", action="store_true", help="small graphs, one round: half a minute")
    parser.add_argument("--scale", type=int, help="2^SCALE vertices (default 18, quick 14)")
    parser.add_argument("--rounds", type=int, help="runs of each configuration, in turn (default 2, quick 1)")
    parser.add_argument("--trials", type=int, default=3,
                        help="trials of each run; the first does not count (default 3)")
    parser.add_argument("--iterations", type=int, default=10, help="of PageRank (default 10)")
    parser.add_argument("--cores", type=int, default=len(os.sched_getaffinity(0)), help="(default: all)")
    parser.add_argument("--nopin", action="store_true",
                        help="do not bind cores to CPUs: less noise where others use the machine")
    parser.add_argument("--only", nargs="+", choices=list(PARTS), metavar="PART",
                        help=f"of the claims only these: {', '.join(PARTS)}")
    parser.add_argument("--graphs", nargs="*", default=[], metavar="FILE",
                        help="further graphs, such as crawled ones, for the loops that deal vertices")
    parser.add_argument("--sizes", type=lambda text: text.split(","), help="of minimd (default 10,20, quick 6,8)")
    parser.add_argument("--steps", type=int, help="of minimd (default 100, quick 20)")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "build/papers",
                        help="folder for the results (default build/papers)")
    parser.add_argument("--lab", default=str(ROOT / "build/release/applications/engine_lab"), help=argparse.SUPPRESS)
    parser.add_argument("--md", default=str(ROOT / "build/release/applications/minimd"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    options.scale = options.scale or (14 if options.quick else 18)
    options.sizes = options.sizes or (["6", "8"] if options.quick else ["10", "20"])
    options.steps = options.steps or (20 if options.quick else 100)
    options.rounds = options.rounds or (1 if options.quick else 2)
    return options


def main():
    lab = Lab(parse_arguments())
    gather(lab)
    lab.measure()
    claims, plots = gather(lab)
    folder = lab.options.out
    folder.mkdir(parents=True, exist_ok=True)
    text = table(lab, claims)
    (folder / "claims.md").write_text(text)
    for plot in plots:
        plot.write(folder)
    if shutil.which("gnuplot"):
        for plot in plots:
            plot.draw(folder)
    else:
        print("orujo: no gnuplot (bin/orujo setup installs gnuplot-nox): the plots' data and scripts are there all "
              "the same", file=sys.stderr)
    print(text, end="")
    print(f"orujo: the table and the plots are in {folder}", file=sys.stderr)


if __name__ == "__main__":
    main()
