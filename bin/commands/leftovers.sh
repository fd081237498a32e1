# shellcheck shell=bash disable=SC2154 # globals of job.sh
# Ends the processes that a job leaves, and removes the directories of jobs whose launcher was killed.

# Removes the directories of jobs whose launcher was killed, which nobody locks. A directory without a lock may still
# be in creation, or its launcher was killed then. Other users may put directories and links of any name beside them.
sweep_dead_jobs() {
  local directory lock descriptor
  for directory in "$(temporary_directory)"/orujo-job.* /dev/shm/orujo-job.* "$PWD"/.orujo-job.*; do
    [[ -d $directory && ! -L $directory && -O $directory ]] || continue
    lock=$directory/lock
    if [[ -s $lock && -f $lock && ! -L $lock && -O $lock ]]; then
      (exec 2>/dev/null {descriptor}<"$lock" && flock -n "$descriptor" && rm -rf -- "$directory") || true
    elif [[ $(find "$directory" -maxdepth 0 -mmin +1 2>/dev/null) ]]; then
      rm -rf -- "$directory" || true
    fi
  done
}

# Ends the remaining processes of the job's session. Ranks share the session, though each has its own process group.
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

children=()        # that find_children has found
used_nanoseconds=0 # CPU time of the launcher's threads at the last check

# Number of checks, a second apart, for which a launcher must be idle.
idle_looks=10

# While the launcher (mpirun or mpiexec) runs, this checks once a second whether all locales have ended. When they
# have, it frees the launcher in two ways.
# * It ends processes that hold the locales' output, in the session or, as daemons do, outside of it, because the
#   launcher waits for them.
# * It ends a launcher that is idle for idle_looks checks, and leaves a file `hung` (ends.sh). mpirun may wait for
#   itself at its end.
# It starts no process before that. On several nodes the ends of other nodes' locales are not known.
free_launcher() {
  local timer looks=0 idle=0 begun='' holders holder name
  [[ -r /proc/$BASHPID/task/$BASHPID/children ]] || return 0
  exec {timer}<> <(:) # nobody writes there
  while kill -0 "$job" 2>/dev/null; do
    read -r -t 1 <&"$timer" || true
    find_children "$job"
    [[ $launcher == mpirun ]] || find_children "${children[@]}" # hydra's proxy
    if ((${#children[@]} > 0)); then
      begun=1 looks=0 idle=0
      continue
    fi
    looks=$((looks + 1))
    ((looks >= 3)) || continue
    mapfile -t holders < <(holders_of_output)
    for holder in "${holders[@]}"; do
      name=$(cat "/proc/$holder/comm" 2>/dev/null) || continue
      ((looks > 3)) || say "ends process $holder ($name), which a locale left with its output"
      kill -s "$( ((looks > 3 + grace_seconds)) && echo KILL || echo TERM)" "$holder" 2>/dev/null || true
    done
    [[ $begun ]] || ! compgen -G "$words_directory/[0-9]*" >/dev/null || begun=1
    if launcher_is_idle && [[ $begun && ! $several_nodes ]] && ((${#holders[@]} == 0)); then idle=$((idle + 1)); else idle=0; fi
    if ((idle >= idle_looks)); then
      : >"$job_directory/hung"
      kill -KILL "$job" 2>/dev/null || true
    fi
  done
}

# Returns whether no thread of the launcher computes, waits for a CPU or is stopped, and all of its output has been
# read. Sets used_nanoseconds. mpirun's own checks every two seconds take 0.05 ms.
launcher_is_idle() {
  local file line open before=$used_nanoseconds
  used_nanoseconds=0
  for file in "/proc/$job/task/"*/; do
    { read -r line <"${file}stat"; } 2>/dev/null || continue
    [[ ${line##*) } == S* ]] || return 1
    { read -r line <"${file}schedstat"; } 2>/dev/null && used_nanoseconds=$((used_nanoseconds + ${line%% *}))
  done
  ((used_nanoseconds - before < 1000000)) || return 1
  for file in "$job_directory/output" "/proc/$job/fd/2"; do
    if [[ -p $file ]] && { exec {open}<>"$file"; } 2>/dev/null; then
      line=full
      read -r -t 0 <&"$open" || line=
      exec {open}>&-
      [[ ! $line ]] || return 1
    fi
  done
}

# find_children PROCESS...: sets `children` to those that have not ended
find_children() {
  local process file some child line
  children=()
  for process; do
    for file in "/proc/$process/task/"*/children; do
      some=()
      { read -ra some <"$file" || true; } 2>/dev/null  # the file has no end of a line
      for child in "${some[@]}"; do
        line=
        { read -r line <"/proc/$child/stat"; } 2>/dev/null || continue
        [[ ${line##*) } == [ZX]* ]] || children+=("$child")
      done
    done
  done
}

# They have the job's variables.
holders_of_output() {
  local file process descriptor files
  mapfile -t files < <(grep -lsaF "ORUJO_LAST_WORDS=$words_directory" /proc/[0-9]*/environ)
  find_children "$job" # not before: what has just been started is one of them
  for file in "${files[@]}"; do
    process=${file//[!0-9]/}
    [[ " $job ${children[*]} " != *" $process "* ]] || continue
    for descriptor in "/proc/$process/fd/"*; do
      [[ -p $descriptor || -S $descriptor || $(readlink "$descriptor") == /dev/pts/* ]] || continue
      echo "$process"
      break
    done
  done
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
