#include "framework/graph/number_table.hpp"

#include <fmt/format.h>

#include <utility>

namespace orujo::internal::graph {

index_array::index_array(std::uint64_t size, std::uint64_t bound) {
  if (bound <= std::uint64_t{1} << 32) {
    narrow_ = machine::huge_array<std::uint32_t>(size);
  } else {
    wide_ = machine::huge_array<std::uint64_t>(size);
  }
}

std::span<std::byte> index_array::bytes() const {
  return wide_.size() > 0 ? std::as_writable_bytes(std::span(wide_.data(), wide_.size()))
                          : std::as_writable_bytes(std::span(narrow_.data(), narrow_.size()));
}

result<std::shared_ptr<const number_table>> make_number_table(index_array positions,
                                                              const std::string& where) {
  const std::uint64_t count = positions.size();
  auto made = std::make_shared<number_table>();
  made->numbers = index_array(count, count);
  for (std::uint64_t k = 0; k < count; ++k) {
    if (positions[k] >= count) {
      return status(exit_status::bad_data,
                    fmt::format("{}: the order of the vertices has vertex {}, but there are {}", where,
                                positions[k], count));
    }
    made->numbers.set(positions[k], k);
  }
  // A vertex that `positions` has twice keeps the last place only.
  for (std::uint64_t k = 0; k < count; ++k) {
    if (made->numbers[positions[k]] == k) continue;
    return status(exit_status::bad_data,
                  fmt::format("{}: the order of the vertices has vertex {} twice, at {} and {}", where,
                              positions[k], k, made->numbers[positions[k]]));
  }
  made->positions = std::move(positions);
  return std::shared_ptr<const number_table>(std::move(made));
}

}  // namespace orujo::internal::graph
