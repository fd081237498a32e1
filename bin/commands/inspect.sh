# shellcheck shell=bash disable=SC2154 # root
# The parts of orujo test that look at the sources instead of at results: --lint and --coverage. What they need besides is
# installed by hand: gcovr, clang-tidy, cppcheck.

# need_tool COMMAND PACKAGE
need_tool() { command -v "$1" >/dev/null || fail 71 "there is no $1 here: install $2 (apt-get install $2)"; }

# lint_sources [REGULAR_EXPRESSION]: clang-tidy and cppcheck, each as one test of test_command's counts. All sources are
# looked at a dozen at a time, so that headers are read once for them: in a folder by whose name clang's analyzer knows that
# what is included is a source, too.
lint_sources() {
  local log=$root/build/lint directory=$root/build/lint expression="^$root/(system|framework)/.*${1-}" sources together=()
  need_tool run-clang-tidy clang-tidy
  need_tool cppcheck cppcheck
  set_up_if_needed lint
  if [[ ! ${1-} ]]; then
    directory+=/UnifiedSources
    together=(-B "$directory" -D ORUJO_TOGETHER=ON -D CMAKE_DISABLE_PRECOMPILE_HEADERS=ON)
  fi
  (cd "$root" && cmake --preset lint "${together[@]}" >/dev/null) || fail 70 "cmake could not configure the preset lint"
  mapfile -t sources < <(find "$root/system" "$root/framework" -name '*.cpp' | grep -E -- "$expression" | sort)
  ((${#sources[@]} > 0)) || fail 2 "no source of system/ or framework/ matches '${1-}'"
  say "cppcheck checks ${#sources[@]} sources"
  cppcheck --quiet --std=c++20 --language=c++ -j "$(usable_cpus)" --enable=warning,performance,portability --inline-suppr \
    --suppressions-list="$root/.cppcheck" --template='{file}:{line}: warning: {message} [{id}]' -I "$root" "${sources[@]}" \
    >"$log/cppcheck.log" 2>&1 || true
  count_findings "$log/cppcheck.log"
  say "clang-tidy checks them"
  run-clang-tidy -quiet ${together:+-checks=-bugprone-suspicious-include} -p "$directory" -j "$(usable_cpus)" \
    "^($root|$directory)/(system|framework)/.*${1-}" >"$log/lint.log" 2>&1 || true
  count_findings "$log/lint.log"
}

# count_findings LOG
count_findings() {
  if grep -qE '(warning|error):' "$1"; then
    failed=$((failed + 1))
    grep -E '(warning|error):' "$1" | sort -u >&2
  else
    passed=$((passed + 1))
  fi
}

# What is run to see which lines run: the tests without a job, those with one on several splits and as processes, and applications.
coverage_applications=(pagerank bfs connected_components sssp graph_tool query kmeans word_count)
coverage_job_tests='job_tests_(loopback_1x2|chaos_3x2|numa_2x4|grid_4x1|avx2_2x2|scalar_1x1|mpi_4x1|mpi_grid_4x1)'

# cover_lines: runs what is above, adds it to test_command's counts, and reports lines of system/ and framework/.
cover_lines() {
  local directory=$root/build/coverage applications
  need_tool gcovr gcovr
  set_up_if_needed coverage
  if ! try_build coverage unit_tests job_tests "${coverage_applications[@]}"; then
    failed=$((failed + 1))
    return
  fi
  find "$directory" -name '*.gcda' -delete
  applications=$(IFS='|'; echo "${coverage_applications[*]}")
  ORUJO_CASES_PRESET=coverage run_tests coverage -R "^(unit_tests_.*|$coverage_job_tests|($applications)_runs)\$"
  say "gcovr sums up the lines that ran"
  mkdir -p "$directory/report"
  if ! gcovr -j "$(usable_cpus)" --root "$root" --object-directory "$directory" --filter "$root/system/" \
    --filter "$root/framework/" --csv "$directory/report/lines.csv" --html-details "$directory/report/index.html" \
    "$directory" >"$directory/gcovr.log" 2>&1; then
    tail -n 20 "$directory/gcovr.log" >&2
    fail 70 "gcovr failed; its whole output is in $directory/gcovr.log"
  fi
  report_lines "$directory/report/lines.csv"
  say "line by line: $directory/report/index.html"
}

# report_lines CSV: of each folder, of all, and the files with most lines that did not run.
report_lines() {
  awk -F, 'NR > 1 && $2 > 0 {
      split($1, path, "/")
      folder = path[1] "/" path[2]
      lines[folder] += $2; ran[folder] += $3; all += $2; all_ran += $3
    }
    END {
      if (all == 0) exit 1
      for (folder in lines) printf "%5.1f %% of %6d lines  %s\n", 100 * ran[folder] / lines[folder], lines[folder], folder | "sort -k 6"
      close("sort -k 6")
      printf "%5.1f %% of %6d lines  in all\n", 100 * all_ran / all, all
    }' "$1" || fail 70 "gcovr found no lines of system/ and framework/"
  echo 'most lines that did not run:'
  awk -F, 'NR > 1 {printf "%6d of %4d  %s\n", $2 - $3, $2, $1}' "$1" | sort -rn | head -n 15
}
