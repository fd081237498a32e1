#!/usr/bin/env bash
# Tests what builds and tests, in a project of fakes: bin/orujo setup, build, test, bench.
# shellcheck disable=SC2016 # the fakes' scripts are quoted
set -eEuo pipefail
source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/fakes.sh"

test_setup() {
  printf '#!/bin/sh\necho "apt-get $*" >>%q\n' "$work/apt" >"$work/fakes/apt-get"
  # shellcheck disable=SC2016
  printf '#!/bin/sh\nshift 2\nfor p; do [ "$p" = "$ABSENT" ] || echo "installed $p"; done\n' >"$work/fakes/dpkg-query"
  chmod +x "$work"/fakes/*
  with PATH="$work/fakes:$PATH" ABSENT= -- setup
  check 'setup installs nothing when all is there' eval 'status_is 0 && [[ ! -e $work/apt ]]'
  ((EUID == 0)) || return 0
  with PATH="$work/fakes:$PATH" ABSENT=libnuma-dev -- setup
  check 'setup says what it installs' says '^orujo: installing libnuma-dev$'
  check 'and installs only that' grep -q 'install -y --no-install-recommends libnuma-dev$' "$work/apt"
  check 'after an update' grep -q 'update$' "$work/apt"
  with PATH="$work/fakes:$PATH" ABSENT=librsvg2-bin -- setup
  check 'setup installs what pictures are made with, too' says '^orujo: installing librsvg2-bin$'
  mkdir -p "$work/build/asan"
  tee "$work/build/release/build.ninja" <<<'build show: phony' >"$work/build/asan/build.ninja"
  with PATH="$work/fakes:$PATH" ABSENT=clang ORUJO_NO_SETUP= -- build release show
  check 'release is built without what the sanitizers need' eval 'status_is 0 && ! says installing'
  with PATH="$work/fakes:$PATH" ABSENT=clang ORUJO_NO_SETUP= -- build asan show
  check 'which is installed for them' eval 'status_is 0 && says "^orujo: installing clang$"'
}

test_build() {
  cat >"$work/build/release/build.ninja" <<'END'
rule fail
  command = echo the compiler says no; false
  description = Building it
rule fine
  command = touch $out
  description = Building it
build bad: fail
build good: fine
END
  orujo build release good
  check 'a build succeeds' status_is 0
  orujo build release bad
  check 'a build that fails has status 1' status_is 1
  check 'and shows the end of the log' says 'the compiler says no'
  orujo build nothing
  check 'an unknown preset is a usage error' status_is 2
  orujo build sanitizer
  check 'and so is one that others inherit from' status_is 2
}

# A program that is built, but is none of the applications.
test_path_of_a_target() {
  cat >"$work/build/release/build.ninja" <<'END'
rule make
  command = printf '#!/bin/sh\necho built\n' >$out; chmod +x $out
rule fail
  command = false
build docs/hello: make
build docs/broken: fail
END
  cp "$work/build/release/applications/show" "$work/build/release/docs_show"
  (cd "$work" && timeout 60 bin/orujo run build/release/docs/hello) >"$work/out" 2>"$work/err" </dev/null
  check 'a path that leads to a target is built' prints '^built$'
  touch "$work/build/release/docs/broken"
  orujo run "$work/build/release/docs/broken"
  check 'or fails' status_is 1
  orujo run "$work/build/release/docs_show"
  check 'something else that lies there is run' prints '^rank none of none'
  orujo run "$work/build/release/docs/nothing"
  check 'if it is there' status_is 66
  rm "$work/build/release/docs/hello"
  with ORUJO_NO_BUILD=1 -- run "$work/build/release/docs/hello"
  check 'nothing is built where that is not wanted' status_is 66
  rm -r "$work/build/release/docs"*
}

test_checkout_of_another() {
  local program=$work/build/release/applications/show own_tmp=$work/own
  if ((EUID != 0)); then
    echo "skipped in another's checkout: only root can become another"
    return
  fi
  printf 'rule fail\n  command = false\nbuild show: fail\n' >"$work/build/release/build.ninja"
  touch "$work/build/release/.lock"
  mkdir "$own_tmp"
  chmod 755 "$work"
  chown nobody "$own_tmp"
  as_nobody run -c 1 show
  check "a program of another's checkout runs" prints '^rank none of none: --cores=1$'
  check 'though no changes can be looked for, which is told' says '^orujo: nobody may not write to .*: runs the built program without checking for changes$'
  as_nobody run -n 2 -c 1 show
  check 'on two locales, too' prints_lines "$(printf 'rank %s of 2: --cores=1\n' 0 1)"
  as_nobody run -c 1 "$program"
  check 'or by its path' prints '^rank none of none: --cores=1$'
  rm "$program"
  as_nobody run show
  check 'one that is not built is refused' eval 'status_is 71 && one_line_of_ours && says "^orujo: show is not built, and nobody may"'
  as_nobody build release show
  check 'and so is building' eval 'status_is 71 && one_line_of_ours'
  rm -r "$own_tmp" "$work/build/release/.lock"
  write_program show '[[ ${1:-} != --helpfull ]] || echo "  --tail (bool)"
    echo "rank ${OMPI_COMM_WORLD_RANK:-none} of ${OMPI_COMM_WORLD_SIZE:-none}: $*"'
}

as_nobody() {
  status=0
  TMPDIR=$own_tmp timeout -k 5 60 setpriv --reuid=nobody --regid=nogroup --clear-groups "$work/bin/orujo" "$@" \
    >"$work/out" 2>"$work/err" </dev/null || status=$?
}

# test_that_waits_for NAME FILE
test_that_waits_for() {
  printf 'add_test(%s "sh" "-c" "for k in $(seq 200 | xargs); do [ -e %s ] && exit 0; sleep 0.1; done; exit 1")\n' "$1" "$2"
}

# ctest ignores what it does not know, and runs all tests.
test_arguments_of_ctest() {
  local argument
  for argument in --nosuch --al --tests-regex=good good '-V good' '-R good better' -R -j2x; do
    # shellcheck disable=SC2086
    orujo test $argument
    check "what ctest would ignore is refused ($argument)" eval 'status_is 2 && one_line_of_ours && [[ ! -s $work/out ]]'
  done
  orujo test --al
  check '... with what may be meant' says "did you mean --all?"
  for argument in '-V --tests-regex good' '-j2 -R good -E better --no-tests=error' '--repeat until-pass:2 -I 1,1' '-R good -VV --timeout 5'; do
    # shellcheck disable=SC2086
    orujo test $argument
    check "what ctest knows is not ($argument)" eval 'status_is 0 && [[ $(tail -n 1 "$work/out") == "1 passed, 0 failed" ]]'
  done
}

# Tests that need the applications only run while the rest is built, which they wait for here. Uses $tests.
test_early_tests() {
  local rest=$work/rest
  cp "$tests" "$work/kept_tests"
  printf 'rule make\n  command = touch %s\nbuild rest: make\nbuild early_tests: phony\nbuild all: phony rest\n' "$rest" \
    >"$work/build/release/build.ninja"
  test_that_waits_for early "$rest" >>"$tests"
  echo 'set_tests_properties(early PROPERTIES LABELS early)' >>"$tests"
  orujo test
  check 'early tests run while the rest is built, and each test once' eval '[[ $(tail -n 1 "$work/out") == "3 passed, 2 failed" ]]'
  check 'they come first' eval '[[ $(grep -o "Test *#[0-9]*: [a-z]*" "$work/out" | head -n 1) == *early ]]'
  rm "$rest"
  printf 'rule fail\n  command = false\nbuild rest: fail\nbuild early_tests: phony\nbuild all: phony rest\n' >"$work/build/release/build.ninja"
  sed -i '/early/d' "$tests"
  printf 'add_test(early "true")\nset_tests_properties(early PROPERTIES LABELS early)\n' >>"$tests"
  orujo test
  check 'where the rest cannot be built, that is a failure' eval 'status_is 1 && [[ $(tail -n 1 "$work/out") == "1 passed, 1 failed" ]]'
  echo 'build all: phony' >"$work/build/release/build.ninja"
  cp "$work/kept_tests" "$tests"
}

test_test() {
  local tests=$work/build/release/CTestTestfile.cmake
  fake chrt ':'
  local -x PATH=$work/fakes:$PATH  # what is built beside does not wait for CPUs that other tests use
  echo 'build all: phony' >"$work/build/release/build.ninja"
  printf 'add_test(%s)\n' 'good "true"' 'better "true"' 'bad "false"' 'lost "/nowhere"' 'skipped "false"' 'slow "false"' >"$tests"
  printf 'set_tests_properties(%s)\n' 'skipped PROPERTIES SKIP_RETURN_CODE 1' 'slow PROPERTIES LABELS long' >>"$tests"
  orujo test
  check 'test fails when a test does' status_is 1
  check 'and ends with the sums' eval '[[ $(tail -n 1 "$work/out") == "2 passed, 2 failed" ]]'
  orujo test -R good
  check 'its arguments are ctest'\''s' eval 'status_is 0 && [[ $(tail -n 1 "$work/out") == "1 passed, 0 failed" ]]'
  test_arguments_of_ctest
  test_early_tests
  printf '#!/bin/sh\nexit 3\n' >"$work/fakes/ctest"
  chmod +x "$work/fakes/ctest"
  orujo test
  check 'a ctest that dies is a failure' eval 'status_is 1 && [[ $(tail -n 1 "$work/out") == "0 passed, 1 failed" ]]'
  rm "$work/fakes/ctest"
  local preset
  for preset in asan tsan; do
    mkdir -p "$work/build/$preset"
    echo 'build all_tests: phony' >"$work/build/$preset/build.ninja"
    echo 'add_test(good "true")' >"$work/build/$preset/CTestTestfile.cmake"
  done
  echo 'build all: phony' >"$work/build/tsan/build.ninja"
  echo 'build benchmarks: phony' >>"$work/build/release/build.ninja"
  orujo test --all -R good
  check 'with --all it runs the sanitizers too, and a build that fails is a failed test' \
    eval '[[ $(tail -n 1 "$work/out") == "2 passed, 1 failed" ]]'
  printf 'rule make\n  command = touch %s\nbuild last: make\nbuild all_tests: phony last\n' "$work/last" >"$work/build/tsan/build.ninja"
  echo 'build all: phony' >"$work/build/asan/build.ninja"
  test_that_waits_for waiting "$work/last" >>"$tests"
  orujo test --all -R waiting
  check 'all that comes later is built beside the tests of the first, also what follows a failure' \
    eval '[[ $(tail -n 1 "$work/out") == "1 passed, 1 failed" ]]'
  orujo test -R none
  check 'no test at all is a failure' eval 'status_is 1 && [[ $(tail -n 1 "$work/out") == "0 passed, 0 failed" ]]'
}

test_fuzz() {
  mkdir -p "$work/tests/fuzz" "$work/build/fuzz/tests/fuzz"
  touch "$work/tests/fuzz/"{good,bad,more,most}_fuzzer.cpp
  printf 'build %s: phony\n' {good,bad,more,most}_fuzzer >"$work/build/fuzz/build.ninja"
  printf '#!/bin/sh\necho "$@" >"$0.said"\necho "stat::number_of_executed_units: 12"\n' >"$work/build/fuzz/tests/fuzz/good_fuzzer"
  printf '#!/bin/sh\necho "a broken property" >&2\nexit 77\n' >"$work/build/fuzz/tests/fuzz/bad_fuzzer"
  cp "$work/build/fuzz/tests/fuzz/"{good,more}_fuzzer
  cp "$work/build/fuzz/tests/fuzz/"{good,most}_fuzzer
  chmod +x "$work/build/fuzz/tests/fuzz/"*_fuzzer
  orujo test --fuzz=7 good
  check 'test --fuzz runs the fuzzer of a format' eval 'status_is 0 && says "good: 12 runs, nothing found"'
  check 'for so many seconds' grep -q -- '-max_total_time=7 ' "$work/build/fuzz/tests/fuzz/good_fuzzer.said"
  orujo test --fuzz
  check 'without a format all of them, and what one finds is a failure' \
    eval 'status_is 1 && says "a broken property" && [[ $(tail -n 1 "$work/out") == "3 passed, 1 failed" ]]'
  check 'each once' test "$(cat "$work/build/fuzz/tests/fuzz/"*.said | grep -c -- '-max_total_time=60 ')" == 3
  orujo test --fuzz none
  check 'an unknown format is a usage error' status_is 2
  orujo test --fuzz=0
  check 'so are no seconds' status_is 2
}

# fake NAME SCRIPT: a command of PATH in $work/fakes.
fake() {
  printf '#!/usr/bin/env bash\n%s\n' "$2" >"$work/fakes/$1"
  chmod +x "$work/fakes/$1"
}

test_inspections() {
  local all=$work/bare
  mkdir "$all" "$work"/{system,framework}
  touch "$work/system/"{fine,odd}.cpp
  ln -s /usr/bin/* "$all/" 2>/dev/null || true
  rm -f "$all"/{gcovr,cppcheck,run-clang-tidy,shellcheck}
  with PATH="$all" -- test --coverage
  check 'coverage needs gcovr' eval 'status_is 71 && one_line_of_ours && says "no gcovr here: install gcovr"'
  with PATH="$all" -- test --lint
  check 'lint needs clang-tidy' eval 'status_is 71 && one_line_of_ours && says "no run-clang-tidy here: install clang-tidy"'
  fake cmake 'mkdir -p build/lint'
  fake run-clang-tidy 'echo "$@" >"$0.said"'
  with PATH="$work/fakes:$all" -- test --lint
  check 'and cppcheck' eval 'status_is 71 && says "no cppcheck here: install cppcheck"'
  fake cppcheck '[[ "$*" != *odd.cpp* ]] || echo "odd.cpp:1: warning: it is odd [odd]" >&2'
  with PATH="$work/fakes:$all" -- test --lint
  check 'and shellcheck' eval 'status_is 71 && says "no shellcheck here: install shellcheck"'
  fake shellcheck ':'
  fake pyflakes3 'echo "odd.py:1:1: it is odd, too"'
  mkdir -p "$work/tests"
  printf '#!/bin/sh\nexit 1\n' >"$work/tests/headers_test.sh"
  chmod +x "$work/tests/headers_test.sh"
  with PATH="$work/fakes:$PATH" -- test --lint
  check 'what one of them finds is a failure' \
    eval 'status_is 1 && says "it is odd \\[odd\\]" && says "it is odd, too" && says "a header does not compile" && [[ $(tail -n 1 "$work/out") == "1 passed, 3 failed" ]]'
  fake pyflakes3 ':'
  with PATH="$work/fakes:$PATH" -- test --lint fine
  check 'they look at what is asked for' eval 'status_is 0 && grep -q "/(system|framework)/.*fine$" "$work/fakes/run-clang-tidy.said"'
  with PATH="$work/fakes:$PATH" -- test --lint missing
  check 'which must be there' eval 'status_is 2 && one_line_of_ours'
  with PATH="$work/fakes:$PATH" -- test --lint fine odd
  check 'and be one' eval 'status_is 2 && one_line_of_ours'
  with PATH="$work/fakes:$PATH" -- test --lint=HEAD fine
  check 'a commit needs git' eval 'status_is 2 && one_line_of_ours && says "requires a git repository"'
  git -C "$work" init -q
  git -C "$work" -c user.name=n -c user.email=e commit -q --allow-empty -m m
  printf '// %s\n' 'Whether it is odd.' 'Of it no more.' >"$work/system/odd.cpp"
  git -C "$work" add -N system/odd.cpp
  printf '*\n!/system/**\n' >"$work/.gitignore"
  with PATH="$work/fakes:$PATH" -- test --lint fine
  check 'wording that changed is one test more' \
    eval 'status_is 1 && says "system/odd.cpp:1: no_subject" && [[ $(tail -n 1 "$work/out") == "3 passed, 1 failed" ]]'
  with PATH="$work/fakes:$PATH" -- test --lint=missing fine
  check 'its commit must exist' eval 'status_is 2 && says "git has no such commit"'
  rm -rf "$work/fakes/cmake" "$work"/.git*

  mkdir -p "$work/build/coverage"
  printf 'build %s: phony\n' unit_tests job_tests pagerank bfs connected_components sssp graph_tool query kmeans word_count \
    >"$work/build/coverage/build.ninja"
  printf 'add_test(%s)\n' 'unit_tests_1 "true"' 'pagerank_runs "true"' 'launcher "false"' >"$work/build/coverage/CTestTestfile.cmake"
  fake gcovr 'while [[ $1 != --csv ]]; do shift; done
    printf "%s\n" filename,line_total,line_covered system/a/x.hpp,10,9 system/a/y.hpp,10,8 framework/b/z.cpp,30,30 >"$2"'
  with PATH="$work/fakes:$PATH" -- test --coverage
  check 'coverage runs the tests that count' eval 'status_is 0 && [[ $(tail -n 1 "$work/out") == "2 passed, 0 failed" ]]'
  check 'and sums lines by folder' eval 'prints "^ 85.0 % of     20 lines  system/a$" && prints "^100.0 % of     30 lines  framework/b$"'
  check 'and in all' prints '^ 94.0 % of     50 lines  in all$'
  check 'with the files that have most to cover' eval 'grep -A 1 "^most lines" "$work/out" | grep -q "     2 of   10  system/a/y.hpp"'
  fake gcovr 'echo "gcov is lost" >&2; exit 1'
  with PATH="$work/fakes:$PATH" -- test --coverage
  check 'a gcovr that fails is told' eval 'status_is 70 && says "gcov is lost"'
  with PATH="$work/fakes:$PATH" -- test --coverage pagerank
  check 'coverage is of all' status_is 2
}

test_bench() {
  mkdir -p "$work/build/release/tests"
  cp "$work/build/release/applications/show" "$work/build/release/tests/benchmarks"
  echo 'build benchmarks: phony' >"$work/build/release/build.ninja"
  orujo bench -c 2 --filter=switch --json=out.json --benchmark_repetitions=3
  check 'bench passes options and flags on' prints \
    '^rank none of none: --cores=2 --benchmark_filter=switch --benchmark_out=out.json --benchmark_out_format=json --benchmark_repetitions=3$'
  orujo bench --filter 'a b' --json out.json
  check 'with values behind blanks, too' prints ' --benchmark_filter=a b --benchmark_out=out.json '
  check 'the choice is one line' one_line_of_ours
  orujo bench -n 2 -c1
  check 'bench runs on two locales' prints_lines "$(printf 'rank %s of 2: --cores=1\n' 0 1)"
  orujo bench switch
  check 'an argument that is no flag is a usage error' status_is 2
  orujo bench --filter
  check 'a filter needs a value' status_is 2
  check 'which is one line' one_line_of_ours
  echo 'build nothing: phony' >"$work/build/release/build.ninja"
  orujo bench
  check 'benchmarks that cannot be built have status 1' status_is 1
}

status=0
make_project
test_setup
test_build
test_path_of_a_target
test_checkout_of_another
test_test
test_fuzz
test_inspections
test_bench
end_of_cases
