#include "framework/algorithms/centrality_mirrors.hpp"

#include <algorithm>
#include <functional>

namespace orujo::algorithms::detail {
namespace {

template <class T>
T& at(std::vector<T>& all, std::size_t place) {
  if (all.size() <= place) all.resize(place + 1);
  return all[place];
}

}  // namespace

centrality_mirrors::centrality_mirrors(const graph::locale_graph& g, std::deque<centrality_state>& shared)
    : shared_(shared),
      own_(g.own),
      places_(locales() > 1 ? exchange::find_mirror_places(g) : nullptr),
      values_out_(*this) {}

void centrality_mirrors::begin(std::size_t search) {
  search_state& one = at(searches_, search);
  for (std::vector<std::uint32_t>& told : one.told) told.clear();
  one.told_exponents = {};
  one.counts.clear();
  one.open = no_level;
}

void centrality_mirrors::tell(std::span<const std::uint32_t> vertices, std::size_t search, std::size_t level,
                              bool scaled) {
  tell(vertices, {static_cast<std::uint32_t>(level), static_cast<std::uint16_t>(search), 0, 0}, scaled);
}

void centrality_mirrors::tell_back(std::span<const std::uint32_t> vertices, std::size_t search,
                                   std::size_t level, bool scaled) {
  tell(vertices, {static_cast<std::uint32_t>(level), static_cast<std::uint16_t>(search), 1, 0}, scaled);
}

void centrality_mirrors::tell(std::span<const std::uint32_t> vertices, const note& of, bool scaled) {
  const centrality_state& shared = shared_[of.search];
  push(vertices, of, shared.values[of.level % 2].data());
  if (!scaled) return;
  values_out_.hand_over_rest();
  push(vertices, {of.level, of.search, of.back, 1}, shared.exponents[of.level % 2].data());
  values_out_.hand_over_rest();
}

// Tells all that mirror them what `told` has of these vertices.
template <class Told>
void centrality_mirrors::push(std::span<const std::uint32_t> vertices, const note& of, const Told* told) {
  const std::uint64_t* const offsets = places_->offsets();
  if (of.search != last_) values_out_.hand_over_rest();
  last_ = of.search;
  values_out_.set_note(of);
  mirrored_.clear();
  for (const std::uint32_t v : vertices) {
    if (!places_->has(v)) continue;
    __builtin_prefetch(offsets + v);
    mirrored_.push_back(v);
  }
  constexpr std::size_t ahead = 8;
  for (std::size_t k = 0; k < mirrored_.size(); ++k) {
    __builtin_prefetch(places_->data() + offsets[mirrored_[std::min(k + ahead, mirrored_.size() - 1)]]);
    const auto value = static_cast<double>(told[mirrored_[k]]);
    for (const auto& [core, index] : places_->of(mirrored_[k])) values_out_.push(core, {index, {value}});
  }
}

level_sizes centrality_mirrors::finish(std::span<const std::size_t> searches, const level_sizes& mine) {
  const auto level = [&](std::size_t search) { return searches_[search].counts.size(); };
  for (const std::size_t s : searches) {
    searches_[s].told[1 - level(s) % 2].clear();
    searches_[s].told_exponents[1 - level(s) % 2] = 0;
  }
  const level_sizes all = values_out_.finish(mine, std::plus<>());
  values_out_.open();
  for (const std::size_t s : searches) {
    const std::size_t p = level(s) % 2;
    searches_[s].counts.push_back(searches_[s].told[p].size() + searches_[s].told_exponents[p]);
  }
  return all;
}

void centrality_mirrors::go_back_to(std::size_t search, std::size_t level) {
  search_state& one = searches_[search];
  one.open = level;
  one.back = 0;
  for (const std::uint8_t exponent : {std::uint8_t{0}, std::uint8_t{1}}) {
    auto& early = one.early[exponent];
    if (early.size() <= level) continue;
    write({static_cast<std::uint32_t>(level), static_cast<std::uint16_t>(search), 1, exponent}, early[level]);
    one.back += early[level].size();
    early[level] = {};
  }
}

void centrality_mirrors::await_back(std::size_t search, std::size_t level) {
  while (searches_[search].back < searches_[search].counts[level])
    tasks::scheduler::here()->suspend(arrivals_, "dependencies of mirrored vertices");
}

void centrality_mirrors::receive(const note& of, told_values values) {
  search_state& one = searches_[of.search];
  if (of.back == 0) {
    write(of, values);
    if (of.exponent != 0) {
      one.told_exponents[of.level % 2] += values.size();
    } else {
      for (const auto& told : values) one.told[of.level % 2].push_back(told.target - own_);
    }
  } else if (of.level == one.open) {
    write(of, values);
    one.back += values.size();
    tasks::scheduler::here()->wake_all(arrivals_);
  } else {
    auto& waiting = at(one.early[of.exponent], of.level);
    waiting.insert(waiting.end(), values.begin(), values.end());
  }
}

void centrality_mirrors::write(const note& of, told_values values) {
  const centrality_state& shared = shared_[of.search];
  if (of.exponent != 0) {
    std::int32_t* const into = shared.exponents[of.level % 2].data();
    for (const auto& one : values) into[one.target] = static_cast<std::int32_t>(one.value.value);
  } else {
    double* const into = shared.values[of.level % 2].data();
    for (const auto& one : values) into[one.target] = one.value.value;
  }
}

}  // namespace orujo::algorithms::detail
