// Vertices in output for people: a name cannot steer the terminal.
#pragma once

#include <fmt/format.h>

#include <string>

#include "framework/results/vertex_labels.hpp"
#include "system/base/printable.hpp"

// With the alignment and width of a text.
template <>
struct fmt::formatter<orujo::internal::results::vertex_label> : fmt::formatter<std::string_view> {
  template <class Context>
  auto format(const orujo::internal::results::vertex_label& label, Context& context) const {
    std::string text;
    if (label.name.empty()) {
      text = fmt::to_string(label.id);
    } else {
      orujo::internal::formats::append_name(text, orujo::internal::base::printable(label.name));
    }
    return formatter<std::string_view>::format(text, context);
  }
};
