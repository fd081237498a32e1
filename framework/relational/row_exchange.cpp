#include "framework/relational/row_exchange.hpp"

#include <utility>

#include "system/base/check.hpp"
#include "system/base/identity.hpp"
#include "system/loops/collectives.hpp"

namespace orujo::relational {
namespace {

static_assert(words_of_packet > most_columns + most_columns / 64 + 1);

}  // namespace

row_exchange::row_exchange(std::size_t columns, row_part& to, std::function<void()> on_packet)
    : columns_(columns),
      width_(columns / 64 + 1 + columns),
      received_(to),
      on_packet_(std::move(on_packet)),
      packets_(static_cast<std::size_t>(cores())) {
  received_.columns.resize(columns_);
  peers_ = loops::all_gather(this);
}

void row_exchange::send(std::size_t to_core, const std::vector<vec>& columns, std::size_t k) {
  if (to_core == static_cast<std::size_t>(my_core())) {
    for (std::size_t c = 0; c < columns_; ++c)
      columns[c].null(k) ? received_.columns[c].push_null()
                         : received_.columns[c].push_back(columns[c].words[k]);
    ++received_.rows;
    return;
  }
  if (packets_[to_core].size() + width_ > words_of_packet) flush(to_core);
  std::vector<word>& packet = packets_[to_core];
  const std::size_t at = packet.size(), null_words = width_ - columns_;
  packet.resize(at + width_);
  for (std::size_t c = 0; c < columns_; ++c) {
    packet[at + null_words + c] = columns[c].words[k];
    if (columns[c].null(k)) packet[at + c / 64] |= static_cast<word>(std::uint64_t{1} << c % 64);
  }
}

void row_exchange::flush(std::size_t to_core) {
  std::vector<word>& packet = packets_[to_core];
  if (packet.empty()) return;
  delegates::async_call(
      sent_, static_cast<core_id>(to_core),
      [peer = peers_[to_core]](std::span<const std::byte> payload) {
        peer->take({reinterpret_cast<const word*>(payload.data()), payload.size() / sizeof(word)});
      },
      std::as_bytes(std::span(packet)));
  packet.clear();
}

void row_exchange::take(std::span<const word> packed) {
  const std::size_t null_words = width_ - columns_, rows = packed.size() / width_, before = received_.rows;
  word any_null = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t w = 0; w < null_words; ++w) any_null |= packed[row * width_ + w];
  }
  for (std::size_t c = 0; c < columns_; ++c) {
    const word* from = packed.data() + null_words + c;
    word* const to = received_.columns[c].extend(rows);
    for (std::size_t row = 0; row < rows; ++row, from += width_) to[row] = *from;
    for (std::size_t row = 0; row < rows && any_null; ++row) {
      if (static_cast<std::uint64_t>(packed[row * width_ + c / 64]) >> c % 64 & 1)
        received_.columns[c].make_null(before + row);
    }
  }
  received_.rows += rows;
  if (on_packet_) on_packet_();
}

void row_exchange::finish() {
  for (std::size_t c = 0; c < packets_.size(); ++c) flush(c);
  sent_.wait();
  loops::barrier();
}

}  // namespace orujo::relational
