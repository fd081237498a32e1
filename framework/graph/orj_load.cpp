#include "framework/graph/orj_load.hpp"

#include <algorithm>
#include <utility>

#include "framework/graph/assemble.hpp"
#include "framework/graph/memory_needs.hpp"
#include "framework/graph/orj_rows.hpp"
#include "framework/graph/orj_vectors.hpp"
#include "system/loops/collectives.hpp"
#include "system/machine/topology.hpp"

namespace orujo::graph {
namespace {

using formats::byte_source;
using formats::orj_header;
using formats::orj_numbering;
using formats::orj_section;

bool has_the_graph(const orj_header& h, const build_options& options) {
  const partition_options& wanted = options.partition;
  const bool in_order = wanted.hash ? h.numbering == orj_numbering::scattered
                                    : wanted.as_stored || h.numbering == orj_numbering::positions;
  return in_order && (!options.symmetrize || h.symmetric) &&
         (!options.remove_self_loops || h.no_self_loops) &&
         (!options.remove_duplicates || h.no_parallel_edges);
}

bool has_the_vectors(const orj_header& h, const build_options& options) {
  return locales() == 1 && h.segments > 0 && h.bundle_depth == options.bundle_depth &&
         (options.segments == 0 || options.segments == h.segments);
}

weight_rule rule_of(const build_options& options) {
  return options.keep.non_negative_weights ? weight_rule::non_negative : weight_rule::any;
}

bool wants_in_rows(const orj_header& h, const edge_forms& keep) {
  return keep.in_rows || (keep.out_rows && h.symmetric);
}

// Where the file has the graph as one locale wants it: everything is read to where it stays.
class direct_load {
 public:
  direct_load(byte_source& source, const orj_header& header, locale_graph& g, const build_options& options)
      : source_(source), header_(header), graph_(g), options_(options) {}

  // [task; suspends; collective over the locale, the job's only one]
  status run() {
    const edge_forms& keep = options_.keep;
    if (status failed = load_degrees(); !failed.ok()) return failed;
    if (keep.in_vectors) {
      if (status failed = load_orj_vectors(source_, header_, graph_, keep.non_negative_weights); !failed.ok())
        return failed;
    }
    std::shared_ptr<adjacency> in_rows, out_rows;
    if (wants_in_rows(header_, keep)) {
      if (status failed = load_rows(orj_rows_of::in_edges, in_offsets_, in_rows); !failed.ok()) return failed;
    }
    if (keep.out_rows && !header_.symmetric) {
      if (status failed = load_rows(orj_rows_of::out_edges, out_offsets_, out_rows); !failed.ok())
        return failed;
    }
    if (leads_locale()) {
      graph_.edges = header_.edges;
      graph_.out_rows = header_.symmetric && keep.out_rows ? in_rows : out_rows;
      graph_.in_rows = std::move(in_rows);
    }
    loops::barrier(loops::group::locale);
    return {};
  }

 private:
  using offset_array = machine::huge_array<std::uint64_t>;

  status load_offsets(orj_rows_of which, offset_array& into) {
    const core_part& part = graph_.my_part();
    auto offsets = read_orj_offsets(source_, header_, which, {part.first, part.last});
    if (offsets.ok()) into = std::move(offsets).value();
    return loops::first_failure(offsets.status());
  }

  status load_degrees() {
    if (header_.symmetric || options_.keep.in_rows) {
      if (status failed = load_offsets(orj_rows_of::in_edges, in_offsets_); !failed.ok()) return failed;
    }
    if (!header_.symmetric) {
      if (status failed = load_offsets(orj_rows_of::out_edges, out_offsets_); !failed.ok()) return failed;
    }
    if (leads_locale()) graph_.out_degree = machine::huge_array<std::uint32_t>(graph_.own);
    loops::barrier(loops::group::locale);
    const core_part& part = graph_.my_part();
    machine::place_here(part.of(graph_.out_degree.part(0, graph_.own)));
    const offset_array& by_source = header_.symmetric ? in_offsets_ : out_offsets_;
    for (std::uint32_t v = part.first; v < part.last; ++v)
      graph_.out_degree[v] =
          static_cast<std::uint32_t>(by_source[v + 1 - part.first] - by_source[v - part.first]);
    return {};
  }

  status load_rows(orj_rows_of which, const offset_array& offsets, std::shared_ptr<adjacency>& into) {
    into = loops::share_on_locale<adjacency>([&] {
      const std::size_t slots = header_.edges + adjacency::spare_slots;
      auto made = std::make_shared<adjacency>();
      made->offsets = offset_array(graph_.own + std::size_t{1});
      const row_weights weights = kept_weights(graph_, options_.keep);
      if (weights == row_weights::arcs) made->arcs = machine::huge_array<arc>(slots);
      if (weights != row_weights::arcs) made->neighbours = machine::huge_array<std::uint32_t>(slots);
      if (weights == row_weights::parallel) made->weights = machine::huge_array<float>(slots);
      return made;
    });
    return loops::first_failure(read_part(which, offsets, *into));
  }

  status read_part(orj_rows_of which, const offset_array& offsets, adjacency& into) {
    if (offsets.size() == 0) return {};
    const std::span<const std::uint64_t> all = offsets.part(0, offsets.size());
    const core_part& part = graph_.my_part();
    std::copy(all.begin() + 1, all.end(), into.offsets.begin() + part.first + 1);
    auto reader = orj_edge_reader::open(source_, header_, which, all, rule_of(options_));
    if (!reader.ok()) return reader.status();
    if (into.arcs.size() > 0) return reader.value().read_arcs(into.arcs.part(all.front(), all.back()));
    const auto neighbours = into.neighbours.part(all.front(), all.back());
    if (status failed = reader.value().read_neighbours(neighbours); !failed.ok()) return failed;
    if (into.weights.size() == 0) return {};
    return reader.value().read_weights(into.weights.part(all.front(), all.back()));
  }

  byte_source& source_;
  const orj_header& header_;
  locale_graph& graph_;
  const build_options& options_;
  offset_array in_offsets_, out_offsets_;  // of the calling core's vertices
};

// On several locales: the rows of each core's vertices, then as after a shuffle.
status load_and_assemble(byte_source& source, const orj_header& header, locale_graph& g,
                         const build_options& options) {
  const loops::index_range mine{g.owners.first_of(my_core()), g.owners.last_of(my_core())};
  auto in = read_orj_rows(source, header, orj_rows_of::in_edges, mine, rule_of(options));
  if (status failed = loops::first_failure(in.status()); !failed.ok()) return failed;
  result<rows> out = rows{};
  if (options.keep.out_rows && !header.symmetric)
    out = read_orj_rows(source, header, orj_rows_of::out_edges, mine, rule_of(options));
  if (status failed = loops::first_failure(out.status()); !failed.ok()) return failed;
  return assemble(g, std::move(in).value(), std::move(out).value(), options);
}

status load_ids(byte_source& source, const orj_header& header, locale_graph& g) {
  if (!header.has(orj_section::ids)) return {};
  if (leads_locale()) g.external_ids.resize(g.own);
  loops::barrier(loops::group::locale);
  const core_part& part = g.my_part();
  return loops::first_failure(read_orj_ids(source, header, g.first_vertex + part.first,
                                           part.of(std::span<std::uint64_t>(g.external_ids))));
}

result<std::shared_ptr<locale_graph>> load(byte_source& source, const orj_header& header,
                                           const build_options& options) {
  const auto shared = loops::share_on_locale<result<numbering>>(
      [&] { return std::make_shared<result<numbering>>(numbering_of(source, header)); });
  const result<numbering>& numbers = *shared;
  if (status failed = loops::first_failure(numbers.status()); !failed.ok()) return failed;
  if (status s = check_memory_to_load({header.vertices, header.edges, header.weighted}, options); !s.ok())
    return s;
  graph_outline outline{header.weighted, header.symmetric, header.first_id, numbers.value()};
  auto owners = cut_orj(source, header, cores(), options.partition.alpha);
  if (!owners.ok()) return owners.status();
  outline.owners = std::move(owners).value();
  if (const int others = options.keep.cut_for_cores; others > 0) {
    auto theirs = cut_orj(source, header, others, options.partition.alpha);
    if (!theirs.ok()) return theirs.status();
    outline.other_owners = std::move(theirs).value();
  }
  auto opened = open_graph(outline);
  if (!opened.ok()) return opened;
  locale_graph& g = *opened.value();
  const bool direct = locales() == 1 && (!options.keep.in_vectors || has_the_vectors(header, options));
  const status failed =
      direct ? direct_load(source, header, g, options).run() : load_and_assemble(source, header, g, options);
  if (!failed.ok()) return failed;
  if (status s = load_ids(source, header, g); !s.ok()) return s;
  loops::barrier();
  return opened;
}

}  // namespace

result<std::shared_ptr<locale_graph>> load_orj(const input_source& from, const build_options& options) {
  const std::shared_ptr<locale_graph> none;
  if (from.generator || (from.format && from.format != formats::file_format::orj)) return none;
  const auto opened = formats::open_source(from.file);
  if (const status failure = loops::first_failure(opened.status()); !failure.ok()) return failure;
  byte_source& source = *opened.value();
  const auto header = formats::find_orj_header(source);
  if (const status failure = loops::first_failure(header.status()); !failure.ok()) return failure;
  if (!header.value() || !has_the_graph(*header.value(), options)) return none;
  return load(source, *header.value(), options);
}

}  // namespace orujo::graph
