#!/usr/bin/env bash
# bin/gdb_tasks.py lists the tasks of a process and shows their stacks.  gdb_tasks_test.sh WAITING_TASKS
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
program=$1
if ! command -v gdb >/dev/null || ! gdb -nx -batch -ex 'python print(1)' >/dev/null 2>&1; then
  echo 'skipped: no gdb with Python here'
  exit 4
fi
if [[ $(uname -m) != x86_64 ]]; then
  echo 'skipped: the stacks of suspended tasks can be shown on x86-64 only'
  exit 4
fi
job=
source "$root/tests/cases.sh"
trap '[[ ! $job ]] || kill -KILL $job; rm -rf "$work"' EXIT
export ORUJO_NO_SETUP=1

count_is() { (($(grep -cE -- "$2" "$work/out") == $1)); }

# in_gdb ARGUMENT... -- COMMAND...
in_gdb() {
  local arguments=() commands=()
  while [[ $1 != -- ]]; do arguments+=("$1"); shift; done
  shift
  for command; do commands+=(-ex "$command"); done
  timeout 120 gdb -nx -batch -iex 'set debuginfod enabled off' -x "$root/bin/gdb_tasks.py" "${commands[@]}" \
    "${arguments[@]}" >"$work/out" 2>&1 </dev/null
}

in_gdb --args "$program" --cores=2 -- 'set breakpoint pending on' 'break puts' 'run' 'tasks' \
  'task 1' 'backtrace' 'task back' 'backtrace' 'task 7' 'kill'
check 'all tasks are listed' eval 'prints "^7 tasks$" && count_is 1 "running +main$"'
check 'with what they wait for' count_is 5 'suspended .*deadlock_here.* waits for a full/empty bit' # one shown twice
check 'the stack of a suspended task is shown' prints '^#[0-9]+ .*wait_for_the_other \('
check 'going back shows the running one again' prints '^#1 .*wait_for_ever \('
check 'a number that is none is refused' prints '^task N with N below 7'

in_gdb /bin/true -- 'tasks'
check 'another program is refused' prints 'no program of Orujo'

mkfifo "$work/lines"
"$program" --cores=2 --watchdog_seconds=0 >"$work/lines" 2>"$work/err" &
job=$!
read -r _ <"$work/lines"
in_gdb -p "$job" -- 'tasks' 'task 1' 'backtrace'
if prints 'Operation not permitted'; then
  echo 'skipped: this system does not let gdb attach to a process'
else
  check 'gdb attaches' eval 'prints "^7 tasks$" && prints "wait_for_the_other \("'
  check 'and names waits by where they were called' \
    prints 'main waits for the other members of a collective at waiting_tasks.cpp:[0-9]+'
  kill -USR1 "$job"
  for ((i = 0; i < 200; i++)); do
    ! grep -q '4 tasks begun' "$work/err" || break
    sleep 0.1
  done
  cp "$work/err" "$work/out"
  check 'and the process goes on as if it had not' prints '4 tasks begun'
fi

end_of_cases
