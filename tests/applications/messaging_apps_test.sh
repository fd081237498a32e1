#!/usr/bin/env bash
# Runs gups, histogram and index_gather as a user does: verified on any split, clear errors with status 2, statistics.
# That the verification can fail is tested in messaging/random_updates_job_test.cpp.
source "$(dirname "${BASH_SOURCE[0]}")/application_cases.sh"

# verifies TRIALS LOCALES CORES APP FLAG...: each trial is verified.
verifies() {
  local trials=$1
  shift
  run "$@" --trials="$trials" --verify
  [[ $status == 0 && $(grep -c '^verified' "$work/out") == "$trials" ]]
  report $? "$* is verified"
}

for split in '1 1' '1 2' '2 1' '2 2'; do
  # shellcheck disable=SC2086
  {
    verifies 2 $split gups --log2_table=12
    verifies 1 $split gups --log2_table=12 --op=xor --updates=12345
    verifies 1 $split gups --log2_table=10 --op=fetch_add --tasks=30
    verifies 1 $split histogram --updates_per_core=30000
    verifies 2 $split index_gather --reads_per_core=30000
    verifies 1 $split index_gather --reads_per_core=3000 --blocking_tasks=20
  }
done
for bytes in 4 8 16 32 64 128 256; do
  verifies 1 2 1 gups --log2_table=10 --message_bytes=$bytes
done
verifies 1 2 2 gups --log2_table=10 --message_bytes=64 --op=xor
verifies 1 2 2 gups --log2_table=8 --message_bytes=256 --op=fetch_add
verifies 1 1 2 gups --log2_table=0 --updates=1000
verifies 1 3 1 histogram --counters_per_core=1 --updates_per_core=1

run 2 1 gups --log2_table=10 --trials=3 --stats_json="$work/stats.json" --verify
[[ $status == 0 && $(grep -c '"updates_per_second": [0-9]' "$work/stats.json") == 3 ]] &&
  grep -q '"verified": true' "$work/stats.json" && grep -q '"words": 1024' "$work/stats.json" &&
  grep -qE '^gups: 4,096 updates in .* updates/s, .* per core, 4 bytes each$' "$work/out"
report $? 'gups tells updates_per_second of each trial'
run 1 2 index_gather --reads_per_core=1000 --stats_json="$work/stats.json"
[[ $status == 0 && $(grep -c '"reads_per_second": [0-9]' "$work/stats.json") == 1 ]] &&
  grep -q '"verified": null' "$work/stats.json"
report $? 'index_gather tells reads_per_second, and that nobody verified'

refuses 2 '--op=add: must be increment, xor or fetch_add' gups --op=add
refuses 2 '--message_bytes=12: must be 4, 8, 16' gups --message_bytes=12
refuses 2 'with --op=fetch_add at least 8' gups --op=fetch_add --message_bytes=4
refuses 2 'with --op=xor at least 16' gups --op=xor --message_bytes=8
refuses 2 '--log2_table=49: must be' gups --log2_table=49
refuses 2 '--tasks=0: must be' gups --op=fetch_add --tasks=0
refuses 2 'unknown flag --graph' gups --graph=x
refuses 2 '--trials=2147483647: must be from 1 to 10000: run again for more' histogram --trials=2147483647
refuses 2 '--counters_per_core=0: must be' histogram --counters_per_core=0
refuses 2 '--reads_per_core=x: expected' index_gather --reads_per_core=x
refuses 2 'name the same file' index_gather --stats_json="$work/same" --metrics_json="$work/same"

run 1 2 gups --log2_table=20 --global_heap_bytes=1000000
[[ $status == 71 && $(<"$work/err") == *'--global_heap_bytes'* ]]
report $? 'a table larger than the global heap is refused with status 71'

for app in gups histogram index_gather; do
  run 1 1 "$app" --help
  [[ $status == 0 && $(<"$work/out") == *'Flags of this application'*'--trials'*'--cores'* ]] && ! prints '--generate|--top|--output'
  report $? "$app --help has its own flags and none of graphs"
done

end_of_cases
