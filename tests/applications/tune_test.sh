#!/usr/bin/env bash
# Runs tune as a user does, and what reads its file: where it goes, what is made of it, and of one that is damaged.
source "$(dirname "${BASH_SOURCE[0]}")/application_cases.sh"
export XDG_CACHE_HOME=$work/cache
small=(--most_bytes=65536)
rank() { run 1 2 pagerank --generate=kronecker:8 --symmetrize --iterations=1 --top=0 --print_settings "$@"; }
warnings() { grep -c 'are not used' "$work/err"; }

rank
[[ $status == 0 && $(warnings) == 0 ]] && grep -q '^  measures of this machine: guessed from the caches; bin/orujo tune' "$work/err" &&
  grep -Eq '^  segments: 1: ns per edge would be [0-9.]+ with 1' "$work/err"
report $? 'without a file the machine is guessed, and the reason of a choice is told'

run 1 2 tune "${small[@]}" --verify --stats_json="$work/stats.json"
files=("$work"/cache/orujo/machine-*)
[[ $status == 0 && ${#files[@]} == 1 && $(grep -c '^verified' "$work/out") == 1 ]] && grep -q '"together_ns": [0-9]' "$work/stats.json" &&
  [[ $(tail -n 1 "${files[0]}") == end && $(grep -c '^gather ' "${files[0]}") == 2 ]] && [[ ! $(<"$work/err") ]]
report $? 'tune writes one file into the cache folder, whose rates it tells'
cp "${files[0]}" "$work/good"

rank
[[ $status == 0 && $(warnings) == 0 ]] && grep -q "^  measures of this machine: measured, in '${files[0]}'; ns per random load" "$work/err"
report $? 'which programs read'

rank --measures=guess
[[ $status == 0 && $(warnings) == 0 ]] && grep -q '^  measures of this machine: guessed' "$work/err"
report $? 'or not, where they are told so'

# damaged WHY SED_SCRIPT: the file is passed over, with one line.
damaged() {
  sed "$2" "$work/good" >"${files[0]}"
  rank
  [[ $status == 0 && $(warnings) == 1 ]] && grep -q "are not used: $1; run bin/orujo tune to measure again" "$work/err" &&
    grep -q '^  measures of this machine: guessed' "$work/err"
  report $? "one of which $1 is passed over"
}
damaged 'it is cut off' '$d'
damaged 'it is of another version' 's/^orujo-measures .*/orujo-measures 0/'
damaged 'it is of another kind of machine' 's/^processor .*/processor Other/'
damaged 'the rate of a gather is not a valid number' 's/^gather 16384 [0-9.]*/gather 16384 nan/'

run 1 2 tune "${small[@]}" --file="$work/elsewhere"
[[ $status == 0 && ! $(<"$work/err") ]]
report $? 'tune itself does not mind a damaged file'
rank --measures="$work/elsewhere"
[[ $status == 0 && $(warnings) == 0 ]] && grep -q "measured, in '$work/elsewhere'" "$work/err"
report $? 'a file can be named'
rank --measures="$work/nowhere"
[[ $status == 0 && $(warnings) == 1 ]]
report $? 'one that is not there is told'

run 2 1 tune "${small[@]}" --keep=false
[[ $status == 0 ]] && grep -Eq '^messages: there and back [0-9]+ ns, a reduction' "$work/out" && ! cmp -s "$work/good" "${files[0]}"
report $? 'between locales messages are measured; nothing is written where nothing is to be kept'

XDG_CACHE_HOME=/proc/nowhere run 1 1 tune "${small[@]}"
[[ $status == 74 && $(<"$work/err") == *"cannot make the folder '/proc/nowhere/orujo'"* ]]
report $? 'a folder that cannot be made ends it with status 74'
several=1
refuses 2 '--most_bytes=65537: must be a power of two' tune --most_bytes=65537
refuses 2 'with --keep=false no file is written' tune --keep=false --verify
end_of_cases
