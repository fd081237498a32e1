#!/usr/bin/env python3
"""Progress lines through a pseudo-terminal: of a job that lasts a second and more, of compiling, and none in a pipe.
   progress_test.py APPLICATION (that takes a graph)"""
import fcntl
import os
import pathlib
import pty
import re
import struct
import subprocess
import sys
import tempfile
import termios

ROOT = pathlib.Path(__file__).resolve().parents[2]
failures = 0


def check(name, holds, said):
    global failures
    print(f"{'ok     ' if holds else 'FAILED '} {name}")
    if not holds:
        print("        | it said:", said[-2000:])
        failures += 1


def on_terminal(command, until=None, columns=200):
    """Status, and what it writes to a terminal of so many columns as its stderr; it is ended when it has written what matches `until`."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=theirs)
    os.close(theirs)
    said = b""
    while True:
        try:
            some = os.read(ours, 65536)
        except OSError:  # nobody holds the other end any more
            break
        if not some:
            break
        said += some
        if until and re.search(until, said):
            process.terminate()
            until = None
    os.close(ours)
    return process.wait(), said.decode(errors="replace")


def main():
    application = sys.argv[1]
    job = [application, "--generate=kronecker:12", "--cores=1", "--iterations=100000000", "--top=0", "--trials=1"]
    status, said = on_terminal(job, until=rb": [2-9] s[^\r]*\r")
    check("a long job tells of its supersteps: out of how many, what changed and for how long",
          re.search(r"\r\x1b\[Ksuperstep \d+ of 100000000, last change \S+, \d+ of \d+ vertices active: \d+ s", said), said)
    check("... and how long the others take", re.search(r"active: \d+ s, \d+ %, about \S+ (min|h) to go", said), said)
    check("... once it has lasted a second", "active: 0 s" not in said, said)
    status, said = on_terminal(job, until=rb": [2-9] s[^\r]*\r", columns=60)
    lines = re.findall(r"\r\x1b\[K([^\r]+)", said)
    check("... on a narrow terminal it fits, with the time", lines and all(len(line) < 60 and re.search(r"\.\.\.: \d+ s", line) for line in lines),
          said)
    piped = subprocess.run([*job[:3], "--iterations=3", "--top=0"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=True)
    check("in a pipe there is none", piped.stderr == "", piped.stderr)

    logged = subprocess.run([*job[:3], "--iterations=3", "--top=0", "--verify"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                            check=True, env={**os.environ, "GLOG_v": "2"}).stderr
    for step in ("building the graph of kronecker:12", "pagerank", "verifying by a serial computation"):
        check(f"GLOG_v=1 tells of {step}", re.search(rf"\] {step}$", logged, re.M) and f"] {step}: took " in logged, logged)
    check("GLOG_v=2 of each superstep", len(re.findall(r"\] superstep \d+ pulled in ", logged)) == 3, logged)
    check("... and not of messages", "] block " not in logged, logged)
    logged = subprocess.run([*job[:2], "--cores=2", "--iterations=3", "--top=0"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                            text=True, check=True, env={**os.environ, "GLOG_v": "3"}).stderr
    check("GLOG_v=3 of messages", re.search(r"\] block: \w+, \d+ bytes to core \d", logged), logged)

    with tempfile.TemporaryDirectory() as work:
        script = f"""commands={ROOT}/bin/commands; source "$commands/build.sh"
            for k in 1 2 3; do echo "[$k/3] Building it"; done | log_progress release {work}/log"""
        status, said = on_terminal(["bash", "-c", script])
        check("compiling tells how many are done of how many", status == 0 and "orujo: building release, 2 of 3" in said, said)
        script = f'source {ROOT}/bin/commands/build.sh; time_to_go 40 10 90; time_to_go 40 80 90; time_to_go 1 1 90'
        said = subprocess.run(["bash", "-c", script], stdout=subprocess.PIPE, text=True, check=True).stdout
        check("... and how long the others take", said == ", 40 s, about 5 min to go\n, 40 s, about 5 s to go\n", said)
    print("all cases passed" if failures == 0 else f"{failures} cases failed")
    sys.exit(1 if failures else 0)


main()
