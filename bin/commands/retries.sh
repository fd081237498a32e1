# shellcheck shell=bash disable=SC2154,SC2034 # globals of the job
# Restarts a job that has lost a process or a node, from its last checkpoint and on the remaining hosts.

hung=75

# The answers to ask_hosts: lines of the hostfile, and "alive" for each host on which mpirun can start something.
host_lines=() host_answers=()

# run_with_retries RETRIES: returns the last try's status.
run_with_retries() {
  local status left=$1
  while :; do
    run_job && status=0 || status=$?
    ((left > 0)) && may_be_repeated "$status" || return "$status"
    left=$((left - 1))
    prepare_repetition || return "$status"
    say "starts the job again, from its $(has_checkpoints && echo 'last checkpoint' || echo beginning): $choice;" \
      "retries left: $left"
  done
}

# may_be_repeated STATUS: allows another try if a process or a node was lost or made no progress. An error that the job
# itself reports, such as wrong input, would occur again. A signal to the launcher is meant to end it.
may_be_repeated() {
  local status=$1
  [[ ! $ending ]] || return 1
  ((status == hung || status == peer_lost || status == 128 + $(kill -l KILL) || status == 128 + $(kill -l TERM)))
}

has_checkpoints() {
  local argument
  for argument in "${arguments[@]}"; do
    [[ ! ${argument//-/_} =~ ^_?_checkpoint_dir(=|$) ]] || return 0
  done
  return 1
}

# Sets command, settings and choice anew.
prepare_repetition() {
  [[ ! $hostfile ]] || keep_hosts_that_are_left || return
  find "$job_directory" "$job_memory_directory" "$words_directory" -mindepth 1 ! -name lock ! -name hosts \
    ! -path "$words_directory" ! -path "$job_directory/report*" -delete 2>/dev/null || true
  command=() settings=() choice=''
  choose_command
  add_program
  ! has_checkpoints || command+=(--resume)
}

# Keeps the hosts of the hostfile on which mpirun can start something; each has as many locales as before.
keep_hosts_that_are_left() {
  local alive=0 each k
  [[ $launcher == mpirun ]] || return 0
  each=$per_host host_names=''
  ask_hosts
  : >"$job_directory/hosts.new"
  for k in "${!host_lines[@]}"; do
    if [[ ${host_answers[k]} == alive ]]; then
      alive=$((alive + 1))
      echo "${host_lines[k]}" >>"$job_directory/hosts.new"
    else
      say "${host_lines[k]%% *} of $hostfile does not answer, and is not used"
    fi
  done
  ((alive > 0)) || { say "no host of $hostfile answers"; return 1; }
  mv "$job_directory/hosts.new" "$job_directory/hosts"
  hostfile=$job_directory/hosts
  ((alive == ${#host_lines[@]})) || locales=$((alive * each < locales ? alive * each : locales))
  find_launcher
}

# Asks all hosts at once. They answer into files, because an mpirun whose host is cut off keeps a pipe open for long.
ask_hosts() {
  local host rest asked=() mpirun k as_root=()
  ((EUID != 0)) || as_root=(--allow-run-as-root)
  mpirun=$(find_mpirun) || exit
  host_lines=() host_answers=()
  while read -r host rest; do
    [[ $host && $host != \#* ]] || continue
    host_lines+=("$host $rest")
    timeout -k 2 8 "${mpirun%% *}" "${as_root[@]}" -n 1 --host "$host" echo alive >"$job_directory/answer.${#host_lines[@]}" 2>/dev/null </dev/null &
    asked+=($!)
  done <"$hostfile"
  for k in "${!host_lines[@]}"; do
    wait "${asked[k]}" || true
    host_answers+=("$(<"$job_directory/answer.$((k + 1))")")
    rm -f "$job_directory/answer.$((k + 1))"
  done
}
