"""Nelson, Holt, Myers, Briggs, Ceze, Kahan, Oskin: "Latency-Tolerant Software Distributed Shared Memory" (Grappa), USENIX ATC 2015."""

from statistics import geometric_mean

from lab.papers.claims import NOT_COMPARED, Bars, Claim, Part, at_least, at_most, because, between, listed, noise_text, times
from lab.rounds import number, ratio
from lab.runs import ROOT, built, launched

PAPER_NODES = 128
WORKERS = [2, 1_000, 100_000, 500_000]
PAPER_SWITCHES = {1_000: 50, 500_000: 75}  # nanoseconds
GRAPHS = {0: "Kronecker 20", 1: "uniform 20", 2: "mesh 1000 x 1000"}  # of the benchmarks of searches
# The nine queries of SP2Bench that are in the paper, as SQL.
QUERIES = ["1", "2", "3a", "3b", "3c", "5a", "5b", "9", "12a"]


def benchmark(plan, filtered, locales=1, cores=1):
    """Several locales are processes."""
    flags = [f"--benchmark_filter={filtered}", f"--benchmark_min_time={plan.options.benchmark_seconds}"]
    if locales > 1:
        return launched([built("benchmarks", plan.options.programs), *flags], locales, cores)
    return plan.command("benchmarks", *flags, cores=cores)


def item(run, start):
    """The first result of a benchmark whose name begins so, as Google Benchmark writes it."""
    return next(b for b in run["benchmarks"] if b["name"].startswith(start))


def milliseconds(trial):
    return 1e3 * trial["seconds"]


def switches(plan):
    """What switching between workers costs, by how many are alive."""
    found, noise = plan.each(benchmark(plan, "^workers_that_yield/"), WORKERS,
                             lambda run, workers: item(run, f"workers_that_yield/workers:{workers}")["per_switch"] * 1e9, WORKERS[1:])
    told = listed({f"{w:,}": f"{number(v):.3g} ns" for w, v in found.items()})
    few, many = (ratio(found[w], [paper] * len(found[w]), noise) for w, paper in PAPER_SWITCHES.items())
    yield Claim("Grappa, context switch", "a switch with so many live workers", "50 ns with 1,000 (another machine)", told, at_most(few, 1), noise_text(noise))
    yield Claim("Grappa, context switch", "a switch with 500,000 live workers", "75 ns (another machine)", f"{number(found[500_000]):.3g} ns",
                at_most(many, 1), because("what is left are misses of caches and translations", noise_text(noise)))
    grown = ratio(found[500_000], found[1_000], noise)
    yield Claim("Grappa, context switch", "500,000 workers over 1,000", "1.5x", times(grown), at_most(grown, 1.5),
                because("a switch among few is faster here than there" if number(found[1_000]) < 50 else "", noise_text(noise)))
    yield Bars("switches", "a switch between workers, by live workers", "ns", ["here", "paper (elsewhere)"],
               {f"{w:,}": [cost, PAPER_SWITCHES.get(w, 0)] for w, cost in found.items()})


def latency(plan):
    """Many tasks hide the latency that one sees."""
    o = plan.options
    tasks = [1, 16, 256, 1024]
    command = plan.command("pointer_chasing", f"--log2_words={o.words}", f"--hops={o.hops}", f"--tasks={','.join(map(str, tasks))}", locales=2, cores=1)
    found, noise = plan.each(command, tasks, lambda run, count: next(
        t["hops_per_second"] for t in run["trials"] if t["tasks_per_core"] == count) / 1e6, tasks[1:])
    gain = ratio(found[1024], found[1], noise)
    yield Claim("Grappa, latency tolerance", "hops along a ring over two locales: 1,024 tasks per core over one", "more tasks hide more latency, up to the network's rate",
                listed({t: f"{number(v):.3g} M/s" for t, v in found.items()}), at_least(gain, 2),
                because(f"{times(gain)}; two locales of one process: their latency is a fraction of a microsecond", noise_text(noise)))
    yield Bars("latency", "hops along a ring, by tasks per core", "M/s", ["hops"], {t: [v] for t, v in found.items()})


def updates(plan):
    """GUPS, and messages gathered into blocks against one by one."""
    o = plan.options
    rate, noise = plan.twice(plan.command("gups", f"--log2_table={o.table}", trials=o.trials), lambda t: t["updates_per_second"] / 1e6)
    yield Claim("Grappa, GUPS", f"{o.cores} cores: asynchronous updates of a table of 2^{o.table} words", "original Grappa about 5 M/s on two cores (elsewhere)",
                f"{number(rate):.3g} M/s", NOT_COMPARED, because("the original is not on this machine", noise_text(noise)))
    found, noise = plan.each(benchmark(plan, "^messages_(gathered|one_by_one)<(8|64)>", locales=2),
                             [f"{way}<{size}>" for size in (8, 64) for way in ("gathered", "one_by_one")],
                             lambda run, name: item(run, f"messages_{name}")["items_per_second"] / 1e6)
    gain = {size: ratio(found[f"gathered<{size}>"], found[f"one_by_one<{size}>"], noise) for size in (8, 64)}
    of_eight = [found["gathered<8>"], found["one_by_one<8>"]]
    yield Claim("Grappa, GUPS", "messages between two processes, gathered into blocks over one by one, of 8 and 64 bytes",
                f"25x over native RDMA ({PAPER_NODES} nodes)", ", ".join(times(g) for g in gain.values()), at_least(gain[8], 25),
                because("shared memory of one machine instead of InfiniBand: a message alone costs less", "8 bytes: " +
                        " and ".join(f"{number(v):.3g} M/s" for v in of_eight), noise_text(noise)))
    yield Bars("updates", "messages of 8 bytes, 2 locales of one core", "M/s", ["gathered", "one by one"], {"8 bytes": of_eight}, log=True)


def searches(plan):
    """Breadth-first search written for the runtime against a vertex program, on one graph; and by tasks and delegates."""
    command = benchmark(plan, f"^search_of_(a_program|the_library)/[{''.join(map(str, plan.options.search_graphs))}]/", cores=plan.options.cores)
    rows = {}
    for k in plan.options.search_graphs:
        found, noise = plan.each(command, ["the_library", "a_program"], lambda run, name, k=k: item(run, f"search_of_{name}/{k}/")["real_time"])
        rows[GRAPHS[k]] = found
        gain = ratio(found["a_program"], found["the_library"], noise)
        yield Claim("Grappa, BFS", f"{GRAPHS[k]}: the library's search over a vertex program", "about 2x", times(gain), between(gain, 1.5, 2.5),
                    because("about 2x is taken as: from 1.5x to 2.5x", "a program has the same engine here, and only its state beside"
                            if gain.mid < 1.5 else "", noise_text(noise)))
    yield Bars("searches", "breadth-first search, vertex program and library", "ms", ["library", "program"], rows)


def delegate_searches(plan):
    """The example of the paper's section 2, by tasks and delegates."""
    o = plan.options
    time, noises = {}, {}
    for name in ("bfs", "bfs_delegates"):
        command = plan.command(name, f"--generate=kronecker:{o.search_scale}", "--symmetrize", trials=o.trials + 1)
        time[name], noises[name] = plan.twice(command, milliseconds)
    noise = geometric_mean(noises.values())
    gain = ratio(time["bfs_delegates"], time["bfs"], noise)
    yield Claim("Grappa, BFS", f"Kronecker {o.search_scale}: by tasks and delegates, as the paper's native code, over the library's search", "not told of",
                times(gain), NOT_COMPARED, because("a message of 24 bytes per edge; the library's search goes in both directions", noise_text(noise)))
    yield Bars("delegates", f"breadth-first search, Kronecker {o.search_scale}", "ms", ["library", "delegates"], {"search": time}, log=True)


def clusters(plan):
    """K-means: time of an iteration and how it divides."""
    o = plan.options
    rows = {}
    for count in o.clusters:
        command = plan.command("kmeans", f"--generate={o.points}x8", f"--clusters={count}", "--max_iterations=10", "--tolerance=0", "--start=random", trials=o.trials)
        each = {p: plan.trials(command, lambda t, p=p: 1e3 * t[f"{p}_seconds"] / t["iterations"]) for p in ("map", "reduce", "network")}
        whole, noise = plan.twice(command, lambda t: milliseconds(t) / t["iterations"])
        rows[f"K = {count}"] = each
        yield Claim("Grappa, k-means", f"{o.points:,} points of 8 numbers, K = {count}: an iteration", "10x Spark's (64 nodes; elsewhere)",
                    f"{number(whole):.3g} ms: " + listed({p: f"{number(v):.3g}" for p, v in each.items()}), NOT_COMPARED,
                    because("no Spark is part of the project", "network has the wait for the slowest core", noise_text(noise)))
    yield Bars("kmeans", "k-means, an iteration, by part", "ms", ["map", "reduce", "network"], rows)


def queries(plan):
    """The paper's nine queries of SP2Bench."""
    o = plan.options
    time, noises = {}, {}
    for name in QUERIES:
        text = (ROOT / f"applications/examples/sp2bench/q{name}.sql").read_text()
        command = plan.command("query", f"--generate=sp2bench:{o.triples}", f"--query={text}", trials=o.trials)
        time[f"q{name}"], noises[name] = plan.twice(command, milliseconds)
    yield Claim("Grappa, queries", f"SP2Bench's 1 to 12a, {o.triples:,} triples, ms", "12.5x Shark (64 nodes, geometric mean; elsewhere)",
                listed({name: f"{number(v):.3g}" for name, v in time.items()}), NOT_COMPARED,
                because("no Shark is part of the project; answers are compared with SQLite's by tests", noise_text(geometric_mean(noises.values()))))
    yield Bars("queries", f"SP2Bench, {o.triples:,} triples", "ms", ["query"], {name: [v] for name, v in time.items()})


def kind_of(step):
    """Of a step of a plan, as EXPLAIN describes it."""
    return next(kind for kind in ("join", "order", "group", "distinct", "filter", "scan", "other") if kind in step or kind == "other")


def parts_of_a_query(plan):
    """Figure 9b: what a query's time goes into, here by kinds of steps."""
    o = plan.options
    text = (ROOT / "applications/examples/sp2bench/q2.sql").read_text()
    command = plan.command("query", f"--generate=sp2bench:{o.triples}", f"--query={text}", trials=o.trials)

    def seconds_by_kind(ran):
        by = {}
        for step in ran.stats["trials"][-1]["steps"]:
            by[kind_of(step["step"])] = by.get(kind_of(step["step"]), 0.0) + step["seconds"]
        return by

    rounds = plan.figures(command, seconds_by_kind, placeholder={})
    each = {kind: [1e3 * of.get(kind, 0.0) for of in rounds] for kind in sorted({kind for of in rounds for kind in of})}
    whole = sum(map(number, each.values())) or 1
    yield Claim("Grappa, figure 9b", f"SP2Bench's query 2, {o.triples:,} triples: breakdown of its time by steps", "network and iteration weigh most (elsewhere)",
                listed({kind: f"{100 * number(of) / whole:.0f} %" for kind, of in each.items()}), NOT_COMPARED,
                "a core's own time in each step, in the mean")
    yield Bars("query_parts", f"SP2Bench's query 2, {o.triples:,} triples, by steps", "ms", list(each), {"q2": list(each.values())})


def cores(options):
    return f"{options.cores} cores"


PARTS = {
    switches: Part(["benchmarks"], "one core", lambda o: "one core"),
    latency: Part(["pointer_chasing"], f"{PAPER_NODES} nodes", lambda o: f"2 locales, 2^{o.words} words"),
    updates: Part(["gups", "benchmarks"], f"{PAPER_NODES} nodes", lambda o: f"{cores(o)}, 2^{o.table} words"),
    searches: Part(["benchmarks"], f"{PAPER_NODES} nodes", cores),
    delegate_searches: Part(["bfs", "bfs_delegates"], f"{PAPER_NODES} nodes", lambda o: f"{cores(o)}, 2^{o.search_scale} vertices"),
    clusters: Part(["kmeans"], "64 nodes, K = 10 and 10,000", lambda o: f"{cores(o)}, {o.points:,} points"),
    queries: Part(["query"], "64 nodes", lambda o: f"{cores(o)}, {o.triples:,} triples"),
    parts_of_a_query: Part(["query"], "64 nodes", lambda o: f"{cores(o)}, {o.triples:,} triples")}
