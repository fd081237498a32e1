// Solves A x = b by conjugate gradients (Hestenes, Stiefel, 1952). Each core has the rows of a sparse matrix
// that belong to its part of the vectors, and ghosts of the elements of others that these rows read.
#include <orujo/orujo.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <span>
#include <vector>

using namespace orujo;

constexpr std::size_t side = 200, unknowns = side * side;

// Calls entry(column, value) for each entry of a row. The matrix is that of a mesh in which each point also
// has an edge to the point opposite. It is symmetric and positive definite.
template <class Entry>
void for_row(std::size_t i, const Entry& entry) {
  double diagonal = 0.1;
  const auto edge = [&](std::size_t j, double weight) {
    entry(j, -weight);
    diagonal += weight;
  };
  if (i % side > 0) edge(i - 1, 1);
  if (i % side + 1 < side) edge(i + 1, 1);
  if (i >= side) edge(i - side, 1);
  if (i + side < unknowns) edge(i + side, 1);
  edge(unknowns - 1 - i, 0.01);
  entry(i, diagonal);
}
double right_side(std::size_t i) { return std::sin(0.01 * static_cast<double>(i)); }

double dot(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

struct effort {
  int steps = 0;
  double ms = 0;  // of all steps
};

// [collective] Sets the calling core's part of the solution.
effort solve_here(const global_array<double>& solution, const global_array<double>& direction) {
  const auto rows = solution.range_here();
  std::vector<std::size_t> row_begins = {0}, columns;
  std::vector<double> values;
  for (std::size_t i = rows.first; i < rows.last; ++i) {
    for_row(i, [&](std::size_t column, double value) {
      columns.push_back(column);
      values.push_back(value);
    });
    row_begins.push_back(columns.size());
  }
  // The plan: read[k] will be the element columns[k] of the direction.
  ghosts<double> read(direction, columns);

  const std::span<double> x = solution.local(), d = direction.local();
  std::vector<double> residual(rows.size()), product(rows.size());
  for (std::size_t k = 0; k < rows.size(); ++k) residual[k] = d[k] = right_side(rows.first + k);
  double norm = all_reduce(dot(residual, residual));
  const double enough = norm * 1e-16;
  effort mine;
  const auto start = std::chrono::steady_clock::now();
  for (; norm > enough; ++mine.steps) {
    read.update();
    for (std::size_t k = 0; k < rows.size(); ++k) {
      product[k] = 0;
      for (std::size_t e = row_begins[k]; e < row_begins[k + 1]; ++e) product[k] += values[e] * read[e];
    }
    const double length = norm / all_reduce(dot(d, product));
    for (std::size_t k = 0; k < rows.size(); ++k) {
      x[k] += length * d[k];
      residual[k] -= length * product[k];
    }
    const double before = norm;
    norm = all_reduce(dot(residual, residual));
    for (std::size_t k = 0; k < rows.size(); ++k) d[k] = residual[k] + norm / before * d[k];
  }
  mine.ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  return mine;
}

// Returns the largest difference between A x and b, from the definition alone.
double largest_error(const global_array<double>& solution) {
  const std::vector<double> x = solution.values();
  double largest = 0;
  for (std::size_t i = 0; i < unknowns; ++i) {
    double sum = 0;
    for_row(i, [&](std::size_t column, double value) { sum += value * x[column]; });
    largest = std::max(largest, std::abs(sum - right_side(i)));
  }
  return largest;
}

status solve() {
  const auto solution = global_array<double>::create(unknowns),
             direction = global_array<double>::create(unknowns);
  const effort whole = on_all_cores([=] { return solve_here(solution, direction); });
  std::fprintf(stderr, "%d steps of %.3f ms\n", whole.steps, whole.ms / whole.steps);
  std::printf("unknowns: %zu\n", unknowns);
  std::printf("A x = b to within 1e-6: %s\n", largest_error(solution) < 1e-6 ? "yes" : "no");
  solution.destroy();
  direction.destroy();
  return {};
}

int main(int argc, char** argv) { return run(argc, argv, "Solves a sparse system of equations.", &solve); }
