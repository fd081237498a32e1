#include "framework/algorithms/community_moves.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <utility>

#include "framework/graph/mirror_rows.hpp"
#include "system/base/random.hpp"

namespace orujo::internal::algorithms {
namespace {

constexpr std::uint32_t none = communities::none;
constexpr std::uint32_t classes = 16, few_classes = 4;
constexpr int most_sweeps = 50;
constexpr std::uint64_t most_rounds = 8;  // of refinement
// Gains are added up as whole numbers, the same in any order.
constexpr double gain_unit = 0x1p-50;

struct choice {
  std::uint32_t to;               // none: the vertex stays
  double cut = 0;                 // change of the community's cut
  double gain = 0, expected = 0;  // if the mass of the community is as expected afterwards
};

// A vertex that has joined a community: local index and slots, none where this locale does not have them.
struct joined_vertex {
  std::uint32_t vertex, from, to;
  double mass, cut, gain, expected;
};
// The same for other locales.
struct joined_elsewhere {
  static constexpr std::uint64_t nobody = ~std::uint64_t{0};
  std::uint64_t vertex, from, to;
  double mass, cut;
  communities::figures before;  // of `to`
};

// One core's part of the moves on a level.
class mover {
 public:
  mover(const community_level& level, communities& groups, std::uint64_t seed)
      : level_(level), groups_(groups), seed_(seed) {}

  // The class of the vertex with this number, of so many.
  std::uint32_t class_of(std::uint64_t number, std::uint64_t round, std::uint32_t of) const {
    return static_cast<std::uint32_t>(mix64(mix64(seed_ + round) + number) % of);
  }

  // [task; suspends; collective over the level] Lets each of these vertices choose(v) a community. Returns
  // how many vertices have joined one.
  template <class Choose>
  std::uint64_t step(std::span<const std::uint32_t> vertices, Choose choose) {
    last_.clear();
    level_.visit_rows(vertices, [&](std::uint32_t v) {
      if (const choice c = choose(v); c.to != none)
        last_.push_back({v, groups_.of[v], c.to, level_.mass[v], c.cut, c.gain, c.expected});
    });
    const std::uint64_t moves = last_.size();
    level_.meet();
    if (level_.is_split()) hear_others();
    for (const joined_vertex& j : last_) {
      if (j.vertex != none) groups_.of[j.vertex] = j.to;
      groups_.change(j.from, -j.mass, 0, -1u);
      groups_.change(j.to, j.mass, j.cut, 1);
    }
    level_.meet();
    return moves;
  }
  // The moves of the last step: of this core, and of those of other locales that it has heard of.
  std::span<const joined_vertex> last() const { return last_; }
  void forget() { last_.clear(); }

 private:
  void hear_others() {
    std::vector<joined_elsewhere> news;
    for (const joined_vertex& j : last_) {
      news.push_back({level_.graph->number_of(j.vertex),
                      j.from == none ? joined_elsewhere::nobody : groups_.number(j.from),
                      groups_.number(j.to), j.mass, j.cut, groups_.figures_of(j.to)});
    }
    const auto heard = tell_locales(news);
    const auto local = [&](const joined_elsewhere& n) {
      return level_.graph->local_of(n.vertex).value_or(none);
    };
    for (const auto& of_core : heard) {
      for (const joined_elsewhere& n : of_core) {
        if (local(n) != none) groups_.find_or_add(n.to, n.before);
      }
    }
    level_.meet();
    for (const auto& of_core : heard) {
      for (const joined_elsewhere& n : of_core)
        last_.push_back({local(n), groups_.find(n.from), groups_.find(n.to), n.mass, n.cut, 0, 0});
    }
  }

  const community_level& level_;
  communities& groups_;
  const std::uint64_t seed_;
  std::vector<joined_vertex> last_;
};

std::vector<std::uint32_t> all_mine(const community_level& level) {
  std::vector<std::uint32_t> all;
  for (std::uint32_t v = level.first(); v < level.last(); ++v) all.push_back(v);
  return all;
}

// The best of several communities, and of equal ones a random one.
class best_choice {
 public:
  best_choice(const communities& groups, std::uint32_t now, double gain, std::uint64_t seed)
      : groups_(groups), gain_(gain), to_(now), now_(now), seed_(seed) {}

  void offer(std::uint32_t slot, double gain) {
    if (gain < gain_ || (gain == gain_ && to_ == now_)) return;
    const std::uint64_t rank = mix64(seed_ ^ mix64(groups_.number(slot)));
    if (gain == gain_ && rank < rank_) return;
    gain_ = gain;
    to_ = slot;
    rank_ = rank;
  }
  double gain() const { return gain_; }
  std::uint32_t to() const { return to_ == now_ ? none : to_; }

 private:
  const communities& groups_;
  double gain_;
  std::uint32_t to_;
  const std::uint32_t now_;
  const std::uint64_t seed_;
  std::uint64_t rank_ = 0;
};

// Vertices that have joined a part in refinement, and parts that a vertex could not consider in its class.
struct join_counts {
  std::uint64_t done = 0, put_off = 0;
  join_counts operator+(const join_counts& b) const { return {done + b.done, put_off + b.put_off}; }
};

// A local moving phase at one core.
class local_moving {
 public:
  local_moving(const community_level& level, communities& groups, const community_rules& rules)
      : level_(level),
        groups_(groups),
        rules_(rules),
        mover_(level, groups, rules.seed),
        turns_(level.last() - level.first()),
        woken_(level.share<std::vector<std::uint32_t>>(level.graph->own)) {
    if (level.is_split()) mirror_rows_ = graph::turn_mirror_rows(*level.graph);
  }

  moving_report run() {
    struct sums {
      std::int64_t gain = 0;
      std::uint64_t moves = 0, stops = 0;
      sums operator+(const sums& b) const { return {gain + b.gain, moves + b.moves, stops + b.stops}; }
    } all;
    moving_report report;
    do {
      sums mine;
      gain_ = 0;
      draw_classes(report.sweeps);
      for (std::uint32_t k = 0; k < classes_; ++k) {
        wake_neighbours();
        ++time_;
        mine.moves += mover_.step(drawn_[k], [this](std::uint32_t v) { return choose(v); });
      }
      wake_neighbours();
      mover_.forget();
      mine.gain = gain_;
      mine.stops = rules_.stop.is_set() ? 1 : 0;
      all = level_.sum(mine);
      ++report.sweeps;
      report.moves += all.moves;
      // With few moves, few neighbours move together.
      if (all.moves < level_.graph->vertices / classes) classes_ = few_classes;
      report.stopped = all.stops > 0;
      // Too many vertices that come together may even lose.
    } while (std::abs(static_cast<double>(all.gain)) * gain_unit >= rules_.tolerance && !report.stopped &&
             report.sweeps < most_sweeps);
    return report;
  }

 private:
  // Draws the classes of the vertices that have been woken since their last turn.
  void draw_classes(int sweep) {
    for (auto& of_class : drawn_) of_class.clear();
    for (std::uint32_t v = level_.first(); v < level_.last(); ++v) {
      std::uint32_t& turn = turns_[v - level_.first()];
      if ((*woken_)[v] < turn) continue;
      const std::uint32_t k =
          mover_.class_of(level_.graph->number_of(v), static_cast<std::uint64_t>(sweep), classes_);
      turn = time_ + k + 1;
      drawn_[k].push_back(v);
    }
  }

  // Wakes the neighbours of what has moved in the last step, but those that it has come to. A vertex that has
  // come to a community together with too many others is woken itself. Adds up gains.
  void wake_neighbours() {
    const std::uint32_t own = level_.graph->own;
    const auto wake = [&](std::uint32_t u, std::uint32_t joined) {
      if (u < own && groups_.of[u] != joined)
        std::atomic_ref((*woken_)[u]).store(time_, std::memory_order_relaxed);
    };
    for (const joined_vertex& j : mover_.last()) {
      if (j.vertex == none) continue;
      if (j.vertex < own) {
        const double excess = rules_.coefficient * j.mass * (groups_.mass[j.to] - j.expected);
        if (excess > j.gain) wake(j.vertex, none);
        // The loss of two vertices that come together is halved between them.
        gain_ += static_cast<std::int64_t>((2 * j.gain - excess) / rules_.weight / gain_unit);
        level_.visit_neighbours(
            j.vertex, [&](std::uint32_t u) { __builtin_prefetch(&groups_.of[u]); },
            [&](std::uint32_t u, float) { wake(u, j.to); });
      } else {
        for (const std::uint32_t u : mirror_rows_->of(j.vertex - own)) wake(u, j.to);
      }
    }
  }

  choice choose(std::uint32_t v) {
    near_.clear(level_.degree(v));
    level_.visit_neighbours(
        v, [&](std::uint32_t u) { __builtin_prefetch(&groups_.of[u]); },
        [&](std::uint32_t u, float weight) { near_.add(groups_.of[u], weight); });
    const std::uint32_t now = groups_.of[v];
    const double mass = level_.mass[v], loss = rules_.coefficient * mass;
    const double stay = near_[now] - loss * (groups_.mass[now] - mass);
    best_choice best(groups_, now, stay, rules_.seed + time_);
    if (groups_.members[v] == 0) best.offer(v, 0);
    for (const auto& [slot, weight] : near_.all()) {
      if (slot != now) best.offer(static_cast<std::uint32_t>(slot), weight - loss * groups_.mass[slot]);
    }
    if (best.to() == none) return {none};
    return {best.to(), 0, best.gain() - stay, groups_.mass[best.to()] + mass};
  }

  const community_level& level_;
  communities& groups_;
  const community_rules& rules_;
  mover mover_;
  // The number of the step in which each vertex of this core had its last turn, and that in which a neighbour
  // of an own vertex moved last.
  std::vector<std::uint32_t> turns_;
  std::shared_ptr<std::vector<std::uint32_t>> woken_;
  std::shared_ptr<const graph::mirror_rows> mirror_rows_;  // if the level is split
  std::array<std::vector<std::uint32_t>, classes> drawn_;
  gas::weight_sums near_;
  std::uint32_t time_ = 0;  // steps
  std::uint32_t classes_ = classes;
  std::int64_t gain_ = 0;
};

}  // namespace

std::uint32_t communities::find(std::uint64_t number) {
  if (const auto local = graph_.local_of(number)) return *local;
  const std::uint32_t* const slot = slots_.find(number);
  return slot ? *slot : none;
}

std::uint32_t communities::find_or_add(std::uint64_t number, const figures& now) {
  if (const auto local = graph_.local_of(number)) return *local;
  const std::lock_guard lock(adding_);
  const auto [slot, is_new] = slots_.find_or_insert(number);
  if (is_new) {
    *slot = static_cast<std::uint32_t>(mass.size());
    further_.push_back(number);
    mass.push_back(now.mass);
    cut.push_back(now.cut);
    members.push_back(now.members);
  }
  return *slot;
}

void communities::change(std::uint32_t slot, double mass_by, double cut_by, std::uint32_t members_by) {
  if (slot == none) return;
  std::atomic_ref(mass[slot]).fetch_add(mass_by, std::memory_order_relaxed);
  if (cut_by != 0) std::atomic_ref(cut[slot]).fetch_add(cut_by, std::memory_order_relaxed);
  std::atomic_ref(members[slot]).fetch_add(members_by, std::memory_order_relaxed);
}

void place_vertices(const community_level& level, communities& groups, std::span<const std::uint64_t> start) {
  mover(level, groups, 0).step(all_mine(level), [&](std::uint32_t v) {
    return choice{groups.find_or_add(start[v], {})};
  });
}

moving_report move_vertices(const community_level& level, communities& groups, const community_rules& rules) {
  return local_moving(level, groups, rules).run();
}

void refine(const community_level& level, const communities& groups, communities& parts,
            const community_rules& rules) {
  mover each(level, parts, rules.seed);
  const auto visit_mates = [&](std::uint32_t v, auto visit) {
    const std::uint32_t group = groups.of[v];
    level.visit_neighbours(
        v, [&](std::uint32_t u) { __builtin_prefetch(&groups.of[u]); },
        [&](std::uint32_t u, float weight) {
          if (groups.of[u] == group) visit(u, static_cast<double>(weight));
        });
  };
  each.step(all_mine(level), [&](std::uint32_t v) {
    double cut = 0;
    visit_mates(v, [&](std::uint32_t, double weight) { cut += weight; });
    return choice{v, cut};
  });
  gas::weight_sums near;
  std::uint32_t k = 0;
  std::uint64_t round = 0;
  join_counts joins;
  const auto class_of = [&](std::uint32_t slot) { return each.class_of(parts.number(slot), round, classes); };
  const auto choose = [&](std::uint32_t v) -> choice {
    const double whole = groups.mass[groups.of[v]], mass = level.mass[v];
    const auto is_well_connected = [&](std::uint32_t slot) {
      return parts.cut[slot] >= rules.coefficient * parts.mass[slot] * (whole - parts.mass[slot]);
    };
    if (parts.of[v] != v || parts.members[v] != 1 || !is_well_connected(v)) return {none};
    near.clear(level.degree(v));
    visit_mates(v, [&](std::uint32_t u, double weight) { near.add(parts.of[u], weight); });
    best_choice best(parts, v, 0, rules.seed + k);
    for (const auto& [key, weight] : near.all()) {
      const auto slot = static_cast<std::uint32_t>(key);
      if (slot == v) continue;
      // A vertex of this class that is a part by itself may leave it now.
      if (parts.members[slot] == 1 && class_of(slot) == k) {
        ++joins.put_off;
        continue;
      }
      if (is_well_connected(slot)) best.offer(slot, weight - rules.coefficient * mass * parts.mass[slot]);
    }
    if (best.to() == none) return {none};
    return {best.to(), parts.cut[v] - 2 * near[best.to()]};
  };
  do {
    std::array<std::vector<std::uint32_t>, classes> drawn;
    for (std::uint32_t v = level.first(); v < level.last(); ++v) {
      if (parts.members[v] == 1 && parts.of[v] == v) drawn[class_of(v)].push_back(v);
    }
    joins = {};
    for (k = 0; k < classes; ++k) joins.done += each.step(drawn[k], choose);
    joins = level.sum(joins);
  } while (joins.done == 0 && joins.put_off > 0 && ++round < most_rounds);
}

}  // namespace orujo::internal::algorithms
