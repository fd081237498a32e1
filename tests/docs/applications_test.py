#!/usr/bin/env python3
"""Every application has a page in docs/reference/applications, and the examples of each page print what it shows.
Times, rates and the last digits of sums may differ.  applications_test.py BUILD_FOLDER"""

import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = ROOT / "docs/reference/applications"
PROGRAMS = pathlib.Path(sys.argv[1], "applications").resolve()

NUMBER = r"\d[\d,.]*(?:e[-+]?\d+)?"
MEASURED = re.compile(NUMBER + r"(?: ?[kMG])?(?=B?/s\b| [a-z-]+/s\b| (?:s|ms|us|ns|TEPS)\b| ?%| per core)")
REAL = re.compile(r"\d[\d,]*\.\d+(?:e[-+]?\d+)?|\d+e[-+]?\d+")

# What else depends on the machine or on the order of events.
VARYING = {
    "codec_lab": r"(?<=\d )[\d.]+ [\d.]+$",
    "graph500": r"(?<=(?:time|TEPS|date|tion): ).*$",
    "graph_tool": r"(?:(?<=none )|(?<=hierarchical ))[\d.]+",  # seconds of an order
    "minimd": r"(?<=neighbours per atom;).*$",
    "pointer_chasing": r"(?<=\d )[\d.]+ .*$",
    "sssp": r"\d+ rounds?",
    "tune": r"(?<=machine: ).*(?= \()|(?<=KiB ).*$|^prefetching .*$",
    "uts": r"[\d,]+(?= of (?:them|\.\.\.))",
}


def comparable(application, line):
    line = " ".join(line.split())
    if application in VARYING:
        line = re.sub(VARYING[application], "~", line)
    plain = MEASURED.sub("~", line)
    if plain != line or line.startswith("verified"):
        plain = REAL.sub("~", plain)
    return plain.split(" ")


def same_word(expected, actual):
    if expected == actual:
        return True
    if not (REAL.fullmatch(expected) and REAL.fullmatch(actual)):
        return False
    a, b = float(expected.replace(",", "")), float(actual.replace(",", ""))
    return abs(a - b) <= 1e-3 * max(abs(a), abs(b))


def same_line(application, expected, actual):
    """A line of the page that ends with ` ...` is the beginning of one."""
    a, b = comparable(application, expected), comparable(application, actual)
    if a[-1] == "..." and len(a) > 1:
        a, b = a[:-1], b[:len(a) - 1]
    return len(a) == len(b) and all(map(same_word, a, b))


def first_difference(application, expected, actual):
    """None if the lines agree; a line `...` of the page stands for any number of lines."""
    while expected:
        if expected[0] == "...":
            if len(expected) == 1:
                return None
            left_out = [k for k in range(len(actual) + 1) if first_difference(application, expected[1:], actual[k:]) is None]
            return None if left_out else f"nothing after ... is like: {expected[1]}"
        if not actual:
            return f"it did not print: {expected[0]}"
        if not same_line(application, expected[0], actual[0]):
            return f"the page has\n  {expected[0]}\nand it printed\n  {actual[0]}"
        expected, actual = expected[1:], actual[1:]
    return f"the page lacks: {actual[0]}" if any(actual) else None


def examples(text):
    """(command, lines) of each `$ bin/orujo run` in a console block."""
    for block in re.findall(r"^```console\n(.*?)^```", text, re.M | re.S):
        for part in re.split(r"^\$ ", block.replace("\\\n", " "), flags=re.M)[1:]:
            command, _, output = part.partition("\n")
            yield command, output.rstrip("\n").split("\n")


def check(application, command, lines, folder):
    """Without a launcher: `-n N -c C` are the locales and the cores of one process."""
    words = shlex.split(command)
    found = re.match(r"bin/orujo run((?: -[nc] \d+)*) (\w+)", command)
    if not found or found[2] != application:
        return "it is no `bin/orujo run` of the page's application"
    size = dict(re.findall(r"-([nc]) (\d+)", found[1]))
    if "c" not in size:
        return "it does not choose the cores (-c), and so depends on the machine"
    arguments = words[words.index(application) + 1:] + [f"--cores={size['c']}", "--pin=false"]
    arguments += [f"--locales={size['n']}"] if "n" in size else []
    done = subprocess.run([PROGRAMS / application, *arguments], cwd=folder, capture_output=True, text=True, timeout=120, check=False,
                          env={**os.environ, "XDG_CACHE_HOME": folder})
    if done.returncode != 0:
        return f"status {done.returncode}: {done.stderr}"
    return first_difference(application, lines, done.stdout.rstrip("\n").split("\n"))


def main():
    failures = 0
    applications = sorted(path.stem for path in (ROOT / "applications").glob("*.cpp"))
    with tempfile.TemporaryDirectory() as folder:  # what examples read, and what they write
        for name in ("applications", "docs"):
            os.symlink(ROOT / name, pathlib.Path(folder, name))
        for application in applications:
            page = PAGES / f"{application}.md"
            found = list(examples(page.read_text(encoding="utf-8"))) if page.exists() else []
            told = [(command, check(application, command, lines, folder)) for command, lines in found]
            if not found:
                told = [(application, "it has no page, or the page has no example")]
            for command, mistake in told:
                print(f"FAILED  {command}: {mistake}" if mistake else f"ok      {command}")
                failures += mistake is not None
    for page in PAGES.glob("*.md"):
        if page.stem not in applications and page.name not in ("README.md", "results.md"):
            print(f"FAILED  {page.name}: there is no such application")
            failures += 1
    return 1 if failures or len(applications) < 30 else 0


if __name__ == "__main__":
    sys.exit(main())
