#include "framework/relational/grouping.hpp"

#include <algorithm>
#include <numeric>

#include "system/base/identity.hpp"
#include "system/delegates/delegate.hpp"
#include "system/loops/collectives.hpp"

namespace orujo::relational {

grouping::grouping(const plan_node& of, const execute_options& options)
    : options_(options),
      mine_(of),
      waiting_(of),
      keys_repeat_(cores() > 1),
      packets_(static_cast<std::size_t>(cores())),
      received_values_(of.aggregates.size()) {
  for (std::size_t a = 0; a < of.aggregates.size(); ++a) {
    if (of.aggregates[a].does != function::count_rows) values_that_travel_.push_back(a);
  }
  const std::size_t columns = of.values.size() + values_that_travel_.size();
  rows_ = std::make_unique<row_exchange>(columns, received_, [this] {
    if (received_.rows >= batch_rows) take_received();
  });
  peers_ = loops::all_gather(this);
}

void grouping::take(const key_batch& keys, const std::vector<vec>& values, std::size_t rows) {
  rows_taken_ += rows;
  if (!keys_repeat_) return take_singly(keys, values, rows);
  chosen_.resize(rows);
  std::iota(chosen_.begin(), chosen_.end(), 0u);
  waiting_.add(keys, values, chosen_);
  if (waiting_.size() < options_.most_waiting_groups) return;
  keys_repeat_ = rows_taken_ >= 2 * waiting_.size();
  rows_taken_ = 0;
  send_waiting();
}

void grouping::take_singly(const key_batch& keys, const std::vector<vec>& values, std::size_t rows) {
  const auto me = static_cast<std::size_t>(my_core()), parts = packets_.size();
  chosen_.clear();
  if (parts == 1) {
    chosen_.resize(rows);
    std::iota(chosen_.begin(), chosen_.end(), 0u);
    return mine_.add(keys, values, chosen_);
  }
  columns_ = keys.keys;
  for (const std::size_t a : values_that_travel_) columns_.push_back(values[a]);
  const std::vector<std::uint64_t>& hashes = keys.hashes();
  for (std::uint32_t k = 0; k < rows; ++k) {
    const std::size_t to = owner_of(hashes[k], parts);
    to == me ? chosen_.push_back(k) : rows_->send(to, columns_, k);
  }
  mine_.add(keys, values, chosen_);
  if (rows_taken_ < fulls_not_combined * options_.most_waiting_groups) return;
  keys_repeat_ = true;  // maybe
  rows_taken_ = 0;
}

// Does not suspend: also in handlers.
void grouping::take_received() {
  const std::size_t keys = received_.columns.size() - values_that_travel_.size();
  std::vector<vec> columns;
  for (std::size_t first = 0; first < received_.rows; first += batch_rows) {
    const std::size_t rows = std::min(batch_rows, received_.rows - first);
    columns.clear();
    for (const column& c : received_.columns) columns.push_back(c.all().from(first));
    received_keys_.take({columns.data(), keys}, rows);
    for (std::size_t v = 0; v < values_that_travel_.size(); ++v)
      received_values_[values_that_travel_[v]] = columns[keys + v];
    received_chosen_.resize(rows);
    std::iota(received_chosen_.begin(), received_chosen_.end(), 0u);
    mine_.add(received_keys_, received_values_, received_chosen_);
  }
  for (column& c : received_.columns) c.clear();
  received_.rows = 0;
}

void grouping::finish(bool has_keys) {
  send_waiting();
  for (std::size_t c = 0; c < packets_.size(); ++c) flush(c);
  sent_.wait();
  rows_->finish();
  take_received();
  if (!has_keys && owner_of(hash_of_nothing, packets_.size()) == static_cast<std::size_t>(my_core()))
    mine_.add_empty_group();
}

void grouping::send_waiting() {
  for (std::size_t g = 0; g < waiting_.size(); ++g) {
    const std::span<const word> row = waiting_.row(g);
    const std::size_t to = owner_of(waiting_.hash_of(row), packets_.size());
    if (packets_[to].size() + row.size() > words_of_packet) flush(to);
    packets_[to].insert(packets_[to].end(), row.begin(), row.end());
  }
  waiting_.clear();
}

void grouping::flush(std::size_t to) {
  if (packets_[to].empty()) return;
  if (to == static_cast<std::size_t>(my_core())) {
    mine_.merge(packets_[to]);
    packets_[to].clear();
    return;
  }
  delegates::async_call(
      sent_, static_cast<core_id>(to),
      [peer = peers_[to]](std::span<const std::byte> payload) {
        peer->mine_.merge({reinterpret_cast<const word*>(payload.data()), payload.size() / sizeof(word)});
      },
      std::as_bytes(std::span(packets_[to])));
  packets_[to].clear();
}

}  // namespace orujo::relational
