// How several readers read a file, so that what is said of a bad one does not depend on how many they are.
#pragma once

#include <cstdint>
#include <functional>

#include "system/base/status.hpp"
#include "system/collectives/collectives.hpp"
#include "system/loops/forall.hpp"

namespace orujo::internal::graph {

// Agrees on the result of a stage: returns the failure of the first reader that has failed. A stage is one
// section. Readers have parts of it in their order, so this is the first fault of the file.
using orj_agreement = std::function<status(const status&)>;

inline status agree_alone(const status& mine) { return mine; }

// One of `parts` readers. Each calls `agree` after every stage, even if its part is empty.
struct orj_share {
  std::size_t part = 0, parts = 1;
  orj_agreement agree = agree_alone;

  index_range of(std::uint64_t size) const { return part_of({0, size}, part, parts); }
};

// [task] The calling core's, all cores being readers.
inline orj_share share_of_job() {
  return {static_cast<std::size_t>(my_core()), static_cast<std::size_t>(cores()),
          [](const status& mine) { return collectives::first_failure(mine); }};
}

}  // namespace orujo::internal::graph
