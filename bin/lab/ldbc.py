"""Runs the six algorithms of LDBC Graphalytics on graphs in its layout and compares what comes out with its reference
outputs. bin/orujo bench ldbc calls it."""

import argparse
import math
import pathlib
import re
import sys
import tempfile

from lab.runs import Failed, launched, run

# An application and its flags; {} is replaced by the graph's property of that name.
COMMANDS = {
    "bfs": "bfs --trials=1 --source={bfs.source-vertex}",
    "cdlp": "label_propagation --iterations={cdlp.max-iterations}",
    "lcc": "triangle_counting --coefficients",
    "pr": "pagerank --precision=double --iterations={pr.num-iterations} --damping={pr.damping-factor}",
    "sssp": "sssp --trials=1 --source={sssp.source-vertex}",
    "wcc": "connected_components",
}
TOLERANCE = 1e-4  # relative, of pr, sssp and lcc


def properties_of(path):
    """Those of the graph, without what their names have in front: graph.NAME."""
    pairs = (line.split("=", 1) for line in path.read_text().splitlines() if "=" in line and line[:1] not in "#!")
    start = f"graph.{path.stem}."
    return {key.strip().removeprefix(start): value.strip() for key, value in pairs if key.strip().startswith(start)}


def values_in(path, read):
    values = {}
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not line.strip():
            continue
        try:
            vertex, value = line.split()
            values[int(vertex)] = read(value)
        except ValueError:
            sys.exit(f"orujo: {path}:{number}: not a vertex and its value: {line}")
    return values


def reference_of(path, algorithm):
    """NAME-BFS or the like, beside the graph or in a folder of its name."""
    for name in (f"{path.stem}-{algorithm.upper()}", f"{path.stem}-{algorithm}"):
        for folder in (path.parent, path.parent / path.stem, path.parent / "validation"):
            if (folder / name).is_file():
                return folder / name
    return None


def difference(algorithm, output, reference):
    """What is wrong, by the benchmark's rules: bfs and cdlp are equal, wcc has the same parts, others are close."""
    read = float if algorithm in ("lcc", "pr", "sssp") else int
    found, expected = values_in(output, read), values_in(reference, read)
    if found.keys() != expected.keys():
        odd = min(found.keys() ^ expected.keys())
        return f"vertex {odd} is {'not expected' if odd in found else 'missing'}"
    renamed, named = {}, {}
    for vertex in sorted(found):
        a, b = found[vertex], expected[vertex]
        if algorithm == "wcc":
            if renamed.setdefault(a, b) != b or named.setdefault(b, a) != a:
                return f"vertex {vertex} is in another component"
        elif a != b and not (read is float and math.isclose(a, b, rel_tol=TOLERANCE)):
            return f"vertex {vertex} has {a} instead of {b}"
    return None


def check(path, algorithm, properties, options, output):
    """Returns what to say, and whether it is good."""
    try:
        command = re.sub(r"{(.*?)}", lambda name: properties[name[1]], COMMANDS[algorithm]).split()
    except KeyError as missing:
        return f"not run: {path} has no {missing}", False
    try:
        done = run(launched([*command, f"--graph={path}", f"--output={output}", "--output_format=ldbc"], options.n, options.c))
    except Failed as why:
        return f"FAILED: {why}", False
    seconds = done.stats["trials"][0]["seconds"]
    reference = reference_of(path, algorithm)
    if reference is None:
        return f"{seconds:.4f} s, not compared: there is no {path.stem}-{algorithm.upper()}", not options.strict
    wrong = difference(algorithm, output, reference)
    return (f"{seconds:.4f} s, WRONG: {wrong}", False) if wrong else (f"{seconds:.4f} s, right", True)


def graphs_in(places):
    for place in map(pathlib.Path, places):
        found = sorted(place.rglob("*.properties")) if place.is_dir() else [place]
        found = [path for path in found if "graph." in path.read_text()]
        if not found:
            sys.exit(f"orujo: {place} has no graph of LDBC's, NAME.properties")
        yield from found


def main(arguments):
    parser = argparse.ArgumentParser(
        prog="bin/orujo bench ldbc",
        description="Runs LDBC Graphalytics' algorithms on its graphs (NAME.properties, .v, .e) and compares the outputs with "
        "its references (NAME-BFS, NAME-CDLP ..), by its rules. Status 1: some were wrong.")
    parser.add_argument("graphs", nargs="+", metavar="FOLDER|NAME.properties")
    parser.add_argument("-n", metavar="LOCALES", help="as of bin/orujo run")
    parser.add_argument("-c", metavar="CORES", help="as of bin/orujo run")
    parser.add_argument("--algorithms", help="some of bfs,cdlp,lcc,pr,sssp,wcc (default: those that the graph names, or all)")
    parser.add_argument("--strict", action="store_true", help="count a result without reference as wrong")
    options = parser.parse_args(arguments)
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        for path in graphs_in(options.graphs):
            properties = properties_of(path)
            wanted = options.algorithms or properties.get("algorithms") or ",".join(COMMANDS)
            for algorithm in (word.strip().lower() for word in wanted.split(",")):
                if algorithm not in COMMANDS:
                    sys.exit(f"orujo: {path}: no algorithm '{algorithm}'; there are {', '.join(COMMANDS)}")
                said, good = check(path, algorithm, properties, options, pathlib.Path(folder, "output"))
                print(f"{path.stem} {algorithm}: {said}", flush=True)
                bad += not good
    return 1 if bad else 0
