// An edge as readers and generators hand it over, and a list of them with optional weights.
#pragma once

#include <compare>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace orujo {

// A directed edge between two external vertex ids.
struct edge {
  std::uint64_t source = 0;
  std::uint64_t target = 0;
  friend bool operator==(const edge&, const edge&) = default;
  friend auto operator<=>(const edge&, const edge&) = default;
};
static_assert(sizeof(edge) == 16 && std::is_trivially_copyable_v<edge>);

// The weight of the edge that stays of parallel ones: that of the lightest, of the heaviest, or the sum of
// all, added from the lightest on in double precision. It does not depend on their order.
enum class kept_weight { lightest, heaviest, sum };

}  // namespace orujo

namespace orujo::internal::formats {

struct edge_list {
  std::vector<edge> edges;
  std::vector<float> weights;        // one per edge, or empty if edges carry none
  std::uint64_t rounded_weight = 0;  // one of the input that they do not hold (rounded_weight.hpp), or 0
  friend bool operator==(const edge_list&, const edge_list&) = default;
};

}  // namespace orujo::internal::formats
