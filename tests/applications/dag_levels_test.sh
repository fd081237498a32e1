#!/usr/bin/env bash
# Runs dag_levels as a user does.
source "$(dirname "${BASH_SOURCE[0]}")/application_cases.sh" dag_levels

#   9 -> 3 -> 5     9 -> 5 -> 20     8
printf '9 3\n3 5\n9 5\n5 20\n8 20\n' >"$work/small.txt"
right='3 1,5 2,8 0,9 0,20 3,'

for split in '1 1' '1 2' '2 1' '2 2'; do
  # shellcheck disable=SC2086
  run $split --graph="$work/small.txt" --output="$work/levels" --verify
  [[ $status == 0 && $(tr '\n' ',' <"$work/levels") == "$right" ]] && prints '4 levels, at most 2 vertices in one$' && prints '^verified'
  report $? "small levels are right on $split"
  # shellcheck disable=SC2086
  run $split --generate=path:500 --verify --stats_json="$work/stats.json"
  [[ $status == 0 && $(grep -c '^verified' "$work/out") == 1 ]] && grep -q '"levels": 500' "$work/stats.json"
  report $? "a path is verified on $split"
done

# Edges lead to larger ids.
awk 'BEGIN { srand(7); for (k = 0; k < 6000; k++) { a = int(rand() * 2000); b = int(rand() * 2000); if (a != b) print 31 * (a < b ? a : b), 31 * (a < b ? b : a) } }' >"$work/acyclic.txt"
two_trials '1 2' widest --graph="$work/acyclic.txt" --output="$work/levels"
same_file_on_splits 'txt csv npy' --graph="$work/acyclic.txt"
for split in '1 2' '2 1 --layout=random' '1 2 --partition=hash'; do
  # shellcheck disable=SC2086
  verifies_on "$split" --graph="$work/acyclic.txt"
done

refuses 65 'the graph has a cycle of 2 edges: 0 -> 1 -> 0' --generate=path:3 --symmetrize
printf '4 4\n1 4\n' >"$work/loop.txt"
refuses 65 'the graph has a cycle of 1 edge: 4 -> 4' --graph="$work/loop.txt"
printf 'cyd ann\nann bob\nbob cyd\nbob dan\n' >"$work/names.txt"
refuses 65 'the graph has a cycle of 3 edges: ann -> bob -> cyd -> ann' --graph="$work/names.txt" --names
for ((v = 0; v < 40; v++)); do echo "$v $(((v + 1) % 40))"; done >"$work/ring.txt"
refuses 65 'the graph has a cycle of 40 edges: 0 -> 1 -> 2 -> 3 -> 4 -> 5 -> 6 -> 7 -> 8 -> 9 -> ...' --graph="$work/ring.txt"

end_of_cases
