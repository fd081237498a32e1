# shellcheck shell=bash disable=SC2154 # root, globals of test.sh
# The parts of orujo test that inspect the sources: --lint and --coverage. You install gcovr, clang-tidy and cppcheck
# yourself: setup leaves them out, because no build and no other test requires them.
# Requires Orujo's sources.

# need_tool COMMAND PACKAGE
need_tool() { command -v "$1" >/dev/null || fail 71 "there is no $1 here: install $2 (apt-get install $2)"; }

# lint_sources BASE [REGULAR_EXPRESSION]: the wording of the change since BASE, the scripts, without an expression each
# header by itself, then clang-tidy and cppcheck, each as one test of test.sh's sums. All sources are inspected a dozen at
# a time, so that their headers are read once for the dozen. The folder's name tells clang's analyzer that an included source is a source, too.
lint_sources() {
  local base=$1 log=$root/build/lint directory=$root/build/lint expression="^$root/(system|framework)/.*${2-}" sources together=()
  need_tool run-clang-tidy clang-tidy
  need_tool cppcheck cppcheck
  need_tool shellcheck shellcheck
  need_tool pyflakes3 pyflakes3
  lint_prose "$base"
  set_up_if_needed lint
  if [[ ! ${2-} ]]; then
    directory+=/UnifiedSources
    together=(-B "$directory" -D ORUJO_TOGETHER=ON -D CMAKE_DISABLE_PRECOMPILE_HEADERS=ON)
  fi
  (cd "$root" && cmake --preset lint "${together[@]}" >/dev/null) || fail 70 "cmake could not configure the preset lint"
  mapfile -t sources < <(find "$root/system" "$root/framework" -name '*.cpp' | grep -E -- "$expression" | sort)
  ((${#sources[@]} > 0)) || fail 2 "no source of system/ or framework/ matches '${2-}'"
  lint_scripts
  [[ ${2-} ]] || lint_headers
  say "cppcheck checks ${#sources[@]} sources"
  cppcheck --quiet --std=c++20 --language=c++ -j "$(usable_cpus)" --enable=warning,performance,portability --inline-suppr \
    --suppressions-list="$root/.cppcheck" --template='{file}:{line}: warning: {message} [{id}]' -I "$root" "${sources[@]}" \
    >"$log/cppcheck.log" 2>&1 || true
  count_findings "$log/cppcheck.log"
  say "clang-tidy checks them"
  run-clang-tidy -quiet ${together:+-checks=-bugprone-suspicious-include} -p "$directory" -j "$(usable_cpus)" \
    "^($root|$directory)/(system|framework)/.*${2-}" >"$log/lint.log" 2>&1 || true
  count_findings "$log/lint.log"
}

# lint_prose BASE: bin/site/prose.py as one test of test.sh's sums. Without a BASE the change is what git has not sent
# upstream yet, or has not committed where the branch has no upstream. Sources outside git have no change to check.
lint_prose() {
  local base=$1 status=0
  if [[ $(git -C "$root" rev-parse --show-toplevel 2>/dev/null) != "$(cd "$root" && pwd -P)" ]]; then
    [[ ! $base ]] || fail 2 "--lint=$base requires a git repository; $root is none"
    return 0
  fi
  [[ $base ]] || base=$(git -C "$root" merge-base HEAD '@{upstream}' 2>/dev/null) || base=HEAD
  say "prose.py reads what changed since $(git -C "$root" describe --always "$base" 2>/dev/null || echo "$base")"
  (cd "$root" && bin/site/prose.py --change "$base" >&2) || status=$?
  case $status in
    0) passed=$((passed + 1)) ;;
    1) failed=$((failed + 1)) ;;
    *) fail 2 "--lint=$base: git has no such commit" ;;
  esac
}

# Without SC2154 and SC2034, because parts of the launcher use the globals of others; tests/bin/scopes_test.py finds names that
# nobody declares. Spack defines the names in its recipe.
lint_scripts() {
  local log=$root/build/lint/scripts.log
  say 'shellcheck and pyflakes3 check the scripts'
  mkdir -p "${log%/*}"
  {
    find "$root"/bin/orujo "$root"/{bin,tests,applications} -name '*.sh' -type f -o -path '*/bin/orujo' | sort -u |
      xargs shellcheck -x -f gcc -S warning -e SC2154,SC2034 || true
    find "$root"/{bin,tests,applications} -name '*.py' ! -name spack_package.py | sort | xargs pyflakes3 | sed 's/:[0-9]* /&warning: /' || true
  } >"$log" 2>&1
  count_findings "$log"
}

lint_headers() {
  local log=$root/build/lint/headers.log
  say 'each header is compiled by itself'
  "$root/tests/headers_test.sh" g++ --each >"$log" 2>&1 || echo 'headers: error: a header does not compile' >>"$log"
  count_findings "$log"
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

# The runs whose coverage counts: tests without a job, tests with one in several process layouts and as processes, and
# applications.
coverage_applications=(pagerank bfs connected_components sssp graph_tool query kmeans word_count)
coverage_job_tests='job_tests_(loopback_1x2|chaos_3x2|numa_2x4|grid_4x1|avx2_2x2|scalar_1x1|mpi_4x1|mpi_grid_4x1)'

# cover_lines: runs these, adds them to test.sh's sums, and reports lines of system/ and framework/.
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

# report_lines CSV: the share of lines that ran by folder and in total, and the files with most lines that did not
# run.
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
