// Vertices that rows name beside their own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "framework/results/table_rows.hpp"
#include "framework/results/vertex_labels.hpp"
#include "system/containers/flat_table.hpp"

namespace orujo::internal::results {

// The further vertices of some rows. Each is looked up once, and returned in the order of the rows.
class further_vertices {
 public:
  void clear() {
    places_.clear();
    positions_.clear();
    named_.clear();
    next_ = 0;
  }
  template <class Id>
  void add(vertex_at<Id> vertex) {
    if (vertex.is_none()) return;
    const auto position = static_cast<std::uint64_t>(vertex.position);
    const auto [place, is_new] = places_.find_or_insert(position);
    if (is_new) {
      *place = positions_.size();
      positions_.push_back(position);
    }
    named_.push_back(*place);
  }
  // Each of them once.
  std::span<const std::uint64_t> positions() const { return positions_; }
  // labels: of positions().
  void found(vertex_labels labels) { labels_ = std::move(labels); }

  // The next one in the order of add() begins a row.
  void append_first(std::string& to, row_format format) {
    append_vertex(to, format, labels_.label(named_[next_++]));
  }
  // It goes to the end of the row.
  template <class Id>
  void append(std::string& to, row_format format, vertex_at<Id> vertex) {
    if (vertex.is_none()) {
      append_number(to, format, std::int64_t{-1});
    } else {
      append_label(to, format, labels_.label(named_[next_++]));
    }
  }

 private:
  containers::flat_table<std::uint64_t, std::size_t> places_;  // by position, among positions_
  std::vector<std::uint64_t> positions_;
  std::vector<std::size_t> named_;  // their places, one for each add()
  std::size_t next_ = 0;
  vertex_labels labels_;
};

}  // namespace orujo::internal::results
