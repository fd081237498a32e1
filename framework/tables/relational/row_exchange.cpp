#include "framework/tables/relational/row_exchange.hpp"

#include <algorithm>
#include <utility>

#include "framework/tables/relational/send_words.hpp"
#include "system/base/identity.hpp"
#include "system/collectives/collectives.hpp"

namespace orujo::internal::relational {

row_exchange::row_exchange(std::size_t columns, row_part& to, std::function<void()> on_packet)
    : columns_(columns),
      width_(columns / 64 + 1 + columns),
      received_(to),
      on_packet_(std::move(on_packet)),
      packets_(cores()) {
  received_.columns.resize(columns_);
  peers_ = collectives::all_gather(this);
}

void row_exchange::send(core_id to, const std::vector<vec>& columns, std::uint32_t k) {
  put(to, columns, {&k, 1});
}

void row_exchange::send(std::span<const std::uint32_t> owners, const std::vector<vec>& columns) {
  ends_.assign(packets_.size() + 1, 0);
  for (const std::uint32_t owner : owners) ++ends_[owner + 1];
  for (std::size_t c = 1; c < ends_.size(); ++c) ends_[c] += ends_[c - 1];
  order_.resize(owners.size());
  for (std::uint32_t k = 0; k < owners.size(); ++k) order_[ends_[owners[k]]++] = k;
  std::size_t first = 0;
  for (std::size_t c = 0; c < packets_.size(); first = ends_[c++])
    put(static_cast<core_id>(c), columns, std::span(order_).subspan(first, ends_[c] - first));
}

void row_exchange::put(core_id to, const std::vector<vec>& columns, std::span<const std::uint32_t> rows) {
  if (to == my_core()) {
    for (std::size_t c = 0; c < columns_; ++c) received_.columns[c].append(columns[c], rows);
    received_.rows += rows.size();
    return;
  }
  while (!rows.empty()) {
    const std::size_t room = words_of_packet(width_) - packets_[to].size();
    const std::size_t n = std::min(rows.size(), room / width_);
    if (n == 0) flush(to);
    pack(packets_[to], columns, rows.first(n));
    rows = rows.subspan(n);
  }
}

void row_exchange::pack(std::vector<word>& packet, const std::vector<vec>& columns,
                        std::span<const std::uint32_t> rows) {
  const std::size_t at = packet.size(), null_words = width_ - columns_;
  packet.resize(at + rows.size() * width_);
  for (std::size_t c = 0; c < columns_; ++c) {
    word* to = packet.data() + at + null_words + c;
    for (const std::uint32_t k : rows) {
      *to = columns[c].words[k];
      to += width_;
    }
    for (std::size_t k = 0; columns[c].nulls && k < rows.size(); ++k)
      packet[at + k * width_ + c / 64] |=
          static_cast<word>(std::uint64_t{columns[c].nulls[rows[k]]} << c % 64);
  }
}

void row_exchange::flush(core_id to) {
  std::vector<word>& packet = packets_[to];
  if (packet.empty()) return;
  send_words(sent_, to, packet, [peer = peers_[to]](std::span<const word> rows) { peer->take(rows); });
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
  for (core_id c = 0; c < cores(); ++c) flush(c);
  sent_.wait();
  collectives::barrier();
}

}  // namespace orujo::internal::relational
