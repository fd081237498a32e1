"""The C++ reference of the documentation's site: a page for each public header, generated from the headers (cpp_headers.py).

A comment becomes text; what it indents is code, and its line "Example: PATH" links to a whole program.  Examples are regions of programs
that are compiled: the lines between `// example: NAME, NAME` and `// end of example`, where NAME is a public name or <orujo/HEADER.hpp>."""

import re
import textwrap

from cpp_headers import PUBLIC, ROOT, Header, Index, after_angles, declarations, stem_words, without_comments

PROGRAMS = ("docs/tutorial", "applications", "tests")
LAYERS = ("base|checkpoint|containers|delegates|loops|machine|memory|messages|observe|tasks|"
          "device|gas|graph|mapreduce|relational|results|steps|vectors")
# What signatures show in place of what only the library names.
SHOWN = [
    (r",? ?(?:const )?(?:orujo::)?call_site&? (?:at|origin) = call_site::current\(\)", ""),
    (r"\[\[[\w:]+\]\] |\bORUJO_HOST_DEVICE | noexcept\b|\b(?:static )?inline (?!const)", ""),
    (r"\bdetail::target\b", "core_id"),
    (r"\bbase::placed_index\b", "std::size_t"),
    (r"\b(?:delegates::)?(?:detail::)?(?:indices|contiguous_array|array_in_place|array) (?=[A-Z]\w*\b[,>])", "class "),
    (r"(?<=> )requires ?(?:\(!array(?:_in_place)?<\w+>\)|\(!std::same_as<T, call_site>\)|detail::values<T\.\.\.>) ?", ""),
    (r"(?<=> )requires ?\(sizeof\.\.\.\(\w+\) > 0\) ", ""),
    (r"(concept \w+) = .*", r"\1"),
    (r"((?:class|struct) \w+)(?: final)?(?: : (?:public )?(?!std::|public std::).*|$)", r"\1"),  # bases
    (rf"\b(?:orujo::)?(?:internal::)?(?:{LAYERS})::(?=\w)", ""),
]
# What is code within a comment.
CODE = "|".join([
    r"<orujo/\w+\.hpp>", r"`[^`]+`",
    r"\[(?:task|handler|any thread|at the)[^]]*\]",  # tags
    r"\b\w+/[\w/.]+\.(?:md|hpp|cpp|cuh|py)",
    r"\b\w+\[\w+\]",
    r"\b[\w:.]+(?:<[\w:, ]*>)?\((?:[^()]|\([^()]*\))*\)",  # calls
    r"--\w+(?:=[\w:|]+)?",
    r"\b(?:\w+::)*\w*[a-z0-9A-Z]_\w*(?:::\w+)*(?:\.hpp|<[\w:, <>]*>)?", r"\b\w+::[\w:]+", r"\b\w+&+",
])
REGION = re.compile(r"^ *// example: ((?:[^\n]*,\n *// )*[^\n]*)\n(.*?)^ *// end of example", re.M | re.S)
LONG = 10  # lines of a header's comment that are worth a section before the names
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


def wrapped(line, width=100):
    """In lines that end behind commas."""
    unbroken = re.sub(r"(?<!,) ", "\u00a0", line)
    lines = textwrap.wrap(unbroken, width, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False)
    return "\n".join(lines).replace("\u00a0", " ")


def signature(head):
    """A declaration as its callers see it; `template <...>` and `requires ...` have lines of their own."""
    text = re.sub(r"\s+", " ", without_comments(head)).strip().removeprefix("friend ")
    text = re.sub(r"(\)(?: const)?) : \w[\w:]*(?:<.*>)?[({].*$", r"\1", text)  # what a constructor initialises
    for pattern, shown in SHOWN:
        text = re.sub(pattern, shown, text)
    lines = []
    while text.startswith("template <"):
        end = after_angles(text)
        lines, text = [*lines, text[:end]], text[end:].strip()
        condition = re.match(r"requires ?\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)", text)
        if condition:
            lines, text = [*lines, condition[0]], text[condition.end():].strip()
    return "\n".join(wrapped(line) for line in [*lines, text + ";"])


def block(lines):
    return "~~~~cpp\n" + "\n".join(lines) + "\n~~~~"


def listed(item):
    """A declaration in lines, with its comments beside it."""
    line = signature(item.head) + (f"  // {item.trailing}" if item.trailing else "")
    if len(line) > 110 and item.trailing:
        return [*textwrap.wrap(item.trailing, 100, initial_indent="// ", subsequent_indent="// "), signature(item.head)]
    return [*(f"// {line}" for line in item.comment.splitlines()), line]


def examples():
    """Regions of programs by the names that they are examples of: {name: [(path, text)]}."""
    found = {}
    for path in sorted(path for folder in PROGRAMS for path in (ROOT / folder).rglob("*.cpp")):
        for names, text in REGION.findall(path.read_text(encoding="utf-8")):
            text = re.sub(r"EXPECT_TRUE\((.*)\);", r"// \1", textwrap.dedent(text))
            text = re.sub(r"EXPECT_EQ\(((?:[^(),]|\((?:[^()]|\([^()]*\))*\))*), (.*)\);", r"// \1 == \2", text)
            for name in re.split(r",[\s/]*", names.strip()):
                found.setdefault(name, []).append((path, text.rstrip()))
    return found


def tags_legend(tags):
    return "\n".join(f"- **{tag}**: {TAGS[tag]}." for tag in tags)


class Pages:
    """Renders headers as Markdown.  link(path) is where the site has a file of the tree, as seen from a page of a header."""

    def __init__(self, link):
        self.link, self.index = link, Index()
        self.headers = [Header(path, self.index) for path in PUBLIC]
        self.examples = examples()
        self.homes = {}  # the pages of a name
        for header in self.headers:
            for name, _ in header.names():
                self.homes.setdefault(name, []).append(header.stem)

    def words(self, text, here=()):
        """A line of a comment as Markdown: what is code is shown as such, and names, headers and documents are links."""
        def plain(piece):
            return re.sub(r"([\\*_\[\]|])", r"\\\1", piece.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;"))

        def marked(word):
            if word[0] == "[":
                self.tags |= {tag.strip() for tag in word[1:-1].split(";")}
                return f"**{word}**"
            shown = word if word[0] == "`" else f"`{word}`"
            header = re.match(r"<orujo/(\w+)\.hpp>", word)
            if header:
                return f"[{plain(word)}]({header[1]}.md)" if header[1] != self.stem else shown
            name = re.match(r"(?:orujo::)?(\w*)", word.strip("`"))[1]
            homes = self.homes.get(name, [])
            home = self.stem if self.stem in homes else homes[0] if len(homes) == 1 else None
            if home and name not in here and ("_" in name or "(" in word):
                return f"[{shown}]({'' if home == self.stem else home + '.md'}#{name})"
            files = [top / word for top in (ROOT, ROOT / "system", ROOT / "framework") if re.fullmatch(r"\w+/[\w/.]+", word)]
            file = next((path for path in files if path.is_file()), None)
            return f"[{shown}]({self.link(file)})" if file else shown

        pieces = re.split(f"({CODE})", text)
        return "".join(marked(piece) if k % 2 else plain(piece) for k, piece in enumerate(pieces))

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
            usable = access == "public" and member.kind not in ("using", "other") and not member.hidden()
            if usable and not member.name.startswith("operator=") and member.name != base:
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

        found = [(member, False) for member in self.public(item)]
        base = re.search(r":\s*public\s+((?:\w+::)*)(\w+)", item.head)
        if base and ("detail::" in base[1] or base[2] in self.homes):
            for other in self.index.find(item.scope, base[1] + base[2]):
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
            lines = textwrap.dedent(item.body.strip("\n")).strip().splitlines()
        else:
            lines = [line for member in self.public(item)
                     for line in (self.nested(member) if member.kind in ("class", "enum") else listed(member))]
        return [signature(item.head)[:-1] + " {", *(textwrap.indent(line, "  ") for line in lines), "};"]

    def entry(self, name, items):
        """A name: its heading, declarations with their comments, members and examples."""
        out, group, said, here = [f"### {name}"], [], "", (name,)
        shown = [item for item in items if not item.hidden()]
        if not shown:
            return out
        if shown[0].kind in ("class", "alias"):  # which another #if may declare otherwise
            shown = shown[:1]
        for item in shown:
            if group and (item.comment or item.notes):
                out += [block(group), said]
                group, said = [], ""
            out += [self.text(note, here) for note in item.notes]
            group.append("\n".join(self.nested(item)) if item.kind == "enum" else signature(item.head))
            said = self.text("\n".join(filter(None, (item.comment, item.trailing))), here) or said
        out += [block(group), said]
        if shown[0].kind == "class":
            out += self.members(shown[0])
        return out + self.examples_of(name)

    def examples_of(self, name):
        out = []
        for path, text in self.examples.get(name, []):
            first = self.shown.setdefault(text, name)
            if first == name:
                out.append(f"Example, from [{path.relative_to(ROOT)}]({self.link(path)}):\n\n{block([text])}")
            elif first[0] != "<":
                out.append(f"An example is under [`{first}`](#{first}).")
            else:
                out.append("An example is at the head of the page.")
        return out

    def about(self, file):
        """What the comment at the head of a header says; paragraphs of it may begin with a title, "Costs. "."""
        return re.sub(r"^((?:[\w`()]+ ?){1,5}\.) (?=[A-Z`])", r"**\1** ", self.text(self.index.about[file]), flags=re.M)

    def section(self, file):
        """The same with a heading from its first words."""
        return ["## " + re.split(r"[.:;,](?:\s|$)", self.index.about[file].replace("\n", " "))[0], self.about(file)]

    def page(self, header):
        self.tags, self.stem, self.shown = set(), header.stem, {}
        intro = [f"# &lt;orujo/{header.stem}.hpp&gt;", self.text(header.comment), block([f"#include <orujo/{header.stem}.hpp>"])]
        if header.handed_on:
            links = ", ".join(f"[&lt;orujo/{stem}.hpp&gt;]({stem}.md)" for stem in header.handed_on)
            intro.append(f"Includes {links}.")
        intro += self.examples_of(f"<orujo/{header.stem}.hpp>")
        if header.groups:
            intro.append("Names: " + ", ".join(f"[`{name}`](#{name})" for name, _ in header.names()) + ".")

        before, names, after = [], [], []
        headed = {about: file for about, _ in header.groups for file in header.files if stem_words(file) == about}
        for about, group in header.groups:
            names += [f"## {about[0].upper() + about[1:].rstrip('.')}"] if about else []
            names += [self.about(headed[about])] if about in headed else []
            names += [piece for name, items in group for piece in self.entry(name, items)]
        for file in header.files if header.groups else []:
            lines = self.index.about.get(file, "").count("\n") + 1
            if lines > 3 and file not in headed.values():
                (before if lines > LONG else after).extend(self.section(file))
        known = [tag for tag in TAGS if any(said == tag or said.startswith(tag + " ") for said in self.tags)]
        if known:
            intro.append(f"Tags in brackets say who may call:\n\n{tags_legend(known)}")
        return "\n\n".join(piece for piece in intro + before + names + after if piece) + "\n"

    def all(self):
        """(name, text) of every page."""
        lines = ["# C++ reference", "", "A program includes `<orujo/NAME.hpp>` and finds every name directly in namespace `orujo`.",
                 "[&lt;orujo/orujo.hpp&gt;](orujo.md) is all of the runtime, and explains the words of the reference.", "",
                 "| header | contents |", "| --- | --- |"]
        for header in self.headers:
            yield header.stem, self.page(header)
            first = re.split(r"[.:](?: |$)", header.comment.replace("\n", " "))[0]
            lines.append(f"| [&lt;orujo/{header.stem}.hpp&gt;]({header.stem}.md) | {self.words(first)} |")
        lines += ["", "## Tags", "", "A tag in brackets begins the description of a function:", "", tags_legend(TAGS)]
        yield "index", "\n".join(lines) + "\n"
