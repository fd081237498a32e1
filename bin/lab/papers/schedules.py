"""Bak, Guo, Balaji, Sarkar: "Optimized Execution of Parallel Loops via User-Defined Scheduling Policies", ICPP 2019."""

from lab.papers.claims import Bars, Claim, at_least, at_most, because, both, listed, noise_text, shown, times
from lab.papers.engine import PAPER_CORES, Engine
from lab.rounds import Figure, geometric_mean, mean_ratio, noise_of, number, ratio

OTHERS = ["static", "dynamic", "guided", "static_steal"]
USERS = ["usersched", "usersched_profiled"]
EVERY = OTHERS + USERS
LAST = "usersched_profiled"
CHUNKS = [16, 64, 256, 1024, 4096]


def user_over_others(where, time, noise, why):
    """Rows for each user-defined schedule; time by graph and schedule."""
    told = because(why, noise_text(noise))
    for user in USERS:
        over = {s: mean_ratio(ratio(p[s], p[user], noise) for p in time.values()) for s in OTHERS}
        steal = over.pop("static_steal")
        yield Claim("ICPP", f"{where}: {user} over the OpenMP schedules (geometric means)", "1.16x to 1.54x",
                    shown(over), both(*(at_least(r, 1.16) for r in over.values())), told)
        yield Claim("ICPP", f"{where}: {user} over static_steal (geometric mean)", "1.07x", times(steal), at_least(steal, 1.07), told)


def percent(values, points=0.0):
    """Of a list by round, where the same differs from itself by so many points."""
    mid = number(values)
    return Figure(mid, min(*values, mid - points), max(*values, mid + points))


def below_three(figures):
    return both(*(at_most(f, 3) for f in figures))


def schedules(plan):
    """User-defined schedules against the others, on the edge phase of PageRank."""
    engine = Engine(plan)
    pull = {g: {s: engine.pull(source, encoding="compact", schedule=s) for s in EVERY} for g, source in engine.graphs.items()}
    noise = noise_of(*((p["static"], engine.pull(engine.graphs[g], encoding="compact", schedule="static", again=True))
                       for g, p in pull.items()))
    yield from user_over_others("edge vectors dealt", pull, noise, because(
        plan.fewer_cores(PAPER_CORES), "a vector is as much work as another: little to balance"))
    yield Bars("schedules", "PageRank, edge-pull, compact, by schedule", "ms", EVERY, [(g, [p[s] for s in EVERY]) for g, p in pull.items()])


def vertex_loops(plan):
    """The paper's loops, which deal vertices, whose work is their in-degree."""
    engine = Engine(plan)
    fewer = plan.fewer_cores(PAPER_CORES)

    def by(measure, graph, schedule, **more):
        return measure(engine.skewed[graph], loop="vertices", schedule=schedule, **more)

    pull = {g: {s: by(engine.pull, g, s) for s in EVERY} for g in engine.skewed}
    noise = noise_of(*((p["static"], by(engine.pull, g, "static", again=True)) for g, p in pull.items()))
    yield from user_over_others("vertices dealt, PageRank", pull, noise, fewer)

    begin = {g: {s: by(engine.dealt, g, s) for s in ("static", LAST)} for g in engine.skewed}
    yield Claim("ICPP", f"vertices dealt, PageRank: in-edges that the busiest core begins with above the mean, static and {LAST}",
                "balanced", listed({g: f"{number(b['static']):.1f} and {number(b[LAST]):.1f} %" for g, b in begin.items()}),
                below_three(percent(b[LAST]) for b in begin.values()), "counted: no noise")
    uneven = {g: {s: by(engine.imbalance, g, s) for s in EVERY} for g in engine.skewed}
    points = max(abs(a - b) for g in engine.skewed for a, b in zip(uneven[g][LAST], by(engine.imbalance, g, LAST, again=True)))
    most = {s: max(number(u[s]) for u in uneven.values()) for s in ("static_steal", "dynamic")}
    yield Claim("ICPP", f"vertices dealt, PageRank: processor time of the busiest core above the mean, static and {LAST}", "balanced",
                listed({g: f"{number(u['static']):.1f} and {number(u[LAST]):.1f} %" for g, u in uneven.items()}),
                below_three(percent(u[LAST], points) for u in uneven.values()),
                because(fewer, f"the same twice: {points:.1f} points at most; " + listed({s: f"{m:.1f} %" for s, m in most.items()})
                        + " at most"))
    for algorithm, more in (("connected_components", {"symmetrize": "true"}), ("bfs", {})):
        over = {g: ratio(by(engine.pull, g, "static", algorithm=algorithm, **more), by(engine.pull, g, LAST, algorithm=algorithm, **more),
                         noise) for g in engine.skewed}
        yield Claim("ICPP", f"vertices dealt, {algorithm}: {LAST} over static", "1.16x to 1.54x",
                    shown(over), at_least(mean_ratio(over.values()), 1.16),
                    because(fewer, noise_text(noise)))
    yield Bars("vertices", "PageRank, vertices dealt, by schedule", "ms", EVERY, [(g, [p[s] for s in EVERY]) for g, p in pull.items()])


def molecular_dynamics(plan):
    """MiniMD's loop over the forces, where an atom's work is its neighbours."""
    engine = Engine(plan)
    force = {g: {s: engine.force(source, schedule=s) for s in EVERY} for g, source in engine.sizes.items()}
    uneven = {g: {s: engine.imbalance(source, schedule=s) for s in EVERY} for g, source in engine.sizes.items()}
    noise = {g: noise_of((p["static"], engine.force(engine.sizes[g], schedule="static", again=True))) for g, p in force.items()}
    yield from user_over_others("minimd, force loop", force, geometric_mean(noise.values()), because(
        plan.fewer_cores(PAPER_CORES), "atoms of a liquid have about as many neighbours each"))
    for size, p in force.items():
        source = engine.sizes[size]
        over = {s: ratio(p[s], p[LAST], noise[size]) for s in OTHERS}
        yield Claim("ICPP", f"minimd, {size}: {LAST} over the others", "not slower", shown(over),
                    both(*(at_least(r, 1) for r in over.values())), f"{number(p[LAST]):.2f} ms a step; {noise_text(noise[size])}")
        begin = {s: engine.dealt(source, schedule=s) for s in ("static", LAST)}
        yield Claim("ICPP", f"minimd, {size}: neighbours of the atoms that the busiest core begins with above the mean", "below 3 %",
                    listed({s: f"{number(b):.1f} %" for s, b in begin.items()}), below_three([percent(begin[LAST])]), "counted: no noise")
        points = max(abs(a - b) for a, b in zip(uneven[size][LAST], engine.imbalance(source, schedule=LAST, again=True)))
        yield Claim("ICPP", f"minimd, {size}: processor time of the busiest core above the mean", "below 3 %",
                    listed({s: f"{number(u):.1f} %" for s, u in uneven[size].items()}),
                    below_three([percent(uneven[size][LAST], points)]), f"the same twice: {points:.1f} points")
    yield Bars("minimd", "minimd, loop over the forces of a step, by schedule", "ms", EVERY,
               [(g, [p[s] for s in EVERY]) for g, p in force.items()])


def one_chunk_size(plan):
    """A user-defined schedule needs no tuning per graph."""
    engine = Engine(plan)
    pull = {g: [engine.pull(s, encoding="compact", schedule=LAST, chunk_vectors=c) for c in CHUNKS] for g, s in engine.graphs.items()}
    noise = noise_of(*((p[0], engine.pull(engine.graphs[g], encoding="compact", schedule=LAST, chunk_vectors=CHUNKS[0], again=True))
                       for g, p in pull.items()))
    loss = [max((ratio(p[k], min(p, key=number), noise) for p in pull.values()), key=lambda r: r.mid) for k in range(len(CHUNKS))]
    best = min(range(len(CHUNKS)), key=lambda k: loss[k].mid)
    yield Claim("ICPP", f"{LAST}, chunks of {CHUNKS[0]} to {CHUNKS[-1]} vectors: loss of one size for all graphs",
                "one size serves all graphs", f"{CHUNKS[best]} vectors lose {100 * (loss[best].mid - 1):.0f} % at most",
                at_most(loss[best], 1.1), "each other size loses up to " + ", ".join(
                    f"{100 * (l.mid - 1):.0f} % ({c})" for c, l in zip(CHUNKS, loss) if c != CHUNKS[best]) + f"; {noise_text(noise)}")
    yield Bars("chunks", f"PageRank, edge-pull, compact, {LAST}, by vectors per chunk", "ms", list(engine.graphs),
               [(c, [p[k] for p in pull.values()]) for k, c in enumerate(CHUNKS)])


PARTS = {schedules: ["engine_lab"], one_chunk_size: ["engine_lab"], vertex_loops: ["engine_lab"], molecular_dynamics: ["minimd"]}
