#include "framework/algorithms/random_walks.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <span>

#include "framework/graph/kept_forms.hpp"
#include "system/base/identity.hpp"
#include "system/base/random.hpp"
#include "system/collectives/collectives.hpp"
#include "system/delegates/call_on_all.hpp"
#include "system/loops/forall.hpp"
#include "system/machine/huge_array.hpp"

namespace orujo::algorithms {

class random_walks::core_part {
 public:
  // [task; suspends; collective over the job]
  core_part(graph::distributed_graph graph, graph::property<std::uint64_t> visits)
      : graph_(&graph.here()),
        visits_(visits.here().data()),
        offsets_(graph_->out_rows->offsets.data()),
        targets_(graph_->out_rows->neighbours.data()) {
    if (!graph_->numbers.is_identity()) sort_targets();
  }

  void reset() {
    steps_ = 0;
    std::fill(visits_ + part().first, visits_ + part().last, 0);
  }

  // [task; suspends] Starts this core's part of the walks.
  void start(containers::symmetric<core_part> all, const walk_options& options, delegates::event_ref event) {
    if (options.walks > 0) return start_drawn(all, options, event);
    loops::forall_here({part().first, part().last}, [&](std::size_t v) {
      const std::uint64_t position = graph_->position_of(static_cast<std::uint32_t>(v));
      for (std::uint64_t k = 0; k < options.per_vertex; ++k) {
        const random_stream random(options.seed, position * options.per_vertex + k);
        send(all, event, random, graph_->first_vertex + v, options.length);
      }
    });
  }

  std::uint64_t steps() const { return steps_; }

 private:
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

  const graph::core_part& part() const { return graph_->my_part(); }
  std::span<const std::uint32_t> targets_of(std::uint32_t v) const {
    return {targets_ + offsets_[v], targets_ + offsets_[v + 1]};
  }

  // [task; suspends; collective over the locale] Copies the rows in the order of the ids.
  void sort_targets() {
    sorted_ = collectives::share_on_locale<machine::huge_array<std::uint32_t>>(
        [&] { return std::make_shared<machine::huge_array<std::uint32_t>>(graph_->out_rows->edges()); });
    targets_ = sorted_->data();
    for (std::uint32_t v = part().first; v < part().last; ++v) {
      const std::span<std::uint32_t> targets = sorted_->part(offsets_[v], offsets_[v + 1]);
      std::ranges::copy(graph_->out_rows->of(v), targets.begin());
      std::ranges::sort(targets, {}, [&](std::uint32_t u) { return graph_->position_of(u); });
    }
  }

  void start_drawn(containers::symmetric<core_part> all, const walk_options& options,
                   delegates::event_ref event) {
    loops::forall_here(my_part_of_job({0, options.walks}), [&](std::size_t w) {
      random_stream random(options.seed, w);
      const std::uint64_t number = graph_->numbers.number(random.below(graph_->vertices));
      send(all, event, random, number, options.length);
    });
  }

  // Also sends to vertices of this core. The walks that wait there can be prefetched, while a single walk
  // would wait for memory in every step. That is twice as fast with one core on a Kronecker graph of 2^18
  // vertices.
  void send(containers::symmetric<core_part> all, delegates::event_ref event, random_stream random,
            std::uint64_t number, std::uint32_t left) {
    const core_id owner = graph_->owners.owner(number);
    const auto vertex = static_cast<std::uint32_t>(number - graph_->owners.first_of(owner));
    delegates::async_call(event, owner, arrival{all, random, vertex, left, event});
  }

  void fetch(std::uint32_t vertex) const {
    __builtin_prefetch(&visits_[part().first + vertex], 1);
    __builtin_prefetch(&offsets_[part().first + vertex]);
  }

  // [handler]
  void go_on(const arrival& a) {
    const std::uint32_t v = part().first + a.vertex;
    ++visits_[v];
    const std::span<const std::uint32_t> targets = targets_of(v);
    if (a.left == 0 || targets.empty()) return;
    random_stream random = a.random;
    const std::uint32_t next = targets[random.below(targets.size())];
    ++steps_;
    send(a.all, a.event, random, graph_->number_of(next), a.left - 1);
  }

  const graph::locale_graph* const graph_;
  std::uint64_t* const visits_;
  const std::uint64_t* const offsets_;
  const std::uint32_t* targets_;  // of out-edges, ascending by position: the graph's or sorted_
  std::shared_ptr<machine::huge_array<std::uint32_t>> sorted_;
  std::uint64_t steps_ = 0;
};

random_walks::random_walks(graph::distributed_graph graph, graph::property<std::uint64_t> visits,
                           const call_site& at)
    : graph_(graph), parts_(containers::symmetric<core_part>::reserve()) {
  graph::require_forms(graph.here(), {.out_rows = true}, "random_walks:");
  visits.require_graph(graph.here(), at);
  loops::on_all_cores([=, parts = parts_] { parts.emplace_here(graph, visits); });
}

random_walks::~random_walks() { parts_.destroy(); }

walks_report random_walks::run(const walk_options& options) {
  const std::uint64_t vertices = graph_.here().vertices;
  if (vertices == 0) return {};
  loops::on_all_cores([parts = parts_] { parts.here().reset(); });
  const auto begin = std::chrono::steady_clock::now();
  delegates::completion_event ended;
  loops::on_all_cores(
      [options, parts = parts_, event = ended.ref()] { parts.here().start(parts, options, event); });
  ended.wait();
  walks_report report;
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  report.walks = options.walks > 0 ? options.walks : vertices * options.per_vertex;
  report.steps = delegates::sum_of_all([parts = parts_] { return parts.here().steps(); });
  return report;
}

}  // namespace orujo::algorithms
