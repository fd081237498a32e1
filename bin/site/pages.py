"""Gathers the pages of the documentation's site in a folder: README.md and docs/, the sources that they link to, the
reference of the public headers, the flags of the applications that are built, and notebooks.  pages.py FOLDER PROGRAMS"""

import collections
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import api

ROOT = pathlib.Path(__file__).resolve().parents[2]
LANGUAGES = {".hpp": "cpp", ".cpp": "cpp", ".sh": "bash", ".py": "python", ".txt": "cmake", ".ipynb": "json", ".yml": "yaml"}
LINK = re.compile(r"(!?\[[^]]*\])\(([^)\s]+)\)")
FENCE = re.compile(r"^(```.*?^```[^\n]*\n)", re.M | re.S)


def page_of(path):
    """Where a file of the tree is in the site."""
    if path in api.PUBLIC:
        return pathlib.Path("headers", path.stem + ".md")
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
    return "source" / path.parent / (path.name.lstrip(".") + ".md")  # mkdocs makes no page of a name that begins with a dot


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


class Flags:
    """The flags of the programs that are built, as their --helpfull tells them."""

    def __init__(self, programs):
        self.of = {}  # program: {flag: (kind, meaning, area)}
        for program in sorted(programs.glob("*")):
            if not (program.is_file() and os.access(program, os.X_OK) and (ROOT / "applications" / f"{program.name}.cpp").exists()):
                continue
            said = subprocess.run([program, "--helpfull"], stdout=subprocess.PIPE, text=True, check=True, timeout=60,
                                  env={**os.environ, "COLUMNS": "100000"}).stdout
            found = self.of[program.name] = {}
            for part in re.split(r"^Flags of ", said, flags=re.M)[1:]:
                area = part.partition(":\n")[0]
                for name, kind, meaning in re.findall(r"^  --(\w+) \(([^)]*(?:\"[^\"]*\")?)\)\n      (.*)$", part, re.M):
                    found[name] = (kind, meaning, area)
        # Those in the tables of flags.md, with the meaning that most of their owners give them.
        tables = re.findall(r"^\| `--(\w+)", (ROOT / "docs/reference/flags.md").read_text(encoding="utf-8"), re.M)
        meanings = {name: collections.Counter(flags[name] for flags in self.of.values() if name in flags) for name in tables}
        self.shared = {(name, meaning) for name, counts in meanings.items() for meaning, _ in counts.most_common(1)}

    def page_of(self, program):
        """The table of an application's own flags, and the names of those that it shares with others."""
        if program not in self.of:
            return "This program was not built when this page was made: `bin/orujo build` first."
        flags = {name: told for name, told in sorted(self.of[program].items()) if told[2] != "the libraries"}
        own = [(name, told) for name, told in flags.items() if (name, told) not in self.shared]
        lines = table("flag", ((name, kind, meaning) for name, (kind, meaning, _) in own)) if own else []
        rest = ", ".join(f"`--{name}`" for name, told in flags.items() if (name, told) in self.shared and told[2] != "the runtime")
        return "\n".join([*lines, "", f"Shared flags: {rest}, and those of the [runtime](../flags.md#runtime)."])

    def all(self):
        """Every flag of every program, with its owners."""
        owners = collections.defaultdict(list)
        for program, flags in self.of.items():
            for name, (kind, meaning, _) in flags.items():
                owners[name, kind, meaning].append(program)
        if not owners:
            return "The applications were not built when this page was made: `bin/orujo build` first."
        lines = ["| flag | meaning | of |", "| --- | --- | --- |"]
        for (name, kind, meaning), programs in sorted(owners.items()):
            of = "all" if len(programs) == len(self.of) else ", ".join(programs)
            lines.append(f"| `--{name}` {escaped(kind)} | {escaped(meaning)} | {of} |")
        return "\n".join(lines)


def table(heading, rows):
    return [f"| {heading} | meaning |", "| --- | --- |"] + [f"| `--{name}` {escaped(kind)} | {escaped(meaning)} |" for name, kind, meaning in rows]


class Site:
    def __init__(self, folder, flags):
        self.folder = folder
        self.flags = flags
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
            if path in api.PUBLIC:
                continue  # add_headers() writes it
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

        text = path.read_text(encoding="utf-8")
        if "\n<!-- flags -->\n" in text:
            text = text.replace("\n<!-- flags -->\n", f"\n\n{self.flags.page_of(path.stem)}\n")
        if "\n<!-- all flags -->\n" in text:
            text = text.replace("\n<!-- all flags -->\n", f"\n\n{self.flags.all()}\n")
        pieces = FENCE.split(text)
        return "".join(piece if k % 2 else LINK.sub(link, spaced(piece)) for k, piece in enumerate(pieces))

    def folder_page(self, path):
        lines = [f"# {path.relative_to(ROOT)}/", ""]
        for entry in sorted(path.iterdir()):
            if entry.is_file() and entry.suffix in LANGUAGES:
                self.add(entry)
                lines.append(f"- [{entry.name}]({os.path.relpath(page_of(entry), page_of(path).parent)})")
        return "\n".join(lines) + "\n"

    def add_headers(self):
        """The C++ reference: a page for each public header."""
        def link(path):
            self.add(path)
            return os.path.relpath(page_of(path), "headers")

        for name, text in api.Pages(link).all():
            self.write(self.folder / "headers" / f"{name}.md", text)


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
    site = Site(folder, Flags(programs))
    for path in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md"), *(ROOT / "docs").rglob("*.ipynb")]:
        site.add(path)
    site.add_headers()
    site.make()
    add_theme(folder)


if __name__ == "__main__":
    main()
