// Epochs of bins, at whose end the heavy edges of their vertices are relaxed (relaxation.hpp).
//
// After Chakaravarthy, Checconi, Petrini, Sabharwal, "Scalable Single Source Shortest Path Algorithms for
// Massively Parallel Systems", IPDPS 2014, where an epoch is one bin, and long edges are pushed or pulled.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "framework/steps/bins.hpp"

namespace orujo::internal::steps {

// A vertex whose out-edges are to be relaxed, and what it showed when it was found.
template <class Value>
struct found_vertex {
  std::uint32_t vertex;
  Value shown;
};

// One core's part. Rule is that of a relaxation. All cores begin and end the same epochs.
template <class Rule>
class epochs {
  using value = typename Rule::value;
  using found = found_vertex<value>;

 public:
  static constexpr std::uint64_t none = bins<int>::none;

  // Vertices whose heavy edges wait, their edges, and a value as good as any of theirs.
  struct waiting {
    std::uint64_t vertices = 0, edges = 0;
    value best{};
  };
  static waiting both(const Rule& rule, const waiting& a, const waiting& b) {
    if (a.vertices == 0 || b.vertices == 0) return a.vertices == 0 ? b : a;
    return {a.vertices + b.vertices, a.edges + b.edges, rule.improves(a.best, b.best) ? b.best : a.best};
  }

  // Begins a run, in which edges wait if `may_wait` and if light edges lead far enough.
  void clear(bool may_wait) {
    size_ = may_wait ? none : 0;
    end_ = none;
    vertices_done_ = edges_done_ = 0;
    forget();
  }
  // A light edge of some vertex may lead this many bins ahead. The least of all such numbers is the reach.
  void learn_reach(std::uint64_t bins) { size_ = std::min(size_, bins); }
  std::uint64_t reach() const { return size_; }

  // Begins an epoch at this bin, the first one that any core has. `round` is the number of bins that a round
  // of several locales has: no edge waits if it is as long as the epoch.
  void begin(std::uint64_t bin, std::uint64_t round) {
    end_ = size_ >= least_bins && size_ > round && bin < none - size_ ? bin + size_ : none;
  }
  // The first bin after the epoch, or none if no edge waits.
  std::uint64_t end() const { return end_; }
  bool under_way() const { return end_ != none; }

  void add(const Rule& rule, const found& own, std::uint32_t degree) {
    own_.push_back(own);
    waits_ = both(rule, waits_, {1, degree, own.shown});
  }
  void add_mirrors(std::span<const found> mirrors) {
    mirrors_.insert(mirrors_.end(), mirrors.begin(), mirrors.end());
  }
  // What waits at this core.
  const waiting& waits() const { return waits_; }
  std::span<const found> own() const { return own_; }
  std::span<const found> mirrors() const { return mirrors_; }

  // Ends the epoch: `all` are the waiting vertices of all cores, `sources` the vertices of the graph that
  // have edges. Returns true if it takes less time to relax the edges of these than of those not relaxed yet.
  bool pushes(const waiting& all, std::uint64_t sources, std::uint64_t edges) {
    vertices_done_ += all.vertices;
    edges_done_ += all.edges;
    return all.edges <= edges - std::min(edges, edges_done_) +
                            edges_of_visit * (sources - std::min(sources, vertices_done_));
  }
  void forget() {
    own_.clear();
    mirrors_.clear();
    waits_ = {};
  }

 private:
  static constexpr std::uint64_t least_bins = 3;  // of an epoch
  // A vertex that pulls takes as long as this many edges beside its own. Its row is short, and the processor
  // cannot predict where it ends.
  static constexpr std::uint64_t edges_of_visit = 10;

  std::uint64_t size_ = 0;  // in bins
  std::uint64_t end_ = none;
  std::uint64_t vertices_done_ = 0, edges_done_ = 0;  // of former epochs, of all cores
  waiting waits_;
  std::vector<found> own_, mirrors_;
};

}  // namespace orujo::internal::steps
