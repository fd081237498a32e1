"""What the public headers declare: a scanner of C++ declarations, just good enough for our headers.

A public header <orujo/NAME.hpp> lists its names by `using`, or in a comment ("//   name, name    what they are"), or says that it has
a whole namespace (algorithms).  Each name is looked up among the declarations of all headers.  Comments belong to declarations so:
  - The lines directly above a declaration are its own.  A declaration without any goes with the one before it.
  - A comment that stands alone introduces what follows.  One that begins with "Internal" hides the rest of its scope.
  - "Not for callers" hides a declaration, and those that go with it."""

import dataclasses
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
PUBLIC = [path for top in ("system", "framework") for path in sorted((ROOT / top / "include/orujo").glob("*.hpp"))]

# What has no brackets of its own: comments, strings, characters (but not the ' within a number).
OPAQUE = r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\])*\"|(?<![0-9a-fA-F])'(?:\\.|[^'\\])'"
BRACKETS = re.compile(OPAQUE + r"|[][(){};]", re.S)
SPACE = re.compile(r"\s*")
COMMENT_LINES = re.compile(r"//[^\n]*(?:\n[ \t]*//[^\n]*)*")
DIRECTIVE = re.compile(r"#(?:[^\n]*\\\n)*[^\n]*")
ACCESS = re.compile(r"(public|private|protected):")
NAMESPACE = re.compile(r"(?:inline )?namespace ([\w:]*)\s*\{")
CLOSING = re.compile(r"[};](?:[ \t]*//[^\n]*)?")
TRAILING = re.compile(r"[ \t]*//([^\n]*(?:\n[ \t]{12,}//[^\n]*)*)")
# Declarations by how they begin, after their template parameters.
KINDS = [("class", r"(?:class|struct|union)\s+([\w:]+)(?=\s*(?:final\b|[:{;<]|$))"), ("enum", r"enum\s+(?:class\s+)?(\w+)"),
         ("concept", r"concept\s+(\w+)"), ("alias", r"using\s+(\w+)\s*="), ("using", r"using\s+(?!namespace)(.*)"),
         ("other", r"(?:friend (?:class|struct|bool operator==)|extern|static_assert|typedef|template struct)\b()")]


@dataclasses.dataclass
class Declaration:
    name: str
    kind: str  # one of KINDS, function or variable
    comment: str  # above it
    head: str  # its text without body
    body: str  # what the braces of a class or an enumeration hold
    trailing: str  # the comment behind it
    notes: list  # comments that stand alone before it
    continues: bool  # it goes with the declaration before it
    file: str
    scope: str = ""

    def hidden(self):
        copies = f"{self.name}(const {self.name}&) = default"
        return self.comment.startswith("Not for callers") or "= delete" in self.head or copies in self.head


def without_comments(text):
    return re.sub(r"//[^\n]*", "", text)


def lines_of(comment):
    return "\n".join(line.strip()[2:].removeprefix(" ") for line in comment.splitlines())


def head_comment(text):
    """What a header says before its #pragma once."""
    return lines_of(text.split("#pragma once")[0].strip())


def end_of(text, at, stop):
    """The position of the first character of `stop` from `at` on that is outside brackets, strings and comments."""
    depth = 0
    for found in BRACKETS.finditer(text, at):
        mark = found[0]
        if len(mark) > 1:
            continue
        if depth == 0 and mark in stop:
            return found.start()
        depth += (mark in "([{") - (mark in ")]}")
        if depth < 0:
            return found.start()
    return len(text)


def after_angles(text):
    """The position behind the angle brackets that a text begins with, or behind those that its first ones hold."""
    depth = 0
    for at in range(text.index("<"), len(text)):
        depth += (text[at] == "<") - (text[at] == ">" and text[at - 1] != "-")
        if depth == 0:
            return at + 1
    return len(text)


def kind_and_name(head):
    plain = re.sub(r"\[\[.*?\]\]|alignas\([^)]*\)", "", without_comments(head)).strip()
    while re.match(r"template\s*<", plain):
        plain = plain[after_angles(plain):].strip()
    plain = re.sub(r"^requires\s*(\((?:[^()]|\([^()]*\))*\)|[\w:]+(<[^>]*>)?(\s*&&\s*[\w:]+(<[^>]*>)?)*)\s*", "", plain)
    for kind, pattern in KINDS:
        found = re.match(pattern, plain, re.S)
        if found:
            return kind, found[1]
    called = re.sub(r"\b(?:decltype|noexcept|explicit)\s*\((?:[^()]|\([^()]*\))*\)", "", plain)
    function = re.search(r"(operator\s*(?:\(\)|\[\]|[^\s\w(]+|[\w:]+[&*]?)|~?\w+)\s*\(", called)
    equal = re.search(r"(?<![=!<>])=(?!=)", plain)
    if function and (not equal or function.start() < equal.start() or function[1].startswith("operator")):
        return "function", re.sub(r"\s+", "", function[1])
    variable = re.match(r"(?:.*?[\s&*>])?(\w+)\s*(?:\[[^]]*\])?\s*(?:=|\{|,|$)", plain, re.S)
    return "variable", variable[1] if variable else ""


def extent(text, begin):
    """A declaration from `begin` on: (its head, what the braces of its body hold, its end)."""
    end, body = begin, ""
    while True:
        end = end_of(text, end, "{;")
        head = text[begin:end]
        if end >= len(text) or text[end] != "{":
            return head, body, end
        close = end_of(text, end + 1, "}")
        next_mark = text[SPACE.match(text, close + 1).end():][:1]
        body = body or text[end + 1:close]
        kind = kind_and_name(head)[0]
        is_constraint = re.search(r"requires\s*(\([^)]*\))?\s*$", without_comments(head))
        if kind in ("class", "enum"):
            return head, body, end_of(text, close, ";")
        if not is_constraint and kind == "function" and next_mark not in (";", ",", "{"):
            return head, body, close
        end = close + 1  # the braces hold a value, and more of the declaration follows
        if next_mark == "{":
            body = ""


def declarations(text, file):
    """The contents of a scope: (access, declaration, ""), and for a namespace ("namespace", its name, its text)."""
    at, comment, notes, access, internal, last = 0, "", [], "public", False, None
    while True:
        gap = SPACE.match(text, at)
        at, separate = gap.end(), gap[0].count("\n") > 1
        if separate and comment:
            internal |= comment.startswith("Internal")
            notes.append(comment)
            comment = ""
        if at >= len(text):
            return
        if found := COMMENT_LINES.match(text, at):
            comment = "\n".join(filter(None, (comment, lines_of(found[0]))))
            at = found.end()
        elif found := DIRECTIVE.match(text, at) or CLOSING.match(text, at):
            at = found.end()
        elif found := ACCESS.match(text, at):
            access, at, internal, comment = found[1], found.end(), False, ""
        elif found := NAMESPACE.match(text, at):
            at = end_of(text, found.end(), "}")
            yield "namespace", found[1], text[found.end():at]
            comment, notes = "", []
        else:
            head, body, end = extent(text, at)
            at = min(end + 1, len(text))
            trailing = TRAILING.match(text, at)
            at = trailing.end() if trailing else at
            said = re.sub(r"\s*\n\s*//\s*", " ", trailing[1]).strip() if trailing else ""
            continues = not comment and not separate and last is not None
            if continues and last.comment.startswith("Not for callers"):
                comment = last.comment
            kind, name = kind_and_name(head)
            last = Declaration(name, kind, comment, head, body, said, notes, continues, file)
            comment, notes = "", []
            if not (internal and access == "public") and kind != "other":
                yield access, last, ""


class Index:
    """Declarations of all headers, by qualified name."""

    def __init__(self):
        self.by_name = {}  # declarations
        self.same = {}  # what a using-declaration names
        self.of_file = {}
        self.about = {}  # what a header says before its #pragma once
        for top in ("system", "framework"):
            for file in sorted([*(ROOT / top).rglob("*.hpp"), *(ROOT / top).rglob("*.cuh")]):
                text, name = file.read_text(encoding="utf-8"), file.relative_to(ROOT).as_posix()
                self.about[name] = head_comment(text)
                self.read(text, "", name)

    def read(self, text, scope, file):
        for access, item, content in declarations(text, file):
            if access == "namespace":
                self.read(content, f"{scope}::{item}".strip(":"), file)
            elif item.kind == "using":
                for name in item.name.split(","):
                    self.same.setdefault(f"{scope}::{name.split('::')[-1].strip()}", []).append(name.strip())
            elif item.kind != "class" or item.body:  # not only announced
                item.scope = scope
                self.by_name.setdefault(f"{scope}::{item.name}", []).append(item)
                self.of_file.setdefault(file, []).append(item)

    def find(self, scope, name):
        """The declarations that `name` means in a scope, from the innermost outwards."""
        while True:
            full = f"{scope}::{name}" if scope else name
            found = [item for item in self.by_name.get(full, []) if not item.hidden()]
            for other in self.same.get(full, []):
                if other != name:
                    found += [item for item in self.find(scope, other) if item not in found]
            if found or not scope:
                return found
            scope = scope.rpartition("::")[0]


def stem_words(file):
    return pathlib.PurePath(file).stem.replace("_", " ")


class Header:
    """A public header.  groups: (what its names are, [(name, declarations)])."""

    def __init__(self, path, index):
        text = path.read_text(encoding="utf-8")
        included = re.findall(r'^#include "([^"]+)"', text, re.M)
        self.stem, self.groups, self.comment = path.stem, [], head_comment(text)
        self.handed_on = [pathlib.PurePath(name).stem for name in included if name.startswith("orujo/")]
        self.files = [name for name in included if not name.startswith("orujo/")]
        body = text.split("end_exports")[-1]
        for names, about in re.findall(r"^//   (\w+(?:, \w+)*)(?: {2,}(.*))?$", body, re.M):
            found = {name: index.find("orujo", name) for name in names.split(", ")}
            self.add(about, [(name, [item for item in items if item.scope == "orujo" or item.file in self.files])
                             for name, items in found.items()])
        whole = re.search(r"namespace orujo::(\w+)", self.comment)
        for file in self.files if whole else []:
            mine = [item for item in index.of_file.get(file, []) if item.scope == f"orujo::internal::{whole[1]}" and not item.hidden()]
            self.add(stem_words(file), [(item.name, [item]) for item in mine])
        about = ""
        for line in re.findall(r"//[^\n]*|using [^;]*;", body.partition("namespace orujo {")[2].rpartition("}")[0]):
            if line.startswith("//"):
                about = f"{about} {line[2:].strip()}".strip()
                continue
            alias, equal, target = without_comments(line[6:-1]).partition("=")
            names = [name.strip() for name in (target if equal else alias).split(",")]
            found = [(alias.strip() if equal else name.split("::")[-1], index.find("orujo", name)) for name in names]
            self.add(about, found)
            about = ""

    def add(self, about, names):
        """Names without a comment of their own join the group before them; overloads join their name."""
        if about or not self.groups:
            self.groups.append((about, []))
        for name, items in names:
            known = dict(self.names()).get(name)
            known.extend(items) if known is not None else self.groups[-1][1].append((name, list(items)))

    def names(self):
        return [pair for _, group in self.groups for pair in group]
