#!/usr/bin/env bash
# What graph_tool writes, NetworkX, igraph, SciPy and NetworKit read as the same graph, and it reads what they write; in a virtual
# environment of its own. Skipped (4) where there is no venv or no PyPI.
#   other_tools_test.sh GRAPH_TOOL
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

skip() {
  echo "skipped: $1"
  tail -n 5 "$work/log"
  exit 4
}
python3 -m venv "$work/venv" >"$work/log" 2>&1 || skip 'there is no venv (python3-venv)'
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_RETRIES=1 PIP_DEFAULT_TIMEOUT=20
pip() { "$work/venv/bin/python" -m pip install -q --no-compile --only-binary :all: "$@" >"$work/log" 2>&1 </dev/null; }
pip numpy scipy networkx igraph || skip 'the packages could not be installed from PyPI'
pip networkit || echo 'without NetworKit, which is not there for this machine'
"$work/venv/bin/python" "$here/other_tools/other_tools_test.py" "$1"
