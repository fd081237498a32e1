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

using internal::mapreduce::global_groups, internal::mapreduce::map_options, internal::mapreduce::map_reduce,
    internal::mapreduce::map_summary;

// Groups in order.
using internal::mapreduce::largest, internal::mapreduce::sorted, internal::mapreduce::text_values;

// Files of text and tables, of which each core reads a part.
using internal::mapreduce::find_input_on_all, internal::mapreduce::input_files;
using internal::mapreduce::find_table, internal::mapreduce::read_rows, internal::mapreduce::table_request,
    internal::mapreduce::table_shape;
using internal::mapreduce::line_mistake, internal::mapreduce::read_lines, internal::mapreduce::read_words,
    internal::mapreduce::word_options;

}  // namespace orujo
