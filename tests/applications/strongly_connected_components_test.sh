#!/usr/bin/env bash
# Runs strongly_connected_components as a user does.
source "$(dirname "${BASH_SOURCE[0]}")/application_cases.sh" strongly_connected_components

#   9 -> 3 <- 5     7 <-> 20 -> 3     8 -> 8
printf '9 3\n5 3\n7 20\n20 7\n20 3\n8 8\n' >"$work/small.txt"
right='3 3,5 5,7 7,8 8,9 9,20 7,'

for split in '1 1' '1 2' '2 1' '2 2'; do
  # shellcheck disable=SC2086
  run $split --graph="$work/small.txt" --output="$work/labels" --verify
  [[ $status == 0 && $(tr '\n' ',' <"$work/labels") == "$right" ]] && prints '^components: 5$' &&
    prints '^ +1 +7  2$' && prints '^verified'
  report $? "small components have their smallest ids as labels on $split"
  for flags in '--generate=kronecker:11' '--generate=kronecker:10 --symmetrize' '--generate=uniform:11:edgefactor=1' \
    '--generate=path:1000 --transpose' '--generate=kronecker:16 --layout=random'; do
    # shellcheck disable=SC2086
    run $split $flags --verify --stats_json="$work/stats.json"
    [[ $status == 0 && $(grep -c '^verified' "$work/out") == 1 ]] && grep -q '"verified": true' "$work/stats.json"
    report $? "$flags is verified on $split"
  done
done
two_trials '1 2' serial --generate=uniform:11:edgefactor=2 --output="$work/labels"

run 1 1 --generate=uniform:8:edgefactor=1 --top=2
[[ $status == 0 && $(grep -cE '^ +[0-9]+ +[0-9]+  [0-9,]+$' "$work/out") == 2 ]]
report $? 'as many of the largest components are shown as --top says'

# The edges between components, by their smallest ids.
run 2 1 --graph="$work/small.txt" --condensation="$work/between" --verify
[[ $status == 0 && $(tr '\n' ',' <"$work/between") == '5 3 1,7 3 1,9 3 1,' && $(grep -c '^verified' "$work/out") == 2 ]] &&
  prints '^condensation: 3 edges between components$'
report $? 'the condensation is written, and verified'
refuses 2 'name the same file' --graph="$work/small.txt" --output="$work/same" --condensation="$work/same"
run 1 2 --generate=kronecker:10 --condensation="$work/first.csv"
for split in '1 1' '2 2' '2 1 --layout=random' '1 2 --partition=hash'; do
  # shellcheck disable=SC2086
  run $split --generate=kronecker:10 --condensation="$work/second.csv" --verify
  [[ $status == 0 && $(head -1 "$work/first.csv") == source,target,edges ]] && cmp -s "$work/first.csv" "$work/second.csv"
  report $? "... and the same on $split"
done
scattered_graph "$work/scattered.wel"
same_file_on_splits 'txt csv npy' --graph="$work/scattered.wel"
same_file_on_splits txt --generate=uniform:15:edgefactor=2
for split in '1 2' '2 1 --layout=random' '1 2 --partition=hash'; do
  # shellcheck disable=SC2086
  verifies_on "$split" --graph="$work/scattered.wel"
done

end_of_cases
