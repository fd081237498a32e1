#include "framework/tables/relational/group_table.hpp"

#include <algorithm>

namespace orujo::internal::relational {
namespace {

constexpr std::size_t first_places = 1024;
constexpr std::size_t groups_in_caches = 4096;
constexpr std::size_t recent_keys = 1024;
constexpr std::uint64_t upper_half = ~std::uint64_t{0} << 32;

}  // namespace

group_table::group_table(const plan_node& group)
    : states_(group, false),
      keys_(group.values.size()),
      null_words_((keys_ + 63) / 64),
      head_(null_words_ + keys_),
      width_(head_ + states_.width()),
      places_(first_places),
      mask_(first_places - 1) {}

std::uint64_t group_table::hash_of(std::span<const word> row) const {
  std::uint64_t hash = hash_of_nothing;
  for (std::size_t k = 0; k < keys_; ++k)
    hash = hash_with(hash, row[null_words_ + k], static_cast<std::uint64_t>(row[k / 64]) >> k % 64 & 1);
  return hash;
}

bool group_table::same_keys(const word* row, const key_batch& keys, std::size_t k) const {
  for (std::size_t key = 0; key < keys_; ++key) {
    const bool null = static_cast<std::uint64_t>(row[key / 64]) >> key % 64 & 1;
    if (row[null_words_ + key] != keys.keys[key].words[k] || null != keys.keys[key].null(k)) return false;
  }
  return true;
}

std::uint32_t group_table::find_or_add(std::uint64_t hash, const auto& is_it, const auto& fill) {
  if (2 * size_ >= mask_) grow();
  std::size_t at = hash & mask_;
  for (; places_[at]; at = (at + 1) & mask_) {
    const auto group = static_cast<std::uint32_t>(places_[at]) - 1;
    if ((places_[at] & upper_half) == (hash & upper_half) && is_it(rows_.data() + group * width_))
      return group;
  }
  places_[at] = (hash & upper_half) | (size_ + 1);
  if (rows_.size() + width_ > rows_.capacity()) rows_.reserve(2 * rows_.capacity() + width_);
  rows_.resize(rows_.size() + width_, 0);
  fill(rows_.data() + size_ * width_);
  return static_cast<std::uint32_t>(size_++);
}

void group_table::grow() {
  require_numbers_for(mask_ + 1);
  places_.assign(2 * (mask_ + 1), 0);
  mask_ = places_.size() - 1;
  for (std::size_t group = 0; group < size_; ++group) {
    const std::uint64_t hash = hash_of(row(group));
    std::size_t at = hash & mask_;
    while (places_[at]) at = (at + 1) & mask_;
    places_[at] = (hash & upper_half) | (group + 1);
  }
}

std::uint32_t group_table::find_or_add_row(const key_batch& keys, std::size_t k) {
  return find_or_add(
      keys.hashes()[k], [&](const word* row) { return same_keys(row, keys, k); },
      [&](word* row) {
        for (std::size_t key = 0; key < keys_; ++key) {
          row[null_words_ + key] = keys.keys[key].words[k];
          row[key / 64] |= static_cast<word>(std::uint64_t{keys.keys[key].null(k)} << key % 64);
        }
      });
}

void group_table::find_groups(const key_batch& keys) {
  at_.resize(keys.rows);
  if (keys_ == 1 && size_ <= groups_in_caches) return find_few_groups(keys);
  const std::vector<std::uint64_t>& hashes = keys.hashes();
  for (const std::uint64_t hash : hashes) __builtin_prefetch(&places_[hash & mask_]);
  if (size_ > groups_in_caches) {
    for (const std::uint64_t hash : hashes) prefetch_row(hash);
  }
  for (std::size_t k = 0; k < keys.rows; ++k) at_[k] = states_of(find_or_add_row(keys, k));
}

// Most are those of keys that have come lately, which needs no hash.
void group_table::find_few_groups(const key_batch& keys) {
  const vec& key = keys.keys[0];
  recent_.resize(recent_keys);
  for (std::size_t k = 0; k < keys.rows; ++k) {
    const word w = key.words[k];
    recent& last =
        recent_[static_cast<std::uint64_t>(w) * 0x9e3779b97f4a7c15u / (~std::uint64_t{0} / recent_keys + 1)];
    const bool null = key.null(k);
    if (!last.group_and_one || last.key != w || null) {
      const std::uint32_t group = find_or_add_row(keys, k);
      at_[k] = states_of(group);
      if (!null) last = {w, group + 1};
    } else {
      at_[k] = states_of(last.group_and_one - 1);
    }
  }
}

void group_table::add(const key_batch& keys, const std::vector<vec>& values) {
  find_groups(keys);
  states_.add(rows_.data(), at_, values, 0, keys.rows);
}

void group_table::prefetch_row(std::uint64_t hash) const {
  for (std::size_t at = hash & mask_; places_[at]; at = (at + 1) & mask_) {
    if ((places_[at] & upper_half) != (hash & upper_half)) continue;
    const word* const row = rows_.data() + (static_cast<std::uint32_t>(places_[at]) - 1) * width_;
    __builtin_prefetch(row, 1);
    __builtin_prefetch(row + width_ - 1, 1);
    return;
  }
}

void group_table::merge(std::span<const word> rows) {
  hashes_of_rows_.clear();
  for (std::size_t at = 0; at < rows.size(); at += width_) {
    hashes_of_rows_.push_back(hash_of(rows.subspan(at, width_)));
    __builtin_prefetch(&places_[hashes_of_rows_.back() & mask_]);
  }
  for (const std::uint64_t hash : hashes_of_rows_) prefetch_row(hash);
  for (std::size_t k = 0; k < hashes_of_rows_.size(); ++k)
    merge_row(rows.data() + k * width_, hashes_of_rows_[k]);
}

void group_table::merge_row(const word* from, std::uint64_t hash) {
  const std::uint32_t group = find_or_add(
      hash,
      [&](const word* row) {
        std::size_t k = 0;
        while (k < head_ && row[k] == from[k]) ++k;
        return k == head_;
      },
      [&](word* row) { std::copy_n(from, head_, row); });
  states_.merge(rows_.data() + states_of(group), from + head_);
}

void group_table::clear() {
  if (8 * size_ < places_.size() && places_.size() > first_places) {  // it will stay small
    places_.assign(std::max(first_places, places_.size() / 2), 0);
    mask_ = places_.size() - 1;
  }
  std::ranges::fill(places_, 0);
  recent_.clear();
  rows_.clear();
  size_ = 0;
}

void group_table::show(std::size_t first, std::size_t n, std::vector<column>& keys,
                       std::vector<column>& aggregates, overflow_place& overflow) const {
  keys.assign(keys_, {});
  std::vector<std::uint64_t> at;
  for (std::size_t group = first; group < first + n; ++group) {
    const word* const of = rows_.data() + group * width_;
    for (std::size_t k = 0; k < keys_; ++k) {
      const bool null = static_cast<std::uint64_t>(of[k / 64]) >> k % 64 & 1;
      null ? keys[k].push_null() : keys[k].push_back(of[null_words_ + k]);
    }
    at.push_back(states_of(static_cast<std::uint32_t>(group)));
  }
  states_.show(rows_.data(), at, aggregates, overflow);
}

}  // namespace orujo::internal::relational
