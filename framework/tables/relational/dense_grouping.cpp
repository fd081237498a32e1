#include "framework/tables/relational/dense_grouping.hpp"

#include <algorithm>

#include "framework/tables/relational/send_words.hpp"
#include "system/base/check.hpp"
#include "system/base/identity.hpp"
#include "system/collectives/collectives.hpp"
#include "system/tasks/scheduler.hpp"

namespace orujo::internal::relational {
namespace {

constexpr std::uint64_t few_places = 4096;  // always worth an array
constexpr std::size_t bytes_in_cache = std::size_t{512} << 10;
constexpr std::size_t rows_ahead = 256;  // fetched while the ones before are added

std::uint64_t places_of(const plan_node& of) { return of.values.empty() ? 1 : of.range->places() + 1; }

}  // namespace

bool dense_grouping::suits(const plan_node& of, const execute_options& options) {
  if (of.values.empty()) return true;
  const std::size_t width = group_states(of, true).width();
  constexpr std::uint64_t rows_of_place = 2;  // at each core, in the mean
  if (!of.range || !of.range->is_dense(~std::uint64_t{0})) return false;
  const std::uint64_t most_places = options.most_dense_bytes / (width * sizeof(word));
  if (of.range->place(of.range->greatest) >= most_places) return false;  // before it overflows
  const std::uint64_t places = places_of(of);
  if (places > most_places) return false;
  return places <= few_places ||
         static_cast<double>(rows_of_place * places * static_cast<std::uint64_t>(cores())) <=
             of.of[0].expected;
}

dense_grouping::dense_grouping(const plan_node& of)
    : states_(of, true),
      has_key_(!of.values.empty()),
      range_(of.range.value_or(key_range())),
      width_(states_.width()),
      places_(places_of(of)),
      words_(places_ * width_) {
  peers_ = collectives::all_gather(this);
}

void dense_grouping::find_places(const key_batch& keys) {
  at_.resize(keys.rows);
  if (!has_key_) {
    std::ranges::fill(at_, 0);
    return;
  }
  const vec& key = keys.keys[0];
  std::uint64_t greatest = 0;
  if (key.nulls) {
    for (std::size_t k = 0; k < keys.rows; ++k) {
      const std::uint64_t place = key.nulls[k] ? places_ - 1 : range_.place(key.words[k]);
      greatest = std::max(greatest, place);
      at_[k] = place * width_;
    }
  } else {
    for (std::size_t k = 0; k < keys.rows; ++k) {
      const std::uint64_t place = range_.place(key.words[k]);
      greatest = std::max(greatest, place);
      at_[k] = place * width_;
    }
  }
  require(greatest < places_, "a key of a group is beyond the range that its column has");
}

void dense_grouping::take(const key_batch& keys, const std::vector<vec>& values) {
  find_places(keys);
  if (words_.size() * sizeof(word) <= bytes_in_cache)
    return states_.add(words_.data(), at_, values, 0, keys.rows);
  const auto ask_for = [&](std::size_t first) {
    for (std::size_t k = first; k < std::min(first + rows_ahead, keys.rows); ++k)
      __builtin_prefetch(words_.data() + at_[k], 1);
  };
  ask_for(0);
  for (std::size_t first = 0; first < keys.rows; first += rows_ahead) {
    ask_for(first + rows_ahead);
    states_.add(words_.data(), at_, values, first, std::min(rows_ahead, keys.rows - first));
  }
}

std::size_t dense_grouping::first_of(int core) const {
  return static_cast<std::size_t>(static_cast<unsigned __int128>(places_) * static_cast<unsigned>(core) /
                                  static_cast<unsigned>(cores()));
}

void dense_grouping::finish() {
  for (int step = 1; step < cores(); ++step) send_range((my_core() + step) % cores());
  sent_.wait();
  collectives::barrier();
}

// Passes over messages' worth of places without groups.
void dense_grouping::send_range(int core) {
  const std::size_t last = first_of(core + 1), step = words_of_packet(width_) / width_;
  for (std::size_t first = first_of(core); first < last; first += step) {
    const std::size_t n = std::min(step, last - first);
    const std::span<const word> states(words_.data() + first * width_, n * width_);
    word rows = 0;
    for (std::size_t k = 0; k < n; ++k) rows |= states[k * width_];
    if (rows == 0) continue;
    send_words(
        sent_, static_cast<core_id>(core), states,
        [peer = peers_[core], first](std::span<const word> of_range) { peer->merge(first, of_range); });
  }
}

void dense_grouping::merge(std::size_t place, std::span<const word> states) {
  for (std::size_t k = 0; k < states.size(); k += width_)
    states_.merge(words_.data() + place * width_ + k, states.data() + k);
}

std::size_t dense_grouping::show(std::size_t& position, std::vector<column>& keys,
                                 std::vector<column>& aggregates, overflow_place& overflow) const {
  const std::size_t first = first_of(static_cast<int>(my_core())),
                    last = first_of(static_cast<int>(my_core()) + 1);
  keys.assign(has_key_, {});
  std::vector<std::uint64_t> at;
  for (; first + position < last && at.size() < batch_rows; ++position) {
    const std::size_t place = first + position;
    if (words_[place * width_] == 0 && has_key_) continue;
    at.push_back(place * width_);
    if (!has_key_) continue;
    place + 1 == places_ ? keys[0].push_null() : keys[0].push_back(range_.key_at(place));
  }
  states_.show(words_.data(), at, aggregates, overflow);
  return at.size();
}

}  // namespace orujo::internal::relational
