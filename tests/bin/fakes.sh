# shellcheck shell=bash
# A project of fakes in $work, for the tests of bin/orujo, which source this. Its applications are shell scripts, so
# nothing need be built.
# shellcheck disable=SC2016 # the fakes' scripts are quoted
source_root=$(dirname "$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")")
source "$source_root/tests/cases.sh"
trap 'echo "FAILED  the test itself, at line $LINENO"' ERR
trap 'end_fakes; rm -rf "$work"' EXIT
# A launcher that started this test must not be taken for one that started bin/orujo.
forget_jobs
export TMPDIR=$work/tmp ORUJO_NO_SETUP=1

make_project() {
  local program
  mkdir -p "$work"/{tmp,applications,build/release/applications,fakes}
  cp -r "$source_root/bin" "$work/bin"
  sed -i 's/^grace_seconds=5$/grace_seconds=1/' "$work/bin/commands/job.sh"
  sed -i 's/^idle_looks=10$/idle_looks=1/' "$work/bin/commands/leftovers.sh"
  cp "$source_root/CMakePresets.json" "$work/CMakePresets.json"
  write_program show '[[ ${1:-} != --helpfull ]] || echo "  --tail (bool)"
    echo "rank ${OMPI_COMM_WORLD_RANK:-none} of ${OMPI_COMM_WORLD_SIZE:-none}: $*"'
  write_program leave 'exit "${2:?}"'
  write_program die 'kill -SEGV $$'
  # Says where it is, then waits; its child ignores the launcher's requests to end.
  write_program wait 'pids=${2:?}
    trap "touch $pids/usr1.$$" USR1
    (trap "" TERM INT HUP; exec sleep 300) &
    touch "$pids/$$" "$pids/$!"
    while :; do sleep 0.1; done'
  write_program nap 'touch "${2:?}/$$"; exec sleep 300'
  write_program stubborn 'trap "" TERM INT HUP; touch "${2:?}/$$"; while :; do sleep 0.1; done'
  write_program litter '(trap "" TERM; exec sleep 300) & touch "${2:?}/$!"'
  # daemon CORES PIDS [quiet]: leaves a process in a session of its own, which holds the output unless it is quiet.
  write_program daemon '
    if [[ $1 == stay ]]; then
      trap "" TERM; touch "$2/$$"; while :; do sleep 0.1; done
    elif [[ ${3:-} ]]; then
      setsid "$0" stay "$2" >/dev/null 2>&1 &
    else
      setsid "$0" stay "$2" &
    fi
    until compgen -G "$2/*" >/dev/null; do :; done'
  write_program where 'echo "$ORUJO_LAST_WORDS"'
  write_program input 'cat'
  write_program chatter 'touch "${2:?}/$$"; exec yes'
  # end CORES WORD CODE STATUS leaves this last word (system/base/last_word.hpp) and ends. The other locales have
  # begun, and report that if they are asked to end.
  write_program end 'rank=${OMPI_COMM_WORLD_RANK:-0}
    ((rank == 0)) || set -- "$1" begun 000 other
    leave_word() { printf "%-6s %s %s here\n" "$1" "$2" $$ >"$ORUJO_LAST_WORDS/$rank"; }
    leave_word "$2" "$3"
    case $4 in
      other) trap "leave_word signal 015; kill \$! 2>/dev/null; exit 143" TERM; sleep 300 & wait ;;
      KILL | TERM) [[ $4 == KILL ]] || leave_word signal 015; trap - TERM; kill -s "$4" $$ ;;
      *) exit "$4" ;;
    esac'
  # lose CORES FILE TIMES FLAG... is killed TIMES times.
  write_program lose 'echo again >>"${2:?}"; (($(wc -l <"$2") > $3)) || kill -KILL $$; echo "done: ${*:4}"'
  write_program starve 'echo oom_kill 5 >"${2:?}"; kill -KILL $$'
  write_program parent '"$(dirname "$0")/end" 1 begun 000 3; exit 0'
  for program in "$work"/applications/*.cpp; do echo "build $(basename "$program" .cpp): phony"; done \
    >"$work/build/release/build.ninja"
}

write_program() {
  touch "$work/applications/$1.cpp"
  printf '#!/usr/bin/env bash\n%s\n' "$2" >"$work/build/release/applications/$1"
  chmod +x "$work/build/release/applications/$1"
}

# A stand-in for srun, which runs one task, says SRUN_SAYS, and ends as if it had ended the others.
fake_srun() {
  printf '#!/bin/bash\nwhile [[ $1 == -* || $1 =~ ^[0-9]+$ ]]; do shift; done\n"$@"\n[[ ! ${SRUN_SAYS:-} ]] || echo "$SRUN_SAYS" >&2\nexit 143\n' \
    >"$work/fakes/srun"
  chmod +x "$work/fakes/srun"
}

# orujo ARGUMENT...: sets status, and leaves what it says in out and err.
orujo() {
  status=0
  timeout -k 5 60 "$work/bin/orujo" "$@" >"$work/out" 2>"$work/err" </dev/null || status=$?
}
with() { # with NAME=VALUE... -- ARGUMENT...
  local variables=()
  while [[ $1 != -- ]]; do variables+=("$1"); shift; done
  shift
  status=0
  timeout -k 5 60 env "${variables[@]}" "$work/bin/orujo" "$@" >"$work/out" 2>"$work/err" </dev/null || status=$?
}
status_is() { ((status == $1)); }
prints_lines() { [[ $(sort "$work/out") == "$1" ]]; }
one_line_of_ours() { [[ $(wc -l <"$work/err") == 1 ]] && says '^orujo: '; }
leaves_nothing() {
  [[ -z $(find "$work/tmp" -mindepth 1) ]] && ! grep -qsF "$work" /dev/shm/orujo-job.*/lock && no_process_left
}

next_job_leaves_nothing() { orujo run show && leaves_nothing; }

# The wait and stubborn programs leave a file per process in $work/pids.
fresh_pids() { rm -rf "$work/pids"; mkdir "$work/pids"; }
pids() { [[ ! -d $work/pids ]] || find "$work/pids" -name '[0-9]*' -printf '%f\n'; }
end_fakes() {
  local pid
  for pid in $(pids); do
    ! grep -qsF "TMPDIR=$work" "/proc/$pid/environ" || kill -KILL "$pid"
  done
}
no_process_left() {
  local pid
  for pid in $(pids); do
    ! grep -qs '^State:.[^ZX]' "/proc/$pid/status" || return 1
  done
}
has_pids() { (($(pids | wc -l) == $1)); }
has_usr1() { (($(find "$work/pids" -name 'usr1.*' | wc -l) == $1)); }

# start COUNT ARGUMENT...: in the background, until COUNT processes have said that they are there.
start() {
  local count=$1
  shift
  fresh_pids
  env --default-signal=INT,QUIT "$work/bin/orujo" "$@" "$work/pids" >"$work/out" 2>"$work/err" </dev/null &
  launcher=$!
  await has_pids "$count" || echo "only $(pids | wc -l) of $count processes started"
}
end_with() { # end_with SIGNAL: sets status
  kill -s "$1" "$launcher"
  status=0
  wait "$launcher" 2>/dev/null || status=$?
}
