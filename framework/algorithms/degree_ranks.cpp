#include "framework/algorithms/degree_ranks.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <vector>

#include "framework/exchange/mirror_exchange.hpp"
#include "system/collectives/collectives.hpp"

namespace orujo::internal::algorithms::detail {
namespace {

// Degrees up to 15 have a class each. Others share 8 classes between two powers of two. The highest degrees
// come first.
constexpr std::uint32_t degree_classes = 240;
std::uint32_t class_of(std::uint32_t degree) {
  const auto octave = static_cast<std::uint32_t>(std::max<int>(std::bit_width(degree), 4) - 4);
  return degree_classes - 1 - (octave * 8 + (degree >> octave));
}

}  // namespace

degree_ranks::degree_ranks(const graph::locale_graph& g, bool wide)
    : graph_(g), wide_(wide), ranks_(g.own + g.mirrors), rank_of_(ranks_) {
  if (locales() == 1) return;
  lower_names_ = machine::huge_array<std::uint32_t>(ranks_);
  if (wide) upper_names_ = machine::huge_array<std::uint32_t>(ranks_);
  by_rank_ = machine::huge_array<place>(ranks_);
  known_ = graph::ranked_bitmap(g.vertices);
}

void degree_ranks::make() {
  name_own();
  if (locales() > 1) {
    share_names();
    rank();
  }
  collectives::barrier(collectives::group::locale);
}

// Counts the classes of degrees, and then deals the positions of each class to its vertices, in the order of
// numbers.
void degree_ranks::name_own() {
  const graph::core_part& mine = graph_.my_part();
  std::vector<std::uint64_t> next(degree_classes);
  for (std::uint32_t v = mine.first; v < mine.last; ++v) ++next[class_of(graph_.out_degree[v])];
  std::vector<std::uint64_t> sizes = next;
  collectives::all_reduce(sizes);
  collectives::exclusive_scan(next, std::uint64_t{0}, std::plus<std::uint64_t>());
  std::uint64_t dealt = 0;
  for (std::size_t c = 0; c < degree_classes; ++c) {
    next[c] += dealt;
    dealt += sizes[c];
  }
  const bool alone = locales() == 1;
  std::uint32_t* const names = alone ? rank_of_.data() : lower_names_.data();
  for (std::uint32_t v = mine.first; v < mine.last; ++v) {
    const std::uint64_t name = next[class_of(graph_.out_degree[v])]++;
    names[v] = static_cast<std::uint32_t>(name);
    if (wide_ && !alone) upper_names_[v] = static_cast<std::uint32_t>(name >> 32);
  }
}

void degree_ranks::share_names() {
  const auto share = [this](const machine::huge_array<std::uint32_t>& names) {
    exchange::mirror_exchange<std::uint32_t> mirrors(graph_, names.part(0, ranks_));
    mirrors.start();
    mirrors.finish();
  };
  share(lower_names_);
  if (wide_) share(upper_names_);
  collectives::barrier(collectives::group::locale);
}

void degree_ranks::rank() {
  const index_range words = my_part_of_locale({0, known_.words().size()});
  std::ranges::fill(known_.words().subspan(words.first, words.size()), 0);
  collectives::barrier(collectives::group::locale);
  const auto name_at = [&](std::size_t local) {
    const std::uint64_t upper = wide_ ? upper_names_[local] : 0;
    return upper << 32 | lower_names_[local];
  };
  const index_range mine = my_part_of_locale({0, ranks_});
  for (std::size_t v = mine.first; v < mine.last; ++v) known_.set(name_at(v));
  collectives::barrier(collectives::group::locale);
  if (leads_locale()) known_.count();
  collectives::barrier(collectives::group::locale);
  for (std::size_t v = mine.first; v < mine.last; ++v) {
    const auto rank = static_cast<std::uint32_t>(known_.rank(name_at(v)));
    rank_of_[v] = rank;
    by_rank_[rank] = {lower_names_[v], static_cast<std::uint32_t>(v)};
  }
}

}  // namespace orujo::internal::algorithms::detail
