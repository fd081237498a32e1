#include "framework/formats/adjacency_graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <utility>

#include "framework/formats/line_ends.hpp"
#include "framework/formats/rounded_weight.hpp"
#include "framework/formats/source_bytes.hpp"
#include "framework/formats/text_tokens.hpp"
#include "system/base/counted.hpp"

namespace orujo::internal::formats {
namespace {

constexpr std::string_view plain_word = "AdjacencyGraph", weighted_word = "WeightedAdjacencyGraph";
constexpr std::size_t longest_number = 256, header_room = 4096, stream_bytes = std::size_t{256} << 10;
constexpr std::uint64_t most_counts = std::uint64_t{1} << 48;

constexpr bool is_blank(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

// `"PATH:LINE:COLUMN: what"` of a byte; reads all before it.
status bad_byte(byte_source& source, std::uint64_t byte, std::string_view what) {
  std::vector<char> buffer(stream_bytes);
  std::uint64_t line = 1, line_start = 0;
  for (std::uint64_t at = 0; at < byte;) {
    const auto want = static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), byte - at));
    const auto got = read_text_at(source, at, std::span(buffer).first(want));
    if (!got.ok()) return got.status();
    if (got.value() == 0) break;
    for (std::size_t k = 0; k < got.value(); ++k) {
      if (buffer[k] != '\n') continue;
      ++line;
      line_start = at + k + 1;
    }
    at += got.value();
  }
  return {exit_status::bad_data,
          fmt::format("{}:{}:{}: {}", source.path(), line, byte - line_start + 1, what)};
}

}  // namespace

result<std::optional<adjacency_layout>> find_adjacency_layout(byte_source& source) {
  constexpr std::string_view expected =
      "expected 'AdjacencyGraph' or 'WeightedAdjacencyGraph', then the numbers of vertices and of edges";
  std::optional<adjacency_layout> none;
  std::string head(static_cast<std::size_t>(std::min<std::uint64_t>(header_room, source.size())), '\0');
  if (status failed = read_all(source, 0, head); !failed.ok()) return failed;
  adjacency_layout layout;
  layout.weighted = head.starts_with(weighted_word);
  if (!layout.weighted && !head.starts_with(plain_word)) return none;
  std::size_t at = layout.weighted ? weighted_word.size() : plain_word.size();
  if (at < head.size() && !is_blank(head[at])) return none;
  for (std::uint64_t* number : {&layout.vertices, &layout.edges}) {
    while (at < head.size() && is_blank(head[at])) ++at;
    std::size_t end = at;
    while (end < head.size() && !is_blank(head[end])) ++end;
    const std::string_view word(head.data() + at, end - at);
    if (parse_number(word, *number) != std::errc() || *number > most_counts)
      return bad_byte(source, at, fmt::format("{} is not a valid number; {}", shown(word), expected));
    at = end;
  }
  layout.body = at;
  return std::optional(layout);
}

std::uint64_t adjacency_blocks(const byte_source& source, const adjacency_layout& layout) {
  return (source.size() - layout.body + adjacency_block_bytes - 1) / adjacency_block_bytes;
}

result<std::vector<std::uint32_t>> count_adjacency_numbers(byte_source& source,
                                                           const adjacency_layout& layout,
                                                           std::uint64_t first, std::uint64_t last) {
  std::vector<std::uint32_t> counts;
  std::vector<char> block(adjacency_block_bytes + 1);  // and the byte before it; there is one, of the header
  for (std::uint64_t b = first; b < last; ++b) {
    const std::uint64_t start = layout.body + b * adjacency_block_bytes;
    const auto size =
        static_cast<std::size_t>(std::min<std::uint64_t>(adjacency_block_bytes, source.size() - start));
    if (status failed = read_all(source, start - 1, std::span(block).first(size + 1)); !failed.ok())
      return failed;
    // The first byte ends the header's last number: it is a blank.
    bool before = b > 0 && !is_blank(block[0]);
    std::uint32_t count = 0;
    for (std::size_t k = 1; k <= size; ++k) {
      const bool inside = !is_blank(block[k]);
      count += inside && !before ? 1 : 0;
      before = inside;
    }
    counts.push_back(count);
  }
  return counts;
}

// The numbers of a file from any one on.
class adjacency_reader::number_stream {
 public:
  number_stream(const adjacency_reader& of, std::uint64_t number) : source_(of.source_) {
    const auto& before = of.numbers_before_;
    const auto block = static_cast<std::uint64_t>(std::upper_bound(before.begin(), before.end(), number) -
                                                  before.begin() - 1);
    at_ = of.layout_.body + block * adjacency_block_bytes;
    to_skip_ = number - before[static_cast<std::size_t>(block)];
    ends_number_ = block > 0;
  }

  // The text of the next number, valid until the next call. A very long text, which is not a number, is
  // cut off.
  result<std::string_view> next() {
    if (std::exchange(ends_number_, false)) {
      if (status failed = leave_number(); !failed.ok()) return failed;
    }
    for (; to_skip_ > 0; --to_skip_) {
      if (const auto skipped = token(); !skipped.ok()) return skipped.status();
    }
    return token();
  }
  // Where the one that next() gave begins.
  std::uint64_t byte() const { return token_at_; }

 private:
  // A number that began in the block before is not one of this.
  status leave_number() {
    char last = ' ';
    if (status failed = read_all(source_, at_ - 1, std::span(&last, 1)); !failed.ok()) return failed;
    while (!is_blank(last)) {
      if (place_ == filled_) {
        if (status failed = refill(0); !failed.ok()) return failed;
      }
      if (place_ == filled_) return {};
      last = buffer_[place_];
      if (!is_blank(last)) ++place_;
    }
    return {};
  }

  // Keeps the last `kept` bytes; nothing new at the end of the file.
  status refill(std::size_t kept) {
    if (buffer_.empty()) buffer_.resize(stream_bytes);
    std::copy_n(buffer_.data() + filled_ - kept, kept, buffer_.data());
    const auto got = source_.read_at(at_, std::span(buffer_).subspan(kept));
    if (!got.ok()) return got.status();
    at_ += got.value();
    place_ = 0;
    filled_ = kept + got.value();
    return {};
  }

  result<std::string_view> token() {
    while (true) {
      while (place_ < filled_ && is_blank(buffer_[place_])) ++place_;
      if (place_ < filled_) break;
      if (status failed = refill(0); !failed.ok()) return failed;
      if (filled_ == 0) {
        token_at_ = at_;
        return std::string_view();
      }
    }
    for (std::size_t known = 0; filled_ - place_ <= longest_number && filled_ - place_ != known;) {
      known = filled_ - place_;
      if (status failed = refill(known); !failed.ok()) return failed;
    }
    token_at_ = at_ - (filled_ - place_);
    const std::size_t limit = std::min(filled_, place_ + longest_number + 1);
    std::size_t end = place_;
    while (end < limit && !is_blank(buffer_[end])) ++end;
    const std::string_view found(buffer_.data() + place_, end - place_);
    place_ = end;
    return found;
  }

  byte_source& source_;
  std::vector<char> buffer_;
  std::size_t place_ = 0, filled_ = 0;
  std::uint64_t at_ = 0;  // the file's byte after the buffer
  std::uint64_t to_skip_ = 0, token_at_ = 0;
  bool ends_number_ = false;
};

adjacency_reader::adjacency_reader(byte_source& source, const adjacency_layout& layout,
                                   const std::vector<std::uint32_t>& counts, bool ignores_weights)
    : source_(source),
      layout_(layout),
      reads_weights_(layout.weighted && !ignores_weights),
      numbers_before_(1, 0) {
  for (const std::uint32_t count : counts) numbers_before_.push_back(numbers_before_.back() + count);
}

status adjacency_reader::bad(std::uint64_t byte, std::string_view what) const {
  return bad_byte(source_, byte, what);
}

status adjacency_reader::check_size() const {
  if (numbers_before_.back() == layout_.numbers()) return {};
  return {exit_status::bad_data,
          fmt::format("{}: its header announces {} numbers ({}, {} {}), but it has {}; expected as many",
                      source_.path(), layout_.numbers(),
                      base::counted(layout_.vertices, "vertex", "vertices"), layout_.edges,
                      layout_.weighted ? "targets and as many weights" : "targets", numbers_before_.back())};
}

status adjacency_reader::check_vertices(std::uint64_t first, std::uint64_t last) const {
  if (first >= last) return {};
  std::uint64_t previous = 0;
  number_stream offsets(*this, first == 0 ? 0 : first - 1);
  for (std::uint64_t v = first == 0 ? 0 : first - 1; v < last; ++v) {
    const auto word = offsets.next();
    if (!word.ok()) return word.status();
    std::uint64_t offset = 0;
    const bool is_number = parse_number(word.value(), offset) == std::errc();
    if (v + 1 == first && first > 0) {  // the reader of that vertex reports it
      previous = is_number && offset <= layout_.edges ? offset : 0;
      continue;
    }
    const std::uint64_t most = v == 0 ? 0 : layout_.edges;
    if (!is_number || offset < previous || offset > most) {
      return bad(offsets.byte(),
                 fmt::format("{} is not where the edges of vertex {} begin; expected a number from "
                             "{} to {}",
                             shown(word.value()), v, previous, most));
    }
    previous = offset;
  }
  return {};
}

// The last vertex whose edges begin at `edge` or before.
result<std::uint64_t> adjacency_reader::vertex_of(std::uint64_t edge) const {
  std::uint64_t first = 0, last = layout_.vertices;
  while (last - first > 1) {
    const std::uint64_t middle = first + (last - first) / 2;
    number_stream offsets(*this, middle);
    const auto word = offsets.next();
    if (!word.ok()) return word.status();
    std::uint64_t offset = 0;
    parse_number(word.value(), offset);
    (offset <= edge ? first : last) = middle;
  }
  return first;
}

result<edge_list> adjacency_reader::read(std::uint64_t first, std::uint64_t last) const {
  edge_list list;
  if (first >= last) return list;
  const auto start = vertex_of(first);
  if (!start.ok()) return start.status();
  std::uint64_t vertex = start.value(), end = 0;  // of the vertex's edges
  number_stream offsets(*this, vertex + 1);
  number_stream targets(*this, layout_.vertices + first);
  number_stream weights(*this, layout_.vertices + (layout_.weighted ? layout_.edges : 0) + first);
  const auto find_end = [&]() -> status {
    end = layout_.edges;
    if (vertex + 1 >= layout_.vertices) return {};
    const auto word = offsets.next();
    if (!word.ok()) return word.status();
    parse_number(word.value(), end);
    return {};
  };
  if (status failed = find_end(); !failed.ok()) return failed;

  list.edges.reserve(last - first);
  if (reads_weights_) list.weights.reserve(last - first);
  for (std::uint64_t edge = first; edge < last; ++edge) {
    while (edge >= end && vertex + 1 < layout_.vertices) {
      ++vertex;
      if (status failed = find_end(); !failed.ok()) return failed;
    }
    const auto word = targets.next();
    if (!word.ok()) return word.status();
    std::uint64_t target = 0;
    if (parse_number(word.value(), target) != std::errc() || target >= layout_.vertices) {
      return bad(targets.byte(),
                 fmt::format("{} is not a vertex of the file; expected a number from 0 to {}",
                             shown(word.value()), std::max<std::uint64_t>(layout_.vertices, 1) - 1));
    }
    list.edges.push_back({vertex, target});
    if (!reads_weights_) continue;
    const auto weight = weights.next();
    if (!weight.ok()) return weight.status();
    float value = 0;
    const std::errc error = parse_weight(weight.value(), value);
    if (error != std::errc() || !std::isfinite(value))
      return bad(weights.byte(), why_no_weight(weight.value(), error));
    note_weight_of_text(list, weight.value(), value);
    list.weights.push_back(value);
  }
  return list;
}

}  // namespace orujo::internal::formats
