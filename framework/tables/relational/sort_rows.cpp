#include "framework/tables/relational/sort_rows.hpp"

#include <algorithm>
#include <boost/sort/pdqsort/pdqsort.hpp>
#include <utility>

#include "framework/tables/relational/row_exchange.hpp"
#include "system/base/identity.hpp"
#include "system/collectives/collectives.hpp"
#include "system/tasks/scheduler.hpp"

namespace orujo::internal::relational {
namespace {

constexpr std::size_t samples_per_core = 64;

// Less than 0: a comes first.
int compare(const row_part& a, std::size_t i, const row_part& b, std::size_t j,
            const std::vector<order_key>& keys) {
  for (const order_key& k : keys) {
    const column &left = a.columns[static_cast<std::size_t>(k.slot)],
                 &right = b.columns[static_cast<std::size_t>(k.slot)];
    const bool null = left.null(i), other_null = right.null(j);
    if (null || other_null) {
      if (null && other_null) continue;
      return null == k.nulls_first ? -1 : 1;
    }
    const word x = left[i], y = right[j];
    const int order =
        k.type == kind::real ? (real_of(x) > real_of(y)) - (real_of(x) < real_of(y)) : (x > y) - (x < y);
    if (order != 0) return k.descending ? -order : order;
  }
  return 0;
}

// The first key as a number that never contradicts compare().
std::uint64_t rank_of(const column& of, std::size_t row, const order_key& k) {
  if (of.null(row)) return k.nulls_first ? 0 : ~std::uint64_t{0};
  constexpr std::uint64_t sign = std::uint64_t{1} << 63;
  auto bits = static_cast<std::uint64_t>(k.type == kind::real && real_of(of[row]) == 0 ? 0 : of[row]);
  bits = k.type == kind::real && (bits & sign) ? ~bits : bits ^ sign;
  return k.descending ? ~bits : bits;
}

row_part picked(const row_part& rows, const auto& places) {
  row_part made{std::vector<column>(rows.columns.size()), places.size()};
  for (std::size_t c = 0; c < rows.columns.size(); ++c) {
    for (const auto& place : places)
      rows.columns[c].null(place.row) ? made.columns[c].push_null()
                                      : made.columns[c].push_back(rows.columns[c][place.row]);
  }
  return made;
}

std::vector<vec> columns_of(const row_part& rows) {
  std::vector<vec> all;
  for (const column& c : rows.columns) all.push_back(c.all());
  return all;
}

// By owner(row).
row_part dealt(const row_part& mine, const auto& owner) {
  row_part received;
  row_exchange to_owners(mine.columns.size(), received);
  const std::vector<vec> columns = columns_of(mine);
  for (std::size_t row = 0; row < mine.rows; ++row) {
    to_owners.send(static_cast<core_id>(owner(row)), columns, static_cast<std::uint32_t>(row));
    if (row % 16384 == 0) tasks::yield();
  }
  to_owners.finish();
  return received;
}

// Rows that end the range of each core but the last.
row_part choose_splitters(const row_part& sorted, const std::vector<order_key>& keys) {
  row_part sample, all;
  struct place {
    std::size_t row;
  };
  std::vector<place> places;
  const std::size_t samples = std::min(samples_per_core, sorted.rows);
  for (std::size_t k = 0; k < samples; ++k) places.push_back({k * sorted.rows / samples});
  sample = picked(sorted, places);
  row_exchange to_all(sample.columns.size(), all);
  const std::vector<vec> columns = columns_of(sample);
  for (std::uint32_t row = 0; row < sample.rows; ++row) {
    for (core_id c = 0; c < cores(); ++c) to_all.send(c, columns, row);
  }
  to_all.finish();
  sort_here(all, keys);
  places.clear();
  const auto parts = static_cast<std::size_t>(cores());
  for (std::size_t c = 1; c < parts && all.rows > 0; ++c) places.push_back({c * all.rows / parts});
  return picked(all, places);
}

}  // namespace

void sort_here(row_part& rows, const std::vector<order_key>& keys, std::optional<std::uint64_t> most) {
  require_numbers_for(rows.rows);
  struct place {
    std::uint64_t rank;
    std::uint32_t row;
  };
  large_array<place> places(rows.rows);
  for (std::size_t row = 0; row < rows.rows; ++row) {
    const std::uint64_t rank =
        keys.empty() ? 0 : rank_of(rows.columns[static_cast<std::size_t>(keys[0].slot)], row, keys[0]);
    places[row] = {rank, static_cast<std::uint32_t>(row)};
  }
  const auto before = [&](const place& a, const place& b) {
    return a.rank != b.rank ? a.rank < b.rank : compare(rows, a.row, rows, b.row, keys) < 0;
  };
  if (most && *most < places.size()) {
    const auto middle = places.begin() + static_cast<std::ptrdiff_t>(*most);
    std::nth_element(places.begin(), middle, places.end(), before);
    places.resize(*most);
  }
  boost::sort::pdqsort(places.begin(), places.end(), before);
  rows = picked(rows, places);
}

row_part sort_rows(row_part mine, const std::vector<order_key>& keys, std::optional<std::uint64_t> limit,
                   std::uint64_t offset, std::uint64_t few) {
  const std::optional<std::uint64_t> most =
      limit ? std::optional(*limit > ~std::uint64_t{0} - offset ? ~std::uint64_t{0} : *limit + offset)
            : std::nullopt;
  sort_here(mine, keys, most);
  const std::uint64_t all = collectives::all_reduce(std::uint64_t{mine.rows});
  if (all <= few || cores() == 1) {
    mine = dealt(mine, [](std::size_t) { return std::size_t{0}; });
  } else {
    const row_part splitters = choose_splitters(mine, keys);
    mine = dealt(mine, [&](std::size_t row) {
      std::size_t first = 0, last = splitters.rows;
      while (first < last) {
        const std::size_t middle = first + (last - first) / 2;
        compare(mine, row, splitters, middle, keys) < 0 ? last = middle : first = middle + 1;
      }
      return first;
    });
  }
  sort_here(mine, keys, {});
  const std::uint64_t before = collectives::exclusive_sum<std::uint64_t>(mine.rows);
  const std::uint64_t first = std::clamp<std::uint64_t>(offset, before, before + mine.rows) - before;
  const std::uint64_t last =
      most ? std::clamp<std::uint64_t>(*most, before, before + mine.rows) - before : mine.rows;
  if (first == 0 && last == mine.rows) return mine;
  struct place {
    std::size_t row;
  };
  std::vector<place> places;
  for (std::uint64_t row = first; row < last; ++row) places.push_back({row});
  return picked(mine, places);
}

}  // namespace orujo::internal::relational
