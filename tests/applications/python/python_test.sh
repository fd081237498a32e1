#!/usr/bin/env bash
# Installs the Python package, with the libraries of the build, in a virtual environment of its own, and tests it there. Skipped
# (4) where there is no venv, no headers of Python or no PyPI.
#   python_test.sh BUILD_FOLDER CXX_COMPILER
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../../.." && pwd)
build=$1 compiler=$2
source "$root/tests/cases.sh"

step() { "$@" >"$work/out" 2>"$work/err" </dev/null; }
skip() {
  echo "skipped: $1"
  tail -n 5 "$work/err"
  exit 4
}

# Debian's, whose pip is older than others.
debian=/usr/bin/python3
[[ -x $debian ]] || debian=python3
step "$debian" -m venv "$work/env" || skip 'there is no venv (python3-venv)'
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_RETRIES=1 PIP_DEFAULT_TIMEOUT=20
python=$work/env/bin/python
step "$python" -c 'import os, sysconfig; open(os.path.join(sysconfig.get_path("include"), "Python.h"))' ||
  skip 'there are no headers of Python (python3-dev)'
step "$python" -m pip install -q --no-compile 'scikit-build-core>=0.10' 'nanobind>=2.2' numpy networkx scipy pandas pyarrow igraph matplotlib nbclient ipykernel ||
  skip 'the packages could not be installed from PyPI'
step "$python" -m pip install -q --no-compile mypy pandas-stubs || true  # without them the types are not checked

check 'the libraries can be installed' step cmake --install "$build" --prefix "$work/orujo" --component development
cd "$work" && ln -s "$root/applications" applications || exit 1
# As docs/start/python.md says, but that PyPI is asked once, above, that nothing is written into the tree, and for less optimisation.
documented=$(grep '^env/bin/pip install .*orujo_DIR=' "$root/docs/start/python.md")
# install_package COMMAND
install_package() {
  HOME=$work CXX=$compiler eval "$1" --no-build-isolation --no-deps '--config-settings=build-dir=$work/module' \
    "--config-settings='cmake.define.CMAKE_CXX_FLAGS_RELEASE=-O1 -DNDEBUG'"
}
check 'the package can be installed, with the libraries that are there' step install_package "$documented"
check 'nothing of the libraries was compiled again' eval '! find "$work/module" -name "*.o" | grep -q /framework/'
check 'it knows its types' step "$python" -c 'import importlib.resources as r; assert (r.files("orujo") / "py.typed").is_file() and (r.files("orujo") / "_core.pyi").is_file()'
check 'it can be imported after modules that have loaded libstdc++' step "$python" -c 'import matplotlib.pyplot, orujo'
# suite NAME WHAT TESTS: all of them run.
suite() {
  check "$2" step "$python" "$here/$1_test.py"
  check '... none left out' eval "says '^Ran $3 tests' && says '^OK\$'"
}
suite results 'algorithms' 29
suite weights 'algorithms by weights' 5
suite samples 'walks and sampled neighbours' 11
suite networkx 'the backend of NetworkX' 13
suite inputs 'inputs and mistakes' 26
suite interpreter 'the interpreter' 12
suite tables 'tables' 7
suite query 'queries' 12
suite memory 'little memory' 5
suite surface 'documentation and types' 3

export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_hwloc_base_binding_policy=none OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_btl_vader_single_copy_mechanism=none
printf '%s\n' 'Voss Oslo' 'Oslo Bergen' >names.txt
check 'under mpirun every process has the results' step timeout 120 mpirun -n 2 "$python" "$here/processes_test.py" names.txt
# Both may end a line at once.
check '... of both' test "$(grep -o 'is content' "$work/out" | wc -l)" == 2
status=0
step timeout 120 mpirun -n 2 "$python" "$here/processes_test.py" names.txt dying || status=$?
check 'where one of them ends by an exception, all end' test $status == 1
check '... and it says which' says 'ValueError: of one process'
status=0
step timeout 120 mpirun -n 2 "$python" "$here/processes_test.py" names.txt one_more || status=$?
check 'where one of them goes on when the other has ended, all end' test $status == 1
check '... and it says so' says 'RuntimeError: process 1 calls pagerank\(\) where process 0 has stopped or ended its program'
unset status
check 'every algorithm is right on several processes' step timeout 120 mpirun -n 2 "$python" "$here/algorithms_test.py"
check '... on both' test "$(grep -o 'is content' "$work/out" | wc -l)" == 2

cat >job.py <<'END'
import orujo
ranks = orujo.pagerank(orujo.Graph("path:9"))
print(f"{orujo.process()} of {orujo.processes()}, {orujo.cores()} cores, {len(ranks)} ranks", flush=True)
END
# mpirun may join their lines.
both_have_ranks() { [[ $(grep -o '[01] of 2, 2 cores, 9 ranks' "$work/out" | sort) == $'0 of 2, 2 cores, 9 ranks\n1 of 2, 2 cores, 9 ranks' ]]; }
run_script() { PATH=$work/env/bin:$PATH "$root/bin/orujo" run -n 2 -c 1 job.py; }
check 'bin/orujo run starts a script on every locale' step run_script
check '... as one job' both_have_ranks
# The commands of the reference, on four processes each.
cp job.py script.py && ln -s "$root/bin" bin
commands=$(awk '/^## / { inside = /Several processes/ } /^```/ { sh = inside && /sh$/; next } sh' "$root/docs/reference/python.md")
documented() { PATH=$work/env/bin:$PATH timeout 300 bash -e -c "$1"; }
check 'so do the commands of docs/reference/python.md' eval 'step documented "$commands" && [[ $(grep -o " of 4, " "$work/out" | wc -l) == 12 ]]'
options=$(grep -o -e '--allow-run-as-root .*[0-9]' <<<"$commands")
check '... whose options the launcher has, too' eval 'step documented "env $(env | sed -n "s/^\(OMPI_[^=]*\)=.*/-u \1/p" | paste -sd " ") bin/orujo run --dry-run -n 4 script.py" && grep -qF -- "${options:?}" "$work/out"'

# A wheel, in an environment that has nothing of the first.
check 'a wheel can be made' step install_package "${documented/ install / wheel -w \$work/wheels }"
step "$debian" -m venv "$work/fresh"
fresh=$work/fresh/bin/python
check '... and installed with the pip of the system' step "$fresh" -m pip install -q --no-compile "$work"/wheels/orujo-*.whl
cat >alone.py <<'END'
import orujo
ranks = orujo.pagerank(orujo.Graph("path:9"))
with open("/proc/self/maps") as maps:
    print(len(ranks), "ranks,", "MPI" if "libmpi" in maps.read() else "no MPI")
END
check '... where a process of its own needs no MPI' eval 'step "$fresh" alone.py && prints "^9 ranks, no MPI$"'
check '... and several have it' step timeout 120 env ORUJO_CORES=1 mpirun -n 2 "$fresh" job.py
check '... as one job' both_have_ranks

# The examples of the documents.
for page in docs/start/python.md docs/reference/python.md docs/how_to/query_graphs.md; do
  awk '/^```python$/ { inside = 1; next } /^```$/ { inside = 0 } inside' "$root/$page" >example.py
  check "$page's programs run" step timeout 120 "$python" example.py
done

check 'the notebook of the tutorial runs, and its pictures show something' step timeout 300 "$python" "$here/notebook_test.py" "$root/docs/tutorial/orujo.ipynb"
end_of_cases
