#include "framework/algorithms/centrality_mirrors.hpp"

#include <functional>

namespace orujo::internal::algorithms::detail {

void centrality_mirrors::make_room(std::size_t searches) {
  while (searches_.size() < searches) searches_.emplace_back(graph_, waiting_);
}

void centrality_mirrors::make_exponents(std::size_t search) {
  if (!searches_[search].exponents)
    searches_[search].exponents.emplace(graph_, exchange::told_sets::unrelated,
                                        exchange::codec_options_from_flags(), waiting_);
}

void centrality_mirrors::begin(std::size_t search) { searches_[search].counts.clear(); }

void centrality_mirrors::tell(std::size_t search, std::size_t level, bool scaled,
                              std::vector<std::uint32_t>* received) {
  search_state& one = searches_[search];
  centrality_state& shared = shared_[search];
  const std::size_t p = level % 2;
  one.scaled = scaled;
  std::vector<std::span<const std::uint32_t>> lists;
  for (const auto& share : shared.levels[p]) lists.push_back(share.part);
  const auto send = [&](auto& exchange, auto& of, std::vector<std::uint32_t>* news) {
    exchange.open({.shown = of.data(), .news = news});
    exchange.send_listed(lists, [&](std::uint32_t v) { return of[v]; });
  };
  send(one.values, shared.values[p], received);
  if (scaled) send(*one.exponents, shared.exponents[p], nullptr);
}

void centrality_mirrors::tell(std::size_t search, std::size_t level, bool scaled) {
  std::vector<std::uint32_t>& received = searches_[search].received[level % 2];
  received.clear();
  tell(search, level, scaled, &received);
}

level_sizes centrality_mirrors::meet(std::span<const std::size_t> searches, const level_sizes& mine) {
  std::vector<exchange::counted_rounds*> rounds;
  for (const std::size_t s : searches) {
    rounds.push_back(&searches_[s].values);
    if (searches_[s].scaled) rounds.push_back(&*searches_[s].exponents);
  }
  const level_sizes all = exchange::counted_rounds::complete(rounds, mine, std::plus<>());
  for (const std::size_t s : searches) {
    search_state& one = searches_[s];
    std::vector<std::uint32_t>& received = one.received[one.counts.size() % 2];
    for (std::uint32_t& mirror : received) mirror -= graph_.own;
    one.counts.push_back(received.size());
  }
  return all;
}

void centrality_mirrors::tell_back(std::size_t search, std::size_t level, bool scaled) {
  tell(search, level, scaled, nullptr);
  searches_[search].values.end_sends();
  if (scaled) searches_[search].exponents->end_sends();
}

void centrality_mirrors::await_back(std::size_t search, std::size_t level, bool scaled) {
  search_state& one = searches_[search];
  one.values.await_vertices(one.counts[level]);
  if (scaled) one.exponents->await_vertices(one.counts[level]);
}

}  // namespace orujo::internal::algorithms::detail
