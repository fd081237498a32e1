// The edges that a core has, some at a time.
#include "framework/graph/build/input.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "system/machine/huge_array.hpp"

namespace orujo::internal::graph {
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
    if (part.transposed) {
      for (edge& e : some) std::swap(e.source, e.target);
    }
    part.numbers.number_all(some);
    visit(some, their_weights);
  }
}

// A visitor that hands on what the rewriter makes of the edges.
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

// A visitor that passes on each edge and, if `input_edges::mirrored` is set, its reverse.
input_edges::visitor mirroring(bool mirrored, const input_edges::visitor& visit) {
  if (!mirrored) return visit;
  return
      [&, made = formats::edge_list()](std::span<const edge> edges, std::span<const float> weights) mutable {
        for (std::size_t first = 0; first < edges.size(); first += edges_of_batch / 2) {
          const std::size_t last = std::min(first + edges_of_batch / 2, edges.size());
          made.edges.clear();
          made.weights.clear();
          for (std::size_t k = first; k < last; ++k) {
            const edge e = edges[k];
            const std::size_t directions = e.source == e.target ? 1 : 2;
            made.edges.push_back(e);
            if (directions == 2) made.edges.push_back({e.target, e.source});
            if (!weights.empty()) made.weights.insert(made.weights.end(), directions, weights[k]);
          }
          visit(made.edges, made.weights);
        }
      };
}

// Calls visit(edges, weights) for packed edges first .. last - 1, some at a time.
void visit_packed(const input_edges& input, std::size_t first, std::size_t last,
                  const input_edges::visitor& visit) {
  std::vector<edge> edges(edges_of_batch);
  for (std::size_t count = 0; first < last; first += count) {
    count = std::min(edges_of_batch, last - first);
    std::ranges::transform(input.packed.subspan(first, count), edges.begin(), [](input_edges::packed_edge e) {
      return edge{e.source, e.target};
    });
    const std::span<const float> weights(input.mine.weights);
    visit(std::span(edges).first(count), weights.empty() ? weights : weights.subspan(first, count));
  }
}

// Gives back the pages of values first .. last - 1.
template <class T>
void discard(const T* values, std::size_t first, std::size_t last) {
  machine::discard_pages(const_cast<T*>(values + first), (last - first) * sizeof(T));
}

}  // namespace

std::uint64_t input_edges::count() const {
  if (generated) return generated->last - generated->first;
  if (rows) return rows->edges();
  std::uint64_t edges = mine.edges.size();
  if (mirrored)
    edges += std::ranges::count_if(mine.edges, [](const edge& e) { return e.source != e.target; });
  return edges;
}

void input_edges::visit_batches(const visitor& visit) const {
  const visitor rewritten = rewriting(rewrite, visit), handed = mirroring(mirrored, rewritten);
  if (generated) return visit_generated(*generated, handed);
  if (!packed.empty()) return visit_packed(*this, 0, packed.size(), handed);
  handed(mine.edges, mine.weights);
}

void input_edges::consume_batches(const visitor& visit) {
  const visitor rewritten = rewriting(rewrite, visit), handed = mirroring(mirrored, rewritten);
  if (generated) return visit_generated(*generated, handed);
  const std::span<const edge> edges(mine.edges);
  const std::span<const float> weights(mine.weights);
  const std::size_t all = packed.empty() ? edges.size() : packed.size();
  for (std::size_t first = 0; first < all; first += edges_given_back) {
    const std::size_t count = std::min(edges_given_back, all - first);
    if (packed.empty()) {
      handed(edges.subspan(first, count), weights.empty() ? weights : weights.subspan(first, count));
      discard(mine.edges.data(), first, first + count);
    } else {
      visit_packed(*this, first, first + count, handed);
      discard(packed.data(), first, first + count);
    }
    if (!weights.empty()) discard(weights.data(), first, first + count);
  }
  packed = {};
  mine = {};
}

void input_edges::list_rows() {
  mirrored = format == formats::file_format::metis;
  const auto visit_kept = [&](auto visit) {
    for (std::uint64_t v = rows->first_vertex; v < rows->last_vertex(); ++v) {
      const std::uint64_t last = rows->begin_of(v + 1);
      for (std::uint64_t k = rows->begin_of(v); k < last; ++k) {
        if (!mirrored || rows->neighbours[k] <= v) visit(v, k);
      }
    }
  };
  std::uint64_t edges = mirrored ? 0 : rows->edges();
  if (mirrored) visit_kept([&](std::uint64_t, std::uint64_t) { ++edges; });
  mine.edges.reserve(edges);
  mine.weights.reserve(rows->weights.empty() ? 0 : edges);
  visit_kept([&](std::uint64_t v, std::uint64_t k) {
    mine.edges.push_back({v, rows->neighbours[k]});
    if (!rows->weights.empty()) mine.weights.push_back(rows->weights[k]);
  });
  rows.reset();
}

// What is written never reaches what is still to be read.
void input_edges::pack_edges() {
  auto* const bytes = reinterpret_cast<std::byte*>(mine.edges.data());
  const std::size_t count = mine.edges.size();
  for (std::size_t k = 0; k < count; ++k) {
    const packed_edge small{static_cast<std::uint32_t>(mine.edges[k].source),
                            static_cast<std::uint32_t>(mine.edges[k].target)};
    std::memcpy(bytes + k * sizeof(small), &small, sizeof(small));
  }
  packed = {reinterpret_cast<const packed_edge*>(bytes), count};
  machine::discard_pages(bytes + count * sizeof(packed_edge), count * (sizeof(edge) - sizeof(packed_edge)));
}

}  // namespace orujo::internal::graph
