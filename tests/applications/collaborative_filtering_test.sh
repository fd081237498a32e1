#!/usr/bin/env bash
# Runs collaborative_filtering as a user does.
source "$(dirname "${BASH_SOURCE[0]}")/application_cases.sh" collaborative_filtering

# Users 1..60 rate items 1001..1020 with 1..5, by a rule that two factors explain.
for user in {1..60}; do
  for item in {1..20}; do
    (((user * 7 + item * 3) % 4 == 0)) || echo "$user $((1000 + item)) $((1 + user % 2 + item % 2 * 3))"
  done
done >"$work/ratings.wel"

for split in '1 1' '2 2'; do
  # shellcheck disable=SC2086
  run $split --graph="$work/ratings.wel" --symmetrize --iterations=20 --verify --output="$work/factors" \
    --stats_json="$work/stats.json"
  [[ $status == 0 && $(grep -c '^verified' "$work/out") == 1 && $(wc -l <"$work/factors") == 80 ]] &&
    (($(head -n 1 "$work/factors" | wc -w) == 17)) && grep -q '"errors"' "$work/stats.json" &&
    grep -qE '^ +20  0\.' "$work/out"
  report $? "ratings are fitted and verified on $split"
  # shellcheck disable=SC2086
  run $split --generate=kronecker:9:weights=1..100 --symmetrize --trials=2 --verify
  [[ $status == 0 && $(grep -c '^verified' "$work/out") == 1 ]]
  report $? "kronecker:9 is verified on $split"
done

run 1 1 --graph="$work/ratings.wel" --symmetrize --step=30 --verify
[[ $status == 1 ]] && grep -q '^NOT VERIFIED' "$work/out"
report $? 'too large a step is found out by --verify'

refuses 2 'requires an undirected graph; add --symmetrize' --graph="$work/ratings.wel"
refuses 2 'a graph whose edges have weights' --generate=kronecker:4 --symmetrize
refuses 2 '--step=0: must be above 0' --generate=kronecker:4 --step=0

end_of_cases
