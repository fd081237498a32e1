#!/usr/bin/env python3
"""Jobs on two NUMA nodes of a virtual machine, whose kernel tells where pages are.

QEMU emulates the machine without KVM. Its root file system is an archive of the programs, their libraries and an init.
Skipped (status 4) without qemu-system-x86_64 or a kernel: the newest /boot/vmlinuz-*, or $ORUJO_GUEST_KERNEL.

  numa_nodes_test.py JOB_TESTS BFS SSSP CONNECTED_COMPONENTS
"""

import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading

MEGABYTES = 768, 128  # of the nodes
SECONDS = 600

# `overflow` takes more memory for the cores of node 1 than this node has. The init waits in the end, because a reset of the
# machine could lose what it has printed.
INIT = """#!/bin/sh
mount -t proc none /proc
mount -t sysfs none /sys
mount -t devtmpfs none /dev
value_of() { while read -r name value; do [ "$name" != "$1" ] || echo "$1 $value"; done <"$2"; }
run() {
  echo "begin $1"
  name=$1
  shift
  "/bin/$@" --cores=4
  echo "end $name $?"
}
run placement job_tests --gtest_filter=numa_placement.* --gtest_color=no
run placement_of_locales job_tests --locales=2 --gtest_filter=numa_placement.* --gtest_color=no
for program in bfs sssp connected_components; do
  run $program $program --generate=kronecker:12:weights=1..255 --symmetrize --verify
done
value_of numa_foreign /sys/devices/system/node/node1/numastat
run overflow sssp --generate=tree:10000000 --source=0 --progress=off
value_of numa_foreign /sys/devices/system/node/node1/numastat
value_of oom_kill /proc/vmstat
echo "the end"
read -r _
"""


def skip(why):
    print(f"skipped: {why}")
    sys.exit(4)


def find_kernel():
    def version(path):
        return [int(number) for number in re.findall(r"\d+", path)]

    kernels = [path for path in glob.glob("/boot/vmlinuz-*") if os.access(path, os.R_OK)]
    return os.environ.get("ORUJO_GUEST_KERNEL") or max(kernels, key=version, default=None)


def collect_files(programs, work):
    """The files of the guest, by their paths there."""
    files = {"init": INIT.encode()}
    for program in ["/bin/sh", shutil.which("mount"), *programs]:
        stripped = os.path.join(work, "stripped")
        subprocess.run(["strip", "-o", stripped, program], check=True)
        with open(stripped, "rb") as file:
            files["bin/" + os.path.basename(program)] = file.read()
        needed = subprocess.run(["ldd", program], stdout=subprocess.PIPE, text=True, check=True).stdout
        for library in re.findall(r"(/\S+) \(0x", needed):
            with open(library, "rb") as file:
                files[library.lstrip("/")] = file.read()
    return files


def write_archive(path, files):
    """As cpio -H newc does."""
    folders = {"proc", "sys", "dev", "tmp"}
    for name in files:
        while name := os.path.dirname(name):
            folders.add(name)
    entries = [(name, 0o40755, b"") for name in sorted(folders)]
    entries += [(name, 0o100755, files[name]) for name in files]
    with open(path, "wb") as archive:
        for number, (name, mode, data) in enumerate([*entries, ("TRAILER!!!", 0, b"")]):
            fields = [number, mode, 0, 0, 1, 0, len(data), 0, 0, 0, 0, len(name) + 1, 0]
            header = "070701" + "".join(f"{field:08x}" for field in fields) + name
            for part in (header.encode() + b"\0", data):
                archive.write(part + b"\0" * (-len(part) % 4))


def run_guest(qemu, kernel, archive):
    """What the guest prints before the end of its init, or within SECONDS."""
    command = ["setpriv", "--pdeathsig", "KILL", qemu, "-accel", "tcg,thread=multi", "-machine", "q35", "-cpu", "max"]
    command += ["-smp", "4,sockets=2,cores=2,threads=1", "-m", f"{sum(MEGABYTES)}M"]
    for node, size in enumerate(MEGABYTES):
        command += ["-object", f"memory-backend-ram,id=memory{node},size={size}M"]
        command += ["-numa", f"node,nodeid={node},memdev=memory{node},cpus={2 * node}-{2 * node + 1}"]
    command += ["-nodefaults", "-no-user-config", "-display", "none", "-serial", "stdio", "-no-reboot"]
    command += ["-kernel", kernel, "-initrd", archive, "-append", "console=ttyS0 panic=-1 loglevel=4"]
    console = ""
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8",
                          errors="replace") as guest:
        limit = threading.Timer(SECONDS, guest.kill)
        limit.start()
        for line in guest.stdout:
            console += line
            if line.startswith("the end"):
                break
        limit.cancel()
        guest.kill()
    return console


def main():
    qemu = shutil.which("qemu-system-x86_64") or skip("no qemu-system-x86_64 (Debian package qemu-system-x86)")
    kernel = find_kernel() or skip("no readable /boot/vmlinuz-* (Debian package linux-image-cloud-amd64)")
    with tempfile.TemporaryDirectory() as work:
        archive = os.path.join(work, "archive")
        write_archive(archive, collect_files(sys.argv[1:], work))
        console = run_guest(qemu, kernel, archive)
    failures = 0

    def check(what, holds):
        nonlocal failures
        print(f"{'ok' if holds else 'FAILED'}  {what}")
        failures += not holds

    said = dict(re.findall(r"^begin (\w+)\r?\n(.*?)^end \1 0\r?$", console, re.M | re.S))
    for name in "placement", "placement_of_locales":
        check(f"{name}: the kernel has pages in the domains of their cores", "[  PASSED  ] 2 tests." in said.get(name, ""))
    for name in "bfs", "sssp", "connected_components":
        check(f"{name}: the results are verified", re.search(r"^verified", said.get(name, ""), re.M))
    check("a job that takes more than a node has ends well", "10,000,000 vertices reached" in said.get("overflow", ""))
    foreign = [int(pages) for pages in re.findall(r"^numa_foreign (\d+)", console, re.M)]
    check("... with pages of the other node", len(foreign) == 2 and foreign[1] > foreign[0])
    check("the kernel has killed nothing", re.search(r"^oom_kill 0\r?$", console, re.M))
    if failures:
        print(console)
    sys.exit(failures)


if __name__ == "__main__":
    main()
