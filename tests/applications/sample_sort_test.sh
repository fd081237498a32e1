#!/usr/bin/env bash
# Runs sample_sort as a user does: every distribution on any split, clear errors, statistics. The sort by itself:
# tests/system/containers/sort_job_test.cpp.
source "$(dirname "${BASH_SOURCE[0]}")/application_cases.sh" sample_sort

for distribution in uniform few equal sorted reversed zipf; do
  verifies_on '1 2' --distribution="$distribution" --keys=300000
  verifies_on '2 2' --distribution="$distribution" --keys=1001
done
verifies_on '1 1' --keys=100000
verifies_on '3 1' --keys=200000 --chaos_seed=3
verifies_on '2 2' --keys=0
verifies_on '2 2' --keys=1

run 2 1 --keys=50000 --distribution=zipf --trials=2 --verify --stats_json="$work/stats.json"
[[ $status == 0 && $(grep -c '^verified: 0 keys smaller than the one before, and they are those' "$work/out") == 2 ]] &&
  prints '^keys: 50,000, zipf, 400,000 bytes \(2 locales x 1 core\)$' && prints '^sample_sort: 50,000 keys in .* keys/s' &&
  grep -q '"verified": true' "$work/stats.json" && (($(grep -c '"keys_per_second": [1-9]' "$work/stats.json") == 2)) &&
  grep -q '"distribution": "zipf"' "$work/stats.json"
report $? 'trials are told'

refuses 2 '--distribution=normal: must be uniform, few, equal, sorted, reversed or zipf' --distribution=normal
refuses 2 '--keys=9999999999999: must be at most 2^40' --keys=9999999999999

run 1 1 --help
[[ $status == 0 ]] && prints '^ +--distribution' && prints 'bin/orujo run sample_sort --keys='
report $? '--help shows the flags'
end_of_cases
