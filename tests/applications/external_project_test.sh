#!/usr/bin/env bash
# Installs the build, then builds and runs applications/examples/external_project against it.
#   external_project_test.sh BUILD_FOLDER CXX_COMPILER
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$1 compiler=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
export ORUJO_NO_SETUP=1

check() { # check NAME COMMAND...
  local name=$1
  shift
  if "$@" >"$work/out" 2>&1 </dev/null; then
    echo "ok      $name"
  else
    echo "FAILED  $name:"
    tail -n 30 "$work/out" | sed 's/^/        | /'
    failures=$((failures + 1))
    return 1
  fi
}
prints() { # prints TEXT COMMAND...
  local text=$1
  shift
  timeout 120 "$@" >"$work/printed" && [[ $(<"$work/printed") == "$text" ]]
}

cp -r "$root/applications/examples/external_project" "$work/project"
check 'the build can be installed' cmake --install "$build" --prefix "$work/prefix" &&
  check 'the project finds it' cmake -S "$work/project" -B "$work/build" -G Ninja "-DCMAKE_PREFIX_PATH=$work/prefix" \
    "-DCMAKE_CXX_COMPILER=$compiler" &&
  check 'and builds without the source tree' cmake --build "$work/build" -j 2 &&
  for locales in 1 2; do
    check "the program runs on $locales locales" prints '837799 takes 524 steps' \
      "$root/bin/orujo" run -n $locales -c 1 "$work/build/collatz"
  done
check 'nothing in the installation points to the source tree' eval "! grep -rlF '$root/' '$work/prefix/lib/cmake'"
((failures == 0)) || { echo "$failures cases failed"; exit 1; }
echo 'all cases passed'
