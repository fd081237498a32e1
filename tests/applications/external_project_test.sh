#!/usr/bin/env bash
# Installs the build, then builds and runs applications/examples/external_project against it.
#   external_project_test.sh BUILD_FOLDER CXX_COMPILER
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$1 compiler=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
source "$root/tests/cases.sh"
export ORUJO_NO_SETUP=1

step() { "$@" >"$work/out" 2>&1 </dev/null; }
prints_just() { # prints_just TEXT COMMAND...
  local text=$1
  shift
  timeout 120 "$@" >"$work/out" 2>"$work/err" </dev/null && [[ $(<"$work/out") == "$text" ]]
}

cp -r "$root/applications/examples/external_project" "$work/project"
check 'the build can be installed' step cmake --install "$build" --prefix "$work/prefix"
check 'the project finds it' step cmake -S "$work/project" -B "$work/build" -G Ninja \
  "-DCMAKE_PREFIX_PATH=$work/prefix" "-DCMAKE_CXX_COMPILER=$compiler"
check 'and builds without the source tree' step cmake --build "$work/build" -j 2
for locales in 1 2; do
  check "the program runs on $locales locales" prints_just '837799 takes 524 steps' \
    "$root/bin/orujo" run -n $locales -c 1 "$work/build/collatz"
done
check 'nothing in the installation points to the source tree' eval "! grep -rlF '$root/' '$work/prefix/lib/cmake'"
end_of_cases
