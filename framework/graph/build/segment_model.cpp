#include "framework/graph/build/segment_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <vector>

#include "framework/graph/build/segments.hpp"

namespace orujo::internal::graph {
namespace {

constexpr std::uint64_t edges_to_look_at = 1 << 19;
// Besides its barrier: 32 chunks per core (framework/vectors/edge_loops.cpp), each of which is dealt and
// begun. Mesh 500^2, 2 cores, ns of processor time per edge with 1, 4 and 16 segments: 0.39, 0.44, 0.51,
// which is 4 us per segment and core.
constexpr double segment_ns = 3500;
constexpr std::uint64_t sources_per_line = 64 / sizeof(float);

// Rows [first, last) whose edges begin from `at` on.
struct row_range {
  std::size_t first, last;
};

// Some stretches of rows, evenly over all, of some blocks each.
std::vector<row_range> choose_rows(const in_edge_rows& rows) {
  const std::size_t all = rows.offsets.empty() ? 0 : rows.offsets.size() - 1;
  if (all == 0) return {};
  const std::uint64_t begin = rows.offsets.front(), edges = rows.offsets.back() - begin;
  const std::uint64_t stretch = edge_sample::block_edges.back();
  const std::uint64_t stretches = edges <= edges_to_look_at ? 1 : edges_to_look_at / stretch;
  const std::uint64_t each = edges <= edges_to_look_at ? edges : stretch;
  const auto row_at = [&](std::uint64_t edge) {
    const auto found = std::lower_bound(rows.offsets.begin(), rows.offsets.end(), begin + edge);
    return std::min<std::size_t>(static_cast<std::size_t>(found - rows.offsets.begin()), all);
  };
  std::vector<row_range> chosen;
  for (std::uint64_t k = 0; k < stretches; ++k) {
    const std::uint64_t first = edges / stretches * k;
    row_range range{row_at(first), k + 1 == stretches && stretches == 1 ? all : row_at(first + each)};
    if (!chosen.empty()) range.first = std::max(range.first, chosen.back().last);
    if (range.first < range.last) chosen.push_back(range);
  }
  return chosen;
}

void count_pieces_of(const in_edge_rows& rows, const row_range& range, std::uint64_t sources,
                     edge_sample& to) {
  // By the highest bit in which the ranges of neighbours differ, with as many ranges as there may be.
  std::array<std::uint64_t, edge_sample::halvings + 1> apart{};
  std::uint64_t begun = 0;
  const std::uint64_t scale =
      (std::uint64_t{1} << (32 + edge_sample::halvings)) / std::max<std::uint64_t>(sources, 1);
  const auto range_of = [&](std::uint32_t source) { return source * scale >> 32; };
  for (std::size_t r = range.first; r < range.last; ++r) {
    const std::uint64_t first = rows.offsets[r], last = rows.offsets[r + 1];
    if (first == last) continue;
    ++begun;
    std::uint64_t before = range_of(rows.neighbours[first]);
    for (std::uint64_t k = first + 1; k < last; ++k) {
      const std::uint64_t now = range_of(rows.neighbours[k]);
      ++apart[static_cast<std::size_t>(std::bit_width(now ^ before))];
      before = now;
    }
  }
  // 2^k ranges separate sources that differ in one of the upper k bits.
  std::uint64_t cuts = 0;
  for (std::size_t k = 0; k <= edge_sample::halvings; ++k) {
    if (k > 0) cuts += apart[edge_sample::halvings + 1 - k];
    to.pieces[k] += begun + cuts;
  }
  to.edges += rows.offsets[range.last] - rows.offsets[range.first];
}

void count_lines_of(const in_edge_rows& rows, const row_range& range, std::size_t kind,
                    std::vector<std::uint64_t>& seen, edge_sample& to) {
  std::vector<std::size_t> words;  // of `seen` that are not 0
  const std::uint64_t end = rows.offsets[range.last];
  for (std::uint64_t k = rows.offsets[range.first]; k < end;) {
    const std::uint64_t block_end = std::min(end, k + edge_sample::block_edges[kind]);
    for (; k < block_end; ++k) {
      const std::uint64_t line = rows.neighbours[k] / sources_per_line;
      std::uint64_t& word = seen[line / 64];
      if (word == 0) words.push_back(line / 64);
      const bool there = (word >> line % 64 & 1) != 0;
      const bool follows = kind == 0 && line > 0 && (seen[(line - 1) / 64] >> (line - 1) % 64 & 1) != 0;
      to.lines[kind] += there || follows ? 0 : 1;
      word |= std::uint64_t{1} << line % 64;
    }
    ++to.blocks[kind];
    for (const std::size_t w : words) seen[w] = 0;
    words.clear();
  }
}

}  // namespace

edge_sample operator+(edge_sample a, const edge_sample& b) {
  a.edges += b.edges;
  for (std::size_t k = 0; k < a.pieces.size(); ++k) a.pieces[k] += b.pieces[k];
  for (std::size_t k = 0; k < a.blocks.size(); ++k) {
    a.blocks[k] += b.blocks[k];
    a.lines[k] += b.lines[k];
  }
  return a;
}

edge_sample sample_edges(const in_edge_rows& rows, std::uint64_t sources) {
  edge_sample sample;
  std::vector<std::uint64_t> seen(sources / sources_per_line / 64 + 1);
  for (const row_range& range : choose_rows(rows)) {
    count_pieces_of(rows, range, sources, sample);
    for (std::size_t kind = 0; kind < sample.blocks.size(); ++kind)
      count_lines_of(rows, range, kind, seen, sample);
  }
  return sample;
}

double edge_ns(const machine::measures& m, const edge_sample& sample, const edge_work& work,
               unsigned halvings) {
  if (sample.edges == 0 || work.edges == 0) return 0;
  const auto looked_at = static_cast<double>(sample.edges);
  const auto segments = static_cast<double>(std::uint64_t{1} << halvings);
  // The share of edges whose line no edge before them in the block has, and the bytes of a block's lines.
  double loads = 0, share_left = 1, bytes = 0;
  const double all = static_cast<double>(work.sources) * sizeof(float);
  for (std::size_t b = 0; b < sample.blocks.size(); ++b) {
    const auto lines = static_cast<double>(sample.lines[b]);
    const auto blocks = static_cast<double>(std::max<std::uint64_t>(sample.blocks[b], 1));
    const double first_time = std::min(share_left, lines / looked_at);
    bytes = std::min(all, std::max(bytes, 64 * lines / blocks));
    loads += (share_left - first_time) * machine::gather_ns(m, bytes / segments);
    share_left = first_time;
  }
  loads += share_left * machine::gather_ns(m, all / segments);
  // A piece reads its vertex and its total, and writes the total, all nearby, and leaves lanes empty.
  const double piece = 4 * machine::gather_ns(m, 0);
  const double pieces = static_cast<double>(sample.pieces[halvings]) / looked_at * piece;
  const double edges_per_core = static_cast<double>(work.edges) / work.cores;
  return loads + pieces + segments * (m.barrier + segment_ns) / edges_per_core;
}

segment_choice choose_segments(const machine::measures& m, const edge_sample& sample, const edge_work& work) {
  constexpr double worth_it = 0.95;
  unsigned best = 0;
  double best_ns = edge_ns(m, sample, work, 0);
  std::string others = fmt::format("{:.2f} with 1", best_ns);
  for (unsigned k = 1; k <= edge_sample::halvings && std::uint64_t{1} << k <= work.sources; ++k) {
    if (too_many_pieces(sample.pieces[k], sample.edges)) break;
    const double ns = edge_ns(m, sample, work, k);
    others += fmt::format(", {:.2f} with {}", ns, std::uint64_t{1} << k);
    if (ns < worth_it * best_ns) best = k, best_ns = ns;
    if (ns > 1.5 * best_ns) break;
  }
  return {std::size_t{1} << best, fmt::format("ns per edge would be {}", others)};
}

}  // namespace orujo::internal::graph
