#include "framework/verify/tree_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <vector>

#include "system/collectives/collectives.hpp"

namespace orujo::internal::verify {
namespace {

constexpr std::size_t batch = std::size_t{1} << 14;

bool reached(const tree_place& place) { return place.parent >= 0; }

tree_verdict join_verdicts(const tree_verdict& a, const tree_verdict& b) {
  const auto place = [](const tree_verdict& v) { return std::tuple(v.first, v.vertex, v.other); };
  const bool only_a = a.first != tree_fault::none && (b.first == tree_fault::none || place(a) < place(b));
  tree_verdict both = only_a ? a : b;
  both.faults = a.faults + b.faults;
  return both;
}

// One core's part of a check.
class tree_checker {
 public:
  tree_checker(tree_places tree, std::uint64_t root) : tree_(tree), root_(root) {}

  // Checks the parents of the core's own vertices.
  void check_parents() {
    const index_range mine = tree_.range_here();
    for (std::size_t first = mine.first; first < mine.last; first += batch) {
      const std::size_t last = std::min(first + batch, mine.last);
      vertices_.clear();
      for (std::size_t v = first; v < last; ++v) {
        if (has_parent_in_graph(place_of(v)))
          vertices_.push_back(static_cast<std::uint64_t>(place_of(v).parent));
      }
      fetch_places();
      auto parent = places_.begin();
      for (std::size_t v = first; v < last; ++v) {
        check_parent(v, place_of(v), has_parent_in_graph(place_of(v)) ? *parent++ : tree_place{});
      }
    }
  }

  // Takes edges of any part of the graph. Notes which vertices have an edge to their parents.
  void check_edges(std::span<const edge> edges, std::span<const float> weights) {
    for (std::size_t first = 0; first < edges.size(); first += batch) {
      const std::size_t count = std::min(batch, edges.size() - first);
      vertices_.clear();
      for (const edge& e : edges.subspan(first, count))
        vertices_.insert(vertices_.end(), {e.source, e.target});
      fetch_places();
      for (std::size_t k = 0; k < count; ++k) {
        const float weight = weights.empty() ? 1 : weights[first + k];
        check_edge(edges[first + k], weight, places_[2 * k], places_[2 * k + 1]);
      }
      done_.wait();
    }
  }

  // When all cores have checked their edges: the core's own vertices again.
  void check_edges_to_parents() {
    const index_range mine = tree_.range_here();
    for (std::size_t v = mine.first; v < mine.last; ++v) {
      const tree_place& place = place_of(v);
      if (reached(place) && v != root_ && !place.has_edge_to_parent)
        note(tree_fault::edge, v, static_cast<std::uint64_t>(place.parent));
    }
  }

  const tree_verdict& verdict() const { return verdict_; }

 private:
  tree_place& place_of(std::size_t v) const { return tree_.local()[v - tree_.range_here().first]; }
  bool has_parent_in_graph(const tree_place& place) const {
    return reached(place) && static_cast<std::uint64_t>(place.parent) < tree_.size();
  }

  void fetch_places() {
    places_.resize(vertices_.size());
    tree_.gather(vertices_, places_);
  }

  void note(tree_fault fault, std::uint64_t vertex, std::uint64_t other) {
    verdict_ = join_verdicts(verdict_, {1, fault, vertex, other});
  }

  void check_parent(std::uint64_t v, const tree_place& place, const tree_place& parent) {
    const auto number = static_cast<std::uint64_t>(place.parent);
    if (v == root_) {
      if (number != root_ || place.distance != 0) note(tree_fault::root, v, number);
    } else if (reached(place) != (place.distance < std::numeric_limits<float>::infinity())) {
      note(tree_fault::parent, v, number);
    } else if (reached(place)) {
      if (!has_parent_in_graph(place) || !reached(parent)) {
        note(tree_fault::parent, v, number);
      } else if (!(parent.distance < place.distance)) {
        note(tree_fault::order, v, number);
      }
    }
  }

  void check_edge(const edge& e, float weight, const tree_place& source, const tree_place& target) {
    const std::uint64_t low = std::min(e.source, e.target), high = std::max(e.source, e.target);
    if (reached(source) != reached(target)) note(tree_fault::component, low, high);
    if (!reached(source) || !reached(target)) return;
    if (!(target.distance <= source.distance + weight) || !(source.distance <= target.distance + weight))
      note(tree_fault::span, low, high);
    note_edge_to_parent(e.source, source, e.target, target.distance + weight);
    note_edge_to_parent(e.target, target, e.source, source.distance + weight);
  }

  void note_edge_to_parent(std::uint64_t child, const tree_place& place, std::uint64_t neighbour,
                           float distance) {
    if (static_cast<std::uint64_t>(place.parent) != neighbour || place.distance != distance) return;
    delegates::async_call(done_, tree_[child], [](tree_place& there) { there.has_edge_to_parent = 1; });
  }

  const tree_places tree_;
  const std::uint64_t root_;
  tree_verdict verdict_;
  delegates::completion_event done_;
  std::vector<std::uint64_t> vertices_;  // whose places are fetched
  std::vector<tree_place> places_;
};

}  // namespace

std::string tree_verdict::describe() const {
  const auto text = [this]() -> std::string {
    switch (first) {
      case tree_fault::none:
        return "the tree is right";
      case tree_fault::root:
        return fmt::format("vertex {} is the root, but not its own parent at distance 0", vertex);
      case tree_fault::parent:
        return fmt::format("vertex {} has only one of a distance and a parent that is reached", vertex);
      case tree_fault::order:
        return fmt::format("vertex {} is not further from the root than its parent {}", vertex, other);
      case tree_fault::component:
        return fmt::format("an edge joins vertices {} and {}, of which only one is reached", vertex, other);
      case tree_fault::span:
        return fmt::format("an edge joins vertices {} and {}, whose distances differ by more than its weight",
                           vertex, other);
      case tree_fault::edge:
        return fmt::format("no edge of the right length joins vertex {} and its parent {}", vertex, other);
    }
    return "";
  }();
  return faults > 1 ? fmt::format("{} ({} faults in all)", text, faults) : text;
}

tree_verdict check_tree(tree_places tree, std::uint64_t root,
                        const std::function<void(const edge_visitor&)>& visit_my_edges) {
  for (tree_place& place : tree.local()) place.has_edge_to_parent = 0;
  collectives::barrier();
  tree_checker checker(tree, root);
  checker.check_parents();
  visit_my_edges([&](std::span<const edge> edges, std::span<const float> weights) {
    checker.check_edges(edges, weights);
  });
  collectives::barrier();
  checker.check_edges_to_parents();
  return collectives::all_reduce(checker.verdict(), join_verdicts);
}

}  // namespace orujo::internal::verify
