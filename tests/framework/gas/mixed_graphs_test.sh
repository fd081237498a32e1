#!/usr/bin/env bash
# What belongs to one graph is refused where another is meant: status 78, and one sentence that says what and where.
#   mixed_graphs_test.sh MIXED_GRAPHS
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
program=$1
source "$root/tests/cases.sh"

# refuses TEXT WAY...: each ends so on two cores and on two locales.
refuses() {
  local text=$1 way split
  shift
  for way in "$@"; do
    for split in '--locales=1 --cores=2' '--locales=2 --cores=1'; do
      status=0
      # shellcheck disable=SC2086 # two words
      "$program" --mix="$way" $split >"$work/out" 2>"$work/err" </dev/null || status=$?
      check "$way, $split" eval '((status == 78)) && [[ ! -s $work/out ]] && says "FATAL: $text"'
    done
  done
}

place='\(.*mixed_graphs.cpp:[0-9]+, in '
property='a property of one graph is used with another: create one for this graph by property<T>::create\(graph\)'
refuses "$property $place" run visit write read checkpoint walks colors members hits
refuses "$property" closure member
refuses 'a property of the edges of one graph is used with another' edges edges_of_transpose
refuses "an edge map over one graph from a set of vertices of another: .* $place" map_large map_small
refuses "two sets of vertices of different graphs: .* $place" map_out_of
refuses "an edge map of an asynchronous visitor .* has to be out of a set: .* $place" map_out_of_none
refuses 'two sets of vertices of different graphs' unite
refuses "values that are not one for each vertex of the locale's part of the graph" values

for split in '--locales=1 --cores=2' '--locales=2 --cores=1'; do
  status=0
  # shellcheck disable=SC2086 # two words
  "$program" --mix=nothing $split >"$work/out" 2>"$work/err" </dev/null || status=$?
  check "a graph and its transpose, $split" eval '((status == 0)) && prints "^done$"'
done
end_of_cases
