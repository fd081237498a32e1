#!/usr/bin/env bash
# Runs label_propagation as a user does.
source "$(dirname "${BASH_SOURCE[0]}")/application_cases.sh" label_propagation

# Two triangles joined by an edge, and a vertex alone:   10 - 20 - 30 - 10,   40 - 50 - 60 - 40,   30 - 40,   7
printf '20 10\n30 20\n10 30\n50 40\n60 50\n40 60\n30 40\n7 7\n' >"$work/small.txt"
right='7 7,10 10,20 10,30 10,40 30,50 30,60 30,'

for split in '1 1' '2 2'; do
  # shellcheck disable=SC2086
  run $split --graph="$work/small.txt" --symmetrize --output="$work/labels" --verify --stats_json="$work/stats.json"
  [[ $status == 0 && $(tr '\n' ',' <"$work/labels") == "$right" ]] && grep -q '^communities: 3$' "$work/out" &&
    grep -qE '^ +1 +10  3$' "$work/out" && grep -q '^verified' "$work/out" && grep -q '"verified": true' "$work/stats.json"
  report $? "two triangles are communities on $split"
  # shellcheck disable=SC2086
  run $split --generate=kronecker:10 --iterations=3 --trials=2 --verify
  [[ $status == 0 && $(grep -c '^verified' "$work/out") == 1 && $(grep -c '^label_propagation: 3 iterations' "$work/out") == 2 ]]
  report $? "a directed graph is verified on $split"
done

# 30 is drawn to 40 by the heavier edge:   10 -(1)- 30 -(5)- 40 -(1)- 50, 20 -(1)- 30, 10 -(1)- 20
printf '10 30 1\n20 30 1\n30 40 5\n40 50 1\n10 20 1\n' >"$work/heavy.wel"
for split in '1 1' '1 2' '2 1' '2 2'; do
  # shellcheck disable=SC2086
  run $split --graph="$work/heavy.wel" --symmetrize --weighted --iterations=1 --output="$work/labels" --verify
  [[ $status == 0 && $(tr '\n' ',' <"$work/labels") == '10 20,20 10,30 40,40 30,50 40,' ]] && prints '^verified'
  report $? "the heaviest label wins on $split"
  verifies_on "$split" --generate=kronecker:10:weights=0..5 --weighted
done
refuses 2 '--weighted requires a graph with weights' --generate=kronecker:4 --weighted
printf '1 2 -1\n' >"$work/negative.wel"
refuses 65 'is negative' --graph="$work/negative.wel" --weighted

scattered_graph "$work/scattered.wel"
same_file_on_splits 'txt csv npy' --graph="$work/scattered.wel"
same_file_on_splits txt --generate=kronecker:15 --iterations=2
verifies_on '2 1 --partition=hash' --graph="$work/scattered.wel"

refuses 2 '--iterations=-1: must be at least 0' --generate=kronecker:4 --iterations=-1

end_of_cases
