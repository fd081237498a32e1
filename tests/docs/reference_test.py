#!/usr/bin/env python3
"""The reference is whole.  Every name of the public headers has a declaration, a comment of its own and, on its page, no trace of what
only the library names; every page of a header has an example, and examples are of names that there are.  The pages of exit statuses,
environment variables and metrics have what the code has, and nothing else."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "bin/site"))

import api  # noqa: E402

LEAST_WORDS = 5  # of the comment of a name
# What scripts read that no user sets for Orujo: variables of the shell itself, and of what it completes.
OF_SHELLS = {"NAME", "PWD", "PATH", "BASHPID", "EUID", "SECONDS", "EPOCHREALTIME", "BASH_REMATCH", "BASH_SOURCE", "PIPESTATUS",
             "COMP_CWORD", "COMP_WORDS", "COMPREPLY", "PRETTY_NAME"}

failures = []


def fail(place, text):
    failures.append(f"{place}: {text}")


def sources(*folders, suffixes):
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in suffixes and path.is_file():
                yield path.relative_to(ROOT), path.read_text(encoding="utf-8")


def own_comment(items):
    """The first comment of a name's declarations, without its tags."""
    found = next((item.comment or item.trailing for item in items if not item.hidden()), "")
    return re.sub(r"^\[[^]]*\]\s*", "", found)


def check_headers():
    pages = api.Pages(lambda path: str(path))
    for header in pages.headers:
        place = f"<orujo/{header.stem}.hpp>"
        for name, items in header.names():
            comment = own_comment(items)
            if not items:
                fail(place, f"{name} has no declaration")
            elif not comment:
                fail(items[0].file, f"{name} has no comment above its first declaration")
            elif len(comment.split()) < LEAST_WORDS or comment.startswith(("The same", "As above", "And ")):
                fail(items[0].file, f"the comment of {name} does not stand alone: {comment!r}")
        page = pages.page(header)
        if "Example, from" not in page and "A whole program" not in page:
            fail(place, "its page has no example: a region `// example: NAME` of a program, or a line `// Example: PATH`")
        for signature in re.findall(r"^~~~~cpp\n(.*?)^~~~~", page, re.M | re.S):
            if "detail::" in signature:
                fail(place, f"a signature shows what only the library names: {signature.strip()}")
        for program in re.findall(r"A whole program: \[([^]]*)\]", page):
            if not (ROOT / program).is_file():
                fail(place, f"there is no {program}")
    known = set(pages.homes) | {f"<orujo/{header.stem}.hpp>" for header in pages.headers}
    for name in set(pages.examples) - known:
        fail(pages.examples[name][0][0].relative_to(ROOT), f"an example of {name}, which is no public name")
    if len(pages.homes) < 200:
        fail("bin/site/cpp_headers.py", f"finds {len(pages.homes)} public names only")


def check_exit_statuses():
    place = "docs/reference/exit_statuses.md"
    page = (ROOT / place).read_text(encoding="utf-8")
    enum = dict(re.findall(r"^  (\w+) = (\d+),", (ROOT / "system/base/exit_status.hpp").read_text(encoding="utf-8"), re.M))
    rows = {name: number for number, name in re.findall(r"^\| (\d+) \| `(\w+)` \|", page, re.M)}
    if rows != enum:
        fail(place, f"its table and system/base/exit_status.hpp differ: {sorted(set(rows.items()) ^ set(enum.items()))}")
    for name, number in enum.items():
        if f"\n## {number} {name}\n" not in page:
            fail(place, f"there is no section '{number} {name}'")


def variables_of_code():
    """Those that programs look up, and those that the launcher's scripts take from their caller."""
    found = set()
    for _, text in sources("system", "framework", "applications", suffixes=(".cpp", ".hpp", ".cuh", ".py")):
        found |= set(re.findall(r"\b(?:getenv|environment|setenv|number_in|first_set)\(\{?\"(\w+)\"", text))
        for names in re.findall(r"first_set\(\{([^}]*)\}", text):
            found |= set(re.findall(r'"(\w+)"', names))
        found |= set(re.findall(r"os\.environ(?:\.get\(|\[)\"(\w+)\"", text))
    for _, text in sources("bin", suffixes=(".sh", "")):
        found |= set(re.findall(r"\$\{([A-Z][A-Z0-9_]+)[:}]", text)) | set(re.findall(r"\$([A-Z][A-Z0-9_]+)\b", text))
        found |= set(re.findall(r"number_in ([A-Z_]+)", text)) | set(re.findall(r"export (ORUJO_\w+|HWLOC_\w+)=", text))
    return {name for name in found if name not in OF_SHELLS}


def check_environment():
    place = "docs/reference/environment.md"
    page = (ROOT / place).read_text(encoding="utf-8")
    told = set()
    for table in re.findall(r"(?:^\|.*\n)+", page, re.M):  # of variables, the first cells; of launchers, all
        cells = re.findall(r"^\|([^|]*)\|", table, re.M) if table.startswith("| variable") else [table]
        told |= set(re.findall(r"`([A-Z][A-Za-z0-9_]+)`", " ".join(cells)))
    code = variables_of_code()
    for name in sorted(code - told):
        fail(place, f"{name} is read by the code")
    for name in sorted(name for name in told - code if name.startswith("ORUJO_")):
        if not any(name in text for _, text in sources("bin", "system", "tests", suffixes=(".sh", ".cpp", ""))):
            fail(place, f"nothing reads {name}")


def check_metrics():
    place = "docs/reference/metrics.md"
    page = (ROOT / place).read_text(encoding="utf-8")
    metrics, events = set(), set()
    for path, text in sources("system", "framework", "applications", suffixes=(".cpp", ".hpp", ".cuh", ".cu")):
        metrics |= set(re.findall(r"\bconst (?:observe::)?(?:counter|summary|histogram) \w+(?:\[\])?\(\s*\"([^\"]+)\"", text))
        for listed in re.findall(r"\bconst (?:observe::)?counter \w+\[\] = \{(.*?)\};", text, re.S):
            metrics |= set(re.findall(r"\{\"([^\"]+)\"", listed))
        if path.name in ("trace.hpp", "trace.cpp"):
            continue
        for call in re.findall(r"(?:trace_scope \w+|trace_instant|trace_counter|record_span|record_instant|record_rate)\(([^;]*);", text):
            events |= set(re.findall(r"\"([^\"]+)\"", call.split(",")[0]))
        events |= set(re.findall(r"(?:trace_scope> \w+\(std::in_place, |traced\.emplace\()\"([^\"]+)\"", text))
        for listed in re.findall(r"constexpr const char\* seal_names\[\] = \{(.*?)\};", text, re.S):
            events |= set(re.findall(r"\"([^\"]+)\"", listed))
    if len(metrics) < 30 or len(events) < 20:
        fail("tests/docs/reference_test.py", f"finds {len(metrics)} metrics and {len(events)} events only")
    rows = set(re.findall(r"^\| `([a-z]+(?:\.[a-z_]+)+)` \|", page, re.M))
    for name in sorted(metrics ^ rows):
        fail(place, f"{name} is {'missing' if name in metrics else 'no metric'}")
    table = page.split("## Trace events")[1]
    told = {name.removesuffix(", core N") for name in re.findall(r"`([^`]+)`", "".join(re.findall(r"^\| (`.*?) \|", table, re.M)))}
    for name in sorted(events ^ told):
        fail(place, f"the event {name} is {'missing' if name in events else 'not recorded'}")


def main():
    check_headers()
    check_exit_statuses()
    check_environment()
    check_metrics()
    for failure in failures:
        print("FAILED ", failure)
    if not failures:
        print("the reference has all names, statuses, variables, metrics and events")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
