#!/usr/bin/env bash
# How jobs of the runtime end, as bin/orujo run sees it: locales that leave, are killed, or end well where mpirun does not
# listen.  ends_test.sh WAITING_TASKS APPLICATION (that takes a graph) OWN_MPI
# Skipped (status 4) without a C compiler.
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
waiting_tasks=$1 application=$2 own_mpi=$3
launcher=
source "$root/tests/cases.sh"
trap 'end_job; rm -rf "$work"' EXIT
forget_jobs
export ORUJO_NO_SETUP=1 ORUJO_NO_BUILD=1 TMPDIR=$work/tmp
mkdir "$TMPDIR"
cc -shared -fPIC -o "$work/interfere.so" "$root/tests/bin/interfere.c" -ldl || exit 4

end_job() {
  [[ ! $launcher ]] || kill -TERM "$launcher" 2>/dev/null
  wait
}

# begin LOCALES CORES: starts a job that waits without end, with `flags`.
flags=(--watchdog_seconds=0)
begin() {
  : >"$work/out"
  LD_PRELOAD=$work/interfere.so LEAVE_STATUS=${leave_status:-} \
    "$root/bin/orujo" run -n "$1" -c "$2" "$waiting_tasks" "${flags[@]}" >"$work/out" 2>"$work/err" </dev/null &
  launcher=$!
  await prints '^(waiting|computing)$' || { echo 'the job does not begin'; exit 1; }
}
process_of() { awk '{print $3}' "$TMPDIR"/orujo-job.*/last_words/"$1"; }

# leave LOCALES CORES LOCALE SIGNAL [STATUS]: the signal to this locale of such a job.
leave() {
  leave_status=${5:-} begin "$1" "$2"
  kill -s "$4" "$(process_of "$3")"
  status=0
  wait "$launcher" || status=$?
  launcher=
}
ends_with() { ((status == $1)) && says "^orujo: FATAL: $2" && (($(grep -c FATAL "$work/err") == 1)); }

# local_addresses: where processes of the job's session listen.
local_addresses() {
  local process
  for process in $(ps -s "$(ps -o sid= -p "$(process_of 0)" | tr -d ' ')" -o pid=); do
    ss -H -ltunp | awk -v process="pid=$process," 'index($0, process) {print $5}'
  done
}
all_are_local() { ! grep -vE '^(127[.][0-9.]+|\[::1\]):[0-9]+$' "$work/out"; }
begin 2 1
local_addresses >"$work/out"
check 'mpirun listens' test -s "$work/out"
check 'but, in a job on one node, to this machine alone' all_are_local
end_job
launcher=

leave 1 2 0 USR2 3
check 'exit(3) in a job of one locale is named' ends_with 3 'locale 0 .process [0-9]+ on [^ ]+. ended with status 3 in the middle of the job'
leave 1 2 0 USR2 0
check 'exit(0) is no success' ends_with 70 'locale 0 .process [0-9]+ on [^ ]+. ended with status 0 in the middle of the job'
leave 2 1 1 USR2 3
check 'exit(3) in one of two locales is named' ends_with 3 'locale 1 .process [0-9]+ on [^ ]+. ended with status 3 in the middle of the job'
leave 2 1 1 USR2 0
check 'so is exit(0), which is no success' ends_with 70 'locale 1 .process [0-9]+ on [^ ]+. ended with status 0 in the middle of the job'
leave 3 1 2 KILL
check 'a locale that is killed is named' ends_with 137 'signal KILL ended locale 2 .process [0-9]+ on [^ ]+. from outside, and the job with it$'
leave 3 1 1 TERM
check 'so is one that is asked to end' ends_with 143 'signal TERM ended locale 1 .process [0-9]+ on [^ ]+. from outside'
leave 2 1 1 SEGV
check 'one that can say FATAL says it' eval '((status == 73)) && says "^.locale 1.* FATAL: signal 11" && ! says "^orujo: FATAL"'

flags=(--watchdog_seconds=2 --computing_core=0)
leave 3 1 1 STOP
check 'a locale that is stopped is named, though another one computes' \
  eval '((status == 76)) && says "^.locale 0. FATAL: no sign of life from locale 1 .process [0-9]+, T" && (($(grep -c FATAL "$work/err") == 1))'
leave 3 1 0 STOP
check 'so is the first' eval '((status == 76)) && says "^.locale 1. FATAL: no sign of life from locale 0 "'
flags=(--watchdog_seconds=1)
leave 2 2 1 CONT
check 'a job whose tasks all wait ends' eval '((status == 75)) && says "^.locale 0. FATAL: the job hangs"'
check 'each core says what its tasks wait for' eval '(($(grep -c "2 x .*deadlock_here.* waits for a full/empty bit" "$work/err") == 4))'

# Nobody has a pulse then.
for place in begin end; do
  status=0
  ORUJO_MPIRUN_FLAGS="-x LD_PRELOAD=$work/interfere.so -x STOPPED=2 -x STOPPED_AT=$place" \
    timeout 60 "$root/bin/orujo" run -n 4 -c 1 "$application" --generate=kronecker:8 --top=0 --watchdog_seconds=1 >"$work/out" 2>"$work/err" </dev/null || status=$?
  check "so is one that is stopped while MPI is about to $place" \
    eval '((status == 76)) && says "^.locale 1. FATAL: no sign of life from locale 2 .process [0-9]+, T" && (($(grep -c FATAL "$work/err") == 1))'
done

# deaf SECONDS
deaf() {
  status=0
  ORUJO_MPIRUN_FLAGS="-x LD_PRELOAD=$work/interfere.so -x DEAF_SECONDS=$1" \
    "$root/bin/orujo" run -n 2 -c 1 "$application" --generate=kronecker:8 --verify --top=0 >"$work/out" 2>"$work/err" </dev/null || status=$?
}
# 4 s the locales wait for; later, unless it happens to look in the other order, mpirun takes one that is done for lost.
for seconds in 4 7; do
  deaf $seconds
  check "a verified job ends well though mpirun did not listen for $seconds s at its end" eval '((status == 0)) && prints "^verified"'
done
# run COMMAND...
run() {
  status=0
  "$@" >"$work/out" 2>"$work/err" </dev/null || status=$?
}
on_one_core=(--cores=1 --generate=kronecker:6 --top=0)
run env SLURM_STEP_ID=0 SLURM_PROCID=0 SLURM_STEP_NUM_TASKS=2 "$application" "${on_one_core[@]}"
check 'what srun has started without PMIx is not run twice' \
  eval '((status == 2)) && says "SLURM_STEP_NUM_TASKS is 2, but MPI sees only this process" && (($(wc -l <"$work/err") == 1))'
run env SLURM_STEP_ID=0 SLURM_PROCID=1 SLURM_STEP_NUM_TASKS=2 "$application" "${on_one_core[@]}"
check 'which the first of them says' eval '((status == 2)) && [[ ! -s $work/err ]]'
run env OMPI_MCA_ess_singleton_isolated=1 PMI_RANK=0 PMI_SIZE=2 "$application" "${on_one_core[@]}"
check "nor what another MPI's mpirun has started" eval '((status == 2)) && says "PMI_SIZE is 2"'
run env OMPI_MCA_ess_singleton_isolated=1 PMI_RANK=1 PMI_SIZE=2 "$own_mpi" --serialized
check '... of a program that has initialised its own MPI' eval '((status == 2)) && [[ ! -s $work/err ]]'
run env SLURM_STEP_ID=0 SLURM_PROCID=0 SLURM_STEP_NUM_TASKS=2 "$application" "${on_one_core[@]}" --locales=1
check 'but who says so has a job in each' test $status = 0
run "$root/bin/orujo" run -n 2 -c 1 "$own_mpi" --serialized
check 'a program may initialise MPI itself' eval '((status == 0)) && prints "^2 locales$"'
says_twice() { (($(grep -cx "$1" "$work/out") == 2)); }
for locales in 1 2; do
  run "$root/bin/orujo" run -n $locales -c 2 "$own_mpi" --again
  check "... and run two jobs, on $locales locales" eval '((status == 0)) && says_twice "$locales locales" &&
    says_twice "$((2 * locales)) cores, whose numbers from 1 on add up to $((locales * (2 * locales + 1)))" &&
    ! prints "a core after the job"'
done
run "$root/bin/orujo" run -n 2 -c 1 "$own_mpi" --run_twice
check 'a second job that would initialise MPI again is refused, in words' \
  eval '((status == 78)) && prints "^2 locales$" && says "FATAL: a job after MPI_Finalize, and MPI cannot be initialised again"'
run "$own_mpi" --run_twice
check '... where the first has not needed MPI there is nothing to refuse' eval '((status == 0)) && says_twice "1 locales"'
run "$root/bin/orujo" run -n 2 -c 1 "$own_mpi"
check 'or learns what it takes' eval '((status == 78)) && says "FATAL: MPI_Init before the job"'
run "$root/bin/orujo" run -n 2 -c 1 "$own_mpi" --multiple
check 'sessions come and go beside it' \
  eval '((status == 0)) && prints "^session 1 of 2 locales: 3 and 3$" && prints "^session 2 of 2 locales: 6 and 6$"'
run "$root/bin/orujo" run -n 2 -c 1 "$own_mpi" --twice
check 'a second session that would initialise MPI again is refused, in words' \
  eval '((status == 0)) && ! prints "^session 1" && prints "^session 2: status 78, a job after MPI_Finalize, "'
check 'nothing is left' test -z "$(find "$TMPDIR" -mindepth 1)"

end_of_cases
