// Vertices in what people read.
#pragma once

#include <fmt/format.h>

#include "framework/results/vertex_labels.hpp"

// With the alignment and width of a text.
template <>
struct fmt::formatter<orujo::results::vertex_label> : fmt::formatter<std::string_view> {
  template <class Context>
  auto format(const orujo::results::vertex_label& label, Context& context) const {
    const fmt::format_int id(label.id);
    return formatter<std::string_view>::format(
        label.name.empty() ? std::string_view(id.data(), id.size()) : label.name, context);
  }
};
