#include "framework/generators/generator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "system/base/random.hpp"
#include "system/base/scrambler.hpp"

namespace orujo::generators {
namespace {

constexpr unsigned largest_scale = 40;
constexpr std::uint64_t most_edges = std::numeric_limits<std::int64_t>::max();
constexpr std::uint64_t largest_weight = std::uint64_t{1} << 24;
constexpr std::uint64_t longest_side = std::uint64_t{1} << 30;
constexpr std::string_view known_kinds =
    "known: kronecker:SCALE and uniform:SCALE, each with [:edgefactor=16][:seed=1][:weights=LOW..HIGH], and "
    "mesh2d:WIDTHxHEIGHT with the last two";

// Draw n of SplitMix64 without drawing those before it.
class draws {
 public:
  draws(std::uint64_t seed, std::uint64_t stream) : start_(mix64(mix64(seed) + stream)) {}
  std::uint64_t operator[](std::uint64_t n) const { return mix64(state(n)); }
  // Of which draw n is mix64(); that of the next is larger by `step`.
  std::uint64_t state(std::uint64_t n) const { return start_ + (n + 1) * step; }
  static constexpr std::uint64_t step = 0x9e3779b97f4a7c15u;

 private:
  std::uint64_t start_;
};

constexpr std::uint64_t edge_stream = 1, weight_stream = 2, label_stream = 3;

scrambler label_scrambler(const generator_spec& spec) {
  const draws random(spec.seed, label_stream);
  scrambler::key keys;
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
  scrambler scramble;
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

void generate_kronecker(const generator_spec& spec, std::uint64_t first, edge* out, std::uint64_t count) {
  static kronecker_maker& make = best_kronecker_maker();
  make(kronecker_model(spec), first, out, count);
}

void generate_uniform(const generator_spec& spec, std::uint64_t first, edge* out, std::uint64_t count) {
  const draws random(spec.seed, edge_stream);
  const std::uint64_t mask = spec.vertex_count() - 1;
  for (std::uint64_t i = 0; i < count; ++i) {
    out[i] = {random[2 * (first + i)] & mask, random[2 * (first + i) + 1] & mask};
  }
}

// Row after row, each with its edges to the right and then those down (of which the last row has none).
void generate_mesh2d(const generator_spec& spec, std::uint64_t first, edge* out, std::uint64_t count) {
  const std::uint64_t in_row = 2 * spec.width - 1;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t row = (first + i) / in_row, k = (first + i) % in_row;
    const bool right = k + 1 < spec.width;
    const std::uint64_t source = row * spec.width + (right ? k : k + 1 - spec.width);
    out[i] = {source, source + (right ? 1 : spec.width)};
  }
}

void generate_weights(const generator_spec& spec, std::uint64_t first, float* out, std::uint64_t count) {
  const draws random(spec.seed, weight_stream);
  const std::uint64_t choices = std::uint64_t{spec.weight_high} - spec.weight_low + 1;
  for (std::uint64_t i = 0; i < count; ++i) {
    out[i] = static_cast<float>(spec.weight_low + ((random[first + i] >> 32) * choices >> 32));
  }
}

status wrong(std::string_view text, std::string_view what) {
  return {exit_status::usage, fmt::format("--generate={}: {}; {}", text, what, known_kinds)};
}

// A decimal number of at most `most`.
std::optional<std::uint64_t> parse_count(std::string_view text, std::uint64_t most) {
  std::uint64_t value = 0;
  const auto [past, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || past != text.data() + text.size() || value > most) return {};
  return value;
}

// Takes what precedes the next `separator` off the front of `text`.
std::string_view take_until(std::string_view& text, std::string_view separator) {
  const std::string_view field = text.substr(0, text.find(separator));
  text.remove_prefix(std::min(text.size(), field.size() + separator.size()));
  return field;
}

bool parse_weights(std::string_view range, generator_spec& spec) {
  const auto low = parse_count(take_until(range, ".."), largest_weight);
  const auto high = parse_count(range, largest_weight);
  if (!low || !high || *low > *high) return false;
  spec.weighted = true;
  spec.weight_low = static_cast<std::uint32_t>(*low);
  spec.weight_high = static_cast<std::uint32_t>(*high);
  return true;
}

// Applies "name=value"; returns what is wrong with it, or nothing.
std::string apply_option(std::string_view option, generator_spec& spec) {
  std::string_view value = option;
  const std::string_view name = take_until(value, "=");
  if (name == "weights") {
    if (parse_weights(value, spec)) return {};
    return fmt::format("weights '{}' is not LOW..HIGH with whole 0 <= LOW <= HIGH <= {}", value,
                       largest_weight);
  }
  const bool has_edge_factor = spec.kind != graph_kind::mesh2d;
  if (name != "seed" && !(name == "edgefactor" && has_edge_factor))
    return fmt::format("unknown option '{}'", option);
  const bool is_seed = name == "seed";
  const auto number = parse_count(value, is_seed ? std::numeric_limits<std::uint64_t>::max() : most_edges);
  if (!number || (!is_seed && *number == 0)) {
    return fmt::format("{} '{}' is not a whole number{}", name, value, is_seed ? "" : " above 0");
  }
  (is_seed ? spec.seed : spec.edge_factor) = *number;
  return {};
}

// The first field behind the kind, SCALE or WIDTHxHEIGHT; returns what is wrong with it, or nothing.
std::string apply_size(std::string_view size, generator_spec& spec) {
  if (spec.kind != graph_kind::mesh2d) {
    const auto scale = parse_count(size, largest_scale);
    if (!scale) return fmt::format("scale '{}' is not a whole number of 0..{}", size, largest_scale);
    spec.scale = static_cast<unsigned>(*scale);
    return {};
  }
  std::string_view rest = size;
  spec.width = parse_count(take_until(rest, "x"), longest_side).value_or(0);
  spec.height = parse_count(rest, longest_side).value_or(0);
  if (spec.width > 0 && spec.height > 0) return {};
  return fmt::format("size '{}' is not WIDTHxHEIGHT with whole numbers of 1..{}", size, longest_side);
}

}  // namespace

result<generator_spec> parse_generator(std::string_view text) {
  generator_spec spec;
  std::string_view rest = text;
  const std::string_view kind = take_until(rest, ":");
  if (kind == "uniform") {
    spec.kind = graph_kind::uniform;
  } else if (kind == "mesh2d") {
    spec.kind = graph_kind::mesh2d;
  } else if (kind != "kronecker") {
    return wrong(text, fmt::format("unknown kind '{}'", kind));
  }
  const std::string_view size = take_until(rest, ":");
  if (const std::string what = apply_size(size, spec); !what.empty()) return wrong(text, what);
  while (!rest.empty()) {
    if (const std::string what = apply_option(take_until(rest, ":"), spec); !what.empty())
      return wrong(text, what);
  }
  if (spec.kind != graph_kind::mesh2d && spec.edge_factor > most_edges >> spec.scale) {
    return wrong(text, fmt::format("2^{} vertices times edgefactor {} are more than {} edges", spec.scale,
                                   spec.edge_factor, most_edges));
  }
  return spec;
}

void generate(const generator_spec& spec, std::uint64_t first, std::span<edge> edges,
              std::span<float> weights) {
  switch (spec.kind) {
    case graph_kind::kronecker:
      generate_kronecker(spec, first, edges.data(), edges.size());
      break;
    case graph_kind::uniform:
      generate_uniform(spec, first, edges.data(), edges.size());
      break;
    case graph_kind::mesh2d:
      generate_mesh2d(spec, first, edges.data(), edges.size());
      break;
  }
  if (spec.weighted) generate_weights(spec, first, weights.data(), weights.size());
}

edge_list generate(const generator_spec& spec, std::uint64_t first, std::uint64_t last) {
  edge_list list;
  list.edges.resize(last - first);
  if (spec.weighted) list.weights.resize(last - first);
  generate(spec, first, list.edges, list.weights);
  return list;
}

}  // namespace orujo::generators
