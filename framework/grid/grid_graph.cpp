#include "framework/grid/grid_graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <span>
#include <utility>
#include <vector>

#include "framework/graph/build/kept_rows.hpp"
#include "framework/graph/build/memory_needs.hpp"
#include "framework/graph/build/shuffle.hpp"
#include "framework/graph/build/vertex_ids.hpp"
#include "system/collectives/collectives.hpp"
#include "system/loops/forall.hpp"

namespace orujo::internal::graph {
namespace {

constexpr std::uint64_t most_indices = std::uint64_t{1} << 30;
constexpr std::uint64_t word_bits = 64;
// Least number of buckets per range of a locale in which edges are counted; there are at most twice as many.
constexpr std::uint64_t least_buckets_of_range = 512;

std::uint64_t granule(std::uint64_t range) {
  return std::max(word_bits, std::bit_floor(std::max<std::uint64_t>(range, 1)) / least_buckets_of_range);
}

// The shuffle sends an edge to the owner of its row. So rows are numbered such that the locale that keeps an
// edge owns its row: the rows of locale l have the numbers l * size + index.
struct row_numbering {
  grid_shape shape;
  rows_of grouping;

  std::uint64_t size() const {
    return grouping == rows_of::in_edges ? shape.row_size() : shape.column_size();
  }
  std::uint64_t count() const { return size() * static_cast<std::uint64_t>(locales()); }
  edge number(const grid_shape::place& source, const grid_shape::place& target) const {
    const std::uint64_t first = size() * static_cast<std::uint64_t>(shape.keeper(source, target));
    const std::uint64_t from = shape.column_index(source), to = shape.row_index(target);
    return grouping == rows_of::in_edges ? edge{from, first + to} : edge{to, first + from};
  }
};

edge_rewriter rewriter_for(const row_numbering& numbering, const build_options& options) {
  return [=](std::span<const edge> edges, std::vector<edge>& into) {
    for (const edge& e : edges) {
      if (options.remove_self_loops && e.source == e.target) continue;
      const grid_shape::place source = numbering.shape.place_of(e.source);
      const grid_shape::place target = numbering.shape.place_of(e.target);
      into.push_back(numbering.number(source, target));
      if (options.symmetrize) into.push_back(numbering.number(target, source));
    }
  };
}

// Divides the rows of each locale among its cores.
partition cut_rows(const row_numbering& numbering, const edge_counts& counts) {
  std::vector<std::uint64_t> bounds;
  const std::uint64_t buckets = numbering.size() / counts.bucket;
  for (locale_id l = 0; l < locales(); ++l) {
    const auto k = static_cast<std::uint64_t>(l);
    const auto edges = std::span(counts.of_the_job).subspan(k * buckets, buckets);
    const partition within =
        balance(numbering.size(), edges, counts.bucket, shape().cores_of(l), partition_options().alpha);
    for (core_id c = 0; c < shape().cores_of(l); ++c)
      bounds.push_back(k * numbering.size() + within.first_of(c));
  }
  bounds.push_back(numbering.count());
  return partition(std::move(bounds));
}

std::shared_ptr<adjacency> make_part(input_edges& input, const row_numbering& numbering,
                                     const build_options& options, last_use use) {
  input.rewrite = rewriter_for(numbering, options);
  build_options rewritten;
  rewritten.remove_duplicates = options.remove_duplicates || options.symmetrize;
  edge_counts counts =
      count_edges(input, numbering.count(), rewritten, rows_of::in_edges, granule(numbering.shape.range));
  counts.add_up();
  const partition owners = cut_rows(numbering, counts);
  rows mine = make_rows(input, owners, rewritten, counts, use);
  mine.high_bits = {};  // row and column indices have fewer than 32
  const std::uint64_t first_of_locale = numbering.size() * static_cast<std::uint64_t>(my_locale());
  return keep_rows(mine, owners.first_of(my_core()) - first_of_locale, numbering.size(), row_weights::none);
}

// Sends owners the out-degrees that their vertices have here, and sums what this locale receives.
void count_out_edges(locale_grid& g) {
  by_core<std::vector<std::uint32_t>> degrees(cores());
  if (leads_locale()) {
    const std::uint64_t range = g.shape.range;
    for (int row = 0; row < g.shape.rows; ++row) {
      const core_id to = orujo::shape().first_core_of(g.shape.at(row, g.column));
      auto& of_range = degrees[to];
      for (std::uint64_t k = 0; k < range; ++k) {
        const auto index = static_cast<std::uint32_t>(static_cast<std::uint64_t>(row) * range + k);
        of_range.push_back(static_cast<std::uint32_t>(g.by_source->degree(index)));
      }
    }
  }
  const auto told = collectives::all_to_all(degrees);
  if (leads_locale()) {
    g.out_degree = machine::huge_array<std::uint32_t>(g.shape.range);
    for (const std::vector<std::uint32_t>& of_range : told) {
      for (std::size_t k = 0; k < of_range.size(); ++k) g.out_degree[k] += of_range[k];
    }
  }
}

}  // namespace

grid_shape grid_shape::choose(std::uint64_t vertices, const by_locale<std::uint64_t>& nodes) {
  grid_shape made{grid_of_locales::choose(nodes)};
  made.vertices = vertices;
  const auto parts = static_cast<std::uint64_t>(nodes.size());
  const std::uint64_t share = std::max<std::uint64_t>((vertices + parts - 1) / parts, 1);
  made.range = (share + granule(share) - 1) / granule(share) * granule(share);
  return made;
}

result<std::shared_ptr<locale_grid>> build_grid(input_edges input, const build_options& options,
                                                const by_locale<std::uint64_t>& nodes) {
  const std::shared_ptr<const vertex_ids> ids = vertex_ids::of_input(input);
  number_edges(input, *ids);
  const grid_shape shape = nodes.empty() ? grid_shape::choose(ids->count(), nodes_of_locales())
                                         : grid_shape::choose(ids->count(), nodes);
  if (const std::uint64_t most = std::max(shape.row_size(), shape.column_size()); most >= most_indices) {
    return status{
        exit_status::no_resource,
        fmt::format("a row or column of {} x {} locales has {} vertices, but 2^30 are too many: use "
                    "more locales",
                    shape.rows, shape.columns, most)};
  }
  input.weighted = false;
  input.mine.weights = {};
  if (input.generated) input.generated->spec.weighted = false;
  build_options needs = options;
  needs.keep = {.in_vectors = false, .in_rows = true, .out_rows = true};
  if (status s = check_memory(input, ids->count(), needs); !s.ok()) return s;
  const auto grid = collectives::share_on_locale<locale_grid>([&] {
    auto made = std::make_shared<locale_grid>();
    made->shape = shape;
    made->row = shape.row_of(my_locale());
    made->column = shape.column_of(my_locale());
    made->first_vertex = std::min(shape.first_vertex_of(my_locale()), shape.vertices);
    made->own = static_cast<std::uint32_t>(std::min(shape.range, shape.vertices - made->first_vertex));
    return made;
  });
  const auto by_target = make_part(input, {shape, rows_of::in_edges}, options, last_use::no);
  const auto by_source = make_part(input, {shape, rows_of::out_edges}, options, last_use::yes);
  const std::uint64_t edges = collectives::all_reduce(leads_locale() ? by_target->edges() : 0);
  if (leads_locale()) {
    grid->edges = edges;
    grid->by_target = by_target;
    grid->by_source = by_source;
  }
  collectives::barrier(collectives::group::locale);
  count_out_edges(*grid);
  collectives::barrier();
  return grid;
}

void grid_graph::destroy() const { parts_.destroy(); }

}  // namespace orujo::internal::graph
