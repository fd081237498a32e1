// Collaborative filtering: finds a vector of factors for every vertex such that the products of the vectors
// at both ends of edges approximate the edges' weights (ratings of items by users).
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "framework/gas/run.hpp"
#include "framework/graph/kept_forms.hpp"
#include "system/base/random.hpp"
#include "system/collectives/collectives.hpp"

namespace orujo::internal::algorithms {

// The number of iterations and the step sizes of matrix_factorization.
struct factorization_options {
  int iterations = 10;
  double step = 0.2;      // in units of 1 / the ratings' root mean square, so that ratings may have any
  double lambda = 0.001;  // share of itself that each step takes from a factor
};

// Matrix factorization for collaborative filtering, a vertex program: 16 factors for each vertex, whose
// products approximate the weights of edges, the ratings. It uses gradient descent, as in GraphMat (Sundaram
// et al., VLDB 2015). The error of an edge is e = rating - p . q. All vertices change at once by p += step *
// (mean of e q over the vertex's edges - lambda p). The mean instead of GraphMat's sum lets one step serve
// vertices of all degrees.
//
// Factors begin at random, the same for any number of locales and cores, with products of about the size of a
// rating. The graph is made with --symmetrize and has weights.
struct matrix_factorization {
  static constexpr std::size_t factors = 16;
  using value = std::array<float, factors>;
  struct accumulator {
    value gradient{};
    double squared_errors = 0;
    std::uint64_t ratings = 0;
  };
  struct add {
    accumulator operator()(accumulator a, const accumulator& b) const {
      for (std::size_t k = 0; k < factors; ++k) a.gradient[k] += b.gradient[k];
      a.squared_errors += b.squared_errors;
      a.ratings += b.ratings;
      return a;
    }
  };
  static constexpr auto combine = add{};
  struct aggregate {
    double squared_errors = 0;
    std::uint64_t ratings = 0;
    void operator+=(const aggregate& other) {
      squared_errors += other.squared_errors;
      ratings += other.ratings;
    }
  };

  // [task; suspends; collective over the job] `found` is the locale's, by own vertex.
  matrix_factorization(const graph::locale_graph& g, std::span<value> found,
                       const factorization_options& options)
      : found_(graph::require_forms(g, {.in_rows = true}, "matrix_factorization:").own_values(found).data()),
        graph_(&g),
        iterations_(options.iterations),
        lambda_(static_cast<float>(options.lambda)) {
    const double rating = typical_rating(g);
    step_ = static_cast<float>(options.step / rating);
    scale_ = 2 * std::sqrt(rating / factors);
  }

  accumulator gather(const value& source, float rating, const value& own) const {
    float product = 0;
    for (std::size_t k = 0; k < factors; ++k) product += source[k] * own[k];
    const float error = rating - product;
    accumulator made{{}, static_cast<double>(error) * error, 1};
    for (std::size_t k = 0; k < factors; ++k) made.gradient[k] = error * source[k];
    return made;
  }

  value start(const graph::vertex& v, aggregate&) {
    value& mine = found_[v.local];
    const std::uint64_t position = graph_->position_of(v.local);
    for (std::size_t k = 0; k < factors; ++k) {
      const std::uint64_t drawn = mix64(position * factors + k + 1) >> 40;
      mine[k] = static_cast<float>(scale_ * static_cast<double>(drawn) / (1 << 24));
    }
    return mine;
  }

  bool apply(const graph::vertex& v, const accumulator& total, value& shown, aggregate& sums) {
    sums.squared_errors += total.squared_errors;
    sums.ratings += total.ratings;
    if (measuring_ || total.ratings == 0) return true;
    const float share = 1 / static_cast<float>(total.ratings);
    for (std::size_t k = 0; k < factors; ++k)
      shown[k] += step_ * (total.gradient[k] * share - lambda_ * shown[k]);
    found_[v.local] = shown;
    return true;
  }

  // There is one more superstep than iterations, for the last errors.
  int planned_supersteps() const { return iterations_ + 1; }
  bool next(int superstep, const aggregate& last) {
    if (superstep > 0 && last.ratings > 0)
      errors.push_back(std::sqrt(last.squared_errors / static_cast<double>(last.ratings)));
    measuring_ = superstep == iterations_;
    return superstep <= iterations_;
  }

  void checkpoint(graph::program_state& kept) {
    kept.add_vertices("factors", found_);
    kept.add("errors", errors);
  }
  value restored(const graph::vertex& v) { return found_[v.local]; }

  std::vector<double> errors;  // root mean square over all edges, before each iteration and after the last

 private:
  // Returns the root mean square of the ratings; 1 if there are none.
  static double typical_rating(const graph::locale_graph& g) {
    aggregate mine;
    const graph::edge_reader edges = g.in_rows->any_form();
    for (std::uint32_t v = g.my_part().first; v < g.my_part().last; ++v) {
      for (std::uint64_t k = g.in_rows->offsets[v]; k < g.in_rows->offsets[v + 1]; ++k) {
        const auto rating = static_cast<double>(edges.weight(k));
        mine.squared_errors += rating * rating;
        ++mine.ratings;
      }
    }
    const aggregate all = collectives::all_reduce(mine, [](aggregate a, const aggregate& b) {
      a += b;
      return a;
    });
    return all.squared_errors > 0 ? std::sqrt(all.squared_errors / static_cast<double>(all.ratings)) : 1;
  }

  value* const found_;
  const graph::locale_graph* const graph_;
  const int iterations_;
  const float lambda_;
  float step_ = 0;
  double scale_ = 0;  // factors begin between 0 and this
  bool measuring_ = false;
};

}  // namespace orujo::internal::algorithms
