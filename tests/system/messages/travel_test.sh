#!/usr/bin/env bash
# Closures that cannot travel do not compile, and the compiler says why and names the caller's line.  travel_test.sh CXX
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
compiler=$1
source "$root/tests/cases.sh"
source "$root/tests/compile_cases.sh"
includes '<map>' '<memory>' '<string>' '<vector>' '"system/collectives/exchange_by.hpp"' '"system/containers/global_array.hpp"' \
  '"system/containers/global_hash_map.hpp"' '"system/containers/global_multimap.hpp"' '"system/delegates/bulk.hpp"' \
  '"system/delegates/cached_range.hpp"' '"system/delegates/delegate.hpp"' '"system/delegates/stealing.hpp"' '"system/loops/forall.hpp"' \
  '"system/runtime/runtime.hpp"'

# in_function TEXT PARAMETERS STATEMENT: the statement is refused with the text, or compiles if that is empty. A template is refused
# once for the same types, so cases of one text have others.
in_function() {
  local lines="using namespace orujo::internal;
void greet(), visit(std::size_t), visit_all(orujo::index_range);
int twice(std::size_t);
void try_it($2) {
  $3
}"
  if [[ $1 ]]; then case_of "$lines" "$1"; else case_of "$lines"; fi
}
refuses() { in_function "$1" 'delegates::event_ref event, const std::string& text, const char (&large)[5000]' "$2"; }

text='this closure cannot travel to another core: capture only trivially copyable values'
for call in 'delegates::call(1, F);' 'delegates::call_task(1, F);' \
  'delegates::async_call(event, 1, F);' 'delegates::async_spawn(event, 1, F);' \
  'delegates::async_spawn_public(event, F);' 'loops::on_all_cores(F);'; do
  refuses '' "${call/F/[n = text.size()] { (void)n; \}}"
  refuses "$text" "${call/F/[text] { (void)text; \}}"
done
refuses "$text" 'loops::forall({0, 10}, [text](std::size_t) { (void)text; });'
refuses "$text" 'delegates::call(1, [large] { (void)large; });'
text="a delegate's result must be trivially copyable, or a value that can be packed"
refuses "$text" 'delegates::call(1, [] { return std::unique_ptr<int>(); });'
# Nor values behind a closure.
text='this value cannot travel to another core'
refuses '' 'delegates::call(1, [](std::string) {}, text);'
refuses "$text" 'delegates::call(1, [](std::string_view) {}, "literal");'
refuses "$text" 'delegates::async_call(event, 1, [](std::vector<int*>) {}, std::vector<int*>());'
refuses 'the closure is called with copies of the values' 'delegates::call(1, [](std::string&) {}, text);'
text='a pointer to a function means nothing in another process'
refuses "$text" 'loops::on_all_cores(&greet);'
refuses "$text" 'loops::forall({0, 10}, visit);'
refuses "$text" 'loops::async_forall(event, {0, 10}, visit_all);'
# Operations on global memory without an event.
names_event() { # TEXT CALL TYPE
  in_function "$1" "memory::global_address<$3> word, delegates::event_ref event, $3 value, std::span<$3> values" "delegates::$2;"
}
while read -r type call; do
  names_event '' "${call/(/(event, }" "$type"
  names_event 'an asynchronous operation names the event that counts it' "$call" "$type"
done <<'END'
int async_increment(word)
unsigned async_increment(word, 2)
long async_write(word, 2)
float async_read(word, &value)
double async_get(word, values)
short async_put(word, values)
char async_copy(word, word, 2)
bool async_fill(word, 2, value)
END
# Ranges that begin at an element of an array.
from_element() { in_function "$1" "containers::global_array<${3-int}> array, std::span<${3-int}> values" "$2"; }
from_element '' 'array.get(2, values), array.put(2, values), array.fill(3), delegates::write(array[2], 3);'
from_element 'a pointer to a function means nothing in another process' 'containers::global_array<int>::create_by(9, twice);'
while read -r type call; do
  from_element 'a range from array[i] on would end with the block of one core' "delegates::$call;" "$type"
done <<'END'
int get(array[2], values)
long put(array[2], values)
short fill(array[2], 9, 3)
float copy(array[2], array[5], 3)
double cache<delegates::access::read_only>(array[2], 9)
END
text='the body of a loop is const, as each core has a copy'
refuses "$text" 'loops::forall({0, 10}, [k = 0](std::size_t) mutable { ++k; });'
refuses "$text" 'loops::async_forall(event, {0, 10}, [k = 0](orujo::index_range) mutable { ++k; });'
refuses "$text" 'loops::forall_here({0, 10}, [k = 0](std::size_t) mutable { ++k; });'
refuses "$text" 'loops::forall(containers::global_array<int>::create(9), [k = 0](int&) mutable { ++k; });'
refuses 'the body of a loop over indices is body(std::size_t) or body(index_range)' \
  'loops::forall({0, 10}, [](const std::string&) {});'
text='array[i] is the address of an element, not the element'
refuses "$text" 'containers::global_array<int>::create(9)[3] += 1;'
refuses "$text" 'containers::global_array<unsigned long>::create(9)[3] += text.size();'
refuses 'ignoring return value' '
#pragma GCC diagnostic push
#pragma GCC diagnostic error "-Wunused-result"
  containers::global_array<int>::create(9)[3];
#pragma GCC diagnostic pop
'
refuses 'discards qualifiers' 'containers::global_array<int>::create(9)[3] = containers::global_array<int>::create(9)[4];'
refuses '' 'auto at = containers::global_array<int>::create(9)[3]; at += 1; at = at + 1;'
refuses '' 'containers::global_hash_map<std::string, int>::create(10).insert(text, 1);'
refuses 'keys of a distributed table travel in messages' 'containers::global_hash_map<int*, int>::create(10).insert(nullptr, 1);'
refuses 'values of a global_hash_map travel in messages' 'containers::global_hash_map<int, int*>::create(10).insert(1, nullptr);'
refuses 'keys of this type have no std::hash' 'containers::global_hash_map<std::vector<int>, int>::create(10).contains({1});'
refuses 'keys of a global_multimap are trivially copyable' 'containers::global_multimap<std::string, int>::create(10).insert(text, 1);'
text='the main task of a job returns orujo::status'
refuses "$text" 'orujo::run(0, nullptr, "x", [] {});'
refuses "$text" 'orujo::run(0, nullptr, "x", [] { return 1; });'
refuses '' 'orujo::run(0, nullptr, "x", [] { return orujo::status(); });'
# Values that collectives carry.
carries() { # TEXT STATEMENT [TYPE]
  in_function "$1" "std::map<int, int> map, std::vector<std::unique_ptr<${3-int}>> owners, const std::vector<int> fixed" "collectives::$2;"
}
carries '' 'broadcast(map, 0)'
while read -r type call; do
  carries 'collectives carry values that are trivially copyable and of at most 2 KiB, and contiguous' "$call" "$type"
done <<'END'
int inclusive_scan(map)
int all_reduce(owners)
long broadcast(owners, 0)
short all_gather(owners)
float exchange_by(owners, [](const auto&) { return 0; })
END
carries 'they must not be const' 'all_reduce(fixed)'
try_cases
end_of_cases
