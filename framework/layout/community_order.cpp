// Communities within communities: Arai, Shiokawa, Yamamuro, Onizuka, Iwamura, "Rabbit Order: Just-in-time
// Parallel Reordering for Fast Graph Analysis", IPDPS 2016, on one core.
#include <malloc.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <span>
#include <utility>

#include "framework/graph/build/degree_order.hpp"
#include "framework/layout/orders.hpp"

namespace orujo::internal::layout {
namespace {

constexpr std::uint32_t nobody = std::numeric_limits<std::uint32_t>::max();

// Communities, each a tree. A vertex joins another one, with all that have joined it; the root has joined
// none.
class community_forest {
 public:
  explicit community_forest(const undirected_graph& g)
      : graph_(g),
        all_ends_(static_cast<double>(2 * g.edges())),
        communities_(g.vertices()),
        branches_(g.vertices()),
        kept_(g.vertices()) {
    for (std::uint32_t v = 0; v < g.vertices(); ++v) {
      communities_[v] = {g.degree(v), v, 0};
      branches_[v] = {nobody, nobody, false};
    }
  }

  // Once for each vertex, while it is a root. It joins the neighbouring community with which modularity gains
  // most; false, and it stays a root, where nothing is gained.
  bool join(std::uint32_t v) {
    links_.clear();
    for (const std::uint32_t neighbour : graph_.of(v)) add_link({neighbour, 1}, v);
    for (std::uint32_t c = branches_[v].last_child; c != nobody; c = branches_[c].sibling) {
      add_kept(std::exchange(kept_[c], {}), v);
    }
    const double share = static_cast<double>(communities_[v].ends) / all_ends_;
    double most = 0;
    std::uint32_t best = nobody;
    for (link& l : links_) {
      community& c = communities_[l.to];
      l.edges = std::exchange(c.edges, 0.f);
      const double gain = l.edges - share * static_cast<double>(c.ends);
      if (gain <= most) continue;
      most = gain;
      best = l.to;
    }
    branches_[v].settled = true;
    if (best == nobody) return false;
    communities_[best].ends += communities_[v].ends;
    communities_[v].joined = best;
    branches_[v].sibling = std::exchange(branches_[best].last_child, v);
    if (!branches_[best].settled) kept_[v] = packed(links_);
    return true;
  }

  // Depth first: a root, then the vertices that have joined it, in the order in which they did.
  void walk(std::uint32_t root, vertex_sequence& order) const {
    std::vector<std::uint32_t> left = {root};
    while (!left.empty()) {
      const std::uint32_t v = left.back();
      left.pop_back();
      order.push_back(v);
      for (std::uint32_t c = branches_[v].last_child; c != nobody; c = branches_[c].sibling)
        left.push_back(c);
    }
  }

  // Fetches what join() reads.
  void prefetch_row(std::uint32_t v) const {
    const auto row = graph_.of(v);
    for (std::size_t k = 0; k < row.size(); k += 16) __builtin_prefetch(&row[k]);
    __builtin_prefetch(&branches_[v]);
  }
  void prefetch_neighbours(std::uint32_t v) const {
    for (const std::uint32_t neighbour : graph_.of(v)) __builtin_prefetch(&communities_[neighbour]);
  }

 private:
  // The state of a vertex v. The sums are of v and of all that have joined it. They are valid while v is a
  // root.
  struct community {
    std::uint64_t ends;    // of edges
    std::uint32_t joined;  // v itself where v is a root; else a vertex between v and its root, or the root
    float edges;           // between the community and the vertex that is about to join
  };
  struct link {
    std::uint32_t to;  // a vertex of the community
    float edges;       // exact up to 2^24
  };
  struct branch {
    std::uint32_t last_child, sibling;
    bool settled;  // has joined, or stays a root
  };

  std::uint32_t root_of(std::uint32_t v) {
    while (communities_[v].joined != v) {
      std::uint32_t& joined = communities_[v].joined;
      v = joined = communities_[joined].joined;
    }
    return v;
  }
  void add_link(link l, std::uint32_t from) {
    l.to = root_of(l.to);
    if (l.to == from) return;
    if (communities_[l.to].edges == 0) links_.push_back(l);
    communities_[l.to].edges += l.edges;
  }

  // A link of one edge, as most are, is its vertex only. Others are `nobody`, the vertex and the number.
  using packed_links = std::vector<std::uint32_t>;

  static packed_links packed(std::span<const link> links) {
    const auto several = std::ranges::count_if(links, [](const link& l) { return l.edges != 1; });
    packed_links made;
    made.reserve(links.size() + 2 * static_cast<std::size_t>(several));
    for (const link& l : links) {
      if (l.edges != 1) made.insert(made.end(), {nobody, l.to, std::bit_cast<std::uint32_t>(l.edges)});
      if (l.edges == 1) made.push_back(l.to);
    }
    return made;
  }
  void add_kept(const packed_links& kept, std::uint32_t from) {
    for (std::size_t k = 0; k < kept.size(); ++k) {
      if (kept[k] != nobody) {
        add_link({kept[k], 1}, from);
      } else {
        add_link({kept[k + 1], std::bit_cast<float>(kept[k + 2])}, from);
        k += 2;
      }
    }
  }

  const undirected_graph& graph_;
  const double all_ends_;
  machine::huge_array<community> communities_;
  machine::huge_array<branch> branches_;
  // Links of vertices that have joined, until the joined vertex takes them over.
  std::vector<packed_links> kept_;
  std::vector<link> links_;  // of the one that is about to join
};

vertex_sequence walk_communities(const undirected_graph& g) {
  std::vector<std::uint32_t> degrees(g.vertices());
  for (std::uint32_t v = 0; v < g.vertices(); ++v) degrees[v] = static_cast<std::uint32_t>(g.degree(v));
  const graph::index_array descending = graph::by_degree(degrees);
  community_forest forest(g);
  std::vector<std::uint32_t> roots;
  for (std::uint64_t left = g.vertices(); left-- > 0;) {
    if (left >= 8) forest.prefetch_row(static_cast<std::uint32_t>(descending[left - 8]));
    if (left >= 4) forest.prefetch_neighbours(static_cast<std::uint32_t>(descending[left - 4]));
    const auto v = static_cast<std::uint32_t>(descending[left]);
    if (!forest.join(v)) roots.push_back(v);
  }
  vertex_sequence order;
  order.reserve(g.vertices());
  for (const std::uint32_t root : roots) forest.walk(root, order);
  return order;
}

}  // namespace

vertex_sequence community_order(const undirected_graph& g) {
  vertex_sequence order = walk_communities(g);
  ::malloc_trim(0);  // the links were small, and many
  return order;
}

}  // namespace orujo::internal::layout
