#include "framework/graph/build/encode_in_edges.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <vector>

#include "framework/graph/build/assemble.hpp"
#include "framework/graph/build/segment_model.hpp"
#include "framework/graph/build/segments.hpp"
#include "system/collectives/collectives.hpp"
#include "system/machine/measures.hpp"
#include "system/machine/topology.hpp"
#include "system/report/job_report.hpp"

namespace orujo::internal::graph {
namespace {

// Swaps, in each row, the own vertices and the mirrors of lower numbers. Rows by number so become rows by
// local index, which segments are cut by, and the other way round.
void swap_own_and_lower_mirrors(const locale_graph& g, const target_rows& rows) {
  const auto& [first_row, offsets, neighbours, weights] = rows;
  const std::uint32_t own = g.own, lower_end = own + g.mirrors_before(g.first_vertex);
  if (own == 0 || lower_end == own) return;
  for (std::size_t row = 0; row + 1 < offsets.size(); ++row) {
    std::uint32_t* const first = neighbours.data() + offsets[row];
    std::uint32_t* const last = neighbours.data() + offsets[row + 1];
    if (first == last) continue;
    const auto is_own = [=](std::uint32_t index) { return index < own; };
    const auto is_lower = [=](std::uint32_t index) { return index - own < lower_end - own; };
    std::uint32_t *middle, *end;
    if (is_own(*first)) {
      middle = std::partition_point(first, last, is_own);
      end = std::partition_point(middle, last, is_lower);
    } else {
      middle = std::partition_point(first, last, is_lower);
      end = std::partition_point(middle, last, is_own);
    }
    if (middle == first || middle == end) continue;
    std::rotate(first, middle, end);
    if (weights.empty()) continue;
    float* const weight = weights.data() + offsets[row];
    std::rotate(weight, weight + (middle - first), weight + (end - first));
  }
}

template <class T>
T sum_over_locale(const T& mine) {
  return collectives::all_reduce(mine, std::plus<>(), collectives::group::locale);
}

// By locale: how many mirrors are of the locales up to it.
std::vector<std::uint32_t> mirrors_by_peer(const locale_graph& g) {
  std::vector<std::uint32_t> ends;
  for (locale_id l = 0; l < locales(); ++l) {
    ends.push_back(g.mirrors_before(g.owners.last_of(shape().first_core_of(l) + shape().cores_of(l) - 1)));
  }
  return ends;
}

// `what` are the segments' edges, for the report of settings.
std::vector<std::uint32_t> choose_bounds(const locale_graph& g, const in_edge_rows& rows,
                                         std::size_t segments, const char* what) {
  const std::vector<std::uint32_t> peers_end = mirrors_by_peer(g);
  if (segments > 0) return cut_sources(g.own, g.mirrors, segments, peers_end);
  const std::uint64_t sources = std::uint64_t{g.own} + g.mirrors;
  const segment_choice best =
      choose_segments(machine::this_machine().values, sum_over_locale(sample_edges(rows, sources)),
                      {sources, sum_over_locale(rows.neighbours.size()), my_locales_cores()});
  segments = best.segments;
  if (my_core() == 0)
    report::tell_setting(what, [&] { return fmt::format("{}: {}", segments, best.reason); });
  // Edges from own vertices need not wait for the mirrors' values.
  if (g.own > 0 && g.mirrors > 0) segments = std::max<std::size_t>(segments, 2);
  std::vector<std::uint32_t> bounds = cut_sources(g.own, g.mirrors, segments, peers_end);
  if (segments == 2 && best.segments == 1 &&
      too_many_pieces(sum_over_locale(count_pieces(rows, bounds)), sum_over_locale(rows.neighbours.size())))
    return cut_sources(g.own, g.mirrors, 1, peers_end);
  return bounds;
}

// One core's rows on their way into the vectors. The segments are those of all cores of the locale.
class encoding {
 public:
  // [task; suspends; collective over the locale]
  encoding(const locale_graph& g, const target_rows& from, const build_options& options, const char* what)
      : rows_{from.first, from.offsets, from.neighbours, from.weights},
        bounds_(choose_bounds(g, rows_, options.segments, what)),
        encoder_(rows_, bounds_, options.bundle_depth) {
    for (std::size_t s = 0; s < encoder_.segments(); ++s) sizes_.push_back(encoder_.size(s));
    of_cores_ = collectives::all_gather(this, collectives::group::locale);
  }
  encoding(const encoding&) = delete;

  // Lays the slices of all cores out from `at` on, segment after segment. Returns their end.
  std::size_t lay_out(locale_graph& g, std::size_t at) {
    for (std::size_t s = 0; s < encoder_.segments(); ++s) {
      edge_segment segment{bounds_[s], bounds_[s + 1], g.slices.size(), 0, at, 0};
      for (const encoding* of_core : of_cores_) {
        const slice_size& size = of_core->sizes_[s];
        g.slices.push_back({at, at + size.single, at + size.vectors()});
        at += size.vectors();
      }
      segment.last_slice = g.slices.size();
      segment.last = at;
      g.segments.push_back(segment);
    }
    return at;
  }
  std::size_t segments() const { return encoder_.segments(); }

  // Writes this core's slices, which are in segments `first` and following.
  void write(const locale_graph& g, std::size_t first, const vector_sparse_buffer& buffer) {
    const auto core = static_cast<std::size_t>(my_core_of_locale());
    for (std::size_t s = 0; s < encoder_.segments(); ++s) {
      const edge_slice& slice = g.slices[g.segments[first + s].first_slice + core];
      machine::place_here(buffer.edges.subspan(slice.first, slice.last - slice.first));
      if (g.weighted) machine::place_here(buffer.weights.subspan(slice.first, slice.last - slice.first));
      encoder_.encode(s, slice.first, buffer);
    }
  }

 private:
  const in_edge_rows rows_;
  const std::vector<std::uint32_t> bounds_;
  slice_encoder encoder_;
  std::vector<slice_size> sizes_;    // by segment
  std::vector<encoding*> of_cores_;  // of the locale
};

}  // namespace

void encode_in_edges(locale_graph& g, const target_rows& own, const target_rows& guests,
                     const build_options& options) {
  const bool on_grid = g.placement == edge_placement::grid;
  swap_own_and_lower_mirrors(g, own);
  if (on_grid) swap_own_and_lower_mirrors(g, guests);
  encoding of_own(g, own, options, "segments");
  std::optional<encoding> of_guests;
  if (on_grid) of_guests.emplace(g, guests, options, "segments of guests' edges");
  if (leads_locale()) {
    const std::size_t first = on_grid ? of_guests->lay_out(g, 0) : 0;
    g.guest_segments = g.segments.size();
    const std::size_t vectors = of_own.lay_out(g, first);
    g.edge_vectors = machine::huge_array<edge_vector>(vectors);
    g.weight_vectors = machine::huge_array<weight_vector>(g.weighted ? vectors : 0);
    g.top_level_at = machine::huge_array<std::uint32_t>(count_index_entries(vectors));
  }
  collectives::barrier(collectives::group::locale);
  const vector_sparse_buffer buffer{g.edge_vectors.part(0, g.edge_vectors.size()),
                                    g.weight_vectors.part(0, g.weight_vectors.size()),
                                    g.top_level_at.part(0, g.top_level_at.size())};
  if (on_grid) of_guests->write(g, 0, buffer);
  of_own.write(g, g.guest_segments, buffer);
  if (keeps_in_rows(g, options.keep)) swap_own_and_lower_mirrors(g, own);
  collectives::barrier(collectives::group::locale);
}

}  // namespace orujo::internal::graph
