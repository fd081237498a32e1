#include "framework/algorithms/coloring.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "framework/exchange/mirror_places.hpp"
#include "framework/graph/mirror_rows.hpp"
#include "system/base/identity.hpp"
#include "system/delegates/call_on_all.hpp"
#include "system/loops/forall.hpp"
#include "system/tasks/sync.hpp"

namespace orujo::internal::algorithms {

// Vertices are indexed from the core's first one.
class coloring::core_part {
 public:
  core_part(graph::distributed_graph graph, graph::property<std::int32_t> colors,
            graph::property<std::uint32_t> waiting)
      : graph_(&graph.here()),
        first_(graph_->my_part().first),
        colors_(graph_->my_part().of(colors.here())),
        waiting_(graph_->my_part().of(waiting.here())) {}

  // [task; suspends; collective over the locale] Requires the number of neighbours that each vertex waits
  // for.
  void prepare() {
    if (locales() > 1 && !mirror_rows_) {
      places_ = exchange::find_mirror_places(*graph_);
      mirror_rows_ = graph::turn_mirror_rows(*graph_);
    }
    vertices_.clear();
    std::uint64_t words = 0;
    for (const std::uint32_t before : waiting_) {
      vertices_.push_back({words, before, none});
      words += before / 64 + 1;
    }
    vertices_.push_back({words, 0, none});
    taken_.assign(words, 0);
    used_ = 0;
    for (std::uint32_t v = 0; v < waiting_.size(); ++v) {
      if (waiting_[v] == 0) enqueue(v);
    }
  }

  // [task; suspends] Returns when all vertices of this core have colours.
  void work(containers::symmetric<core_part> all, delegates::event_ref event) {
    for (std::size_t colored = 0; colored < colors_.size(); ++colored) {
      available_.acquire();
      const std::uint32_t v = ready_.back();
      ready_.pop_back();
      colors_[v] = vertices_[v].color = smallest_left(v);
      used_ = std::max(used_, colors_[v] + 1);
      tell_neighbours(all, event, v);
      if (colored % told_at_once == told_at_once - 1) tasks::yield();  // to handle messages of other cores
    }
  }

  // Number of colours of its vertices.
  std::int32_t used() const { return used_; }

 private:
  static constexpr std::int32_t none = -1;
  static constexpr std::size_t told_at_once = 8;
  static constexpr std::size_t ahead = 8;  // neighbours that are fetched before their turn
  struct vertex_state {
    std::uint64_t first_word;  // in taken_
    std::uint32_t waiting;     // number of neighbours that go first and have no colour yet
    std::int32_t color;
  };
  // The message of a vertex that has received its colour.
  struct news {
    std::int32_t color;
    std::uint32_t degree;
  };

  void enqueue(std::uint32_t v) {
    ready_.push_back(v);
    available_.release();
  }

  // One of the first waiting + 1 colours is free, and there are bits for all of these.
  std::int32_t smallest_left(std::uint32_t v) const {
    const std::uint64_t first = vertices_[v].first_word;
    std::uint64_t word = first;
    while (taken_[word] == ~std::uint64_t{0}) ++word;
    return static_cast<std::int32_t>((word - first) * 64) + std::countr_one(taken_[word]);
  }

  // Sends one message to each other locale, which has the edges to its own vertices.
  void tell_neighbours(containers::symmetric<core_part> all, delegates::event_ref event, std::uint32_t v) {
    const news of{colors_[v], graph_->out_degree[first_ + v]};
    if (places_) {
      for (const auto& [core, mirror] : places_->of(first_ + v)) {
        delegates::async_call(event, core, [all, event, mirror = mirror, of] {
          core_part& there = all.here();
          there.tell_here(all, event, there.mirror_rows_->of(mirror - there.graph_->own), of);
        });
      }
    }
    tell_here(all, event, graph_->in_rows->of(first_ + v), of);
  }
  // [task or handler] Notifies the locale's vertices among these neighbours; those of other cores if they may
  // go after.
  void tell_here(containers::symmetric<core_part> all, delegates::event_ref event,
                 std::span<const std::uint32_t> neighbours, news of) {
    const std::size_t last = std::max<std::size_t>(colors_.size(), 1) - 1;
    for (std::size_t k = 0; k < neighbours.size(); ++k) {
      if (k + ahead < neighbours.size())
        __builtin_prefetch(&vertices_[std::min<std::size_t>(neighbours[k + ahead] - first_, last)]);
      const std::uint32_t u = neighbours[k], place = u - first_;
      if (place < colors_.size()) {
        hear(place, of.color);
      } else if (u < graph_->own && graph_->out_degree[u] <= of.degree) {
        const std::uint64_t number = graph_->first_vertex + u;
        const core_id owner = graph_->owners.owner(number);
        const auto there = static_cast<std::uint32_t>(number - graph_->owners.first_of(owner));
        delegates::async_call(event, owner,
                              [all, there, color = of.color] { all.here().hear(there, color); });
      }
    }
  }

  // [task or handler] Takes note of a neighbour's colour. A vertex with a colour, as one that goes before the
  // neighbour has, ignores it.
  void hear(std::uint32_t v, std::int32_t color) {
    vertex_state& vertex = vertices_[v];
    if (vertex.color != none) return;
    const std::uint64_t word = vertex.first_word + static_cast<std::uint64_t>(color) / 64;
    if (word < vertices_[v + 1].first_word) taken_[word] |= std::uint64_t{1} << color % 64;
    if (--vertex.waiting == 0) enqueue(v);
  }

  const graph::locale_graph* const graph_;
  std::shared_ptr<const exchange::mirror_places> places_;  // both on several locales only
  std::shared_ptr<const graph::mirror_rows> mirror_rows_;
  const std::uint32_t first_;  // local index
  const std::span<std::int32_t> colors_;
  const std::span<const std::uint32_t> waiting_;  // number of neighbours that each waits for at first
  std::vector<vertex_state> vertices_;            // and a sentinel
  std::vector<std::uint64_t> taken_;              // bits: colours of neighbours
  std::vector<std::uint32_t> ready_;              // have no neighbour to wait for
  tasks::semaphore available_{0};                 // number of these
  std::int32_t used_ = 0;
};

coloring::coloring(graph::distributed_graph graph, graph::property<std::int32_t> colors, const call_site& at)
    : graph_(graph),
      waiting_(graph::property<std::uint32_t>::create(graph)),
      parts_(containers::symmetric<core_part>::reserve()) {
  colors.require_graph(graph.here(), at);
  loops::on_all_cores(
      [=, parts = parts_, waiting = waiting_] { parts.emplace_here(graph, colors, waiting); });
}

coloring::~coloring() {
  parts_.destroy();
  waiting_.destroy();
}

coloring_report coloring::run(const gas::run_options& options) {
  const auto begin = std::chrono::steady_clock::now();
  coloring_order order{waiting_};
  gas::run(order, graph_, options);
  loops::on_all_cores([parts = parts_] { parts.here().prepare(); });
  delegates::completion_event told;
  loops::on_all_cores([parts = parts_, event = told.ref()] { parts.here().work(parts, event); });
  told.wait();
  coloring_report report;
  delegates::call_on_all([parts = parts_] { return parts.here().used(); },
                         [&](core_id, std::int32_t used) { report.colors = std::max(report.colors, used); });
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return report;
}

}  // namespace orujo::internal::algorithms
