#!/usr/bin/env bash
# Vertex programs with a mistake do not compile, and the compiler says which member is wrong and how it is written.
#   program_test.sh CXX
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
compiler=$1
source "$root/tests/cases.sh"
source "$root/tests/compile_cases.sh"
includes '"framework/gas/edge_map.hpp"' '"framework/gas/load.hpp"' '"framework/gas/run.hpp"'

# The parts of a right program.
types='using value = float; using aggregate = nothing;'
gather='template <class V> V gather(V shown, V) const { return shown; }'
collect='value collect(const vertex&, value own, neighbours<value>) { return own; }'
sum='static constexpr auto combine = orujo::internal::gas::sum{};'
minimum='static constexpr auto combine = orujo::internal::gas::minimum{};'
start='value start(const vertex&, aggregate&) { return 0; }'
apply='bool apply(const vertex&, value, value&, aggregate&) { return false; }'
right="$types $gather $sum $start $apply"
incremental='static constexpr bool incremental = true;'
least="$types $gather $minimum $start $apply $incremental"

# try_it MEMBERS STATEMENT [TEXT]: a program with these members compiles, or is refused.
try_it() {
  local lines="using namespace orujo::internal::gas;
struct program { $1 };
void try_it([[maybe_unused]] program& p, [[maybe_unused]] orujo::internal::graph::distributed_graph g) {
  $2
}"
  if (($# == 2)); then case_of "$lines"; else case_of "$lines" "$3"; fi
}
accepts() { try_it "$1" '(void)run(p, g.here());'; }
refuses() { try_it "$2" '(void)run(p, g.here());' "$1"; } # refuses TEXT MEMBERS

accepts "$right"
accepts "$right bool next(int, const aggregate&) const { return true; }"
accepts "$types float gather(float x, float) const { return x; } using accumulator = float; $sum $start $apply"
accepts "$types $collect $start $apply"
accepts "$types $collect $start $apply $incremental bool starts(const vertex&) const { return true; }"
accepts "$types $gather $sum $start $apply $incremental static constexpr bool deltas = true;"
accepts "$least bool starts(const vertex&) const { return true; }"
accepts "$least static constexpr bool settles = true; bool settled(const vertex&) const { return false; }"

asynchronous='static constexpr bool asynchronous = true;'
accepts "$least $asynchronous"
text='asynchronous is for incremental programs of the vector engine without deltas'
refuses "$text" "$right $asynchronous"
refuses "$text" "$types $collect $start $apply $incremental $asynchronous"
refuses 'asynchronous is to be written static constexpr bool asynchronous = true;' "$least bool asynchronous = true;"

improves='static constexpr bool improves = true;'
best="$types $gather $minimum $start $incremental $improves"
priority='std::uint64_t priority(const vertex&, const value& shown) const { return shown; }'
accepts "$least $improves"
accepts "$best"
accepts "$best $asynchronous"
accepts "$best $priority"
accepts "$best $asynchronous $priority"
text='priority() is for programs that improve, in which a vertex shows the best contribution that it has had: static constexpr bool incremental = true, improves = true; and neither apply() nor next() nor settles'
refuses "$text" "$least $priority"
refuses "$text" "$right $priority"
refuses "$text" "$best $priority $apply"
refuses "$text" "$best $priority bool next(int, const aggregate&) { return true; }"
refuses "$text" "$best $priority static constexpr bool settles = true; bool settled(const vertex&) const { return false; }"
accepts "$least $asynchronous $improves"
text='improves is for incremental programs of the vector engine without deltas'
refuses "$text" "$right $improves"
refuses "$text" "$types $gather $sum $start $apply $incremental static constexpr bool deltas = true; $improves"
refuses "$text" "$types $collect $start $apply $incremental $improves"
refuses 'improves is to be written static constexpr bool improves = true;' "$least bool improves = true;"

text='next() cannot be called as bool next(int superstep, const aggregate& last)'
refuses "$text" "$right bool next(int, aggregate&) { return true; }"
refuses "$text" "$right private: bool next(int, const aggregate&) { return true; }"
try_it "$right bool next(int) { return true; }" '(void)orujo::internal::gas::load_from_flags<program>();' "$text"
refuses 'starts() cannot be called as bool starts(const vertex& v)' "$least bool starts(vertex&) { return true; }"
text='settled() and settles belong together: static constexpr bool settles = true; and bool settled(const vertex& v) const'
refuses "$text" "$least static constexpr bool settles = true; bool settled(vertex&) { return true; }"
refuses "$text" "$least static constexpr bool settles = true;"
refuses "$text" "$least bool settled(const vertex&) const { return true; }"
refuses 'priority() cannot be called as std::uint64_t priority(const vertex& v, const value& shown)' \
  "$best std::uint64_t priority(const vertex&) const { return 0; }"
refuses 'combine must be idempotent (minimum, maximum, bit_or,' "$right $incremental"
refuses 'incremental is to be written static constexpr bool incremental = true;' "$right bool incremental = true;"
refuses 'deltas requires static constexpr bool incremental = true;' "$right static constexpr bool deltas = true;"
text='settles, deltas and priority() are for programs of the vector engine: others are given the total of all in-edges'
refuses "$text" "$types $collect $start $apply static constexpr bool settles = true; bool settled(const vertex&) const { return false; }"
refuses "$text" "$types $collect $start $apply $incremental static constexpr bool deltas = true;"
refuses "$text" "$types $collect $start $apply $incremental std::uint64_t priority(const vertex&, const value&) const { return 0; }"

# Programs of sources.
source='using value = source; using aggregate = nothing; static constexpr auto combine = any{};'
from='bool starts(const vertex&) const { return true; }'
told='bool apply(const vertex&, const source&, aggregate&) { return true; }'
sources="$source $from $told"
accepts "$sources"
accepts "$source $from bool apply(const vertex&, source, aggregate&) { return true; } void start(const vertex&, aggregate&) {} bool next(int, const aggregate&) { return true; }"
try_it "$sources" '(void)run(p, g, property<source>::create(g));' 'with value = source a vertex shows which it is: keep what apply() receives in a property'
refuses 'sources have no sum or minimum: a program with value = source says static constexpr auto combine = orujo::internal::gas::any{};' \
  "using value = source; using aggregate = nothing; $minimum $from $told"
refuses 'sources have no sum or minimum' "using value = source; using aggregate = nothing; $from $told"
text='gather(), collect(), restored() and accumulator are for values: with value = source a vertex shows which it is'
refuses "$text" "$sources $gather"
refuses "$text" "$sources value restored(const vertex&);"
refuses "$text" "$sources using accumulator = int;"
text='starts() is missing, or cannot be called as bool starts(const vertex& v): with value = source it says where the search begins'
refuses "$text" "$source $told"
refuses "$text" "$source $told bool starts(vertex&);"
refuses 'start() cannot be called as void start(const vertex& v, aggregate& sums): with value = source' \
  "$sources value start(const vertex&, aggregate&);"
text='apply() is missing, or cannot be called as bool apply(const vertex& v, const source& from, aggregate& sums)'
refuses "$text" "$source $from"
refuses "$text" "$source $from $apply"
refuses 'next() cannot be called as bool next(int superstep, const aggregate& last)' "$sources bool next(int);"
refuses 'with combine = any{} a vertex takes one contribution and is settled' "$sources $incremental"
refuses 'with combine = any{} a vertex takes one contribution and is settled' "$sources static constexpr bool deltas = true;"

# Expressions that a gather may use.
accepts "$types $sum $start $apply template <class V> V gather(V a, V w) const { return select(a < w, min(a, w), max(a, V{2})); }"
accepts "$types $sum $start $apply template <class V> V gather(V a, V w) const { using namespace std; return orujo::internal::gas::min(a, w); }"
text_of_gather='write orujo::min(a, b), orujo::max(a, b) or orujo::select(a < b, a, b) for std::min, ?: or if'
refuses "$text_of_gather" "$types $sum $start $apply template <class V> V gather(V a, V w) const { return std::min(a, w); }"

text='gather() must be generic over scalars and packs, and const: template <class V> V gather(V source_value, V edge_weight) const'
refuses "$text" "$types float gather(float x, float) const { return x; } $sum $start $apply"
refuses "$text" "$types template <class V> V gather(V shown, V) { return shown; } $sum $start $apply"
refuses 'combine must work on scalars and on packs alike and have an identity' \
  "struct first { float operator()(float a, float) const { return a; } }; static constexpr auto combine = first{}; $types $gather $start $apply"
refuses 'combine is missing: beside gather() a program says how contributions meet' "$types $gather $start $apply"
refuses 'gather() and combine of a scalar program: accumulator gather(const value& source, float edge_weight) const' \
  "$types using accumulator = double; float gather(float x) const { return x; } $sum $start $apply"
refuses 'a vertex program says what it takes from in-neighbours: gather() and combine, or collect()' "$types $sum $start $apply"
refuses 'gather() and collect() exclude each other' "$right $collect"
refuses 'collect() cannot be called as accumulator collect(const vertex& v, const value& own, const neighbours<value>& all)' \
  "$types value collect(value own, neighbours<value>) { return own; } $start $apply"
refuses 'start() is missing, or cannot be called as value start(const vertex& v, aggregate& sums)' \
  "$types $gather $sum $apply double start(const vertex&, aggregate&) { return 0; }"
refuses 'apply() is missing, or cannot be called as bool apply(const vertex& v, const accumulator& total, value& shown' \
  "$types $gather $sum $start bool apply(const vertex&, value, value) { return false; }"
refuses 'a vertex program says what a vertex shows its neighbours, using value = float;' "using aggregate = nothing; $gather $sum"
refuses 'a vertex program says what is summed over all vertices: using aggregate = orujo::internal::gas::nothing;' \
  "using value = float; $gather $sum value start(const vertex&);"

try_it "$right" '(void)run(p, g);'
try_it "$right std::vector<int> seen;" '(void)run(p, g);' 'a program that travels to every core is trivially copyable'
try_it "$right const float& damping;" '(void)run(p, g);' 'no strings, vectors or references'
accepts "$right const float& damping; const float tolerance = 0; std::vector<int> seen;"
# The first error is the program's, not that of a form which it has none of.
loads() { try_it "$2" '(void)orujo::internal::gas::load_from_flags<program>();' "$1"; } # loads TEXT MEMBERS
loads 'combine is missing: beside gather() a program says how contributions meet' "$types $gather $start $apply"
loads 'apply() is missing, or cannot be called as bool apply(' "$types $gather $sum $start"
loads 'next() cannot be called as bool next(int superstep, const aggregate& last)' "$right float next(int);"
loads 'a vertex program says what is summed over all vertices: using aggregate = orujo::internal::gas::nothing;' 'using value = float;'

# Visitors of edge maps.
value='using value = float;'
show='value show(const vertex&) const { return 0; }'
visit='bool visit(const vertex&, value) { return true; }'
visitor="$value $minimum $show $visit"
map() { try_it "$2" '(void)edge_map(vertex_set::all(g), p);' "$1"; } # map TEXT MEMBERS
try_it "$visitor bool wants(const vertex&) const { return true; } bool enough(value) const { return false; }" \
  '(void)edge_map(g, vertex_set::none(g), p);'
map 'a visitor is copied to every core: it is trivially copyable' "$visitor std::vector<int> seen;"
map 'no strings, vectors or references' "$visitor const float& least;"
pair="struct pair { PAIR }; struct least { pair operator()(pair a, pair) const { return a; } template <class T> static constexpr T identity() { return {}; } };
  using value = pair; static constexpr auto combine = least{}; value show(const vertex&) const { return {}; } bool visit(const vertex&, const value&) { return true; }"
map 'values of an edge map are compared' "${pair/PAIR/double length; int hops;}"
try_it "${pair/PAIR/double length; int hops; friend bool operator==(pair, pair) = default;}" '(void)edge_map(vertex_set::all(g), p);'
try_it "${pair/PAIR/int length, hops;}" '(void)edge_map(vertex_set::all(g), p);'
map 'a visitor says how values meet, static constexpr auto combine' "$value $show $visit"
map 'show() is missing, or cannot be called as value show(const vertex& source) const' "$value $minimum $visit int show(const vertex&);"
map 'visit() is missing, or cannot be called as bool visit(const vertex& target, const value& total)' "$value $minimum $show"
visited='using value = source; bool visit(const vertex&, const value&) { return true; }'
map 'sources have no sum or minimum: a visitor of them says combine = any' "$visited $minimum"
try_it "$visited static constexpr auto combine = any{};" '(void)edge_map(vertex_set::all(g), p);'
map 'wants() cannot be called as bool wants(const vertex& target) const' "$visitor bool wants(vertex&) { return true; }"
map 'gather() cannot be called as value gather(const value& shown, float weight) const' "$visitor value gather(value) const { return 0; }"
try_cases

# Masks of packs are asked once in a program.
cat >"$work/program.cpp" <<END
using namespace orujo::internal::gas;
struct program { $types $sum $start $apply template <class V> V gather(V a, V w) const {
  return a > w ? a : w;
} };
void try_it(program& p, orujo::internal::graph::distributed_graph g) { run(p, g.here()); }
END
compiles 'a gather that chooses by ?:' "$text_of_gather" program.cpp:3:
end_of_cases
