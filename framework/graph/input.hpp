// A graph's edges as they come in: every core reads or generates a part.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "framework/formats/edge.hpp"
#include "framework/formats/text_edge_list.hpp"
#include "framework/generators/generator.hpp"
#include "system/base/status.hpp"

namespace orujo::graph {

// Where the edges come from: exactly one of the two.
struct input_source {
  std::string file;                                     // a text edge list, plain or gzip
  std::optional<generators::generator_spec> generator;  // the same graph for any number of cores
  std::string name;                                     // for people and reports
};

// One core's part of the edges, by external ids.
struct input_edges {
  edge_list mine;
  std::optional<std::uint64_t> vertex_count;  // known for generated graphs, whose ids are 0..vertex_count-1
  bool weighted = false;
  std::optional<formats::text_totals> file_totals;  // of a file, the same at every core
};

// [task; suspends; collective over the job] Plain files are cut into byte ranges, compressed ones are read by
// core 0 alone. Every core fails with the same status if any does.
result<input_edges> read_input(const input_source& source);

// Any thread. All edges, read by one reader from start to end: for the serial oracles.
result<edge_list> read_serially(const input_source& source);

}  // namespace orujo::graph
