#!/usr/bin/env python3
"""The recipes for Docker and Spack, as far as they can be checked without either: every instruction and directive is one that
there is, what is copied exists, and what the recipe for Spack depends on is what CMakeLists.txt finds."""
import ast
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGING = ROOT / "bin" / "packaging"

# Names of packages in find_package and orujo_find_libraries, and in Spack; parts of the compiler have none.
SPACK_NAMES = {"Threads": None, "MPI": "mpi", "Boost": "boost", "nlohmann_json": "nlohmann-json", "tsl-robin-map": "robin-map",
               "ZLIB": "zlib-api", "archive": "libarchive", "numa": "numactl", "pg_query": "libpg-query", "sqlite3": "sqlite",
               "GTest": "googletest"}


def instructions():
    text = re.sub(r"\\\n", " ", (PACKAGING / "Dockerfile").read_text())
    return [line.split(None, 1) for line in text.splitlines() if line.strip() and not line.startswith("#")]


def check_docker():
    found = instructions()
    for name, rest in found:
        assert name in {"FROM", "COPY", "WORKDIR", "RUN", "ENTRYPOINT", "CMD"}, f"Dockerfile: unknown instruction {name}"
        assert name not in {"ENTRYPOINT", "CMD"} or isinstance(ast.literal_eval(rest), list), f"Dockerfile: {name} is no list"
    stages = [rest.split(" AS ")[1] for name, rest in found if name == "FROM" and " AS " in rest]
    for name, rest in found:
        used = re.match(r"--from=(\w+)", rest) if name == "COPY" else None
        assert not used or used[1] in stages, f"Dockerfile: no stage {rest}"
    commands = [c for name, rest in found if name == "RUN" for c in rest.split("&&")]
    assert any("bin/orujo setup" in c for c in commands) and (ROOT / "bin" / "orujo").exists()
    preset = next(re.search(r"--preset (\w+)", c)[1] for c in commands if "--preset" in c)
    assert f'"name": "{preset}"' in (ROOT / "CMakePresets.json").read_text(), f"Dockerfile: no preset {preset}"


def check_spack():
    tree = ast.parse((PACKAGING / "spack_package.py").read_text())
    package = next(node for node in tree.body if isinstance(node, ast.ClassDef))
    calls = [node.value for node in package.body if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)]
    for call in calls:
        assert call.func.id in {"license", "version", "variant", "depends_on", "generator"}, f"Spack: {call.func.id}"
    depends = {re.split(r"[@ +]", call.args[0].value)[0] for call in calls if call.func.id == "depends_on"}
    lists = (ROOT / "CMakeLists.txt").read_text()
    wanted = re.findall(r"^ *find_package\(([\w-]+)", lists, re.M) + re.search(r"orujo_find_libraries\(([^)]*)\)", lists)[1].split()
    for name in wanted:
        spack = SPACK_NAMES.get(name, name)
        assert spack is None or spack in depends, f"Spack: the recipe does not depend on {spack}"


check_docker()
check_spack()
print("all cases passed")
