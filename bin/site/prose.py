#!/usr/bin/env python3
"""Checks documents and comments for the rules of writing that a program can see.

  prose.py FILE...         whole files
  prose.py --change BASE   the lines that the working tree adds to commit BASE, and files that git does not know yet
  prose.py --count FILE... a line for each file: its sentences, their mean length in words, and the findings in them

Reads .md (text, lists, tables), .hpp .cpp .cu .cuh .h (// comments), .py .sh .cmake CMakeLists.txt and scripts without a
suffix (# comments). A finding is a line FILE:LINE: RULE: TEXT. A rule about a sentence is a hint, so one sentence in twenty
may break it, and one in any case. A rule about the form of a page (long_line, long_page, wordy_cell) holds always. Exits with
status 1 if more is found, and 2 if it cannot compare.
"""

import re
import subprocess
import sys
from pathlib import Path

LONGEST_SENTENCE = 30  # words
LONGEST_LINE = 120     # characters of a document: what a reader's window shows beside a diff
LONGEST_PAGE = 400     # lines
LONGEST_CELL = 15      # words
ALLOWED_SHARE = 0.05   # of the sentences
CODE_COMMENT = {".hpp": "//", ".cpp": "//", ".cu": "//", ".cuh": "//", ".h": "//", ".py": "#", ".sh": "#", ".cmake": "#", ".txt": "#", "": "#"}

RULES = {
    # A sentence that opens with a preposition or a free relative clause hides who acts. Questions are fine.
    "no_subject": re.compile(
        r"(?:Of (?!course\b)|(?:What|Who|Whom|Whose|Whoever|Whatever|Whether)\b(?!.*\?)|But for\b|(?:That|Those) of\b|"
        r"Those (?:that|which|who)\b|The same(?:[,.:;]| of| but)|Where (?:that|there|this|it|nobody|none)\b|(?:Out|Found) (?:come|are)\b|"
        r"So (?:is|are|it is|do|does)\b|As (?:often|many|much|far|long) as\b|How (?:far|many|much|long)\b(?!.*\?)|Not (?:ours|those)\b)"),
    "history": re.compile(
        r"\b(?:until (?:lately|recently)|lately|nowadays|formerly|previously|of today|since then|used to (?:be|do|have)|no longer|"
        r"by now|(?:was|were) tried|in the past|an earlier version|(?:was|were) (?:once|there before))\b", re.I),
    "house_word": re.compile(
        r"\b(?:leaves? word|leave word|ha(?:s|ve) no say|foremost|for ever|that long|amid|found out|what there is|what is there|"
        r"rings? (?:its|the|an) alarm|stands? still|stood still|set(?:s|ting)? out to|to and fro|come[s]? to pass|"
        r"(?:is|are) refused \(2\)|nobody's business|who(?:ever)? (?:is|has|wants|knows|brings|waits|goes|asks|comes)|"
        r"wants? (?:an?|the|no) \w+ (?:graph|file|flag)|drawn (?:sources|vertices)|is told of)\b", re.I),
}


def plain(text):
    """The text as a reader counts it: code is one word, a link its text."""
    text = re.sub(r"``?[^`]+``?", "code", text)
    text = re.sub(r"!?\[([^]]*)\]\([^)]*\)", r"\1", text)
    return re.sub(r"<[^>\s][^>]*>|[*_]{2}", "", text)


def rules_broken(sentence):
    sentence = re.sub(r"^\[[^]]*\]:?\s*", "", sentence)  # a contract, such as [task; suspends]
    found = [name for name, rule in RULES.items() if (rule.match if name == "no_subject" else rule.search)(sentence)]
    if len(sentence.split()) > LONGEST_SENTENCE:
        found.insert(0, "long_sentence")
    if len(re.findall(r"[;:](?=\s)", sentence)) > 1:
        found.append("chain")
    return found


def sentences(block):
    """The sentences of a block [(line, text)...]: (first line, last line, sentence)."""
    text, starts = "", []
    for line, part in block:
        starts.append((len(text), line))
        text += part + " "
    text = re.sub(r"`[^`]*`", lambda code: code[0].translate({ord(mark): "_" for mark in ".!?"}), text)  # of equal length

    def line_at(offset):
        return [line for start, line in starts if start <= offset][-1]

    begin = 0
    for end in [match.end() for match in re.finditer(r"[.!?][)\"']?\s+(?=[A-Z`*\[(\"]|--\w|\w*[_(\[]|$)", text)] + [len(text)]:
        sentence = plain(text[begin:end]).strip()
        if len(sentence.split()) > 2:
            yield line_at(begin), line_at(max(begin, end - 2)), sentence
        begin = end


def comment_blocks(lines, mark):
    """Comments of whole lines, joined to paragraphs. A list item, an empty line or a picture ends one. Other comments stand alone."""
    block, in_list = [], False
    for number, line in enumerate([*lines, ""], 1):
        whole = None if line.startswith("#!") else re.match(rf"\s*{mark}[/<!]*( ?)(.*)", line)
        content = whole[2] if whole else ""
        item = re.match(r"\s*(?:[-*]|\d+\.) ", content)
        in_list = bool(content.strip()) and bool(item or in_list)
        picture = not in_list and re.match(r"\s{2}|.*(?:--[+>-]|\s\|\s|[│─┌└├→])|clang-format|NOLINT|shellcheck", content)
        if block and (not content.strip() or picture or item):
            yield block
            block = []
        if whole and content.strip() and not picture:
            block.append((number, content[item.end() if item else 0:].strip()))
        elif not whole and (beside := re.search(rf"[;,{{}})\w]\s+{mark} (\S.*)", line)):
            yield [(number, beside[1])]


def document_blocks(lines):
    """Paragraphs and list items of a document, without its code, headings, tables and HTML."""
    block, fence, comment = [], False, False
    for number, line in enumerate([*lines, ""], 1):
        fence ^= line.lstrip().startswith("```")
        comment = (comment or "<!--" in line) and "-->" not in line
        prose = not fence and not comment and not re.match(r"\s*(?:```|\||#|<|!\[|---|$)|\s*-->| {4}(?! *[-*\d])\S.*(?<=;)$", line)
        item = re.match(r"\s*(?:[-*]|\d+\.) (?:\[.\] )?", line)
        if block and (not prose or item):
            yield block
            block = []
        if prose and "-->" not in line:
            block.append((number, line[item.end() if item else 0:].lstrip("> ").strip()))


def form_findings(lines):
    """(line, rule, text) of what a page must not look like."""
    if len(lines) > LONGEST_PAGE:
        yield 1, "long_page", f"{len(lines)} lines, at most {LONGEST_PAGE}"
    fence = False
    for number, line in enumerate(lines, 1):
        fence ^= line.lstrip().startswith("```")
        if len(line) > LONGEST_LINE:
            yield number, "long_line", f"{len(line)} characters, at most {LONGEST_LINE}: {line[:60]}..."
        if line.lstrip().startswith("|") and not fence:
            for cell in re.split(r"(?<!\\)\|", plain(line)):
                if len(cell.split()) > LONGEST_CELL:
                    yield number, "wordy_cell", f"{len(cell.split())} words, at most {LONGEST_CELL}: {cell.strip()[:60]}..."


def check(path, text, wanted=None):
    """(sentences read, hints, findings of form, words) of a file, or of its lines in `wanted` only."""
    lines, document = text.splitlines(), path.endswith(".md")
    blocks = document_blocks(lines) if document else comment_blocks(lines, CODE_COMMENT[Path(path).suffix])
    read, words, hints, forms = 0, 0, [], []
    for first, last, sentence in (found for block in blocks for found in sentences(block)):
        if wanted is not None and wanted.isdisjoint(range(first, last + 1)):
            continue
        read += 1
        words += len(sentence.split())
        if broken := rules_broken(sentence):
            hints.append((path, first, ", ".join(broken), sentence))
    for line, rule, what in form_findings(lines) if document else ():
        if wanted is None or line in wanted or (rule == "long_page" and wanted):
            forms.append((path, line, rule, what))
    return read, hints, forms, words


def is_readable(path):
    path = Path(path)
    if path.suffix not in (".md", *CODE_COMMENT) or (path.suffix == ".txt" and path.name != "CMakeLists.txt") or not path.is_file():
        return False
    return bool(path.suffix) or path.read_bytes()[:2] == b"#!"


def added_lines(base):
    """The numbers of the lines that the working tree has and `base` has not, by file."""
    def git(*arguments):
        return subprocess.run(["git", "-c", "core.quotepath=off", *arguments], capture_output=True, text=True, check=True).stdout

    added, path = {}, ""
    for line in git("diff", "-U0", "--no-ext-diff", "--no-color", "--relative", base, "--").splitlines():
        if line.startswith("+++ "):
            path = line[4:].removeprefix("b/")
        elif hunk := re.match(r"@@ -\S+ \+(\d+)(?:,(\d+))? @@", line):
            added.setdefault(path, set()).update(range(int(hunk[1]), int(hunk[1]) + int(hunk[2] or 1)))
    for path in git("ls-files", "--others", "--exclude-standard").splitlines():
        added[path] = None
    return added


def main(arguments):
    counting = arguments[:1] == ["--count"]
    if arguments[:1] == ["--change"] and len(arguments) == 2:
        try:
            chosen = added_lines(arguments[1])
        except subprocess.CalledProcessError as error:
            print(f"prose: git cannot compare with '{arguments[1]}': {error.stderr.strip()}", file=sys.stderr)
            return 2
    elif arguments[counting:] and not arguments[counting].startswith("-"):
        chosen = dict.fromkeys(arguments[counting:])
    else:
        print(__doc__, file=sys.stderr)
        return 2
    read, hints, forms = 0, [], []
    for path, wanted in sorted(chosen.items()):
        if is_readable(path):
            count, its_hints, its_forms, words = check(path, Path(path).read_text(encoding="utf-8", errors="replace"), wanted)
            read, hints, forms = read + count, hints + its_hints, forms + its_forms
            if counting:
                print(f"{path}: {count} sentences, {words / max(count, 1):.0f} words each, {len(its_hints)} hints, {len(its_forms)} of form")
    if not counting:
        for path, line, rule, what in sorted(hints + forms):
            print(f"{path}:{line}: {rule}: {what}")
    print(f"prose: {read} sentences, {len(hints)} hints, {len(forms)} of form", file=sys.stderr)
    return 1 if forms or len(hints) > max(1, ALLOWED_SHARE * read) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
