#include "framework/results/edges.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/framework/results/result_graphs.hpp"

namespace orujo::internal::results {
namespace {

using test_graphs::result_graph;
using test_graphs::scratch_file;
using edges = std::vector<graph::valued_edge<float>>;

// From each vertex to the one half way round, as some of each core's edges.
edges half_way_round(std::size_t vertices) {
  edges all;
  for (std::uint64_t v = 0; v < vertices; ++v)
    all.push_back({v, (v + vertices / 2) % vertices, static_cast<float>(v % 8) / 4 - 1});
  return all;
}

std::string written(const result_graph& g, const edges& all, const scratch_file& file) {
  const auto spread = graph::edge_array<float>::create(all.size());
  spread.put(0, all);
  auto output = files::output_file::open(file.path);
  EXPECT_TRUE(output.ok());
  write_edges(g.graph, spread, output.value(), row_format_of(file.path), "weight");
  EXPECT_TRUE(output.value().finish().ok());
  spread.destroy();
  return file.content();
}

TEST(write_edges, has_a_row_for_each_edge) {
  test_graphs::for_each_result_graph([](const result_graph& g) {
    const edges all = half_way_round(g.ids.size());
    std::string text, csv = "source,target,weight\n";
    for (const auto& [source, target, weight] : all) {
      const std::string ends[] = {g.label(source), g.label(target)};
      std::string number;
      as_decimals()(number, weight);
      text += ends[0] + ' ' + ends[1] + ' ' + number + '\n';
      csv += ends[0] + ',' + ends[1] + ',' + number + '\n';
    }
    EXPECT_EQ(written(g, all, scratch_file()), text);
    EXPECT_EQ(written(g, all, scratch_file({}, ".csv")), csv);
    EXPECT_EQ(written(g, {}, scratch_file({}, ".csv")), "source,target,weight\n");
  });
}

TEST(write_edges, has_records_for_numpy) {
  test_graphs::for_each_result_graph([](const result_graph& g) {
    if (!g.names.empty()) return;
    const edges all = half_way_round(g.ids.size());
    std::string records;
    for (const auto& [source, target, weight] : all) {
      for (const std::uint64_t id : {g.ids[source], g.ids[target]})
        records.append(reinterpret_cast<const char*>(&id), sizeof(id));
      records.append(reinterpret_cast<const char*>(&weight), sizeof(weight));
    }
    const std::string found = written(g, all, scratch_file({}, ".npy"));
    EXPECT_NE(found.find("[('source', '<u8'), ('target', '<u8'), ('weight', '<f4')]"), found.npos);
    EXPECT_NE(found.find("'shape': (" + std::to_string(all.size()) + ",)"), found.npos);
    EXPECT_TRUE(found.ends_with("\n" + records));
  });
}

}  // namespace
}  // namespace orujo::internal::results
