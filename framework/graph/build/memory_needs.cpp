#include "framework/graph/build/memory_needs.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "system/collectives/collectives.hpp"
#include "system/machine/available_memory.hpp"
#include "system/memory/budget.hpp"

namespace orujo::internal::graph {
namespace {

// Vectors with empty lanes, heads and jumps included; choose_segments() keeps to 6.
constexpr std::uint64_t vector_bytes_per_edge = 6;

struct node_share {
  std::uint64_t node;  // fingerprint
  std::uint64_t process;
  std::uint64_t needed, available, mappable;

  bool same_process(const node_share& other) const { return node == other.node && process == other.process; }
};

// [task; suspends; collective over the job] Shares by core; a core that leads no locale needs nothing.
std::vector<node_share> gather_shares(std::uint64_t needed_by_locale) {
  node_share share{machine::node_fingerprint(), static_cast<std::uint64_t>(::getpid()), 0, 0, 0};
  if (leads_locale()) {
    share.needed = needed_by_locale;
    share.available = machine::available_memory();
    share.mappable = machine::mappable_memory();
  }
  return collectives::all_gather(share);
}

}  // namespace

status check_room(std::string_view what, std::uint64_t needed) {
  const by_core<node_share> shares = gather_shares(needed);
  const std::uint64_t budget = memory::given_budget();
  for (const node_share& one : shares) {
    if (one.needed == 0) continue;
    if (budget != 0 && one.needed > budget) {
      return {exit_status::no_resource,
              fmt::format("{} requires about {} bytes per locale and --memory_budget_bytes allows {}: raise "
                          "it, or use more locales or a smaller graph",
                          what, one.needed, budget)};
    }
    std::uint64_t on_node = 0, in_process = 0;
    for (const node_share& other : shares) {
      on_node += other.node == one.node ? other.needed : 0;
      in_process += other.same_process(one) ? other.needed + memory::uncounted_bytes_of_core : 0;
    }
    if (in_process > one.mappable) {
      return {exit_status::no_resource,
              fmt::format("{} requires about {} bytes in a process and its limits leave {}: raise them "
                          "(ulimit -v, ulimit -d), or use more nodes or a smaller graph",
                          what, in_process, one.mappable)};
    }
    if (on_node > one.available) {
      return {
          exit_status::no_resource,
          fmt::format(
              "{} requires about {} bytes on a node and {} are available: use more nodes or a smaller graph",
              what, on_node, one.available)};
    }
  }
  return {};
}

namespace {

// Bytes of a vertex for its degrees.
std::uint64_t degree_bytes(const build_options& options) {
  return options.symmetrize || options.keep.in_rows ? 4 : 8;
}

// Bytes of a graph that is read from a file with the vectors of one locale.
std::uint64_t bytes_to_load(const graph_size& size, const build_options& options) {
  const edge_forms& keep = options.keep;
  const std::uint64_t slot = 4 + (size.weighted ? 4u : 0u);
  const std::uint64_t rows = (keep.in_rows ? 1u : 0u) + (keep.out_rows && !options.symmetrize ? 1u : 0u);
  const std::uint64_t vectors = keep.in_vectors ? vector_bytes_per_edge * slot / 4 : 0;
  // On several locales the vectors are made of rows.
  const std::uint64_t of_edge = vectors + slot * std::max<std::uint64_t>(rows, locales() > 1 ? 1 : 0);
  return size.edges * of_edge + size.vertices * (degree_bytes(options) + 16 * (1 + rows));
}

constexpr std::string_view building = "building the graph";

}  // namespace

std::uint64_t room_to_read(readers who) {
  const by_core<node_share> shares = gather_shares(1);
  const core_id leader = shape().first_core_of(my_locale());
  const node_share& mine = shares[leader];
  const auto sharers =
      static_cast<std::uint64_t>(std::count_if(shares.begin(), shares.end(), [&](const node_share& s) {
        return s.needed > 0 && s.node == mine.node;
      }));
  const auto in_process =
      static_cast<std::uint64_t>(std::count_if(shares.begin(), shares.end(), [&](const node_share& s) {
        return s.needed > 0 && s.same_process(mine);
      }));
  const std::uint64_t budget = memory::given_budget();
  const std::uint64_t of_locale =
      std::min(budget != 0 ? budget : mine.available / std::max<std::uint64_t>(sharers, 1),
               mine.mappable / std::max<std::uint64_t>(in_process, 1));
  return who == readers::core_0 ? of_locale
                                : of_locale / static_cast<std::uint64_t>(shape().cores_of(my_locale()));
}

status check_memory_to_read(std::uint64_t edges, bool weighted) {
  const std::uint64_t bytes = edges * (sizeof(edge) + (weighted ? sizeof(float) : 0));
  return check_room("reading the edges", bytes / static_cast<std::uint64_t>(locales()));
}

std::uint64_t bytes_to_build(const graph_size& size, const build_options& options) {
  const edge_forms& keep = options.keep;
  const bool two_directions = keep.out_rows && !options.symmetrize;
  const std::uint64_t weight = size.weighted ? 4 : 0;
  const std::uint64_t key = 8 + weight, slot = 4 + weight;
  const std::uint64_t rows = two_directions ? 2 * slot : slot;
  const std::uint64_t vectors = keep.in_vectors ? vector_bytes_per_edge * slot / 4 : 0;
  const std::uint64_t shuffling = two_directions ? slot + key : key;
  const bool on_grid = options.partition.placement == edge_placement::grid;
  const std::uint64_t placing = on_grid ? slot + (size.weighted ? 16 : 8) + slot : 0;
  const std::uint64_t encoding =
      rows + vectors + (keep.in_rows || keep.out_rows ? slot : 0) + (on_grid ? slot : 0);
  const std::uint64_t per_vertex =
      degree_bytes(options) + 8 * (two_directions ? 4 : 2);  // offsets of rows and where they are kept
  return size.edges * std::max({shuffling, encoding, placing}) + size.vertices * per_vertex;
}

namespace {

// [task; suspends; collective over the job] Bytes of a locale to build a graph of these edges.
std::uint64_t bytes_to_build(const input_edges& input, std::uint64_t vertices, const build_options& options) {
  const auto all_locales = static_cast<std::uint64_t>(locales());
  const std::uint64_t edges =
      collectives::all_reduce(input.count()) * (options.symmetrize ? 2 : 1) / all_locales;
  return bytes_to_build({vertices / all_locales, edges, input.weighted}, options);
}

}  // namespace

status check_memory(const input_edges& input, std::uint64_t vertices, const build_options& options) {
  return check_room(building, bytes_to_build(input, vertices, options));
}

bool has_room_for_order(const input_edges& input, std::uint64_t vertices, const build_options& options) {
  const std::uint64_t counts = (options.symmetrize ? 4 : 8) * static_cast<std::uint64_t>(my_locales_cores());
  const std::uint64_t per_vertex = 8 + 4 + counts;  // the table, degrees, and those that cores have counted
  return check_room(building, bytes_to_build(input, vertices, options) + per_vertex * vertices).ok();
}

bool has_room_for_grid(const graph_size& size, const build_options& options) {
  build_options on_grid = options;
  on_grid.partition.placement = edge_placement::grid;
  return check_room(building, bytes_to_build(size, on_grid)).ok();
}

status check_memory_to_load(const graph_size& whole, const build_options& options) {
  const auto all_locales = static_cast<std::uint64_t>(locales());
  const graph_size share{whole.vertices / all_locales, whole.edges / all_locales, whole.weighted};
  return check_room(building, bytes_to_load(share, options));
}

}  // namespace orujo::internal::graph
