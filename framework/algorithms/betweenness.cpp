#include "framework/algorithms/betweenness.hpp"

#include <algorithm>
#include <chrono>

#include "system/loops/collectives.hpp"

namespace orujo::algorithms {
namespace {

constexpr std::int32_t no_level = -1;
constexpr std::size_t vertices_between_polls = 16;

}  // namespace

betweenness_centrality::betweenness_centrality(const graph::locale_graph& g, std::span<double> scores)
    : graph_(g),
      first_(g.my_part().first),
      count_(g.my_part().last - first_),
      scores_(scores.subspan(first_, count_)),
      levels_(count_),
      paths_(count_),
      dependencies_(count_) {
  if (my_core() == 0) event_.emplace();
  ends_ = loops::all_gather(end{this, event_ ? delegates::event_ref(*event_).number() : 0});
}

betweenness_centrality::~betweenness_centrality() { loops::barrier(); }

centrality_report betweenness_centrality::run(std::span<const std::uint64_t> sources) {
  loops::barrier();
  const auto begin = std::chrono::steady_clock::now();
  report_ = {};
  std::fill(scores_.begin(), scores_.end(), 0);
  for (const std::uint64_t source : sources) search(source);
  report_.reached = loops::all_reduce(report_.reached);
  report_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return report_;
}

void betweenness_centrality::search(std::uint64_t source) {
  start(source);
  std::size_t levels = 0;
  while (settle() > 0) push_forward(levels++);
  report_.levels = std::max(report_.levels, static_cast<int>(levels));
  report_.reached += order_.size();
  for (std::size_t level = levels; level-- > 1;) {
    push_back(level);
    settle();
  }
  const std::size_t first = level_ends_.front();  // without the source
  for (std::size_t k = first; k < order_.size(); ++k) {
    const std::uint32_t v = order_[k];
    scores_[v] += paths_[v] * dependencies_[v];
  }
}

// What a core still sends belongs to the last search only once all have settled: nobody sends in between.
void betweenness_centrality::start(std::uint64_t source) {
  std::fill(levels_.begin(), levels_.end(), no_level);
  std::fill(paths_.begin(), paths_.end(), 0);
  std::fill(dependencies_.begin(), dependencies_.end(), 0);
  order_.clear();
  level_ends_.clear();
  const std::uint64_t mine = source - graph_.first_vertex - first_;
  if (mine < count_) count_paths({static_cast<std::uint32_t>(mine), 0, 1});
}

void betweenness_centrality::count_paths(const contribution& c) {
  if (levels_[c.vertex] == no_level) {
    levels_[c.vertex] = c.level;
    order_.push_back(c.vertex);
  }
  if (levels_[c.vertex] == c.level) paths_[c.vertex] += c.amount;
}

void betweenness_centrality::add_dependency(const contribution& c) {
  if (levels_[c.vertex] == c.level) dependencies_[c.vertex] += c.amount;
}

void betweenness_centrality::push_forward(std::size_t level) {
  push<&betweenness_centrality::count_paths>(*graph_.out_rows, level, static_cast<std::int32_t>(level) + 1,
                                             [&](std::uint32_t v) { return paths_[v]; });
}

void betweenness_centrality::push_back(std::size_t level) {
  push<&betweenness_centrality::add_dependency>(
      *graph_.in_rows, level, static_cast<std::int32_t>(level) - 1,
      [&](std::uint32_t v) { return 1 / paths_[v] + dependencies_[v]; });
}

// Gives each neighbour of this core's vertices of a level the vertex's amount.
template <betweenness_centrality::handler Handle, class Amount>
void betweenness_centrality::push(const graph::adjacency& rows, std::size_t level, std::int32_t to_level,
                                  Amount amount) {
  std::vector<receiver<Handle>> receivers;
  for (const end& e : ends_) receivers.push_back({e.part});
  delegates::scatter out(delegates::event_ref(ends_[0].event), receivers);
  const std::size_t first = level == 0 ? 0 : level_ends_[level - 1], last = level_ends_[level];
  for (std::size_t k = first; k < last; ++k) {
    const std::uint32_t v = order_[k];  // order_ grows meanwhile
    const double given = amount(v);
    for (const std::uint32_t neighbour : rows.of(first_ + v)) {
      if (neighbour - first_ < count_) {
        (this->*Handle)({neighbour - first_, to_level, given});
        continue;
      }
      const std::uint64_t number = graph_.number_of(neighbour);
      const core_id owner = graph_.owners.owner(number);
      const auto of_owner = static_cast<std::uint32_t>(number - graph_.owners.first_of(owner));
      out.push(owner, {of_owner, to_level, given});
      ++sent_;
    }
    if ((k - first) % vertices_between_polls == 0) tasks::yield();
  }
  out.flush();
}

// The end of a level for all. Nobody sends any more who has come here, so what is sent has arrived as soon as
// the sums agree. Notes where the level ends, if it is a new one, and returns how many vertices it has in
// all.
std::uint64_t betweenness_centrality::settle() {
  struct counts {
    std::uint64_t found, sent, received;
  };
  const std::size_t before = level_ends_.empty() ? 0 : level_ends_.back();
  counts all{};
  std::size_t reached = 0;
  do {
    reached = order_.size();
    all = loops::all_reduce(counts{reached - before, sent_, received_}, [](counts a, const counts& b) {
      return counts{a.found + b.found, a.sent + b.sent, a.received + b.received};
    });
  } while (all.sent != all.received);
  level_ends_.push_back(reached);
  return all.found;
}

}  // namespace orujo::algorithms
