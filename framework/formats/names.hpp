// Names of vertices: many short texts.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace orujo::formats {

// Texts one behind the other.
class name_table {
 public:
  name_table() = default;
  // Name k is bytes offsets[k] to offsets[k + 1] - 1; offsets ascend from 0.
  name_table(std::vector<std::uint64_t> offsets, std::vector<char> bytes);

  std::size_t size() const { return offsets_.size() - 1; }
  std::string_view operator[](std::size_t k) const {
    return {bytes_.data() + offsets_[k], offsets_[k + 1] - offsets_[k]};
  }
  void push_back(std::string_view name) {
    bytes_.insert(bytes_.end(), name.begin(), name.end());
    offsets_.push_back(bytes_.size());
  }
  std::span<const std::uint64_t> offsets() const { return offsets_; }
  std::span<const char> bytes() const { return bytes_; }

 private:
  std::vector<std::uint64_t> offsets_{0};
  std::vector<char> bytes_;
};

// The places of the names in ascending order of their bytes.
std::vector<std::uint64_t> sorted_places(const name_table& names);

// Distinct names, numbered as they come.
class name_set {
 public:
  name_set();
  name_set(name_set&&) noexcept;
  ~name_set();

  std::uint64_t number_of(std::string_view name);
  // Of memory, about.
  std::uint64_t bytes_used() const;
  const name_table& names() const { return *names_; }
  name_table table() && { return std::move(*names_); }

 private:
  struct index;
  std::unique_ptr<name_table> names_;  // stays where it is
  std::unique_ptr<index> index_;
};

// Of names as they stand in an edge list: no control characters, blanks and commas.
constexpr bool is_name_byte(char c) { return static_cast<unsigned char>(c) > ' ' && c != ',' && c != '\x7f'; }
// The first of the two bytes of U+0080 to U+00BF, of which the control characters up to U+009F are in no
// name.
inline constexpr char before_c1 = '\xc2';
constexpr bool has_c1(std::string_view text) {
  for (std::size_t k = text.find(before_c1); k < text.size(); k = text.find(before_c1, k + 1)) {
    const std::string_view next = text.substr(k + 1, 1);
    if (next >= "\x80" && next < "\xa0") return true;
  }
  return false;
}
// Names of these bytes are read without a closer look.
inline constexpr auto plain_name_bytes = [] {
  std::array<bool, 256> are = {};
  for (std::size_t k = 0; k < are.size(); ++k)
    are[k] = is_name_byte(static_cast<char>(k)) && static_cast<char>(k) != before_c1;
  return are;
}();
constexpr bool is_plain_name_byte(char c) { return plain_name_bytes[static_cast<unsigned char>(c)]; }
// Tables may have names with blanks and commas inside; control characters none has.
constexpr bool is_name(std::string_view text) {
  const auto may_be = [](char c) { return c == ' ' || c == ',' || is_name_byte(c); };
  return !text.empty() && text.front() != ' ' && text.back() != ' ' &&
         std::all_of(text.begin(), text.end(), may_be) && !has_c1(text);
}
// Whether one is written in quotes where blanks and commas end it.
constexpr bool needs_quotes(std::string_view name) {
  return name.starts_with('"') || !std::all_of(name.begin(), name.end(), is_name_byte);
}

// As it is, or in quotes, and those inside doubled.
void append_name(std::string& to, std::string_view name);

// Whether a line that begins with it would be taken for a comment.
constexpr bool begins_comment(std::string_view name) {
  return name.starts_with('#') || name.starts_with('%') || name.starts_with("//");
}

}  // namespace orujo::formats
