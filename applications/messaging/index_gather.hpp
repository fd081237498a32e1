// Reads of random elements of a table into an array of one's own: the kernel of index_gather.
#pragma once

#include <cstddef>
#include <span>

#include "applications/messaging/random_updates.hpp"
#include "applications/messaging/word_table.hpp"
#include "system/delegates/delegate.hpp"
#include "system/delegates/gather.hpp"

namespace orujo::internal::messaging {

// [task; suspends] Reads table[indices[k]] into values[k], for all k: 4 bytes there and 8 back for each.
inline void gather(word_table table, std::span<const word> indices, std::span<word> values) {
  delegates::gather(table.first(), indices, values);
}

// [task; suspends] The same by a read each, complete when the event is: 16 bytes each way.
inline void gather_by_reads(delegates::event_ref event, word_table table, std::span<const word> indices,
                            std::span<word> values) {
  for (std::size_t k = 0; k < indices.size(); ++k) {
    delegates::async_read(event, table[indices[k]], &values[k]);
    if ((k + 1) % updates_between_polls == 0) tasks::yield();
  }
}

// [task; suspends] Reads them by `tasks` tasks, each waiting for one word at a time.
inline void gather_blocking(word_table table, std::span<const word> indices, std::span<word> values,
                            std::size_t tasks) {
  std::size_t next = 0;
  tasks::join_counter ended(tasks);
  for (std::size_t t = 0; t < tasks; ++t) {
    tasks::spawn([&, table] {
      while (next < indices.size()) {
        const std::size_t k = next++;
        values[k] = delegates::read(table[indices[k]]);
      }
      ended.complete();
    });
  }
  ended.wait();
}

// The content of word i of the table, so that a value shows its origin.
constexpr word value_at(std::size_t i) { return mix64(i); }

// Number of values that differ from those of their indices.
inline std::uint64_t count_wrong(std::span<const word> indices, std::span<const word> values) {
  std::uint64_t wrong = 0;
  for (std::size_t k = 0; k < indices.size(); ++k) wrong += values[k] != value_at(indices[k]);
  return wrong;
}

}  // namespace orujo::internal::messaging
