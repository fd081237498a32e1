#!/usr/bin/env python3
"""Runs the commands of README.md, docs/start, docs/how_to and docs/gallery.md as they stand.
commands_test.py BUILD_FOLDER [PAGE...]

The blocks marked sh and console of a page run one after the other in a folder of their own, the user's home, in which
`bin/orujo` is the launcher and `build/release` the build. A block fails if a command in it does. The lines that follow `$ COMMAND` in a
console block are what it prints, but for numbers; a line `...` stands for any lines, and `...` at the end of a line for
its rest. A block is left out if the line before it is `<!-- not run: REASON -->`. Blocks without a language, or marked
text, are not commands."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"(?:^<!-- not run: (?P<reason>[^\n]+) -->\n)?^```(?P<language>sh|console)\n(?P<body>.*?)^```$", re.M | re.S)
# Pages none of whose commands run here.
ELSEWHERE = {"docs/how_to/gpus.md": "needs a GPU"}
# mpirun asks root, and users of machines with few CPUs, for options that the pages name.
ALLOWED = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
           "OMPI_MCA_mpi_yield_when_idle": "1", "OMPI_MCA_hwloc_base_binding_policy": "none"}


def pages():
    found = [ROOT / "README.md", ROOT / "docs/gallery.md", *sorted((ROOT / "docs/start").glob("*.md")),
             *sorted((ROOT / "docs/how_to").glob("*.md"))]
    return [path for path in found if str(path.relative_to(ROOT)) not in ELSEWHERE]


def plain(text):
    """The lines of an output without their numbers, units and runs of blanks, and without the launcher's choice."""
    lines = []
    for line in text.splitlines():
        line = re.sub(r"\d[\d.,]*(?:e[-+]\d+)?(?: [kMG]\b)?", "#", line)
        line = " ".join(re.sub(r"\b(core|locale)s\b", r"\1", line).split())
        if line and not line.startswith("orujo: # locale"):
            lines.append(line)
    return lines


def matches(expected, said):
    """Whether the lines are as expected, where "..." stands for any number of lines."""
    if not expected:
        return not said
    if expected[0] == "...":
        return any(matches(expected[1:], said[k:]) for k in range(len(said) + 1))
    rest = expected[0].endswith("...")
    same = said and (said[0].startswith(expected[0][:-3]) if rest else said[0] == expected[0])
    return bool(same) and matches(expected[1:], said[1:])


def run(script, folder):
    """Its status and what it prints."""
    environment = {name: value for name, value in os.environ.items() if not re.match(r"(OMPI|PMIX|PMI|SLURM|ORUJO)_", name)}
    environment |= ALLOWED | {"ORUJO_NO_SETUP": "1", "ORUJO_NO_BUILD": "1", "HOME": str(folder)}
    try:
        done = subprocess.run(["bash", "-e", "-o", "pipefail", "-c", script], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60, check=False)
    except subprocess.TimeoutExpired as late:
        return 124, f"{(late.stdout or b'').decode(errors='replace')}\nnot done after 60 s"
    return done.returncode, done.stdout


def commands_of(block):
    """Pairs of a script and the lines that it prints, or None where the page does not say."""
    if block["language"] == "sh":
        return [(block["body"], None)]
    pieces = re.split(r"^\$ ", block["body"], flags=re.M)[1:]
    pairs = []
    for piece in pieces:
        command, _, output = re.match(r"((?:[^\n]*\\\n)*[^\n]*)(\n)(.*)", piece, re.S).groups()
        pairs.append((command, output))
    return pairs


def check(path, build):
    """Runs the blocks of a page; returns how many ran, and what failed."""
    ran, failures = 0, []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "bin").mkdir()
        (folder / "bin/orujo").symlink_to(ROOT / "bin/orujo")
        (folder / "build").mkdir()
        (folder / "build/release").symlink_to(build)
        text = path.read_text(encoding="utf-8")
        for block in BLOCK.finditer(text):
            if block["reason"]:
                continue
            ran += 1
            for script, expected in commands_of(block):
                status, said = run(script, folder)
                place = f"{path.relative_to(ROOT)}:{text[:block.start('body')].count(chr(10)) + 1}"
                if status != 0:
                    failures.append(f"{place}: status {status} of\n{script}it prints:\n{said}")
                elif expected is not None and not matches(plain(expected), plain(said)):
                    failures.append(f"{place}: {script} prints\n{said}where the page has\n{expected}")
    return ran, failures


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    chosen = [pathlib.Path(name).resolve() for name in sys.argv[2:]] or pages()
    failures, blocks, start = [], 0, time.monotonic()
    for path in chosen:
        ran, wrong = check(path, build)
        blocks += ran
        failures += wrong
    if len(sys.argv) == 2 and blocks < 20:
        failures.append(f"hardly any commands: {blocks} blocks")
    for failure in failures:
        print("FAILED ", failure)
    if not failures:
        print(f"{blocks} blocks of {len(chosen)} pages run, in {time.monotonic() - start:.0f} s")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
