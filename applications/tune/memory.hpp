// Measures a machine's memory while the cores of a job load from it.
#pragma once

#include "system/machine/measures.hpp"

namespace orujo::internal::tune {

struct extent {
  std::uint64_t most_bytes;  // of a working set; a power of two, at least 64 KiB
  int rounds;                // the fastest of which counts
};

// [task; suspends] The rates of gathers and reads and a barrier, of locale 0 while all locales do the same.
// Takes 2 x most_bytes of memory per locale at most, and some 20 ms per round.
machine::measures measure_memory(const extent& e);

}  // namespace orujo::internal::tune
