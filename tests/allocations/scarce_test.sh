#!/usr/bin/env bash
# Jobs to which the system refuses one allocation, each time another one: they end with status 71 and a line that memory was
# short, or do without and come to the same result. Never otherwise, and soon.
#   scarce_test.sh BUILD [TIMES], of each job
# Skipped (status 4) without a C compiler.
source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../applications/application_cases.sh"
programs=$1/applications tests=$1/tests times=${2:-20}
cc -O1 -shared -fPIC -o "$work/scarce.so" "$root/tests/allocations/scarce.c" -ldl || exit 4

# C libraries that end the process with a message of their own. glibc does if a thread's variables find no room.
# PostgreSQL's parser does, and it does not check its first allocation. It runs on a thread of its own.
ends_itself() {
  grep -qE 'failed to register TLS destructor: out of memory|TopMemoryContext: |error occurred before error message' "$work/err" ||
    { [[ $1 == 'a query' ]] && grep -q 'Segmentation fault. at address .nil. in no task' "$work/err"; }
}

# scarce MOMENT REFUSED COMMAND...: the REFUSED-th allocation behind the MOMENT, or none.
scarce() {
  rm -f "$work/result"
  status=0
  timeout 60 env LD_PRELOAD="$work/scarce.so" ARM_AT="$1" FAIL_AT="$2" GTEST_CATCH_EXCEPTIONS=0 GTEST_BRIEF=0 "${@:3}" \
    >"$work/out" 2>"$work/err" </dev/null || status=$?
}
ends_well() { ((status == 0)) && { [[ ! -e $work/expected ]] || cmp -s "$work/result" "$work/expected"; }; }
says_why() { ((status == 71)) && [[ $(grep -cE 'out of memory|no memory for|cannot map' "$work/err") == 1 ]]; }

# try NAME MOMENT COMMAND...
try() {
  local name=$1 count k number refused=0 fine=0
  shift
  rm -f "$work/expected"
  SAY_ALLOCATIONS=1 scarce "$1" 0 "${@:2}"
  count=$(sed -n 's/^allocations: //p' "$work/err")
  mv "$work/result" "$work/expected" 2>/dev/null || true
  check "$name asks for memory some $count times" eval '((status == 0 && count > times))'
  # More of the early ones: a job that has to wait asks more often, and the next one may not.
  for ((k = 1; k <= times; k++)); do
    number=$((1 + k * k * (count - 1) / (times * times)))
    scarce "$1" "$number" "${@:2}"
    if says_why; then
      refused=$((refused + 1))
    elif ! ends_well && ! ends_itself "$name"; then
      report 1 "$name, where its allocation $number of $count is refused, ends soon and says why"
      continue
    fi
    fine=$((fine + 1))
  done
  check "... of $times that are refused each ends in words, or well" test "$fine" = "$times"
  check '... and some in words' eval '((refused > 0))'
}

graph=$work/in.wel
scattered_graph "$graph"
"$programs/graph_tool" convert --cores=1 --graph="$graph" --output="$work/in.orj" >/dev/null 2>&1
{
  echo 'a,b,c'
  for k in {1..300}; do echo "$k,$((k % 7)),t$((k % 11))"; done
} >"$work/in.csv"
result=(--output="$work/result")

try 'a graph out of a text on two cores' in. "$programs/sssp" --cores=2 --graph="$graph" --source=7919 "${result[@]}"
# Distances: which of several parents a search finds depends on whose messages come first.
try '... with names, on two locales' in. "$programs/sssp" --locales=2 --cores=1 --graph="$graph" --names --source=7919 "${result[@]}"
try 'an .orj file' in. "$programs/connected_components" --cores=2 --graph="$work/in.orj" --symmetrize "${result[@]}"
try 'a conversion' in. "$programs/graph_tool" convert --cores=2 --graph="$graph" --output="$work/result" --to=gml
try 'a query' in. "$programs/query" --cores=2 --table=t="$work/in.csv" \
  'SELECT x.c, count(*) AS n FROM t x, t y WHERE x.b = y.b GROUP BY x.c ORDER BY n, x.c' "${result[@]}"
try 'words counted' in. "$programs/word_count" --cores=2 --input="$work/in.csv" "${result[@]}"
containers='global_hash_map.*:global_hash_set.*:global_multimap.*:global_vector.*:global_array.*:global_bag.*'
try 'containers' stdout "$tests/job_tests" --locales=2 --cores=1 --gtest_filter="$containers"
end_of_cases
