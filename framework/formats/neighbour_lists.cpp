#include "framework/formats/neighbour_lists.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "framework/formats/edge_hash.hpp"
#include "framework/formats/rounded_weight.hpp"
#include "framework/formats/text_tokens.hpp"

namespace orujo::internal::formats {
namespace {

constexpr std::string_view between_tokens = " \t\r";
constexpr std::string_view ends_of_token = " \t\r\n";

}  // namespace

void neighbour_parser::feed(std::string_view bytes) {
  while (!failed() && !bytes.empty()) {
    const char next = bytes.front();
    if (comment_ && next != '\n') {
      skip_comment(bytes);
    } else if (!token_.empty() || ends_of_token.find(next) == ends_of_token.npos) {
      take_token(bytes);
    } else {
      bytes.remove_prefix(1);
      ++column_;
      if (next != '\n') continue;
      end_row();
      ++summary_.lines;
    }
  }
}

void neighbour_parser::finish() {
  if (!failed() && !token_.empty()) end_token();
  if (!failed() && inside_line()) end_row();
}

void neighbour_parser::skip_comment(std::string_view& bytes) {
  bytes.remove_prefix(std::min(bytes.find('\n'), bytes.size()));
}

void neighbour_parser::take_token(std::string_view& bytes) {
  if (token_.empty()) {
    comment_ = bytes.front() == '%' && place_ == 0;
    if (comment_) {
      ++column_;
      return;
    }
    token_column_ = column_ + 1;
  }
  const std::size_t end = bytes.find_first_of(ends_of_token);
  const std::string_view piece = bytes.substr(0, end);
  token_.append(piece.substr(0, longest_token_bytes + 1 - token_.size()));
  column_ += piece.size();
  bytes.remove_prefix(piece.size());
  if (end != bytes.npos) end_token();
}

void neighbour_parser::end_token() {
  const std::uint64_t before = layout_.skipped_columns, place = place_++;
  const bool is_weight = layout_.columns == 3 && place >= before && (place - before) % 2 == 1;
  if (token_.size() > longest_token_bytes) return fail(fmt::format("{} is too long", shown(token_)));
  if (row_ >= layout_.vertices) {
    return fail(
        fmt::format("a line after that of the last vertex; expected one for each of {}", layout_.vertices));
  }
  if (place < before || is_weight) {
    float weight = 0;
    const std::errc error = parse_weight(token_, weight);
    if (is_weight && !layout_.ignores_weights) {
      if (error != std::errc() || !std::isfinite(weight)) return fail(why_no_weight(token_, error));
      if (!suits(layout_, weight)) return fail(why_wrong_weight(token_, weight));
      note_weight_of_text(sink_, token_, weight);
      if (!is_left_out(last_)) sink_.weights.push_back(weight);
      weigh_direction(last_, weight);
    } else if (!is_weight && error == std::errc::invalid_argument) {
      return fail(why_no_weight(token_, error));
    }
  } else {
    std::uint64_t id = 0;
    if (parse_number(token_, id) != std::errc() || id < layout_.least_id || id > layout_.most_id)
      return fail(why_no_id(token_, layout_));
    last_ = {row_, id - layout_.least_id};
    if (!is_left_out(last_)) sink_.edges.push_back(last_);
    if (!layout_.has_weights()) weigh_direction(last_, 0);
    ++summary_.edges;
  }
  token_.clear();
}

// An edge and its reverse cancel each other.
void neighbour_parser::weigh_direction(const edge& e, float weight) {
  if (e.source < e.target) summary_.asymmetry += hash_of_edge(e.source, e.target, weight);
  if (e.source > e.target) summary_.asymmetry -= hash_of_edge(e.target, e.source, weight);
}

void neighbour_parser::end_row() {
  if (!comment_ && row_ < layout_.vertices) {
    token_column_ = column_;
    if (place_ < layout_.skipped_columns)
      return fail(fmt::format("the line ends before the vertex's weights do; {}", expected_line(layout_)));
    if (layout_.columns == 3 && place_ > layout_.skipped_columns &&
        (place_ - layout_.skipped_columns) % 2 == 1)
      return fail(fmt::format("a neighbour without weight; {}", expected_line(layout_)));
    ++row_;
    ++summary_.rows;
  }
  comment_ = false;
  column_ = 0;
  place_ = 0;
}

void neighbour_parser::fail(std::string_view text) {
  summary_.error = exit_status::bad_data;
  summary_.error_line = summary_.lines + 1;
  summary_.error_column = static_cast<std::uint32_t>(token_column_);
  text.copy(summary_.error_text.data(), summary_.error_text.size() - 1);
}

void row_counter::feed(std::string_view bytes) {
  for (std::size_t at = 0; at < bytes.size();) {
    if (!inside_) {
      const std::size_t start = std::min(bytes.find_first_not_of(between_tokens, at), bytes.size());
      blank_ |= start > at;
      if (start == bytes.size()) return;
      inside_ = true;
      comment_ = bytes[start] == '%';
      at = start;
    }
    const std::size_t end = bytes.find('\n', at);
    if (end == bytes.npos) return;
    end_line();
    at = end + 1;
  }
}

void row_counter::end_line() {
  rows_ += comment_ ? 0 : 1;
  inside_ = comment_ = blank_ = false;
}

}  // namespace orujo::internal::formats
