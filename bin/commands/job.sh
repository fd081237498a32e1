# shellcheck shell=bash disable=SC2154 # globals of launcher.sh and run.sh
# Runs a job as a child in a session of its own, passes signals on to it, and removes all that is left of it.

grace_seconds=5
io_error=74
closed_pipe=141 # 128 + SIGPIPE

# The job that runs, or has run last.
job=''          # its process
job_status=0    # as run_job returns it; ends.sh corrects it
received=''     # the signal that the last wait was interrupted by
ending=''       # the signal that ends the job
lost=0          # status of its relay
relay='' listener='' watcher='' # processes of start_relay, listen_to_srun and free_launcher
input='' output='' errors=''    # descriptors of the job
relayed='' heard=''             # and the other ends of the latter two, if they are pipes

# The directories of the job, which remove_job_directories removes: its files, the shared memory of Open MPI, the locales'
# last words, and the files of a report that another host writes.
job_directory='' job_memory_directory='' words_directory='' far_report_directory=''

temporary_directory() { echo "${TMPDIR:-/tmp}"; }

# The resources that Open MPI uses at most, because it hangs if they are short. It takes 4 MiB of shared memory and 5
# open files for each locale, and 9 MiB and 30 files besides. Lanes take up to 16 MiB: 3 of four locales, 14 of eight.
shared_kib() { echo $((8192 * (locales + 1))); }
needed_files() { echo $((6 * locales + 64)); }

# A directory with room for the locales' shared memory; a container's /dev/shm may have only 64 MiB.
memory_directory() {
  local directory
  for directory in /dev/shm "$(temporary_directory)"; do
    if [[ -w $directory ]] && (($(free_kib "$directory") >= $(shared_kib))); then
      echo "$directory"
      return
    fi
  done
}

raise_file_limit() { may_have -n "$(needed_files)" || ulimit -S -n "$(needed_files)" 2>/dev/null || true; }

# Open MPI's processes on one machine communicate over it. This file lists only interfaces that are up.
loopback_is_up() { [[ ! -r /proc/net/igmp ]] || grep -qw lo /proc/net/igmp; }

# The resources that this machine lacks for the job of find_launcher, and the remedy; nothing if it can begin.
lack_for_job() {
  local temporary free remedy='make room there, or set TMPDIR'
  temporary=$(temporary_directory)
  if [[ ! -d $temporary || ! -w $temporary ]]; then
    echo "jobs require a directory for their files, and $temporary cannot be written: set TMPDIR"
    return
  fi
  free=$(free_kib "$temporary")
  if ((free < 64)); then
    echo "jobs require a directory for their files, and $temporary is full: $remedy"
  elif [[ $launcher == mpi* ]] && ! pwd -P >/dev/null 2>&1; then
    echo "$launcher requires the working directory, which has been removed: change to another one"
  elif [[ $launcher == mpi* && $(lack_of_stack) ]]; then
    echo "$launcher requires $(lack_of_stack)"
  elif [[ $several_nodes ]]; then
    ((free >= 16384)) || echo "a job on several nodes requires 16 MiB in $temporary: $remedy"
  elif [[ $launcher != mpi* ]]; then
    return
  elif [[ ! $(memory_directory) ]]; then
    echo "a job of $locales locales requires $(($(shared_kib) >> 10)) MiB in /dev/shm or in $temporary: $remedy"
  elif ! may_have -n "$(needed_files)"; then
    echo "a job of $locales locales requires $(needed_files) open files, and $(ulimit -n) are allowed: ulimit -n $(needed_files)"
  elif ! loopback_is_up; then
    echo "$launcher requires the loopback interface, which is down: ip link set lo up"
  fi
}

# The job's own directories: its files, and the locales' shared memory of Open MPI. Their locks tell the sweep of a
# later job that they are in use.
make_job_directories() {
  local lock lock_descriptor memory lack
  raise_file_limit
  lack=$(lack_for_job)
  [[ -z $lack ]] || fail 71 "$lack"
  trap remove_job_directories EXIT
  memory=$(memory_directory)
  [[ $launcher != mpi* || ! $memory || $memory == /dev/shm ]] || say "/dev/shm has little space; shared memory is in $memory"
  job_directory=$(mktemp -u "$(temporary_directory)/orujo-job.XXXXXX")
  job_memory_directory=$(mktemp -u "${memory:-$(temporary_directory)}/orujo-job.XXXXXX")
  # A signal ends us when they exist, so that they are removed, and while bash parses nothing: it would take the trap
  # for a part of it.
  trap 'exit 129' HUP
  trap 'exit 130' INT
  trap 'exit 131' QUIT
  trap 'exit 143' TERM
  mkdir -m 700 -- "$job_directory" "$job_memory_directory"
  trap - HUP INT QUIT TERM
  make_words_directory
  for lock in "$job_directory" "$job_memory_directory" "$words_directory"; do
    exec {lock_descriptor}>"$lock/lock"
    flock "$lock_descriptor"
    echo "$$ $job_directory" >&"$lock_descriptor"
  done
}

# The directory of the locales' last words. Locales on other nodes of Slurm usually find the working directory, as
# they find the program. Otherwise their ends are not known.
make_words_directory() {
  words_directory=
  [[ $launcher != srun || $hosts == 1 ]] || words_directory=$(mktemp -d "$PWD/.orujo-job.XXXXXX" 2>/dev/null) || true
  [[ ! $words_directory ]] || return 0
  words_directory=$job_directory/last_words
  mkdir "$words_directory"
}

# A child that a signal ends before its exec runs this trap, too, and must not remove them.
remove_job_directories() {
  [[ $BASHPID == "$$" ]] || return 0
  rm -rf ${job_directory:+"$job_directory"} ${job_memory_directory:+"$job_memory_directory"} ${words_directory:+"$words_directory"} \
    ${far_report_directory:+"$far_report_directory"}
}

# Runs the array `command` with the variables of `settings` and returns its status. After a signal to it mpirun hides
# how the ranks ended, so the status is 128 + signal.
run_job() {
  local signal mpirun_said nodes_said
  job='' received='' ending='' lost=0 relay='' listener='' watcher=''
  ended_by_the_system=$(processes_ended_by_the_system)
  open_descriptors
  for signal in INT TERM HUP QUIT USR1; do
    # shellcheck disable=SC2064
    trap "pass_on $signal" "$signal"
  done
  # explain_end reads these.
  settings+=("ORUJO_LAST_WORDS=$words_directory")
  exec {mpirun_said}>"$job_directory/mpirun_said" {nodes_said}>"$job_directory/nodes_said"
  [[ $launcher != mpi* || $several_nodes ]] || keep_ports_local
  # mpirun closes sockets that libevent's epoll still knows, which libevent says on stderr.
  [[ $launcher != mpirun || $several_nodes ]] || settings+=("OPAL_OUTPUT_STDERR_FD=$mpirun_said" EVENT_NOEPOLL=1)
  [[ $launcher != mpirun || ! $several_nodes ]] || settings+=("OPAL_OUTPUT_STDERR_FD=$nodes_said")
  # Hydra writes the job's output to that pipe itself, and its own messages elsewhere.
  local open_output=$output
  [[ $launcher != mpiexec ]] || open_output=$mpirun_said
  # A background child would ignore Ctrl-C. If this shell is killed, its job must end, too.
  setsid setpriv --pdeathsig TERM env --default-signal=INT,QUIT "${settings[@]}" "${command[@]}" \
    <&"$input" >&"$open_output" 2>&"$errors" {input}<&- {relayed}<&- {heard}<&- &
  job=$!
  [[ $launcher == none ]] || start_relay
  [[ $launcher != srun ]] || listen_to_srun
  exec {output}>&- {relayed}<&- {errors}>&- {heard}<&-
  [[ $launcher != mpi* ]] || { free_launcher </dev/null >/dev/null & watcher=$!; }
  [[ -z $received ]] || pass_on "$received"
  await_job 2>/dev/null
  if ((job_status == closed_pipe || lost == closed_pipe)); then
    job_status=$closed_pipe
  elif [[ $ending && $launcher != none ]]; then
    job_status=$((128 + $(kill -l "$ending")))
  elif [[ ! $ending ]]; then
    explain_end
  fi
  if ((job_status == 0 && lost != 0)); then
    say "FATAL: cannot write the job's output: $(sed 's/.*: //' "$job_directory/lost")"
    job_status=$io_error
  fi
  return "$job_status"
}

# Opens the job's descriptors.
open_descriptors() {
  exec {heard}</dev/null {relayed}</dev/null {errors}>&2
  if [[ $launcher == none ]]; then
    exec {input}<&0 {output}>&1
    return
  fi
  exec {input}</dev/null
  open_pipe output relayed
  [[ $launcher != srun ]] || open_pipe errors heard
}

# open_pipe WRITES READS: sets variables of these names to the two ends of a pipe.
open_pipe() {
  local both writes reads pipe=$job_directory/$1
  mkfifo "$pipe"
  exec {both}<>"$pipe"
  exec {writes}>"$pipe"
  exec {reads}<"$pipe"
  exec {both}>&-
  printf -v "$1" %s "$writes"
  printf -v "$2" %s "$reads"
}

# Sets job_status and lost. Ends the remaining processes of the job.
await_job() {
  while :; do
    received=
    wait "$job" && job_status=0 || job_status=$?
    [[ $received ]] || break
    [[ -z $ending ]] || end_within_grace "$job"
  done
  [[ -z $watcher ]] || { kill "$watcher" || true; wait "$watcher" || true; }
  end_leftovers
  [[ -z $relay ]] || await_relay "$relay" || lost=$?
  [[ -z $listener ]] || await_relay "$listener" || true
}

# Binds the sockets of mpirun and mpiexec to the loopback interface by a library, because they listen on all addresses
# of the machine. The loader takes blanks and colons for the ends of a name.
keep_ports_local() {
  local library=$root/build/$job_preset/bin/preload/local_ports.so
  [[ ! $installed ]] || library=$installed/local_ports.so
  [[ ! -r $library || $library == *[[:space:]:]* ]] || settings+=("LD_PRELOAD=$library${LD_PRELOAD:+:$LD_PRELOAD}")
}

pass_on() {
  received=$1
  [[ $1 == USR1 ]] || ending=$1
  [[ -z $job ]] || kill -s "${1/PIPE/TERM}" "$job" 2>/dev/null || true
}

# end_within_grace PROCESS [GROUP]
end_within_grace() {
  local i
  for ((i = 0; i < 10 * grace_seconds; i++)); do
    kill -0 "$1" || return 0
    sleep 0.1 || true
  done
  kill -KILL -- "$@" || true
}

# Copies the job's output to ours. Its launcher cannot do so reliably: mpirun crashes if a pipe is closed, and does
# not report a full disk. Output without a reader is read and dropped.
start_relay() {
  local me=$BASHPID
  trap 'pass_on PIPE' PIPE
  # shellcheck disable=SC2016
  setsid bash -c '
    cat 2>"$1/lost"
    lost=$?
    ((lost != $2)) || kill -s PIPE "$3"
    cat >/dev/null
    exit $lost' relay "$job_directory" "$closed_pipe" "$me" <&"$relayed" {output}>&- {relayed}<&- {errors}>&- {heard}<&- &
  relay=$!
}

# await_relay PROCESS: returns its status. After a signal our own output may be stuck.
await_relay() {
  local status
  while :; do
    [[ -z $ending ]] || end_within_grace "$1" "-$1"
    received=
    wait "$1" && status=0 || status=$?
    [[ $received ]] || return "$status"
  done
}
