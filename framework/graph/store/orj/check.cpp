#include "framework/graph/store/orj/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "framework/formats/edge_hash.hpp"
#include "framework/formats/orj_file.hpp"
#include "framework/formats/source_bytes.hpp"
#include "framework/graph/store/orj/cut.hpp"
#include "framework/graph/store/orj/edges.hpp"
#include "framework/graph/store/orj/mapped_vectors.hpp"
#include "framework/graph/store/orj/names.hpp"
#include "framework/graph/store/orj/rows.hpp"
#include "system/collectives/collectives.hpp"

namespace orujo::internal::graph {
namespace {

using formats::orj_header;
using formats::orj_section;
using formats::orj_section_reader;

// Sums over edges, the same in any order, and over the reversed edges.
struct edge_sums {
  std::uint64_t edges = 0, hashes = 0, reversed = 0;

  void add(std::uint64_t source, std::uint64_t target, float weight) {
    ++edges;
    hashes += formats::hash_of_edge(source, target, weight);
    reversed += formats::hash_of_edge(target, source, weight);
  }
};

edge_sums add_up(const edge_sums& mine) {
  return collectives::all_reduce(mine, [](const edge_sums& a, const edge_sums& b) {
    return edge_sums{a.edges + b.edges, a.hashes + b.hashes, a.reversed + b.reversed};
  });
}

// The whole of one file; members are collective and fail the same at every core.
class orj_check {
 public:
  orj_check(formats::byte_source& source, const orj_header& header) : source_(source), header_(header) {}

  status run() {
    status failed;
    for (std::size_t k = 0; k < formats::orj_sections && failed.ok(); ++k)
      failed = check_section(static_cast<orj_section>(k));
    if (failed.ok()) failed = collectives::first_failure(check_ids());
    if (failed.ok() && has_names(header_)) failed = check_names();
    edge_sums in, out;
    if (failed.ok()) failed = add_rows(orj_rows_of::in_edges, in);
    if (failed.ok() && !header_.symmetric) {
      failed = add_rows(orj_rows_of::out_edges, out);
      if (failed.ok() && out.hashes != in.hashes)
        failed = bad(orj_section::out_neighbours, "the out-edges are others than the in-edges");
    }
    if (failed.ok() && header_.symmetric && in.hashes != in.reversed)
      failed = bad(orj_section::in_neighbours, "the edges are not symmetric, but the header says so");
    if (failed.ok() && header_.segments > 0) failed = check_vectors(in);
    return failed;
  }

 private:
  status bad(orj_section section, std::string_view what) const {
    return formats::orj_error(source_.path(), header_[section].first, name_of(section), what);
  }

  // The blocks of a section, and the zeros up to the next page.
  status check_section(orj_section section) const {
    const orj_header::place& place = header_[section];
    if (place.bytes == 0) return {};
    const index_range mine = my_part_of_job({0, formats::blocks_of(place.bytes)});
    status failed;
    if (mine.size() > 0 && section != orj_section::checksums) failed = check_blocks(section, mine);
    const std::uint64_t end = place.first + place.bytes;
    std::vector<std::byte> rest((formats::orj_page - end % formats::orj_page) % formats::orj_page);
    if (failed.ok()) failed = formats::read_all(source_, end, rest);
    const auto not_zero =
        std::find_if(rest.begin(), rest.end(), [](std::byte b) { return b != std::byte{}; });
    if (failed.ok() && not_zero != rest.end())
      failed = formats::orj_error(source_.path(), end + static_cast<std::uint64_t>(not_zero - rest.begin()),
                                  name_of(section), "bytes after it are not 0");
    return collectives::first_failure(failed);
  }

  status check_blocks(orj_section section, index_range blocks) const {
    auto reader = orj_section_reader::open(source_, header_, section);
    if (!reader.ok()) return reader.status();
    std::vector<std::byte> bytes(formats::orj_block_bytes);
    for (std::size_t b = blocks.first; b < blocks.last; ++b) {
      const std::uint64_t first = b * formats::orj_block_bytes;
      const std::uint64_t size = std::min(formats::orj_block_bytes, header_[section].bytes - first);
      if (status failed = reader.value().read(first, std::span(bytes).first(size)); !failed.ok())
        return failed;
    }
    return {};
  }

  // Ids ascend in the order of the positions.
  status check_ids() const {
    if (my_core() != 0 || !header_.has(orj_section::ids)) return {};
    const auto numbers = numbering_of(source_, header_);
    if (!numbers.ok()) return numbers.status();
    const auto table = read_orj_id_table(source_, header_, numbers.value());
    if (!table.ok()) return table.status();
    const auto descent =
        std::adjacent_find(table.value()->begin(), table.value()->end(), std::greater_equal<>());
    if (descent == table.value()->end()) return {};
    return bad(orj_section::ids,
               fmt::format("id {} follows {} in the order of the positions, but they must ascend", descent[1],
                           descent[0]));
  }

  status check_names() const {
    const orj_share share = share_of_job();
    return read_orj_names(source_, header_, share.of(header_.vertices), share.agree).status();
  }

  status add_rows(orj_rows_of which, edge_sums& sums) const {
    const auto cut = cut_orj(source_, header_, cores(), partition_options{}.alpha);
    if (!cut.ok()) return cut.status();
    const index_range mine{cut.value().first_of(my_core()), cut.value().last_of(my_core())};
    const auto read = read_orj_rows(source_, header_, which, mine, weight_rule::any, share_of_job().agree);
    if (!read.ok()) return read.status();
    const rows& all = read.value();
    std::uint64_t loops_found = 0, parallel = 0;
    edge_sums part;
    for (std::uint64_t row = 0; row < all.vertices(); ++row) {
      const std::uint64_t vertex = mine.first + row;
      for (std::uint64_t k = all.offsets[row]; k < all.offsets[row + 1]; ++k) {
        const std::uint64_t other = all.neighbour(k);
        const float weight = header_.weighted ? all.weights[k] : 1;
        loops_found += other == vertex ? 1 : 0;
        parallel += k > all.offsets[row] && all.neighbour(k - 1) == other ? 1 : 0;
        which == orj_rows_of::in_edges ? part.add(other, vertex, weight) : part.add(vertex, other, weight);
      }
    }
    sums = add_up(part);
    status failed;
    if (header_.no_self_loops && collectives::all_reduce(loops_found) > 0)
      failed = bad(orj_section::in_neighbours, "has self-loops, but the header says none");
    if (header_.no_parallel_edges && collectives::all_reduce(parallel) > 0)
      failed = bad(orj_section::in_neighbours, "has parallel edges, but the header says none");
    return failed;
  }

  status check_vectors(const edge_sums& in) const {
    const auto mapped = formats::map_source(source_.path());
    if (status failed = collectives::first_failure(mapped.status()); !failed.ok()) return failed;
    auto vectors = orj_mapped_vectors::open(*mapped.value(), header_, weight_rule::any);
    if (status failed = collectives::first_failure(vectors.status()); !failed.ok()) return failed;
    const index_range mine = my_part_of_job({0, vectors.value().slices()});
    edge_sums part;
    status failed;
    for (std::size_t k = mine.first; k < mine.last && failed.ok(); ++k) {
      failed = vectors.value().check_slice(k);
      if (failed.ok())
        vectors.value().for_each_edge_of(k, [&](std::uint32_t target, std::uint32_t source, float weight) {
          part.add(source, target, weight);
        });
    }
    failed = collectives::first_failure(failed);
    if (!failed.ok()) return failed;
    const edge_sums sums = add_up(part);
    if (sums.edges == in.edges && sums.hashes == in.hashes) return {};
    return bad(orj_section::vectors, "Vector-Sparse has other edges than the rows");
  }

  formats::byte_source& source_;
  const orj_header& header_;
};

}  // namespace

result<orj_header> check_orj(const std::string& path) {
  const auto opened = formats::open_source(path);
  if (status failed = collectives::first_failure(opened.status()); !failed.ok()) return failed;
  const auto header = formats::find_orj_header(*opened.value());
  if (status failed = collectives::first_failure(header.status()); !failed.ok()) return failed;
  if (!header.value()) return formats::orj_error(path, 0, "header", "this is not an .orj file");
  const status failed = orj_check(*opened.value(), *header.value()).run();
  if (!failed.ok()) return failed;
  return *header.value();
}

}  // namespace orujo::internal::graph
