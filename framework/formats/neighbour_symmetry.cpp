#include "framework/formats/neighbour_symmetry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "framework/formats/edge_hash.hpp"
#include "framework/formats/feed_range.hpp"
#include "framework/formats/header_reader.hpp"
#include "framework/formats/source_bytes.hpp"
#include "system/machine/available_memory.hpp"

namespace orujo::internal::formats {
namespace {

constexpr std::uint64_t bytes_at_a_time = std::uint64_t{4} << 20;
constexpr std::uint64_t buckets = 4096;  // of pairs of vertices: the first few with mistakes are examined
constexpr std::uint64_t buckets_looked_at = 64;

struct place {
  std::uint64_t low, high;  // vertices
  float weight;
  bool ascends;         // it leads from low to high
  std::uint64_t row;    // it is in,
  std::uint64_t index;  // as so manieth neighbour
};

std::uint64_t bucket_of(std::uint64_t low, std::uint64_t high) {
  return hash_of_edge(low, high, 0) % buckets;
}

// Calls visit(place) with every edge that is not a loop, in the order of the file.
template <class Visit>
status visit_places(byte_source& source, const text_layout& layout, Visit visit) {
  std::uint64_t row = 0;
  for (std::uint64_t first = 0; first < source.size(); first += bytes_at_a_time) {
    const std::uint64_t last = std::min(first + bytes_at_a_time, source.size());
    const auto part = read_text_range(source, layout, first, last, row);
    if (!part.ok()) return part.status();
    row += part.value().summary.rows;
    const edge_list& list = part.value().list;
    std::uint64_t index = 0;
    for (std::size_t k = 0; k < list.edges.size(); ++k) {
      const edge e = list.edges[k];
      index = k > 0 && list.edges[k - 1].source == e.source ? index + 1 : 0;
      if (e.source == e.target) continue;
      const auto [low, high] = std::minmax(e.source, e.target);
      visit(
          place{low, high, list.weights.empty() ? 0 : list.weights[k], e.source < e.target, e.source, index});
    }
  }
  return {};
}

// The first in the file that has no counterpart.
place without_counterpart(std::vector<place> places) {
  const auto key = [](const place& p) { return std::tuple(p.low, p.high, p.weight); };
  const auto spot = [](const place& p) { return std::tuple(p.row, p.index); };
  std::sort(places.begin(), places.end(), [&](const place& a, const place& b) {
    return std::tuple_cat(key(a), spot(a)) < std::tuple_cat(key(b), spot(b));
  });
  const place* found = nullptr;
  for (auto first = places.begin(); first != places.end();) {
    const auto last =
        std::find_if(first, places.end(), [&](const place& p) { return key(p) != key(*first); });
    const auto ascending = std::count_if(first, last, [](const place& p) { return p.ascends; });
    const bool ascends = 2 * ascending > last - first;
    if (2 * ascending != last - first) {
      const auto one = std::find_if(first, last, [&](const place& p) { return p.ascends == ascends; });
      if (!found || spot(*one) < spot(*found)) found = &*one;
    }
    first = last;
  }
  return *found;
}

// Finds the line of a row, and keeps it.
class line_finder {
 public:
  explicit line_finder(std::uint64_t row) : rows_before_(row) {}

  void feed(std::string_view bytes) {
    while (!bytes.empty() && !found_) {
      const std::size_t end = bytes.find('\n');
      text_ += bytes.substr(0, end);
      if (end == bytes.npos) return;
      end_line();
      bytes.remove_prefix(end + 1);
    }
  }
  void finish() {
    if (!found_) end_line();
  }
  bool failed() const { return found_; }
  bool inside_line() const { return false; }
  std::uint64_t line() const { return line_; }
  const std::string& text() const { return text_; }

 private:
  void end_line() {
    ++line_;
    const auto words = words_of(text_);
    const bool is_row = words.empty() || !words[0].text.starts_with('%');
    found_ = is_row && rows_before_ == 0;
    if (found_) return;
    rows_before_ -= is_row ? 1 : 0;
    text_.clear();
  }

  std::uint64_t rows_before_, line_ = 0;
  std::string text_;
  bool found_ = false;
};

status tell(byte_source& source, const text_layout& layout, const place& wrong) {
  line_finder finder(wrong.row);
  const status failed = feed_range(source, layout.body, 0, source.size(), finder,
                                   [](std::uint64_t, std::uint64_t) { return status(); });
  if (!failed.ok()) return failed;
  const auto words = words_of(finder.text());
  const std::uint64_t word = layout.skipped_columns + wrong.index * (layout.columns - 1);
  const std::uint64_t other = wrong.row == wrong.low ? wrong.high : wrong.low;
  return {exit_status::bad_data,
          fmt::format("{}:{}:{}: vertex {} has the neighbour {}, which does not list it{}; expected every "
                      "edge in the lines of both its ends",
                      source.path(), layout.lines_before + finder.line(),
                      word < words.size() ? words[word].column : 1, wrong.row + layout.least_id,
                      other + layout.least_id, layout.has_weights() ? ", or with another weight" : "")};
}

status find_asymmetry(byte_source& source, const text_layout& layout) {
  std::vector<std::uint64_t> sums(buckets);
  status failed = visit_places(source, layout, [&](const place& p) {
    const std::uint64_t hash = hash_of_edge(p.low, p.high, p.weight);
    sums[bucket_of(p.low, p.high)] += p.ascends ? hash : -hash;
  });
  if (!failed.ok()) return failed;
  std::uint64_t uneven = 0;
  for (std::uint64_t& sum : sums) sum = sum != 0 && uneven++ < buckets_looked_at ? 1 : 0;
  if (uneven == 0)
    return {exit_status::io_error, source.path() + ": it has changed while it was read; read it again"};
  std::vector<place> places;
  failed = visit_places(source, layout, [&](const place& p) {
    if (sums[bucket_of(p.low, p.high)] == 1) places.push_back(p);
  });
  if (!failed.ok()) return failed;
  return tell(source, layout, without_counterpart(std::move(places)));
}

}  // namespace

status check_symmetry(const text_totals& totals, byte_source& source, const text_layout& read) {
  if (read.format != text_format::metis || totals.asymmetry == 0) return {};
  text_layout layout = read;
  layout.halved = false;
  if (source.seekable()) return find_asymmetry(source, layout);
  const auto again = source.again();
  if (!again.ok()) return again.status();
  const auto memory = read_into_memory(*again.value(), machine::available_memory());
  if (!memory.ok()) return memory.status();
  return find_asymmetry(*memory.value(), layout);
}

}  // namespace orujo::internal::formats
