#include "applications/layout_lab/search_tree.hpp"

#include <bit>
#include <utility>

#include "applications/layout_lab/cpu_seconds.hpp"
#include "framework/graph/numbering.hpp"
#include "framework/layout/hierarchical_blocking.hpp"

namespace orujo::internal::layout_lab {
namespace {

// Assigns the places from `next` on to the subtree of `levels` levels below v.
void place_by_halves(std::uint32_t v, int levels, std::uint32_t& next, std::vector<std::uint32_t>& places) {
  if (levels == 1) {
    places[v - 1] = next++;
    return;
  }
  const int upper = levels / 2;
  place_by_halves(v, upper, next, places);
  for (std::uint32_t k = 0; k < 1u << upper; ++k)
    place_by_halves((v << upper) + k, levels - upper, next, places);
}

void place_depth_first(std::uint32_t v, int levels, std::uint32_t& next, std::vector<std::uint32_t>& places) {
  if (levels == 0) return;
  places[v - 1] = next++;
  place_depth_first(2 * v, levels - 1, next, places);
  place_depth_first(2 * v + 1, levels - 1, next, places);
}

}  // namespace

std::vector<std::uint32_t> van_emde_boas_places(int depth) {
  std::vector<std::uint32_t> places((std::size_t{1} << depth) - 1);
  std::uint32_t next = 0;
  place_by_halves(1, depth, next, places);
  return places;
}

std::vector<std::uint32_t> depth_first_places(int depth) {
  std::vector<std::uint32_t> places((std::size_t{1} << depth) - 1);
  std::uint32_t next = 0;
  place_depth_first(1, depth, next, places);
  return places;
}

search_tree::search_tree(int depth, arrangement how, std::span<const std::size_t> block_bytes,
                         machine::pages pages, std::size_t node_bytes)
    : depth_(depth), node_bytes_(node_bytes) {
  place(how, pages);
  if (how == arrangement::blocks) copy(block_bytes, pages);
}

void search_tree::place(arrangement how, machine::pages pages) {
  const double start = cpu_seconds();
  std::vector<std::uint32_t> places;
  if (how == arrangement::veb) places = van_emde_boas_places(depth_);
  if (how == arrangement::dfs) places = depth_first_places(depth_);
  const graph::numbering scattered = graph::numbering::scattered(count());
  const auto place_of = [&](std::uint64_t v) -> std::uint64_t {
    if (!places.empty()) return places[v - 1];
    return how == arrangement::bfs ? v - 1 : scattered.number(v - 1);
  };
  memory_ = machine::huge_array<std::uint64_t>(count() * node_bytes_ / sizeof(std::uint64_t), pages);
  for (std::uint64_t v = 1; v <= count(); ++v) {
    tree_node& n = node(place_of(v));
    const int level = std::bit_width(v) - 1;
    n.key = (2 * (v - (std::uint64_t{1} << level)) + 1) << (depth_ - 1 - level);
    for (std::uint64_t k = 0; k < 2; ++k)
      n.child[k] = 2 * v + k <= count() ? &node(place_of(2 * v + k)) : nullptr;
  }
  root_ = &node(place_of(1));
  seconds_ = cpu_seconds() - start;
}

void search_tree::copy(std::span<const std::size_t> block_bytes, machine::pages pages) {
  machine::huge_array<std::uint64_t> copies(memory_.size(), pages);
  const double start = cpu_seconds();
  layout::linked_target target(std::as_writable_bytes(copies.part(0, copies.size())),
                               tree_links{node_bytes_});
  layout::hierarchical_blocking(target, block_bytes).add(root_);
  seconds_ = cpu_seconds() - start;
  root_ = target.copy_of(*root_);
  memory_ = std::move(copies);
}

std::uint64_t search_tree::visits(std::uint64_t key) const { return visits_below(root_, key); }

std::vector<std::uint64_t> search_tree::keys() const {
  std::vector<std::uint64_t> all;
  for (std::uint64_t k = 0; k < count(); ++k)
    all.push_back(reinterpret_cast<const tree_node*>(memory_.data() + at(k))->key);
  return all;
}

}  // namespace orujo::internal::layout_lab
