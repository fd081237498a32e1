#include "framework/relational/grouping.hpp"

#include <algorithm>
#include <numeric>

#include "framework/relational/row_exchange.hpp"
#include "system/base/identity.hpp"
#include "system/delegates/delegate.hpp"
#include "system/loops/collectives.hpp"

namespace orujo::relational {

grouping::grouping(const plan_node& of, const execute_options& options)
    : options_(options), mine_(of), waiting_(of), packets_(static_cast<std::size_t>(cores())) {
  peers_ = loops::all_gather(this);
}

void grouping::take(const key_batch& keys, const std::vector<vec>& values, std::size_t rows) {
  const auto me = static_cast<std::size_t>(my_core()), parts = packets_.size();
  chosen_.resize(rows);
  std::iota(chosen_.begin(), chosen_.end(), 0u);
  if (keys_repeat_) {
    waiting_.add(keys, values, chosen_);
  } else {
    const auto others = std::partition(chosen_.begin(), chosen_.end(), [&](std::uint32_t k) {
      return owner_of(keys.hashes[k], parts) == me;
    });
    mine_.add(keys, values, {chosen_.begin(), others});
    waiting_.add(keys, values, {others, chosen_.end()});
    rows -= static_cast<std::size_t>(others - chosen_.begin());
  }
  rows_waiting_ += rows;
  if (waiting_.size() < (keys_repeat_ ? options_.most_waiting_groups : options_.few_waiting_groups)) return;
  keys_repeat_ = rows_waiting_ >= 2 * waiting_.size();
  rows_waiting_ = 0;
  send_waiting();
}

void grouping::finish(bool has_keys) {
  send_waiting();
  for (std::size_t c = 0; c < packets_.size(); ++c) flush(c);
  sent_.wait();
  loops::barrier();
  if (!has_keys && owner_of(hash_of_nothing, packets_.size()) == static_cast<std::size_t>(my_core()))
    mine_.add_empty_group();
}

void grouping::send_waiting() {
  for (std::size_t g = 0; g < waiting_.size(); ++g) {
    const std::span<const word> row = waiting_.row(g);
    const std::size_t to = owner_of(waiting_.hash_of(row), packets_.size());
    if (to == static_cast<std::size_t>(my_core())) {
      mine_.merge(row);
      continue;
    }
    if (packets_[to].size() + row.size() > words_of_packet) flush(to);
    packets_[to].insert(packets_[to].end(), row.begin(), row.end());
  }
  waiting_.clear();
}

void grouping::flush(std::size_t to) {
  if (packets_[to].empty()) return;
  delegates::async_call(
      sent_, static_cast<core_id>(to),
      [peer = peers_[to]](std::span<const std::byte> payload) {
        peer->mine_.merge({reinterpret_cast<const word*>(payload.data()), payload.size() / sizeof(word)});
      },
      std::as_bytes(std::span(packets_[to])));
  packets_[to].clear();
}

}  // namespace orujo::relational
