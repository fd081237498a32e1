#!/usr/bin/env python3
"""bin/site/prose.py finds the sentences that break its rules, where they are, and leaves good ones alone."""

import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "bin" / "site"))
import prose  # noqa: E402

GOOD = [
    "Prints the top-ranked vertices to stdout; `--output` writes all ranks.",
    " ".join(["a"] * 20) + ". wait() comes next: " + " ".join(["a"] * 20) + ".",
    "A queue of tasks that other cores may take from.",
    "What is a locale? It is a process of the job.",
    "Of course a task may suspend in between.",
    "[task; suspends; collective over the job] Adds the values: one message per core.",
    "The cost is `a; b: c; d` messages per core, as in std::vector::reserve() at 12:30:15.",
]
BAD = {
    "Of those that have joined, one core sends the sum.": "no_subject",
    "Whether the core sleeps at the moment.": "no_subject",
    "[any thread] Whether the core sleeps.": "no_subject",
    "The same, but for what waits elsewhere.": "no_subject",
    "The pool held tasks in a list until lately.": "history",
    "Handlers are no longer counted.": "history",
    "The core goes to and fro between its queues.": "house_word",
    "The thread who has the lock polls the network.": "house_word",
    "It has three states: free, taken by a core; and closed: it ends.": "chain",
    " ".join(["a"] * 31) + ".": "long_sentence",
}


def rules(path, text, wanted=None):
    _, hints, forms, _ = prose.check(path, text, wanted)
    return [(line, rule) for _, line, rule, _ in hints + forms]


def check_sentences():
    for sentence in GOOD:
        assert rules("x.hpp", f"// {sentence}\n") == rules("x.md", f"{sentence}\n") == [], sentence
    for sentence, rule in BAD.items():
        assert rules("x.hpp", f"int f();\n\n// {sentence}\n") == [(3, rule)], sentence
        assert rules("x.md", f"# Title\n\n- {sentence}\n") == [(3, rule)], sentence
        assert rules("x.sh", f"f() {{\n  # A name.\n\n  # Calls it twice. {sentence}\n") == [(4, rule)], sentence


def check_where():
    whole = "// A sentence that is fine. Whether the\n// core sleeps is another matter.\nint x;  // Of the caller only.\n"
    assert rules("x.cpp", whole) == [(1, "no_subject"), (3, "no_subject")]
    assert rules("x.cpp", whole, {2}) == [(1, "no_subject")], "a sentence is checked if any of its lines is wanted"
    assert rules("x.cpp", whole, {3}) == [(3, "no_subject")]
    assert rules("x.cpp", 'const char* url = "http://x";  // NOLINT\n//   Whether a picture is left alone.\n') == []
    assert rules("x.sh", "#!/usr/bin/env bash\n# Whether it is odd.\n") == [(2, "no_subject")]
    assert rules("x.cpp", "// - An item of a list, and\n//   the rest of it.\n// - Whether it is a second one.\n") == [(3, "no_subject")]
    assert rules("x.md", "```\nWhether code is text is known.\n```\n\n<!-- Whether this is -->\n\n| Of a cell in a table |\n") == []


def check_form():
    wordy = "| name | " + " ".join(["word"] * 16) + " |"
    assert rules("x.md", wordy + "\n\n" + "x" * 121 + "\n") == [(1, "wordy_cell"), (3, "long_line")]
    assert rules("x.md", "Text here.\n" * 401) == [(1, "long_page")]
    assert rules("x.md", "Text here.\n" * 401, {7}) == [(1, "long_page")], "a change of a long page is told"
    assert rules("x.cpp", "int x;\n" * 401 + "//" + "x" * 130) == []


def run(folder, *arguments):
    done = subprocess.run([ROOT / "bin" / "site" / "prose.py", *arguments], cwd=folder, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout


def check_program():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "old.hpp").write_text("// Whether it is old.\nint x;\n")
        for command in (["init", "-q"], ["add", "."],
                        ["-c", "user.name=n", "-c", "user.email=e", "commit", "-q", "-m", "m"]):
            subprocess.run(["git", *command], cwd=folder, check=True)
        assert run(folder, "--change", "HEAD") == (0, "")
        with open(folder / "old.hpp", "a") as file:
            file.write("// Of it a second one.\n")
        assert run(folder, "--change", "HEAD") == (0, "old.hpp:3: no_subject: Of it a second one.\n"), "one hint is allowed"
        (folder / "new.md").write_text("Whether it is new is known.\n")
        (folder / "data.txt").write_text("# Whether it is data.\n")
        status, found = run(folder, "--change", "HEAD")
        assert status == 1 and [line.split(":")[0] for line in found.splitlines()] == ["new.md", "old.hpp"], found
        assert run(folder, "--change", "missing") == run(folder) == run(folder, "--other") == (2, "")
        assert run(folder, "--count", "new.md") == (0, "new.md: 1 sentences, 6 words each, 1 hints, 0 of form\n")
        assert run(folder, "new.md", "old.hpp")[0] == 1


def main():
    check_sentences()
    check_where()
    check_form()
    check_program()


main()
