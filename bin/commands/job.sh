# shellcheck shell=bash disable=SC2154 # what choose_launcher decided
# Runs a job as a child in a session of its own, passes signals on to it, and leaves nothing of it behind.

grace_seconds=5

# Without so much Open MPI says little, and hangs: for each locale it maps 4 MiB and opens 5 files.
shared_kib_for() { echo $((8192 * ($1 + 1))); }
files_for() { echo $((64 + 6 * $1)); }

temporary_directory() { echo "${TMPDIR:-/tmp}"; }

# memory_directory LOCALES: where there is room for what the locales share; /dev/shm may have 64 MiB in a container.
memory_directory() {
  local directory
  for directory in /dev/shm "$(temporary_directory)"; do
    if [[ -w $directory ]] && (($(free_kib "$directory") >= $(shared_kib_for "$1"))); then
      echo "$directory"
      return
    fi
  done
}

# lack_for_job LOCALES: what this machine lacks for such a job, and the remedy; nothing if it can begin.
lack_for_job() {
  local temporary files
  temporary=$(temporary_directory) files=$(ulimit -n)
  if [[ ! -d $temporary || ! -w $temporary ]]; then
    echo "jobs have their files in $temporary, which cannot be written: set TMPDIR"
  elif (($(free_kib "$temporary") < 64)); then
    echo "jobs have their files in $temporary, which is full: make room there, or set TMPDIR"
  elif (($1 == 1)); then
    return 0
  elif [[ ! $(memory_directory "$1") ]]; then
    echo "a job of $1 locales needs $(($(shared_kib_for "$1") >> 10)) MiB in /dev/shm or in $temporary: make room in one of them," \
      "or set TMPDIR"
  elif [[ $files != unlimited ]] && ((files < $(files_for "$1"))); then
    echo "a job of $1 locales needs $(files_for "$1") open files, and $files are allowed: ulimit -n $(files_for "$1")"
  fi
}

raise_file_limit() {
  [[ $(ulimit -n) == unlimited ]] || (($(ulimit -n) >= $(files_for "$1"))) || ulimit -S -n "$(files_for "$1")" 2>/dev/null || true
}

# make_job_directories LOCALES_HERE: the job's own directories: its files, and what Open MPI shares among the locales. Their locks
# tell the sweep of a later job that they are in use.
make_job_directories() {
  local lock lock_descriptor memory lack
  raise_file_limit "$1"
  lack=$(lack_for_job "$1")
  [[ -z $lack ]] || fail 71 "$lack"
  trap remove_job_directories EXIT
  job_directory=$(mktemp -d "$(temporary_directory)/orujo-job.XXXXXX")
  memory=$(memory_directory "$1")
  [[ ! $memory || $memory == /dev/shm ]] || say "/dev/shm has little room; shared memory goes to $memory"
  job_memory_directory=$(mktemp -d "${memory:-$(temporary_directory)}/orujo-job.XXXXXX")
  for lock in "$job_directory" "$job_memory_directory"; do
    exec {lock_descriptor}>"$lock/lock"
    flock "$lock_descriptor"
    echo "$$ $job_directory" >&"$lock_descriptor"
  done
  mkdir "$job_directory/last_words"
}

# A child that a signal ends before its exec runs this trap too, and must not.
remove_job_directories() {
  [[ $BASHPID == "$$" ]] || return 0
  rm -rf ${job_directory:+"$job_directory"} ${job_memory_directory:+"$job_memory_directory"}
}

# Removes the directories of jobs whose launcher was killed. A lock without content is just being made.
sweep_dead_jobs() {
  local lock
  for lock in "$(temporary_directory)"/orujo-job.*/lock /dev/shm/orujo-job.*/lock; do
    [[ -O $lock && -s $lock ]] || continue
    (exec 2>/dev/null {descriptor}<"$lock" && flock -n "$descriptor" && rm -rf "$(dirname "$lock")") || true
  done
}

# Runs the array `command` with the variables of `settings` and returns its status. mpirun hides what ended the
# ranks after a signal to it, so that is then 128 + signal.
run_job() {
  job='' received='' ending=''
  local input status signal mpirun_said
  if [[ $launcher == none ]]; then exec {input}<&0; else exec {input}</dev/null; fi
  for signal in INT TERM HUP QUIT USR1; do
    # shellcheck disable=SC2064
    trap "pass_on $signal" "$signal"
  done
  # Where explain_end looks. What mpirun itself says goes to a file, what its ranks say to stderr (run.sh).
  settings+=("ORUJO_LAST_WORDS=$job_directory/last_words")
  exec {mpirun_said}>"$job_directory/mpirun_said"
  [[ $launcher != mpirun || $several_nodes ]] || settings+=("OPAL_OUTPUT_STDERR_FD=$mpirun_said")
  # A background child would ignore Ctrl-C; and should this shell be killed, its job is to end too.
  setsid setpriv --pdeathsig TERM env --default-signal=INT,QUIT "${settings[@]}" "${command[@]}" \
    <&"$input" {input}<&- &
  job=$!
  [[ -z $received ]] || pass_on "$received"
  {
    while :; do
      received=
      wait "$job" && status=0 || status=$?
      [[ $received ]] || break
      [[ -z $ending ]] || end_within_grace
    done
  } 2>/dev/null
  end_leftovers
  if [[ $ending && $launcher != none ]]; then
    status=$((128 + $(kill -l "$ending")))
  elif [[ ! $ending ]]; then
    explain_end
  fi
  return "$status"
}

pass_on() {
  received=$1
  [[ $1 == USR1 ]] || ending=$1
  [[ -z $job ]] || kill -s "$1" "$job" 2>/dev/null || true
}

end_within_grace() {
  local i
  for ((i = 0; i < 10 * grace_seconds; i++)); do
    kill -0 "$job" || return 0
    sleep 0.1 || true
  done
  kill -KILL "$job" || true
}

# Ends what the job left running: all of its session, which ranks share though each has its own process group.
end_leftovers() {
  local left i
  mapfile -t left < <(session_processes /proc)
  ((${#left[@]} > 0)) || return 0
  kill -TERM "${left[@]}" 2>/dev/null || true
  for ((i = 0; i < 10 * grace_seconds; i++)); do
    mapfile -t left < <(session_processes /proc)
    ((${#left[@]} > 0)) || return 0
    sleep 0.1 || true
  done
  kill -KILL "${left[@]}" 2>/dev/null || true
}

# session_processes PROC: the numbers of the job's processes. Any may end while this reads.
session_processes() {
  local file line
  for file in "$1"/[0-9]*/stat; do
    line=
    { read -r -d '' line <"$file" || [[ $line ]]; } 2>/dev/null || continue
    line=${line##*) } # state, parent, process group, session
    if [[ $line =~ ^[^ZX]\ [0-9]+\ [0-9]+\ $job\  ]]; then
      file=${file%/stat}
      echo "${file##*/}"
    fi
  done
}
