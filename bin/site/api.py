"""The C++ reference of the documentation's site: a page for each public header, generated from the headers (cpp_headers.py).

A comment becomes text; what it indents is code, and its line "Example: PATH" links to a whole program.  Examples are regions of programs
that are compiled: the lines between `// example: NAME, NAME` and `// end of example`, where NAME is a public name or <orujo/HEADER.hpp>."""

import pathlib
import re
import textwrap

from cpp_headers import PUBLIC, ROOT, Header, Index, declarations

PROGRAMS = ("docs/tutorial", "applications", "tests")
LAYERS = "base|checkpoint|containers|delegates|loops|machine|memory|messages|observe|tasks|gas|graph|steps|vectors|results|mapreduce|relational|device"
# What signatures show for what only the library names.
SHOWN = [(r",? ?(?:const )?(?:orujo::)?call_site&? (?:at|origin|where) = call_site::current\(\)", ""), (r"\[\[[\w:]+\]\] |\bORUJO_HOST_DEVICE ", ""),
         (r"\bdetail::target\b", "core_id"), (r"\bbase::placed_index\b", "std::size_t"),
         (r"\b(?:delegates::|loops::)?(?:detail::)?(?:indices|contiguous_array|array_in_place|array|values) (?=[A-Z]\w*\b[,>])", "class "),
         (r"(?<=> )requires ?(?:\(!(?:array|array_in_place)<\w+>\)|\(!array<T>\)|\(!std::same_as<T, call_site>\)|detail::values<T\.\.\.>) ?", ""),
         (r"(?<=> )requires ?\(sizeof\.\.\.\(\w+\) > 0\) ", ""), (r"(concept \w+) = .*", r"\1"), (r" noexcept\b|\b(?:static )?inline (?!const)", ""),
         (r"((?:class|struct) \w+)(?: final)?(?: : (?:public )?(?!std::|public std::).*|$)", r"\1"), (rf"\b(?:orujo::)?(?:{LAYERS})::(?=\w)", "")]
# What is code within a comment: headers, quoted code, tags, calls, flags, names with underscores or colons, elements, files.
CODE = re.compile(r"<orujo/\w+\.hpp>|`[^`]+`|\[(?:task|handler|any thread|at the)[^]]*\]|\b\w+/[\w/.]+\.(?:md|hpp|cpp|cuh|py)|\b\w+\[\w+\]"
                  r"|\b[\w:.]+(?:<[\w:, ]*>)?\((?:[^()]|\([^()]*\))*\)|--\w+(?:=[\w:|]+)?|\b(?:\w+::)*\w*[a-z0-9A-Z]_\w*(?:::\w+)*(?:\.hpp|<[\w:, <>]*>)?|\b\w+::[\w:]+|\b\w+&+")
TAGS = {
    "task": "a task may call it; a message handler may not",
    "handler": "a message handler may call it; it does not suspend there",
    "task or handler": "tasks and message handlers may call it; in a handler it does not suspend",
    "suspends": "the calling task may suspend, and other tasks of the core run meanwhile",
    "collective": "one task on every core of the group calls it, all in the same order",
    "collective over the job": "one task on every core of the job calls it, all in the same order",
    "collective over the locale": "one task on every core of the locale calls it, all in the same order",
    "any thread": "threads that are not cores may call it, too",
}


def signature(head, width=100):
    """A declaration as its callers see it, in lines: `template <...>` and `requires ...` have lines of their own, others end behind commas."""
    text = re.sub(r"\s+", " ", re.sub(r"//[^\n]*", "", head)).strip().removeprefix("friend ")
    text = re.sub(r"(\)(?: const)?) : \w[\w:]*(?:<.*>)?[({].*$", r"\1", text)  # what a constructor initialises
    for pattern, shown in SHOWN:
        text = re.sub(pattern, shown, text)
    lines = []
    while text.startswith(("template <", "requires")):
        depth, at = 0, 0
        for at in range(text.find("<" if text[0] == "t" else "("), len(text)):
            depth += (text[at] in "<(") - (text[at] in ">)" and text[at - 1] != "-")
            if depth == 0 and (text[0] == "t" or not text.startswith(" &&", at + 1)):
                break
        lines, text = [*lines, text[:at + 1]], text[at + 1:].strip()
    lines.append(text + ";")
    wrapped = [part for line in lines for part in textwrap.wrap(re.sub(r"(?<!,) ", "\u00a0", line), width, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False)]
    return "\n".join(wrapped).replace("\u00a0", " ")


def block(lines):
    return "~~~~cpp\n" + "\n".join(lines) + "\n~~~~"


def listed(item):
    """A declaration in lines, with its comments beside it."""
    line = signature(item.head) + (f"  // {item.trailing}" if item.trailing else "")
    if len(line) > 110 and item.trailing:
        return [*textwrap.wrap(item.trailing, 100, initial_indent="// ", subsequent_indent="// "), signature(item.head)]
    return [*(f"// {line}" for line in item.comment.splitlines()), line]


def examples():
    """Programs' regions by the names that they are examples of: {name: [(path, text)]}."""
    found = {}
    for folder in PROGRAMS:
        for path in sorted((ROOT / folder).rglob("*.cpp")):
            for names, text in re.findall(r"^ *// example: ((?:[^\n]*,\n *// )*[^\n]*)\n(.*?)^ *// end of example", path.read_text(encoding="utf-8"), re.M | re.S):
                text = re.sub(r"EXPECT_EQ\((.*), (.*?)\);", r"// \1 == \2", re.sub(r"EXPECT_TRUE\((.*)\);", r"// \1", textwrap.dedent(text)))
                for name in re.split(r",[\s/]*", names.strip()):
                    found.setdefault(name, []).append((path, text.rstrip()))
    return found


class Pages:
    """Renders headers as Markdown.  link(path) is where the site has a file of the tree, as seen from a page of a header."""

    def __init__(self, link):
        self.link, self.index = link, Index()
        self.headers = [Header(path, self.index) for path in PUBLIC]
        self.examples = examples()
        self.home = {}
        for header in self.headers:
            for name, _ in header.names():
                self.home.setdefault(name, []).append(header.stem)

    def words(self, text, here=()):
        """A line of a comment as Markdown: what is code is shown as such, and public names, headers and documents are links."""
        def marked(found):
            word = found[0]
            if word[0] == "[":
                self.tags |= {tag.strip() for tag in word[1:-1].split(";")}
                return f"**{word}**"
            plain = word if word[0] == "`" else f"`{word}`"
            name = re.match(r"(?:orujo::)?(\w*)", word.strip("`"))[1]
            pages = self.home.get(name, [])
            page = self.stem if self.stem in pages else pages[0] if len(pages) == 1 else None
            if page and name not in here and ("_" in name or "(" in word):
                return f"[{plain}]({'' if page == self.stem else page + '.md'}#{name})"
            public = re.match(r"<orujo/(\w+)\.hpp>", word)
            if public and public[1] != self.stem:
                return f"[{plain.replace('<', '&lt;').replace('>', '&gt;').strip('`')}]({public[1]}.md)"
            for top in (ROOT, ROOT / "system", ROOT / "framework"):
                if re.fullmatch(r"\w+/[\w/.]+\.(?:md|hpp|cpp|cuh)", word) and (top / word).is_file():
                    return f"[{plain}]({self.link(top / word)})"
            return plain

        def escaped(piece):
            return re.sub(r"([\\*_\[\]|])", r"\\\1", piece.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;"))

        return "".join(marked(CODE.fullmatch(piece)) if k % 2 else escaped(piece) for k, piece in enumerate(re.split(f"({CODE.pattern})", text)))

    def text(self, comment, here=()):
        """A comment as Markdown: paragraphs, lists, and what is indented as code."""
        out, paragraph, code = [], [], []

        def flush():
            if paragraph:
                out.append(self.words(" ".join(paragraph), here))
            if "".join(code):
                out.append("~~~~cpp\n" + textwrap.dedent("\n".join(code)).strip("\n") + "\n~~~~")
            paragraph.clear()
            code.clear()

        for line in comment.splitlines():
            in_list = bool(paragraph) and paragraph[0].startswith("- ")
            if re.match(r"(?:  )?- ", line):
                flush()
                paragraph.append("- " + line.strip()[2:])
            elif line.startswith("  ") and not in_list:
                if paragraph:
                    flush()
                code.append(line)
            elif not line.strip():
                if not code:
                    flush()
                code.append("")
            elif line.startswith("Example: "):
                flush()
                out.append(f"A whole program: [{line[9:].strip()}]({self.link(ROOT / line[9:].strip())}).")
            else:
                if code or in_list and not line.startswith("  "):
                    flush()
                paragraph.append(line.strip())
        flush()
        return "\n\n".join(out)

    def public(self, item, base=None):
        """The public members of a class that callers may use."""
        opens = "" if re.search(r"\b(?:struct|union)\b[^<>]*$", item.head) else "private:\n"
        for access, member, _ in declarations(opens + item.body, item.file):
            if access == "public" and member.kind not in ("using", "other") and not member.hidden() and not member.name.startswith("operator=") and member.name != base:
                yield member

    def members(self, item):
        """The public members of a class in groups, each with its comment; those of a base that only the library names among them."""
        pieces, group = [], []

        def flush(comment=""):
            if group and pieces and pieces[-1].startswith("~~~~cpp"):
                pieces[-1] = pieces[-1][:-5] + "\n\n" + "\n".join(group) + "\n~~~~"
            elif group:
                pieces.append(block(group))
            group.clear()
            if comment:
                pieces.append(comment)

        base = re.search(r":\s*public\s+([\w:]+)", item.head)
        bases = self.index.find(item.scope, base[1]) if base and ("detail::" in base[1] or base[1].split("::")[-1] in self.home) else []
        found = [(member, False) for member in self.public(item)]
        for other in bases:
            found += [(member, k == 0) for k, member in enumerate(self.public(other, other.name))]
        pending = ""
        for member, of_base in found:
            beside = member.kind in ("variable", "alias")  # its comments stay beside it
            if of_base or member.notes or not member.continues or (member.comment and not beside):
                flush(pending)
                pending = ""
            pieces += [self.text(note) for note in member.notes]
            if beside:
                group += listed(member)
            else:
                group += self.nested(member) if member.kind in ("class", "enum") else [signature(member.head)]
                pending = self.text("\n".join(filter(None, (member.comment, member.trailing)))) or pending
        flush(pending)
        return pieces

    def nested(self, item):
        """A class within a class, or an enumeration: its public members in lines."""
        if item.kind == "enum":
            return [signature(item.head)[:-1] + " {", textwrap.indent(textwrap.dedent(item.body.strip("\n")).strip(), "  "), "};"]
        lines = [line for member in self.public(item) for line in (listed(member) if member.kind not in ("class", "enum") else self.nested(member))]
        return [signature(item.head)[:-1] + " {", *(textwrap.indent(line, "  ") for line in lines), "};"]

    def entry(self, name, items, header):
        """A name: its heading, declarations with their comments, members and examples."""
        out, group, here = [f"### {name}"], [], (name,)
        said = ""
        shown = [item for item in items if not item.hidden()]
        if shown and shown[0].kind in ("class", "alias"):  # which another #if may declare otherwise
            shown = [item for item in shown if item.kind == "class"] if shown[0].kind == "class" else shown[:1]
        for item in shown:
            if group and (item.comment or item.notes):
                out += [block(group), said]
                group, said = [], ""
            out += [self.text(note, here) for note in item.notes]
            group.append("\n".join(self.nested(item)) if item.kind == "enum" else signature(item.head))
            said = self.text("\n".join(filter(None, (item.comment, item.trailing))), here) or said
            if item.kind == "class":
                out += [block(group), said, *self.members(item)]
                group, said = [], ""
        if group:
            out += [block(group), said]
        for path, text in self.examples.get(name, []):
            first = self.shown.setdefault(text, name)
            if first != name:
                out.append(f"An example is under [`{first}`](#{first}).")
                continue
            out += [f"Example, from [{path.relative_to(ROOT)}]({self.link(path)}):", "~~~~cpp\n" + text + "\n~~~~"]
        return out

    def page(self, header):
        self.tags, self.stem, self.shown = set(), header.stem, {}
        title = f"# &lt;orujo/{header.stem}.hpp&gt;"
        body = []
        for about, names in header.groups:
            if about:
                body.append(f"## {about[0].upper() + about[1:].rstrip('.')}")
                body += [self.text(self.index.about[file]) for file in header.files if pathlib.PurePath(file).stem.replace("_", " ") == about]
            for name, items in names:
                body += self.entry(name, items, header)
        about = []
        for file in header.files:
            title_of = pathlib.PurePath(file).stem.replace("_", " ")
            if self.index.about.get(file, "").count("\n") > 2 and header.groups and not any(title_of == group for group, _ in header.groups):
                about += ["## " + re.split(r"[.:;,](?:\s|$)", self.index.about[file].replace("\n", " "))[0], self.text(self.index.about[file])]
        intro = [title, self.text(header.comment), f"~~~~cpp\n#include <orujo/{header.stem}.hpp>\n~~~~"]
        if header.handed_on:
            intro.append("Includes " + ", ".join(f"[&lt;orujo/{stem}.hpp&gt;]({stem}.md)" for stem in header.handed_on) + ".")
        intro += [f"Example, from [{path.relative_to(ROOT)}]({self.link(path)}):\n\n~~~~cpp\n{text}\n~~~~" for path, text in self.examples.get(f"<orujo/{header.stem}.hpp>", [])]
        if header.groups:
            intro.append("Names: " + ", ".join(f"[`{name}`](#{name})" for name, _ in header.names()) + ".")
        known = [tag for tag in TAGS if any(said == tag or said.startswith(tag + " ") for said in self.tags)]
        if known:
            intro.append("Tags in brackets say who may call:\n\n" + "\n".join(f"- **{tag}**: {TAGS[tag]}." for tag in known))
        return "\n\n".join(piece for piece in intro + about + body if piece) + "\n"

    def all(self):
        """(name, text) of every page."""
        lines = ["# C++ reference", "", "A program includes `<orujo/NAME.hpp>` and finds every name directly in namespace `orujo`.",
                 "[&lt;orujo/orujo.hpp&gt;](orujo.md) is all of the runtime. Where a name is declared in several headers, each page has it.", "",
                 "| header | contents |", "| --- | --- |"]
        for header in self.headers:
            yield header.stem, self.page(header)
            lines.append(f"| [&lt;orujo/{header.stem}.hpp&gt;]({header.stem}.md) | {self.words(re.split(r'[.:](?: |$)', ' '.join(header.comment.splitlines()))[0])} |")
        lines += ["", "## Tags", "", "A tag in brackets begins the description of a function:", "", *(f"- **{tag}**: {meaning}." for tag, meaning in TAGS.items())]
        yield "index", "\n".join(lines) + "\n"
