#include "framework/graph/build/text_input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "framework/formats/first_row.hpp"
#include "framework/formats/neighbour_symmetry.hpp"
#include "framework/graph/build/compressed_input.hpp"
#include "framework/graph/build/memory_needs.hpp"
#include "framework/graph/build/position_names.hpp"
#include "framework/graph/build/read_ahead.hpp"
#include "framework/graph/build/watched_source.hpp"
#include "framework/graph/vertex_names.hpp"
#include "system/collectives/collectives.hpp"
#include "system/loops/forall.hpp"

namespace orujo::internal::graph {
namespace {

using formats::text_layout, formats::text_part;

// Appends the rows of a METIS graph in these bytes to `to`. The part has no edges then.
result<text_part> read_rows(formats::byte_source& source, const text_layout& layout, index_range bytes,
                            std::uint64_t first_row, std::uint64_t room, formats::row_list& to) {
  constexpr std::uint64_t bytes_at_a_time = std::uint64_t{1} << 20, shortest_edge = 2;
  to.reserve(std::min(layout.entries, bytes.size() / shortest_edge), layout.has_weights());
  text_part all;
  all.summary.columns = layout.columns;
  for (std::uint64_t first = bytes.first; first < bytes.last; first += bytes_at_a_time) {
    if (all.summary.error != exit_status::ok) break;
    const std::uint64_t last = std::min<std::uint64_t>(first + bytes_at_a_time, bytes.last);
    auto part = formats::read_text_range(source, layout, first, last, first_row + all.summary.rows, room);
    if (!part.ok()) return part.status();
    all.summary = formats::joined_rows(all.summary, part.value().summary);
    to.append(part.value().list);
    if (part.value().list.rounded_weight > 0) all.list.rounded_weight = part.value().list.rounded_weight;
    if (status no_room = formats::check_room(to.bytes(), room, source.path()); !no_room.ok()) return no_room;
  }
  return all;
}

// [collective over the job] This core's part of a seekable source. Rows of METIS go to `in_rows`, if it is
// there, and it is empty afterwards for other formats.
result<text_part> read_my_part(formats::byte_source& source, const formats::text_request& wanted,
                               text_layout& layout, std::optional<formats::row_list>& in_rows) {
  const auto found = formats::find_layout(source, wanted);
  if (const status failure = collectives::first_failure(found.status()); !failure.ok()) return failure;
  layout = found.value();
  const index_range even = my_part_of_job({0, source.size()});
  const std::uint64_t most = even.size() / 8;  // ranges may differ by so much
  const index_range bytes{source.start_near(even.first, most), source.start_near(even.last, most)};
  const auto rows = formats::count_rows(source, layout, bytes.first, bytes.last);
  if (const status failure = collectives::first_failure(rows.status()); !failure.ok()) return failure;
  const std::uint64_t first_row = collectives::exclusive_sum(rows.value());
  const std::uint64_t room = room_to_read(readers::all_cores);
  if (layout.format != formats::text_format::metis || layout.vertices > formats::most_vertices_of_rows)
    in_rows.reset();
  if (in_rows) {
    layout.halved = false;
    return read_rows(source, layout, bytes, first_row, room, *in_rows);
  }
  return formats::read_text_range(source, layout, bytes.first, bytes.last, first_row, room);
}

// [collective over the job] Everything at core 0, nothing at others.
result<text_part> read_all(formats::byte_source& source, const formats::text_request& wanted,
                           text_layout& layout) {
  result<text_part> part = text_part{};
  const std::uint64_t room = room_to_read(readers::core_0);
  read_at_core_0(source, [&](formats::byte_source& all) {
    part = formats::read_text_stream(all, layout, wanted, room);
  });
  layout = collectives::broadcast(layout, 0);
  return part;
}

// [collective over the job] The first row of names that no other row has is none of an edge.
void drop_header(text_part& part, std::span<const formats::text_summary> summaries, const text_layout& layout,
                 formats::text_totals& totals) {
  const auto owner = formats::part_of_doubtful_row(summaries, layout);
  if (!owner) return;
  const bool mine = static_cast<std::size_t>(my_core()) == *owner;
  const formats::row_names row = collectives::broadcast(
      mine ? formats::names_of_first_row(part) : formats::row_names(), static_cast<core_id>(*owner));
  const bool again = formats::has_name_of(row, part, mine, layout);
  if (collectives::all_reduce(again ? 1 : 0) > 0) return;
  if (mine) formats::drop_first_row(part, layout);
  formats::note_dropped_row(totals);
}

result<input_edges> read_lines(const input_source& from, formats::byte_source& source) {
  formats::text_request wanted = text_request_of(from);
  wanted.halved = true;
  text_layout layout;
  std::optional<formats::row_list> rows;
  if (from.wants_rows && source.seekable()) rows.emplace();
  auto part =
      source.seekable() ? read_my_part(source, wanted, layout, rows) : read_all(source, wanted, layout);
  if (const status failure = collectives::first_failure(part.status()); !failure.ok()) return failure;
  const std::vector<formats::text_summary> summaries = collectives::all_gather(part.value().summary);
  result<formats::text_totals> totals = formats::combine_text_parts(summaries, layout, source.path());
  if (!totals.ok()) return totals.status();
  const status symmetry = my_core() == 0 ? formats::check_symmetry(totals.value(), source, layout) : status();
  if (const status failure = collectives::first_failure(symmetry); !failure.ok()) return failure;
  drop_header(part.value(), summaries, layout, totals.value());
  if (const auto vertices = formats::vertices_in_front(totals.value(), layout))
    formats::note_larger_ids(
        totals.value(), collectives::all_reduce(formats::count_larger_ids(part.value().list, *vertices)));
  input_edges read = of_text(layout, totals.value());
  if (totals.value().columns == 3 && layout.ignores_weights) tell_ignored_weights(from);
  read.mine = std::move(part.value().list);
  read.rows = std::move(rows);
  if (layout.bipartite) {
    const side_bounds all = collectives::all_reduce(bounds_of(read.mine), joined);
    if (status failed = separate_sides(read.mine, all, source.path()); !failed.ok()) return failed;
  }
  read.mirrored = layout.halved;
  if (layout.named) set_names(read, position_names(read.mine, part.value().names));
  return read;
}

}  // namespace

formats::text_request text_request_of(const input_source& from) {
  return {from.format ? formats::text_format_of(*from.format) : std::nullopt,
          from.named,
          from.ignores_weights,
          from.non_negative_weights,
          from.table,
          from.mirrored};
}

input_edges of_text(const text_layout& layout, const formats::text_totals& totals) {
  input_edges read;
  read.weighted = totals.columns == 3 && !layout.ignores_weights;
  read.format = formats::format_of(layout);
  read.file_totals = totals;
  if (!layout.has_vertex_count()) return read;
  read.vertex_count = layout.vertices;
  read.first_id = layout.least_id;
  return read;
}

side_bounds bounds_of(const formats::edge_list& list) {
  side_bounds bounds;
  for (const edge& e : list.edges)
    bounds = joined(bounds, {.most_source = e.source, .least_target = e.target, .most_target = e.target});
  return bounds;
}

side_bounds joined(const side_bounds& a, const side_bounds& b) {
  return {std::max(a.most_source, b.most_source), std::min(a.least_target, b.least_target),
          std::max(a.most_target, b.most_target)};
}

status separate_sides(formats::edge_list& list, const side_bounds& all, const std::string& path) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  const std::uint64_t one = all.least_target == 0 ? 1 : 0;
  if (all.most_source > most - one || all.most_target > most - one - all.most_source)
    return {exit_status::bad_data,
            fmt::format("{}: sources up to {} and targets up to {} do not fit together; expected less than "
                        "2^64 ids of both, as --bipartite numbers targets after the sources",
                        path, all.most_source, all.most_target)};
  for (edge& e : list.edges) e.target += all.most_source + one;
  return {};
}

result<input_edges> read_text_file(const input_source& from, formats::byte_source& source) {
  if (source.seekable()) return read_lines(from, source);
  const auto parts = open_in_parts(source);
  if (!parts.ok()) return parts.status();
  if (parts.value()) {
    input_source edges = from;
    edges.wants_rows =
        false;  // rows are read in pieces that go back a little, and that would decompress again
    auto read = watching(*parts.value(), [&](formats::byte_source& all) { return read_lines(edges, all); });
    if (read.ok() || collectives::all_reduce(parts.value()->misled() ? 1 : 0) == 0) return read;
  }
  return read_lines(from, source);
}

}  // namespace orujo::internal::graph
