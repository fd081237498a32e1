# shellcheck shell=bash disable=SC2154,SC2034 # root, summaries
# orujo test: builds and runs every test, plain and under the sanitizers, or the fuzzers.
# Requires Orujo's sources.
summaries[test]='build and run all tests'

test_usage() {
  cat <<'END'
Usage: bin/orujo test [--all] [CTEST_ARGUMENT...]
       bin/orujo test --fuzz[=SECONDS] [FORMAT...]
       bin/orujo test --lint[=COMMIT] [REGULAR_EXPRESSION]
       bin/orujo test --coverage

Builds the preset release and runs its tests by ctest with CTEST_ARGUMENTs (such as -R NAME). The
last line is "N passed, N failed". docs/project/testing.md lists the tests.
  --all       also run the long tests, and the presets asan and tsan (tests that start no other
              programs)
The other options replace the tests:
  --fuzz      build the preset fuzz and run the fuzzer of each FORMAT (default all,
              tests/fuzz/*_fuzzer.cpp) for SECONDS (60), from tests/fuzz/corpus/FORMAT. New inputs
              go to build/fuzz/corpus/FORMAT, those that break a property to
              build/fuzz/FORMAT-crash-*: keep such a file in tests/fuzz/corpus, which all other
              tests read
  --lint      check the wording of comments and documents changed since COMMIT (default: not yet
              upstream), as bin/site/prose.py --change COMMIT does in seconds; run shellcheck and
              pyflakes3 on the scripts; then cppcheck and clang-tidy on the sources of system/ and
              framework/ whose paths match REGULAR_EXPRESSION. By default these are all, which takes
              an hour of processor time, and each header is compiled by itself
  --coverage  report which lines of system/ and framework/ the tests and some applications run, by
              folder, by file, and in build/coverage/report for a browser (half an hour)
END
}

# Variables of test_command and its parts: the arguments and labels of ctest, whether all tests run, and the sums.
ctest_arguments=()
test_labels=(--label-exclude long)
runs_all=''
passed=0
failed=0
builds_beside='' # the process that builds in the background

test_command() {
  local presets=(release) lint='' lint_base='' coverage='' fuzz_seconds='' k
  while (($# > 0)); do
    case $1 in
      --all) presets=(release asan tsan) test_labels=() runs_all=1 ;;
      --fuzz) fuzz_seconds=60 ;;
      --fuzz=*)
        fuzz_seconds=${1#--fuzz=}
        need_count --fuzz "$fuzz_seconds"
        ;;
      --lint) lint=1 ;;
      --lint=?*) lint=1 lint_base=${1#--lint=} ;;
      --coverage) coverage=1 ;;
      --help | -h) test_usage; return 0 ;;
      *) ctest_arguments+=("$1") ;;
    esac
    shift
  done
  [[ $fuzz_seconds || $lint || $coverage ]] || check_ctest_arguments "${ctest_arguments[@]}"
  [[ ! $lint ]] || ((${#ctest_arguments[@]} <= 1)) || fail 2 "test --lint accepts one REGULAR_EXPRESSION, not '${ctest_arguments[*]}'"
  SECONDS=0
  if [[ $fuzz_seconds ]]; then
    presets=()
    fuzz_formats "$fuzz_seconds" "${ctest_arguments[@]}"
  fi
  if [[ $lint ]]; then
    presets=()
    lint_sources "$lint_base" "${ctest_arguments[@]}"
  fi
  if [[ $coverage ]]; then
    presets=()
    ((${#ctest_arguments[@]} == 0)) || fail 2 "test --coverage accepts no further arguments, such as '${ctest_arguments[*]}'"
    cover_lines
  fi
  set_up_if_needed "${presets[@]}"
  [[ ${presets[*]} != release || ${#ctest_arguments[@]} -gt 0 ]] || test_early
  for k in "${!presets[@]}"; do test_preset "${presets[@]:k}"; done
  [[ ! $builds_beside ]] || wait "$builds_beside" || true
  say "tests took $SECONDS s in all"
  echo "$passed passed, $failed failed"
  ((failed == 0 && passed > 0))
}

# check_ctest_arguments ARGUMENT...: refuses arguments that ctest would ignore, because it would then run all tests.
check_ctest_arguments() {
  local argument name kind value_of=''
  local -A kinds=()
  (($# > 0)) || return 0
  while read -r kind name; do kinds[$name]=$kind; done < <(ctest_options)
  for argument; do
    name=${argument%%=*} kind=${kinds[$argument]:-}
    if [[ $value_of ]]; then
      value_of=''
    elif [[ $kind == value ]]; then
      value_of=$argument
    elif [[ $argument == -* ]]; then
      [[ $kind || ${kinds[$name]:-} == equals || $argument =~ ^-j[0-9]+$ ]] ||
        fail 2 "neither test nor ctest has an option '$argument'$(did_you_mean "$name" --all --fuzz --lint --coverage "${!kinds[@]}"); bin/orujo test --help"
    else
      fail 2 "test has no argument '$argument'; -R '$argument' runs the tests whose names match it"
    fi
  done
  [[ ! $value_of ]] || fail 2 "$value_of requires a value"
}

# Prints a line for each option in ctest's help, with its kind: `value` if the next argument is its value, `equals` if
# one may follow after "=", otherwise `flag`. The help omits some values.
ctest_options() {
  ctest --help | awk '
    /^  -/ {
      sub(/ *= .*/, "")
      gsub(/\[=[^]]*\]/, "=")
      gsub(/\[[^]]*\]/, "X")
      gsub(/<[^>]*>/, "X")
      count = split(substr($0, 3), options, / *, */)
      for (k = 1; k <= count; ++k) {
        split(options[k], words, /[ =]/)
        kind = options[k] ~ /^[^ ]*=/ ? "equals" : options[k] ~ / / || words[1] ~ /^--(tests?|build)-/ ? "value" : "flag"
        print kind, words[1]
      }
    }'
}

# targets_of PRESET: the targets that its tests require.
targets_of() {
  case $1 in
    release) echo all ${runs_all:+benchmarks} ;;
    *) echo all_tests ;;
  esac
}

# test_preset PRESET NEXT... adds to the sums. A failed build is one failed test, also in the background.
# Tests leave the CPUs idle a third of the time, in which the presets to be tested later are built.
test_preset() {
  local preset=$1
  # shellcheck disable=SC2046
  if ! try_build "$preset" $(targets_of "$preset"); then
    failed=$((failed + 1))
    return
  fi
  [[ $builds_beside ]] || build_beside "${@:2}"
  run_tests "$preset" "${test_labels[@]}" "${ctest_arguments[@]}"
}

# Runs the tests of release with the label `early`, which require the applications only and leave CPUs idle; the rest
# is built meanwhile. test_preset reports what fails to build here.
test_early() {
  if ! with_build_lock release configure_locked release || ! is_target release early_tests || ! try_build release early_tests; then
    return 0
  fi
  build_beside release
  run_tests release --label-regex early --label-exclude long
  test_labels=(--label-exclude 'long|early')
}

# run_tests PRESET CTEST_ARGUMENT...: adds to the sums.
run_tests() {
  local preset=$1 directory=$root/build/$1 status=0 failed_before=$failed log
  shift
  log=$directory/test.log
  [[ ${1:-} != --label-regex ]] || log=$directory/test_$2.log
  say "testing $preset"
  # GTEST_BRIEF prints the failed tests of a program only, so that nothing buries them.
  GTEST_BRIEF=1 ctest --test-dir "$directory" --output-on-failure -j "$(usable_cpus)" "$@" 2>&1 |
    tee "$log" || status=${PIPESTATUS[0]}
  count_tests "$log"
  if ((status != 0 && failed == failed_before)); then
    say "ctest in $preset ended with status $status"
    failed=$((failed + 1))
  fi
}

# build_beside PRESET...: builds one after the other, in CPU time that others leave. Ends with the launcher, also
# after an interrupt.
build_beside() {
  local preset
  (
    trap - INT
    # With nice alone jobs take five times as long, because a compiler keeps the CPU for its slice whenever they
    # yield.
    chrt --idle --pid 0 "$BASHPID" 2>/dev/null || renice -n 19 "$BASHPID" >/dev/null
    # shellcheck disable=SC2046
    for preset; do try_build "$preset" $(targets_of "$preset") || true; done
  ) >/dev/null 2>&1 </dev/null &
  builds_beside=$!
}

fuzzers=() # that run, "PID FORMAT", the oldest first

# fuzz_formats SECONDS [FORMAT...]: runs each fuzzer for that time, as many at once as there are CPUs. Adds to the sums.
fuzz_formats() {
  local seconds=$1 directory=$root/build/fuzz formats=("${@:2}") format
  if ((${#formats[@]} == 0)); then
    for format in "$root"/tests/fuzz/*_fuzzer.cpp; do formats+=("$(basename "$format" _fuzzer.cpp)"); done
  fi
  for format in "${formats[@]}"; do
    [[ -e $root/tests/fuzz/${format}_fuzzer.cpp ]] || fail 2 "there is no tests/fuzz/${format}_fuzzer.cpp"
  done
  set_up_if_needed fuzz
  if ! try_build fuzz "${formats[@]/%/_fuzzer}"; then
    failed=$((failed + 1))
    return
  fi
  for format in "${formats[@]}"; do
    if ((${#fuzzers[@]} >= $(usable_cpus))); then
      end_of_fuzzer
    fi
    say "fuzzing $format for $seconds s"
    mkdir -p "$directory/corpus/$format"
    "$directory/tests/fuzz/${format}_fuzzer" -max_total_time="$seconds" -max_len=4096 -timeout=10 -rss_limit_mb=2048 \
      -print_final_stats=1 -artifact_prefix="$directory/$format-" "$directory/corpus/$format" \
      "$root/tests/fuzz/corpus/$format" >"$directory/$format.log" 2>&1 </dev/null &
    fuzzers+=("$! $format")
  done
  while ((${#fuzzers[@]} > 0)); do end_of_fuzzer; done
}

# Waits for the oldest fuzzer, as all run for equally long, and counts it.
end_of_fuzzer() {
  local status=0 pid=${fuzzers[0]%% *} ended=${fuzzers[0]#* } log
  fuzzers=("${fuzzers[@]:1}")
  wait "$pid" || status=$?
  log=$root/build/fuzz/$ended.log
  if ((status == 0)); then
    passed=$((passed + 1))
    say "$ended: $(awk '/number_of_executed_units/ {print $2}' "$log") runs, nothing found"
  else
    failed=$((failed + 1))
    say "$ended: found something; the whole output is in $log"
    tail -n 20 "$log" >&2
  fi
}

# Reads ctest's own sums. A skipped test is neither passed nor failed, though ctest counts it as passed.
count_tests() {
  local line total=0 bad=0 skipped=0
  while IFS= read -r line; do
    if [[ $line =~ tests\ passed,\ ([0-9]+)\ tests\ failed\ out\ of\ ([0-9]+) ]]; then
      bad=${BASH_REMATCH[1]} total=${BASH_REMATCH[2]}
    elif [[ $line =~ ^\ *[0-9]+/[0-9]+\ Test\ .*\*\*\*Skipped ]]; then
      skipped=$((skipped + 1))
    fi
  done <"$1"
  failed=$((failed + bad))
  passed=$((passed + total - bad - skipped))
}
