# shellcheck shell=bash
# The common part of the tests that a compiler refuses mistakes with a reason. Sourced after cases.sh; uses $root,
# $compiler, $work.

include_paths=(-I"$root" -I"$root/system/include" -I"$root/framework/include")

# includes HEADER...: what every program of the test begins with, compiled once.
includes() {
  printf '#include %s\n' "$@" >"$work/begin.hpp"
  "$compiler" -std=c++20 "${include_paths[@]}" -x c++-header "$work/begin.hpp" -o "$work/begin.hpp.gch" >"$work/out" 2>"$work/err"
}

# compiles WHAT [TEXT PLACE]: $work/program.cpp compiles, or is refused with this text and place, word by word.
compiles() {
  local text=${2-} place=${3-}
  status=0
  "$compiler" -std=c++20 -fsyntax-only "${include_paths[@]}" -include "$work/begin.hpp" "$work/program.cpp" >"$work/out" 2>"$work/err" || status=$?
  if [[ ! $text ]]; then
    check "it compiles: $1" test $status = 0
  else
    check "it is refused: $1" eval '((status != 0)) && grep -qF -- "$text" "$work/err" && grep -qF -- "$place" "$work/err"'
  fi
}

# case_of LINES [TEXT] adds a program that must compile or, with TEXT, be refused with this text in the first error of
# its own. try_cases compiles the right programs as one, and the others as another.
accepted=() refused=() refusals=() all_errors=()
case_of() { if (($# == 1)); then accepted+=("$1"); else refused+=("$1") refusals+=("$2"); fi; }

try_cases() {
  local k
  for k in "${!accepted[@]}"; do printf 'namespace case_%d {\n#line 1 "case_%d"\n%s\n}\n' "$k" "$k" "${accepted[k]}"; done >"$work/program.cpp"
  compiles "all that is right"
  for k in "${!refused[@]}"; do printf 'namespace case_%d {\n#line 1 "case_%d"\n%s\n}\n' "$k" "$k" "${refused[k]}"; done >"$work/program.cpp"
  status=0
  [[ $compiler != *clang* ]] || all_errors=(-ferror-limit=0)
  "$compiler" -std=c++20 -fsyntax-only "${all_errors[@]}" "${include_paths[@]}" -include "$work/begin.hpp" "$work/program.cpp" \
    >"$work/out" 2>"$work/all" || status=$?
  # A line for each error, with the places that asked for it: g++ says those before, clang behind.
  awk '/In instantiation of/ { places = "" } /required from/ { places = places " " $0 }
    /error:/ { printf "\n%s %s", places, $0 } /note:/ { printf " %s", $0 }' "$work/all" >"$work/errors"
  for k in "${!refused[@]}"; do
    grep -m 1 -F -- "case_$k:" "$work/errors" >"$work/err" || true
    check "it is refused: ${refusals[k]}" grep -qF -- "${refusals[k]}" "$work/err"
  done
}
