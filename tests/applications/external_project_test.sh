#!/usr/bin/env bash
# Installs the build by bin/orujo install, then builds and runs a project of bin/orujo new, and the programs of README.md and of
# docs/start/cpp.md, against it.
#   external_project_test.sh BUILD_FOLDER CXX_COMPILER
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$1 compiler=$2
source "$root/tests/cases.sh"
export ORUJO_NO_SETUP=1

step() { "$@" >"$work/out" 2>&1 </dev/null; }
prints_just() { # prints_just TEXT COMMAND...
  local text=$1
  shift
  timeout 120 "$@" >"$work/out" 2>"$work/err" </dev/null && [[ $(<"$work/out") == "$text" ]]
}

prints_like() { # prints_like PATTERN COMMAND...
  timeout 60 "${@:2}" >"$work/out" 2>"$work/err" </dev/null && prints "$1"
}

# Only what is built. A sanitizer's libraries and programs are several times as large.
check 'the build can be installed' step "$root/bin/orujo" install "--preset=${build##*/}" "$work/prefix"
installed_mb=$(du -sm "$work/prefix" | cut -f1)
[[ ${build##*/} != release ]] || check "... in at most 60 MB: $installed_mb" test "$installed_mb" -le 60
check '... with programs that run' prints_like '^verified' "$work/prefix/bin/orujo" run -c 1 pagerank --generate=kronecker:8 --verify
check '... and make a project' step "$work/prefix/bin/orujo" new collatz "$work/project"
check 'the project finds it' step cmake -S "$work/project" -B "$work/build" -G Ninja \
  "-DCMAKE_PREFIX_PATH=$work/prefix" "-DCMAKE_CXX_COMPILER=$compiler"
check 'and builds without the source tree' step cmake --build "$work/build" -j 2
check 'and passes its test' step ctest --test-dir "$work/build"
for locales in 1 2; do
  check "the program runs on $locales locales" prints_just '837799 takes 524 steps' \
    "$work/prefix/bin/orujo" run -n $locales -c 1 "$work/build/collatz"
done
# The project of docs/start/cpp.md with its two programs and README.md's, without any flag.
blocks() { awk -v language="$1" '/^```/ { inside = $0 == "```" language; next } inside' "$root/$2"; }
check 'the launcher of the sources makes a project, too' step "$root/bin/orujo" new mine "$work/mine"
blocks cmake docs/start/cpp.md >>"$work/mine/CMakeLists.txt"
{ blocks cpp README.md && blocks cpp docs/start/cpp.md; } | awk '/^#include/ && !including { ++count } { including = /^#include|^$/ } count { print >"'"$work/mine/"'" count ".cpp" }'
mv "$work/mine/1.cpp" "$work/mine/counts.cpp"
mv "$work/mine/2.cpp" "$work/mine/draws.cpp"
mv "$work/mine/3.cpp" "$work/mine/ranks.cpp"
printf '%s\n' 'add_executable(counts counts.cpp)' 'target_link_libraries(counts PRIVATE orujo::system)' \
  'add_executable(degrees degrees.cpp)' 'target_link_libraries(degrees PRIVATE orujo::harness)' >>"$work/mine/CMakeLists.txt"
# An application of one's own, with the flags of ours.
cat >"$work/mine/degrees.cpp" <<'END'
#include <orujo/graph.hpp>
#include <orujo/orujo.hpp>
#include "applications/harness/graph_harness.hpp"

int main(int argc, char** argv) {
  return orujo::run(argc, argv, "degrees: the mean degree.", [] {
    return orujo::harness::run_on_graph(
        "degrees", {.in_vectors = false, .out_rows = true},
        [](const orujo::loaded_graph& g, auto&, orujo::harness::report& report) {
          report.further["mean_degree"] = static_cast<double>(g.edges) / static_cast<double>(g.vertices);
          return orujo::status();
        });
  });
}
END
check "the project of docs/start/cpp.md finds it" step cmake -S "$work/mine" -B "$work/mine/build" -G Ninja \
  "-DCMAKE_PREFIX_PATH=$work/prefix" "-DCMAKE_CXX_COMPILER=$compiler"
check "and its programs build" step cmake --build "$work/mine/build" -j 2
for simd in avx512 avx2 scalar; do
  [[ $simd == scalar ]] || grep -qE "\b${simd}f?\b" /proc/cpuinfo || continue
  timeout 60 "$work/mine/build/ranks" --generate=kronecker:10 --cores=2 --simd=$simd --print_settings >"$work/out" 2>"$work/err"
  report $? "one program ranks a graph with --simd=$simd"
  check '... and says so' says "kernels are compiled for: $simd at locale 0"
  [[ $simd == scalar ]] || best=$simd
done
timeout 60 "$work/mine/build/ranks" --generate=kronecker:10 --cores=2 --print_settings >"$work/out" 2>"$work/err"
check 'by itself it uses vectors where there are any' says "kernels are compiled for: ${best:+avx}"
check "README.md's program counts draws" prints_like '^element 7: [0-9]+$' "$work/mine/build/counts" --cores=2
check 'and so does that of docs/start/cpp.md' prints_like '^element 7: [0-9]+$' "$work/mine/build/draws" --cores=2
"$work/mine/build/degrees" --generate=kronecker:10 --cores=2 --stats_json="$work/degrees.json" >"$work/out" 2>"$work/err"
report $? 'one with the harness takes the flags of applications'
check '... and writes their statistics' grep -q '"mean_degree": 16' "$work/degrees.json"

# Without CMake: one is compiled, the others' objects are linked.
export PKG_CONFIG_PATH=$work/prefix/lib/pkgconfig
flags() { pkg-config "$@" | tr '\n' ' '; }
# shellcheck disable=SC2046
if command -v pkg-config >/dev/null; then
  check 'a program builds with plain g++ and pkg-config' step "$compiler" -std=c++20 -O1 "$work/mine/draws.cpp" -o "$work/draws" \
    $(flags --cflags --libs orujo-system)
  check '... and runs' prints_like '^element 7: [0-9]+$' "$work/draws" --cores=2
  for program in ranks degrees; do
    check "$program links with the framework so" step "$compiler" "$work/mine/build/CMakeFiles/$program.dir/$program.cpp.o" \
      -o "$work/$program" $(flags --libs orujo-framework)
    "$work/$program" --generate=kronecker:8 --cores=1 >"$work/out" 2>"$work/err"
    report $? '... and runs'
  done
fi
grep -v BUILD_TYPE "$work/mine/CMakeLists.txt" | sed '/^endif/d' >"$work/CMakeLists.txt" && cp "$work/CMakeLists.txt" "$work/mine"
cmake -S "$work/mine" -B "$work/none" -G Ninja "-DCMAKE_PREFIX_PATH=$work/prefix" "-DCMAKE_CXX_COMPILER=$compiler" >"$work/out" 2>&1
check 'without a build type it is told what that costs' prints 'CMAKE_BUILD_TYPE is not set'

# A task whose frame is larger than its stack. It is compiled with the flags that `orujo::system` passes on, and
# without them, where the overflow is seen when the task yields.
mkdir "$work/deep"
cat >"$work/deep/guarded.cpp" <<'END'
#include <cstddef>
#include <cstdlib>
#include <orujo/orujo.hpp>

[[gnu::noinline]] void fill_a_large_frame(std::size_t from) {
  volatile char frame[200 << 10];
  for (std::size_t k = from; k < sizeof(frame); k += 512) frame[k] = 1;
  orujo::yield();
  if (frame[sizeof(frame) - 1] == 2) std::abort();
}

int main(int argc, char** argv) {
  return orujo::run(argc, argv, "Overflows a stack.", [] {
    // From the stack's own part on, so that the guard is not touched.
    orujo::on_all_cores([] { fill_a_large_frame(120 << 10); });
    return orujo::status();
  });
}
END
cat >"$work/deep/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.25)
project(deep LANGUAGES CXX)
find_package(orujo REQUIRED)
foreach(name guarded unguarded)
  add_executable(${name} ${name}.cpp)
  target_link_libraries(${name} PRIVATE orujo::system)
endforeach()
set_source_files_properties(unguarded.cpp PROPERTIES COMPILE_OPTIONS -fno-stack-clash-protection)
END
cp "$work/deep/guarded.cpp" "$work/deep/unguarded.cpp"
check 'a project with large frames builds' eval 'step cmake -S "$work/deep" -B "$work/deep/build" -G Ninja \
  -DCMAKE_BUILD_TYPE=Release "-DCMAKE_PREFIX_PATH=$work/prefix" "-DCMAKE_CXX_COMPILER=$compiler" &&
  step cmake --build "$work/deep/build" -j 2'
for program in guarded unguarded; do
  for cores in 1 2; do
    timeout 60 "$work/deep/build/$program" --cores=$cores >"$work/out" 2>"$work/err" </dev/null
    status=$?
    check "a frame larger than the stack ends the job with 72 ($program, $cores cores)" test $status == 72
    check '... and says what to raise' says 'FATAL: stack overflow in task .*: raise --stack_bytes'
  done
done
unset status

# The size of a header for its users.
echo '#include "system/base/identity.hpp"' >"$work/identity.cpp"
lines=$("$compiler" -std=c++20 -E -P -I"$work/prefix/include/orujo" -I"$root" "$work/identity.cpp" | wc -l)
check "my_core() costs at most 5000 lines: $lines" test "$lines" -le 5000

check 'nothing in the installation points to the source tree' eval "! grep -rlF '$root/' '$work/prefix/lib/'{cmake,pkgconfig}"
check '... or to a library of this machine' eval "! grep -rlE '/lib[a-z_]+[.](so|a)\b' '$work/prefix/lib/'{cmake/orujo/orujo-targets.cmake,pkgconfig}"
end_of_cases
