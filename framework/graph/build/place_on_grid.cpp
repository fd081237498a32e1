#include "framework/graph/build/place_on_grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <numeric>
#include <utility>

#include "framework/graph/build/memory_needs.hpp"
#include "framework/graph/grid_of_locales.hpp"
#include "framework/graph/partition_costs.hpp"
#include "system/base/identity.hpp"
#include "system/collectives/collectives.hpp"
#include "system/delegates/scatter.hpp"
#include "system/report/job_report.hpp"

namespace orujo::internal::graph {
namespace {

// An edge under way. The key is that of edge_keys.
struct placed_edge {
  std::uint64_t key;
  static placed_edge of(std::uint64_t key, const rows&, std::uint64_t) { return {key}; }
  void put_weight(rows&, std::uint64_t) const {}
};
struct placed_weighted_edge {
  std::uint64_t key;
  float weight;
  static placed_weighted_edge of(std::uint64_t key, const rows& from, std::uint64_t k) {
    return {key, from.weights[k]};
  }
  void put_weight(rows& to, std::uint64_t k) const { to.weights[k] = weight; }
};

// The locale that keeps an in-edge of this locale's vertices, by its source. Partitions are cut between few
// thousand buckets of vertices, so that a table of these has mostly the answer.
class keeper_table {
 public:
  keeper_table(const partition& owners, const grid_of_locales& grid)
      : owners_(owners),
        grid_(grid),
        shift_(std::max(static_cast<int>(std::bit_width(owners.vertices())) - bits_of_table, 0)),
        keepers_((owners.vertices() >> shift_) + 1, several) {
    for (core_id c = 0; c < cores(); ++c) {
      const std::uint64_t first = owners.first_of(c), last = owners.last_of(c);
      const std::uint64_t bucket = std::uint64_t{1} << shift_;
      const auto begin = static_cast<std::ptrdiff_t>((first + bucket - 1) >> shift_),
                 end = static_cast<std::ptrdiff_t>(last >> shift_);
      if (begin < end) std::fill(keepers_.begin() + begin, keepers_.begin() + end, keeper_at(c));
    }
  }
  locale_id keeper_of(std::uint64_t source) const {
    const locale_id found = keepers_[source >> shift_];
    return found != several ? found : keeper_at(owners_.owner(source));
  }

 private:
  static constexpr int bits_of_table = 15;
  static constexpr locale_id several = -1;  // the bucket has vertices of several cores, or is the last

  locale_id keeper_at(core_id owner) const {
    return grid_.at(grid_.row_of(my_locale()), grid_.column_of(shape().locale_of(owner)));
  }

  const partition& owners_;
  const grid_of_locales& grid_;
  const int shift_;
  std::vector<locale_id> keepers_;  // by bucket
};

// One core's part of the placement.
template <class Edge>
class placement {
  using received = std::vector<Edge>;  // of one core, in the order of its rows

 public:
  // [task; suspends; collective over the job]
  placement(locale_graph& g, const grid_of_locales& grid)
      : graph_(g), keepers_(g.owners, grid), keys_(g.vertices), received_(cores()) {}

  // [task; suspends; collective over the job]
  guest_rows run(rows& in) {
    make_room(in);
    const by_core<received*> there = collectives::all_gather(received_.data());
    delegates::completion_event placed;
    {
      std::vector<delegates::append_to<Edge>> receivers;
      for (received* const of : there) receivers.push_back({of + my_core()});
      delegates::scatter out(placed, std::move(receivers));
      keep_and_send(in, out);
      out.flush();
    }
    placed.wait();
    collectives::barrier();
    return rows_of_received();
  }

 private:
  // Makes room for the edges that will come: vectors that grow would take twice their memory.
  void make_room(const rows& in) {
    by_locale<std::uint64_t> of_keeper(locales());
    for (std::uint64_t k = 0; k < in.edges(); ++k) ++of_keeper[keepers_.keeper_of(in.neighbour(k))];
    by_core<std::uint64_t> counts(cores());
    for (locale_id l = 0; l < locales(); ++l) {
      if (l != my_locale()) counts[shape().partner(my_core(), l)] = of_keeper[l];
    }
    const by_core<std::uint64_t> to_come = collectives::all_to_all(counts);
    for (core_id c = 0; c < cores(); ++c) received_[c].reserve(to_come[c]);
  }

  // Keeps the rows in order, and so the neighbours in each.
  template <class Scatter>
  void keep_and_send(rows& in, Scatter& out) {
    core_part& part = graph_.my_part();
    std::uint64_t kept = 0, next = 0;
    for (std::uint64_t r = 0; r < in.vertices(); ++r) {
      const std::uint64_t last = in.offsets[r + 1];
      for (; next < last; ++next) {
        const std::uint64_t source = in.neighbour(next);
        const locale_id keeper = keepers_.keeper_of(source);
        if (keeper == my_locale()) {
          move_edge(in, next, kept++);
          continue;
        }
        const auto v = part.first + static_cast<std::uint32_t>(r);
        std::vector<std::uint32_t>& guests = part.guests_at[keeper];
        if (guests.empty() || guests.back() != v) guests.push_back(v);
        out.push(shape().partner(my_core(), keeper),
                 Edge::of(keys_.key(in.first_vertex + r, source), in, next));
      }
      in.offsets[r + 1] = kept;
    }
  }

  static void move_edge(rows& of, std::uint64_t from, std::uint64_t to) {
    of.neighbours[to] = of.neighbours[from];
    if (of.high_bits.size() > 0) of.high_bits[to] = of.high_bits[from];
    if (of.weights.size() > 0) of.weights[to] = of.weights[from];
  }

  guest_rows rows_of_received() {
    guest_rows made;
    std::vector<std::uint64_t> ends;
    std::uint64_t edges = 0;
    for (const received& of_core : received_) edges += of_core.size();
    made.of.neighbours = machine::huge_array<std::uint32_t>(edges);
    const bool has_high_bits = graph_.vertices > std::uint64_t{1} << 32;
    if (has_high_bits) made.of.high_bits = machine::huge_array<std::uint32_t>(edges);
    if (graph_.weighted) made.of.weights = machine::huge_array<float>(edges);
    std::uint64_t k = 0;
    for (core_id c = 0; c < cores(); ++c) {
      const std::uint64_t first = graph_.owners.first_of(c);
      for (const Edge& e : std::exchange(received_[c], {})) {
        const std::uint64_t guest = first + keys_.row(e.key, first);
        if (made.numbers.empty() || made.numbers.back() != guest) {
          made.numbers.push_back(guest);
          ends.push_back(k);
        }
        const std::uint64_t neighbour = keys_.neighbour(e.key);
        made.of.neighbours[k] = static_cast<std::uint32_t>(neighbour);
        if (has_high_bits) made.of.high_bits[k] = static_cast<std::uint32_t>(neighbour >> 32);
        e.put_weight(made.of, k++);
      }
    }
    ends.push_back(k);
    made.of.offsets = machine::huge_array<std::uint64_t>(ends.size());
    std::ranges::copy(ends, made.of.offsets.begin());
    return made;
  }

  locale_graph& graph_;
  const keeper_table keepers_;
  const edge_keys keys_;
  by_core<received> received_;
};

// [task; suspends; collective over the job] Counts in a sample of the cores' rows.
travelling_values sample_values(const locale_graph& g, const grid_of_locales& grid, const rows& in) {
  constexpr std::uint64_t rows_of_job = 1 << 16;
  const std::uint64_t most_rows =
      std::max<std::uint64_t>(rows_of_job / static_cast<std::uint64_t>(cores()), 64);
  const std::uint64_t step = std::max<std::uint64_t>(in.vertices() / most_rows, 1);
  partition_counter counter(g.owners, shape(), grid);
  std::vector<std::uint64_t> neighbours;
  for (std::uint64_t r = 0; r < in.vertices(); r += step) {
    neighbours.clear();
    for (std::uint64_t k = in.offsets[r]; k < in.offsets[r + 1]; ++k) neighbours.push_back(in.neighbour(k));
    counter.add(in.first_vertex + r, neighbours, neighbours);
  }
  for (std::uint64_t& sum : counter.sums()) sum *= step;
  collectives::all_reduce(counter.sums(), std::plus<std::uint64_t>());
  const partition_costs costs = counter.costs();
  return {std::accumulate(costs.mirrors.begin(), costs.mirrors.end(), std::uint64_t{0}),
          costs.values_on_grid};
}

}  // namespace

bool grid_pays(const travelling_values& of, int cores) {
  constexpr std::uint64_t most_left_of_100 = 80, least_saved = 4096;
  return 100 * of.grid < most_left_of_100 * of.by_target &&
         of.by_target - of.grid > least_saved * static_cast<std::uint64_t>(cores);
}

edge_placement choose_placement(const locale_graph& g, const rows& in, const build_options& options) {
  const edge_placement wanted = options.partition.placement;
  if (locales() == 1) return edge_placement::by_target;
  if (wanted != edge_placement::automatic) return wanted;
  const edge_forms& keep = options.keep;
  if (!keep.in_vectors || keep.in_rows || keep.out_rows) return edge_placement::by_target;
  const by_locale<std::uint64_t> nodes = nodes_of_locales();
  const grid_of_locales grid = grid_of_locales::choose(nodes);
  if (grid.rows == 1 || grid.columns == 1 || std::ranges::count(nodes, nodes[0]) == locales())
    return edge_placement::by_target;
  const travelling_values values = sample_values(g, grid, in);
  const std::uint64_t edges = collectives::all_reduce(in.edges(), std::plus<>(), collectives::group::locale);
  const bool pays = grid_pays(values, cores()) && has_room_for_grid({g.own, edges, g.weighted}, options);
  if (my_core() == 0)
    report::tell_setting("placement", [&] {
      return fmt::format("{}: {} values travel in a superstep, and {} on a grid of {} x {} locales",
                         pays ? "grid" : "by_target", values.by_target, values.grid, grid.rows, grid.columns);
    });
  return pays ? edge_placement::grid : edge_placement::by_target;
}

guest_rows place_on_grid(locale_graph& g, rows& in) {
  const grid_of_locales grid = grid_of_locales::choose(nodes_of_locales());
  g.my_part().guests_at.resize(locales());
  return g.weighted ? placement<placed_weighted_edge>(g, grid).run(in)
                    : placement<placed_edge>(g, grid).run(in);
}

}  // namespace orujo::internal::graph
