// Map and reduce: pairs of keys and values from files, arrays or ranges, combined at the cores that own the
// keys:
//   const auto counts = global_groups<std::string_view, std::uint64_t>::create();
//   on_all_cores([=] {
//     map_reduce(counts, [&](auto& emit) { ... emit("a word", 1); ... });
//   });
// Example: docs/tutorial/words.cpp
#pragma once

// IWYU pragma: begin_exports
#include "framework/tables/mapreduce/global_groups.hpp"
#include "framework/tables/mapreduce/input_files.hpp"
#include "framework/tables/mapreduce/map_reduce.hpp"
#include "framework/tables/mapreduce/sorted_groups.hpp"
#include "framework/tables/mapreduce/table_input.hpp"
#include "framework/tables/mapreduce/text_input.hpp"
// IWYU pragma: end_exports

namespace orujo {

using mapreduce::global_groups, mapreduce::map_options, mapreduce::map_reduce, mapreduce::map_summary;

// Groups in order.
using mapreduce::largest, mapreduce::sorted, mapreduce::text_values;

// Files of text and tables, of which each core reads a part.
using mapreduce::find_input_on_all, mapreduce::input_files;
using mapreduce::find_table, mapreduce::read_rows, mapreduce::table_request, mapreduce::table_shape;
using mapreduce::line_mistake, mapreduce::read_lines, mapreduce::read_words, mapreduce::word_options;

}  // namespace orujo
