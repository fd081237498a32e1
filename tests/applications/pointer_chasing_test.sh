#!/usr/bin/env bash
# Runs pointer_chasing as a user does: on any split, clear errors, statistics. The ring by itself, and that walks which go
# astray are seen: messaging/ring_job_test.cpp.
source "$(dirname "${BASH_SOURCE[0]}")/application_cases.sh" pointer_chasing

for split in '1 1' '1 2' '2 1' '2 2'; do
  verifies_on "$split" --log2_words=12 --hops=100 --tasks=1,7,100
done
verifies_on '2 1' --log2_words=10 --hops=50 --tasks=20 --chaos_seed=5
verifies_on '1 2' --log2_words=0 --hops=10 --tasks=3

run 2 1 --log2_words=12 --hops=200 --tasks=2,20 --trials=2 --verify --stats_json="$work/stats.json"
[[ $status == 0 && $(grep -cE '^ +(2|20)( +[0-9.]+ ?[kMG]?){2} +[0-9.]+$' "$work/out") == 4 ]] &&
  prints '^ring: 2\^12 words, 32,768 bytes \(2 locales x 1 core\)$' && prints '^verified: every task ended' &&
  grep -q '"verified": true' "$work/stats.json" && (($(grep -c '"tasks_per_core": 20' "$work/stats.json") == 2))
report $? 'a line for each number of tasks'

for tasks in 0 '1,' x '1,,2' 1000001; do
  refuses 2 "--tasks=$tasks: must be numbers from 1 to 1000000 with commas" --tasks=$tasks
done
refuses 2 '--hops=0: must be from 1' --hops=0
refuses 2 '--log2_words=49: must be from 0 to 48' --log2_words=49

run 1 1 --help
[[ $status == 0 ]] && prints '^ +--log2_words' && prints 'bin/orujo run pointer_chasing --verify'
report $? '--help shows the flags'
end_of_cases
