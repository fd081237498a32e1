#!/usr/bin/env bash
# The programs of the build, linked with MPICH instead: of the sources only two know MPI, and these alone are compiled again.
# Skipped (status 4) where MPICH is not installed, or the build is with it already.
#   mpich_test.sh BUILD_FOLDER
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$1
source "$root/tests/cases.sh"
forget_jobs
export TMPDIR=$work/tmp
mkdir "$TMPDIR"

skip() { echo "skipped: $*"; exit 4; }
command -v mpicxx.mpich >/dev/null && command -v mpiexec.mpich >/dev/null ||
  skip 'no MPICH (Debian packages mpich, libmpich-dev)'
command_of() { ninja -C "$build" -t commands "$1" | tail -n 1; }
[[ $(command_of pagerank) == *openmpi* ]] || skip 'the build is not with Open MPI'
without_open_mpi() { sed -E 's/(-isystem *|-I *)?[^ ]*openmpi[^ ]*//g'; }

compile() { # compile NAME: system/transport/NAME.cpp
  local object=system/CMakeFiles/orujo_system.dir/transport/$1.cpp.o line
  line=$(command_of "$object" | without_open_mpi | sed -E 's/-MD -MT [^ ]* -MF [^ ]*//')
  line=${line/"-o $object"/"-o $work/$1.o $(mpicxx.mpich -compile_info | tr ' ' '\n' | grep -- '^-I' | tr '\n' ' ')"}
  (cd "$build" && bash -c "$line") >"$work/out" 2>"$work/err"
}
# link TARGET PATH: what the build makes at this path.
link() {
  local line libraries
  libraries=$(mpicxx.mpich -link_info | tr ' ' '\n' | grep -- '^-[lL]' | tr '\n' ' ')
  line=$(command_of "$1" | without_open_mpi)
  line=${line/"-o $2 "/"-o $work/$1 $work/mpi.o $work/mpi_pulses.o "}
  line=${line/" && :"/" $libraries && :"}
  [[ $line == *"$work/mpi.o"*"$libraries"* ]] && (cd "$build" && bash -c "$line") >"$work/out" 2>"$work/err"
}
orujo() {
  status=0
  timeout -k 5 120 "$root/bin/orujo" "$@" >"$work/out" 2>"$work/err" </dev/null || status=$?
}
status_is() { ((status == $1)); }

compile mpi &
first=$!
check 'what knows MPI compiles with MPICH' compile mpi_pulses
wait $first
report $? '... all of it'
for target in applications/pagerank applications/bfs applications/connected_components tests/waiting_tasks tests/job_tests; do
  check "$target is linked with it" link "${target##*/}" "$target"
done

orujo run --dry-run -n 2 "$work/pagerank"
check 'its launcher is known' prints '^mpiexec[.]mpich -n 2 '
orujo run -n 2 -c 1 "$work/pagerank" --generate=kronecker:12 --verify
check 'ranks on two locales' eval 'status_is 0 && prints "^verified " && says "MPICH"'
orujo run -n 3 -c 2 "$work/bfs" --generate=kronecker:12 --symmetrize --verify
check 'searches on three of two cores' eval 'status_is 0 && prints "^verified "'
orujo run -n 4 -c 1 "$work/connected_components" --generate=kronecker:12 --verify
check 'components on four' eval 'status_is 0 && prints "^verified "'
orujo run -n 2 -c 1 "$work/job_tests" --gtest_filter='messenger*:collective*:bulk*:flood*:global_*:run.*' --gtest_brief=1 \
  --flood_bytes=20000000
check 'the tests of jobs on two' eval 'status_is 0 && prints "PASSED"'

orujo run -n 2 -c 1 "$work/pagerank" --graph="$work/none"
check 'a file that is missing has its status' eval 'status_is 66 && ! prints "BAD TERMINATION"'
orujo run -n 2 -c 1 "$work/pagerank" --generate=nothing
check 'a wrong flag, too, and the output has no banner' eval 'status_is 2 && [[ ! -s $work/out ]]'
"$root/bin/orujo" run -n 3 -c 1 "$work/waiting_tasks" --watchdog_seconds=0 >"$work/out" 2>"$work/err" </dev/null &
launcher=$!
await prints '^(waiting|computing)$'
kill -KILL "$(awk '{print $3}' "$TMPDIR"/orujo-job.*/last_words/2)"
status=0
wait "$launcher" || status=$?
# Hydra ends the others as that one was ended, and names any of them: none is named wrongly.
check 'a locale that is killed is not taken for another' eval 'status_is 137 && says "FATAL: signal KILL ended (locale 2 .*|mpiexec or a locale )from outside"'
check 'nothing is left' test -z "$(find "$TMPDIR" -mindepth 1)"
env -u PMI_RANK mpiexec.mpich -launcher fork -n 2 "$build/applications/pagerank" --cores=1 --generate=kronecker:4 >"$work/out" 2>"$work/err"
check "under MPICH's launcher a program of Open MPI's is refused" says 'but MPI sees only this process'
end_of_cases
