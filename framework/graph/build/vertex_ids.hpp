// External vertex ids, 64-bit and maybe sparse, and their positions 0..n-1 in the ascending order of all.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "framework/formats/edge.hpp"
#include "framework/graph/build/input.hpp"
#include "framework/graph/build/ranked_bitmap.hpp"
#include "framework/graph/numbering.hpp"
#include "system/machine/huge_array.hpp"

namespace orujo::internal::graph {

// Shared by the cores of a locale; every locale has all of it, while a graph is being built. Two bits per
// possible id where the ids are small enough for that, 8 bytes per vertex otherwise.
class vertex_ids {
 public:
  // The ids are 0..count-1 themselves.
  static std::shared_ptr<const vertex_ids> identity(std::uint64_t count);
  // [task; suspends; collective over the job] The distinct ids of all cores' edges, and of `more`.
  static std::shared_ptr<const vertex_ids> of_edges(const std::vector<edge>& mine,
                                                    const std::vector<std::uint64_t>& more = {});
  // [task; suspends; collective over the job] The ids of the job's input. A vertex with nothing but a
  // self-loop exists, so this comes before self-loops are removed.
  static std::shared_ptr<const vertex_ids> of_input(const input_edges& input);

  std::uint64_t count() const { return count_; }
  bool is_identity() const { return kind_ == kind::identity; }
  // The position of an id that occurs.
  std::uint64_t position(std::uint64_t id) const;
  // The ids at the positions first..last-1.
  std::vector<std::uint64_t> ids(std::uint64_t first, std::uint64_t last) const;
  std::uint64_t id(std::uint64_t position) const;

 private:
  enum class kind { identity, compact, sparse };
  static std::shared_ptr<const vertex_ids> compact(const std::vector<edge>& mine,
                                                   const std::vector<std::uint64_t>& more,
                                                   std::uint64_t largest);
  static std::shared_ptr<const vertex_ids> sparse(const std::vector<edge>& mine,
                                                  const std::vector<std::uint64_t>& more);

  kind kind_ = kind::identity;
  std::uint64_t count_ = 0;
  ranked_bitmap occurring_;                    // compact
  machine::huge_array<std::uint64_t> sorted_;  // sparse: the ids, ascending
};

// Maps ids to vertex numbers. Any thread.
void number_edges(input_edges& input, const vertex_ids& ids, const numbering& numbers = {});

}  // namespace orujo::internal::graph
