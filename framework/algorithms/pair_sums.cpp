#include "framework/algorithms/pair_sums.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "framework/exchange/mirror_exchange.hpp"
#include "system/collectives/collectives.hpp"
#include "system/collectives/exchange_by.hpp"

namespace orujo::internal::algorithms::detail {
namespace {

// Pairs of a core that are asked for at a time, which bounds the memory of those that travel.
constexpr std::size_t pairs_at_once = 1 << 17;
// Pairs that a core takes from an offer at a time.
constexpr std::size_t least_pairs_taken = 16, most_pairs_taken = 1024;

exact_sum weight_of(std::uint32_t degree, neighbour_weight kind) {
  if (degree == 0 || (degree == 1 && kind == neighbour_weight::inverse_log)) return 0;
  const double d = degree;
  return in_units(1 / (kind == neighbour_weight::inverse ? d : std::log(d)));
}

}  // namespace

pair_sums::pair_sums(const graph::locale_graph& g, bool wide, neighbour_weight weight)
    : graph_(g),
      weight_(weight),
      shared_(collectives::share_on_locale<shared>([&] { return std::make_shared<shared>(g, wide); })),
      rows_(shared_->rows),
      thirds_(rows_) {
  shared_->rows.make();
  if (weight == neighbour_weight::inverse_log || weight == neighbour_weight::inverse) weigh();
}

void pair_sums::weigh() {
  const auto degrees = collectives::share_on_locale<machine::huge_array<std::uint32_t>>(
      [&] { return std::make_shared<machine::huge_array<std::uint32_t>>(rows_.ranks()); });
  for (std::uint32_t v = graph_.my_part().first; v < graph_.my_part().last; ++v)
    (*degrees)[v] = static_cast<std::uint32_t>(rows_.of(rows_.rank_of(v)).members.size());
  if (leads_locale()) shared_->weights = machine::huge_array<exact_sum>(rows_.ranks());
  if (locales() > 1) {
    exchange::mirror_exchange<std::uint32_t> mirrors(graph_, degrees->part(0, rows_.ranks()));
    mirrors.start();
    mirrors.finish();
  }
  collectives::barrier(collectives::group::locale);
  const index_range mine = my_part_of_locale({0, rows_.ranks()});
  for (std::size_t v = mine.first; v < mine.last; ++v)
    shared_->weights[rows_.rank_of(static_cast<std::uint32_t>(v))] = weight_of((*degrees)[v], weight_);
  collectives::barrier(collectives::group::locale);
}

std::vector<numbered_pair> pair_sums::edges() const {
  std::vector<numbered_pair> all;
  for (std::uint32_t v = graph_.my_part().first; v < graph_.my_part().last; ++v) {
    const std::uint32_t rank = rows_.rank_of(v);
    const auto members = rows_.of(rank).members;
    for (auto m = std::ranges::upper_bound(members, rank); m != members.end(); ++m)
      all.push_back({graph_.number_of(v), graph_.number_of(rows_.local_of(*m))});
  }
  return all;
}

std::vector<pair_sum> pair_sums::of(std::span<const numbered_pair> pairs) {
  std::vector<pair_sum> sums(pairs.size());
  const std::size_t rounds =
      collectives::all_reduce((pairs.size() + pairs_at_once - 1) / pairs_at_once,
                              [](std::size_t a, std::size_t b) { return std::max(a, b); });
  for (std::size_t round = 0; round < rounds; ++round) {
    const std::size_t first = std::min(round * pairs_at_once, pairs.size());
    const auto some = pairs.subspan(first, std::min(pairs_at_once, pairs.size() - first));
    const std::vector<question> questions =
        collectives::exchange_by(ask(some, first), [](const question& q) { return q.to; });
    for (const answer& a :
         collectives::exchange_by(answers_to(questions), [](const answer& found) { return found.to; })) {
      pair_sum& sum = sums[a.place];
      sum.sum += a.part.sum;
      sum.source_degree += a.part.source_degree;
      sum.target_degree += a.part.target_degree;
    }
  }
  return sums;
}

std::vector<pair_sums::question> pair_sums::ask(std::span<const numbered_pair> pairs,
                                                std::size_t first) const {
  std::vector<question> questions;
  questions.reserve(pairs.size());
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const locale_id of_source = shape().locale_of(graph_.owners.owner(pairs[k].source));
    const locale_id of_target = shape().locale_of(graph_.owners.owner(pairs[k].target));
    for (locale_id l = 0; l < locales(); ++l) {
      if (of_source == of_target && l != of_source) continue;
      const core_id to =
          l == my_locale() ? my_core() : shape().first_core_of(l) + my_core_of_locale() % shape().cores_of(l);
      questions.push_back({pairs[k], first + k, my_core(), to});
    }
  }
  return questions;
}

// The number of neighbours of an end comes from its owner's locale only.
std::vector<pair_sums::answer> pair_sums::answers_to(std::span<const question> questions) {
  offer& mine = shared_->offers[my_core_of_locale()];
  std::vector<answer> answers;
  mine.pairs.clear();
  for (const question& q : questions) {
    const std::optional<std::uint32_t> source = graph_.local_of(q.pair.source);
    const std::optional<std::uint32_t> target = graph_.local_of(q.pair.target);
    const auto degree = [&](std::optional<std::uint32_t> local) {
      if (!local || *local >= graph_.own) return std::uint32_t{0};
      return static_cast<std::uint32_t>(rows_.of(rows_.rank_of(*local)).members.size());
    };
    if (source && target) {
      const auto [low, high] = std::minmax({rows_.rank_of(*source), rows_.rank_of(*target)});
      mine.pairs.push_back({low, high, answers.size()});
    }
    answers.push_back({{0, degree(source), degree(target)}, q.place, q.from});
  }
  if (weight_ == neighbour_weight::none) return answers;
  std::ranges::sort(mine.pairs);
  mine.sums.assign(answers.size(), 0);
  mine.dealer.reset();
  collectives::barrier(collectives::group::locale);
  steps::deal_shares(shared_->offers, [&](offer& from) {
    const std::size_t step =
        std::clamp(from.pairs.size() / (16 * shared_->offers.size()), least_pairs_taken, most_pairs_taken);
    from.dealer.deal(from.pairs.size(), step, [&](std::size_t begin, std::size_t end) {
      add_up(from, std::span<const ranked_edge>(from.pairs).subspan(begin, end - begin));
    });
  });
  collectives::barrier(collectives::group::locale);
  for (std::size_t k = 0; k < answers.size(); ++k) answers[k].part.sum = mine.sums[k];
  return answers;
}

void pair_sums::add_up(offer& from, std::span<const ranked_edge> pairs) {
  const auto leave = [](std::uint32_t, std::size_t) {};
  if (weight_ == neighbour_weight::one) {
    std::uint32_t count = 0;
    thirds_.of_each<thirds::all>(
        pairs, [&](std::uint32_t) { ++count; },
        [&](const ranked_edge& pair) { from.sums[pair.slot] = std::exchange(count, 0); }, leave);
  } else {
    const exact_sum* const weights = shared_->weights.data();
    exact_sum sum = 0;
    thirds_.of_each<thirds::all>(
        pairs, [&](std::uint32_t third) { sum += weights[third]; },
        [&](const ranked_edge& pair) { from.sums[pair.slot] = std::exchange(sum, 0); }, leave);
  }
}

}  // namespace orujo::internal::algorithms::detail
