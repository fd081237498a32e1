// External vertex ids, 64-bit and maybe sparse, and their dense numbers 0..n-1 in ascending order of the ids.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "framework/formats/edge.hpp"
#include "framework/graph/input.hpp"
#include "framework/graph/ranked_bitmap.hpp"
#include "system/machine/huge_array.hpp"

namespace orujo::graph {

// Shared by the cores of a locale; every locale has all of it, while a graph is being built. Two bits per
// possible id where the ids are small enough for that, 8 bytes per vertex otherwise.
class vertex_ids {
 public:
  // The ids are 0..count-1 themselves.
  static std::shared_ptr<const vertex_ids> identity(std::uint64_t count);
  // [task; suspends; collective over the job] The distinct ids of all cores' edges.
  static std::shared_ptr<const vertex_ids> of_edges(const std::vector<edge>& mine);

  std::uint64_t count() const { return count_; }
  bool is_identity() const { return kind_ == kind::identity; }
  // The number of an id that occurs.
  std::uint64_t number(std::uint64_t id) const;
  // The ids of the numbers first..last-1.
  std::vector<std::uint64_t> ids(std::uint64_t first, std::uint64_t last) const;

 private:
  enum class kind { identity, compact, sparse };
  static std::shared_ptr<const vertex_ids> compact(const std::vector<edge>& mine, std::uint64_t largest);
  static std::shared_ptr<const vertex_ids> sparse(const std::vector<edge>& mine);

  kind kind_ = kind::identity;
  std::uint64_t count_ = 0;
  ranked_bitmap occurring_;                    // compact
  machine::huge_array<std::uint64_t> sorted_;  // sparse: the ids, ascending
};

// [task; suspends; collective over the job] The vertices of the job's input, whose ids become their numbers.
// A vertex that only has a self-loop exists without it, so this comes before self-loops are removed.
std::shared_ptr<const vertex_ids> number_vertices(input_edges& input);

}  // namespace orujo::graph
