#include "framework/graph/input.hpp"

#include <algorithm>

#include "framework/formats/gap_graph.hpp"
#include "framework/graph/orj_edges.hpp"
#include "framework/graph/orj_rows.hpp"
#include "system/loops/collectives.hpp"
#include "system/loops/forall.hpp"
#include "system/machine/huge_array.hpp"

namespace orujo::graph {
namespace {

constexpr std::size_t edges_of_batch = 1024;       // 16 KiB: in the first-level cache
constexpr std::size_t edges_given_back = 1 << 18;  // 4 MiB at a time, as that takes a system call

void visit_generated(const generated_edges& part, const input_edges::visitor& visit) {
  std::vector<edge> edges(edges_of_batch);
  std::vector<float> weights(part.spec.weighted ? edges_of_batch : 0);
  for (std::uint64_t first = part.first; first < part.last; first += edges_of_batch) {
    const std::size_t count = std::min<std::uint64_t>(edges_of_batch, part.last - first);
    const auto some = std::span(edges).first(count);
    const auto their_weights = std::span(weights).first(part.spec.weighted ? count : 0);
    generators::generate(part.spec, first, some, their_weights);
    if (!part.numbers.is_identity()) {
      for (edge& e : some) e = {part.numbers.number(e.source), part.numbers.number(e.target)};
    }
    visit(some, their_weights);
  }
}

// Hands on what is made of the edges.
input_edges::visitor rewriting(const edge_rewriter& rewrite, const input_edges::visitor& visit) {
  if (!rewrite) return visit;
  return [&, made = std::vector<edge>()](std::span<const edge> edges, std::span<const float>) mutable {
    for (std::size_t first = 0; first < edges.size(); first += edges_of_batch) {
      made.clear();
      rewrite(edges.subspan(first, std::min(edges_of_batch, edges.size() - first)), made);
      visit(made, {});
    }
  };
}

// Gives back the pages of values first .. last - 1.
template <class T>
void discard(std::vector<T>& values, std::size_t first, std::size_t last) {
  if (!values.empty()) machine::discard_pages(values.data() + first, (last - first) * sizeof(T));
}

input_edges generate_part(const generators::generator_spec& spec) {
  const loops::index_range part = loops::my_part_of_job({0, spec.edge_count()});
  input_edges made;
  made.vertex_count = spec.vertex_count();
  made.weighted = spec.weighted;
  made.generated = {spec, part.first, part.last, {}};
  return made;
}

// What is known of the edges but themselves.
input_edges of_text(const formats::text_layout& layout, const formats::text_totals& totals) {
  input_edges read;
  read.weighted = totals.columns == 3;
  read.format = formats::format_of(layout);
  read.file_totals = totals;
  if (!layout.has_vertex_count()) return read;
  read.vertex_count = layout.vertices;
  read.first_id = layout.least_id;
  return read;
}

input_edges of_gap(const formats::gap_layout& layout) {
  input_edges read;
  read.weighted = layout.weighted;
  read.format = formats::file_format::gap;
  read.vertex_count = layout.vertices;
  return read;
}

// Nothing where the file is of another format, which may be read as text.
result<std::optional<formats::gap_layout>> find_gap(const input_source& from, formats::byte_source& source) {
  const bool wanted = from.format == formats::file_format::gap;
  if (from.format && !wanted) return std::optional<formats::gap_layout>();
  auto found = formats::find_gap_layout(source);
  if (found.ok() && !found.value() && wanted) {
    return status(
        exit_status::bad_data,
        from.file + (source.seekable() ? ": no serialized graph of the GAP suite: its size is not what its "
                                         "first numbers say; leave --format away"
                                       : ": a compressed .sg cannot be read: decompress it first"));
  }
  return found;
}

input_edges of_orj(const formats::orj_header& header) {
  input_edges read;
  read.weighted = header.weighted;
  read.format = formats::file_format::orj;
  read.vertex_count = header.vertices;
  read.first_id = header.first_id;
  return read;
}

// Nothing where the file is of another format.
result<std::optional<formats::orj_header>> find_orj(const input_source& from, formats::byte_source& source) {
  const bool wanted = from.format == formats::file_format::orj;
  if (from.format && !wanted) return std::optional<formats::orj_header>();
  auto found = formats::find_orj_header(source);
  if (found.ok() && !found.value() && wanted) {
    return status(
        exit_status::bad_data,
        from.file + (source.seekable() ? ": byte 0: header: this is no .orj file; leave --format away"
                                       : ": a compressed .orj cannot be read: decompress it first"));
  }
  return found;
}

// [task; suspends; collective over the job] Each core has as many edges.
result<input_edges> read_orj_file(formats::byte_source& source, const formats::orj_header& header) {
  const auto shared_numbers = loops::share_on_locale<result<numbering>>(
      [&] { return std::make_shared<result<numbering>>(numbering_of(source, header)); });
  const result<numbering>& numbers = *shared_numbers;
  if (const status failure = loops::first_failure(numbers.status()); !failure.ok()) return failure;
  using id_table = std::shared_ptr<const std::vector<std::uint64_t>>;
  const auto ids = loops::share_on_locale<result<id_table>>(
      [&] { return std::make_shared<result<id_table>>(read_orj_id_table(source, header, numbers.value())); });
  if (const status failure = loops::first_failure(ids->status()); !failure.ok()) return failure;
  const loops::index_range edges = loops::my_part_of_job({0, header.edges});
  auto list = read_orj_edges(source, header, numbers.value(), edges.first, edges.last);
  if (const status failure = loops::first_failure(list.status()); !failure.ok()) return failure;
  input_edges read = of_orj(header);
  read.ids = ids->value();
  read.mine = std::move(list).value();
  return read;
}

// By one reader.
result<input_edges> read_orj_serially(formats::byte_source& source, const formats::orj_header& header) {
  const auto numbers = numbering_of(source, header);
  if (!numbers.ok()) return numbers.status();
  const auto ids = read_orj_id_table(source, header, numbers.value());
  if (!ids.ok()) return ids.status();
  auto list = read_orj_edges(source, header, numbers.value(), 0, header.edges);
  if (!list.ok()) return list.status();
  input_edges read = of_orj(header);
  read.ids = ids.value();
  read.mine = std::move(list).value();
  return read;
}

// A text file: the job's cores read parts of a plain one, core 0 alone a compressed one.
result<input_edges> read_text_file(const input_source& from, formats::byte_source& source) {
  using formats::text_layout, formats::text_part;
  const auto wanted = from.format ? formats::text_format_of(*from.format) : std::nullopt;
  text_layout layout;
  result<text_part> part = text_part{};
  if (source.seekable()) {
    const auto found = formats::find_layout(source, wanted);
    if (const status failure = loops::first_failure(found.status()); !failure.ok()) return failure;
    layout = found.value();
    const loops::index_range bytes = loops::my_part_of_job({0, source.size()});
    const auto rows = formats::count_rows(source, layout, bytes.first, bytes.last);
    if (const status failure = loops::first_failure(rows.status()); !failure.ok()) return failure;
    std::uint64_t first_row = 0;
    core_id core = 0;
    for (const std::uint64_t of_core : loops::all_gather(rows.value()))
      first_row += core++ < my_core() ? of_core : 0;
    part = formats::read_text_range(source, layout, bytes.first, bytes.last, first_row);
  } else {
    if (my_core() == 0) part = formats::read_text_stream(source, layout, wanted);
    layout = loops::broadcast(layout, 0);
  }
  if (const status failure = loops::first_failure(part.status()); !failure.ok()) return failure;
  const std::vector<formats::text_summary> summaries = loops::all_gather(part.value().summary);
  const result<formats::text_totals> totals = formats::combine_text_parts(summaries, layout, source.path());
  if (!totals.ok()) return totals.status();
  input_edges read = of_text(layout, totals.value());
  read.mine = std::move(part.value().list);
  return read;
}

result<input_edges> read_file(const input_source& from) {
  const auto opened = formats::open_source(from.file);
  if (const status failure = loops::first_failure(opened.status()); !failure.ok()) return failure;
  formats::byte_source& source = *opened.value();
  const auto orj = find_orj(from, source);
  if (const status failure = loops::first_failure(orj.status()); !failure.ok()) return failure;
  if (orj.value()) return read_orj_file(source, *orj.value());
  const auto gap = find_gap(from, source);
  if (const status failure = loops::first_failure(gap.status()); !failure.ok()) return failure;
  if (!gap.value()) return read_text_file(from, source);
  const loops::index_range edges = loops::my_part_of_job({0, gap.value()->edges});
  auto list = formats::read_gap_edges(source, *gap.value(), edges.first, edges.last);
  if (const status failure = loops::first_failure(list.status()); !failure.ok()) return failure;
  input_edges read = of_gap(*gap.value());
  read.mine = std::move(list).value();
  return read;
}

}  // namespace

void input_edges::visit_batches(const visitor& visit) const {
  const visitor rewritten = rewriting(rewrite, visit);
  if (generated) return visit_generated(*generated, rewritten);
  rewritten(mine.edges, mine.weights);
}

void input_edges::consume_batches(const visitor& visit) {
  const visitor rewritten = rewriting(rewrite, visit);
  if (generated) return visit_generated(*generated, rewritten);
  const std::span<const edge> edges(mine.edges);
  const std::span<const float> weights(mine.weights);
  for (std::size_t first = 0; first < edges.size(); first += edges_given_back) {
    const std::size_t count = std::min(edges_given_back, edges.size() - first);
    rewritten(edges.subspan(first, count), weights.empty() ? weights : weights.subspan(first, count));
    discard(mine.edges, first, first + count);
    discard(mine.weights, first, first + count);
  }
  mine = {};
}

result<input_edges> read_input(const input_source& source) {
  if (source.generator) return generate_part(*source.generator);
  return read_file(source);
}

result<input_edges> read_serially(const input_source& from) {
  if (from.generator) {
    input_edges made;
    made.mine = generators::generate(*from.generator, 0, from.generator->edge_count());
    made.weighted = from.generator->weighted;
    made.vertex_count = from.generator->vertex_count();
    return made;
  }
  const auto opened = formats::open_source(from.file);
  if (!opened.ok()) return opened.status();
  formats::byte_source& source = *opened.value();
  const auto orj = find_orj(from, source);
  if (!orj.ok()) return orj.status();
  if (orj.value()) return read_orj_serially(source, *orj.value());
  const auto gap = find_gap(from, source);
  if (!gap.ok()) return gap.status();
  if (gap.value()) {
    auto list = formats::read_gap_edges(source, *gap.value(), 0, gap.value()->edges);
    if (!list.ok()) return list.status();
    input_edges read = of_gap(*gap.value());
    read.mine = std::move(list).value();
    return read;
  }
  auto text = formats::read_text(source, from.format ? formats::text_format_of(*from.format) : std::nullopt);
  if (!text.ok()) return text.status();
  input_edges read = of_text(text.value().layout, text.value().totals);
  read.mine = std::move(text.value().list);
  return read;
}

}  // namespace orujo::graph
