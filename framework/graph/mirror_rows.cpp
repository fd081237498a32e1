#include "framework/graph/mirror_rows.hpp"

#include <glog/logging.h>

#include <algorithm>
#include <atomic>
#include <utility>

#include "system/collectives/collectives.hpp"

namespace orujo::internal::graph {
namespace {

// Increments a counter, which other cores of the locale may do, too, and returns its old value.
std::uint64_t count_up(std::uint64_t& counter, bool alone) {
  if (alone) return counter++;
  return std::atomic_ref<std::uint64_t>(counter).fetch_add(1, std::memory_order_relaxed);
}

// Distances in edges at which a mirror's counter is prefetched, and its next target.
constexpr std::uint64_t counter_ahead = 32, target_ahead = 12;

// The edges between a core's vertices and mirrors, in the vertices' rows.
class row_edges {
 public:
  row_edges(const locale_graph& g, const adjacency& rows)
      : own_(g.own),
        part_(g.my_part()),
        offsets_(rows.offsets.data()),
        last_(std::max<std::uint64_t>(offsets_[part_.last], 1) - 1),
        edges_(rows.any_form()) {}

  // Calls visit(mirror, own vertex, weight()) for each edge. Before that it calls fetch(mirror_near), where
  // mirror_near(n) is the mirror of the edge n edges later.
  template <class Fetch, class Visit>
  void for_each(Fetch fetch, Visit visit) const {
    for (std::uint32_t v = part_.first; v < part_.last; ++v) {
      for (std::uint64_t k = offsets_[v]; k < offsets_[v + 1]; ++k) {
        fetch([this, k](std::uint64_t ahead) { return mirror_near(k + ahead); });
        if (edges_.neighbour(k) >= own_)
          visit(edges_.neighbour(k) - own_, v, [&] { return edges_.weight(k); });
      }
    }
  }

 private:
  // The mirror of the edge at the slot or at the last one, or any.
  std::uint32_t mirror_near(std::uint64_t slot) const {
    const std::uint32_t source = edges_.neighbour(std::min(slot, last_));
    return source >= own_ ? source - own_ : 0;
  }

  const std::uint32_t own_;
  const core_part& part_;
  const std::uint64_t* const offsets_;
  const std::uint64_t last_;
  const edge_reader edges_;
};

// The same for the vectors of in-edges. The mirrors of a segment are few enough to be in a cache.
class vector_edges {
 public:
  explicit vector_edges(const locale_graph& g) : graph_(g) {}

  template <class Fetch, class Visit>
  void for_each(Fetch, Visit visit) const {
    const auto cores = static_cast<std::size_t>(my_locales_cores()),
               me = static_cast<std::size_t>(my_core_of_locale());
    const vector_sparse_view all = graph_.in_edges();
    for (const edge_segment& segment : graph_.segments) {
      if (segment.last_source <= graph_.own) continue;
      for (std::size_t s = segment.first_slice + me; s < segment.last_slice; s += cores) {
        vector_sparse_view slice = all;
        slice.slices = all.slices.subspan(s, 1);
        for_each_edge(slice, [&](std::uint32_t v, std::uint32_t source, float weight) {
          if (source >= graph_.own) visit(source - graph_.own, v, [weight] { return weight; });
        });
      }
    }
  }

 private:
  const locale_graph& graph_;
};

void set_target(std::uint32_t& target, std::uint32_t vertex, const auto&) { target = vertex; }
void set_target(arc& target, std::uint32_t vertex, const auto& weight) { target = {vertex, weight()}; }

}  // namespace

struct mirror_rows_maker {
  // [task; suspends; collective over the locale] Counts, and then places: each counter ends where its
  // mirror's targets end.
  template <class Target, class Edges>
  static void make(basic_mirror_rows<Target>& rows, const Edges& edges) {
    const bool alone = my_locales_cores() == 1;
    std::uint64_t* const first = rows.offsets_.data() + 1;  // of the mirror after
    count_targets(edges, first, alone);
    collectives::barrier(collectives::group::locale);
    if (leads_locale()) {
      std::uint64_t before = 0;
      for (std::size_t m = 0; m + 1 < rows.offsets_.size(); ++m) before += std::exchange(first[m], before);
      rows.targets_ = machine::huge_array<Target>(before);
      rows.made_ = true;
    }
    collectives::barrier(collectives::group::locale);
    place_targets(edges, first, rows.targets_.data(), alone);
    collectives::barrier(collectives::group::locale);
  }
  // Made once, of these edges, and kept there.
  template <class Target, class Edges>
  static std::shared_ptr<const basic_mirror_rows<Target>> keep(workspace& there, std::uint32_t mirrors,
                                                               const Edges& edges) {
    using made_rows = basic_mirror_rows<Target>;
    const auto rows = collectives::share_on_locale<made_rows>([&] {
      return there.get<made_rows>([&] { return std::shared_ptr<made_rows>(new made_rows(mirrors)); });
    });
    if (!rows->made_) make(*rows, edges);
    return rows;
  }

 private:
  // Adds to first[m] the number of edges at the m-th mirror.
  template <class Edges>
  static void count_targets(const Edges& edges, std::uint64_t* first, bool alone) {
    const auto fetch = [&](auto mirror) { __builtin_prefetch(first + mirror(counter_ahead), 1); };
    edges.for_each(fetch, [&](std::uint32_t m, std::uint32_t, const auto&) { count_up(first[m], alone); });
  }
  // first: by mirror, where its targets begin. It is left where they end.
  template <class Edges, class Target>
  static void place_targets(const Edges& edges, std::uint64_t* first, Target* targets, bool alone) {
    const auto fetch = [&](auto mirror) {
      __builtin_prefetch(first + mirror(counter_ahead), 1);
      const std::atomic_ref<std::uint64_t> next(first[mirror(target_ahead)]);
      __builtin_prefetch(targets + next.load(std::memory_order_relaxed), 1);
    };
    edges.for_each(fetch, [&](std::uint32_t m, std::uint32_t v, const auto& weight) {
      set_target(targets[count_up(first[m], alone)], v, weight);
    });
  }
};

template <class Target>
std::shared_ptr<const basic_mirror_rows<Target>> turn_mirror_rows(const locale_graph& g) {
  CHECK(g.in_rows || g.keeps_in_vectors()) << "rows of mirrors are made of in-edges";
  if (!g.in_rows) return mirror_rows_maker::keep<Target>(*g.kept, g.mirrors, vector_edges(g));
  return mirror_rows_maker::keep<Target>(*g.in_rows->kept, g.mirrors, row_edges(g, *g.in_rows));
}

std::shared_ptr<const mirror_rows> turn_rows_to_mirrors(const locale_graph& g) {
  CHECK(g.out_rows) << "rows to mirrors are made of rows of out-edges";
  return mirror_rows_maker::keep<std::uint32_t>(*g.out_rows->kept, g.mirrors, row_edges(g, *g.out_rows));
}

template std::shared_ptr<const mirror_rows> turn_mirror_rows<std::uint32_t>(const locale_graph& g);
template std::shared_ptr<const weighted_mirror_rows> turn_mirror_rows<arc>(const locale_graph& g);

}  // namespace orujo::internal::graph
