# shellcheck shell=bash disable=SC2154 # root
# orujo test: builds and runs every test, plain and under the sanitizers.

test_usage() {
  cat <<'END'
Usage: bin/orujo test [--quick] [CTEST_ARGUMENT...]

Builds the presets release, asan and tsan, runs ctest in each with CTEST_ARGUMENTs (such as -R NAME), and ends with
the line "N passed, N failed". Under the sanitizers only unit_tests and job_tests are built and run.
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
  set_up_if_needed

  local passed=0 failed=0
  SECONDS=0
  for preset in "${presets[@]}"; do test_preset "$preset"; done
  say "tests took $SECONDS s in all"
  echo "$passed passed, $failed failed"
  ((failed == 0 && passed > 0))
}

# Adds to test_command's counts; a build that fails is one failed test.
test_preset() {
  local preset=$1 directory=$root/build/$1 targets=() target selection=()
  if ! with_build_lock "$preset" configure_locked "$preset"; then
    failed=$((failed + 1))
    return
  fi
  if [[ $preset != release ]]; then
    for target in unit_tests job_tests; do
      ! has_target "$preset" "$target" || targets+=("$target")
    done
    if ((${#targets[@]} == 0)); then return; fi
  fi
  if ! try_build "$preset" "${targets[@]}"; then
    failed=$((failed + 1))
    return
  fi
  if ((${#targets[@]} > 0)); then
    mapfile -t selection < <(tests_that_run "$directory" "${targets[@]}")
    if ((${#selection[@]} == 0)); then
      say "ctest has no test of ${targets[*]} in $preset"
      failed=$((failed + 1))
      return
    fi
    local IFS=,
    selection=(-I "0,0,0,${selection[*]}")
    unset IFS
  fi

  say "testing $preset"
  ctest --test-dir "$directory" --output-on-failure -j "$(usable_cpus)" "${selection[@]}" "${ctest_arguments[@]}" 2>&1 |
    tee "$directory/test.log" || true
  count_tests "$directory/test.log"
}

# tests_that_run DIRECTORY TARGET...: the numbers of the tests whose command names one of the programs.
tests_that_run() {
  local directory=$1 line number target command=''
  shift
  while IFS= read -r line; do
    if [[ $line == *'Test command: '* ]]; then
      command=${line#*Test command: }
    elif [[ $line =~ ^\ *Test\ *\#([0-9]+): ]]; then
      number=${BASH_REMATCH[1]}
      for target; do
        if [[ $command =~ /$target(\"|\ |$) ]]; then
          echo "$number"
          break
        fi
      done
    fi
  done < <(ctest --test-dir "$directory" -N -V)
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
