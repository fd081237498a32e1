// Random graphs without a grid of probabilities: uniform, small worlds, preferential attachment.
#include "framework/generators/draws.hpp"
#include "framework/generators/kinds.hpp"

namespace orujo::internal::generators {

void make_uniform(const generator_spec& spec, std::uint64_t first, std::span<edge> out) {
  const draws random(spec.seed, edge_stream);
  const std::uint64_t mask = spec.vertex_count() - 1;
  for (edge& e : out) {
    e = {random[2 * first] & mask, random[2 * first + 1] & mask};
    ++first;
  }
}

// Edge i belongs to vertex i / (degree / 2), and leads as many places on round the ring as its place there
// says, or anywhere else.
void make_watts_strogatz(const generator_spec& spec, std::uint64_t first, std::span<edge> out) {
  const draws random(spec.seed, edge_stream);
  const std::uint64_t per_vertex = spec.degree / 2, n = spec.vertices;
  constexpr double two_to_64 = 18446744073709551616.0;
  for (edge& e : out) {
    const std::uint64_t source = first / per_vertex, distance = first % per_vertex + 1;
    const bool rewired = static_cast<double>(random[2 * first]) < spec.rewire * two_to_64;
    e = {source, (source + (rewired ? 1 + random.below(2 * first + 1, n - 1) : distance)) % n};
    ++first;
  }
}

// The two ends of edge i have the indices 2 i + 1 and 2 i + 2 of a list that begins with vertex 0. A new
// vertex draws an index before its own edges, so a vertex is drawn in proportion to its edges. The list is
// not kept: if the drawn entry was itself drawn, its draw is repeated.
void make_barabasi_albert(const generator_spec& spec, std::uint64_t first, std::span<edge> out) {
  const draws random(spec.seed, edge_stream);
  const std::uint64_t each = spec.edge_factor;
  const auto source_of = [&](std::uint64_t i) { return 1 + i / each; };
  const auto target_of = [&](std::uint64_t i) {
    for (;;) {
      const std::uint64_t place = random.below(i, 2 * (i - i % each) + 1);
      if (place == 0) return std::uint64_t{0};
      i = (place - 1) / 2;
      if (place % 2 == 1) return source_of(i);
    }
  };
  for (edge& e : out) {
    e = {source_of(first), target_of(first)};
    ++first;
  }
}

}  // namespace orujo::internal::generators
