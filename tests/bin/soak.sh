#!/usr/bin/env bash
# Runs very many short jobs, several at a time, each by a launcher of its own, and shows those that do not end as they
# should: with status 0, and with a result that was verified.
#   tests/bin/soak.sh [JOBS=200] [AT_A_TIME=4] [PROGRAM=build/release/applications/pagerank] [SIGNAL...]
# With SIGNALs each job gets one of them, in turn, at a random moment: a locale, or with INT, TERM, HUP and the like of every
# other job the launcher. Who is not done before ends with another status than 0, and says so in one line if it was a locale.
# Ends with the lines "N files and N processes left" and "N jobs, N failed", and with status 1 if any failed or is left. It
# also says of how many mpirun did not hear in time that they had ended well, which the launcher sets right.
set -uo pipefail

root=$(dirname "$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")")
jobs=${1:-200} at_a_time=${2:-4} program=${3:-$root/build/release/applications/pagerank} signals=("${@:4}")
splits=('2 1' '3 1' '2 2' '4 1') # locales and cores, in turn

for number in "$jobs" "$at_a_time"; do
  [[ $number =~ ^[1-9][0-9]{0,6}$ ]] || { sed -n '4s/^# */Usage: /p' "$0" >&2; exit 2; }
done
[[ -x $program ]] || { echo "$program is not built: bin/orujo build release pagerank" >&2; exit 66; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset "${!OMPI_@}" "${!PMIX_@}" "${!PMI_@}" "${!SLURM_@}"
export ORUJO_NO_SETUP=1 ORUJO_NO_BUILD=1

# seconds: up to 1.5, and not twice the same.
seconds() { awk -v r="$RANDOM$RANDOM" 'BEGIN {printf "%.3f", r % 1500 / 1000}'; }

# launch NUMBER COMMAND...: returns the status, 124 where it does not end in two minutes. SIGNALs go to the launcher.
launch() {
  local signal=
  ((${#signals[@]} == 0)) || signal=${signals[$1 / 2 % ${#signals[@]}]}
  shift
  if [[ ! $signal ]]; then
    timeout -k 20 120 "$@"
  elif [[ $signal =~ ^(KILL|SEGV|ABRT|STOP)$ ]] || ((number % 2 == 0)); then
    timeout -k 20 120 "$@" &
    sleep "$(seconds)"
    kill -s "$signal" "$(awk '{print $3}' "$TMPDIR"/orujo-job.*/last_words/1 2>/dev/null)" 2>/dev/null
    wait $!
  else
    env --default-signal=INT,QUIT timeout --foreground --preserve-status -k 120 -s "$signal" "$(seconds)" "$@"
  fi
}

# job NUMBER: what it says stays in $work/NUMBER only if it fails.
job() {
  local split status=0 start=$EPOCHREALTIME number=$1
  export TMPDIR=$work/tmp/$number
  mkdir -p "$TMPDIR"
  read -ra split <<<"${splits[number % ${#splits[@]}]}"
  launch "$number" "$root/bin/orujo" run -n "${split[0]}" -c "${split[1]}" "$program" --generate=kronecker:8 --top=0 --verify \
    >"$work/$number" 2>&1 </dev/null || status=$?
  ! grep -q '^orujo: mpirun did not hear' "$work/$number" || echo >>"$work/unheard"
  if ended_well $((${EPOCHREALTIME%.*} - ${start%.*})); then
    ((status == 0)) || echo "$status" >>"$work/ended"
    rm "$work/$number"
  else
    awk -v a="$start" -v b="$EPOCHREALTIME" -v s="$status" 'BEGIN {printf "status %d after %.1f s\n", s, b - a}' >>"$work/$number"
  fi
}

# ended_well SECONDS, of job: with a result, or of a signal, by its number if it went to the launcher, else with one line about
# a locale.
ended_well() {
  local fatal
  (($1 < 100)) || return
  if ((status == 0)); then
    (($(grep -c '^verified' "$work/$number") == 1))
    return
  fi
  fatal=$(grep -c 'FATAL' "$work/$number")
  ((${#signals[@]} > 0 && status != 124)) && { ((fatal == 1)) || ((fatal == 0 && number % 2 && status > 128 && status != 137)); }
}

# What is there of the jobs, in files and processes.
left_files() {
  find "$work/tmp" -mindepth 2
  grep -lsF "$work/" /dev/shm/orujo-job.*/lock
}
left_processes() { grep -lszF "TMPDIR=$work/tmp/" /proc/[0-9]*/environ; }

touch "$work/unheard" "$work/ended"
for ((k = 1; k <= jobs; k++)); do
  ((k <= at_a_time)) || wait -n
  job "$k" &
done
wait

failed=0
for log in "$work"/[0-9]*; do
  [[ -e $log ]] || continue
  echo "job $(basename "$log"), on ${splits[$(basename "$log") % ${#splits[@]}]/ / x }:"
  sed 's/^/  | /' "$log"
  failed=$((failed + 1))
done
((${#signals[@]} == 0)) || echo "signals ended $(wc -l <"$work/ended"), by status: $(sort "$work/ended" | uniq -c | awk '{printf "%s%d times %d", (NR > 1 ? ", " : ""), $1, $2}')"
echo "mpirun did not hear in time of the end of $(wc -l <"$work/unheard")"
files=$(left_files) processes=$(left_processes)
echo "$(wc -w <<<"$files") files and $(wc -w <<<"$processes") processes left${files:+: $files}"
echo "$jobs jobs, $failed failed"
((failed == 0)) && [[ ! $files && ! $processes ]]
