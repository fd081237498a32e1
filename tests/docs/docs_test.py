#!/usr/bin/env python3
"""The documents agree with the tree: links lead somewhere, flags exist, and where a command or a table gives a flag to an
application, that application takes it; programs use the public headers alone.  docs_test.py BUILD_FOLDER"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
APPLICATIONS = sorted(path.stem for path in (ROOT / "applications").glob("*.cpp"))

# Flags of others, which our documents tell people to use.
FOREIGN = set(
    """allow-run-as-root args bind-to build cache-sim cachegrind-out-file cflags component config-settings cpu-bind cpus-per-task install
    kill-on-bad-exit libs map-by mca mpi name overcommit oversubscribe prefix quiet quit-on-interrupt show tool
    benchmark_enable_random_interleaving benchmark_min_time benchmark_repetitions benchmark_report_aggregates_only
    gtest_filter ignore-glob pyargs""".split())

failures = []


def fail(place, text):
    failures.append(f"{place}: {text}")


def documents():
    found = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")), *sorted((ROOT / "applications").rglob("*.md"))]
    return [(path, path.read_text()) for path in found]


def anchors(text):
    """The names that GitHub gives to the headings."""
    names = set()
    for heading in re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S), re.M):
        plain = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).lower()
        name = re.sub(r"[^\w\- ]", "", plain).strip().replace(" ", "-")
        count = 0
        while name + (f"-{count}" if count else "") in names:
            count += 1
        names.add(name + (f"-{count}" if count else ""))
    return names


def check_links(path, text):
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        end = (path.parent / name).resolve() if name else path
        if not end.exists():
            fail(path.relative_to(ROOT), f"the link to {target} leads nowhere")
        elif anchor and anchor not in anchors(end.read_text()):
            fail(path.relative_to(ROOT), f"{target}: there is no such heading")


def flags_of(program):
    said = subprocess.run([program, "--helpfull"], stdout=subprocess.PIPE, text=True, check=True, timeout=60).stdout
    return set(re.findall(r"^  --([a-z0-9_]+) \(", said, re.M))


def flags_of_the_launcher():
    shell = "".join(path.read_text() for folder in ("bin", "tests/cluster", "tests/bin", "applications/examples") for path in (ROOT / folder).rglob("*")
                    if path.suffix in ("", ".sh", ".py") and path.is_file())
    return set(re.findall(r"(?<![-\w])--([a-z][a-z0-9_-]*)", shell))


def flags_of_tests():
    source = "".join(path.read_text() for folder in ("tests", "docs/tutorial", "applications/examples") for path in (ROOT / folder).rglob("*.cpp"))
    return set(re.findall(r"^DEFINE_\w+\((\w+)", source, re.M))


def named(flag):
    """As gflags has it: --noverify is verify, a dash is an underscore."""
    return flag.replace("-", "_")


def takes(known, flag):
    return named(flag) in known or (flag.startswith("no") and named(flag[2:]) in known)


def check_commands(path, text, known):
    """`bin/orujo run [OPTION...] APP FLAG...`, and APP by its path, in code."""
    joined = re.sub(r"\\\n\s*", " ", text)
    program = r"(?:bin/orujo run(?: -[nc] ?\w+| --(?:preset|hostfile|retries)=\S+| --dry-run)* |\S*release/applications/)"
    for application, rest in re.findall(program + r"(\w+)(?![\w/])((?: [^`\n|>&;)]*)?)", joined):
        if application not in APPLICATIONS:
            if application not in ("APP", "NAME"):
                fail(path.relative_to(ROOT), f"there is no application {application}")
            continue
        for flag in re.findall(r"(?<!\S)--([a-z][\w-]*)", rest.split(" # ")[0]):
            if not takes(known[application], flag) and flag not in ("help", "helpfull"):
                fail(path.relative_to(ROOT), f"{application} does not take --{flag}: {application}{rest}")


def check_tables(path, text, known):
    """In docs/reference/applications/README.md the flags in the table of an application's section are its own."""
    for section in re.split(r"^## ", text, flags=re.M)[1:]:
        heading, _, body = section.partition("\n")
        owners = [name for name in re.split(r", ", heading) if name in known]
        for flag in re.findall(r"^\| `--([a-z][\w-]*)", body, re.M):
            if owners and not any(takes(known[owner], flag) for owner in owners):
                fail(path.relative_to(ROOT), f"{heading} does not take --{flag}")


def check_common_flags(path, text, known):
    """The tables of flags that applications share: of all, of those with --graph, of some as the column says, of the runtime; but
    for those that the meaning says it is `not of`."""
    section = text.split("## Flags of every application")[1].split("\n## ")[0]
    with_graph = {name for name in known if "graph" in known[name]}
    tables = re.findall(r"^\| flag \|.*\n\| ---.*\n((?:\|.*\n)+)", section, re.M)
    if len(tables) != 4:
        fail(path.relative_to(ROOT), "expected four tables of flags that applications share")
        return
    for table, among in zip(tables, (set(known), with_graph, None, set(known))):
        for line in table.splitlines():
            cells = re.split(r"(?<!\\)\|", line)
            flag = named(re.match(r" `--([a-z][\w-]*)", cells[1])[1])
            owners = {name for name in known if flag in known[name]}
            told = among
            if among is not None:
                but = " ".join(re.findall(r"not of ((?:`\w+`(?:, )?)+)", cells[-2]))
                told = among - set(re.findall(r"`(\w+)`", but))
            else:
                before, but, after = cells[3].partition(" but ")
                told = set(re.findall(r"`(\w+)`", before))
                if "all with `--graph`" in before:
                    told |= with_graph - set(re.findall(r"`(\w+)`", after))
            if not (told <= owners if among is not None else told == owners):
                fail(path.relative_to(ROOT), f"--{flag} is not of those that the table says: {sorted(told ^ owners)}")


def check_face(path, program):
    """Programs of users include <orujo/...> and name what is directly in namespace orujo."""
    tops = ("system", "framework", "framework/tables")
    layers = {folder.name for top in tops for folder in (ROOT / top).iterdir() if folder.is_dir()}
    for header in re.findall(r'^#include "([^"]+)"', program, re.M):
        fail(path.relative_to(ROOT), f"includes {header}, which is not of the public headers <orujo/...>")
    for name in re.findall(r"\b(?:orujo::)?(\w+)::\w+", program):
        if name in layers - {"algorithms"}:
            fail(path.relative_to(ROOT), f"names {name}::, which is not for users: <orujo/...> has it in orujo::")


def main():
    build = pathlib.Path(sys.argv[1])
    known = {name: flags_of(build / "applications" / name) for name in APPLICATIONS}
    anyones = set().union(*known.values()) | {"help", "helpfull", "name", "noname"}
    ours = flags_of_the_launcher()
    tests = flags_of_tests()
    for path, text in documents():
        check_links(path, text)
        check_commands(path, text, known)
        for flag in re.findall(r"(?<![-\w])--([a-z][\w-]*)", text):
            if not (takes(anyones, flag) or flag in ours or flag in tests or flag in FOREIGN):
                fail(path.relative_to(ROOT), f"nothing takes --{flag}")
        if path == ROOT / "docs/reference/applications/README.md":
            check_tables(path, text, known)
            check_common_flags(path, text, known)
        for program in re.findall(r"^```cpp\n(.*?)^```", text, re.M | re.S):
            check_face(path, program)
    shown = [path for folder in ("docs/tutorial", "applications/examples") for path in (ROOT / folder).rglob("*.cpp")]
    if len(shown) < 9:
        fail("docs/tutorial", "hardly any programs: is the source folder right?")
    for path in shown:
        check_face(path, path.read_text())
    for failure in failures:
        print("FAILED ", failure)
    if not failures:
        print("all links, flags and commands are right")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
