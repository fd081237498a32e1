"""What the public headers declare: a scanner of C++ declarations, just good enough for our headers.

A public header <orujo/NAME.hpp> lists its names by `using`, in a comment ("//   name, name    what they are"), or hands on the whole of
a namespace (algorithms).  Each name is looked up among the declarations of all headers.  Comments belong to declarations so:
  - the lines directly above a declaration are its own; a declaration without one goes with the one before it;
  - a comment that stands alone introduces what follows; one that begins with "Internal" hides the rest of its scope;
  - "Not for callers" hides a declaration."""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
PUBLIC = [*sorted((ROOT / "system/include/orujo").glob("*.hpp")), *sorted((ROOT / "framework/include/orujo").glob("*.hpp"))]


class Declaration:
    """A declaration: where it is, the comment above it, its text without body, and what its braces hold."""

    def __init__(self, name, kind, comment, head, body, trailing, file):
        self.name, self.kind, self.comment, self.head, self.body, self.trailing, self.file = name, kind, comment, head, body, trailing, file
        self.notes = []  # comments that stand alone before it

    def hidden(self):
        return self.comment.startswith("Not for callers") or "= delete" in self.head or f"{self.name}(const {self.name}&) = default" in self.head


def end_of(text, at, stop):
    """The position of the first character of `stop` from `at` on that is outside brackets, strings and comments."""
    depth = 0
    for found in re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\])*\"|(?<![0-9a-fA-F])'(?:\\.|[^'\\])'|[][(){};]", re.S).finditer(text, at):
        mark = found[0]
        if len(mark) > 1:
            continue
        if depth == 0 and mark in stop:
            return found.start()
        depth += (mark in "([{") - (mark in ")]}")
        if depth < 0:
            return found.start()
    return len(text)


def name_of(head):
    """(kind, name) of a declaration."""
    plain = re.sub(r"\[\[.*?\]\]|alignas\([^)]*\)", "", head)
    while re.match(r"\s*template\s*<", plain):  # the angle that closes is the one at depth 0
        depth, at = 0, plain.index("<")
        for at in range(at, len(plain)):
            depth += (plain[at] == "<") - (plain[at] == ">" and plain[at - 1] != "-")
            if depth == 0:
                break
        plain = plain[at + 1:]
    plain = re.sub(r"^\s*requires\s*(\((?:[^()]|\([^()]*\))*\)|[\w:]+(<[^>]*>)?(\s*&&\s*[\w:]+(<[^>]*>)?)*)", "", plain)
    for kind, pattern in (("class", r"\s*(?:class|struct|union)\s+([\w:]+)(?=\s*(?:final\b|[:{;<]|$))"), ("enum", r"\s*enum\s+(?:class\s+)?(\w+)"),
                          ("concept", r"\s*concept\s+(\w+)"), ("alias", r"\s*using\s+(\w+)\s*="), ("using", r"\s*using\s+(?!namespace)(.*)")):
        found = re.match(pattern, plain, re.S)
        if found:
            return kind, found[1]
    if re.match(r"\s*(?:friend (?:class|struct|bool operator==)|extern|static_assert|typedef|template struct)\b", plain):
        return "other", ""
    found = re.search(r"(operator\s*(?:\(\)|\[\]|[^\s\w(]+|[\w:]+[&*]?)|~?\w+)\s*\(", re.sub(r"\b(?:decltype|noexcept|explicit|alignas)\s*\((?:[^()]|\([^()]*\))*\)", "", plain))
    equal = re.search(r"(?<![=!<>])=(?!=)", plain)
    if found and (not equal or found.start() < equal.start() or found[1].startswith("operator")):
        return "function", re.sub(r"\s+", "", found[1]) if found[1].startswith("operator") else found[1]
    found = re.match(r"(?:.*?[\s&*>])?(\w+)\s*(?:\[[^]]*\])?\s*(?:=|\{|,|$)", plain, re.S)
    return "variable", found[1] if found else ""


def declarations(text, file):
    """Those of one scope: yields (access, declaration), and for a namespace ("namespace", name, its text)."""
    at, comment, notes, access, internal, last = 0, "", [], "public", False, None
    space, line_comment = re.compile(r"\s*"), re.compile(r"//[^\n]*(?:\n[ \t]*//[^\n]*)*")
    while True:
        gap = space.match(text, at)
        if gap[0].count("\n") > 1 and comment:
            internal |= comment.startswith("Internal")
            notes.append(comment)
            comment = ""
        separate = gap[0].count("\n") > 1
        at = gap.end()
        if at >= len(text):
            return
        if text.startswith("//", at):
            found = line_comment.match(text, at)
            comment = (comment + "\n" if comment else "") + "\n".join(line.strip()[2:].removeprefix(" ") for line in found[0].splitlines())
            at = found.end()
        elif text[at] == "#":
            at = re.compile(r"(?:[^\n]*\\\n)*[^\n]*").match(text, at).end()
        elif re.compile(r"(public|private|protected):").match(text, at):
            found = re.compile(r"(\w+):").match(text, at)
            access, at, internal, comment = found[1], found.end(), False, ""
        elif re.compile(r"(?:inline )?namespace ([\w:]*)\s*\{").match(text, at):
            found = re.compile(r"(?:inline )?namespace ([\w:]*)\s*\{").match(text, at)
            end = end_of(text, found.end(), "}")
            yield "namespace", found[1], text[found.end():end]
            at, comment, notes = end, "", []
        elif text[at] in "};":
            at = re.compile(r".(?:[ \t]*//[^\n]*)?").match(text, at).end()
        else:
            begin, end, body = at, at, ""
            while True:
                end = end_of(text, end, "{;")
                head = text[begin:end]
                if end >= len(text) or text[end] in ";}":
                    break
                close = end_of(text, end + 1, "}")
                after = space.match(text, close + 1).end()
                body = body or text[end + 1:close]
                plain = re.sub(r"//[^\n]*", "", head)
                value = name_of(plain)[0] in ("variable", "concept", "alias", "using")  # the braces hold a value, and more may follow
                if value or re.search(r"requires\s*(\([^)]*\))?\s*$", plain) or text[after:after + 1] in (";", ",", "{"):
                    if text[after:after + 1] == "{":
                        body = ""
                    end = close + 1
                    continue
                end = close
                break
            kind, name = name_of(re.sub(r"//[^\n]*", "", head))
            if kind in ("class", "enum", "concept") or (kind == "variable" and "{" in head):
                head = text[begin:text.index("{", begin)] if kind in ("class", "enum") and "{" in head else head
            at = min(end + 1, len(text))
            trailing = re.compile(r"[ \t]*//([^\n]*(?:\n[ \t]{12,}//[^\n]*)*)").match(text, at)
            if trailing:
                at = trailing.end()
            said = re.sub(r"\s*\n\s*//\s*", " ", trailing[1]).strip() if trailing else ""
            made = Declaration(name, kind, comment, head, body, said, file)
            made.notes, made.continues = notes, not comment and not separate and last is not None
            if made.continues and not comment and last.comment.startswith("Not for callers"):
                made.comment = last.comment
            if not (internal and access == "public") and kind != "other":
                yield access, made, begin
            last, comment, notes = made, "", []


def head_comment(text):
    """What a header says before its #pragma once."""
    return "\n".join(line[2:].removeprefix(" ") for line in text.split("#pragma once")[0].strip().splitlines())


class Index:
    """Declarations of all headers, by qualified name."""

    def __init__(self):
        self.by_name, self.same, self.of_file, self.about = {}, {}, {}, {}
        for top in ("system", "framework"):
            for file in sorted([*(ROOT / top).rglob("*.hpp"), *(ROOT / top).rglob("*.cuh")]):
                text, name = file.read_text(encoding="utf-8"), file.relative_to(ROOT).as_posix()
                self.about[name] = head_comment(text)
                self.read(text, "", name)

    def read(self, text, scope, file):
        for access, item, rest in declarations(text, file):
            if access == "namespace":
                self.read(rest, f"{scope}::{item}".strip(":"), file)
                continue
            item.scope = scope
            if item.kind == "using":
                for name in re.split(r",\s*", re.sub(r"//[^\n]*", "", item.head[item.head.index("using") + 5:])):
                    self.same.setdefault(f"{scope}::{name.split('::')[-1].strip()}", []).append(name.strip())
                continue
            if item.kind == "class" and not item.body:
                continue  # only announced
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


class Header:
    """A public header: its comment, the headers that it hands on, and groups of names: (what they are, [(name, declarations)])."""

    def __init__(self, path, index):
        self.stem, self.groups = path.stem, []
        text = path.read_text(encoding="utf-8")
        self.comment = head_comment(text)
        self.handed_on = re.findall(r'^#include "orujo/(\w+)\.hpp"', text, re.M)
        self.files = [name for name in re.findall(r'^#include "([^"]+)"', text, re.M) if not name.startswith("orujo/")]
        for names, about in re.findall(r"^//   (\w+(?:, \w+)*)(?: {2,}(.*))?$", text.split("end_exports")[-1], re.M):
            self.groups.append((about, [(name, index.by_name.get(f"orujo::{name}", [])) for name in names.split(", ")]))
        if "namespace orujo::" in self.comment:
            scope = re.search(r"namespace (orujo::\w+)", self.comment)[1]
            for file in self.files:
                mine = [item for item in index.of_file.get(file, []) if item.scope == scope and not item.hidden()]
                self.groups.append((pathlib.PurePath(file).stem.replace("_", " "), []))
                for name in dict.fromkeys(item.name for item in mine):
                    self.groups[-1][1].append((name, [item for item in mine if item.name == name]))
        body = re.search(r"^namespace orujo \{\n(.*)^\}", text, re.M | re.S)
        about, names = "", []
        for line in re.findall(r"//[^\n]*|using [^;]*;|\n\n", body[1] if body else ""):
            if line.startswith("//"):
                about = f"{about} {line[2:].strip()}".strip()
            elif line.startswith("using"):
                plain = re.sub(r"//[^\n]*", "", line[6:-1])
                alias, equal, target = plain.partition("=")
                pairs = [(alias.strip(), target.strip())] if equal else [(name.split("::")[-1].strip(), name.strip()) for name in plain.split(",")]
                names = [(name, index.find("orujo", target)) for name, target in pairs]
                if about or not body or not any(group for _, group in self.groups):
                    self.groups.append((about, []))
                for name, items in names:
                    known = dict(self.names()).get(name)
                    known.extend(items) if known is not None else self.groups[-1][1].append((name, list(items)))
                about = ""

    def names(self):
        return [pair for _, group in self.groups for pair in group]
