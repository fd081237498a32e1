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

  // Vertices whose heavy edges wait: the number of their edges, and a value as good as any of theirs.
  struct waiting {
    std::uint64_t edges = 0;
    value best{};
  };
  static waiting both(const Rule& rule, const waiting& a, const waiting& b) {
    if (a.edges == 0 || b.edges == 0) return a.edges == 0 ? b : a;
    return {a.edges + b.edges, rule.improves(a.best, b.best) ? b.best : a.best};
  }

  // Begins a run, in which edges wait if `may_wait` and if light edges lead far enough.
  void clear(bool may_wait) {
    size_ = may_wait ? none : 0;
    end_ = none;
    edges_done_ = 0;
    forget();
  }
  // The light edges of a vertex lead to at most the bin that is so many behind its own.
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
    waits_ = both(rule, waits_, {degree, own.shown});
  }
  void add_mirrors(std::span<const found> mirrors) {
    mirrors_.insert(mirrors_.end(), mirrors.begin(), mirrors.end());
  }
  // Of this core.
  const waiting& waits() const { return waits_; }
  std::span<const found> own() const { return own_; }
  std::span<const found> mirrors() const { return mirrors_; }

  // Ends the epoch: `all` are the waiting vertices of all cores. Returns true if these have fewer edges than
  // the vertices that have not been relaxed yet.
  bool pushes(const waiting& all, std::uint64_t edges_of_graph) {
    edges_done_ += all.edges;
    return all.edges <= edges_of_graph - std::min(edges_of_graph, edges_done_);
  }
  void forget() {
    own_.clear();
    mirrors_.clear();
    waits_ = {};
  }

 private:
  static constexpr std::uint64_t least_bins = 3;  // of an epoch

  std::uint64_t size_ = 0;  // in bins
  std::uint64_t end_ = none;
  std::uint64_t edges_done_ = 0;  // of vertices of former epochs, of all cores
  waiting waits_;
  std::vector<found> own_, mirrors_;
};

}  // namespace orujo::internal::steps
