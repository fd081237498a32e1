// Edge maps against what a serial loop over all edges comes to.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <type_traits>
#include <vector>

#include "framework/gas/edge_map.hpp"
#include "framework/graph/property.hpp"
#include "framework/graph/transposed.hpp"
#include "framework/graph/vertex_map.hpp"
#include "system/base/random.hpp"
#include "tests/framework/job_property.hpp"

namespace orujo::internal::gas {
namespace {

using graph::property;

using test_graphs::expected_graph;

// The state of a vertex: nothing, or a total, and whether it has been visited more than once.
template <class Value>
struct heard {
  Value total;
  std::uint32_t visits;
};

std::uint64_t scrambled(std::uint64_t number) { return mix64(number + 17); }

// Each shows something of its own; one in five targets wants nothing, one in three is no member of the
// result.
bool wants_it(std::uint64_t number) { return number % 5 != 2; }
bool goes_on(std::uint64_t number) { return number % 3 != 1; }

// A visitor that receives what its Rule says. The rule also has these functions, for a serial loop:
//   value of(number)                    what the vertex shows
//   value met(value a, value b)         the combination of two
//   bool says_nothing(value total)
template <class Rule>
struct hearing {
  using rule = Rule;
  using value = typename Rule::value;
  static constexpr auto combine = Rule::combine;
  value show(const vertex& v) const { return Rule::of(v.number()); }
  bool wants(const vertex& v) const { return wants_it(v.number()); }
  bool visit(const vertex& v, const value& total) {
    heard<value>& mine = all[v];
    mine = {total, mine.visits + 1};
    return goes_on(v.number());
  }
  property<heard<value>> all;

  // For the serial loop: what comes along an edge.
  static value told(const value& shown, float) { return shown; }
};

struct sums_of_numbers {
  using value = std::uint64_t;
  static constexpr sum combine{};
  static value of(std::uint64_t n) { return scrambled(n) % 1000; }
  static value met(value a, value b) { return a + b; }
  static bool says_nothing(value total) { return total == 0; }
};
struct least_floats {
  using value = float;
  static constexpr minimum combine{};
  static value of(std::uint64_t n) { return static_cast<float>(scrambled(n) % 1000); }
  static value met(value a, value b) { return std::min(a, b); }
  static bool says_nothing(value) { return false; }
};
struct bits_of_numbers {
  using value = std::uint32_t;
  static constexpr bit_or combine{};
  static value of(std::uint64_t n) { return std::uint32_t{1} << scrambled(n) % 32; }
  static value met(value a, value b) { return a | b; }
  static bool says_nothing(value) { return false; }
};

// Floats of which the identity is none, so not equal to itself: the larger of two numbers.
struct largest_number {
  float operator()(float a, float b) const { return std::isnan(a) ? b : std::isnan(b) ? a : std::max(a, b); }
  template <class T>
  static constexpr T identity() {
    return std::numeric_limits<T>::quiet_NaN();
  }
};
struct largest_floats {
  using value = float;
  static constexpr largest_number combine{};
  static value of(std::uint64_t n) {
    return n % 3 == 0 ? std::nanf("") : static_cast<float>(scrambled(n) % 1000);
  }
  static value met(value a, value b) { return std::fmax(a, b); }
  static bool says_nothing(value total) { return std::isnan(total); }
};

// The rest of the value's bytes are of no meaning, and differ from vertex to vertex.
template <class Value>
Value with_padding(std::uint64_t n) {
  Value made;
  std::memset(static_cast<void*>(&made), static_cast<int>(scrambled(n) % 256), sizeof(made));
  return made;
}

// A value whose size no atomic operation has. Every fourth vertex shows the identity.
struct pair_of_sums {
  std::uint64_t count, sum;
  std::uint32_t largest;
  bool operator==(const pair_of_sums&) const = default;
};
static_assert(!std::has_unique_object_representations_v<pair_of_sums>);
struct add_pairs {
  pair_of_sums operator()(const pair_of_sums& a, const pair_of_sums& b) const {
    return {a.count + b.count, a.sum + b.sum, std::max(a.largest, b.largest)};
  }
  template <class T>
  static constexpr T identity() {
    return T{};
  }
};
struct sums_of_pairs {
  using value = pair_of_sums;
  static constexpr add_pairs combine{};
  static value of(std::uint64_t n) {
    value made = with_padding<value>(n);
    made.count = n % 4 == 0 ? 0 : 1;
    made.sum = made.count * (scrambled(n) % 77);
    made.largest = static_cast<std::uint32_t>(made.count * (scrambled(n) % 1000));
    return made;
  }
  static value met(const value& a, const value& b) {
    return {a.count + b.count, a.sum + b.sum, a.largest < b.largest ? b.largest : a.largest};
  }
  static bool says_nothing(const value& total) { return total.count == 0; }
};

// A value of the size of an atomic operation, with padding, whose identity is not all zeros.
struct alignas(8) numbered {
  std::uint32_t number = ~0u;
  std::uint8_t tag = 7;
  bool operator==(const numbered&) const = default;
};
struct least_numbered {
  numbered operator()(const numbered& a, const numbered& b) const { return b.number < a.number ? b : a; }
  template <class T>
  static constexpr T identity() {
    return T{};
  }
};
struct least_of_numbered {
  using value = numbered;
  static constexpr least_numbered combine{};
  static value of(std::uint64_t n) {
    value made = with_padding<value>(n);
    made.number = n % 4 == 0 ? ~0u : static_cast<std::uint32_t>(scrambled(n) >> 33);
    made.tag = n % 4 == 0 ? 7 : static_cast<std::uint8_t>(made.number);
    return made;
  }
  static value met(const value& a, const value& b) { return a.number <= b.number ? a : b; }
  static bool says_nothing(const value& total) { return total.number == ~0u; }
};

using summing = hearing<sums_of_numbers>;
using adding_pairs = hearing<sums_of_pairs>;
using finding_numbered = hearing<least_of_numbered>;
using finding_largest = hearing<largest_floats>;
using collecting_bits = hearing<bits_of_numbers>;
struct shortest : hearing<least_floats> {
  float gather(float shown, float weight) const { return shown + weight; }
  static float told(float shown, float weight) { return shown + weight; }
};
struct satisfied : collecting_bits {
  bool enough(std::uint32_t total) const { return total != 0; }
};

std::vector<std::uint64_t> some_of(std::uint64_t vertices, std::uint64_t one_in, std::uint64_t seed) {
  std::vector<std::uint64_t> numbers;
  for (std::uint64_t n = 0; n < vertices; ++n) {
    if (mix64(n ^ seed) % one_in == 0) numbers.push_back(n);
  }
  return numbers;
}

template <class Visitor>
void expect_heard(graph::distributed_graph graph, graph::distributed_graph of_sets,
                  const expected_graph& expected, bool reversed, bool sets_reversed,
                  const std::vector<std::uint64_t>& members, const steps::direction_options& direction) {
  using value = typename Visitor::value;
  using rule = typename Visitor::rule;
  const auto all = property<heard<value>>::create(graph);
  Visitor visitor{all};
  const vertex_set from = vertex_set::of(of_sets, members);
  ASSERT_EQ(from.size(), members.size());
  const vertex_set to = edge_map(graph, from, visitor, {.direction = direction});

  std::vector<bool> member(expected.ids.size());
  for (const std::uint64_t n : members) member[n] = true;
  std::vector<std::optional<value>> right(expected.ids.size());
  std::uint64_t out_edges_from = 0;
  for (const auto& e : expected.edges) {
    if (member[sets_reversed ? e.target : e.source]) ++out_edges_from;
    const std::uint64_t source = reversed ? e.target : e.source, target = reversed ? e.source : e.target;
    if (!member[source] || !wants_it(target)) continue;
    const value told = Visitor::told(rule::of(source), e.weight);
    right[target] = right[target] ? rule::met(*right[target], told) : told;
  }
  EXPECT_EQ(from.out_edges(), out_edges_from);
  std::vector<std::uint64_t> going_on;
  const auto found = test_graphs::by_vertex_number(all);
  for (std::uint64_t n = 0; n < right.size(); ++n) {
    const bool hears = right[n] && !rule::says_nothing(*right[n]);
    ASSERT_EQ(found[n].visits, hears ? 1u : 0u) << n;
    if (!hears) continue;
    if (goes_on(n)) going_on.push_back(n);
    if constexpr (requires { visitor.enough(*right[n]); }) {
      ASSERT_NE(found[n].total & *right[n], 0u) << n;
      ASSERT_EQ(found[n].total & ~*right[n], 0u) << n;
    } else {
      ASSERT_TRUE(found[n].total == *right[n]) << n;
    }
  }
  EXPECT_EQ(to.numbers(), going_on);
  EXPECT_EQ(to.size(), going_on.size());
  all.destroy();
}

void expect_all(std::size_t index, bool symmetrize, const steps::direction_options& direction) {
  graph::build_options options{.symmetrize = symmetrize};
  options.keep = forms_for_maps;
  const graph::distributed_graph graph = test_graphs::build(index, options);
  const graph::distributed_graph reversed = graph::transposed(graph);
  const expected_graph expected(test_graphs::all()[index], options);
  for (const std::uint64_t one_in : {direction.wanted == steps::direction::push ? 300 : 1, 7}) {
    SCOPED_TRACE(testing::Message() << "one in " << one_in);
    const auto members = some_of(expected.ids.size(), one_in, index);
    expect_heard<shortest>(graph, graph, expected, false, false, members, direction);
    expect_heard<satisfied>(graph, graph, expected, false, false, members, direction);
    if (symmetrize) continue;
    expect_heard<summing>(graph, graph, expected, false, false, members, direction);
    expect_heard<adding_pairs>(graph, graph, expected, false, false, members, direction);
    expect_heard<finding_numbered>(graph, graph, expected, false, false, members, direction);
    expect_heard<finding_largest>(graph, graph, expected, false, false, members, direction);
    expect_heard<collecting_bits>(reversed, graph, expected, true, false, members, direction);
    expect_heard<shortest>(reversed, reversed, expected, true, true, members, direction);
  }
  reversed.destroy();
  graph.destroy();
}

void expect_all(const steps::direction_options& direction) {
  for (const std::size_t g : test_graphs::places_in_turn()) {
    for (const bool symmetrize : {false, true}) {
      SCOPED_TRACE(test_graphs::all()[g].name + (symmetrize ? ", symmetrized" : ""));
      expect_all(g, symmetrize, direction);
    }
  }
}

TEST(edge_map, pushes_what_a_serial_loop_comes_to) { expect_all({steps::direction::push, 20}); }
TEST(edge_map, pulls_what_a_serial_loop_comes_to) { expect_all({steps::direction::pull, 20}); }
TEST(edge_map, finds_in_any_direction_what_a_serial_loop_comes_to) {
  expect_all({steps::direction::automatic, 20});
}

// A vertex that does not continue stays in the set. A vertex that is not a member is not touched.
TEST(edge_map, leaves_those_in_a_set_that_do_not_go_on) {
  for (const auto wanted : {steps::direction::push, steps::direction::pull}) {
    graph::build_options options{.symmetrize = true};
    options.keep = forms_for_maps;
    const graph::distributed_graph graph = test_graphs::build(test_graphs::all().size() - 1, options);
    const auto all = property<heard<std::uint64_t>>::create(graph);
    const vertex_set from = vertex_set::all(graph);
    vertex_set asked = vertex_filter(from, [](const vertex& v) { return v.number() % 4 != 0; });
    const std::vector<std::uint64_t> before = asked.numbers();
    const vertex_set to = edge_map(from, summing{all}, {.direction = {wanted, 20}, .out_of = &asked});
    const auto found = test_graphs::by_vertex_number(all);
    std::vector<std::uint64_t> left, gone;
    for (const std::uint64_t n : before) (found[n].visits > 0 && goes_on(n) ? gone : left).push_back(n);
    for (std::uint64_t n = 0; n < found.size(); n += 4) EXPECT_EQ(found[n].visits, 0u);
    EXPECT_FALSE(gone.empty());
    EXPECT_EQ(to.numbers(), gone);
    EXPECT_EQ(asked.numbers(), left);
    EXPECT_EQ(asked.size(), left.size());
    all.destroy();
    graph.destroy();
  }
}

}  // namespace
}  // namespace orujo::internal::gas
