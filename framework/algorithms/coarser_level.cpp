#include "framework/algorithms/coarser_level.hpp"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <span>
#include <utility>

#include "framework/graph/build/assemble.hpp"
#include "system/base/check.hpp"
#include "system/collectives/exchange_by.hpp"

namespace orujo::internal::algorithms {
namespace {

// Communities with members, numbered from 0 on in the order of their numbers.
struct numbering_of_groups {
  std::vector<std::uint32_t> mine;  // slots of the calling core's
  std::uint64_t first = 0, all = 0;
  shared_numbers by_slot;
};

numbering_of_groups number_groups(const community_level& level, communities& groups) {
  struct numbered {
    std::uint64_t group, number;
  };
  numbering_of_groups found;
  for (std::uint32_t v = level.first(); v < level.last(); ++v) {
    if (groups.members[v] > 0) found.mine.push_back(v);
  }
  const std::uint64_t count = found.mine.size();
  found.first = level.alone ? 0 : collectives::exclusive_sum(count);
  found.all = level.sum(count);
  found.by_slot = level.share<std::vector<std::uint64_t>>(groups.mass.size());
  std::vector<numbered> news;
  for (const std::uint32_t slot : found.mine) {
    news.push_back({groups.number(slot), found.first + news.size()});
    (*found.by_slot)[slot] = news.back().number;
  }
  if (level.is_split()) {
    for (const auto& of_core : tell_locales(news)) {
      for (const numbered& n : of_core) {
        if (const std::uint32_t slot = groups.find(n.group); slot != communities::none)
          (*found.by_slot)[slot] = n.number;
      }
    }
  }
  level.meet();
  return found;
}

// The weight between two parts, by their numbers.
struct weighted_edge {
  std::uint64_t part, other;
  double weight;
};

class row_maker {
 public:
  row_maker(const community_level& level, const communities& parts, const numbering_of_groups& numbers)
      : level_(level), numbers_(numbers), places_(level.share<places>(level, parts)) {
    // Members of a slot are a list in any order.
    for (std::uint32_t v = level.first(); v < level.last(); ++v) {
      const std::atomic_ref head(places_->head[parts.of[v]]);
      places_->next[v] = head.exchange(v, std::memory_order_relaxed);
    }
    const auto cores = static_cast<std::size_t>(level.alone ? 1 : my_locales_cores());
    const std::size_t indices = parts.of.size(),
                      me = level.alone ? 0 : static_cast<std::size_t>(my_core_of_locale());
    for (std::size_t at = indices * me / cores; at < indices * (me + 1) / cores; ++at)
      places_->part_of[at] = (*numbers.by_slot)[parts.of[at]];
    level.meet();
  }

  // [task; suspends; collective over the level] The rows of the calling core's parts.
  graph::rows make(const graph::partition& owners) {
    std::vector<weighted_edge> heard;
    if (level_.is_split()) heard = exchange_rows(owners);
    const std::uint64_t most =
        heard.size() + level_.graph->in_rows->edges();  // pages without edges stay away
    std::uint64_t edges = 0;
    graph::rows made;
    made.first_vertex = numbers_.first;
    made.offsets = machine::huge_array<std::uint64_t>(numbers_.mine.size() + 1);
    made.neighbours = machine::huge_array<std::uint32_t>(most, machine::pages::small);
    if (numbers_.all > std::uint64_t{1} << 32) made.high_bits = machine::huge_array<std::uint32_t>(most);
    made.weights = machine::huge_array<float>(most, machine::pages::small);
    auto more = heard.begin();
    for (std::size_t row = 0; row < numbers_.mine.size(); ++row) {
      const auto first = more;
      while (more != heard.end() && more->part == numbers_.first + row) ++more;
      add_up(numbers_.mine[row], std::span(first, more));
      std::ranges::sort(sums_.all(), {}, &gas::weight_sums::sum::key);
      for (const auto& [other, weight] : sums_.all()) {
        made.neighbours[edges] = static_cast<std::uint32_t>(other);
        if (made.high_bits.size() > 0) made.high_bits[edges] = static_cast<std::uint32_t>(other >> 32);
        made.weights[edges++] = static_cast<float>(weight);
      }
      made.offsets[row + 1] = edges;
    }
    return made;
  }

 private:
  struct places {
    places(const community_level& level, const communities& parts)
        : head(parts.mass.size(), communities::none), next(level.graph->own), part_of(parts.of.size()) {}
    std::vector<std::uint32_t> head;     // by slot: a member
    std::vector<std::uint32_t> next;     // by own vertex: another one
    std::vector<std::uint64_t> part_of;  // number, by local index
  };

  // Adds up the edges of the members here, and those that other locales have told of.
  void add_up(std::uint32_t slot, std::span<const weighted_edge> more) {
    const std::uint64_t part = (*numbers_.by_slot)[slot];
    std::uint64_t edges = more.size();
    members_.clear();
    for (std::uint32_t v = places_->head[slot]; v != communities::none; v = places_->next[v]) {
      members_.push_back(v);
      edges += level_.degree(v);
    }
    sums_.clear(std::min(edges, numbers_.all));
    for (const weighted_edge& e : more) sums_.add(e.other, e.weight);
    level_.visit_rows(members_, [&](std::uint32_t v) {
      level_.visit_neighbours(
          v, [&](std::uint32_t u) { __builtin_prefetch(&places_->part_of[u]); },
          [&](std::uint32_t u, float weight) {
            if (const std::uint64_t other = places_->part_of[u]; other != part) sums_.add(other, weight);
          });
    });
  }

  // Sends the edges of vertices here that belong to parts of other locales. Returns those of this core's
  // parts, by part.
  std::vector<weighted_edge> exchange_rows(const graph::partition& owners) {
    std::vector<weighted_edge> mine;
    const std::uint32_t own = level_.graph->own;
    for (std::size_t slot = own + static_cast<std::size_t>(my_core_of_locale()); slot < places_->head.size();
         slot += static_cast<std::size_t>(my_locales_cores())) {
      if (places_->head[slot] == communities::none) continue;
      add_up(static_cast<std::uint32_t>(slot), {});
      for (const auto& [other, weight] : sums_.all())
        mine.push_back({(*numbers_.by_slot)[slot], other, weight});
    }
    auto heard = collectives::exchange_by(mine, [&](const weighted_edge& e) { return owners.owner(e.part); });
    std::ranges::sort(heard, {}, &weighted_edge::part);
    return heard;
  }

  const community_level& level_;
  const numbering_of_groups& numbers_;
  std::shared_ptr<places> places_;
  gas::weight_sums sums_;
  std::vector<std::uint32_t> members_;  // of the slot in hand
};

template <class T>
std::vector<T> joined_at_core_0(const std::vector<T>& mine) {
  std::vector<T> all;
  for (const std::vector<T>& of_core : collectives::gather(mine, 0))
    all.insert(all.end(), of_core.begin(), of_core.end());
  return all;
}

// [task; suspends; collective over the level] Returns a level of these rows at core 0.
std::shared_ptr<community_level> level_at_core_0(const community_level& finer, const graph::rows& made) {
  std::vector<std::uint64_t> degrees;
  std::vector<graph::arc> arcs;
  for (std::uint64_t row = 0; row < made.vertices(); ++row)
    degrees.push_back(made.offsets[row + 1] - made.offsets[row]);
  for (std::uint64_t k = 0; k < made.edges(); ++k) arcs.push_back({made.neighbours[k], made.weights[k]});
  if (!finer.alone) {
    degrees = joined_at_core_0(degrees);
    arcs = joined_at_core_0(arcs);
    if (my_core() != 0) return nullptr;
  }
  auto g = std::make_shared<graph::locale_graph>();
  g->vertices = g->own = static_cast<std::uint32_t>(degrees.size());
  g->edges = arcs.size();
  g->weighted = g->symmetric = g->both_ways = true;
  g->in_rows = g->out_rows = std::make_shared<graph::adjacency>();
  g->in_rows->offsets = machine::huge_array<std::uint64_t>(degrees.size() + 1);
  std::partial_sum(degrees.begin(), degrees.end(), g->in_rows->offsets.begin() + 1);
  g->in_rows->arcs = machine::huge_array<graph::arc>(arcs.size() + graph::adjacency::spare_slots);
  std::ranges::copy(arcs, g->in_rows->arcs.begin());
  return std::make_shared<community_level>(std::move(g), true);
}

}  // namespace

coarser_level coarsen(const community_level& level, communities& groups, communities& parts,
                      std::uint64_t most_alone) {
  const numbering_of_groups numbers = number_groups(level, parts);
  const bool is_start = &groups == &parts;
  const numbering_of_groups starts = is_start ? numbers : number_groups(level, groups);
  coarser_level next;
  next.vertices = numbers.all;
  next.number_of = level.share<std::vector<std::uint64_t>>(level.graph->own);
  for (std::uint32_t v = level.first(); v < level.last(); ++v)
    (*next.number_of)[v] = (*numbers.by_slot)[parts.of[v]];

  std::vector<double> mass;
  std::vector<std::uint64_t> start;
  for (const std::uint32_t slot : numbers.mine) {
    mass.push_back(parts.mass[slot]);
    // A part that is not a community has the number of a member.
    start.push_back((*numbers.by_slot)[slot]);
    if (!is_start) start.back() = (*starts.by_slot)[groups.of[slot]];
  }
  std::vector<std::uint64_t> bounds = {0};
  if (!level.alone) bounds = collectives::all_gather(numbers.first);
  bounds.push_back(numbers.all);
  const graph::partition owners(bounds);
  graph::rows made = row_maker(level, parts, numbers).make(owners);

  if (level.alone || numbers.all + level.sum(made.edges()) <= most_alone) {
    next.level = level_at_core_0(level, made);
    if (!level.alone) {
      mass = joined_at_core_0(mass);
      start = joined_at_core_0(start);
    }
    if (!next.level) return next;
    next.level->mass = std::move(mass);
    next.start = std::make_shared<std::vector<std::uint64_t>>(std::move(start));
    return next;
  }
  const auto opened = graph::open_graph({.weighted = true, .symmetric = true, .owners = owners});
  require(opened.ok(), "a level of communities with more vertices than the graph");
  const status done = graph::assemble(*opened.value(), std::move(made), {},
                                      {.keep = {.in_vectors = false, .in_rows = true, .arcs = true}});
  require(done.ok(), "a level of communities with more mirrors than the graph");
  next.level = level.share<community_level>(opened.value(), false);
  next.start = level.share<std::vector<std::uint64_t>>(opened.value()->own);
  std::ranges::copy(mass, next.level->mass.begin() + next.level->first());
  std::ranges::copy(start, next.start->begin() + next.level->first());
  level.meet();
  return next;
}

shared_numbers spread(const community_level& finer, const coarser_level& coarser,
                      const shared_numbers& values) {
  struct piece {
    std::uint64_t number, value;
  };
  shared_numbers all = values;
  if (!finer.alone && (!coarser.level || coarser.level->alone)) {
    all =
        std::make_shared<std::vector<std::uint64_t>>(my_core() == 0 ? *values : std::vector<std::uint64_t>());
    all->resize(coarser.vertices);
    collectives::broadcast(std::span(*all), 0);
  } else if (finer.is_split()) {
    const community_level& level = *coarser.level;
    all = level.share<std::vector<std::uint64_t>>(coarser.vertices);
    std::vector<piece> mine;
    for (std::uint32_t v = level.first(); v < level.last(); ++v)
      mine.push_back({level.graph->number_of(v), (*values)[v]});
    auto heard = tell_locales(mine);
    heard.push_back(std::move(mine));
    for (const auto& of_core : heard) {
      for (const piece& p : of_core) (*all)[p.number] = p.value;
    }
    finer.meet();
  }
  auto found = finer.share<std::vector<std::uint64_t>>(finer.graph->own);
  for (std::uint32_t v = finer.first(); v < finer.last(); ++v) (*found)[v] = (*all)[(*coarser.number_of)[v]];
  finer.meet();
  return found;
}

}  // namespace orujo::internal::algorithms
