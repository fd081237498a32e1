#!/usr/bin/env bash
# Tests bin/orujo run in a project of fakes: commands, one machine, signals, ends.
# shellcheck disable=SC2016 # the fakes' scripts are quoted
set -eEuo pipefail
source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/fakes.sh"

test_usage_errors() {
  orujo run --retries=some show
  check 'retries that are not a number are refused' eval 'status_is 2 && one_line_of_ours'
  orujo
  check 'without arguments it helps' status_is 0
  orujo frobnicate
  check 'an unknown command is a usage error' status_is 2
  check 'which is one line' one_line_of_ours
  orujo tune -n
  check 'an option of tune without its value is a usage error' status_is 2
  orujo tset
  check 'and names the one that may be meant' says "did you mean test?"
  orujo run --frobnicate show
  check 'an unknown option is a usage error' status_is 2
  check 'which is one line' one_line_of_ours
  orujo run -n 0 show
  check 'no locales are a usage error' status_is 2
  orujo run -n
  check 'an option without its value is a usage error' status_is 2
  orujo run nothing
  check 'an unknown application is a usage error' status_is 2
  check 'and says where the known ones are' says 'bin/orujo list'
  orujo run shwo
  check 'it names the one that may be meant' says 'did you mean show?'
  orujo run show -n 2
  check 'an option after the application says where it belongs' \
    eval 'status_is 2 && one_line_of_ours && says "^orujo: -n belongs before show: bin/orujo run -n 2 show$"'
  orujo run show --hosts=a:2 --flag
  check '... with its value' eval 'status_is 2 && says "^orujo: --hosts belongs before show: bin/orujo run --hosts=a:2 show$"'
  orujo run "$work/build/release/applications/show" -n 2
  check 'but programs of others may have such flags' eval 'status_is 0 && prints " -n 2$"'
  orujo run --dry-run -np 2 show
  check "mpirun's -np is -n" eval 'status_is 0 && says "^orujo: 2 locales"'
  sed -n '/^project(/p' "$source_root/CMakeLists.txt" >"$work/CMakeLists.txt"
  orujo --version
  check 'it knows its version' grep -Eqx 'orujo [0-9]+[.][0-9]+[.][0-9]+( .*)?' "$work/out"
  orujo run ./no_such_program
  check 'a path must lead to a program' status_is 66
  orujo run --preset=nothing show
  check 'an unknown preset is a usage error' status_is 2
  local command
  for command in setup build install new run tune test bench doctor list; do
    orujo help $command
    check "help $command says how to use it" prints "^Usage: bin/orujo $command"
  done
}

test_one_locale() {
  orujo run -c 2 show --flag 'two words'
  check 'one locale runs without launcher' prints '^rank none of none: --cores=2 --flag two words$'
  orujo run show
  check 'it gets all CPUs' prints "^rank none of none: --cores=$(env -u OMP_NUM_THREADS nproc)\$"
  check 'the choice is one line' one_line_of_ours
  orujo run leave 65
  check 'its status passes through' status_is 65
  orujo run die
  check 'a signal that ends it shows in the status' status_is 139
  check 'nothing is left' leaves_nothing
  "$work/bin/orujo" run input <<<'some input' >"$work/out" 2>/dev/null
  check 'it reads standard input' prints '^some input$'
}

test_closed_descriptors() {
  local count
  for count in 1 2; do
    status=0
    timeout -k 5 60 "$work/bin/orujo" run -n $count -c 1 input <&- >"$work/out" 2>"$work/err" || status=$?
    check "a closed stdin is empty (-n $count)" eval 'status_is 0 && one_line_of_ours'
    status=0
    timeout -k 5 60 "$work/bin/orujo" run -n $count -c 1 show </dev/null >"$work/out" 2>&- || status=$?
    check 'a closed stderr is no error' eval 'status_is 0 && prints "^rank .*: --cores=1$"'
    status=0
    timeout -k 5 60 "$work/bin/orujo" run -n $count -c 1 leave 65 <&- >&- 2>&- || status=$?
    check 'nor are all of them' status_is 65
  done
  status=0
  timeout -k 5 60 "$work/bin/orujo" run -n 2 -c 1 show >&- 2>"$work/err" </dev/null || status=$?
  check 'but a closed stdout is where something is written' eval 'status_is 74 && says "^orujo: FATAL: cannot write the job.s output"'
}

test_many_locales() {
  orujo run -n 3 -c 1 show flag
  check 'three locales run under mpirun' prints_lines "$(printf 'rank %s of 3: --cores=1 flag\n' 0 1 2)"
  check 'the choice is one line' one_line_of_ours
  local value
  for value in 2 65 66; do
    orujo run -n 3 leave $value
    check "status $value of all locales passes through" status_is $value
    check 'mpirun adds no banner' one_line_of_ours
  done
  orujo run -n 2 die
  check 'a signal that ends them shows in the status' status_is 139
  check 'nothing is left' leaves_nothing
}

# Writing may fail in the job, and on the way through the launcher.
test_output() {
  local count
  for count in 1 2; do
    fresh_pids
    status=0
    "$work/bin/orujo" run -n $count chatter "$work/pids" 2>"$work/err" | head -n 1 >"$work/out" || status=${PIPESTATUS[0]}
    check "$count locales end when nobody reads what they say" status_is 141
    check 'quietly' eval 'one_line_of_ours && prints "^y$"'
    check 'nothing is left' leaves_nothing
  done
  status=0
  timeout -k 5 60 "$work/bin/orujo" run -n 2 show >/dev/full 2>"$work/err" || status=$?
  check 'a full disk is an error' status_is 74
  check 'which is told' says "^orujo: FATAL: cannot write the job's output: No space left on device$"
  status=0
  timeout -k 5 60 "$work/bin/orujo" run -n 2 leave 65 >/dev/full 2>"$work/err" || status=$?
  check 'the status of the job comes first' status_is 65
  local stuck
  mkfifo "$work/stuck"
  exec {stuck}<>"$work/stuck"
  fresh_pids
  "$work/bin/orujo" run -n 2 chatter "$work/pids" >"$work/stuck" 2>"$work/err" </dev/null {stuck}<&- &
  launcher=$!
  await has_pids 2
  end_with TERM
  check 'a job whose output is stuck can be ended' status_is 143
  check 'nothing is left' leaves_nothing
  exec {stuck}<&-
}

test_retries() {
  orujo run --retries=2 lose "$work/lost" 2 --checkpoint_dir=kept
  check 'a job that is lost twice is started again from its checkpoint' eval 'status_is 0 && prints "^done: --checkpoint_dir=kept --resume$"'
  check 'which is said' eval '(($(grep -c "^orujo: starts the job again, from its last checkpoint" "$work/err") == 2))'
  orujo run --retries=1 lose "$work/lost_more" 2
  check 'but not more often than it may be' eval 'status_is 137 && says "starts the job again, from its beginning"'
  orujo run --retries=2 -n 2 end begun 000 KILL
  check 'so is one of several locales' eval 'status_is 137 && (($(grep -c "starts the job again" "$work/err") == 2))'
  orujo run --retries=2 leave 65
  check 'one that has failed by itself is not' eval 'status_is 65 && ! says "starts the job again"'
  check 'nothing is left' leaves_nothing
}

# Without the checks mpirun would hang.
test_little_room() {
  status=0
  (ulimit -n 32 && exec "$work/bin/orujo" run -n 2 show) >"$work/out" 2>"$work/err" </dev/null || status=$?
  check 'too few open files are refused' status_is 71
  check 'in one line with the remedy' eval 'one_line_of_ours && says "ulimit -n 76$"'
  status=0
  (ulimit -S -n 32 && exec "$work/bin/orujo" run -n 2 -c 1 show) >"$work/out" 2>"$work/err" </dev/null || status=$?
  check 'but raised where the user may raise them' status_is 0
  status=0
  (ulimit -s 64 && ORUJO_NO_BUILD=1 exec "$work/bin/orujo" run -n 2 show) >"$work/out" 2>"$work/err" </dev/null || status=$?
  check 'so is a small stack' eval 'status_is 71 && one_line_of_ours && says "ulimit -s 1024$"'
  status=0
  (ulimit -s 64 && exec "$work/bin/orujo" run show) >"$work/out" 2>"$work/err" </dev/null || status=$?
  check 'which does not do for a build either' eval 'status_is 71 && one_line_of_ours && says "^orujo: a build requires .*ulimit -s 1024$"'
  status=0
  (ulimit -S -s 64 && exec "$work/bin/orujo" run -n 2 -c 1 show) >"$work/out" 2>"$work/err" </dev/null || status=$?
  check 'unless it may be raised' status_is 0
  mkdir "$work/removed"
  status=0
  (cd "$work/removed" && rmdir "$work/removed" && exec "$work/bin/orujo" run -n 2 show) >"$work/out" 2>"$work/err" </dev/null || status=$?
  check 'a working directory that is gone is told' eval 'status_is 71 && says "^orujo: mpirun requires the working directory, which has been removed"'
  with TMPDIR="$work/nowhere" -- run show
  check 'a TMPDIR that is not there is refused' eval 'status_is 71 && one_line_of_ours && says "set TMPDIR$"'
  if ! unshare -nm true 2>/dev/null; then
    echo 'skipped where there is little room: file systems cannot be mounted here'
    return
  fi
  status=0
  unshare -n timeout -k 5 60 "$work/bin/orujo" run -n 2 show >"$work/out" 2>"$work/err" </dev/null || status=$?
  check 'without the loopback interface there are no two locales' eval 'status_is 71 && one_line_of_ours && says "ip link set lo up$"'
  status=0
  unshare -n sh -c 'ip link set lo up && ip link set lo down && exec "$@"' sh timeout -k 5 60 "$work/bin/orujo" run -n 2 show \
    >"$work/out" 2>"$work/err" </dev/null || status=$?
  check 'nor where it has been taken down' eval 'status_is 71 && one_line_of_ours && says "ip link set lo up$"'
  status=0
  unshare -m sh -c 'mount -t tmpfs none /proc && exec "$@"' sh timeout -k 5 60 "$work/bin/orujo" run show \
    >"$work/out" 2>"$work/err" </dev/null || status=$?
  check 'without /proc there is no job' eval 'status_is 71 && one_line_of_ours && says "mount -t proc proc /proc$"'
  in_room_of 32k 64m run show
  check 'a full TMPDIR is refused' eval 'status_is 71 && one_line_of_ours && says "full: make room"'
  in_room_of 1m 64m run -n 2 -c 1 show
  check 'little room there does' eval 'status_is 0 && one_line_of_ours'
  in_room_of 64m 1m run -n 2 -c 1 show
  check 'and so does little shared memory, which is told' eval 'status_is 0 && says "^orujo: /dev/shm has little space"'
  in_room_of 8m 1m run -n 2 show
  check 'but not both' eval 'status_is 71 && one_line_of_ours && says "requires 24 MiB in /dev/shm or in "'
  in_room_of 8m 1m doctor
  check 'which doctor says, too' eval 'status_is 1 && prints "^problem  job of 2 locales: .* requires 24 MiB"'
}

# in_room_of TMPDIR_SIZE SHM_SIZE ARGUMENT...
in_room_of() {
  status=0
  unshare -m sh -c 'mount -t tmpfs -o size="$1" none "$TMPDIR" && mount -t tmpfs -o size="$2" none /dev/shm && shift 2 && exec "$@"' \
    sh "$1" "$2" timeout -k 5 60 "$work/bin/orujo" "${@:3}" >"$work/out" 2>"$work/err" </dev/null || status=$?
}

test_signals() {
  local number_of=([1]=HUP [2]=INT [15]=TERM) signal
  for signal in 15 2 1; do
    start 6 run -n 3 wait
    end_with "${number_of[signal]}"
    check "SIG${number_of[signal]} ends three locales" status_is $((128 + signal))
    check 'nothing is left' leaves_nothing
  done
  start 2 run wait
  end_with TERM
  check 'SIGTERM ends one locale' status_is 143
  check 'nothing is left' leaves_nothing
  start 1 run stubborn
  end_with TERM
  check 'one that ignores SIGTERM is killed' status_is 137
  check 'nothing is left' leaves_nothing
  start 6 run -n 3 wait
  kill -s USR1 "$launcher"
  check 'SIGUSR1 reaches every locale' await has_usr1 3
  end_with TERM
  fresh_pids
  orujo run litter "$work/pids"
  check 'children that outlive the job leave its status alone' status_is 0
  check 'and are ended' await leaves_nothing
}

test_killed_launcher() {
  start 6 run -n 3 wait
  local mpirun
  mpirun=$(<"/proc/$launcher/task/$launcher/children")
  kill -KILL "${mpirun%% *}"
  status=0
  wait "$launcher" 2>/dev/null || status=$?
  check 'a killed mpirun shows in the status' eval 'status_is 137 && says "FATAL: signal KILL ended mpirun or a locale"'
  check 'nothing is left' leaves_nothing
  start 3 run -n 3 nap
  mpirun=$(<"/proc/$launcher/task/$launcher/children")
  kill -TERM "${mpirun%% *}"
  status=0
  wait "$launcher" 2>/dev/null || status=$?
  check 'one that is ended otherwise does, too' eval 'status_is 1 && says "FATAL: mpirun ended with status 1 and named no locale"'
  start 3 run -n 3 nap
  kill -KILL "$launcher"
  wait "$launcher" 2>/dev/null || true
  check 'a killed launcher ends its job' await no_process_left
  check 'the next job sweeps what it left' await next_job_leaves_nothing
  start 1 run stubborn
  kill -KILL "$launcher"
  wait "$launcher" 2>/dev/null || true
  orujo run show
  check 'but not while some of that job lives' compgen -G "$work/tmp/orujo-job.*" >/dev/null
  kill -KILL "$(pids)"
  check 'only afterwards' await next_job_leaves_nothing
}

# Beside a live job lie directories that lead to it by their names or links, as another user may create them in /tmp.
# Beside it are also directories of launchers that were killed before they had a lock.
test_sweep() {
  local live other
  start 1 run nap
  live=$(echo "$work/tmp/orujo-job."*)
  other=$live$'\n'
  echo content >"$work/lock"
  mkdir "$other" "$work/tmp/orujo-job."{old,new}
  ln -s "$work/lock" "$other/lock"
  touch "$work/tmp/orujo-job.old/lock"
  touch -d '2 minutes ago' "$work/tmp/orujo-job.old"
  ((EUID != 0)) || chown -h nobody "$other" "$other/lock"
  orujo run show
  check 'the directory of a live job stays, whatever lies beside it' test -d "$live"
  check "and so does another user's" test -d "$other"
  check 'one that never had a lock goes after a minute' test ! -e "$work/tmp/orujo-job.old"
  check 'but not before' test -d "$work/tmp/orujo-job.new"
  rm -r "$other" "$work/tmp/orujo-job.new"
  end_with TERM
  check 'nothing is left' leaves_nothing
}

# The first of these two processes is of session 7, and the other has ended after the listing of its folder.
test_processes_that_end_meanwhile() {
  mkdir -p "$work/proc/"{11,12}
  echo '11 (a) b (c) S 1 11 7 0 -1' >"$work/proc/11/stat"
  ln -s nowhere "$work/proc/12/stat"
  job=7 bash -euc 'source "$0"; session_processes "$1"' "$work/bin/commands/leftovers.sh" "$work/proc" >"$work/out" 2>"$work/err"
  check 'what has ended is not taken for a process of the job' prints_lines 11
  rm -r "$work/proc"
}

test_nested() {
  with OMPI_COMM_WORLD_SIZE=4 -- run show
  check 'under mpirun it joins the job' prints '^rank none of 4: $'
  with OMPI_COMM_WORLD_SIZE=4 -- run -n 4 -c 3 show
  check 'the right -n and a -c are taken' prints '^rank none of 4: --cores=3$'
  with PMI_SIZE=4 -- run -n 3 show
  check 'a wrong -n is a usage error' status_is 2
  with SLURM_STEP_ID=0 SLURM_PROCID=1 SLURM_NTASKS=2 -- run -n 2 show
  check 'under srun it joins the job' prints '^rank none of none: $'
  with SLURM_STEP_ID=4294967291 SLURM_PROCID=0 SLURM_NTASKS=2 -- run -n 1 -c 1 show
  check 'the shell of sbatch is no job' prints 'cores=1$'
  mv "$work/build/release/applications/show" "$work/build/show"
  with PMI_SIZE=4 -- run show
  check 'what is not built is a clear error' says 'is not built'
  mv "$work/build/show" "$work/build/release/applications/show"
}

# Bash runs commands in what it takes for a number.
test_numbers_of_the_environment() {
  local variable code='BASH_VERSINFO[$(touch "$0.ran")]' inside=(SLURM_PROCID=1 SLURM_STEP_ID=0) allocated=(SLURM_JOB_ID=7)
  printf '#!/bin/sh\n' >"$work/fakes/srun"
  chmod +x "$work/fakes/srun"
  for variable in OMPI_COMM_WORLD_SIZE PMI_SIZE SLURM_STEP_ID SLURM_STEP_NUM_TASKS SLURM_NTASKS \
    SLURM_JOB_NUM_NODES SLURM_JOB_CPUS_PER_NODE; do
    local others=("${inside[@]}")
    [[ $variable != SLURM_JOB* ]] || others=("${allocated[@]}" "PATH=$work/fakes:$PATH")
    with "${others[@]}" "$variable=$code" -- run --dry-run -n 2 show
    check "$variable that is not a number is refused" eval 'status_is 2 && one_line_of_ours && says "^orujo: $variable "'
    check 'and not run' eval '! compgen -G "$work/bin/*.ran" >/dev/null'
  done
  with PMI_SIZE=08 -- run -n 2 show
  check 'so is a number that bash would not read' status_is 2
  with "${allocated[@]}" "PATH=$work/fakes:$PATH" SLURM_JOB_NUM_NODES=0 -- run --dry-run -n 2 show
  check 'and one that is to be divided by' eval 'status_is 2 && one_line_of_ours'
  rm "$work/fakes/srun"
  local ran='! compgen -G "$work/*.ran" >/dev/null'
  code="PATH[\$(>$work/x.ran)]"
  for value in "a=$code:2" "a,b=$code:2" "$code" "a:$code" "a:2,b:$code"; do
    orujo run --dry-run "--hosts=$value" show
    check "hosts are no place for a command (${value//$work/})" eval 'status_is 2 && one_line_of_ours'
    orujo doctor "--hosts=$value"
    check 'for doctor neither' eval "status_is 2 && $ran"
  done
  for variable in -n -c --retries; do
    orujo run --dry-run $variable "$code" show
    check "neither is $variable" eval "status_is 2 && one_line_of_ours && $ran"
    orujo run --dry-run $variable 08 show
    check "and bash's other ways to write numbers are not ours" eval 'status_is 2 && one_line_of_ours'
  done
}

test_dry_run() {
  orujo run --dry-run -c 2 show 'two words'
  check 'a dry run prints the program' prints "/applications/show --cores=2 'two words'\$"
  orujo run --dry-run -n 1000 show
  check 'or mpirun with its options' prints '^mpirun .*-n 1000 .*--mca btl vader,self .*/applications/show --cores=1$'
  check 'and makes nothing' leaves_nothing
  with OMPI_MCA_btl=tcp,self ORUJO_MPIRUN_FLAGS='--mca pml cm' -- run --dry-run -n 2 show
  check 'the choices of the user win' eval '! prints "btl |pml ob1" && prints "pml cm"'
  echo 'elsewhere slots=4' >"$work/hosts"
  orujo run --dry-run -n 2 --hostfile "$work/hosts" show
  check 'a hostfile leaves the network alone, but watches it' \
    eval 'prints "hostfile .*oob_tcp_keepalive_time 3" && ! prints "vader,self|oob_tcp_if_include"'
  printf '#!/bin/sh\n' >"$work/fakes/srun"
  chmod +x "$work/fakes/srun"
  with PATH="$work/fakes:$PATH" SLURM_JOB_ID=7 'SLURM_JOB_CPUS_PER_NODE=8(x2)' SLURM_JOB_NUM_NODES=2 -- run --dry-run -n 4 show
  check 'inside a Slurm allocation srun starts the job' \
    prints '^srun -n 4 --mpi=pmix .*--cpus-per-task=4 .*/show --cores=4$'
}

status=0
make_project
test_usage_errors
test_one_locale
test_closed_descriptors
test_many_locales
test_output
test_retries
test_little_room
test_signals
test_killed_launcher
test_sweep
test_processes_that_end_meanwhile
test_nested
test_numbers_of_the_environment
test_dry_run
end_of_cases
