// R-MAT with the parameters of Graph500, four levels of the recursion at a time.
#include <algorithm>

#include "framework/generators/draws.hpp"
#include "framework/generators/kinds.hpp"
#include "system/base/scrambler.hpp"

namespace orujo::internal::generators {
namespace {

base::scrambler label_scrambler(const generator_spec& spec) {
  const draws random(spec.seed, label_stream);
  base::scrambler::key keys;
  for (unsigned k = 0; k < keys.size(); ++k) keys[k] = random[k];
  return {spec.scale, keys};
}

// One draw decides four levels of the recursion, each by a lane of 15 random bits and a spare top bit:
//
//   63 62     48 47 46     32 31 30     16 15 14      0
//    0 [ lane 3 ] 0 [ lane 2 ] 0 [ lane 1 ] 0 [ lane 0 ]
//
// With the spare bits set, subtracting a threshold from every lane at once leaves the spare bit of exactly
// those lanes that reach it. The thresholds are the parameters rounded to 2^-15, wrong by less than 2e-5.
constexpr std::uint64_t each_lane = 0x0001000100010001u;
constexpr std::uint64_t spare_bits = each_lane << 15;

constexpr std::uint64_t threshold(double probability) {
  // Rounds positive numbers at compile time, where lround is not available.
  // NOLINTNEXTLINE(bugprone-incorrect-roundings)
  return static_cast<std::uint64_t>(probability * 32768 + 0.5) * each_lane;
}

// Packs the highest `bits` bits of each lane; the others are 0.
constexpr std::uint64_t pack_lanes(std::uint64_t lanes, unsigned bits) {
  lanes >>= 16 - bits;
  return (lanes & 0xffff) | (lanes >> 16 & 0xffff) << bits | (lanes >> 32 & 0xffff) << 2 * bits |
         lanes >> 48 << 3 * bits;
}

constexpr unsigned levels_per_draw = 4;

// As many edges at a time as fill vectors and stay in the first-level cache. All loops over them are plain,
// so that the compiler makes vectors of them: it does with the 64-bit multiplications of AVX-512.
constexpr std::size_t edges_at_a_time = 64;

struct kronecker_model {
  draws random;
  base::scrambler scramble;
  unsigned draws_per_edge;

  explicit kronecker_model(const generator_spec& spec)
      : random(spec.seed, edge_stream),
        scramble(label_scrambler(spec)),
        draws_per_edge((spec.scale + levels_per_draw - 1) / levels_per_draw) {}
};

// Fills all edges_at_a_time, of which the first is edge `first`.
[[gnu::always_inline]] inline void make_kronecker_edges(const kronecker_model& model, std::uint64_t first,
                                                        edge* out) {
  constexpr double a = .57, b = .19, c = .19;
  std::uint64_t sources[edges_at_a_time] = {}, targets[edges_at_a_time] = {};
  const unsigned levels = model.draws_per_edge;
  std::uint64_t next[edges_at_a_time];
  for (std::size_t i = 0; i < edges_at_a_time; ++i) next[i] = model.random.state((first + i) * levels);
  for (unsigned k = 0; k < levels; ++k) {
    for (std::size_t i = 0; i < edges_at_a_time; ++i) {
      const std::uint64_t lanes = mix64(next[i]) | spare_bits;
      next[i] += draws::step;
      const std::uint64_t past_a = lanes - threshold(a);
      const std::uint64_t past_b = lanes - threshold(a + b);
      const std::uint64_t past_c = lanes - threshold(a + b + c);
      sources[i] = sources[i] >> 1 | (past_b & spare_bits);
      targets[i] = targets[i] >> 1 | ((past_a ^ past_b ^ past_c) & spare_bits);
    }
  }
  for (std::uint64_t* ends : {sources, targets}) {
    for (std::size_t i = 0; i < edges_at_a_time; ++i) {
      ends[i] = model.scramble(pack_lanes(ends[i], levels));  // drops the levels beyond `scale`
    }
  }
  for (std::size_t i = 0; i < edges_at_a_time; ++i) out[i] = {sources[i], targets[i]};
}

[[gnu::always_inline]] inline void make_kronecker_batches(const kronecker_model& model, std::uint64_t first,
                                                          edge* out, std::uint64_t count) {
  std::uint64_t i = 0;
  for (; i + edges_at_a_time <= count; i += edges_at_a_time) {
    make_kronecker_edges(model, first + i, out + i);
  }
  if (i == count) return;
  edge last[edges_at_a_time];
  make_kronecker_edges(model, first + i, last);
  std::copy_n(last, count - i, out + i);
}

using kronecker_maker = void(const kronecker_model&, std::uint64_t, edge*, std::uint64_t);

void make_kronecker_portably(const kronecker_model& model, std::uint64_t first, edge* out,
                             std::uint64_t count) {
  make_kronecker_batches(model, first, out, count);
}

#ifdef __x86_64__
[[gnu::target("avx2")]] void make_kronecker_by_avx2(const kronecker_model& model, std::uint64_t first,
                                                    edge* out, std::uint64_t count) {
  make_kronecker_batches(model, first, out, count);
}

[[gnu::target("avx512f,avx512dq,avx512vl,avx512bw,prefer-vector-width=512")]] void make_kronecker_by_avx512(
    const kronecker_model& model, std::uint64_t first, edge* out, std::uint64_t count) {
  make_kronecker_batches(model, first, out, count);
}

kronecker_maker& best_kronecker_maker() {
  if (__builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512bw")) {
    return make_kronecker_by_avx512;
  }
  return __builtin_cpu_supports("avx2") ? make_kronecker_by_avx2 : make_kronecker_portably;
}
#else
kronecker_maker& best_kronecker_maker() { return make_kronecker_portably; }
#endif

}  // namespace

void make_kronecker(const generator_spec& spec, std::uint64_t first, std::span<edge> out) {
  static kronecker_maker& make = best_kronecker_maker();
  make(kronecker_model(spec), first, out.data(), out.size());
}

}  // namespace orujo::internal::generators
