// Every option of a run and of an edge map, on every kind of program.
#include "framework/gas/run_options.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "framework/gas/edge_map.hpp"
#include "framework/gas/load.hpp"
#include "framework/gas/run.hpp"
#include "framework/graph/vertex_map.hpp"
#include "system/report/merged_metrics.hpp"
#include "tests/framework/job_property.hpp"
#include "tests/framework/length_program.hpp"
#include "tests/framework/serial_levels.hpp"
#include "tests/system/machine/all_isa.hpp"

namespace orujo::internal::gas {
namespace {

using steps::direction, vectors::edge_schedule;
using test_graphs::expected_graph;

constexpr std::uint32_t far = test_graphs::hops_from_first::far;

// Number of edges from vertex 0 to each vertex, by every kind of program. The result is in the property that
// run() leaves.
struct program_of_hops {
  using value = std::uint32_t;
  struct aggregate {
    std::uint64_t applied = 0;  // calls of apply()
    void operator+=(const aggregate& other) { applied += other.applied; }
  };
  bool is_first(const vertex& v) const { return v.number() == 0; }
  value start(const vertex& v, aggregate&) { return is_first(v) ? 0 : far; }
  bool apply(const vertex&, value total, value& shown, aggregate& sums) {
    ++sums.applied;
    if (total >= shown) return false;
    shown = total;
    return true;
  }
  bool next(int, const aggregate& last) {
    applied += last.applied;
    return true;
  }
  std::uint64_t applied = 0;
};
struct pulled : program_of_hops {
  static constexpr auto combine = minimum{};
  template <class V>
  V gather(V hops, V) const {
    return hops + V{1};
  }
};
struct pushed : pulled {
  static constexpr bool incremental = true;
  bool starts(const vertex& v) const { return is_first(v); }
};
struct improving : pushed {
  static constexpr bool improves = true;
};
struct swept : pushed {
  static constexpr bool asynchronous = true;
};
// Programs without apply().
using least_hops = test_graphs::hops_from_first;
struct least_hops_swept : least_hops {
  static constexpr bool asynchronous = true;
};
struct in_order : least_hops {
  std::uint64_t priority(const vertex&, const value& hops) const { return hops / 3; }
};
struct by_rows : program_of_hops {
  value collect(const vertex&, value, const neighbours<value>& all) {
    value least = far;
    for (const auto& [hops, weight] : all) least = std::min(least, hops + 1);
    return least;
  }
};
struct touched : by_rows {
  static constexpr bool incremental = true;
  bool starts(const vertex& v) const { return is_first(v); }
};
struct reached : program_of_hops {
  static constexpr auto combine = any{};
  template <class V>
  V gather(V hops, V) const {
    return hops + V{1};
  }
  bool starts(const vertex& v) const { return is_first(v); }
  bool apply(const vertex&, value total, value& shown, aggregate&) {
    shown = total;
    return true;
  }
};
template <class Program>
constexpr bool may_push = detail::wanted_edges_of<Program>(true).can_push;

// Calls f<Program>() for every kind.
template <class F>
void for_every_kind(F f) {
  const auto one = [&]<class Program>(const char* name) {
    SCOPED_TRACE(name);
    f.template operator()<Program>();
  };
  one.template operator()<pulled>("vectors");
  one.template operator()<pushed>("vectors, incremental");
  one.template operator()<improving>("vectors, improving");
  one.template operator()<swept>("asynchronous");
  one.template operator()<least_hops>("the least");
  one.template operator()<least_hops_swept>("the least, asynchronous");
  one.template operator()<in_order>("by priority");
  one.template operator()<by_rows>("rows");
  one.template operator()<touched>("rows, incremental");
  one.template operator()<reached>("any");
}

// A graph in all forms, and what is right on it.
class searched_graph {
 public:
  explicit searched_graph(const std::string& name) {
    const auto& all = test_graphs::all();
    const auto at = std::find_if(all.begin(), all.end(), [&](const auto& g) { return g.name == name; });
    graph::build_options options{.symmetrize = true};
    options.keep = {.in_vectors = true, .in_rows = true, .out_rows = true};
    graph_ = test_graphs::build(static_cast<std::size_t>(at - all.begin()), options);
    right_ = test_graphs::serial_levels(expected_graph(*at, options), 0, far);
    found_ = property<std::uint32_t>::create(*graph_);
  }
  ~searched_graph() {
    found_->destroy();
    graph_->destroy();
  }

  template <class Program>
  run_report run(const run_options& options) {
    Program program;
    return gas::run(program, *graph_, *found_, options);
  }
  // The calls of apply() before the last superstep.
  template <class Program>
  std::uint64_t calls_of_apply(const run_options& options) {
    Program program;
    gas::run(program, *graph_, *found_, options);
    return program.applied;
  }
  // Runs the program, and expects the right result.
  template <class Program>
  run_report finds(const run_options& options) {
    const run_report report = run<Program>(options);
    EXPECT_TRUE(report.ended);
    std::vector<std::uint32_t> found = test_graphs::by_vertex_number(*found_);
    for (std::uint32_t& hops : found) hops = std::min(hops, far);
    EXPECT_EQ(found, right_);
    return report;
  }
  graph::distributed_graph graph() const { return *graph_; }
  const std::vector<std::uint32_t>& right() const { return right_; }

 private:
  std::optional<graph::distributed_graph> graph_;
  std::optional<property<std::uint32_t>> found_;
  std::vector<std::uint32_t> right_;
};

TEST(run_options, do_not_change_what_is_found) {
  searched_graph searched("random_weighted");
  const std::atomic<bool> never{false};
  for_every_kind([&]<class Program>() {
    searched.finds<Program>({});
    searched.finds<Program>({.most_supersteps = 5000});
    searched.finds<Program>({.checkpoints = false});
    searched.finds<Program>({.overlap = false});
    searched.finds<Program>({.stop = &never});
    for (const auto set : test_isa::all()) searched.finds<Program>({.simd = set});
    for (const exchange::codec* codec : exchange::codecs())
      searched.finds<Program>({.codec = {exchange::place_of(codec), 0}});
    for (const double threshold : {1e-9, 1e9})
      searched.finds<Program>({.direction = {direction::automatic, threshold, threshold}});
    if (!searching_program<Program> && !relaxing_program<Program>) {
      for (const auto schedule : {edge_schedule::round_robin, edge_schedule::usersched_profiled})
        searched.finds<Program>({.edges = {schedule, 3}});
    }
    searched.finds<Program>({.ahead = going_ahead::never});
    if (asynchronous_program<Program> || relaxing_program<Program>)
      searched.finds<Program>({.ahead = going_ahead::always});
  });
}

TEST(run_options, bound_the_supersteps) {
  searched_graph searched("path");
  for_every_kind([&]<class Program>() {
    const run_report all = searched.finds<Program>({});
    const run_report two = searched.run<Program>({.most_supersteps = 2});
    EXPECT_EQ(two.supersteps, std::min(all.supersteps, 2));
    EXPECT_EQ(two.ended, all.supersteps <= 2);
  });
}

TEST(run_options, stop_the_run) {
  searched_graph searched("path");
  const std::atomic<bool> stop{true};
  for_every_kind([&]<class Program>() {
    const run_report report = searched.run<Program>({.stop = &stop});
    EXPECT_EQ(report.supersteps, 0);
    EXPECT_FALSE(report.ended);
  });
}

TEST(run_options, say_the_direction) {
  searched_graph searched("random_weighted");
  for_every_kind([&]<class Program>() {
    if (!relaxing_program<Program>) {
      EXPECT_EQ(searched.finds<Program>({.direction = {direction::pull}}).pushed, 0);
    }
    if (!may_push<Program>) return;
    const run_report report = searched.finds<Program>({.direction = {direction::push}});
    EXPECT_EQ(report.pushed, report.supersteps);
  });
}

// Each of the two belongs to one kind of run. On a path one vertex is active at a time.
TEST(run_options, have_a_threshold_for_searches_and_one_for_others) {
  searched_graph searched("path");
  for_every_kind([&]<class Program>() {
    if (!may_push<Program> || relaxing_program<Program>) return;
    const auto pushed = [&](double divisor, double alpha) {
      const run_report report = searched.finds<Program>(
          {.direction = {.push_divisor = divisor, .search_alpha = alpha}, .ahead = going_ahead::never});
      return report.pushed == report.supersteps;
    };
    EXPECT_TRUE(pushed(1e-9, 1e-9));
    EXPECT_EQ(pushed(1e9, 1e-9), searching_program<Program>);
    EXPECT_EQ(pushed(1e-9, 1e9), !searching_program<Program>);
  });
}

// The core that examined a vertex's in-edges.
struct rows_by_core : by_rows {
  value collect(const vertex& v, value own, const neighbours<value>& all) {
    core[v] = my_core();
    return by_rows::collect(v, own, all);
  }
  property<std::int32_t> core;
};
struct visits_by_core {
  using value = std::uint32_t;
  static constexpr auto combine = minimum{};
  value show(const vertex&) const { return 1; }
  bool visit(const vertex& v, value) {
    core[v] = my_core();
    return true;
  }
  property<std::int32_t> core;
};

std::ptrdiff_t changes_of_core(property<std::int32_t> core) {
  const std::vector<std::int32_t> by = test_graphs::by_vertex_number(core);
  std::ptrdiff_t changes = 0;
  for (std::size_t v = 1; v < by.size(); ++v) changes += by[v] != by[v - 1] ? 1 : 0;
  return changes;
}

TEST(run_options, say_how_cores_share_rows) {
  searched_graph searched("path");
  const auto core = property<std::int32_t>::create(searched.graph());
  const auto expect_shared = [&](auto run) {
    run(vectors::edge_loop_options{edge_schedule::fixed, 0});
    EXPECT_EQ(changes_of_core(core), cores() - 1);
    run(vectors::edge_loop_options{edge_schedule::round_robin, 1});
    if (my_locales_cores() > 1) {
      EXPECT_GT(changes_of_core(core), 2 * cores());
    }
  };
  expect_shared([&](const vectors::edge_loop_options& edges) {
    rows_by_core program{{}, core};
    run(program, searched.graph(), {.most_supersteps = 1, .edges = edges});
  });
  expect_shared([&](const vectors::edge_loop_options& edges) {
    edge_map(vertex_set::all(searched.graph()), visits_by_core{core},
             {.direction = {direction::pull}, .edges = edges});
  });
  core.destroy();
}

// A sweep carries news along the whole path, a pull by one edge.
TEST(run_options, say_how_cores_share_pulls_of_asynchronous_programs) {
  searched_graph searched("path");
  const auto supersteps = [&]<class Program>(edge_schedule schedule) {
    return searched.finds<Program>({.edges = {schedule, 0}, .direction = {direction::pull}}).supersteps;
  };
  const int pulls = supersteps.operator()<pushed>(edge_schedule::automatic);
  EXPECT_EQ(supersteps.operator()<swept>(edge_schedule::round_robin), pulls);
  if (locales() == 1) {
    EXPECT_LT(supersteps.operator()<swept>(edge_schedule::automatic), pulls);
  }
}

std::uint64_t bytes_sent(const std::function<void()>& run) {
  const auto sent = [] {
    const observe::metric_values all = report::merged_metrics();
    return all.count_of("exchange.bit_bytes") + all.count_of("exchange.value_bytes");
  };
  const std::uint64_t before = sent();
  run();
  return sent() - before;
}

// The messages of one process, which are sent as they are unless a codec is requested.
TEST(run_options, say_the_codec) {
  searched_graph searched("random_larger");
  const exchange::codec_options none{0, 0}, bp128{exchange::place_of(exchange::find_codec("bp128")), 0};
  const auto expect_fewer_bytes = [&](auto run) {
    const std::uint64_t plain = bytes_sent([&] { run(none); }), encoded = bytes_sent([&] { run(bp128); });
    if (locales() == 1) {
      EXPECT_EQ(plain + encoded, 0u);
    } else {
      EXPECT_LT(encoded, plain);
    }
  };
  for_every_kind([&]<class Program>() {
    const direction way = may_push<Program> ? direction::push : direction::pull;
    expect_fewer_bytes([&](const exchange::codec_options& codec) {
      searched.finds<Program>({.direction = {way}, .ahead = going_ahead::never, .codec = codec});
    });
  });
  const auto core = property<std::int32_t>::create(searched.graph());
  for (const direction way : {direction::push, direction::pull})
    expect_fewer_bytes([&](const exchange::codec_options& codec) {
      edge_map(vertex_set::all(searched.graph()), visits_by_core{core}, {.direction = {way}, .codec = codec});
    });
  core.destroy();
}

TEST(improving_programs, are_not_asked_about_what_is_no_better) {
  searched_graph searched("path");
  constexpr std::uint64_t edges = test_graphs::path_edges;
  const run_options push{.direction = {direction::push}};
  searched.finds<improving>(push);
  EXPECT_EQ(searched.calls_of_apply<improving>(push), edges);
  // Without, a vertex reaches the one before it, too.
  EXPECT_EQ(searched.calls_of_apply<pushed>(push), 2 * edges - 1);
}

}  // namespace
}  // namespace orujo::internal::gas
