#include "framework/graph/input.hpp"

#include "system/loops/collectives.hpp"
#include "system/loops/forall.hpp"

namespace orujo::graph {
namespace {

input_edges generate_part(const generators::generator_spec& spec) {
  const loops::index_range all{0, spec.edge_count()};
  const loops::index_range part =
      loops::part_of(all, static_cast<std::size_t>(my_core()), static_cast<std::size_t>(cores()));
  input_edges made;
  made.vertex_count = spec.vertex_count();
  made.weighted = spec.weighted;
  generators::generate(spec, part.first, part.last, made.mine);
  return made;
}

// This core's part of the file; of a compressed one core 0 reads everything.
result<formats::text_part> read_part(const std::string& path) {
  auto opened = formats::open_source(path);
  if (!opened.ok()) return opened.status();
  formats::byte_source& source = *opened.value();
  if (source.seekable()) {
    const loops::index_range bytes = loops::part_of({0, source.size()}, static_cast<std::size_t>(my_core()),
                                                    static_cast<std::size_t>(cores()));
    return formats::read_text_range(source, bytes.first, bytes.last);
  }
  return my_core() == 0 ? formats::read_text_stream(source) : formats::text_part{};
}

result<input_edges> read_file(const std::string& path) {
  result<formats::text_part> part = read_part(path);
  if (const status failure = loops::first_failure(part.status()); !failure.ok()) return failure;
  const std::vector<formats::text_summary> summaries = loops::all_gather(part.value().summary);
  const result<formats::text_totals> totals = formats::combine_text_parts(summaries, path);
  if (!totals.ok()) return totals.status();
  input_edges read;
  read.mine = std::move(part.value().list);
  read.weighted = totals.value().columns == 3;
  read.file_totals = totals.value();
  return read;
}

}  // namespace

result<input_edges> read_input(const input_source& source) {
  if (source.generator) return generate_part(*source.generator);
  return read_file(source.file);
}

result<edge_list> read_serially(const input_source& source) {
  if (source.generator) {
    edge_list all;
    generators::generate(*source.generator, 0, source.generator->edge_count(), all);
    return all;
  }
  auto opened = formats::open_source(source.file);
  if (!opened.ok()) return opened.status();
  auto read = formats::read_text(*opened.value());
  if (!read.ok()) return read.status();
  return std::move(read.value().list);
}

}  // namespace orujo::graph
