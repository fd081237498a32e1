#!/usr/bin/env python3
"""The documentation's site is built without a warning, and every link of its pages leads to a page and a heading that are there;
its pages load nothing from a network. Skipped (4) where there is no mkdocs."""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
from html.parser import HTMLParser
from urllib.parse import unquote

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Page(HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.names, self.targets, self.loaded, self.words = set(), [], [], 0
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        told = dict(attributes)
        self.names |= {told[key] for key in ("id", "name") if told.get(key)}
        self.targets += [told[key] for key in ("href", "src") if told.get(key)]
        if tag != "a":
            self.loaded += [told[key] for key in ("href", "src") if told.get(key)]

    def handle_data(self, data):
        self.words += len(data.split())


def wrong_links(site):
    pages = {path: Page(path) for path in site.rglob("*.html")}
    for path, page in pages.items():
        for target in page.loaded:
            if re.match(r"(https?:)?//", target):
                yield f"{path.relative_to(site)}: loads {target} from a network"
        for target in page.targets:
            if re.match(r"[a-z]+:", target) or (path.name == "404.html"):
                continue
            name, _, anchor = target.partition("#")
            end = (path.parent / unquote(name.partition("?")[0])).resolve() if name else path
            if end.is_dir():
                end /= "index.html"
            if not end.exists():
                yield f"{path.relative_to(site)}: {target} leads nowhere"
            elif anchor and end in pages and unquote(anchor) not in pages[end].names:
                yield f"{path.relative_to(site)}: {target}: there is no such heading"


def main():
    if not shutil.which("mkdocs"):
        print("skipped: there is no mkdocs")
        return 4
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([ROOT / "bin/orujo", "docs", f"{folder}/site"], capture_output=True, text=True, timeout=300, check=False)
        said = [line for line in done.stderr.splitlines() if not line.startswith("orujo: the site is in ")]
        failures = [f"bin/orujo docs ended with status {done.returncode}"] * (done.returncode != 0) + said
        site = pathlib.Path(folder, "site").resolve()
        failures += wrong_links(site)
        documents = [path for path in (ROOT / "docs").rglob("*") if path.suffix in (".md", ".ipynb")]
        pages = list(site.rglob("*.html"))
        for path in documents:
            page = site / path.relative_to(ROOT / "docs").with_suffix(".html" if path.suffix == ".md" else ".ipynb.html")
            if path.name == "README.md":
                page = page.with_name("index.html")
            if not page.exists():
                failures.append(f"{path.relative_to(ROOT)} has no page")
        # Every public header, a flag that all applications have, and one in the table of its application.
        for header in [*(ROOT / "system/include/orujo").glob("*.hpp"), *(ROOT / "framework/include/orujo").glob("*.hpp")]:
            if Page(site / "headers" / f"{header.stem}.html").words < 100:
                failures.append(f"the page of <orujo/{header.name}> is nearly empty")
        for name, flag in (("flags", "--check_closures"), ("flags", "--vmodule"), ("applications/pagerank", "--dangling")):
            if f"<td><code>{flag}</code>" not in (site / f"reference/{name}.html").read_text(encoding="utf-8"):
                failures.append(f"the table of {name} lacks {flag}")
    for failure in failures:
        print("FAILED ", failure)
    if not failures:
        print(f"{len(pages)} pages without a wrong link")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
