#!/usr/bin/env bash
# A job that has lost a node goes on from its last checkpoint on the nodes that are left.
#   tests/cluster/lost_node_restart_test.sh PROGRAM, which is pagerank
set -eEuo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
program=${1:?a program}
# shellcheck source=tests/cases.sh
source "$here/../cases.sh"
forget_jobs

status=0
timeout -k 5 180 "$here/cluster.sh" run -n 3 --cut=2:1 --when="$work/kept/*.manifest" --retries=1 -- \
  "$program" --generate=kronecker:10 --iterations=30000 --verify --checkpoint_dir="$work/kept" --checkpoint_every=0.5s >"$work/out" 2>"$work/err" </dev/null || status=$?
if ((status == 4)); then
  cat "$work/err"
  exit 4
fi
check 'the node is lost' says '^orujo: FATAL: a node or the network to it was lost'
check '... and left out' says '^orujo: node2 of .* does not answer, and is not used'
check 'the job goes on on the others' says '^orujo: starts the job again, from its last checkpoint: 2 locales x 1 core'
check '... from its last checkpoint' says 'resumes from checkpoint'
check '... to its end' eval '((status == 0)) && prints "^verified"'
end_of_cases
