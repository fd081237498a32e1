#!/usr/bin/env bash
# A run ends with a message about loading if its graph does not keep the edges that the program goes along. A run also
# ends if its options contradict its program.
#   edges_test.sh WRONG_EDGES
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
program=$1
source "$root/tests/cases.sh"

runs() { # runs STATUS FLAG...
  local expected=$1
  shift
  status=0
  "$program" --generate=uniform:8 --cores=2 --locales=2 "$@" >"$work/out" 2>"$work/err" </dev/null || status=$?
  ((status == expected)) && ! says 'a bug of ours'
}

remedy='load it by gas::load_from_flags<Program>\(\), or with edge_forms'
check 'no vectors' eval 'runs 2 --run=vectors && says "gas::run: .* keeps no vectors of in-edges: $remedy.in_vectors"'
check 'no rows' eval 'runs 2 --run=rows && says "gas::run: .* keeps no rows of in-edges in arrays: $remedy.in_rows"'
check 'no out-edges to push over' eval 'runs 2 --run=push && says "keeps no rows of out-edges in arrays: $remedy.out_rows"'
check 'a program that cannot be pushed' eval 'runs 2 --run=push_all && says "only incremental programs can be pushed"'
check 'pulls that cannot be shared' eval 'runs 2 --run=shared && says "run_options.edges .* no effect on programs with combine = any"'
check 'pushes that cannot go ahead' eval 'runs 2 --run=ahead && says "run_options.ahead = always is for asynchronous programs and those with priority"'
check 'values that cannot be rounded' eval 'runs 2 --run=rounded && says "run_options.rounded is for programs with value = float"'
check 'a program by priority that is to be pulled' eval 'runs 2 --run=order && says "programs with priority\(\) push: choose another"'
check 'one that could be pushed runs, and says so' eval \
  'runs 0 --run=any && prints "^[0-9]+ supersteps" && says "pulled in every superstep, as the graph keeps no rows of out-edges"'
for what in paths cores search triangles betweenness components; do
  check "no rows for $what" eval 'runs 2 --run="$what" && says ": the graph keeps no rows of .*-edges.*: load it with edge_forms\."'
done
for what in cores search triangles betweenness components; do
  check "no arrays for $what" eval \
    'runs 2 --generate=uniform:8:weights=1..9 --run="$what" --arcs && says "in arrays: load it with edge_forms\..*, without arcs"'
done
check 'nothing is said where it is to be pulled' eval 'runs 0 --run=pull && ! says "pulled in every superstep"'
end_of_cases
