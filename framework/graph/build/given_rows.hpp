// Graphs of inputs that have rows already: they are taken as they are, and no edge is shuffled or sorted.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "framework/formats/edge.hpp"
#include "framework/formats/edge_hash.hpp"
#include "framework/graph/build/build_options.hpp"
#include "framework/graph/build/rows.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "framework/graph/partition.hpp"
#include "system/base/status.hpp"

namespace orujo::internal::graph {

struct given_rows_facts {
  std::uint64_t vertices = 0, edges = 0;
  std::uint64_t first_id = 0;
  bool weighted = false;  // and weights are not ignored
  bool directed =
      false;  // rows of either direction are given; else each edge is in the rows of both its ends
};

// Rows by vertex number, which are the positions. There is one object at each core.
class given_rows {
 public:
  struct both {
    rows in, out;              // `out` is of a directed graph only
    bool no_parallel = false;  // of all edges of the job
  };
  virtual ~given_rows() = default;
  // [task; suspends; collective over the job] The vertices, cut as choose_partition() does. Fails alike at
  // all cores if the rows are of no use.
  virtual result<partition> cut(int parts) = 0;
  // [task; suspends; collective over the job] This core's rows. Empty, at all cores, if they are of no use.
  virtual std::optional<both> take(const partition& owners) = 0;
};

// Any thread. Returns whether such rows may be those of the requested graph, in the requested order of the
// vertices.
bool may_be_given(const given_rows_facts& facts, const build_options& wanted);

// [task; suspends; collective over the job] Null if the rows are of no use, for which row_checker has the
// rules. The graph is then to be built of edges. Fails as assemble() does.
result<std::shared_ptr<locale_graph>> load_given_rows(given_rows& from, const given_rows_facts& facts,
                                                      const build_options& options);

// The edges that rows have, which gives the sign of their hashes.
enum class edges_of { both_ends, targets, sources };

// Checks the entries of a core's rows. Neighbours ascend and are vertices, parallel edges ascend by weight,
// and nothing is there that the options remove.
class row_checker {
 public:
  // What is found. The sum of all rows that belong together is 0 if each edge is there from both ends.
  struct findings {
    bool good = true, no_parallel = true;
    std::uint64_t edges = 0;
    friend findings operator+(findings a, const findings& b) {
      return {a.good && b.good, a.no_parallel && b.no_parallel, a.edges + b.edges};
    }
  };

  row_checker(std::uint64_t vertices, const build_options& options, edges_of which)
      : vertices_(vertices),
        no_loops_(options.remove_self_loops),
        no_duplicates_(options.remove_duplicates || options.symmetrize),
        which_(which) {}

  // The next entry; unweighted edges have the weight 0.
  void take(std::uint64_t vertex, std::uint64_t neighbour, float weight);
  const findings& found() const { return found_; }

 private:
  const std::uint64_t vertices_;
  const bool no_loops_, no_duplicates_;
  const edges_of which_;
  bool begun_ = false;
  edge last_;
  float last_weight_ = 0;
  findings found_;
};

inline void row_checker::take(std::uint64_t vertex, std::uint64_t neighbour, float weight) {
  bool bad = neighbour >= vertices_;
  if (begun_ && vertex <= last_.source) {
    const bool parallel = vertex == last_.source && neighbour == last_.target;
    found_.no_parallel &= !parallel;
    bad |= vertex < last_.source || neighbour < last_.target ||
           (parallel && (no_duplicates_ || weight < last_weight_));
  }
  begun_ = true;
  last_ = {vertex, neighbour};
  last_weight_ = weight;
  if (neighbour == vertex) {
    bad |= no_loops_;
    if (which_ == edges_of::both_ends) {
      found_.good &= !bad;
      return;
    }
  }
  found_.good &= !bad;
  const bool is_source = which_ == edges_of::both_ends ? vertex < neighbour : which_ == edges_of::sources;
  const std::uint64_t hash = is_source ? formats::hash_of_edge(vertex, neighbour, weight)
                                       : formats::hash_of_edge(neighbour, vertex, weight);
  found_.edges += is_source ? hash : -hash;
}

}  // namespace orujo::internal::graph
