#include "framework/algorithms/edge_peeling.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

#include "framework/exchange/counted_rounds.hpp"
#include "system/collectives/collectives.hpp"
#include "system/delegates/scatter.hpp"

namespace orujo::internal::algorithms::detail {
namespace {

// Edges of a core that are counted in one go between locales, which bounds the memory of those that travel.
constexpr std::size_t counted_at_once = 1 << 17;
// Most edges that a core takes from an offer.
constexpr std::size_t least_at_a_time = 16, most_at_a_time = 1024;
constexpr std::uint32_t no_level = ~std::uint32_t{0};
constexpr std::uint64_t no_slot = ~std::uint64_t{0};

}  // namespace

struct edge_peeling::hear {
  using value = named_edge;
  edge_peeling* there;
  void operator()(std::span<const value> edges) const {
    there->heard_.insert(there->heard_.end(), edges.begin(), edges.end());
    there->receive(there->news_, edges.size());
  }
};

struct edge_peeling::add_count {
  using value = slot_count;
  edge_peeling* there;
  void operator()(std::span<const value> counts) const {
    for (const value& c : counts) there->add(c.slot, static_cast<std::uint32_t>(c.count));
    there->receive(there->changes_, counts.size());
  }
};

struct edge_peeling::take_one {
  using value = std::uint64_t;
  edge_peeling* there;
  void operator()(std::span<const value> slots) const {
    for (const std::uint64_t slot : slots) {
      if (!there->take_here(slot)) continue;
      const auto [first, last] = there->rows_.ends(slot);
      there->found_.push_back({first, last, slot});
    }
    there->receive(there->changes_, slots.size());
  }
};

struct edge_peeling::outgoing {
  delegates::scatter<hear> news;
  delegates::scatter<add_count> counts;
  delegates::scatter<take_one> takes;
};

edge_peeling::edge_peeling(const graph::locale_graph& g, bool wide)
    : graph_(g),
      alone_(my_locales_cores() == 1),
      shared_(collectives::share_on_locale<shared>([&] { return std::make_shared<shared>(g, wide); })),
      rows_(shared_->rows),
      left_(shared_->left.data()),
      mine_(shared_->offers[my_core_of_locale()]),
      thirds_(rows_) {
  const std::vector<edge_peeling*> all = collectives::all_gather(this);
  const auto to_all = [&]<class Receive>(Receive receive) {
    std::vector<Receive> receivers;
    for (edge_peeling* there : all) {
      receive.there = there;
      receivers.push_back(receive);
    }
    return delegates::scatter<Receive>(receivers);
  };
  out_ = std::make_unique<outgoing>(outgoing{to_all(hear{}), to_all(add_count{}), to_all(take_one{})});
}

edge_peeling::~edge_peeling() { collectives::barrier(); }

void edge_peeling::receive(phase& p, std::size_t values) {
  p.received += values;
  tasks::scheduler::here()->wake_all(waiting_);
}

// Ends a phase of all cores. Returns their values combined when all that was sent to this core has arrived.
template <class T, class Combine>
T edge_peeling::complete(phase& p, T value, Combine combine) {
  if (locales() == 1) return collectives::all_reduce(value, combine);
  out_->news.flush();
  out_->counts.flush();
  out_->takes.flush();
  p.expected += exchange::reduce_with_counts(value, combine, std::span(p.sent_to));
  std::ranges::fill(p.sent_to, 0);
  while (p.received < p.expected) tasks::scheduler::here()->suspend(waiting_, "edges of other locales");
  return value;
}

// Sends those of the edges that lead to other locales to all of them. complete(news_) follows.
void edge_peeling::send_news(std::span<const ranked_edge> edges) {
  if (locales() == 1) return;
  for (const ranked_edge& e : edges) {
    if (rows_.is_own(e.last)) continue;
    const named_edge named{rows_.name_of(e.first), rows_.name_of(e.last), e.slot};
    for (locale_id l = 0; l < locales(); ++l) {
      if (l == my_locale()) continue;
      const core_id to = shape().first_core_of(l) + my_core_of_locale() % shape().cores_of(l);
      ++news_.sent_to[to];
      out_->news.push(to, named);
    }
  }
}

// Offers these edges, and those that other locales have sent, to the cores of the locale.
void edge_peeling::offer_edges(std::span<const ranked_edge> edges) {
  mine_.own = edges;
  mine_.heard.clear();
  for (const named_edge& e : heard_) {
    const std::uint32_t first = rows_.find(e.first), last = rows_.find(e.last);
    if (first != rows_.ranks() && last != rows_.ranks()) mine_.heard.push_back({first, last, e.slot});
  }
  heard_.clear();
  std::ranges::sort(mine_.heard);
  mine_.of_own.reset();
  mine_.of_heard.reset();
}

// Calls work(edges) for pieces of all offers of the locale.
template <class Work>
void edge_peeling::work_off(const Work& work) {
  collectives::barrier(collectives::group::locale);
  steps::deal_shares(shared_->offers, [&](offer& from) {
    const auto deal = [&](std::span<const ranked_edge> edges, steps::dealer& dealer) {
      const std::size_t step =
          std::clamp(edges.size() / (16 * shared_->offers.size()), least_at_a_time, most_at_a_time);
      dealer.deal(edges.size(), step, [&](std::size_t first, std::size_t last) {
        work(edges.subspan(first, last - first));
        if (locales() > 1) tasks::yield();
      });
    };
    deal(from.own, from.of_own);
    deal(from.heard, from.of_heard);
  });
}

void edge_peeling::count() {
  rows_.make();
  alive_ = rows_.edges_here();
  edges_left_ = collectives::all_reduce(std::uint64_t{alive_.size()});
  const std::size_t at_once = locales() == 1 ? std::max<std::size_t>(alive_.size(), 1) : counted_at_once;
  for (std::size_t first = 0;; first += at_once) {
    const std::size_t count = std::min(at_once, alive_.size() - std::min(first, alive_.size()));
    const auto edges = std::span<const ranked_edge>(alive_)
                           .last(alive_.size() - std::min(first, alive_.size()))
                           .first(count);
    send_news(edges);
    if (complete(news_, count) == 0) break;
    offer_edges(edges);
    work_off([this](std::span<const ranked_edge> some) { count_some(some); });
    complete(changes_, 0);
  }
  mine_.heard.clear();
  if (locales() > 1) send_remote();
}

void edge_peeling::keep_counts() {
  for (const ranked_edge& e : alive_) keep_value(e, left_[e.slot]);
}

std::uint64_t edge_peeling::triangles() const {
  std::uint64_t of_edges = 0;
  for (const ranked_edge& e : alive_) of_edges += left_[e.slot];
  return collectives::all_reduce(of_edges) / 3;
}

// Each triangle is found from the edge whose ends come last. The counts of edges to the first end are kept in
// this core's memory meanwhile.
void edge_peeling::count_some(std::span<const ranked_edge> edges) {
  std::uint32_t of_edge = 0;
  thirds_.of_each<thirds::below>(
      edges,
      [&](const ranked_edge&, std::size_t place, std::uint64_t slot, std::uint32_t) {
        if (by_place_.size() <= place) by_place_.resize(2 * place + 64);
        ++by_place_[place];
        ++of_edge;
        add(slot, 1);
      },
      [&](const ranked_edge& edge) {
        const std::uint32_t triangles = std::exchange(of_edge, 0);
        if (triangles == 0) return;
        if (rows_.is_own(edge.first)) return add(edge.slot, triangles);
        send_count(rows_.owner_of(edge.first), {edge.slot, triangles});
      },
      [&](std::uint32_t first, std::size_t places) {
        const std::uint64_t* const slots = rows_.of(first).slots;
        for (std::size_t place = 0; place < std::min(by_place_.size(), places); ++place) {
          if (by_place_[place] > 0) add(slots[place], std::exchange(by_place_[place], 0));
        }
      });
}

void edge_peeling::add(std::uint64_t slot, std::uint32_t triangles) {
  std::uint32_t& left = left_[slot & ~edge_rows::remote];
  if (alone_) {
    left += triangles;
  } else {
    std::atomic_ref(left).fetch_add(triangles, std::memory_order_relaxed);
  }
}

// Sends the triangles that remote edges have here to where the edges belong.
void edge_peeling::send_remote() {
  const graph::core_part& mine = graph_.my_part();
  for (std::uint32_t v = mine.first; v < mine.last; ++v) {
    const edge_rows::row row = rows_.of(rows_.rank_of(v));
    for (std::size_t k = 0; k < row.members.size(); ++k) {
      if ((row.slots[k] & edge_rows::remote) == 0) continue;
      const std::uint64_t slot = row.slots[k] & ~edge_rows::remote;
      if (const std::uint32_t triangles = std::exchange(left_[slot], 0); triangles > 0)
        send_count(rows_.owner_of(row.members[k]), {rows_.slot_there(slot), triangles});
    }
  }
  complete(changes_, 0);
}

void edge_peeling::send_count(core_id to, const slot_count& count) {
  ++changes_.sent_to[to];
  out_->counts.push(to, count);
}

void edge_peeling::keep_value(const ranked_edge& edge, std::uint32_t value) {
  const std::uint64_t first = graph_.position_of(rows_.local_of(edge.first));
  const std::uint64_t last = graph_.position_of(rows_.local_of(edge.last));
  values_.push_back({std::min(first, last), std::max(first, last), value});
}

void edge_peeling::peel() {
  for (;;) {
    if (3 * edges_removed_ > edges_left_) shorten_rows();
    const std::uint32_t fewest = find_fewest();
    level_ = collectives::all_reduce(fewest, [](std::uint32_t a, std::uint32_t b) { return std::min(a, b); });
    if (level_ == no_level) break;
    if (fewest != level_) found_.clear();
    ++levels_;
    while (round()) {
    }
  }
}

void edge_peeling::shorten_rows() {
  const index_range mine = my_part_of_locale({0, rows_.ranks()});
  for (std::size_t rank = mine.first; rank < mine.last; ++rank)
    rows_.shorten(static_cast<std::uint32_t>(rank),
                  [this](std::uint64_t slot) { return left_at(slot) < removed; });
  edges_removed_ = 0;
}

// Finds this core's edges that have the fewest triangles left, and forgets the removed ones. No core removes
// any meanwhile.
std::uint32_t edge_peeling::find_fewest() {
  std::uint32_t fewest = no_level;
  std::size_t kept = 0;
  for (const ranked_edge& e : alive_) {
    const std::uint32_t left = left_at(e.slot);
    if (left >= removed) continue;
    alive_[kept++] = e;
    if (left > fewest) continue;
    if (left < fewest) found_.clear();
    fewest = left;
    found_.push_back(e);
  }
  alive_.resize(kept);
  return fewest;
}

// Removes the edges that have been found. Returns false if no core has found any. Other cores may be in the
// round before until all have said what they found.
bool edge_peeling::round() {
  std::swap(coming_, found_);
  std::ranges::sort(coming_);
  if (level_ > 0) send_news(coming_);  // there are no triangles at level 0
  const std::uint64_t all = complete(news_, std::uint64_t{coming_.size()});
  set_gone();
  std::swap(removed_, coming_);
  coming_.clear();
  offer_edges(level_ > 0 ? std::span<const ranked_edge>(removed_) : std::span<const ranked_edge>());
  if (all == 0) return false;
  set_current();
  work_off([this](std::span<const ranked_edge> edges) { remove_some(edges); });
  if (locales() > 1) complete(changes_, 0);
  edges_left_ -= all;
  edges_removed_ += all;
  ++rounds_;
  return true;
}

void edge_peeling::set_current() {
  for (const ranked_edge& e : removed_) {
    set(e.slot, removed | current);
    keep_value(e, level_ + 2);
  }
  for (ranked_edge& e : mine_.heard) {
    e.slot = no_slot;
    if (!rows_.is_own(e.last)) continue;
    const edge_rows::row row = rows_.of(e.last);
    e.slot = row.slots[edge_rows::place(row.members, e.first)] & ~edge_rows::remote;
    set(e.slot, removed | current);
  }
}

void edge_peeling::set_gone() {
  for (const ranked_edge& e : removed_) set(e.slot, removed);
  for (const ranked_edge& e : mine_.heard) {
    if (e.slot != no_slot) set(e.slot, removed);
  }
}

// Takes triangles from the edges that are left. If two edges of a triangle are removed in the same round,
// that with the smaller other end takes it from the third edge.
void edge_peeling::remove_some(std::span<const ranked_edge> edges) {
  const std::uint64_t* slots_of_first = nullptr;
  std::uint32_t first = no_level;
  thirds_.of_each<thirds::all>(
      edges,
      [&](const ranked_edge& edge, std::size_t place, std::uint64_t slot_of_last, std::uint32_t third) {
        if (edge.first != first) slots_of_first = rows_.of(first = edge.first).slots;
        const std::uint64_t slot_of_first = slots_of_first[place];
        const std::uint32_t to_first = left_at(slot_of_first & ~edge_rows::remote);
        const std::uint32_t to_last = left_at(slot_of_last & ~edge_rows::remote);
        if (to_first < removed && to_last < removed) {
          take(slot_of_first, edge.first, third);
          take(slot_of_last, edge.last, third);
        } else if (to_first == (removed | current) && to_last < removed) {
          if (edge.last < third) take(slot_of_last, edge.last, third);
        } else if (to_last == (removed | current) && to_first < removed) {
          if (edge.first < third) take(slot_of_first, edge.first, third);
        }
      },
      [](const ranked_edge&) {}, [](std::uint32_t, std::size_t) {});
}

void edge_peeling::take(std::uint64_t slot, std::uint32_t one, std::uint32_t other) {
  const auto [first, last] = std::minmax(one, other);
  if ((slot & edge_rows::remote) != 0) {
    const core_id to = rows_.owner_of(first);
    ++changes_.sent_to[to];
    out_->takes.push(to, rows_.slot_there(slot & ~edge_rows::remote));
  } else if (take_here(slot)) {
    found_.push_back({first, last, slot});
  }
}

// Takes a triangle from an edge unless that is found or removed. Returns true if it is to be removed now.
bool edge_peeling::take_here(std::uint64_t slot) {
  const std::atomic_ref<std::uint32_t> left(left_[slot]);
  std::uint32_t before = left.load(std::memory_order_relaxed);
  while (before > level_) {
    if (alone_) {
      left.store(before - 1, std::memory_order_relaxed);
    } else if (!left.compare_exchange_weak(before, before - 1, std::memory_order_relaxed)) {
      continue;
    }
    return before == level_ + 1;
  }
  return false;
}

}  // namespace orujo::internal::algorithms::detail
