#include "framework/tables/relational/grouping.hpp"

#include <algorithm>

#include "framework/tables/relational/send_words.hpp"
#include "system/base/identity.hpp"
#include "system/collectives/collectives.hpp"

namespace orujo::internal::relational {

namespace {

constexpr std::size_t most_waiting_bytes = std::size_t{64} << 20;  // also of wide groups

}  // namespace

grouping::grouping(const plan_node& of, const execute_options& options)
    : mine_(of),
      waiting_(of),
      most_waiting_(std::min(options.most_waiting_groups,
                             most_waiting_bytes / (sizeof(word) * std::max<std::size_t>(1, mine_.width())))),
      keys_repeat_(cores() > 1),
      packets_(cores()),
      received_values_(of.aggregates.size()) {
  for (std::size_t a = 0; a < of.aggregates.size(); ++a) {
    if (of.aggregates[a].does != function::count_rows) values_that_travel_.push_back(a);
  }
  const std::size_t columns = of.values.size() + values_that_travel_.size();
  rows_ = std::make_unique<row_exchange>(columns, received_, [this] {
    if (received_.rows >= batch_rows) take_received();
  });
  peers_ = collectives::all_gather(this);
}

void grouping::take(const key_batch& keys, const std::vector<vec>& values) {
  rows_taken_ += keys.rows;
  if (!keys_repeat_) return take_singly(keys, values);
  waiting_.add(keys, values);
  if (waiting_.size() < most_waiting_) return;
  keys_repeat_ = rows_taken_ >= 2 * waiting_.size();
  rows_taken_ = 0;
  send_waiting();
}

void grouping::take_singly(const key_batch& keys, const std::vector<vec>& values) {
  if (packets_.size() == 1) return mine_.add(keys, values);
  columns_ = keys.keys;
  for (const std::size_t a : values_that_travel_) columns_.push_back(values[a]);
  owners_.clear();
  for (const std::uint64_t hash : keys.hashes())
    owners_.push_back(static_cast<std::uint32_t>(owner_of(hash, packets_.size())));
  rows_->send(owners_, columns_);
  if (received_.rows >= batch_rows) take_received();
  if (rows_taken_ < fulls_not_combined * most_waiting_) return;
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
    mine_.add(received_keys_, received_values_);
  }
  for (column& c : received_.columns) c.clear();
  received_.rows = 0;
}

void grouping::finish() {
  send_waiting();
  for (core_id c = 0; c < cores(); ++c) flush(c);
  sent_.wait();
  rows_->finish();
  take_received();
}

std::size_t grouping::show(std::size_t& position, std::vector<column>& keys, std::vector<column>& aggregates,
                           overflow_place& overflow) const {
  const std::size_t n = std::min(batch_rows, mine_.size() - position);
  mine_.show(position, n, keys, aggregates, overflow);
  position += n;
  return n;
}

void grouping::send_waiting() {
  for (std::size_t g = 0; g < waiting_.size(); ++g) {
    const std::span<const word> row = waiting_.row(g);
    const auto to = static_cast<core_id>(owner_of(waiting_.hash_of(row), packets_.size()));
    if (packets_[to].size() + row.size() > words_of_packet(waiting_.width())) flush(to);
    packets_[to].insert(packets_[to].end(), row.begin(), row.end());
  }
  waiting_.clear();
}

void grouping::flush(core_id to) {
  if (packets_[to].empty()) return;
  if (to == my_core()) {
    mine_.merge(packets_[to]);
    packets_[to].clear();
    return;
  }
  send_words(sent_, to, packets_[to],
             [peer = peers_[to]](std::span<const word> groups) { peer->mine_.merge(groups); });
  packets_[to].clear();
}

}  // namespace orujo::internal::relational
