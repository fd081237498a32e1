#!/usr/bin/env bash
# Runs similarity as a user does.
source "$(dirname "${BASH_SOURCE[0]}")/application_cases.sh" similarity

#   1 - 2, 1 - 3 and 2 - 3, which is twice there; 3 - 4 and a loop at 4
printf '1 2\n1 3\n2 3\n3 2\n3 4\n4 4\n' >"$work/small.txt"
printf '4 1 7\n1 2 1\n3 3 2\n2 4 9\n4 1 7\n' >"$work/pairs.txt"  # weights mean nothing

for split in '1 1' '1 2' '2 1' '2 2'; do
  # shellcheck disable=SC2086
  run $split --graph="$work/small.txt" --symmetrize --measure=resource_allocation --output="$work/edges" --verify
  [[ $status == 0 && $(sed 's/0\.3333333333333333/third/' "$work/edges" | tr '\n' ',') == '1 2 third,1 3 0.5,2 3 0.5,3 4 0,' ]] &&
    prints '^verified' && prints '^similarity: resource_allocation of 4 pairs,' && prints '^      1 +1 +3  5.0000e-01$'
  report $? "the edges of a small graph have their similarities on $split"
  # shellcheck disable=SC2086
  run $split --graph="$work/small.txt" --symmetrize --measure=overlap --pairs="$work/pairs.txt" --output="$work/edges" --verify
  [[ $status == 0 && $(tr '\n' ',' <"$work/edges") == '1 2 0.5,2 4 1,3 3 1,4 1 1,4 1 1,' ]] && prints '^verified'
  report $? "... and given pairs on $split"
  for flags in '--generate=kronecker:10' '--generate=kronecker:9 --measure=adamic_adar' \
    '--generate=uniform:9:edgefactor=12 --measure=cosine' '--generate=mesh2d:60x50 --measure=preferential_attachment' \
    '--generate=kronecker:9 --layout=random --measure=common_neighbours'; do
    # shellcheck disable=SC2086
    run $split $flags --symmetrize --verify --stats_json="$work/stats.json"
    [[ $status == 0 && $(grep -c '^verified' "$work/out") == 1 ]] && grep -q '"verified": true' "$work/stats.json"
    report $? "$flags is verified on $split"
  done
done
two_trials '1 2' pairs --generate=kronecker:9 --symmetrize --output="$work/edges"

run 1 1 --generate=mesh2d:1x1 --symmetrize --verify
check 'a graph without edges has no pairs' prints '^similarity: jaccard of 0 pairs,'
run 2 1 --generate=kronecker:8 --symmetrize --top=2
[[ $status == 0 && $(grep -cE '^ +[0-9]+ +[0-9]+ +[0-9]+  [0-9.e+-]+$' "$work/out") == 2 ]]
report $? '--top=2 prints two pairs'

# Files of pairs in other formats, and vertices whose ids are not their positions.
scattered_graph "$work/scattered.wel"
printf 'source,target\n7919,15838\n1000000007,5000000000\n23757,7919\n' >"$work/pairs.csv"
printf '%%%%MatrixMarket matrix coordinate pattern general\n9 9 2\n1 2\n3 4\n' >"$work/pairs.mtx"
for split in '1 1' '2 2' '1 2 --partition=hash'; do
  # shellcheck disable=SC2086
  run $split --graph="$work/scattered.wel" --symmetrize --measure=adamic_adar --pairs="$work/pairs.csv" --verify --output="$work/edges"
  [[ $status == 0 && $(cut -d ' ' -f 1,2 "$work/edges" | tr '\n' ',') == '7919 15838,23757 7919,1000000007 5000000000,' ]] && prints '^verified'
  report $? "a table of pairs is read on $split"
  verifies_on "$split" --generate=kronecker:8 --symmetrize --pairs="$work/pairs.mtx"
done
printf 'source,target\nann,bob\nbob,"c, d"\nann,dan\n' >"$work/names.csv"
printf 'source,target\n"c, d",ann\nann,bob\n' >"$work/named_pairs.csv"
for split in '1 1' '2 2'; do
  # shellcheck disable=SC2086
  run $split --graph="$work/names.csv" --names --symmetrize --pairs="$work/named_pairs.csv" --output="$work/edges.csv" --verify
  [[ $status == 0 && $(tr '\n' '|' <"$work/edges.csv") == 'source,target,jaccard|ann,bob,0|"c, d",ann,0.5|' ]] && prints '^verified'
  report $? "pairs have names on $split"
done

refuses 2 'requires an undirected graph; add --symmetrize' --generate=kronecker:4
refuses 2 'measure' --generate=kronecker:4 --symmetrize --measure=Jaccard
printf '1 2\n7 1\n' >"$work/wrong.txt"
refuses 65 'wrong.txt: the graph has no vertex 7; pass pairs of its vertices' --graph="$work/small.txt" --symmetrize --pairs="$work/wrong.txt"
printf 'source,target\nann,eve\n' >"$work/wrong.csv"
refuses 65 "wrong.csv: the graph has no vertex 'eve'; pass pairs of its vertices" --graph="$work/names.csv" --names --symmetrize --pairs="$work/wrong.csv"
refuses 66 'absent' --generate=kronecker:4 --symmetrize --pairs="$work/absent"

same_file_on_splits 'txt csv npy' --graph="$work/scattered.wel" --symmetrize --measure=adamic_adar
same_file_on_splits txt --generate=kronecker:10 --symmetrize --measure=resource_allocation
for split in '1 2' '2 1 --layout=random' '1 2 --partition=hash'; do
  # shellcheck disable=SC2086
  verifies_on "$split" --graph="$work/scattered.wel" --symmetrize
done

end_of_cases
