#!/usr/bin/env bash
# What a job does whose network, nodes or disks fail, or whose MPI lacks something: it goes on, or ends soon with the status for it and a word.
#   tests/cluster/faults_test.sh PROGRAM, which is pagerank
set -eEuo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
program=${1:?a program}
# shellcheck source=tests/cases.sh
source "$here/../cases.sh"
forget_jobs

# on_cluster OPTION... -- FLAG...
on_cluster() {
  local options=()
  while [[ $1 != -- ]]; do options+=("$1") && shift; done
  status=0
  timeout -k 5 120 "$here/cluster.sh" run "${options[@]}" -- "$program" --generate=kronecker:10 --verify "${@:2}" \
    >"$work/out" 2>"$work/err" </dev/null || status=$?
  if ((status == 4)); then
    cat "$work/err"
    exit 4
  fi
}
goes_on_or_is_lost() { goes_on || { ((status == 76)) && says '^orujo: FATAL: a node or the network to it was lost'; }; }
goes_on() { ((status == 0)) && prints '^verified'; }

OMPI_MCA_osc='^sm,rdma,ucx' on_cluster -n 2 -- --iterations=5
check "locales alone on their nodes do without MPI's shared windows" goes_on
OMPI_MCA_osc='^sm,rdma,ucx' on_cluster -n 2 -l 2 -- --iterations=5
check '... others cannot' test "$status" = 71
check '... which says what to do' says '^\[locale .\] FATAL: no room .*shared windows'

# Open MPI's daemons give up a connection on which some probes in a row are lost (76).
for percent in 1 10; do
  on_cluster -n 3 --loss=$percent -- --iterations=20
  check "with $percent % of packets lost the result is the same, or the network is named" goes_on_or_is_lost
done

on_cluster -n 3 --cut=2:1 --heal=2 --when="$work/healed/*.manifest" -- --iterations=20000 \
  --checkpoint_dir="$work/healed" --checkpoint_every=0.2s
check 'a node is cut off' says '^cluster: node2 is cut off'
check '... and is back before the job ends' says '^cluster: node2 is well again'
check '... which goes on' goes_on

on_cluster -n 3 --stop=1:0 --heal=2 --when="$work/paused/*.manifest" -- --iterations=20000 \
  --checkpoint_dir="$work/paused" --checkpoint_every=0.2s
check 'a node that stood still for a while' says '^cluster: node1 is well again'
check '... holds the job up, and no more' goes_on

for node in 0 1; do
  on_cluster -n 2 -l 2 --stop=$node:0 --when="$work/stopped$node/*.manifest" -- --iterations=100000000 \
    --checkpoint_dir="$work/stopped$node" --checkpoint_every=0.2s --watchdog_seconds=2
  check "node $node, which stands still for good, ends the job" test "$status" = 76
  check '... which says so' says '^\[locale .\] FATAL: no sign of life from locale .*for [2-9]'
done

on_cluster -n 2 --down=1:0 --when="$work/down/*.manifest" -- --iterations=100000000 --checkpoint_dir="$work/down" \
  --checkpoint_every=0.2s
check 'an interface that goes down ends the job' test "$status" = 76
check '... which the launcher explains' says '^orujo: FATAL: a node or the network to it was lost'

# Both locales write to it; on node 1 another one is mounted there, in which the first checkpoint has no room.
mkdir "$work/full"
on_cluster -n 2 --disk=1:4k:"$work/full" -- --iterations=2000 --checkpoint_dir="$work/full" --checkpoint_every=5
check 'a full disk on one node leaves the job without checkpoints' says 'No space left on device'
check '... to its end' goes_on
end_of_cases
