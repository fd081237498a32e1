// The flag --top: the number of top-ranked vertices that an application prints.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "framework/results/vertex_labels.hpp"

namespace orujo::internal::harness {

int top();

// The top-ranked vertices, top() of them. Values that print alike count as equal, and the smaller id comes
// first.
class foremost {
 public:
  // `what` names the value.
  explicit foremost(std::string what);

  void add(const results::vertex_label& vertex, double value);
  void print() const;

 private:
  struct entry {
    double value;
    std::uint64_t id;
    std::string name;
  };
  static bool before(const entry& a, const entry& b) {
    return a.value != b.value ? a.value > b.value : a.id < b.id;
  }
  const std::string what_;
  const std::size_t places_;
  std::vector<entry> best_;
};

}  // namespace orujo::internal::harness
