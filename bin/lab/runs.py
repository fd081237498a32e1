"""Runs of programs, and what they write of themselves."""

import json
import os
import pathlib
import subprocess
import tempfile
from dataclasses import dataclass

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / "build/release"
CLUSTER = str(ROOT / "tests/cluster/cluster.sh")
CPUS = len(os.sched_getaffinity(0))


def free_memory():
    """Bytes that programs may still take."""
    lines = pathlib.Path("/proc/meminfo").read_text().splitlines()
    return next(1024 * int(line.split()[1]) for line in lines if line.startswith("MemAvailable:"))


class Failed(Exception):
    """A program ended with another status than 0."""

    def __init__(self, command, status, said):
        super().__init__(f"{' '.join(map(str, command))}\nended with status {status}:\n{said.strip()}")
        self.status, self.said = status, said


class NoNodes(Failed):
    """This machine cannot have the nodes, or the links, of on_nodes()."""

    @property
    def reason(self):
        return self.said.strip().splitlines()[-1]


@dataclass
class Run:
    stats: dict    # --stats_json, or the results of Google Benchmark
    metrics: dict  # --metrics_json, where it is asked for
    out: str
    err: str

    def trials(self):
        """Those after the first, which touches the memory for the first time; a single one counts."""
        return self.stats["trials"][1:] or self.stats["trials"]


def built(name, build=BUILD):
    return build / ("tests" if name == "benchmarks" else "applications") / name


def launched(command, locales=None, cores=None):
    """The command of a program as a job: a process for each locale, by the launcher. Where nothing is said it chooses."""
    split = [f"-{flag}{count}" for flag, count in (("n", locales), ("c", cores)) if count]
    return [str(ROOT / "bin/orujo"), "run", *split, *command]


def on_nodes(command, nodes, cores=1, options=()):
    """The same on nodes that are network namespaces of this machine; run() raises NoNodes where it cannot have them."""
    return [CLUSTER, "run", "-n", str(nodes), "-c", str(cores), *options, "--", *command]


def run(command, metrics=False, seconds=None):
    """Runs a command that ends with a program and its flags, for so many seconds at most (then the status is 124). Raises Failed."""
    command = list(map(str, command))
    with tempfile.TemporaryDirectory() as folder:
        files = [pathlib.Path(folder, name) for name in ("stats.json", "metrics.json")[:1 + metrics]]
        if any(part.endswith("/benchmarks") for part in command):
            command += [f"--benchmark_out={files[0]}", "--benchmark_out_format=json"]
        else:
            command += [f"--{file.stem}_json={file}" for file in files]
        try:
            done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=seconds,
                                  env=os.environ | {"ORUJO_NO_BUILD": "1"})
        except FileNotFoundError as missing:
            raise Failed(command, 127, "it is not built") from missing
        except subprocess.TimeoutExpired as late:
            raise Failed(command, 124, f"not over after {seconds} s") from late
        if done.returncode != 0:
            kind = NoNodes if command[0] == CLUSTER and done.returncode == 4 else Failed
            raise kind(command, done.returncode, done.stderr)
        told = [json.loads(file.read_text()) for file in files]
    return Run(told[0], told[1] if metrics else {}, done.stdout, done.stderr)
