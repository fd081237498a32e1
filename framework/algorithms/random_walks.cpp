#include "framework/algorithms/random_walks.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <utility>

#include "framework/algorithms/walk_rows.hpp"
#include "framework/graph/kept_forms.hpp"
#include "system/base/identity.hpp"
#include "system/base/random.hpp"
#include "system/delegates/call_on_all.hpp"
#include "system/loops/forall.hpp"
#include "system/memory/budget.hpp"

namespace orujo::algorithms {

using kept_walks = std::optional<containers::global_array<std::int64_t>>;

class random_walks::core_part {
 public:
  // [task; suspends; collective over the job]
  core_part(graph::distributed_graph graph, graph::property<std::uint64_t> visits, bool weighted)
      : graph_(&graph.here()), visits_(visits.here().data()), rows_(*graph_, weighted) {}

  void reset(const walk_options& options, const kept_walks& kept) {
    options_ = options;
    kept_ = kept;
    steps_ = 0;
    std::fill(visits_ + part().first, visits_ + part().last, 0);
    if (kept_) std::ranges::fill(kept_->local(), -1);
  }

  // [task; suspends] Starts this core's part of the walks.
  void start(containers::symmetric<core_part> all, delegates::event_ref event) {
    if (options_.walks > 0) {
      loops::forall_here(my_part_of_job({0, options_.walks}), [&](std::size_t w) {
        random_stream random(options_.seed, w);
        const std::uint64_t first = random.below(graph_->vertices);  // before the stream is copied
        start(all, event, w, random, graph_->numbers.number(first));
      });
    } else {
      loops::forall_here({part().first, part().last}, [&](std::size_t v) {
        const std::uint64_t first = graph_->position_of(static_cast<std::uint32_t>(v)) * options_.per_vertex;
        for (std::uint64_t w = first; w < first + options_.per_vertex; ++w)
          start(all, event, w, random_stream(options_.seed, w), graph_->first_vertex + v);
      });
    }
  }

  std::uint64_t steps() const { return steps_; }

 private:
  static constexpr std::uint64_t none = ~std::uint64_t{0}, again = none - 1;  // numbers of no vertex

  // A walk that arrives at a vertex. It travels as a message.
  struct arrival {
    containers::symmetric<core_part> all;
    random_stream random;
    std::uint32_t vertex;  // of its core's, from 0 on
    std::uint32_t left;    // steps
    delegates::event_ref event;

    void operator()() const { all.here().go_on(*this); }
    void prefetch() const { all.here().fetch(vertex); }
  };
  // A walk that remembers the vertex before.
  struct traced : arrival {
    std::uint64_t walk;
    std::uint64_t before;  // the number of the vertex before, or none
    // The number of the vertex before that one, if the step is tested here. It is `none` if the step is done,
    // and `again` if it was rejected, so that another edge has to be drawn.
    std::uint64_t tested;

    void operator()() const { this->all.here().go_on(*this); }
  };

  const graph::core_part& part() const { return graph_->my_part(); }
  detail::walk_bias bias() const { return {options_.p, options_.q}; }

  void start(containers::symmetric<core_part> all, delegates::event_ref event, std::uint64_t walk,
             random_stream random, std::uint64_t number) {
    const arrival at_start{all, random, 0, options_.length, event};
    if (kept_ || bias().is_any()) {
      send(traced{at_start, walk, none, none}, number);
    } else {
      send(at_start, number);
    }
  }

  // Also sends to vertices of this core. The walks that wait there can be prefetched, while a single walk
  // would wait for memory in every step. That is twice as fast with one core on a Kronecker graph of 2^18
  // vertices.
  template <class Arrival>
  void send(Arrival walk, std::uint64_t number) {
    const core_id owner = graph_->owners.owner(number);
    walk.vertex = static_cast<std::uint32_t>(number - graph_->owners.first_of(owner));
    delegates::async_call(walk.event, owner, walk);
  }

  void fetch(std::uint32_t vertex) const {
    __builtin_prefetch(&visits_[part().first + vertex], 1);
    rows_.fetch(part().first + vertex);
  }

  // [handler]
  void go_on(arrival a) {
    const std::uint32_t v = part().first + a.vertex;
    ++visits_[v];
    const detail::walk_row row = rows_.of(v);
    if (a.left == 0 || row.weight() == 0) return;
    ++steps_;
    --a.left;
    const std::size_t edge = row.choose(a.random);
    send(a, graph_->number_of(row.targets[edge]));
  }

  // [handler]
  void go_on(traced walk) {
    const std::uint32_t v = part().first + walk.vertex;
    const detail::walk_row row = rows_.of(v);
    if (walk.tested < again && bias().rejects(rows_.edges_to(row, walk.tested).size() > 0)) {
      const std::uint64_t back = std::exchange(walk.before, std::exchange(walk.tested, again));
      ++walk.left;
      return send(walk, back);
    }
    if (walk.tested != again) arrive(walk, v);
    if (walk.left > 0 && row.weight() > 0) step(walk, v, row);
  }

  void arrive(const traced& walk, std::uint32_t v) {
    ++visits_[v];
    if (walk.before != none) ++steps_;
    if (!kept_) return;
    const std::uint64_t place =
        walk.walk * (std::uint64_t{options_.length} + 1) + (options_.length - walk.left);
    const memory::global_address<std::int64_t> to = (*kept_)[place];
    const auto position = static_cast<std::int64_t>(graph_->position_of(v));
    if (shape().locale_of(to.core()) == my_locale()) {
      *to.local() = position;
    } else {
      delegates::async_write(walk.event, to, position);
    }
  }

  // Goes to the next vertex, where the step may have to be tested.
  void step(traced walk, std::uint32_t v, const detail::walk_row& row) {
    const std::uint64_t before = std::exchange(walk.before, graph_->first_vertex + v);
    walk.tested = none;
    --walk.left;
    if (before == none || !bias().is_any()) {
      const std::size_t edge = row.choose(walk.random);  // before the walk is copied
      return send(walk, graph_->number_of(row.targets[edge]));
    }
    const auto next = bias().choose(walk.random, row, rows_.edges_to(row, before));
    if (next.returns) return send(walk, before);
    if (next.is_tested) walk.tested = before;
    send(walk, graph_->number_of(row.targets[next.edge]));
  }

  const graph::locale_graph* const graph_;
  std::uint64_t* const visits_;
  const detail::walk_rows rows_;
  walk_options options_;
  kept_walks kept_;
  std::uint64_t steps_ = 0;
};

random_walks::random_walks(graph::distributed_graph graph, graph::property<std::uint64_t> visits,
                           bool weighted, const call_site& at)
    : graph_(graph), parts_(containers::symmetric<core_part>::reserve()) {
  graph::require_forms(graph.here(), {.out_rows = true}, "random_walks:");
  visits.require_graph(graph.here(), at);
  loops::on_all_cores([=, parts = parts_] { parts.emplace_here(graph, visits, weighted); });
}

random_walks::~random_walks() { parts_.destroy(); }

walks_report random_walks::run(const walk_options& options) {
  const std::uint64_t vertices = graph_.here().vertices;
  walks_report report;
  if (vertices > 0) report.walks = options.walks > 0 ? options.walks : vertices * options.per_vertex;
  if (options.keep_walks) {
    report.vertices = containers::global_array<std::int64_t>::create(
        memory::bytes_of(report.walks, std::uint64_t{options.length} + 1));
  }
  loops::on_all_cores(
      [options, parts = parts_](const kept_walks& kept) { parts.here().reset(options, kept); },
      report.vertices);
  if (vertices == 0) return report;
  const auto begin = std::chrono::steady_clock::now();
  delegates::completion_event ended;
  loops::on_all_cores([parts = parts_, event = ended.ref()] { parts.here().start(parts, event); });
  ended.wait();
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  report.steps = delegates::sum_of_all([parts = parts_] { return parts.here().steps(); });
  return report;
}

}  // namespace orujo::algorithms
