# shellcheck shell=bash disable=SC2154 # what run_job knows
# Ends the processes that a job leaves behind, and removes the directories of jobs whose launcher was killed.

# Removes the directories of jobs whose launcher was killed: nobody holds their lock. A directory without a lock is being made, or
# its launcher was killed while it made it. Other users may put directories and links of any name beside them.
sweep_dead_jobs() {
  local directory lock
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

# mpirun and mpiexec wait until nobody holds the locales' output any more, or what else they have given them. While the launcher runs this looks whether all locales
# have ended, and then ends whom they have left behind and who holds it, in the session or, as daemons do, outside of it. It starts
# no process before.
free_launcher() {
  local idle looks=0 holder name children
  exec {idle}<> <(:) # nobody writes there
  while kill -0 "$job" 2>/dev/null; do
    read -r -t 1 <&"$idle" || true
    find_children "$job"
    [[ $launcher == mpirun ]] || find_children "${children[@]}" # hydra's proxy
    looks=$((${#children[@]} == 0 ? looks + 1 : 0))
    ((looks >= 3)) || continue
    for holder in $(holders_of_output); do
      name=$(cat "/proc/$holder/comm" 2>/dev/null) || continue
      ((looks > 3)) || say "ends what a locale has left behind with its output: process $holder ($name)"
      kill -s "$( ((looks > 3 + grace_seconds)) && echo KILL || echo TERM)" "$holder" 2>/dev/null || true
    done
  done
}

# find_children PROCESS...: sets `children` to those that have not ended
find_children() {
  local process file some child line
  children=()
  for process; do
    for file in "/proc/$process/task/"*/children; do
      some=()
      { read -ra some <"$file" || true; } 2>/dev/null # there is no end of a line
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
  local file process descriptor children files
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
