#include "framework/graph/build/input.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <system_error>

#include <fmt/format.h>
#include <glog/logging.h>

#include "framework/formats/ldbc_graph.hpp"
#include "framework/formats/numbered_edges.hpp"
#include "framework/formats/source_bytes.hpp"
#include "framework/graph/build/document_input.hpp"
#include "framework/graph/build/memory_needs.hpp"
#include "framework/graph/build/position_names.hpp"
#include "framework/graph/build/read_ahead.hpp"
#include "framework/graph/build/text_input.hpp"
#include "framework/graph/build/watched_source.hpp"
#include "framework/graph/store/orj/input.hpp"
#include "framework/graph/vertex_names.hpp"
#include "system/base/counted.hpp"
#include "system/collectives/collectives.hpp"
#include "system/loops/forall.hpp"
#include "system/machine/available_memory.hpp"

namespace orujo::internal::graph {
namespace {

input_edges generate_part(const generators::generator_spec& spec) {
  const index_range part = my_part_of_job({0, spec.edge_count()});
  input_edges made;
  made.vertex_count = spec.vertex_count();
  made.weighted = spec.weighted;
  made.generated = {spec, part.first, part.last, {}, false};
  return made;
}

input_edges of_numbered(const formats::numbered_edges& file) {
  input_edges read;
  read.weighted = file.weighted();
  read.format = file.format();
  read.vertex_count = file.vertices();
  return read;
}

// A compressed adjacency graph is recognised by its path, and read into memory.
bool is_compressed_adjacency(const input_source& from, const formats::byte_source& source) {
  return !source.seekable() &&
         (from.format ? *from.format : formats::format_of_path(from.file)) == formats::file_format::adjacency;
}

// All edges by one reader, in so much memory.
result<input_edges> read_compressed_adjacency(const input_source& from, formats::byte_source& source,
                                              std::uint64_t room) {
  const auto memory = formats::read_into_memory(source, room);
  if (!memory.ok()) return memory.status();
  auto file = formats::numbered_edges::find(*memory.value(),
                                            {formats::file_format::adjacency, {}, from.ignores_weights});
  if (!file.ok()) return file.status();
  const std::uint64_t needed = memory.value()->size() + file.value()->edges() * sizeof(edge);
  if (needed > room)
    return status(exit_status::no_resource,
                  fmt::format("{}: its edges require {} bytes of memory and {} are available: use a smaller "
                              "graph, or raise --memory_budget_bytes if you set it",
                              source.path(), needed, room));
  auto list = file.value()->read_all_edges();
  if (!list.ok()) return list.status();
  input_edges read = of_numbered(*file.value());
  read.mine = std::move(list).value();
  return read;
}

// [task; suspends; collective over the job] Fails if nodes see different files under the same path.
status check_agreement(const formats::numbered_edges& file, const std::string& path) {
  struct shape {
    std::uint64_t edges, weighted;
    bool operator==(const shape&) const = default;
  };
  const shape mine{file.edges(), file.weighted() ? 1u : 0u}, first = collectives::broadcast(mine, 0);
  return collectives::first_failure(
      mine == first ? status()
                    : status(exit_status::bad_data,
                             fmt::format("{}: {} here, but {} at core 0; nodes must see the same file", path,
                                         base::counted(mine.edges, "edge"), first.edges)));
}

status read_numbered_edges(const formats::numbered_edges& file, index_range which, formats::edge_list& to) {
  auto list = file.read(which.first, which.last);
  if (!list.ok()) return list.status();
  to = std::move(list).value();
  return {};
}

// Some edges at a time, as rows need a quarter of the memory, and the system takes long to clear it.
status read_numbered_rows(const formats::numbered_edges& file, index_range which, input_edges& to) {
  constexpr std::size_t edges_at_a_time = std::size_t{1} << 18;
  to.rows->reserve(which.size(), file.weighted());
  for (std::size_t first = which.first; first < which.last; first += edges_at_a_time) {
    formats::edge_list some;
    if (status s = read_numbered_edges(file, {first, std::min(first + edges_at_a_time, which.last)}, some);
        !s.ok())
      return s;
    to.rows->append(some);
    if (some.rounded_weight > 0) to.mine.rounded_weight = some.rounded_weight;
  }
  return {};
}

// All cores of the job read a part each.
result<input_edges> read_numbered(formats::numbered_edges& file, const std::string& path, bool wants_rows) {
  if (status failure = check_agreement(file, path); !failure.ok()) return failure;
  const index_range blocks = my_part_of_job({0, file.blocks()});
  auto counted = file.count_blocks(blocks.first, blocks.last);
  if (const status failure = collectives::first_failure(counted.status()); !failure.ok()) return failure;
  if (file.blocks() > 0) {
    std::vector<std::uint32_t> all;
    for (const auto& of_core : collectives::all_gather(counted.value()))
      all.insert(all.end(), of_core.begin(), of_core.end());
    if (status wrong = file.set_counts(all); !wrong.ok()) return wrong;
  }
  const index_range vertices = my_part_of_job({0, file.vertices().value_or(0)});
  const status checked = file.check_vertices(vertices.first, vertices.last);
  if (const status failure = collectives::first_failure(checked); !failure.ok()) return failure;
  if (status failure = check_memory_to_read(file.edges(), file.weighted()); !failure.ok()) return failure;
  const index_range edges = my_part_of_job({0, file.edges()});
  input_edges read = of_numbered(file);
  const bool has_rows = file.format() == formats::file_format::adjacency &&
                        *read.vertex_count <= formats::most_vertices_of_rows;
  if (wants_rows && has_rows) read.rows.emplace();
  const status failed =
      read.rows ? read_numbered_rows(file, edges, read) : read_numbered_edges(file, edges, read.mine);
  if (const status failure = collectives::first_failure(failed); !failure.ok()) return failure;
  return read;
}

// Core 0 reads all edges; every core gets to know what is said of them.
result<input_edges> read_adjacency_at_core_0(const input_source& from, formats::byte_source& source) {
  result<input_edges> read = input_edges{};
  const std::uint64_t room = room_to_read(readers::core_0);
  read_at_core_0(source,
                 [&](formats::byte_source& all) { read = read_compressed_adjacency(from, all, room); });
  if (const status failure = collectives::first_failure(read.status()); !failure.ok()) return failure;
  input_edges& mine = read.value();
  mine.weighted = collectives::broadcast(mine.weighted, 0);
  mine.vertex_count = collectives::broadcast(mine.vertex_count.value_or(0), 0);
  mine.format = formats::file_format::adjacency;
  return read;
}

bool is_ldbc(const input_source& from) {
  return (from.format ? *from.format : formats::format_of_path(from.file)) == formats::file_format::ldbc;
}

// The edges' file of such a graph, as a table without a header.
input_source edges_from(const formats::ldbc_graph& graph, const input_source& from) {
  input_source edges = from;
  edges.file = graph.edge_file;
  edges.format = formats::file_format::csv;
  edges.table = {.header = false, .separator = ' ', .source = "1", .target = "2"};
  if (graph.weight_column > 0) edges.table.weight = std::to_string(graph.weight_column);
  edges.ignores_weights |= graph.weight_column == 0;
  edges.mirrored = !graph.directed;
  return edges;
}

// Notes the announced counts, which are compared with the data, as those of SNAP's header are.
void note_announced(const formats::ldbc_graph& graph, input_edges& read) {
  read.format = formats::file_format::ldbc;
  if (!graph.vertices || !graph.edges) return;
  read.file_totals->has_header = true;
  read.file_totals->header_nodes = *graph.vertices;
  read.file_totals->header_edges = *graph.edges;
}

status bad_vertex(const std::string& file, std::uint64_t lines_before, const formats::vertex_lines& found) {
  if (found.error.empty()) return {};
  return {exit_status::bad_data, fmt::format("{}:{}:{}", file, lines_before + found.lines + 1, found.error)};
}

// [task; suspends; collective over the job] All cores read a part each of both files.
result<input_edges> read_ldbc(const input_source& from) {
  if (from.named) return formats::no_names(from.file, formats::file_format::ldbc);
  const auto graph = formats::read_ldbc_properties(from.file);
  if (const status failure = collectives::first_failure(graph.status()); !failure.ok()) return failure;
  const auto edges = formats::open_source(graph.value().edge_file);
  if (const status failure = collectives::first_failure(edges.status()); !failure.ok()) return failure;
  auto read = read_text_file(edges_from(graph.value(), from), *edges.value());
  if (!read.ok()) return read;
  const auto vertices = formats::open_source(graph.value().vertex_file);
  if (const status failure = collectives::first_failure(vertices.status()); !failure.ok()) return failure;
  if (!vertices.value()->seekable()) return formats::wants_plain(graph.value().vertex_file);
  const index_range mine = my_part_of_job({0, vertices.value()->size()});
  auto ids = formats::read_vertex_lines(*vertices.value(), mine.first, mine.last);
  if (const status failure = collectives::first_failure(ids.status()); !failure.ok()) return failure;
  const std::uint64_t before = collectives::exclusive_sum(ids.value().lines);
  const status wrong = bad_vertex(graph.value().vertex_file, before, ids.value());
  if (const status failure = collectives::first_failure(wrong); !failure.ok()) return failure;
  read.value().vertices = std::move(ids.value().ids);
  note_announced(graph.value(), read.value());
  return read;
}

// The same by one reader, which leaves ids in place of the vertices.
result<input_edges> read_ldbc_serially(const input_source& from) {
  const auto graph = formats::read_ldbc_properties(from.file);
  if (!graph.ok()) return graph.status();
  auto read = read_serially(edges_from(graph.value(), from));
  if (!read.ok()) return read;
  const auto vertices = formats::open_source(graph.value().vertex_file);
  if (!vertices.ok()) return vertices.status();
  if (!vertices.value()->seekable()) return formats::wants_plain(graph.value().vertex_file);
  auto found = formats::read_vertex_lines(*vertices.value(), 0, vertices.value()->size());
  if (!found.ok()) return found.status();
  if (status wrong = bad_vertex(graph.value().vertex_file, 0, found.value()); !wrong.ok()) return wrong;
  input_edges& input = read.value();
  std::vector<std::uint64_t> ids = std::move(found.value().ids);
  for (const edge& e : input.mine.edges) ids.insert(ids.end(), {e.source, e.target});
  std::ranges::sort(ids);
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  for (edge& e : input.mine.edges) {
    for (std::uint64_t* end : {&e.source, &e.target})
      *end = static_cast<std::uint64_t>(std::ranges::lower_bound(ids, *end) - ids.begin());
  }
  input.vertex_count = ids.size();
  input.ids = std::make_shared<const std::vector<std::uint64_t>>(std::move(ids));
  note_announced(graph.value(), input);
  return read;
}

result<input_edges> read_any_format(const input_source& from, formats::byte_source& source) {
  const auto orj = find_orj(from, source);
  if (const status failure = collectives::first_failure(orj.status()); !failure.ok()) return failure;
  if (orj.value()) return read_orj_edges_here(source, *orj.value(), from);
  if (is_compressed_adjacency(from, source)) {
    if (from.named) return formats::no_names(from.file, formats::file_format::adjacency);
    return read_adjacency_at_core_0(from, source);
  }
  auto numbered = formats::numbered_edges::find(source, {from.format, from.scale, from.ignores_weights});
  if (const status failure = collectives::first_failure(numbered.status()); !failure.ok()) return failure;
  if (from.named && numbered.value()) return formats::no_names(from.file, numbered.value()->format());
  if (numbered.value() && numbered.value()->ignores_its_weights()) tell_ignored_weights(from);
  if (numbered.value()) return read_numbered(*numbered.value(), from.file, from.wants_rows);
  formats::looked_at_source looked_at(source);
  result<std::optional<formats::file_format>> document = std::optional<formats::file_format>();
  if (my_core() == 0) document = find_document(from, looked_at);
  if (const status failure = collectives::first_failure(document.status()); !failure.ok()) return failure;
  const std::optional<formats::file_format> format = collectives::broadcast(document.value(), 0);
  return format ? read_document_file(from, looked_at, *format) : read_text_file(from, looked_at);
}

result<input_edges> read_file(const input_source& from) {
  if (is_ldbc(from)) return read_ldbc(from);
  auto opened = formats::open_source(from.file);
  if (const status failure = collectives::first_failure(opened.status()); !failure.ok()) return failure;
  std::unique_ptr<formats::byte_source> source = std::move(opened).value();
  auto read =
      source->seekable()
          ? watching(*source, [&](formats::byte_source& whole) { return read_any_format(from, whole); })
          : read_any_format(from, *source);
  if (read.ok()) read.value().path = source->path();
  return read;
}

std::uint64_t bytes_of(const std::string& file) {
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(file, error);
  return error ? 0 : size;
}

// The first flag that is for files of other formats than this.
const char* misplaced_flag(const input_source& from, formats::file_format format) {
  using formats::file_format;
  if (from.scale && format != file_format::graph500) return "graph500_scale";
  if (format == file_format::csv || format == file_format::konect) return nullptr;
  const formats::table_request& table = from.table;
  if (table.header) return "header";
  if (table.separator != 0) return "separator";
  if (!table.source.empty()) return "source_column";
  if (!table.target.empty()) return "target_column";
  if (!table.time.empty()) return "time_column";
  return table.weight.empty() || formats::is_document(format) ? nullptr : "weight_column";
}

result<input_edges> read_file_serially(const input_source& from) {
  if (is_ldbc(from)) return read_ldbc_serially(from);
  const auto opened = formats::open_source(from.file);
  if (!opened.ok()) return opened.status();
  formats::byte_source& source = *opened.value();
  const auto orj = find_orj(from, source);
  if (!orj.ok()) return orj.status();
  if (orj.value()) return read_orj_serially(source, *orj.value(), from);
  if (is_compressed_adjacency(from, source))
    return read_compressed_adjacency(from, source, machine::available_memory());
  auto numbered = formats::numbered_edges::find(source, {from.format, from.scale, from.ignores_weights});
  if (!numbered.ok()) return numbered.status();
  if (numbered.value()) {
    auto list = numbered.value()->read_all_edges();
    if (!list.ok()) return list.status();
    input_edges read = of_numbered(*numbered.value());
    read.mine = std::move(list).value();
    return read;
  }
  formats::looked_at_source looked_at(source);
  const auto document = find_document(from, looked_at);
  if (!document.ok()) return document.status();
  if (document.value()) return read_document_serially(from, looked_at, *document.value());
  auto text = formats::read_text(looked_at, text_request_of(from));
  if (!text.ok()) return text.status();
  input_edges read = of_text(text.value().layout, text.value().totals);
  read.mine = std::move(text.value().list);
  if (text.value().layout.bipartite) {
    status failed = separate_sides(read.mine, bounds_of(read.mine), looked_at.path());
    if (!failed.ok()) return failed;
  }
  if (text.value().layout.named) {
    position_names_serially(read.mine, text.value().names);
    read.vertex_count = text.value().names.size();
    read.named = true;
  }
  return read;
}

}  // namespace

void tell_ignored_weights(const input_source& from) {
  if (from.tells_of_weights && my_core() == 0)
    LOG(INFO) << from.name << ": this program ignores the weights of the edges";
}

status check_asked(const input_source& from, formats::file_format format) {
  using formats::file_format;
  constexpr file_format lists[] = {file_format::edge_list, file_format::csv, file_format::konect,
                                   file_format::matrix_market};
  if (from.table.bipartite.value_or(false) && std::ranges::count(lists, format) == 0)
    return formats::no_sides(from.file, format);
  const char* const flag = misplaced_flag(from, format);
  if (!flag) return {};
  return {exit_status::bad_data, fmt::format("{}: --{} has no effect on a file of the format {}; remove it",
                                             from.file, flag, formats::name_of(format))};
}

result<input_edges> read_input(const input_source& source) {
  if (source.generator) return generate_part(*source.generator);
  auto read = read_file(source);
  if (read.ok() && read.value().format) {
    if (status misplaced = check_asked(source, *read.value().format); !misplaced.ok()) return misplaced;
  }
  if (read.ok()) read.value().file_bytes = bytes_of(source.file);
  return read;
}

result<input_edges> read_serially(const input_source& from) {
  if (from.generator) {
    input_edges made;
    made.mine = generators::generate(*from.generator, 0, from.generator->edge_count());
    made.weighted = from.generator->weighted;
    made.vertex_count = from.generator->vertex_count();
    return made;
  }
  auto read = read_file_serially(from);
  if (!read.ok() || !read.value().format) return read;
  if (status misplaced = check_asked(from, *read.value().format); !misplaced.ok()) return misplaced;
  return read;
}

}  // namespace orujo::internal::graph
