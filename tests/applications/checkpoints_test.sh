#!/usr/bin/env bash
# Applications that are killed and go on, by themselves and started again by the launcher.  checkpoints_test.sh [KILLS]
kills=${1:-3}
set --
source "$(dirname "${BASH_SOURCE[0]}")/application_cases.sh"
folder=$work/kept
graph=(--generate=kronecker:12 --symmetrize)
ranks=(pagerank "${graph[@]}" --precision=double --tolerance=1e-13 --top=0)
keep=(--checkpoint_dir="$folder" --checkpoint_every=3)

# undisturbed NAME FLAG...
undisturbed() { run 2 1 "${@:2}" --output="$work/$1"; report "$status" "${*:2}"; }

# near A B [PART=1e-9]: the same vertices, with values that differ by such a part of themselves at most.
near() {
  paste -d' ' "$1" "$2" | awk -v part="${3:-1e-9}" '
    {n = NF / 2; if ($1 != $(n + 1)) wrong = 1}
    {for (k = 2; k <= n; k++) if (($k - $(n + k))^2 > (part * $k)^2 + 1e-24) wrong = 1}
    END {exit wrong || !NR}'
}

undisturbed ranks "${ranks[@]}"
run 2 2 "${ranks[@]}" "${keep[@]}" --output="$work/kept_ranks"
[[ $status == 0 ]] && near "$work/ranks" "$work/kept_ranks"
report $? 'checkpoints do not change the ranks'
run 1 3 "${ranks[@]}" "${keep[@]}" --resume --verify --output="$work/again"
[[ $status == 0 ]] && says 'resumes from checkpoint' && prints '^verified' && near "$work/ranks" "$work/again"
report $? '... and on another split the job goes on from the last'

refuses 2 'the folder has checkpoints: pass --resume' "${ranks[@]}" "${keep[@]}"
refuses 77 '--damping is 0.5 and was 0.85' "${ranks[@]}" "${keep[@]}" --resume --damping=0.5
refuses 77 'the order of the vertices is scattered by 1 and was by id' "${ranks[@]}" "${keep[@]}" --resume --partition=hash
refuses 77 'the number of edges is' pagerank --generate=kronecker:12 "${ranks[@]:3}" "${keep[@]}" --resume
refuses 2 '--resume=true: must be with --checkpoint_dir' "${ranks[@]}" --resume
refuses 2 '--checkpoint_every=often: must be seconds' "${ranks[@]}" "${keep[@]}" --checkpoint_every=often
refuses 2 'does not say what it keeps' coloring "${graph[@]}" --checkpoint_dir="$work/none"
refuses 74 "cannot write '/proc/none'" "${ranks[@]}" --checkpoint_dir=/proc/none
for manifest in "$folder"/*.manifest; do sed -i '1s/1$/2/' "$manifest"; done
refuses_damaged() { run 2 1 "${ranks[@]}" "${keep[@]}" --resume; [[ $status == 77 ]] && says 'no checkpoint of .* is whole'; }
refuses_damaged
report $? 'where all are damaged the job does not begin anew'
rm "$folder"/*.manifest
run 1 1 "${ranks[@]}" "${keep[@]}" --resume --output="$work/again"
[[ $status == 0 ]] && says 'no checkpoint in .*: starts from the beginning' && near "$work/ranks" "$work/again"
report $? 'where none is there it does, and says so'

# goes_on SUPERSTEPS PART FLAG...: writes checkpoints on one split, and goes on from the last on others, with the same result.
goes_on() {
  local every=$1 part=$2 split
  shift 2
  undisturbed result "$@"
  rm -rf "$folder"
  run 2 2 "$@" "${keep[@]}" --checkpoint_every="$every"
  report "$status" "$* writes checkpoints"
  for split in '1 2' '3 1'; do
    # shellcheck disable=SC2086
    run $split "$@" "${keep[@]}" --resume --verify --output="$work/again"
    [[ $status == 0 ]] && says 'resumes from checkpoint' && prints '^verified' && near "$work/result" "$work/again" "$part"
    report $? "... and goes on on $split"
  done
}
goes_on 9 1e-7 pagerank "${graph[@]}" --delta --precision=double --tolerance=1e-10 --top=0
goes_on 20 0 k_core "${graph[@]}" --remove_self_loops
goes_on 2 1e-9 hits --generate=kronecker:10 --top=0
goes_on 1 0 maximal_independent_set "${graph[@]}" --remove_self_loops
goes_on 2 1e-4 collaborative_filtering --generate=kronecker:9:weights=1..5 --symmetrize --iterations=4
goes_on 5 0 sssp --generate=mesh2d:40x30:weights=1..9 --symmetrize --source=0
goes_on 5 0 sssp --generate=mesh2d:40x30:weights=1..9000000 --symmetrize --source=0
goes_on 20 0 eccentricity --generate=mesh2d:40x30 --symmetrize
goes_on 9 1e-9 spectral_centrality "${graph[@]}" --measure=katz --alpha=0.004 --top=0
goes_on 2 1e-9 spectral_centrality "${graph[@]}" --top=0
goes_on 5 0 closeness --generate=mesh2d:40x30 --symmetrize

# The job is killed at a random moment, and restarted until it ends, first from its checkpoints and then from the
# start. Jobs that ended before the kill do not count.
rm -rf "$folder"
tries=0 killed=0 ended=0 wrong=0
slow=(pagerank "${graph[@]}" --precision=double --top=0 --iterations=400)
kept=("${keep[@]}" --checkpoint_every=20 --resume --output="$work/killed")
undisturbed ranks "${slow[@]}"
# right STATUS: begins anew after a job that was done.
right() {
  [[ $1 == 0 ]] && near "$work/ranks" "$work/killed" || wrong=$((wrong + 1))
  ended=$((ended + 1))
  rm -rf "$folder" "$work/killed"
}
while ((killed < kills && tries < 50 * kills)); do
  "$programs/pagerank" --locales=$((tries % 2 + 1)) --cores=2 "${slow[@]:1}" "${kept[@]}" >"$work/out" 2>"$work/err" &
  job=$!
  sleep "0.$((RANDOM % 4))$((RANDOM % 10))"
  kill -KILL "$job" 2>/dev/null
  status=0
  wait "$job" 2>/dev/null || status=$?
  tries=$((tries + 1))
  if ((status == 137)); then killed=$((killed + 1)); else right "$status"; fi
done
run 2 1 "${slow[@]}" "${kept[@]}"
right "$status"
((killed == kills && wrong == 0))
report $? "$killed kills: $ended jobs end, and the ranks are those of an undisturbed run"

# A locale that is killed, and a launcher that starts the job again.
rm -rf "$folder"
export TMPDIR=$work/tmp
mkdir "$TMPDIR"
"$root/bin/orujo" run --retries=2 -n 2 -c 1 "$programs/pagerank" "${slow[@]:1}" --iterations=4000 "${kept[@]:0:2}" --checkpoint_every=100 --output="$work/killed" >"$work/out" 2>"$work/err" </dev/null &
launcher=$!
kept_one() { [[ $(find "$folder" -name '*.manifest' 2>/dev/null) ]]; }
await kept_one
kill -KILL "$(awk '{print $3}' "$TMPDIR"/orujo-job.*/last_words/1)"
wait "$launcher"
status=$?
[[ $status == 0 ]] && says 'FATAL: signal KILL ended' && says 'starts the job again, from its last checkpoint' && says 'resumes from checkpoint'
report $? 'the launcher starts a job again that has lost a locale'
undisturbed ranks "${slow[@]}" --iterations=4000
near "$work/ranks" "$work/killed"
report $? '... whose ranks are those of an undisturbed run'
[[ ! $(find "$TMPDIR" -mindepth 1) ]]
report $? '... and of which nothing is left'
end_of_cases
