# shellcheck shell=bash disable=SC2154,SC2034 # what run_command, find_launcher and choose_command decide
# Restarts a job that has lost a process or a node, from its last checkpoint and on the remaining hosts.

hung=75

# Reads run_command's `retries`, `program` and `arguments`; returns the last try's status.
run_with_retries() {
  local status left=$retries
  while :; do
    run_job && status=0 || status=$?
    ((left > 0)) && may_be_repeated || return "$status"
    left=$((left - 1))
    prepare_repetition || return "$status"
    say "starts the job again, $from_where: $choice; retries left: $left"
  done
}

# Allows another try if a process or a node was lost or made no progress. An error that the job itself reports, such
# as wrong input, would occur again. A signal to the launcher is meant to end it.
may_be_repeated() {
  [[ ! $ending ]] || return 1
  ((status == hung || status == peer_lost || status == 128 + $(kill -l KILL) || status == 128 + $(kill -l TERM)))
}

# Sets `command`, `settings`, `choice`, and from_where in words.
prepare_repetition() {
  local argument from_flags=()
  from_where='from its beginning'
  for argument in "${arguments[@]}"; do
    [[ ${argument//-/_} =~ ^_?_checkpoint_dir(=|$) ]] || continue
    from_flags=(--resume)
    from_where='from its last checkpoint'
  done
  [[ ! $hostfile ]] || keep_hosts_that_are_left || return
  find "$job_directory" "$job_memory_directory" "$words_directory" -mindepth 1 ! -name lock ! -name hosts \
    ! -path "$words_directory" ! -path "$job_directory/report*" -delete 2>/dev/null || true
  command=() settings=() choice=''
  choose_command
  add_program
  command+=("${from_flags[@]}")
}

# Keeps the hosts of the hostfile on which mpirun can start something; each has as many locales as before.
keep_hosts_that_are_left() {
  local lines=() answers=() alive=0 each k
  [[ $launcher == mpirun ]] || return 0
  each=$per_host host_names=''
  ask_hosts
  : >"$job_directory/hosts.new"
  for k in "${!lines[@]}"; do
    if [[ ${answers[k]} == alive ]]; then
      alive=$((alive + 1))
      echo "${lines[k]}" >>"$job_directory/hosts.new"
    else
      say "${lines[k]%% *} of $hostfile does not answer, and is not used"
    fi
  done
  ((alive > 0)) || { say "no host of $hostfile answers"; return 1; }
  mv "$job_directory/hosts.new" "$job_directory/hosts"
  hostfile=$job_directory/hosts
  ((alive == ${#lines[@]})) || locales=$((alive * each < locales ? alive * each : locales))
  find_launcher
}

# Sets `lines` to those of the hostfile, and `answers` to "alive" for each host on which mpirun can start something.
# All hosts are asked at once, and answer into files, because an mpirun whose host is cut off keeps a pipe open for
# long.
ask_hosts() {
  local host rest asked=() mpirun version k as_root=()
  ((EUID != 0)) || as_root=(--allow-run-as-root)
  find_mpirun
  while read -r host rest; do
    [[ $host && $host != \#* ]] || continue
    lines+=("$host $rest")
    timeout -k 2 8 "$mpirun" "${as_root[@]}" -n 1 --host "$host" echo alive >"$job_directory/answer.${#lines[@]}" 2>/dev/null </dev/null &
    asked+=($!)
  done <"$hostfile"
  for k in "${!lines[@]}"; do
    wait "${asked[k]}" || true
    answers+=("$(<"$job_directory/answer.$((k + 1))")")
    rm -f "$job_directory/answer.$((k + 1))"
  done
}
