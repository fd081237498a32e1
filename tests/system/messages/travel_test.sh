#!/usr/bin/env bash
# Closures that cannot travel do not compile, and the compiler says why and names the caller's line.  travel_test.sh CXX
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
compiler=$1
source "$root/tests/cases.sh"
source "$root/tests/compile_cases.sh"
includes '<memory>' '<string>' '"system/delegates/stealing.hpp"' '"system/loops/forall.hpp"'

# refuses TEXT STATEMENT: the statement is line 4 of a program.
refuses() {
  cat >"$work/program.cpp" <<END
void greet(), visit(std::size_t);
void try_it(orujo::internal::delegates::event_ref event, const std::string& text) {
  char large[5000] = {};
  $2
  (void)event, (void)text, (void)large;
}
END
  if [[ $1 ]]; then compiles "$2" "$1" program.cpp:4:; else compiles "$2"; fi
}

text='this closure cannot travel to another core: capture only trivially copyable values'
for call in 'orujo::internal::delegates::call(1, F);' 'orujo::internal::delegates::call_task(1, F);' \
  'orujo::internal::delegates::async_call(event, 1, F);' 'orujo::internal::delegates::async_spawn(event, 1, F);' \
  'orujo::internal::delegates::async_spawn_public(event, F);' 'orujo::internal::loops::on_all_cores(F);'; do
  refuses '' "${call/F/[n = text.size()] { (void)n; \}}"
  refuses "$text" "${call/F/[text] { (void)text; \}}"
done
refuses "$text" 'orujo::internal::loops::forall({0, 10}, [text](std::size_t) { (void)text; });'
refuses "$text" 'orujo::internal::delegates::call(1, [large] { (void)large; });'
text="a delegate's result must be trivially copyable, or a value that can be packed"
refuses "$text" 'orujo::internal::delegates::call(1, [] { return std::unique_ptr<int>(); });'
# Nor values behind a closure.
text='this value cannot travel to another core'
refuses '' 'orujo::internal::delegates::call(1, [](std::string) {}, text);'
refuses "$text" 'orujo::internal::delegates::call(1, [](std::string_view) {}, "literal");'
refuses "$text" 'orujo::internal::delegates::async_call(event, 1, [](std::vector<int*>) {}, std::vector<int*>());'
refuses 'the closure is called with copies of the values' 'orujo::internal::delegates::call(1, [](std::string&) {}, text);'
text='a pointer to a function means nothing in another process'
refuses "$text" 'orujo::internal::loops::on_all_cores(&greet);'
refuses "$text" 'orujo::internal::loops::forall({0, 10}, visit);'
refuses "$text" 'orujo::internal::loops::async_forall(event, {0, 10}, visit);'
# Operations on global memory without an event.
includes '"system/delegates/bulk.hpp"' '"system/delegates/delegate.hpp"'
names_event() {
  printf 'void try_it(orujo::internal::memory::global_address<int> word, orujo::internal::delegates::event_ref event, int value, std::span<int> values) {\n%s\n%s\n}\n' \
    '(void)word, (void)event, (void)value, (void)values;' "orujo::internal::delegates::$2" >"$work/program.cpp"
  if [[ $1 ]]; then compiles "$2" "$1" program.cpp:3:; else compiles "$2"; fi
}
for call in 'async_increment(word)' 'async_increment(word, 2)' 'async_write(word, 2)' 'async_read(word, &value)' \
  'async_get(word, values)' 'async_put(word, values)' 'async_copy(word, word, 2)' 'async_fill(word, 2, value)'; do
  names_event '' "${call/(/(event, };"
  names_event 'an asynchronous operation names the event that counts it' "$call;"
done
# Ranges that begin at an element of an array.
includes '"system/containers/global_array.hpp"' '"system/delegates/bulk.hpp"' '"system/delegates/cached_range.hpp"' '"system/delegates/delegate.hpp"'
from_element() {
  printf 'void try_it(orujo::internal::containers::global_array<int> array, std::span<int> values) {\n(void)array, (void)values;\n%s\n}\n' \
    "$2" >"$work/program.cpp"
  if [[ $1 ]]; then compiles "$2" "$1" program.cpp:3:; else compiles "$2"; fi
}
from_element '' 'array.get(2, values), array.put(2, values), array.fill(3), orujo::internal::delegates::write(array[2], 3);'
printf 'int twice(std::size_t);\nauto made = orujo::internal::containers::global_array<int>::create_by(9, twice);\n' >"$work/program.cpp"
compiles 'create_by(9, twice)' 'a pointer to a function means nothing in another process' program.cpp:2:
for call in 'get(array[2], values)' 'put(array[2], values)' 'fill(array[2], 9, 3)' 'copy(array[2], array[5], 3)' \
  'cache<orujo::internal::delegates::access::read_only>(array[2], 9)'; do
  from_element 'a range from array[i] on would end with the block of one core' "orujo::internal::delegates::$call;"
done
# says_first TEXT STATEMENT: ... and the sentence is the compiler's first error.
says_first() {
  local sentence=$1
  refuses "$1" "$2"
  check "the first error is: $1" eval '[[ $(grep -m1 -F "error:" "$work/err") == *"$sentence"* ]]'
}
includes '"system/containers/global_array.hpp"' '"system/containers/global_hash_map.hpp"' '"system/containers/global_multimap.hpp"' '"system/runtime/runtime.hpp"' '<string>'
text='the body of a loop is const, as each core has a copy'
says_first "$text" 'orujo::internal::loops::forall({0, 10}, [k = 0](std::size_t) mutable { ++k; });'
says_first "$text" 'orujo::internal::loops::async_forall(event, {0, 10}, [k = 0](orujo::index_range) mutable { ++k; });'
says_first "$text" 'orujo::internal::loops::forall_here({0, 10}, [k = 0](std::size_t) mutable { ++k; });'
says_first "$text" 'orujo::internal::loops::forall(orujo::internal::containers::global_array<int>::create(9), [k = 0](int&) mutable { ++k; });'
says_first 'the body of a loop over indices is body(std::size_t) or body(index_range)' \
  'orujo::internal::loops::forall({0, 10}, [](const std::string&) {});'
text='array[i] is the address of an element, not the element'
says_first "$text" 'orujo::internal::containers::global_array<int>::create(9)[3] += 1;'
says_first "$text" 'orujo::internal::containers::global_array<unsigned long>::create(9)[3] += text.size();'
refuses 'ignoring return value' '_Pragma("GCC diagnostic error \"-Wunused-result\"") orujo::internal::containers::global_array<int>::create(9)[3];'
refuses 'discards qualifiers' 'orujo::internal::containers::global_array<int>::create(9)[3] = orujo::internal::containers::global_array<int>::create(9)[4];'
refuses '' 'auto at = orujo::internal::containers::global_array<int>::create(9)[3]; at += 1; at = at + 1;'
refuses '' 'orujo::internal::containers::global_hash_map<std::string, int>::create(10).insert(text, 1);'
says_first 'keys of a distributed table travel in messages' 'orujo::internal::containers::global_hash_map<int*, int>::create(10).insert(nullptr, 1);'
says_first 'values of a global_hash_map travel in messages' 'orujo::internal::containers::global_hash_map<int, int*>::create(10).insert(1, nullptr);'
says_first 'keys of this type have no std::hash' 'orujo::internal::containers::global_hash_map<std::vector<int>, int>::create(10).contains({1});'
says_first 'keys of a global_multimap are trivially copyable' 'orujo::internal::containers::global_multimap<std::string, int>::create(10).insert(text, 1);'
text='the main task of a job returns orujo::status'
says_first "$text" 'orujo::run(0, nullptr, "x", [] {});'
says_first "$text" 'orujo::run(0, nullptr, "x", [] { return 1; });'
refuses '' 'orujo::run(0, nullptr, "x", [] { return orujo::status(); });'
# Values that collectives carry. The statement is compiled within a function of these.
includes '<map>' '<memory>' '<string>' '<vector>' '"system/collectives/exchange_by.hpp"'
carries() {
  printf 'void try_it(std::map<int, int> map, std::vector<std::unique_ptr<int>> owners, const std::vector<int> fixed) {\n%s\n%s\n}\n' \
    '(void)map, (void)owners, (void)fixed;' "$2" >"$work/program.cpp"
  if [[ $1 ]]; then compiles "$2" "$1" program.cpp:3:; else compiles "$2"; fi
}
text='collectives carry values that are trivially copyable and of at most 2 KiB, and contiguous'
carries '' 'orujo::internal::collectives::broadcast(map, 0);'
for statement in 'inclusive_scan(map)' 'all_reduce(owners)' 'broadcast(owners, 0)' 'all_gather(owners)' \
  'exchange_by(owners, [](const auto&) { return 0; })'; do
  carries "$text" "orujo::internal::collectives::$statement;"
done
carries 'they must not be const' 'orujo::internal::collectives::all_reduce(fixed);'
end_of_cases
