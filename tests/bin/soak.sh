#!/usr/bin/env bash
# Runs very many short jobs, several at a time, each by a launcher of its own, and shows those that do not end as they
# should: with status 0, and with a result that was verified.
#   tests/bin/soak.sh [JOBS=200] [AT_A_TIME=4] [PROGRAM=build/release/applications/pagerank]
# Ends with the line "N jobs, N failed", and with status 1 if any failed. It also says of how many mpirun did not hear in
# time that they had ended well, which the launcher sets right.
set -uo pipefail

root=$(dirname "$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")")
jobs=${1:-200} at_a_time=${2:-4} program=${3:-$root/build/release/applications/pagerank}
splits=('2 1' '3 1' '2 2' '4 1') # locales and cores, in turn

for number in "$jobs" "$at_a_time"; do
  [[ $number =~ ^[1-9][0-9]{0,6}$ ]] || { sed -n '4s/^# */Usage: /p' "$0" >&2; exit 2; }
done
[[ -x $program ]] || { echo "$program is not built: bin/orujo build release pagerank" >&2; exit 66; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset "${!OMPI_@}" "${!PMIX_@}" "${!PMI_@}" "${!SLURM_@}"
export ORUJO_NO_SETUP=1 ORUJO_NO_BUILD=1

# job NUMBER: what it says stays in $work/NUMBER only if it fails.
job() {
  local split status=0 start=$EPOCHREALTIME
  read -ra split <<<"${splits[$1 % ${#splits[@]}]}"
  timeout -k 5 120 "$root/bin/orujo" run -n "${split[0]}" -c "${split[1]}" "$program" --generate=kronecker:8 --top=0 --verify \
    >"$work/$1" 2>&1 </dev/null || status=$?
  ! grep -q '^orujo: mpirun did not hear' "$work/$1" || echo >>"$work/unheard"
  if ((status == 0)) && (($(grep -c '^verified' "$work/$1") == 1)); then
    rm "$work/$1"
  else
    awk -v a="$start" -v b="$EPOCHREALTIME" -v s="$status" 'BEGIN {printf "status %d after %.1f s\n", s, b - a}' >>"$work/$1"
  fi
}

touch "$work/unheard"
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
echo "mpirun did not hear in time of the end of $(wc -l <"$work/unheard")"
echo "$jobs jobs, $failed failed"
((failed == 0))
