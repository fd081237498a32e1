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

namespace orujo::internal::formats {

// Texts one after the other.
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
  // The approximate size in memory.
  std::uint64_t bytes_used() const;
  const name_table& names() const { return *names_; }
  name_table table() && { return std::move(*names_); }

 private:
  struct index;
  std::unique_ptr<name_table> names_;  // stays where it is
  std::unique_ptr<index> index_;
};

// True for bytes of a plain name in an edge list: no control characters, blanks or commas.
constexpr bool is_name_byte(char c) { return static_cast<unsigned char>(c) > ' ' && c != ',' && c != '\x7f'; }
// Returns whether UTF-8 text has a control character of two bytes, U+0080 to U+009F. Terminals obey these,
// too.
constexpr bool has_wide_control(std::string_view text) {
  constexpr char lead = '\xc2';
  for (std::size_t k = text.find(lead); k < text.size(); k = text.find(lead, k + 1)) {
    if (k + 1 < text.size() && static_cast<unsigned char>(text[k + 1]) - 0x80u < 0x20u) return true;
  }
  return false;
}
// True for a name of a table, which may have blanks and commas inside, but no control characters.
constexpr bool is_name(std::string_view text) {
  const auto may_be = [](char c) { return c == ' ' || c == ',' || is_name_byte(c); };
  return !text.empty() && text.front() != ' ' && text.back() != ' ' &&
         std::all_of(text.begin(), text.end(), may_be) && !has_wide_control(text);
}
// Bytes of names that do not begin a control character.
inline constexpr auto plain_name_bytes = [] {
  std::array<bool, 256> plain{};
  for (std::size_t c = 0; c < plain.size(); ++c) plain[c] = c != 0xc2 && is_name_byte(static_cast<char>(c));
  return plain;
}();
// Skips such bytes. The name ends there if no byte of a name follows. Requires a byte after the name that is
// not one of a name.
inline const char* skip_plain_name(const char* p) {
  while (plain_name_bytes[static_cast<unsigned char>(*p)]) ++p;
  return p;
}
// True if a name has to be written in quotes, as a blank or comma would end it.
constexpr bool needs_quotes(std::string_view name) {
  return name.starts_with('"') || !std::all_of(name.begin(), name.end(), is_name_byte);
}

// Appends the name as it is, or in quotes with those inside doubled.
void append_name(std::string& to, std::string_view name);

// True if a line that begins with the name would be read as a comment.
constexpr bool begins_comment(std::string_view name) {
  return name.starts_with('#') || name.starts_with('%') || name.starts_with("//");
}

}  // namespace orujo::internal::formats
