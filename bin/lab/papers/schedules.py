"""Bak, Guo, Balaji, Sarkar: "Optimized Execution of Parallel Loops via User-Defined Scheduling Policies", ICPP 2019."""

from statistics import geometric_mean

from lab.papers.claims import Bars, Claim, Part, at_least, at_most, because, both, listed, noise_text, shown, times
from lab.papers.grappa import benchmark, item
from lab.papers.plan import PAPER_CORES
from lab.rounds import Figure, mean_ratio, noise_of, number, ratio

OTHERS = ["static", "dynamic", "guided", "static_steal"]
USERS = ["usersched", "usersched_profiled"]
EVERY = OTHERS + USERS
LAST = "usersched_profiled"
CHUNKS = [16, 64, 256, 1024, 4096]
# The names of figure 7's schedules in the benchmark, and its chunks.
FLAT = {"static": "fixed", "dynamic": "dynamic", "guided": "guided", "static_steal": "stealing", LAST: "profiled"}
FLAT_CHUNKS = [1, 4, 16, 64, 1024]


def by_schedule(measure, sources, schedules=EVERY, **flags):
    """Source -> schedule -> what is measured."""
    return {name: {s: measure(source, schedule=s, **flags) for s in schedules} for name, source in sources.items()}


def noise_in(time, measure, sources, schedule="static", **flags):
    """How far a schedule is from itself, of all sources the mean."""
    return noise_of(*((time[name][schedule], measure(source, again=True, schedule=schedule, **flags)) for name, source in sources.items()))


def user_over_others(where, time, noise, why):
    """Rows for each user-defined schedule; time by graph and schedule."""
    told = because(why, noise_text(noise))
    for user in USERS:
        over = {s: mean_ratio(ratio(p[s], p[user], noise) for p in time.values()) for s in OTHERS}
        steal = over.pop("static_steal")
        yield Claim("ICPP", f"{where}: {user} over the OpenMP schedules (geometric means)", "1.16x to 1.54x",
                    shown(over), both(*(at_least(r, 1.16) for r in over.values())), told)
        yield Claim("ICPP", f"{where}: {user} over static_steal (geometric mean)", "1.07x", times(steal), at_least(steal, 1.07), told)


def below_three(values, points=0.0):
    """Percents, by round, of a schedule that differs from itself by so many points."""
    return at_most(Figure(number(values), min(*values, number(values) - points), max(*values, number(values) + points)), 3)


def percents(by_name):
    return listed({name: f"{number(values):.1f} %" for name, values in by_name.items()})


def lambdas(by_graph):
    """The paper's lambda of each schedule, by graph."""
    return "; ".join(f"{graph}: {percents(of)}" for graph, of in by_graph.items())


def points_between(one, other):
    """How far lists of percents, of the same rounds, are from each other."""
    return max(abs(a - b) for a, b in zip(one, other))


def schedules(plan):
    """User-defined schedules against the others, on the edge phase of PageRank."""
    pull = by_schedule(plan.pull, plan.graphs, encoding="compact")
    noise = noise_in(pull, plan.pull, plan.graphs, encoding="compact")
    yield from user_over_others("edge vectors dealt", pull, noise, because(
        plan.fewer_cores(), "a vector is as much work as another: little to balance"))
    yield Bars("schedules", "PageRank, edge-pull, compact, by schedule", "ms", EVERY, pull)


def vertex_loops(plan):
    """The paper's loops, which deal vertices, whose work is their in-degree."""
    fewer, rows = plan.fewer_cores(), {"loop": "vertices"}
    pull = by_schedule(plan.pull, plan.skewed, **rows)
    noise = noise_in(pull, plan.pull, plan.skewed, **rows)
    yield from user_over_others("vertices dealt, PageRank", pull, noise, fewer)

    begin = by_schedule(plan.dealt, plan.skewed, ("static", LAST), **rows)
    uneven = by_schedule(plan.imbalance, plan.skewed, **rows)
    over_median = by_schedule(plan.over_median, plan.skewed, **rows)

    def static_and_last(found):
        return listed({g: f"{number(of['static']):.1f} and {number(of[LAST]):.1f} %" for g, of in found.items()})

    yield Claim("ICPP", f"vertices dealt, PageRank: in-edges that the busiest core begins with above the mean, static and {LAST}",
                "balanced", static_and_last(begin), both(*(below_three(b[LAST]) for b in begin.values())), "counted: no noise")
    points = max(points_between(uneven[g][LAST], plan.imbalance(source, again=True, schedule=LAST, **rows)) for g, source in plan.skewed.items())
    most = {s: f"{max(number(u[s]) for u in uneven.values()):.1f} %" for s in ("static_steal", "dynamic")}
    yield Claim("ICPP", f"vertices dealt, PageRank: processor time of the busiest core above the mean, static and {LAST}", "balanced",
                static_and_last(uneven), both(*(below_three(u[LAST], points) for u in uneven.values())),
                because(fewer, f"the same twice: {points:.1f} points at most; {listed(most)} at most",
                        f"above the median, the paper's lambda: {lambdas(over_median)}"))
    for algorithm, more in (("connected_components", {"symmetrize": "true"}), ("bfs", {})):
        of_algorithm = {"algorithm": algorithm, **rows, **more}
        time = by_schedule(plan.pull, plan.skewed, **of_algorithm)
        yield from user_over_others(f"vertices dealt, {algorithm}", time, noise_in(time, plan.pull, plan.skewed, **of_algorithm), fewer)
        over_median = by_schedule(plan.over_median, plan.skewed, **of_algorithm)
        points = max(points_between(of[LAST], plan.over_median(plan.skewed[g], again=True, schedule=LAST, **of_algorithm))
                     for g, of in over_median.items())
        yield Claim("ICPP", f"vertices dealt, {algorithm}: processor time of the busiest core above the median, the paper's lambda",
                    f"{LAST} balanced", lambdas(over_median), both(*(below_three(of[LAST], points) for of in over_median.values())),
                    because(fewer, f"the same twice: {points:.1f} points at most"))
    yield Bars("vertices", "PageRank, vertices dealt, by schedule", "ms", EVERY, pull)


def flat_loop(plan):
    """Figure 7: what a schedule costs where all iterations are alike."""
    names = [f"{name}/{chunk}" for name in FLAT.values() for chunk in FLAT_CHUNKS]
    command = benchmark(plan, f"^share_flat_loop/({'|'.join(FLAT.values())})/({'|'.join(map(str, FLAT_CHUNKS))})/", cores=plan.options.cores)
    found, noise = plan.each(command, names, lambda run, name: item(run, f"share_flat_loop/{name}/")["cpu_ns"])
    cost = {chunk: {schedule: found[f"{name}/{chunk}"] for schedule, name in FLAT.items()} for chunk in FLAT_CHUNKS}
    for other in OTHERS:
        over = {chunk: ratio(of[other], of[LAST], noise) for chunk, of in cost.items()}
        yield Claim("ICPP, figure 7", f"a flat loop of 100,000 iterations, by chunk: processor time under {other} over {LAST}",
                    "about as dear" if other == "static" else "dearer", shown(over), at_least(mean_ratio(over.values()), 0.95 if other == "static" else 1),
                    because("few large chunks cost least in any case" if other == "guided" else "", noise_text(noise)))
    yield Bars("figure7_loop", "a flat loop: processor time of an iteration, by chunk", "ns", list(FLAT), cost, log=True)


def molecular_dynamics(plan):
    """MiniMD's loop over the forces, where an atom's work is its neighbours."""
    force = by_schedule(plan.force, plan.sizes)
    uneven = by_schedule(plan.imbalance, plan.sizes)
    over_median = by_schedule(plan.over_median, plan.sizes)
    begin = by_schedule(plan.dealt, plan.sizes, ("static", LAST))
    noise = {size: noise_in(force, plan.force, {size: source}) for size, source in plan.sizes.items()}
    yield from user_over_others("minimd, force loop", force, geometric_mean(noise.values()), because(
        plan.fewer_cores(), "atoms of a liquid have about as many neighbours each"))
    for size, time in force.items():
        over = {s: ratio(time[s], time[LAST], noise[size]) for s in OTHERS}
        yield Claim("ICPP", f"minimd, {size}: {LAST} over the others", "not slower", shown(over),
                    both(*(at_least(r, 1) for r in over.values())), f"{number(time[LAST]):.2f} ms a step; {noise_text(noise[size])}")
        points = points_between(uneven[size][LAST], plan.imbalance(plan.sizes[size], schedule=LAST, again=True))
        lambdas = f"above the median, the paper's lambda: {percents(over_median[size])}"
        for what, of, off, why in (("neighbours of the atoms that the busiest core begins with", begin[size], 0.0, "counted: no noise"),
                                   ("processor time of the busiest core", uneven[size], points, because(f"the same twice: {points:.1f} points", lambdas))):
            yield Claim("ICPP", f"minimd, {size}: {what} above the mean", "below 3 %", percents(of), below_three(of[LAST], off), why)
    whole = by_schedule(plan.total, plan.sizes)
    twice = noise_in(whole, plan.total, plan.sizes)
    over = {s: mean_ratio(ratio(of[s], of[LAST], twice) for of in whole.values()) for s in OTHERS}
    yield Claim("ICPP", f"minimd, whole runs of {plan.options.steps} steps: {LAST} over the others (geometric means)", "not slower", shown(over),
                both(*(at_least(r, 1) for r in over.values())), because(
                    "ms: " + listed({size: f"{number(of[LAST]):.4g}" for size, of in whole.items()}), noise_text(twice)))
    yield Bars("minimd", "minimd, loop over the forces of a step, by schedule", "ms", EVERY, force)
    yield Bars("minimd_runs", "minimd, a whole run, by schedule", "ms", EVERY, whole)


def one_chunk_size(plan):
    """A user-defined schedule needs no tuning per graph."""
    def pull(source, **more):
        return plan.pull(source, encoding="compact", schedule=LAST, **more)

    time = {c: plan.by_graph(pull, chunk_vectors=c) for c in CHUNKS}
    first = time[CHUNKS[0]]
    noise = noise_of(*((first[g], pull(source, again=True, chunk_vectors=CHUNKS[0])) for g, source in plan.graphs.items()))
    least = {g: min((of[g] for of in time.values()), key=number) for g in plan.graphs}
    loss = {c: max((ratio(of[g], least[g], noise) for g in plan.graphs), key=lambda r: r.mid) for c, of in time.items()}
    best = min(CHUNKS, key=lambda c: loss[c].mid)
    lost = {c: f"{100 * (of.mid - 1):.0f} %" for c, of in loss.items()}
    yield Claim("ICPP", f"{LAST}, chunks of {CHUNKS[0]} to {CHUNKS[-1]} vectors: loss of one size for all graphs",
                "one size serves all graphs", f"{best} vectors lose {lost[best]} at most", at_most(loss[best], 1.1),
                f"each other size loses up to {', '.join(f'{lost[c]} ({c})' for c in CHUNKS if c != best)}; {noise_text(noise)}")
    yield Bars("chunks", f"PageRank, edge-pull, compact, {LAST}, by vectors per chunk", "ms", list(plan.graphs), time)


PARTS = {part: Part(["engine_lab"], f"{PAPER_CORES} cores", lambda o: f"{o.cores} cores, graphs of 2^{o.scale} vertices")
         for part in (schedules, one_chunk_size, vertex_loops)}
PARTS[flat_loop] = Part(["benchmarks"], f"{PAPER_CORES} cores", lambda o: f"{o.cores} cores, as many iterations")
PARTS[molecular_dynamics] = Part(["minimd"], f"{PAPER_CORES} cores", lambda o: f"{o.cores} cores, sizes {' and '.join(o.sizes)}")
