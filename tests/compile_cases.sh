# shellcheck shell=bash
# What the tests share that a compiler refuses mistakes and says why. Sourced after cases.sh; uses $root, $compiler, $work.

# includes HEADER...: what every program of the test begins with, compiled once.
includes() {
  printf '#include %s\n' "$@" >"$work/begin.hpp"
  "$compiler" -std=c++20 -I"$root" -x c++-header "$work/begin.hpp" -o "$work/begin.hpp.gch" >"$work/out" 2>"$work/err"
}

# compiles WHAT [TEXT PLACE]: $work/program.cpp compiles, or is refused with this text and place, word by word.
compiles() {
  local text=${2-} place=${3-}
  status=0
  "$compiler" -std=c++20 -fsyntax-only -I"$root" -include "$work/begin.hpp" "$work/program.cpp" >"$work/out" 2>"$work/err" || status=$?
  if [[ ! $text ]]; then
    check "it compiles: $1" test $status = 0
  else
    check "it is refused: $1" eval '((status != 0)) && grep -qF -- "$text" "$work/err" && grep -qF -- "$place" "$work/err"'
  fi
}
