#include "framework/graph/input.hpp"

#include <algorithm>

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
  made.generated = {spec, part.first, part.last};
  return made;
}

// This core's part of the file; of a compressed one core 0 reads everything.
result<formats::text_part> read_part(const std::string& path) {
  auto opened = formats::open_source(path);
  if (!opened.ok()) return opened.status();
  formats::byte_source& source = *opened.value();
  if (source.seekable()) {
    const loops::index_range bytes = loops::my_part_of_job({0, source.size()});
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
  return read_file(source.file);
}

result<edge_list> read_serially(const input_source& source) {
  if (source.generator) {
    return generators::generate(*source.generator, 0, source.generator->edge_count());
  }
  auto opened = formats::open_source(source.file);
  if (!opened.ok()) return opened.status();
  auto read = formats::read_text(*opened.value());
  if (!read.ok()) return read.status();
  return std::move(read.value().list);
}

}  // namespace orujo::graph
