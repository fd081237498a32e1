#!/usr/bin/env python3
"""Functions of the launcher share no variables by dynamic scope: bash would look for a variable in the functions that call a function.
Each name that a function uses is local to it, or a global that one file of bin/ declares. No local has the name of a global.

The test reads the sources. It does not see names that are put together at run time, nor scripts in quotes, which other shells run."""

import pathlib
import re
import sys
from collections import defaultdict

ROOT = pathlib.Path(__file__).resolve().parents[2]
NAME = r"[a-z][a-z0-9_]*"


def split(text):
    """The code and its strings, each with blanks for the other and without comments. Lines stay where they are."""
    text = re.sub(r"<<'?END'?\n(.*?)\nEND\n", lambda found: "\n" * found[0].count("\n"), text, flags=re.DOTALL)
    code, strings, k, within = [], [], 0, ["code"]  # strings, and substitutions in them, the outermost first
    while k < len(text):
        here, quoted, end = text[k], within[-1] == "string", k + 1
        if here == "\\":
            end = k + 2
        elif here == "(" and (not quoted or text[k - 1] == "$"):
            within.append("code")
        elif here == ")" and not quoted and len(within) > 1:
            within.pop()
        elif here == '"':
            within.pop() if quoted else within.append("string")
        elif here == "'" and not quoted:
            end = text.index("'", k + 1) + 1
        elif here == "#" and not quoted and text[k - 1] in " \n":
            end = text.index("\n", k)
        piece = text[k:end] if end == k + 1 else "\n" * text[k:end].count("\n") or " "
        blank = "\n" if piece == "\n" else " "
        code.append(blank if quoted else piece)
        strings.append(piece if quoted else blank * max(1, len(piece)) if piece.strip() else piece)
        k = end
    return "".join(code), "".join(strings)


def functions(text):
    """(name or None for what is outside of all, code, strings)"""
    code, strings = split(text)
    lines, name, found = list(zip(code.split("\n"), strings.split("\n"), strict=True)), None, defaultdict(list)
    for line in lines:
        begins = re.match(rf"({NAME})\(\) \{{", line[0])
        name = begins[1] if begins else name
        found[name].append(line)
        if line[0].rstrip() == "}" or begins and line[0].rstrip().endswith("}"):
            name = None
    return {name: tuple("\n".join(each) for each in zip(*part)) for name, part in found.items()}


def words(declaration):
    """Names in the arguments of local or read."""
    declaration = re.sub(r"\$?\(\(?.*?\)\)?|\$\{[^}]*\}", "", declaration)
    return set(re.findall(rf"(?:^| )({NAME})(?=[ =]|\+=|$)", declaration))


def locals_in(code):
    return {name for declaration in re.findall(r"\blocal\b((?: -[aA])?(?:\(.*?\)|[^;&|\n])*)", code) for name in words(declaration)}


def assigned_in(code):
    found = set(re.findall(rf"(?:^|[\s;({{&|!])({NAME})(?:\[[^\]]*\])?\+?=(?!=)", code))
    found |= set(re.findall(rf"\bfor ({NAME})\b", code)) | set(re.findall(rf"\{{({NAME})\}}[<>]", code))
    for command in re.findall(r"\b(?:read|mapfile)\b((?: -[a-zA-Z]+(?: +[0-9']+)?)*[^<;&|\n}]*)", code):
        found |= words(command)
    return found


def used_in(code, strings):
    found = set(re.findall(rf"\$\{{?[#!]?({NAME})", code + strings))
    for subscript in re.findall(rf"\b{NAME}\[([^\]]*)\]", code + strings):
        found |= set(re.findall(rf"\b(?<!\$)({NAME})\b", subscript)) if "@" not in subscript else set()
    for expression in re.findall(r"\(\((.*?)\)\)", re.sub(r"\$\((?!\()[^()]*\)|\$\{[^}]*\}", "", code)):
        found |= set(re.findall(rf"(?<![\w$])({NAME})\b", expression))
    return found | assigned_in(code)


def main():
    sources = {path.name: functions(path.read_text()) for path in [ROOT / "bin/orujo", *sorted((ROOT / "bin/commands").glob("*.sh"))]}
    owners, wrong = defaultdict(list), []
    for file, parts in sources.items():
        code = re.sub(rf"^{NAME}\[.*", "", parts.get(None, ("", ""))[0], flags=re.MULTILINE)
        for name in assigned_in(code) | {name for declared in re.findall(r"declare -\w+ (.*)", code) for name in words(declared)}:
            owners[name].append(file)
    wrong += [f"{name} is declared in {', '.join(files)}" for name, files in owners.items() if len(files) > 1]
    for file, parts in sources.items():
        for function, (code, strings) in parts.items():
            if function is None:
                continue
            own = locals_in(code)
            wrong += [f"{file}: {function}: local {name} has the name of a global of {owners[name][0]}" for name in sorted(own & owners.keys())]
            unknown = used_in(code, strings) - own - owners.keys()
            wrong += [f"{file}: {function} uses {name}, which is neither local nor global" for name in sorted(unknown)]
    sys.stdout.writelines(f"{line}\n" for line in wrong)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
