#!/usr/bin/env bash
# Runs very many short jobs, several at a time, each by a launcher of its own, and shows those that do not end as they
# should: with status 0, and with a result that was verified.
#   tests/bin/soak.sh [--splits='2 1,16 1'] [--load=N] [JOBS=200] [AT_A_TIME=4] [PROGRAM=build/release/applications/pagerank] [SIGNAL...]
# --splits: locales and cores, in turn.
# --load: N processes compute meanwhile.
# With SIGNALs each job gets one of them, in turn, at a random moment in its first 1.5 s. A random locale gets it, but in
# every other job with INT, TERM or HUP the launcher does. Such a job ends with its result if it was done before, otherwise
# with the signal's status: 137 for KILL, 73 for SEGV and ABRT, 76 for STOP, and 128 and the number for INT, TERM and
# HUP. One FATAL line names the locale that got the signal. PAUSE is STOP, and CONT up to 1.5 s later; such a job has
# its result as if nothing had happened.
# Ends with the lines "N files and N processes left" and "N jobs, N failed", and with status 1 if any failed or is left. It
# also says of how many mpirun did not notice in time that they had ended well, which the launcher sets right.
set -uo pipefail

root=$(dirname "$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")")
splits=('2 1' '3 1' '2 2' '4 1') load=0
while [[ ${1:-} == --* ]]; do
  case $1 in
    --splits=*) IFS=, read -ra splits <<<"${1#*=}" ;;
    --load=*) load=${1#*=} ;;
    *) set -- usage ;;
  esac
  shift
done
jobs=${1:-200} at_a_time=${2:-4} program=${3:-$root/build/release/applications/pagerank} signals=("${@:4}")

for number in "$jobs" "$at_a_time" "1$load"; do
  [[ $number =~ ^[1-9][0-9]{0,6}$ ]] || { sed -n '4s/^# */Usage: /p' "$0" >&2; exit 2; }
done
[[ -x $program ]] || { echo "$program is not built: bin/orujo build release pagerank" >&2; exit 66; }
work=$(mktemp -d)
busy=()
trap '((${#busy[@]} == 0)) || kill "${busy[@]}"; rm -rf "$work"' EXIT
unset "${!OMPI_@}" "${!PMIX_@}" "${!PMI_@}" "${!SLURM_@}"
export ORUJO_NO_SETUP=1 ORUJO_NO_BUILD=1

# seconds: up to 1.5, and not twice the same.
seconds() { awk -v r="$RANDOM$RANDOM" 'BEGIN {printf "%.3f", r % 1500 / 1000}'; }

# process LOCALE, of job: nothing where it has not begun or has ended.
process() { awk '$1 == "begun" {print $3}' "$TMPDIR"/orujo-job.*/last_words/"$1" 2>/dev/null; }

# launch COMMAND..., of job: returns the status, 124 where it does not end in two minutes.
launch() {
  local victim=
  if [[ ! $signal ]]; then
    timeout -k 20 120 "$@"
  elif [[ $locale ]]; then
    timeout -k 20 120 "$@" &
    while [[ ! $(process "$locale") ]] && kill -0 $! 2>/dev/null; do sleep 0.02; done
    sleep "$(seconds)"
    victim=$(process "$locale")
    if [[ $victim ]] && kill -s "${signal/PAUSE/STOP}" "$victim" 2>/dev/null; then
      sent=1
      [[ $signal != PAUSE ]] || { sleep "$(seconds)"; kill -s CONT "$victim" 2>/dev/null; }
    fi
    wait $!
  else
    sent=1
    env --default-signal=INT,QUIT timeout --foreground --preserve-status -k 120 -s "$signal" "$(seconds)" "$@"
  fi
}

# job NUMBER: what it says stays in $work/NUMBER only if it fails.
job() {
  local status=0 start=$EPOCHREALTIME number=$1 split signal='' locale='' sent='' flags=(--generate=kronecker:8)
  local turn=$((number / ${#splits[@]}))
  export TMPDIR=$work/tmp/$number
  mkdir -p "$TMPDIR"
  read -ra split <<<"${splits[number % ${#splits[@]}]}"
  if ((${#signals[@]} > 0)); then
    flags=(--generate=kronecker:12 --trials=20 --watchdog_seconds=5)
    signal=${signals[turn % ${#signals[@]}]}
    [[ ! $signal =~ ^(KILL|SEGV|ABRT|STOP|PAUSE)$ ]] && ((turn / ${#signals[@]} % 2)) || locale=$((RANDOM % split[0]))
  fi
  launch "$root/bin/orujo" run -n "${split[0]}" -c "${split[1]}" "$program" "${flags[@]}" --top=0 --verify \
    >"$work/$number" 2>&1 </dev/null || status=$?
  ! grep -q '^orujo: mpirun did not notice' "$work/$number" || echo >>"$work/unheard"
  if ended_well $((${EPOCHREALTIME%.*} - ${start%.*})); then
    ((status == 0)) || echo "$signal${locale:+ to a locale}: $status" >>"$work/ended"
    rm "$work/$number"
  else
    awk -v a="$start" -v b="$EPOCHREALTIME" -v s="$status" -v w="${sent:+$signal to ${locale:-the launcher}}" \
      'BEGIN {printf "status %d after %.1f s; %s\n", s, b - a, w}' >>"$work/$number"
  fi
}

# ended_well SECONDS, of job.
ended_well() {
  local lines wanted
  (($1 < 100)) || return
  if ((status == 0)); then
    (($(grep -c '^verified' "$work/$number") == 1))
    return
  fi
  [[ $sent && $signal != PAUSE ]] || return
  lines=$(grep -a FATAL "$work/$number")
  case $signal in
    SEGV | ABRT) wanted=73 ;;
    STOP) wanted=76 ;;
    *) wanted=$((128 + $(kill -l "$signal"))) ;;
  esac
  ((status == wanted)) || return
  if [[ ! $locale ]]; then
    [[ ! $lines ]]
  else # "[locale 3 core 1] FATAL: ..." or "orujo: FATAL: signal KILL ended locale 3 ..."
    [[ $lines =~ "locale $locale"[^0-9] && $lines != *$'\n'* ]]
  fi
}

# The remains of the jobs, in files and processes.
left_files() {
  find "$work/tmp" -mindepth 2
  grep -lsF "$work/" /dev/shm/orujo-job.*/lock
}
left_processes() { grep -lszF "TMPDIR=$work/tmp/" /proc/[0-9]*/environ; }

touch "$work/unheard" "$work/ended"
for ((k = 0; k < load; k++)); do
  while :; do :; done &
  busy+=($!)
  disown # for it nobody waits
done
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
((${#signals[@]} == 0)) || echo "signals ended $(wc -l <"$work/ended"), by status: $(sort "$work/ended" | uniq -c | awk '{n = $1; $1 = ""; printf "%s%s %d times", (NR > 1 ? "," : ""), $0, n}')"
echo "mpirun did not notice in time the end of $(wc -l <"$work/unheard")"
files=$(left_files) processes=$(left_processes)
echo "$(wc -w <<<"$files") files and $(wc -w <<<"$processes") processes left${files:+: $files}"
echo "$jobs jobs, $failed failed"
((failed == 0)) && [[ ! $files && ! $processes ]]
