// A permutation of the vertices written out, both ways: for orders that no formula gives.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "system/base/status.hpp"
#include "system/machine/huge_array.hpp"

namespace orujo::internal::graph {

// Numbers below a bound, in 4 bytes each where the bound is at most 2^32, else in 8. Different threads may
// set different values.
class index_array {
 public:
  index_array() = default;
  index_array(std::uint64_t size, std::uint64_t bound);

  std::uint64_t size() const { return narrow_.size() + wide_.size(); }
  std::uint64_t operator[](std::uint64_t i) const { return wide_.size() > 0 ? wide_[i] : narrow_[i]; }
  void set(std::uint64_t i, std::uint64_t value) {
    if (wide_.size() > 0) {
      wide_[i] = value;
    } else {
      narrow_[i] = static_cast<std::uint32_t>(value);
    }
  }
  // The values, or null if they take 8 bytes each.
  const std::uint32_t* narrow() const { return wide_.size() > 0 ? nullptr : narrow_.data(); }
  std::size_t bytes_each() const { return wide_.size() > 0 ? 8 : 4; }
  // All values, in the machine's byte order: for files and messages.
  std::span<std::byte> bytes() const;

 private:
  machine::huge_array<std::uint32_t> narrow_;
  machine::huge_array<std::uint64_t> wide_;
};

struct number_table {
  index_array numbers;    // by position
  index_array positions;  // by number
};

// Any thread. positions[k] is the position of the vertex with number k. Fails with bad_data if that is no
// permutation of 0 .. positions.size() - 1; `where` says of what, such as a file's name. Takes as much memory
// again as `positions`.
result<std::shared_ptr<const number_table>> make_number_table(index_array positions,
                                                              const std::string& where);

}  // namespace orujo::internal::graph
