#!/usr/bin/env python3
"""Kernels have everything inlined that knows a vector register: a call of an operation of packs, from wherever, is ten
times as slow, and nothing else tells.  kernels_test.py PROGRAM..."""

import re
import subprocess
import sys

PACKS = re.compile(r"vectors::(?:pack<[^>]*isa::avx|(?:step|same_top_level|min|max|select|reduce|operator).*isa::avx)")


def calls(program):
    """(function, called operation of packs) in the program, and the names of its kernels."""
    listing = subprocess.run(["objdump", "-dC", "--no-show-raw-insn", program], stdout=subprocess.PIPE, text=True, check=True).stdout
    function, found, kernels = "", set(), set()
    for line in listing.splitlines():
        start = re.match(r"[0-9a-f]+ <(.*)>:$", line)
        if start:
            function = start[1]
            if "compiled_for<" in function and "isa::avx" in function:
                kernels.add(function)
            continue
        call = re.search(r"\b(?:call|jmp)\s+[0-9a-f]+ <(.*?)(?:\+0x[0-9a-f]+)?>$", line)
        if call and call[1] != function and "compiled_for<" not in call[1] and PACKS.search(call[1]):
            found.add((function, call[1]))
    return found, kernels


def main():
    failures = kernels_seen = 0
    for program in sys.argv[1:]:
        found, kernels = calls(program)
        kernels_seen += len(kernels)
        for function, operation in sorted(found):
            print(f"FAILED  {program}: {operation}\n        is called by {function}")
            failures += 1
    if kernels_seen == 0:
        sys.exit("FAILED  no kernels are found")
    if failures:
        sys.exit(f"{failures} calls")
    print(f"all of {kernels_seen} kernels have everything inlined")


if __name__ == "__main__":
    main()
