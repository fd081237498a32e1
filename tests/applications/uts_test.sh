#!/usr/bin/env bash
# Runs uts as a user does: the published sizes on any split, trees of one's own, clear errors, statistics. The trees by
# themselves: uts/tree_test.cpp.
source "$(dirname "${BASH_SOURCE[0]}")/application_cases.sh" uts

for split in '1 1' '1 2' '2 1' '2 2'; do
  verifies_on "$split" --tree=T3
  verifies_on "$split" --tree=binomial --root_children=300 --children=4 --probability=0.24 --seed=3 --chunk=1
  verifies_on "$split" --tree=linear --root_children=3 --max_depth=12 --chunk=32
done
verifies_on '3 2' --tree=geometric --root_children=3 --max_depth=7
verifies_on '2 1' --tree=T1 --chaos_seed=7
verifies_on '2 2' --tree=geometric --root_children=0
verifies_on '1 2' --tree=binomial --probability=0 --nosteal

run 2 1 --tree=T1 --serial --trials=2 --verify --stats_json="$work/stats.json"
[[ $status == 0 && $(grep -c '^verified: nodes, leaves and depth are as published$' "$work/out") == 2 ]] &&
  prints '^tree: T1, geometric, 4 children on average, depth 10, seed 19 \(2 locales x 1 core\)$' &&
  prints '^one loop: 4,130,071 nodes in ' && prints '^uts: 4,130,071 nodes, 3,305,118 leaves, depth 10, in .* tasks, ' &&
  grep -q '"verified": true' "$work/stats.json" && (($(grep -c '"leaves": 3305118' "$work/stats.json") == 2)) &&
  grep -q '"serial_nodes_per_second": [1-9]' "$work/stats.json"
report $? 'trials are told, beside the loop'

refuses 2 "--tree=T9: must be T1, T5, T3, T1L, T3L, geometric, linear or binomial" --tree=T9
refuses 2 '--probability=0.125: must be at least 0, and with --children less than 1 child per node' \
  --tree=binomial --probability=0.125 --children=8
refuses 2 '--chunk=33: must be from 1 to 32' --chunk=33
refuses 2 '--max_depth=0: must be from 1 to 1000' --max_depth=0
refuses 2 '--root_children=-1: must be' --root_children=-1
refuses 2 'unknown flag --graph' --graph=x

run 1 1 --help
[[ $status == 0 ]] && prints '^ +--tree' && prints 'bin/orujo run uts --verify'
report $? '--help shows the flags'
end_of_cases
