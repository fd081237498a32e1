// --top: how many of the foremost an application prints. For those that rank something.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "framework/results/vertex_labels.hpp"

namespace orujo::harness {

int top();

// The foremost vertices, as many as top() says; values that print alike count as equal, and the smaller id
// goes first.
class foremost {
 public:
  // what: the value is.
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

}  // namespace orujo::harness
