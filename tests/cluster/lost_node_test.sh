#!/usr/bin/env bash
# A node that the network loses ends the job on all nodes, soon, and with a word that names it.
#   tests/cluster/lost_node_test.sh PROGRAM, an application that takes a graph
set -eEuo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
program=${1:?a program}
# shellcheck source=tests/cases.sh
source "$here/../cases.sh"
forget_jobs

# Node 0 has the launcher on it.
for node in 0 2; do
  status=0
  timeout -k 5 120 "$here/cluster.sh" run -n 3 --cut=$node:6 -- "$program" --generate=kronecker:10 --iterations=100000000 \
    >"$work/out" 2>"$work/err" </dev/null || status=$?
  if ((status == 4)); then
    cat "$work/err"
    exit 4
  fi
  check "the job runs before node $node is lost" prints '^graph: kronecker:10'
  check 'a lost node ends the job with the status for that' test "$status" = 76
  check 'which the launcher explains' says '^orujo: FATAL: a node or the network to it was lost'
done
check 'and Open MPI names the node' says 'on node node2'
end_of_cases
