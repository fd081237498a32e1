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
    """allow-run-as-root args bind-to build cache-sim cachegrind-out-file cflags component config-settings cpu-bind cpus-per-task exclude install
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
    """{flag: (area, default)} of --helpfull, with the names that the program gives the areas."""
    said = subprocess.run([program, "--helpfull"], stdout=subprocess.PIPE, text=True, check=True, timeout=60).stdout
    found, area = {}, ""
    for line in said.splitlines():
        if heading := re.fullmatch(r"Flags of (.*):", line):
            area = heading[1]
        elif flag := re.match(r"  --([a-z0-9_]+) \(\w+, default (.*)\)$", line):
            found[flag[1]] = (area, flag[2].strip('"'))
    # Other names of a flag, such as (also --undirected; --directed: the opposite).
    for others in re.findall(r"\(also (--[^()]*)\)", said):
        found.update(dict.fromkeys(re.findall(r"--([a-z0-9_]+)", others), (area, "")))
    return found


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
    for application, rest in re.findall(program + r"(\w+)(?![\w/]|\.\w)((?: [^`\n|>&;)]*)?)", joined):
        if application not in APPLICATIONS:
            if application not in ("APP", "NAME"):
                fail(path.relative_to(ROOT), f"there is no application {application}")
            continue
        for flag in re.findall(r"(?<!\S)--([a-z][\w-]*)", rest.split(" # ")[0]):
            if not takes(known[application], flag) and flag not in ("help", "helpfull"):
                fail(path.relative_to(ROOT), f"{application} does not take --{flag}: {application}{rest}")


def check_page(application, path, text, known):
    """The page of an application: it leaves the table of flags to the site (bin/site/pages.py), says how to list them, and the flags
    that its sentences name are the application's."""
    if text.count("\n<!-- flags -->\n") != 1 or f"`bin/orujo run {application} --help`" not in text:
        fail(path.relative_to(ROOT), "expected a place for the flags, <!-- flags -->, and a word on --help")
    for span in re.findall(r"`([^`\n]+)`", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)):
        for flag in re.findall(r"(?<!\S)--([a-z][\w-]*)", span):
            if not takes(known, flag) and flag != "help":
                fail(path.relative_to(ROOT), f"{application} does not take --{flag}")


def check_pages(known):
    """Each application has a page, and a line in a group of the list."""
    folder = ROOT / "docs/reference/applications"
    listed = re.findall(r"^\| \[(\w+)\]\((\w+)\.md\) \|", (folder / "README.md").read_text(), re.M)
    if sorted(listed) != [(name, name) for name in APPLICATIONS]:
        fail("docs/reference/applications/README.md", "the list is not that of the applications")
    for application in APPLICATIONS:
        path = folder / f"{application}.md"
        if not path.exists():
            fail(path.relative_to(ROOT), "there is no such page")
        else:
            check_page(application, path, path.read_text(), known[application])


def flags_in_tables(section):
    """{flag: default} of the rows of a section's tables."""
    rows = re.findall(r"^\| `--([a-z][\w-]*)[^|]*\| ([^|]*) ?\|", section, re.M)
    return {named(flag): default.strip() for flag, default in rows}


def check_common_flags(path, text, known):
    """The flags that applications share: of all, of those with --graph, of some as a list says, of the runtime; but for those that a
    sentence says an application `does not accept`, or of which it `accepts only` others. Defaults are the programs'."""
    place = path.relative_to(ROOT)
    sections = {part.split("\n")[0]: part for part in re.split(r"^## ", text, flags=re.M)}
    with_graph = {name for name in known if "graph" in known[name]}
    refused = {}
    for application, flags in re.findall(r"^`(\w+)` does not accept ([^.]*)\.", text, re.M):
        refused[application] = {named(flag) for flag in re.findall(r"`--([\w-]+)`", flags)}
    among = {"Every application": set(known), "Graphs": with_graph, "Runtime": set(known)}
    tables = {heading: flags_in_tables(sections.get(heading, "")) for heading in [*among, "Some applications"]}
    owners_of_some = {}
    for flags, owners in re.findall(r"^- ((?:`--\w+`(?:,\s+)?)+): (.*?)(?=\n-|\n\n)", sections.get("Some applications", ""), re.M | re.S):
        before, but, after = owners.partition("except")
        after, _, also = after.partition("; also")
        told = set(re.findall(r"`(\w+)`", before + also))
        if but:
            told |= with_graph - set(re.findall(r"`(\w+)`", after))
        owners_of_some |= {flag: told for flag in re.findall(r"`--(\w+)`", flags)}
    for heading, rows in tables.items():
        if len(rows) < 3:
            fail(place, f"expected a table of flags in {heading}")
        for flag, default in rows.items():
            owners = {name for name in known if flag in known[name]}
            if heading in among:
                lacking = {name for name in refused if flag in refused[name]}
                told = among[heading] - lacking
                if not told <= owners or lacking & owners:
                    fail(place, f"--{flag} is not of those that the text says: {sorted((told - owners) | (lacking & owners))}")
            else:
                told = owners_of_some.get(flag, set())
                if told != owners:
                    fail(place, f"--{flag} is not of those that the list says: {sorted(told ^ owners)}")
            defaults = {known[name][flag][1] for name in told & owners}
            if default != "detected" and default not in defaults:
                fail(place, f"--{flag} has the default {sorted(defaults)}, not {default!r}")
    only = re.search(r"`graph500` generates its own graph\. Of all these it accepts only ([^.]*)\.", text)
    expected = set(tables["Graphs"]) & set(known["graph500"]) - {"partition"}  # its own is another
    if not only or {named(flag) for flag in re.findall(r"`--([\w-]+)`", only[1])} != expected:
        fail(place, f"of the flags of graphs graph500 accepts {sorted(expected)}")
    shared = {flag for flags in known.values() for flag, (area, _) in flags.items() if area != "the libraries"
              and sum(flags.get(flag, ("",))[0] == area for flags in known.values()) > 6 and area != "this application"}
    for flag in sorted(shared - set().union(*tables.values())):
        fail(place, f"--{flag}, which many applications have, is in no table")


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
        if path == ROOT / "docs/reference/flags.md":
            check_common_flags(path, text, known)
        for program in re.findall(r"^```cpp\n(.*?)^```", text, re.M | re.S):
            check_face(path, program)
    check_pages(known)
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
