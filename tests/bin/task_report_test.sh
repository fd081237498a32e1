#!/usr/bin/env bash
# SIGUSR1 to bin/orujo makes every core of the job say where its tasks are.  task_report_test.sh WAITING_TASKS
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
program=$1
launcher=
source "$root/tests/cases.sh"
trap 'end_job; rm -rf "$work"' EXIT
export ORUJO_NO_SETUP=1

# start LOCALES CORES LINE FLAG...: the job in the background, until it has printed LINE.
start() {
  local locales=$1 cores=$2 line=$3
  shift 3
  : >"$work/out"
  : >"$work/err"
  "$root/bin/orujo" run -n "$locales" -c "$cores" "$program" --watchdog_seconds=0 "$@" >"$work/out" 2>"$work/err" </dev/null &
  launcher=$!
  await_line 1 "$work/out" "^$line\$"
}
end_job() {
  [[ $launcher ]] || return 0
  kill -TERM "$launcher" 2>/dev/null
  wait "$launcher" 2>/dev/null
  launcher=
}

# await_line COUNT FILE PATTERN waits for COUNT lines that match. It gives up when the job ends, or after 60 s.
await_line() {
  local i
  for ((i = 0; i < 600; i++)); do
    (($(grep -cE -- "$3" "$2") < $1)) || return 0
    kill -0 "$launcher" 2>/dev/null || break
    sleep 0.1
  done
  return 1
}


for split in '1 2' '2 1' '2 2'; do
  # shellcheck disable=SC2086
  start $split waiting
  read -r locales cores <<<"$split"
  all=$((locales * cores))
  kill -USR1 "$launcher" 2>/dev/null
  check "on $split every core reports" await_line $all "$work/err" '^\[locale [0-9]+ core [0-9]+\] [34] tasks begun, 0 not begun$'
  check 'each names the tasks that wait for each other' \
    await_line $all "$work/err" '^\[.*\]   2 x .*deadlock_here.* waits for a full/empty bit to become full$'
  check 'and the one that waits for a mutex' await_line $all "$work/err" '^\[.*\]   1 x .*deadlock_here.* waits for a mutex$'
  check 'core 0 names the main task, and where it called what it waits for' await_line 1 "$work/err" \
    '^\[locale 0 core 0\]   1 x main waits for the other members of a collective at waiting_tasks.cpp:[0-9]+$'
  if [[ $(uname -m) == x86_64 ]]; then
    check 'with its frames' await_line $all "$work/err" '^\[.*\]       .*wait_for_the_other\('
  fi
  kill -USR1 "$launcher" 2>/dev/null
  check 'a second request is answered too' await_line $((2 * all)) "$work/err" 'tasks? begun, 0 not begun$'
  end_job
done

start 2 2 computing --computing_core=3
kill -USR1 "$launcher" 2>/dev/null
check 'a core that does not yield is named' await_line 1 "$work/err" '^\[locale 1 core 3\] running .*wait_for_ever.*, has not yielded$'
check 'with the function it is in' await_line 1 "$work/err" '^\[locale 1 core 3\]       .*compute_without_end\('
check 'the others report' await_line 3 "$work/err" 'tasks? begun'
end_job

end_of_cases
