#!/usr/bin/env python3
"""Every flag of every application has an effect on what is computed or told, changes only how fast that goes, or is refused
by its name: none is taken in silence. A flag that is not in the tables below is a failure.
    flags_test.py FOLDER_OF_APPLICATIONS [APPLICATION...]"""

import concurrent.futures
import itertools
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True

from flags_inputs import make_inputs  # noqa: E402

programs = pathlib.Path(sys.argv[1])
work = pathlib.Path(tempfile.mkdtemp())
os.environ["XDG_CACHE_HOME"] = str(work)  # where tune keeps what it measures

# The flags of an application's run, small and the same each time. `graph` is any graph, `undirected` one for
# applications that require it.
GRAPH = "--graph={work}/graph.csv"
UNDIRECTED = GRAPH + " --symmetrize"
COMMANDS = {
    "betweenness_centrality": GRAPH,
    "bfs": GRAPH,
    "bfs_delegates": GRAPH,
    "codec_lab": GRAPH + " --log2_ids=6 --round_ms=0",
    "collaborative_filtering": UNDIRECTED,
    "cliques": UNDIRECTED,
    "closeness": GRAPH + " --samples=20",
    "coloring": UNDIRECTED,
    "connected_components": GRAPH,
    "dag_levels": "--graph={work}/acyclic.csv --remove_self_loops",
    "eccentricity": GRAPH + " --sources=3",
    "engine_lab": GRAPH,
    "graph500": "--scale=6 --roots=3",
    "graph_tool stats": GRAPH,
    "graph_tool convert": GRAPH + " --output={out}/graph.el",
    "graph_tool generate kronecker:6:edgefactor=1:weights=1..9": "--output={out}/graph.el",
    "graph_tool check": GRAPH,
    "graph_tool layout": GRAPH,
    "gups": "--log2_table=8",
    "histogram": "--updates_per_core=1000",
    "hits": GRAPH,
    "index_gather": "--words_per_core=100 --reads_per_core=100",
    "k_core": UNDIRECTED,
    "k_truss": UNDIRECTED,
    "kmeans": "--generate=100x3 --clusters=3 --output={out}/rows",
    "label_propagation": GRAPH,
    "layout_lab": GRAPH,
    "leiden": UNDIRECTED,
    "log_count": "--input={work}/table.csv --separator=comma",
    "maximal_independent_set": UNDIRECTED,
    "minimd": "--size=6 --steps=4",
    "minimum_spanning_forest": GRAPH,
    "neighbour_sample": GRAPH + " --batch=5",
    "pagerank": GRAPH,
    "personalized_pagerank": GRAPH,
    "pointer_chasing": "--log2_words=6 --hops=10 --tasks=1",
    "query": "--table=t={work}/table.csv --query={query}",
    "random_walks": GRAPH + " --length=5",
    "sample_sort": "--keys=1000",
    "similarity": UNDIRECTED,
    "spectral_centrality": GRAPH + " --tolerance=0.01",
    "sssp": GRAPH,
    "strongly_connected_components": GRAPH,
    "triangle_counting": UNDIRECTED,
    "tune": "--most_bytes=65536 --keep=false",
    "uts": "--tree=geometric --max_depth=3",
    "word_count": "--input={work}/table.csv",
}

# FLAG: value, and what stands beside it where it needs that. Without this it is refused, or has an effect all the same.
CHANGES = {
    # Graphs and their files.
    "graph": "{work}/other.csv", "generate": "path:9", "format": "edge_list", "names": "true --graph={work}/named.csv", "header": "false",
    "separator": "semicolon", "source_column": "c", "target_column": "c", "weight_column": "x", "time_column": "weight",
    "bipartite": "true", "graph500_scale": "5", "symmetrize": "true", "remove_self_loops": "true",
    "remove_duplicates": "true", "keep_weight": "heaviest --remove_duplicates", "ignore_weights": "true",
    "transpose": "true", "largest_component": "true", "strict": "true --graph={work}/announced.txt",
    # Flags of many applications.
    "output": "{out}/written", "output_format": "ldbc --output={out}/written", "stats_json": "{out}/stats2",
    "metrics_json": "{out}/metrics", "trace_json": "{out}/trace", "trace_events_per_core": "16 --trace_json={out}/trace",
    "trials": "2", "verify": "true", "top": "1", "source": "3", "seed": "5", "sources": "2", "iterations": "2",
    "tolerance": "0.3", "max_iterations": "1", "damping": "0.5", "length": "2",
    "checkpoint_dir": "{out}/checkpoints", "checkpoint_every": "1 --checkpoint_dir={out}/checkpoints",
    "resume": "true --checkpoint_dir={out}/checkpoints", "print_settings": "true", "print_metrics": "true",
    "input": "{work}/other.csv", "check_closures": "true",
    # Flags of one or two.
    "algorithm": "bfs", "any_bytes": "true --input={work}/latin1", "blobs": "0", "blocking_tasks": "2", "boost": "true",
    "centers_output": "{out}/centers", "children": "3 --tree=binomial", "chunk": "1 --max_depth=6",
    "churn": "0.5 --live=100 --queries=10 --rounds=1", "clusters": "2", "coefficients": "true --output={out}/written",
    "columns": "1 --generate= --input={work}/numbers.csv", "counters_per_core": "3", "cutoff": "2", "dangling": "ignore",
    "delta": "true", "density": "0.5", "depth": "3", "distribution": "sorted", "dt": "0.001", "edgefactor": "2",
    "encoding": "compact", "engine": "push", "file": "{out}/measures --keep=true", "for_locales": "3", "group_by": "2",
    "hops": "20", "huge_pages": "false", "keep": "true --file={out}/measures", "kernel": "sssp", "keys": "99",
    "lambda": "0.5", "layouts": "dfs", "letters": "true", "live": "100 --queries=10 --rounds=1", "log2_ids": "5",
    "log2_table": "7", "log2_words": "5", "loop": "vertices", "lower_case": "true", "max_depth": "2",
    "message_bytes": "64", "most_bytes": "131072", "node_pointer": "true --depth=3", "op": "xor",
    "phase_interface": "traditional", "precision": "double", "probability": "0.05 --tree=binomial",
    "push_along": "rows --engine=push", "queries": "20 --depth=3", "query": "SELECT+a+FROM+t",
    "reads_per_core": "50", "rebuild_every": "1", "renumber": "true", "root_children": "2", "roots": "2",
    "rounds": "2 --live=100 --queries=10", "rows": "1", "scale": "5", "searches": "bfs", "serial": "true", "size": "7",
    "skin": "0.5", "skip_validation": "true", "start": "random", "step": "0.1", "steps": "3", "sum": "2",
    "table": "t={work}/other.csv", "tasks": "2", "temperature": "1", "thermo_every": "2", "to": "matrix_market",
    "tree": "linear", "updates": "50", "updates_per_core": "500", "walks": "3", "walks_per_vertex": "2",
    "words_per_core": "50", "condensation": "{out}/between", "batch": "3", "fanouts": "1", "replace": "true", "edge_dir": "out",
    "p": "0.1", "q": "0.1", "until": "3 --time_column=weight", "latest": "true --time_column=weight --until=6 --fanouts=1 --output={out}/written", "types": "{work}/types.txt --metapath=a,b,a", "metapath": "b,a,b --types={work}/types.txt", "weighted": "true", "keep_walks": "true --output={out}/written",
}
# Other values, by application and flag.
CHANGES_OF = {
    ("engine_lab", "count_active"): "true --algorithm=bfs --encoding=compact",
    ("engine_lab", "source"): "3 --algorithm=bfs", ("engine_lab", "seed"): "5 --algorithm=bfs",
    ("query", "header"): "no", ("query", "generate"): "tpch:0.001", ("query", "output_format"): "json",
    ("kmeans", "header"): "true --generate= --input={work}/numbers.csv", ("kmeans", "generate"): "100x2",
    ("kmeans", "separator"): "tab --generate= --input={work}/numbers.csv", ("kmeans", "input"): "{work}/numbers.csv --generate=",
    ("log_count", "header"): "true", ("log_count", "separator"): "none", ("graph500", "partition"): "2d",
    ("k_truss", "support"): "true --output={out}/written", ("closeness", "measure"): "harmonic", ("cliques", "size"): "3", ("similarity", "measure"): "cosine", ("similarity", "pairs"): "{work}/other.csv", ("closeness", "samples"): "9", ("closeness", "wf_improved"): "false --output={out}/written",
    ("spectral_centrality", "measure"): "katz --alpha=0.001", ("spectral_centrality", "alpha"): "0.001 --measure=katz",
    ("spectral_centrality", "beta"): "2 --measure=katz --alpha=0.001 --normalized=false --output={out}/written",
    ("spectral_centrality", "normalized"): "false --measure=katz --alpha=0.001 --output={out}/written",
    ("neighbour_sample", "time_column"): "weight --until=3", ("dag_levels", "remove_self_loops"): "false", ("random_walks", "length"): "1", ("leiden", "iterations"): "1",
    ("leiden", "levels"): "1", ("leiden", "method"): "louvain", ("leiden", "quality"): "cpm", ("leiden", "resolution"): "5",
    ("collaborative_filtering", "ignore_weights"): "true --weight_column=",
    ("pagerank", "weighted"): "true --precision=double --output={out}/written", ("betweenness_centrality", "edges"): "true --output={out}/written",
    ("label_propagation", "weighted"): "true --output={out}/written",
    ("betweenness_centrality", "weighted"): "true --output={out}/written",
    ("k_core", "weighted"): "true --output={out}/written",
    ("triangle_counting", "weighted"): "true --coefficients --output={out}/written",
    ("personalized_pagerank", "weighted"): "true --output={out}/written",
    ("pagerank", "tolerance"): "0.3 --delta", ("pagerank", "precision"): "double --output={out}/written",
    ("collaborative_filtering", "strict"): "true --graph={work}/announced_weights.txt",
    ("graph500", "verify"): "true --skip_validation",
    ("graph_tool stats", "weight_column"): "x --graph={work}/unnamed_weight.csv",
    ("graph_tool generate kronecker:6:edgefactor=1:weights=1..9", "renumber"): "true --largest_component",
    ("graph_tool check", "weight_column"): "x --graph={work}/unnamed_weight.csv",
    ("uts", "children"): "9 --tree=binomial --root_children=50", ("uts", "probability"): "0.01 --tree=binomial --root_children=50",
    ("graph500", "checkpoint_dir"): "{out}/checkpoints --kernel=sssp",
    ("closeness", "checkpoint_every"): "1 --checkpoint_dir={out}/checkpoints --samples=200 --graph= --generate=uniform:8",
    ("graph500", "checkpoint_every"): "1 --kernel=sssp --checkpoint_dir={out}/checkpoints",
}
# Flags that must not change the result: they change the speed, or where the result is computed.
SPEED = {
    "partition": "hash", "placement": "by_target", "layout_seed": "2 --layout=random", "layout_levels": "64 --layout=hierarchical",
    "layout_vertex_bytes": "256 --layout=hierarchical",
    "bundle_depth": "0", "segments": "2", "chunk_vectors": "1", "codec": "varint", "codec_min_bytes": "1",
    "direction": "pull", "push_threshold": "3", "rounded": "true", "layout": "degree", "levels_ahead": "never", "overlap": "false",
    "partition_alpha": "1", "schedule": "static", "progress": "off", "checkpoint_mtbf_hours":
    "1 --checkpoint_every=auto --checkpoint_dir={out}/checkpoints", "combined_keys": "1", "combiner": "false",
    "chunk_atoms": "1", "chunk_vertices": "1 --loop=vertices", "write_intense": "true --phase_interface=traditional",
    "rebuild_when_moved": "false", "round_ms": "0.01",
    "blocks_in_flight": "2", "chaos_seed": "3", "emulate_numa": "1", "flush_age_us": "7", "global_heap_bytes": "100000000",
    "measures": "guess", "memory_budget_bytes": "2000000000", "message_bytes_per_core": "1000000", "numa_nodes": "0",
    "parcel_bytes": "20000", "pin": "false", "simd": "scalar", "stack_bytes": "65536", "steal": "false",
    "watchdog_seconds": "30", "locales": "1", "cores": "1", "device": "emulated",
}
SPEED_OF = {("sssp", "delta"): "0.5", ("graph500", "device"): "emulated --partition=2d", ("pagerank", "placement"): "grid", ("pagerank", "direction"): "pull --delta", ("pagerank", "push_threshold"): "3 --delta",
            ("bfs", "direction"): "pull", ("gups", "tasks"): "2 --op=fetch_add", ("histogram", "seed"): "5", ("gups", "seed"): "5", ("index_gather", "seed"): "5",
            ("pointer_chasing", "seed"): "5", ("layout_lab", "queries"): "20 --depth=3", ("layout_lab", "trials"): "2", ("tune", "trials"): "2",
            ("graph500", "checkpoint_mtbf_hours"): "1 --kernel=sssp --checkpoint_every=auto --checkpoint_dir={out}/checkpoints"}
# Flags of the runtime are the same code in all applications: one is asked.
RUNTIME = {"pagerank"}
CHANGES_OF |= {(c.split()[0], "symmetrize"): "false" for c in COMMANDS if COMMANDS[c] == UNDIRECTED}

# Flags whose effect shows in some applications only, and why they are taken elsewhere.
QUIET = {
    "output_format": ({"bfs", "bfs_delegates", "sssp", "query", "graph_tool"}, "other results are written the same in both"),
    "ignore_weights": ({"sssp", "collaborative_filtering", "graph_tool", "spectral_centrality"}, "it says what others do anyway"),
    "remove_duplicates": (set(COMMANDS) - {c for c in COMMANDS if COMMANDS[c] == UNDIRECTED} | {"graph_tool"}, "--symmetrize does"),
    "verify": (set(c.split()[0] for c in COMMANDS) - {"codec_lab", "layout_lab"}, "others always do"),
    "damping": ({"pagerank", "personalized_pagerank"}, "engine_lab shows no ranks"),
    "resume": (set(), "it begins anew where there is no checkpoint; tests/applications/checkpoints_test.sh has others"),
    "check_closures": (set(), "applications have no closures that cannot travel; tests/programs has others"),
}
# Applications that use the weights of a graph without being told. Others have --weighted, or ignore weights and say so.
# layout_lab measures layouts by edges alone.
WEIGHERS = {"collaborative_filtering", "graph_tool", "layout_lab", "leiden", "minimum_spanning_forest", "spectral_centrality", "sssp"}
# Flags whose companions only show the effect, which they also have alone.
SHOWN_BY = {"names", "strict", "verify", "weight_column", "precision", "any_bytes", "renumber", "wf_improved"}
# Flags that their companions make invalid.
CONTRADICTIONS = [
    ("closeness", "seed", "5 --samples=0"), ("closeness", "wf_improved", "false --measure=harmonic"), ("spectral_centrality", "alpha", "0.5"),
    ("bfs", "seed", "5 --source=3"), ("eccentricity", "sources", "2 --source=3"), ("bfs", "push_threshold", "3 --direction=pull"),
    ("bfs", "codec_min_bytes", "1 --codec=none"), ("pagerank", "tolerance", "0.1 --iterations=3"),
    ("pagerank", "device", "auto --weighted"), ("betweenness_centrality", "top", "3 --edges"),
    ("pagerank", "max_iterations", "5 --iterations=3"), ("pagerank", "direction", "pull"),
    ("sssp", "keep_weight", "sum"), ("sssp", "weight_column", "x --ignore_weights"),
    ("sssp", "keep_weight", "sum --remove_duplicates --ignore_weights"), ("random_walks", "walks_per_vertex", "2 --walks=3"),
    ("neighbour_sample", "until", "3"), ("neighbour_sample", "time_column", "weight"), ("neighbour_sample", "latest", "true --time_column=weight --replace"), ("neighbour_sample", "weight_column", "x --time_column=weight --until=3"),
    ("random_walks", "p", "2 --metapath=a,b,a --types={work}/types.txt"), ("random_walks", "q", "2 --time_column=weight"),
    ("random_walks", "types", "{work}/types.txt"), ("random_walks", "metapath", "a,b,a"), ("random_walks", "weighted", "true --time_column=weight"),
    ("random_walks", "weight_column", "x --time_column=weight"), ("random_walks", "ignore_weights", "true --time_column=weight"),
    ("engine_lab", "engine", "push --loop=vertices"), ("engine_lab", "encoding", "compact --loop=vertices"),
    ("engine_lab", "iterations", "3 --algorithm=bfs"), ("engine_lab", "segments", "2 --encoding=wide"),
    ("engine_lab", "schedule", "static --engine=push"), ("engine_lab", "chunk_vectors", "3 --engine=push"),
    ("uts", "probability", "0.05 --tree=linear"), ("uts", "seed", "3 --tree=T1"), ("query", "rows", "3 --output={out}/written"),
    ("query", "output", "{out}/written --query=EXPLAIN+SELECT+a+FROM+t"), ("kmeans", "columns", "1"),
    ("word_count", "combined_keys", "7 --combiner=false"), ("layout_lab", "queries", "3"), ("layout_lab", "symmetrize", "true"),
    ("triangle_counting", "coefficients", "true"), ("tune", "file", "{out}/measures"), ("gups", "tasks", "3"),
    ("graph_tool check", "symmetrize", "true"), ("graph_tool check", "stats_json", "{out}/stats2"),
    ("graph_tool stats", "to", "gap"), ("graph_tool convert", "for_locales", "3"), ("graph_tool layout", "remove_self_loops", "true"),
    ("graph500", "device", "emulated"), ("pagerank", "device", "emulated --delta"), ("pagerank", "schedule", "static --device=emulated"),
    ("pagerank", "overlap", "false --device=emulated"), ("bfs", "levels_ahead", "always --device=emulated"), ("graph500", "layout_seed", "3"), ("graph500", "checkpoint_dir", "{out}/checkpoints"), ("sssp", "transpose", "true --symmetrize"),
    ("sssp", "weight_column", "x --graph={work}/ldbc/g.properties"), ("sssp", "weight_column", "none --graph={work}/w.gml"),
    ("sssp", "weight_column", "none"), ("pagerank", "trace_events_per_core", "99"),
    ("pagerank", "checkpoint_mtbf_hours", "2 --checkpoint_dir={out}/checkpoints"),
]
# Flags of tables beside files of other formats, and others that are of one format.
for graph_file in ("g.mtx", "g.gr", "g.gml", "g.orj", "g.el", "g.graph", "g.adj", "g.g6"):
    for flag, value in (("header", "true"), ("separator", "semicolon"), ("source_column", "2"), ("target_column", "2"),
                        ("weight_column", "3"), ("time_column", "3"), ("graph500_scale", "5"), ("names", "true"), ("bipartite", "true")):
        takes = {"weight_column": ("g.gml",), "names": ("g.gml",), "bipartite": ("g.mtx", "g.el")}
        edge_list = graph_file == "g.el" and flag != "graph500_scale"  # which may be a table
        if graph_file not in takes.get(flag, ()) and not edge_list:
            CONTRADICTIONS.append(("sssp", flag, f"{value} --graph={{work}}/{graph_file}"))


def flags_of(program):
    """{flag: (area, default)} of --helpfull."""
    text = subprocess.run([programs / program, "--helpfull"], stdout=subprocess.PIPE, text=True, check=True).stdout
    found, area = {}, ""
    for line in text.splitlines():
        if line.startswith("Flags of "):
            area = line[len("Flags of "):-1]
        flag = re.match(r"  --(\w+) \(\w+, default (.*)\)$", line)
        if flag and area != "the libraries":
            found[flag[1]] = (area, flag[2].strip('"'))
    return found


def without_times(value):
    """A report's figures but for those that a clock has a share in."""
    if isinstance(value, dict):
        return {k: without_times(v) for k, v in value.items()
                if not re.search(r"second|_ns$|imbalance|bits$|gain|bytes_per|gathers|picoseconds|traffic|supersteps|stolen|^run$", k)}
    if isinstance(value, list):
        return [without_times(v) for v in value]
    return value


def steady(text):
    """Printed text without times, rates and what follows from them."""
    text = re.sub(r"(?m)^[IWEF]\d{8} \S+ +\d+ [\w.]+:\d+\] ", "", text)
    text = re.sub(r"\d[\d,.]*(e[-+]?\d+)? ?[kMG]? ?\w+/s\b", "#", text)
    text = re.sub(r"\d[\d,.]*(e[-+]?\d+)? [kMG]\b", "#", text)
    text = re.sub(r"\d[\d,]*\.\d+(e[-+]?\d+)?|\d+e[-+]\d+|\d+%|\d+(e[-+]\d+)?(?= (ns|ms|s|us|TEPS|per core)\b)", "#", text)
    return re.sub(r"[ \t]+", " ", text)


runs = itertools.count()


def run(command, flags):
    """(status, stderr, all that can be told apart) of the program; later flags stand for earlier ones."""
    out = work / f"run{next(runs)}"
    out.mkdir()
    words = f"{COMMANDS[command]} {flags}".split()
    if command != "graph_tool check" and "--stats_json" not in flags:
        words.append("--stats_json={out}/stats")
    places = {"work": work, "out": out, "query": "SELECT a,count(*) FROM t GROUP BY a ORDER BY a"}
    words = [w.format(**places).replace("+", " ") if "SELECT+" in w else w.format(**places) for w in words]
    done = subprocess.run([programs / command.split()[0], *command.split()[1:], "--cores=1", *words], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace", timeout=120)
    said = done.stderr.replace(str(out), "OUT")
    told = [done.returncode, steady(done.stdout).replace(str(out), "OUT"), steady(said)]
    for file in sorted(out.rglob("*")):
        if not file.is_file():
            continue
        told.append(str(file.relative_to(out)))
        if file.name == "stats":
            told.append(without_times(json.loads(file.read_text().replace(str(out), "OUT") or "{}")))
        elif file.name in ("rows", "written", "graph.el", "centers"):
            told.append(file.read_text())
    return done.returncode, said, told


def refused(flag, status, said):
    of_tables = "--source_column and similar flags" in said
    return status != 0 and (f"--{flag}" in said or of_tables) and re.search("effect|no column|no edge has|exclude|requires|must be|remove|pass --format", said)


class Case:
    """One flag of one application; `problem` is empty where all is well."""

    def __init__(self, command, flag):
        self.command, self.flag, self.problem = command, flag, ""
        program = command.split()[0]
        keys = [(command, flag), (program, flag)]
        probe = next((table[key] for key in keys for table in (CHANGES_OF, SPEED_OF) if key in table), None)
        self.speed = any(key in SPEED_OF for key in keys) or (flag in SPEED and probe is None)
        self.probe = probe or SPEED.get(flag) or CHANGES.get(flag)

    def judge(self):
        if self.probe is None:
            self.problem = "is in no table: say there what changes with it"
            return self
        value, _, beside = self.probe.partition(" ")
        given = f"--{self.flag}={value}"
        self.problem = self.look(beside, f"{beside} {given}")
        if beside and not self.problem and self.flag not in SHOWN_BY:
            alone = self.look("", given, alone=True)
            self.problem = alone and f"alone, without {beside}: {alone}"
        return self

    def look(self, without, given, alone=False):
        status, said, told = run(self.command, given)
        if refused(self.flag, status, said):
            return ""
        plain_status, plain_said, plain = run(self.command, without)
        if plain_status == 2 and steady(plain_said) == steady(said):  # what stands beside it is refused
            return ""
        if self.speed and not alone:
            return "" if status == plain_status else f"ends with {status}: {said.strip()}"
        return "" if told != plain else f"is taken in silence: {given}"


class Contradiction(Case):
    def judge(self):
        value, _, beside = self.probe.partition(" ")
        status, said, _ = run(self.command, f"{beside} --{self.flag}={value}")
        if status == 0 or not refused(self.flag, status, said):
            self.problem = f"is not refused beside {beside}: status {status}, {said.strip()}"
        return self


def notes_of_weights():
    """What is wrong with the note that a program ignores the weights of a graph's edges: said once, unless asked for."""
    wrong = []
    for graph in ("--graph={work}/w.el", "--graph={work}/w.gml", "--graph={work}/w.gr", "--graph={work}/w.orj", "--graph={work}/w.wsg",
                  "--graph={work}/graph.csv", "--graph={work}/w.npy", "--generate=path:5:weights=1..3", "--graph={work}/g.el", "--graph={work}/unnamed_weight.csv"):
        weighted = not graph.endswith(("g.el", "unnamed_weight.csv"))
        for flags, expected in ((f"--graph= {graph}", weighted), (f"--graph= {graph} --ignore_weights", False)):
            status, said, _ = run("pagerank", flags)
            if status != 0 or said.count("ignores the weights") != expected:
                wrong.append(f"pagerank {flags}: ends with {status} and says '{said.strip()}', expected a note: {expected}")
    return wrong


def uses_of_weights(command):
    """What is wrong with the weights of an application's graph: it uses them, alone or by --weighted, or says that it does not.
    --weighted of a graph without weights is refused."""
    program, wrong, heavy = command.split()[0], [], "--graph={work}/w.el"
    runs_of = [(heavy, program not in WEIGHERS, 0)]
    if "weighted" in flags_of(program):
        beside = f"{CHANGES_OF.get((program, 'weighted'), 'true').partition(' ')[2]} {heavy} --weighted"
        runs_of += [(beside, False, 0), (f"{beside} --ignore_weights", False, 2)]
    for flags, ignores, expected in runs_of:
        status, said, _ = run(command, flags)
        if status != expected or said.count("this program ignores the weights") != ignores:
            wrong.append(f"{command} {flags}: ends with {status} and says '{said.strip()}', expected {expected} and a note: {ignores}")
        if expected and "--weighted requires a graph with weights" not in said:
            wrong.append(f"{command} {flags}: does not say that --weighted requires weights, but '{said.strip()}'")
    return wrong


def main():
    make_inputs(programs, work)
    cases = []
    commands = [c for c in COMMANDS if not sys.argv[2:] or c.split()[0] in sys.argv[2:]]
    missing = {p.name for p in programs.iterdir() if p.is_file() and p.stat().st_mode & 1 and p.suffix == ""} - {c.split()[0] for c in COMMANDS}
    for command in commands:
        program = command.split()[0]
        for flag, (area, _) in flags_of(program).items():
            if area == "the runtime" and program not in RUNTIME and flag not in ("schedule", "progress") and not flag.startswith("checkpoint") and flag != "resume":
                continue
            if flag not in QUIET or program in QUIET[flag][0]:
                cases.append(Case(command, flag))
    for command, flag, probe in CONTRADICTIONS:
        if command in commands:
            cases.append(Contradiction(command, flag))
            cases[-1].probe = probe
    failures = [f"{program}: has no command in this test" for program in sorted(missing)]
    if "pagerank" in commands:
        failures += notes_of_weights()
    for command in commands:
        if re.search(r"--graph=\{work\}/(graph|acyclic).csv", COMMANDS[command]):
            failures += uses_of_weights(command)
    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        for command in commands:
            status, said, told = run(command, "")
            if status != 0:
                failures.append(f"{command}: ends with {status}: {said.strip()}")
            elif (again := run(command, "")[2]) != told:
                failures.append(f"{command}: two runs are not alike, or what differs is no time: {told} and {again}")
        for case in pool.map(lambda case: case.judge(), cases):
            if case.problem:
                failures.append(f"{case.command}: --{case.flag} {case.problem}")
    for failure in failures:
        print("FAILED ", failure)
    if failures:
        sys.exit(f"{len(failures)} of {len(cases)} cases failed")
    print(f"all {len(cases)} flags of {len(commands)} commands are well")


main()
