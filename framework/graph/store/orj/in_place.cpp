#include "framework/graph/store/orj/in_place.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "framework/graph/build/assemble.hpp"
#include "framework/graph/store/orj/rows.hpp"
#include "framework/graph/store/orj/vectors.hpp"
#include "system/collectives/collectives.hpp"
#include "system/machine/topology.hpp"

namespace orujo::internal::graph {
namespace {

using formats::byte_source;
using formats::orj_header;
using formats::orj_section;

// One core's part of the loading.
class orj_in_place {
 public:
  orj_in_place(std::shared_ptr<byte_source> source, const orj_header& header, locale_graph& g,
               const edge_forms& keep)
      : source_(std::move(source)), header_(header), graph_(g), keep_(keep) {}

  status run() {
    if (status failed = load_degrees(); !failed.ok()) return failed;
    if (keep_.in_vectors) {
      if (status failed = load_orj_vectors(source_, header_, graph_, weight_rule_of(keep_)); !failed.ok())
        return failed;
    }
    std::shared_ptr<adjacency> in_rows, out_rows;
    if (keeps_in_rows(graph_, keep_)) {
      if (status failed = load_rows(orj_rows_of::in_edges, in_offsets_, in_rows); !failed.ok()) return failed;
    }
    if (keep_.out_rows && !header_.symmetric) {
      if (status failed = load_rows(orj_rows_of::out_edges, out_offsets_, out_rows); !failed.ok())
        return failed;
    }
    if (leads_locale()) {
      graph_.edges = header_.edges;
      graph_.out_rows = header_.symmetric ? in_rows : std::move(out_rows);
      graph_.in_rows = std::move(in_rows);
    }
    collectives::barrier(collectives::group::locale);
    return {};
  }

 private:
  using offset_array = machine::huge_array<std::uint64_t>;

  status load_offsets(orj_rows_of which, offset_array& into) {
    const core_part& part = graph_.my_part();
    auto offsets = read_orj_offsets(*source_, header_, which, {part.first, part.last});
    const status failed = offsets.status();
    if (failed.ok()) into = std::move(offsets).value();
    return collectives::first_failure(failed);
  }

  status load_degrees() {
    if (status failed = load_offsets(orj_rows_of::in_edges, in_offsets_); !failed.ok()) return failed;
    if (!header_.symmetric) {
      if (status failed = load_offsets(orj_rows_of::out_edges, out_offsets_); !failed.ok()) return failed;
    }
    const bool in_degrees = !header_.symmetric && !keep_.in_rows;
    if (leads_locale()) {
      graph_.out_degree = machine::huge_array<std::uint32_t>(graph_.own);
      if (in_degrees) graph_.in_degrees = machine::huge_array<std::uint32_t>(graph_.own);
    }
    collectives::barrier(collectives::group::locale);
    note_degrees(header_.symmetric ? in_offsets_ : out_offsets_, graph_.out_degree);
    if (in_degrees) note_degrees(in_offsets_, graph_.in_degrees);
    return {};
  }

  void note_degrees(const offset_array& offsets, machine::huge_array<std::uint32_t>& all) const {
    const std::span<std::uint32_t> mine = graph_.my_part().of(all.part(0, graph_.own));
    machine::place_here(mine);
    for (std::size_t v = 0; v < mine.size(); ++v)
      mine[v] = static_cast<std::uint32_t>(offsets[v + 1] - offsets[v]);
  }

  template <class T>
  machine::huge_array<T> array_of(orj_section section, std::size_t size) const {
    return orj_array<T>(source_, header_, section, size);
  }

  // The spare slots are what follows the section in the file, which can be read, too.
  status load_rows(orj_rows_of which, const offset_array& offsets, std::shared_ptr<adjacency>& into) {
    into = collectives::share_on_locale<adjacency>([&] {
      const std::size_t slots = header_.edges + adjacency::spare_slots;
      auto made = std::make_shared<adjacency>();
      made->offsets =
          array_of<std::uint64_t>(section_of(which, orj_section::in_offsets), graph_.own + std::size_t{1});
      const row_weights weights = kept_weights(graph_, keep_);
      if (weights == row_weights::arcs) made->arcs = machine::huge_array<arc>(slots);
      if (weights != row_weights::arcs)
        made->neighbours = array_of<std::uint32_t>(section_of(which, orj_section::in_neighbours), slots);
      if (weights == row_weights::parallel)
        made->weights = array_of<float>(section_of(which, orj_section::in_weights), slots);
      return made;
    });
    return collectives::first_failure(read_part(which, offsets, *into));
  }

  status read_part(orj_rows_of which, const offset_array& offsets, adjacency& into) {
    if (offsets.size() == 0) return {};
    const std::span<const std::uint64_t> all = offsets.part(0, offsets.size());
    std::uint64_t* const place = into.offsets.data() + graph_.my_part().first;
    if (place != all.data()) std::copy(all.begin() + 1, all.end(), place + 1);
    if (all.front() == all.back()) return {};
    auto reader = orj_edge_reader::open(*source_, header_, which, all, weight_rule_of(keep_));
    if (!reader.ok()) return reader.status();
    if (into.arcs.size() > 0) return reader.value().read_arcs(into.arcs.part(all.front(), all.back()));
    const auto neighbours = into.neighbours.part(all.front(), all.back());
    if (status failed = reader.value().read_neighbours(neighbours); !failed.ok()) return failed;
    if (into.weights.size() == 0) return {};
    return reader.value().read_weights(into.weights.part(all.front(), all.back()));
  }

  const std::shared_ptr<byte_source> source_;
  const orj_header& header_;
  locale_graph& graph_;
  const edge_forms& keep_;
  offset_array in_offsets_, out_offsets_;  // of the calling core's vertices
};

}  // namespace

status load_in_place(const std::string& path, const orj_header& header, locale_graph& g,
                     const edge_forms& keep) {
  using opened = result<std::unique_ptr<byte_source>>;
  const bool mapped = machine::my_place().domains == 1;
  const auto shared = collectives::share_on_locale<opened>([&] {
    return std::make_shared<opened>(mapped ? formats::map_source(path) : formats::open_source(path));
  });
  if (status failed = collectives::first_failure(shared->status()); !failed.ok()) return failed;
  const std::shared_ptr<byte_source> source(shared, shared->value().get());
  return orj_in_place(source, header, g, keep).run();
}

}  // namespace orujo::internal::graph
