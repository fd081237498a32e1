// The text of --generate.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "framework/generators/kinds.hpp"
#include "system/base/numbers.hpp"

namespace orujo::internal::generators {
namespace {

constexpr unsigned largest_scale = 40;
constexpr std::uint64_t largest_weight = std::uint64_t{1} << 24;
constexpr std::uint64_t longest_side = std::uint64_t{1} << 20;  // so that a mesh has less than 2^62 edges
constexpr std::uint64_t longest_side_of_area = std::uint64_t{1} << 30;

status wrong(std::string_view text, std::string_view what) {
  return {exit_status::usage,
          fmt::format("--generate={}: {}; known: {}", text, what, generator_specifications)};
}

// A decimal number of least .. most.
std::optional<std::uint64_t> parse_count(std::string_view text, std::uint64_t least, std::uint64_t most) {
  const auto value = base::number_of<std::uint64_t>(text);
  return value && *value >= least && *value <= most ? value : std::nullopt;
}

// Takes what precedes the next `separator` off the front of `text`.
std::string_view take_until(std::string_view& text, std::string_view separator) {
  const std::string_view field = text.substr(0, text.find(separator));
  text.remove_prefix(std::min(text.size(), field.size() + separator.size()));
  return field;
}

// The following return what is wrong, or nothing.

std::string apply_weights(std::string_view text, generator_spec& spec) {
  std::string_view range = text;
  const auto low = parse_count(take_until(range, ".."), 0, largest_weight);
  const auto high = parse_count(range, 0, largest_weight);
  if (!low || !high || *low > *high) {
    return fmt::format("weights '{}' is not LOW..HIGH with whole 0 <= LOW <= HIGH <= {}", text,
                       largest_weight);
  }
  spec.weighted = true;
  spec.weight_low = static_cast<std::uint32_t>(*low);
  spec.weight_high = static_cast<std::uint32_t>(*high);
  return {};
}

std::string apply_rewire(std::string_view text, generator_spec& spec) {
  spec.rewire = base::number_of<double>(text).value_or(-1);
  if (spec.rewire >= 0 && spec.rewire <= 1) return {};
  return fmt::format("rewire '{}' is not a probability, 0 to 1", text);
}

// "name=value"
std::string apply_option(std::string_view option, const kind_traits& kind, generator_spec& spec) {
  std::string_view value = option;
  const std::string_view name = take_until(value, "=");
  if (name == "weights") return apply_weights(value, spec);
  if (name == "rewire" && kind.has_rewire) return apply_rewire(value, spec);
  const number_option seed{"seed", &generator_spec::seed, 0, std::numeric_limits<std::uint64_t>::max()};
  const auto found = std::ranges::find(kind.options, name, &number_option::name);
  if (name != seed.name && found == kind.options.end()) return fmt::format("unknown option '{}'", option);
  const number_option& o = name == seed.name ? seed : *found;
  const auto number = parse_count(value, o.least, o.most);
  if (!number) return fmt::format("{} '{}' is not a whole number of {}..{}", name, value, o.least, o.most);
  spec.*o.value = *number;
  return {};
}

std::string apply_sides(std::string_view size, bool volume, generator_spec& spec) {
  const std::uint64_t longest = volume ? longest_side : longest_side_of_area;
  std::string_view rest = size;
  spec.width = parse_count(take_until(rest, "x"), 1, longest).value_or(0);
  spec.height = parse_count(volume ? take_until(rest, "x") : rest, 1, longest).value_or(0);
  if (volume) spec.depth = parse_count(rest, 1, longest).value_or(0);
  if (spec.width > 0 && spec.height > 0 && spec.depth > 0) return {};
  return fmt::format("size '{}' is not WIDTHxHEIGHT{} with whole numbers of 1..{}", size,
                     volume ? "xDEPTH" : "", longest);
}

// The first field after the kind.
std::string apply_size(std::string_view size, const kind_traits& kind, generator_spec& spec) {
  switch (kind.size) {
    case size_form::scale: {
      const auto scale = parse_count(size, 0, largest_scale);
      if (!scale) return fmt::format("scale '{}' is not a whole number of 0..{}", size, largest_scale);
      spec.scale = static_cast<unsigned>(*scale);
      return {};
    }
    case size_form::vertices: {
      const auto vertices = parse_count(size, 1, kind.most_vertices);
      if (!vertices) return fmt::format("'{}' is not a number of vertices, 1..{}", size, kind.most_vertices);
      spec.vertices = *vertices;
      return {};
    }
    case size_form::area:
    case size_form::volume:
      break;
  }
  return apply_sides(size, kind.size == size_form::volume, spec);
}

// Checks conditions between the parts.
std::string check(const generator_spec& spec) {
  const kind_traits& kind = traits_of(spec.kind);
  if (kind.size == size_form::scale && spec.edge_factor > most_edges >> spec.scale) {
    return fmt::format("2^{} vertices times edgefactor {} are more than {} edges", spec.scale,
                       spec.edge_factor, most_edges);
  }
  if (spec.kind == graph_kind::watts_strogatz && (spec.degree % 2 != 0 || spec.degree >= spec.vertices))
    return fmt::format("degree {} is not even, or not below the number of vertices", spec.degree);
  return {};
}

// The sentence names the kind where the name is another program's for it.
std::string unknown_kind(std::string_view name) {
  constexpr std::pair<std::string_view, std::string_view> elsewhere[] = {
      {"rmat", "kronecker"}, {"r-mat", "kronecker"},     {"kron", "kronecker"}, {"graph500", "kronecker"},
      {"er", "uniform"},     {"erdos_renyi", "uniform"}, {"urand", "uniform"},  {"grid", "mesh2d"}};
  const auto found =
      std::ranges::find(elsewhere, name, &std::pair<std::string_view, std::string_view>::first);
  return fmt::format("unknown kind '{}'{}", name,
                     found == std::end(elsewhere) ? "" : fmt::format(", did you mean {}?", found->second));
}

}  // namespace

result<generator_spec> parse_generator(std::string_view text) {
  std::string_view rest = text;
  const std::string_view name = take_until(rest, ":");
  const auto kind = std::ranges::find(kinds(), name, &kind_traits::name);
  if (kind == kinds().end()) return wrong(text, unknown_kind(name));
  generator_spec spec;
  spec.kind = kind->kind;
  std::string what = apply_size(take_until(rest, ":"), *kind, spec);
  while (what.empty() && !rest.empty()) what = apply_option(take_until(rest, ":"), *kind, spec);
  if (what.empty()) what = check(spec);
  if (!what.empty()) return wrong(text, what);
  return spec;
}

}  // namespace orujo::internal::generators
