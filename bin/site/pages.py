"""Gathers the pages of the documentation's site in a folder: README.md and docs/, the sources that they link to, the public
headers, the settings of the applications that are built, and notebooks.  pages.py FOLDER PROGRAMS"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
LANGUAGES = {".hpp": "cpp", ".cpp": "cpp", ".sh": "bash", ".py": "python", ".txt": "cmake", ".ipynb": "json", ".yml": "yaml"}
LINK = re.compile(r"(!?\[[^]]*\])\(([^)\s]+)\)")
FENCE = re.compile(r"^(```.*?^```[^\n]*\n)", re.M | re.S)


def page_of(path):
    """Where a file of the tree is in the site."""
    path = path.relative_to(ROOT)
    if path == pathlib.Path("README.md"):
        return pathlib.Path("index.md")
    if path.parts[0] == "docs" and path.suffix in (".md", ".png", ".svg"):
        return path.relative_to("docs")
    if path.parts[0] == "docs" and path.suffix == ".ipynb":
        return pathlib.Path(str(path.relative_to("docs")) + ".md")
    if path.suffix == ".md":
        return "source" / path
    if (ROOT / path).is_dir():
        return "source" / path / "index.md"
    return "source" / path.parent / (path.name.lstrip(".") + ".md")  # of what begins with a dot mkdocs makes no page


def spaced(text):
    """With an empty line before each list and table that follows a paragraph, where GitHub needs none."""
    lines = text.split("\n")
    kept = []
    for line in lines:
        before = kept[-1] if kept else ""
        begins_list = re.match(r"([-*]|\d+\.) ", line) and not re.match(r"([-*]|\d+\.) |\s", before)
        begins_table = line.startswith("|") and not before.startswith("|")
        if before.strip() and (begins_list or begins_table):
            kept.append("")
        kept.append(line)
    return "\n".join(kept)


class Site:
    def __init__(self, folder):
        self.folder = folder
        self.made = set()
        self.to_do = []

    def add(self, path):
        """A file or folder of the tree, with all that it links to."""
        if path not in self.made:
            self.made.add(path)
            self.to_do.append(path)

    def make(self):
        while self.to_do:
            path = self.to_do.pop()
            to = self.folder / page_of(path)
            if path.is_dir():
                self.write(to, self.folder_page(path))
            elif path.suffix == ".md":
                self.write(to, self.document(path))
            elif path.suffix in (".png", ".svg"):
                to.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, to)
            elif path.suffix == ".ipynb":
                self.write(to, notebook(path))
            else:
                self.write(to, source_page(path))

    def write(self, to, text):
        to.parent.mkdir(parents=True, exist_ok=True)
        to.write_text(text, encoding="utf-8")

    def document(self, path):
        def link(found):
            target, _, anchor = found[2].partition("#")
            if re.match(r"[a-z]+:", found[2]) or not target:
                return found[0]
            end = (path.parent / target).resolve()
            self.add(end)
            there = os.path.relpath(page_of(end), page_of(path).parent)
            return f"{found[1]}({there}{'#' + anchor if anchor else ''})"

        pieces = FENCE.split(path.read_text(encoding="utf-8"))
        return "".join(piece if k % 2 else LINK.sub(link, spaced(piece)) for k, piece in enumerate(pieces))

    def folder_page(self, path):
        lines = [f"# {path.relative_to(ROOT)}/", ""]
        for entry in sorted(path.iterdir()):
            if entry.is_file() and entry.suffix in LANGUAGES:
                self.add(entry)
                lines.append(f"- [{entry.name}]({os.path.relpath(page_of(entry), page_of(path).parent)})")
        return "\n".join(lines) + "\n"

    def add_headers(self):
        """A page for each public header, with the headers that it hands on."""
        found = sorted([*(ROOT / "system/include/orujo").glob("*.hpp"), *(ROOT / "framework/include/orujo").glob("*.hpp")])
        lines = ["# Public headers", "", "What there is for programs: `#include <orujo/NAME.hpp>`. All of it is in namespace `orujo`.", "",
                 "| header | is |", "| --- | --- |"]
        for path in found:
            text = path.read_text(encoding="utf-8")
            comment = " ".join(line[3:] for line in text.split("#pragma once")[0].splitlines() if line.startswith("// "))
            lines.append(f"| [&lt;orujo/{path.name}&gt;]({path.stem}.md) | {escaped(comment.partition('. ')[0])} |")
            page = [f"# <orujo/{path.name}>".replace("<", "&lt;").replace(">", "&gt;"), "", escaped(comment), "", code(text, "cpp")]
            for name in re.findall(r'^#include "([^"]+)"', text, re.M):
                if name.startswith("orujo/"):
                    stem = pathlib.Path(name).stem
                    page += ["", f"All of [&lt;orujo/{stem}.hpp&gt;]({stem}.md)."]
                else:
                    page += ["", f"## {name}", "", code((ROOT / name).read_text(encoding="utf-8"), "cpp")]
            self.write(self.folder / "headers" / f"{path.stem}.md", "\n".join(page) + "\n")
        self.write(self.folder / "headers/index.md", "\n".join(lines) + "\n")

    def add_settings(self, programs):
        """Every flag of the programs that are built, as their --help has it."""
        flags = {}
        for program in sorted(programs.glob("*")):
            if not (program.is_file() and os.access(program, os.X_OK) and (ROOT / "applications" / f"{program.name}.cpp").exists()):
                continue
            said = subprocess.run([program, "--helpfull"], stdout=subprocess.PIPE, text=True, check=True, timeout=60).stdout
            for name, kind, meaning in re.findall(r"^  --(\w+) \(([^)]*(?:\"[^\"]*\")?)\)\n      (.*)$", said, re.M):
                flags.setdefault((name, kind, meaning), []).append(program.name)
        most = max((len(owners) for owners in flags.values()), default=0)
        lines = ["# Settings", "", "All flags, as `--help` of the applications tells them. What they are for is told in "
                 "[Applications](reference/applications/README.md) and [Command line](reference/command_line.md).", "", "| flag | meaning | of |", "| --- | --- | --- |"]
        for (name, kind, meaning), owners in sorted(flags.items()):
            of = "all" if len(owners) == most else ", ".join(owners)
            lines.append(f"| `--{name}` {escaped(kind)} | {escaped(meaning)} | {of} |")
        if not flags:
            lines = lines[:4] + ["The applications were not built when this page was made: `bin/orujo build` first."]
        self.write(self.folder / "settings.md", "\n".join(lines) + "\n")


def add_theme(folder):
    """The site's own style, and scripts of the theme that Debian's mkdocs refers to and does not have."""
    here = pathlib.Path(__file__).parent
    (folder / "js").mkdir(parents=True, exist_ok=True)
    shutil.copyfile(here / "site.css", folder / "site.css")
    shutil.copyfile(here / "theme_extra.js", folder / "js/theme_extra.js")
    jquery = pathlib.Path("/usr/share/javascript/jquery/jquery.min.js")
    if jquery.exists():
        shutil.copyfile(jquery, folder / "js/jquery-3.6.0.min.js")


def escaped(text):
    return re.sub(r"([\\`*_\[\]|])", r"\\\1", text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;"))


def code(text, language):
    return f"~~~~{language}\n{text.rstrip()}\n~~~~"


def source_page(path):
    return f"# {path.name}\n\n`{path.relative_to(ROOT)}`\n\n{code(path.read_text(encoding='utf-8'), LANGUAGES.get(path.suffix, 'text'))}\n"


def notebook(path):
    """Its texts, programs and what they printed; pictures are within."""
    pieces = []
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        text = "".join(cell["source"])
        pieces.append(spaced(text) if cell["cell_type"] == "markdown" else code(text, "python"))
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            if "image/png" in data:
                pieces.append(f"![](data:image/png;base64,{''.join(data['image/png']).strip()})".replace("\n", ""))
            elif "text" in output or "text/plain" in data:
                pieces.append(code("".join(output.get("text") or data["text/plain"]), "text"))
    return "\n\n".join(pieces) + "\n"


def main():
    folder, programs = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    shutil.rmtree(folder, ignore_errors=True)
    site = Site(folder)
    for path in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md"), *(ROOT / "docs").rglob("*.ipynb")]:
        site.add(path)
    site.make()
    site.add_headers()
    site.add_settings(programs)
    add_theme(folder)


if __name__ == "__main__":
    main()
