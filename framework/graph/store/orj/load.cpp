#include "framework/graph/store/orj/load.hpp"

#include <algorithm>
#include <utility>

#include "framework/graph/build/assemble.hpp"
#include "framework/graph/build/build.hpp"
#include "framework/graph/build/memory_needs.hpp"
#include "framework/graph/store/orj/cut.hpp"
#include "framework/graph/store/orj/in_place.hpp"
#include "framework/graph/store/orj/input.hpp"
#include "framework/graph/store/orj/names.hpp"
#include "framework/graph/store/orj/rows.hpp"
#include "system/collectives/collectives.hpp"

namespace orujo::internal::graph {
namespace {

using formats::byte_source;
using formats::orj_header;
using formats::orj_numbering;
using formats::orj_section;

bool has_the_graph(const orj_header& h, const build_options& options) {
  const partition_options& wanted = options.partition;
  const bool any_order = wanted.as_stored && options.keep.order == requested_order::any;
  const bool in_order = wanted.hash
                            ? h.numbering == orj_numbering::scattered
                            : options.order == nullptr && options.keep.order != requested_order::by_degree &&
                                  (any_order || h.numbering == orj_numbering::positions);
  return in_order && (!options.symmetrize || h.symmetric) &&
         (!options.remove_self_loops || h.no_self_loops) &&
         (!options.remove_duplicates || h.no_parallel_edges);
}

bool has_the_vectors(const orj_header& h, const build_options& options) {
  return locales() == 1 && h.segments > 0 && h.bundle_depth == options.bundle_depth &&
         (options.segments == 0 || options.segments == h.segments);
}

// On several locales: the rows of each core's vertices, then as after a shuffle.
status load_and_assemble(byte_source& source, const orj_header& header, locale_graph& g,
                         const build_options& options) {
  const index_range mine{g.owners.first_of(my_core()), g.owners.last_of(my_core())};
  auto in = read_orj_rows(source, header, orj_rows_of::in_edges, mine, weight_rule_of(options.keep));
  if (status failed = collectives::first_failure(in.status()); !failed.ok()) return failed;
  result<rows> out = rows{};
  if (options.keep.out_rows && !header.symmetric)
    out = read_orj_rows(source, header, orj_rows_of::out_edges, mine, weight_rule_of(options.keep));
  if (status failed = collectives::first_failure(out.status()); !failed.ok()) return failed;
  return assemble(g, std::move(in).value(), std::move(out).value(), options);
}

// The vertices cut for this job, and for another one if that is requested.
result<graph_outline> cut_vertices(byte_source& source, const orj_header& header, const vertex_order& order,
                                   const build_options& options) {
  graph_outline outline{.weighted = header.weighted,
                        .symmetric = header.symmetric,
                        .first_id = header.first_id,
                        .order = order};
  auto owners = cut_orj(source, header, cores(), options.partition.alpha);
  if (!owners.ok()) return owners.status();
  outline.owners = std::move(owners).value();
  if (const int others = options.keep.cut_for_cores; others > 0) {
    auto theirs = cut_orj(source, header, others, options.partition.alpha);
    if (!theirs.ok()) return theirs.status();
    outline.other_owners = std::move(theirs).value();
  }
  return outline;
}

status load_edges(byte_source& source, const orj_header& header, locale_graph& g,
                  const build_options& options) {
  const bool direct = locales() == 1 && (!options.keep.in_vectors || has_the_vectors(header, options));
  return direct ? load_in_place(source.path(), header, g, options.keep)
                : load_and_assemble(source, header, g, options);
}

status load_ids(byte_source& source, const orj_header& header, locale_graph& g) {
  if (!header.has(orj_section::ids)) return {};
  if (leads_locale()) g.external_ids.resize(g.own);
  collectives::barrier(collectives::group::locale);
  const core_part& part = g.my_part();
  return read_orj_ids(source, header, g.first_vertex + part.first,
                      part.of(std::span<std::uint64_t>(g.external_ids)), share_of_job().agree);
}

result<std::shared_ptr<locale_graph>> load(byte_source& source, const orj_header& header,
                                           const input_source& from, const build_options& options) {
  const auto shared = collectives::share_on_locale<result<numbering>>(
      [&] { return std::make_shared<result<numbering>>(numbering_of(source, header)); });
  const result<numbering>& numbers = *shared;
  if (status failed = collectives::first_failure(numbers.status()); !failed.ok()) return failed;
  if (status s = check_memory_to_load({header.vertices, header.edges, header.weighted}, options); !s.ok())
    return s;
  order_report order;
  if (header.numbering != orj_numbering::positions) {
    order.name = header.layout;
    order.origin = order_origin::file;
  }
  auto outline = cut_vertices(source, header, {numbers.value(), order}, options);
  if (!outline.ok()) return outline.status();
  auto opened = open_graph(outline.value());
  if (!opened.ok()) return opened;
  locale_graph& g = *opened.value();
  const status failed = load_edges(source, header, g, options);
  if (failed.code() == exit_status::bad_data) {
    auto edges = read_orj_edges_here(source, header, from, failed);
    if (!edges.ok()) return edges.status();
    return build(std::move(edges).value(), options);
  }
  if (!failed.ok()) return failed;
  if (status s = load_ids(source, header, g); !s.ok()) return s;
  if (has_names(header)) {
    const auto names = share_orj_names(source, header);
    if (!names.ok()) return names.status();
    if (leads_locale()) g.names = names.value();
  }
  collectives::barrier();
  return opened;
}

}  // namespace

result<std::shared_ptr<locale_graph>> load_orj(const input_source& from, const build_options& options) {
  const std::shared_ptr<locale_graph> none;
  if (from.generator || (from.format && from.format != formats::file_format::orj)) return none;
  const auto opened = formats::open_source(from.file);
  if (const status failure = collectives::first_failure(opened.status()); !failure.ok()) return failure;
  byte_source& source = *opened.value();
  auto header = find_orj(from, source);
  if (const status failure = collectives::first_failure(header.status()); !failure.ok()) return failure;
  if (!header.value() || !has_the_graph(*header.value(), options)) return none;
  if (from.ignores_weights && std::exchange(header.value()->weighted, false)) tell_ignored_weights(from);
  return load(source, *header.value(), from, options);
}

}  // namespace orujo::internal::graph
