// Rows on their way to other cores, in packets of one message each, or of one row that is wider.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "framework/tables/relational/columns.hpp"
#include "system/base/by_core.hpp"
#include "system/delegates/completion_event.hpp"

namespace orujo::internal::relational {

// Rows of `columns` columns each, or none: bits of the null ones, 64 in a word, then the words.
class row_exchange {
 public:
  // [task; suspends; collective over the job] Received rows are appended to `to`. on_packet, if there is one,
  // is called in a handler whenever some have arrived.
  row_exchange(std::size_t columns, row_part& to, std::function<void()> on_packet = {});
  row_exchange(const row_exchange&) = delete;
  row_exchange& operator=(const row_exchange&) = delete;

  // [task] Row k of the columns. May suspend where much is under way.
  void send(core_id to, const std::vector<vec>& columns, std::uint32_t k);
  // [task] Row k to core owners[k]. May suspend as well.
  void send(std::span<const std::uint32_t> owners, const std::vector<vec>& columns);
  // [task; suspends; collective over the job] Returns when all rows of all cores have come.
  void finish();

 private:
  void put(core_id to, const std::vector<vec>& columns, std::span<const std::uint32_t> rows);
  void pack(std::vector<word>& packet, const std::vector<vec>& columns, std::span<const std::uint32_t> rows);
  void flush(core_id to);
  void take(std::span<const word> rows);

  const std::size_t columns_, width_;
  row_part& received_;
  const std::function<void()> on_packet_;
  by_core<row_exchange*> peers_;
  by_core<std::vector<word>> packets_;
  std::vector<std::uint32_t> order_;  // rows of a batch, those of each core together
  std::vector<std::size_t> ends_;     // of the cores' rows in it
  delegates::completion_event sent_;
};

}  // namespace orujo::internal::relational
