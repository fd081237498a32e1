// Labels of vertices: ids or names, as in the graph's file.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "framework/formats/names.hpp"

namespace orujo::internal::results {

struct vertex_label {
  std::uint64_t id;
  std::string_view name;  // empty if vertices have none
};

struct vertex_labels {
  std::vector<std::uint64_t> ids;  // external, ascending
  formats::name_table names;       // parallel, or empty

  vertex_label label(std::size_t k) const {
    return {ids[k], names.size() > 0 ? names[k] : std::string_view()};
  }
};

}  // namespace orujo::internal::results
