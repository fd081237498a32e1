#!/usr/bin/env bash
# Runs neighbour_sample as a user does.
source "$(dirname "${BASH_SOURCE[0]}")/application_cases.sh" neighbour_sample

#   10 -> 20 -> 30 -> 40, 50 -> 40
printf '10 20\n20 30\n30 40\n50 40\n' >"$work/small.txt"

# sampled EXPECTED FLAG... compares the output, with commas for ends of lines.
sampled() {
  local expected=$1
  shift
  # shellcheck disable=SC2086
  run $split --graph="$work/small.txt" --output="$work/edges" --verify "$@"
  [[ $status == 0 && $(tr '\n' ',' <"$work/edges") == "$expected" ]] && prints '^verified'
  report $? "edges are right on $split with $*"
}

n=0
for split in '1 1' '1 2' '2 1' '2 2'; do
  sampled '10 20 1,20 30 1,30 40 1,50 40 1,' --fanouts=-1
  sampled '' --batch=0
  two_trials "$split" seeds --generate=kronecker:10 --symmetrize --batch=30 --fanouts=5,3,2 --output="$work/$((++n))"
  verifies_on "$split" --generate=kronecker:10 --batch=30 --fanouts=5,-1 --replace --edge_dir=out
  cmp -s "$work/1" "$work/$n"
  report $? 'the edges are the same as on one core'
done
# Times of edges to 1:   2 at 3, 3 at 5, 4 at 4, 5 at 4
printf 'from,to,time\n2,1,3\n3,1,5\n4,1,4\n5,1,4\n' >"$work/times.csv"
for split in '1 2' '2 1'; do
  timed=(--graph="$work/times.csv" --time_column=time --output="$work/edges" --verify)
  # shellcheck disable=SC2086
  run $split "${timed[@]}" --fanouts=-1 --until=4
  [[ $status == 0 && $(tr '\n' ',' <"$work/edges") == '2 1 1,4 1 1,5 1 1,' ]] && prints '^verified'
  report $? "edges until a time are drawn on $split"
  # shellcheck disable=SC2086
  run $split "${timed[@]}" --fanouts=2 --latest
  [[ $status == 0 && $(tr '\n' ',' <"$work/edges") == '3 1 1,5 1 1,' ]] && prints '^verified'
  report $? "... and the latest ones"
done
refuses 2 'only with --time_column' --graph="$work/times.csv" --until=3
refuses 2 'only without --replace' --graph="$work/times.csv" --time_column=time --latest --replace
refuses 2 'time_column' --generate=kronecker:4 --time_column=time --until=3
refuses 2 'only with --until or --latest' --graph="$work/times.csv" --time_column=time
refuses 65 "no column 'when' for --time_column" --graph="$work/times.csv" --time_column=when --until=3

run 1 1 --graph="$work/small.txt" --batch=1 --fanouts=1,1,1 --output="$work/in.csv" --verify
[[ $status == 0 && $(head -n 1 "$work/in.csv") == 'source,target,layer' ]]
report $? 'a table has a header'

refuses 2 '--fanouts=5,: must be numbers from -1' --generate=kronecker:4 --fanouts=5,
refuses 2 '--fanouts=-2: must be numbers from -1' --generate=kronecker:4 --fanouts=-2
refuses 2 '--edge_dir=both: must be in or out' --generate=kronecker:4 --edge_dir=both

end_of_cases
