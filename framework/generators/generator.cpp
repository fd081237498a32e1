#include "framework/generators/generator.hpp"

#include "framework/generators/draws.hpp"
#include "framework/generators/kinds.hpp"

namespace orujo::internal::generators {
namespace {

void make_weights(const generator_spec& spec, std::uint64_t first, std::span<float> out) {
  const draws random(spec.seed, weight_stream);
  const std::uint64_t choices = std::uint64_t{spec.weight_high} - spec.weight_low + 1;
  for (float& weight : out)
    weight = static_cast<float>(spec.weight_low + ((random[first++] >> 32) * choices >> 32));
}

}  // namespace

std::uint64_t generator_spec::vertex_count() const {
  switch (traits_of(kind).size) {
    case size_form::scale:
      return std::uint64_t{1} << scale;
    case size_form::vertices:
      return vertices;
    case size_form::area:
    case size_form::volume:
      break;
  }
  return width * height * depth;
}

std::uint64_t generator_spec::edge_count() const { return traits_of(kind).edges(*this); }

void generate(const generator_spec& spec, std::uint64_t first, std::span<edge> edges,
              std::span<float> weights) {
  traits_of(spec.kind).make(spec, first, edges);
  if (spec.weighted) make_weights(spec, first, weights.first(edges.size()));
}

formats::edge_list generate(const generator_spec& spec, std::uint64_t first, std::uint64_t last) {
  formats::edge_list list;
  list.edges.resize(last - first);
  if (spec.weighted) list.weights.resize(last - first);
  generate(spec, first, list.edges, list.weights);
  return list;
}

}  // namespace orujo::internal::generators
