#!/usr/bin/env bash
# Runs leiden as a user does.
source "$(dirname "${BASH_SOURCE[0]}")/application_cases.sh" leiden

# Two triangles joined by an edge, and a vertex alone:   10 - 20 - 30 - 10,   40 - 50 - 60 - 40,   30 - 40,   7
printf '20 10\n30 20\n10 30\n50 40\n60 50\n40 60\n30 40\n7 7\n' >"$work/small.txt"
right='7 7,10 10,20 10,30 10,40 40,50 40,60 40,'

for split in '1 1' '1 2' '2 1' '2 2'; do
  # shellcheck disable=SC2086
  run $split --graph="$work/small.txt" --symmetrize --output="$work/labels" --verify --stats_json="$work/stats.json"
  [[ $status == 0 && $(tr '\n' ',' <"$work/labels") == "$right" ]] && prints '^communities: 3$' &&
    prints '^ +1 +10  3$' && prints '^verified .*, connected' && prints '^  level 1: 7 vertices, 14 edges, ' &&
    grep -q '"quality": 0.4765625' "$work/stats.json"
  report $? "two triangles are communities on $split"
  for flags in '--generate=kronecker:11' '--generate=mesh2d:60x50:weights=1..9 --resolution=0.5' \
    '--generate=uniform:10 --method=louvain --levels=2' '--generate=watts_strogatz:2000 --quality=cpm --resolution=0.1'; do
    # shellcheck disable=SC2086
    run $split $flags --symmetrize --verify
    [[ $status == 0 ]] && prints '^verified'
    report $? "$flags is verified on $split"
  done
done
two_trials '1 2' communities --generate=uniform:11:edgefactor=2 --symmetrize

# The same on any locales and cores. Vertices in another order move in another order.
scattered_graph "$work/scattered.wel"
for graph in --graph="$work/scattered.wel" --generate=kronecker:12; do
  run 1 1 "$graph" --symmetrize --output="$work/alone.txt"
  report "$status" "$graph"
  for split in '1 2' '2 1' '2 2' '3 1'; do
    # shellcheck disable=SC2086
    run $split "$graph" --symmetrize --output="$work/together.txt"
    [[ $status == 0 && -s $work/alone.txt ]] && cmp -s "$work/alone.txt" "$work/together.txt"
    report $? "... gives the same communities on $split"
  done
  for order in --layout=random --partition=hash; do verifies_on '2 1' "$graph" --symmetrize "$order"; done
done
run 1 2 --generate=kronecker:12 --symmetrize --seed=2 --output="$work/other.txt"
[[ $status == 0 ]] && ! cmp -s "$work/alone.txt" "$work/other.txt"
report $? 'another seed gives other communities'

refuses 2 'requires an undirected graph' --generate=kronecker:4
refuses 2 '--resolution=0: must be above 0' --generate=kronecker:4 --symmetrize --resolution=0
refuses 2 '--method=best: must be leiden or louvain' --generate=kronecker:4 --symmetrize --method=best
refuses 2 '--quality=best: must be modularity or cpm' --generate=kronecker:4 --symmetrize --quality=best
refuses 2 '--iterations=0: must be at least 1' --generate=kronecker:4 --symmetrize --iterations=0
printf '1 2 -3\n' >"$work/negative.wel"
refuses 65 "'-3' is negative" --graph="$work/negative.wel" --symmetrize

end_of_cases
