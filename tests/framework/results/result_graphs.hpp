// Graphs with ids and with names, however cut, for tests of what goes in and out by them.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "framework/graph/build/position_names.hpp"
#include "framework/graph/property.hpp"
#include "framework/graph/vertex_names.hpp"
#include "tests/framework/job_graph.hpp"
#include "tests/sanitized.hpp"

namespace orujo::internal::test_graphs {

struct result_graph {
  graph::distributed_graph graph;
  std::vector<std::uint64_t> ids;  // ascending
  std::vector<std::string> names;  // by position; empty where vertices have none

  std::string label(std::size_t k) const { return names.empty() ? std::to_string(ids[k]) : names[k]; }
};

// In another order than the ids.
inline std::string name_of_id(std::uint64_t id) {
  return "n" + std::to_string(id % 7) + "\xc3\xab-" + std::to_string(id);
}

// [task; suspends] A graph of all() whose vertices have names in place of ids.
inline graph::distributed_graph build_named(std::size_t index, const graph::build_options& options) {
  const auto parts = containers::symmetric<std::shared_ptr<graph::locale_graph>>::reserve();
  loops::on_all_cores([=] {
    graph::input_edges input = part_of_input(all()[index], my_core(), cores());
    input.vertex_count.reset();
    formats::name_set names;
    for (edge& e : input.mine.edges) {
      const std::uint64_t source = names.number_of(name_of_id(e.source));
      e = {source, names.number_of(name_of_id(e.target))};
    }
    auto shared = graph::position_names(input.mine, names.names());
    graph::set_names(input, std::move(shared));
    parts.emplace_here(graph::build(std::move(input), options).value());
  });
  return graph::distributed_graph(parts);
}

// [task; suspends] Calls check(result_graph) for all test graphs, cut by ranges and by hash, and those with
// edges also with names.
template <class Check>
void for_each_result_graph(const Check& check) {
  for (std::size_t index = 0; index < all().size(); ++index) {
    for (const bool hash : {false, true}) {
      const graph::build_options options{.partition = {.hash = hash}};
      SCOPED_TRACE(all()[index].name + (hash ? ", hash" : ""));
      const result_graph g{build(index, options), expected_graph(all()[index], {}).ids, {}};
      check(g);
      g.graph.destroy();
      if (all()[index].list.edges.empty()) continue;
      SCOPED_TRACE("with names");
      result_graph named{build_named(index, options), {}, {}};
      for (const edge& e : all()[index].list.edges)
        named.names.insert(named.names.end(), {name_of_id(e.source), name_of_id(e.target)});
      std::sort(named.names.begin(), named.names.end());
      named.names.erase(std::unique(named.names.begin(), named.names.end()), named.names.end());
      for (std::uint64_t k = 0; k < named.names.size(); ++k) named.ids.push_back(k);
      check(named);
      named.graph.destroy();
    }
  }
}

// [task; suspends] value_of(locale_graph, own vertex), called at the owners.
template <class T, class ValueOf>
graph::property<T> property_of(graph::distributed_graph graph, const ValueOf& value_of) {
  const auto made = graph::property<T>::create(graph);
  loops::on_all_cores([=] {
    const graph::locale_graph& g = graph.here();
    for (std::uint32_t v = g.my_part().first; v < g.my_part().last; ++v) made.here()[v] = value_of(g, v);
  });
  return made;
}

// A file that goes with it.
struct scratch_file {
  explicit scratch_file(std::string_view bytes = {}, const std::string& suffix = {}) {
    const char* const folder = std::getenv("TMPDIR");
    path = std::string(folder ? folder : "/tmp") + "/orujo_results_XXXXXX" + suffix;
    ::close(::mkstemps(path.data(), static_cast<int>(suffix.size())));
    std::ofstream(path) << bytes;
  }
  ~scratch_file() { ::unlink(path.c_str()); }
  scratch_file(const scratch_file&) = delete;
  std::string content() const {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::string path;
};

}  // namespace orujo::internal::test_graphs
