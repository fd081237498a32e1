#include "framework/relational/group_table.hpp"

#include <algorithm>

namespace orujo::relational {
namespace {

constexpr std::size_t first_places = 1024;
constexpr std::size_t groups_in_caches = 4096;
constexpr std::size_t recent_keys = 1024;
constexpr std::uint64_t upper_half = ~std::uint64_t{0} << 32;

bool precedes(word a, word b, bool real) { return real ? real_of(a) < real_of(b) : a < b; }

void add_to_sum(word* state, word low, word high, word count) {
  const auto before = static_cast<std::uint64_t>(state[0]);
  const std::uint64_t sum = before + static_cast<std::uint64_t>(low);
  state[0] = static_cast<word>(sum);
  state[1] = static_cast<word>(static_cast<std::uint64_t>(state[1]) + static_cast<std::uint64_t>(high) +
                               (sum < before));
  state[2] += count;
}

}  // namespace

group_table::state group_table::state_of(const aggregate& a) {
  switch (a.does) {
    case function::count_rows:
      return state::count_rows;
    case function::count:
      return state::count;
    case function::sum:
      return a.of.type == kind::integer ? state::sum_integers : state::sum_reals;
    case function::average:
      return state::sum_reals;
    case function::minimum:
      return state::least;
    case function::maximum:
      return state::greatest;
  }
  return state::count;
}

group_table::group_table(const plan_node& group)
    : keys_(group.values.size()),
      null_words_((keys_ + 63) / 64),
      width_(null_words_ + keys_),
      places_(first_places),
      mask_(first_places - 1) {
  for (const auto& [slot, key] : group.values) key_types_.push_back(key.type);
  for (const aggregate& a : group.aggregates) {
    const state what = state_of(a);
    const std::size_t words = what == state::sum_integers ? 3 : what <= state::count ? 1 : 2;
    shapes_.push_back({what, a.of.type == kind::real, a.does == function::average, width_, words, a.of.at});
    width_ += words;
  }
}

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

void group_table::find_groups(const key_batch& keys, std::span<const std::uint32_t> chosen) {
  groups_of_batch_.resize(chosen.size());
  if (keys_ == 1 && size_ <= groups_in_caches) return find_few_groups(keys, chosen);
  const std::vector<std::uint64_t>& hashes = keys.hashes();
  for (const std::uint32_t k : chosen) __builtin_prefetch(&places_[hashes[k] & mask_]);
  if (size_ > groups_in_caches) {
    for (const std::uint32_t k : chosen) prefetch_row(hashes[k]);
  }
  for (std::size_t i = 0; i < chosen.size(); ++i) groups_of_batch_[i] = find_or_add_row(keys, chosen[i]);
}

// Most are those of keys that have come lately, which needs no hash.
void group_table::find_few_groups(const key_batch& keys, std::span<const std::uint32_t> chosen) {
  const vec& key = keys.keys[0];
  recent_.resize(recent_keys);
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const word w = key.words[chosen[i]];
    recent& last =
        recent_[static_cast<std::uint64_t>(w) * 0x9e3779b97f4a7c15u / (~std::uint64_t{0} / recent_keys + 1)];
    const bool null = key.null(chosen[i]);
    if (last.group_and_one && last.key == w && !null) {
      groups_of_batch_[i] = last.group_and_one - 1;
      continue;
    }
    groups_of_batch_[i] = find_or_add_row(keys, chosen[i]);
    if (!null) last = {w, groups_of_batch_[i] + 1};
  }
}

void group_table::add(const key_batch& keys, const std::vector<vec>& values,
                      std::span<const std::uint32_t> chosen) {
  find_groups(keys, chosen);
  for (std::size_t a = 0; a < shapes_.size(); ++a) update(shapes_[a], values[a], chosen);
}

void group_table::update(const shape& s, const vec& v, std::span<const std::uint32_t> chosen) {
  word* const states = rows_.data() + s.at;
  const auto each = [&](const auto& change) {
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      const std::uint32_t k = chosen[i];
      if (v.nulls && v.nulls[k]) continue;
      change(states + groups_of_batch_[i] * width_, v.words[k]);
    }
  };
  switch (s.what) {
    case state::count_rows:
      for (const std::uint32_t group : groups_of_batch_) ++states[group * width_];
      break;
    case state::count:
      each([](word* to, word) { ++*to; });
      break;
    case state::sum_integers:
      each([](word* to, word w) { add_to_sum(to, w, w >> 63, 1); });
      break;
    case state::sum_reals:
      if (s.real) {
        each([](word* to, word w) { to[0] = word_of(real_of(to[0]) + real_of(w)), ++to[1]; });
      } else {
        each([](word* to, word w) { to[0] = word_of(real_of(to[0]) + static_cast<double>(w)), ++to[1]; });
      }
      break;
    case state::least:
      each([real = s.real](word* to, word w) {
        if (to[1]++ == 0 || precedes(w, to[0], real)) to[0] = w;
      });
      break;
    case state::greatest:
      each([real = s.real](word* to, word w) {
        if (to[1]++ == 0 || precedes(to[0], w, real)) to[0] = w;
      });
      break;
  }
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
  const std::size_t head = null_words_ + keys_;
  const std::uint32_t group = find_or_add(
      hash,
      [&](const word* row) {
        std::size_t k = 0;
        while (k < head && row[k] == from[k]) ++k;
        return k == head;
      },
      [&](word* row) { std::copy_n(from, head, row); });
  for (const shape& s : shapes_) {
    word* const to = rows_.data() + group * width_ + s.at;
    const word* const more = from + s.at;
    switch (s.what) {
      case state::count_rows:
      case state::count:
        *to += *more;
        break;
      case state::sum_integers:
        add_to_sum(to, more[0], more[1], more[2]);
        break;
      case state::sum_reals:
        to[0] = word_of(real_of(to[0]) + real_of(more[0]));
        to[1] += more[1];
        break;
      case state::least:
      case state::greatest:
        if (more[1] == 0) break;
        if (to[1] == 0 ||
            (s.what == state::least ? precedes(more[0], to[0], s.real) : precedes(to[0], more[0], s.real)))
          to[0] = more[0];
        to[1] += more[1];
        break;
    }
  }
}

void group_table::add_empty_group() {
  if (size_ == 0)
    find_or_add(
        hash_of_nothing, [](const word*) { return true; }, [](word*) {});
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
  aggregates.assign(shapes_.size(), {});
  for (std::size_t group = first; group < first + n; ++group) {
    const word* const of = rows_.data() + group * width_;
    for (std::size_t k = 0; k < keys_; ++k) {
      const bool null = static_cast<std::uint64_t>(of[k / 64]) >> k % 64 & 1;
      null ? keys[k].push_null() : keys[k].push_back(of[null_words_ + k]);
    }
    for (std::size_t a = 0; a < shapes_.size(); ++a) {
      const shape& s = shapes_[a];
      const word* const kept = of + s.at;
      column& to = aggregates[a];
      if (s.what <= state::count) {
        to.push_back(*kept);
      } else if (kept[s.words - 1] == 0) {
        to.push_null();
      } else if (s.averages) {
        to.push_back(word_of(real_of(kept[0]) / static_cast<double>(kept[1])));
      } else {
        if (s.what == state::sum_integers && kept[1] != kept[0] >> 63) overflow.set(s.place_in_text);
        to.push_back(kept[0]);
      }
    }
  }
}

}  // namespace orujo::relational
