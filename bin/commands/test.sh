# shellcheck shell=bash disable=SC2154 # root
# orujo test: builds and runs every test, plain and under the sanitizers.

test_usage() {
  cat <<'END'
Usage: bin/orujo test [--quick] [CTEST_ARGUMENT...]

Builds the presets release, asan and tsan, runs ctest in each with CTEST_ARGUMENTs (such as -R NAME), and ends with
the line "N passed, N failed". Under the sanitizers the tests that start no
other programs are built and run.
  --quick   only the release preset
END
}

test_command() {
  local presets=(release asan tsan) ctest_arguments=() preset
  while (($# > 0)); do
    case $1 in
      --quick) presets=(release) ;;
      --help | -h) test_usage; return 0 ;;
      *) ctest_arguments+=("$1") ;;
    esac
    shift
  done
  set_up_if_needed "${presets[@]}"

  local passed=0 failed=0
  SECONDS=0
  for preset in "${presets[@]}"; do test_preset "$preset"; done
  say "tests took $SECONDS s in all"
  echo "$passed passed, $failed failed"
  ((failed == 0 && passed > 0))
}

# Adds to test_command's counts; a build that fails is one failed test.
test_preset() {
  local preset=$1 directory=$root/build/$1 status=0 failed_before=$failed
  local targets=(all)
  [[ $preset == release ]] || targets=(all_tests)
  if ! try_build "$preset" "${targets[@]}"; then
    failed=$((failed + 1))
    return
  fi
  say "testing $preset"
  # GTEST_BRIEF: of a failed program only what failed, so that the output names it and nothing buries it.
  GTEST_BRIEF=1 ctest --test-dir "$directory" --output-on-failure -j "$(usable_cpus)" "${ctest_arguments[@]}" 2>&1 |
    tee "$directory/test.log" || status=${PIPESTATUS[0]}
  count_tests "$directory/test.log"
  if ((status != 0 && failed == failed_before)); then
    say "ctest in $preset ended with status $status"
    failed=$((failed + 1))
  fi
}

# Reads ctest's own sums. A skipped test is neither passed nor failed, though ctest says passed.
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
