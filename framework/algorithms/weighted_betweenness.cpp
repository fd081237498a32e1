#include "framework/algorithms/weighted_betweenness.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <limits>
#include <string>

#include "framework/algorithms/weight_facts.hpp"
#include "framework/graph/kept_forms.hpp"
#include "system/collectives/collectives.hpp"

namespace orujo::internal::algorithms {
namespace {

// Takes the place of 1 at a vertex that has one tight in-edge. All its paths lead along it.
constexpr std::uint32_t only_one = ~std::uint32_t{0};

constexpr graph::needed_forms both_rows{.in_rows = true, .out_rows = true, .in_arrays = false};

}  // namespace

status check_lengths(const centrality_report& run, std::string_view who) {
  if (run.flat_edges == 0) return {};
  return {exit_status::bad_data,
          std::string(who) +
              " requires weights that make paths longer; edges of shortest paths that do not: " +
              std::to_string(run.flat_edges) + "; raise weights that are 0, or tiny beside the distances"};
}

weighted_betweenness::arena::arena(const graph::locale_graph& g)
    : searched(std::size_t{g.own} + g.mirrors),
      distances(searched.size()),
      values(searched.size()),
      waits_for(g.own) {}

weighted_betweenness::weighted_betweenness(graph::locale_graph& g, std::span<double> scores,
                                           std::span<double> edge_scores)
    : graph_(graph::require_forms(g, both_rows, "betweenness_centrality:")),
      scores_{g.own_values(scores), edge_scores},
      shared_(collectives::share_on_locale<arena>([&] { return std::make_shared<arena>(g); })),
      stepping_(g, std::span(shared_->searched.data(), shared_->searched.size()),
                path_lengths<double>(find_weight_facts(g).bin_width())),
      order_(g),
      distances_of_mirrors_(g, std::span(shared_->distances.data(), shared_->distances.size())) {
  if (locales() == 1) return;
  mirror_rows_ = graph::turn_mirror_rows<graph::arc>(g);
  values_of_mirrors_.emplace(g, exchange::told_sets::unrelated);
}

weighted_betweenness::~weighted_betweenness() { collectives::barrier(); }

centrality_report weighted_betweenness::run(std::span<const std::uint64_t> sources, loops::stop_flag stop) {
  collectives::barrier();
  const auto begin = std::chrono::steady_clock::now();
  report_ = {};
  scores_.clear(graph_.own);
  for (const std::uint64_t source : sources) {
    if (stop) report_.ended = collectives::broadcast(stop.is_set() ? 0 : 1, 0) == 1;
    if (!report_.ended) break;
    find_distances(source);
    count_tight_edges();
    if (report_.flat_edges > 0) break;
    count_paths(source);
    go_back(source);
  }
  report_.reached = collectives::all_reduce(report_.reached);
  report_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return report_;
}

void weighted_betweenness::find_distances(std::uint64_t source) {
  begin_at(stepping_, graph_, std::span(shared_->searched.data(), shared_->searched.size()), source);
  while (stepping_.step()) {
  }
  report_.rounds += stepping_.report().rounds;
  const graph::core_part& mine = graph_.my_part();
  std::copy(shared_->searched.begin() + mine.first, shared_->searched.begin() + mine.last,
            shared_->distances.begin() + mine.first);
  distances_of_mirrors_.start();
  distances_of_mirrors_.finish();
  collectives::barrier(collectives::group::locale);
}

// Calls visit(source) for each tight in-edge of a vertex, in the order of its row.
template <class Visit>
void weighted_betweenness::for_each_tight_in(std::uint32_t v, Visit visit) const {
  const graph::edge_reader edges = graph_.in_rows->any_form();
  for (std::uint64_t k = graph_.in_rows->offsets[v]; k < graph_.in_rows->offsets[v + 1]; ++k) {
    if (const graph::arc in = edges[k]; is_tight(in.neighbour, in.weight, v)) visit(in.neighbour);
  }
}

void weighted_betweenness::count_tight_edges() {
  std::uint64_t flat = 0;
  for (std::uint32_t v = graph_.my_part().first; v < graph_.my_part().last; ++v) {
    std::uint32_t tight = 0;
    const double distance = shared_->distances[v];
    if (distance < std::numeric_limits<double>::infinity()) {
      ++report_.reached;
      for_each_tight_in(v, [&](std::uint32_t from) {
        ++tight;
        flat += shared_->distances[from] == distance ? 1 : 0;
      });
    }
    shared_->waits_for[v] = tight == 1 ? only_one : tight;
  }
  report_.flat_edges = collectives::all_reduce(flat);
}

// Counts paths in rounds. In a round each locale goes on as far as it can, and then tells mirrors.
void weighted_betweenness::count_paths(std::uint64_t source) {
  order_.start();
  counts_.clear();
  const std::uint64_t place = source - graph_.first_vertex;
  if (place >= graph_.my_part().first && place < graph_.my_part().last) {
    shared_->values[place] = {1, 0};
    order_.found().push_back(static_cast<std::uint32_t>(place));
  }
  do order_.go_on([this](std::uint32_t v) { pass(v); });
  while (locales() > 1 && tell_counted());
}

// Goes along the tight out-edges of a counted vertex that stay within the locale.
void weighted_betweenness::pass(std::uint32_t from) {
  const graph::adjacency& rows = *graph_.out_rows;
  const graph::edge_reader edges = rows.any_form();
  for (std::uint64_t k = rows.offsets[from]; k < rows.offsets[from + 1]; ++k) {
    if (const graph::arc out = edges[k]; out.neighbour < graph_.own)
      pass_along(from, out.weight, out.neighbour);
  }
}

// Counts the paths to a vertex at the last of its tight in-edges, in the order of its row.
void weighted_betweenness::pass_along(std::uint32_t from, float weight, std::uint32_t to) {
  if (!is_tight(from, weight, to)) return;
  const std::atomic_ref waits_for(shared_->waits_for[to]);
  if (waits_for.load(std::memory_order_relaxed) == only_one) {
    shared_->values[to] = shared_->values[from];
  } else {
    if (waits_for.fetch_sub(1, std::memory_order_acq_rel) > 1) return;
    scaled_number paths;
    for_each_tight_in(to, [&](std::uint32_t before) { paths += shared_->values[before]; });
    shared_->values[to] = paths.normalised();
  }
  order_.found().push_back(to);
}

// Tells mirrors of the vertices counted in the last round, and goes along the edges of the mirrors received.
// Returns false if there are none at any locale.
bool weighted_betweenness::tell_counted() {
  told_.clear();
  values_of_mirrors_->open({.shown = shared_->values.data(), .news = &told_});
  values_of_mirrors_->send_listed(order_.of_round(order_.rounds() - 1),
                                  [this](std::uint32_t v) { return shared_->values[v]; });
  const std::uint64_t sent = values_of_mirrors_->meet(values_of_mirrors_->sent(), std::plus<>());
  values_of_mirrors_->await();
  counts_.push_back(told_.size());
  collectives::barrier(collectives::group::locale);
  for (const std::uint32_t mirror : told_) {
    for (const graph::arc& out : mirror_rows_->of(mirror - graph_.own))
      pass_along(mirror, out.weight, out.neighbour);
  }
  return sent > 0;
}

// A vertex's successors were counted in the same round, or at other locales in later ones. No locale needs
// the values of the first round.
void weighted_betweenness::go_back(std::uint64_t source) {
  const std::uint64_t source_here = source - graph_.first_vertex;
  for (std::size_t round = order_.rounds(); round-- > 0;) {
    order_.go_back(round, [&](std::uint32_t v) { turn(v, v == source_here); });
    if (round > 0 && locales() > 1) tell_back(round);
  }
}

// Finds the dependency of a vertex, adds it to the scores, and sets the value for the way back.
void weighted_betweenness::turn(std::uint32_t v, bool is_source) {
  const graph::adjacency& rows = *graph_.out_rows;
  const graph::edge_reader edges = rows.any_form();
  const scaled_number paths = shared_->values[v];
  scaled_number quotients;
  for (std::uint64_t k = rows.offsets[v]; k < rows.offsets[v + 1]; ++k) {
    const graph::arc out = edges[k];
    if (!is_tight(v, out.weight, out.neighbour)) continue;
    const scaled_number quotient = shared_->values[out.neighbour];
    quotients += quotient;
    if (!scores_.of_edges.empty()) scores_.of_edges[k] += (paths * quotient).rounded();
  }
  quotients = quotients.normalised();
  if (!is_source) scores_.of_vertices[v] += (paths * quotients).rounded();
  scaled_number value = paths.reciprocal().normalised();
  value += quotients;
  shared_->values[v] = value.normalised();
}

// The mirrors that receive values are those of the same round forward.
void weighted_betweenness::tell_back(std::size_t round) {
  values_of_mirrors_->send_listed(order_.of_round(round),
                                  [this](std::uint32_t v) { return shared_->values[v]; });
  values_of_mirrors_->end_sends();
  values_of_mirrors_->open({.shown = shared_->values.data()});
  values_of_mirrors_->await_vertices(counts_[round]);
  collectives::barrier(collectives::group::locale);
}

}  // namespace orujo::internal::algorithms
