// Columns of tables: what one core has of them.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "system/machine/huge_array.hpp"
#include "system/memory/budget.hpp"

namespace orujo::internal::relational {

// Every value is 8 bytes: an integer, the bits of a double, or the code of a text (dictionary.hpp). Truth
// values are the integers 0 and 1.
using word = std::int64_t;
// The type of a column.
enum class kind : std::uint8_t { integer, real, text };

constexpr std::string_view name_of(kind k) {
  return k == kind::integer ? "integer" : k == kind::real ? "real" : "text";
}
// [any thread] The number that the 8 bytes of a value of a real column stand for.
inline double real_of(word w) { return std::bit_cast<double>(w); }
inline word word_of(double value) { return std::bit_cast<word>(value); }

// Ends the job with a message if there is no room. Large arrays lie on huge pages.
template <class T>
struct array_allocator {
  using value_type = T;
  static constexpr std::size_t large = std::size_t{1} << 20;  // bytes
  array_allocator() = default;
  template <class U>
  array_allocator(const array_allocator<U>&) {}
  T* allocate(std::size_t n) {
    if (n < large / sizeof(T)) return std::allocator<T>().allocate(n);
    memory::require_room(memory::bytes_of(n, sizeof(T)), "the rows of a table");
    return static_cast<T*>(machine::map_memory(n * sizeof(T)));
  }
  void deallocate(T* memory, std::size_t n) {
    n < large / sizeof(T) ? std::allocator<T>().deallocate(memory, n)
                          : machine::unmap_memory(memory, n * sizeof(T));
  }
  bool operator==(const array_allocator&) const { return true; }
};
template <class T>
using large_array = std::vector<T, array_allocator<T>>;

// Consecutive values; of a null the word is 0.
struct vec {
  const word* words = nullptr;
  const std::uint8_t* nulls = nullptr;  // 1: null; no pointer: none is

  bool null(std::size_t k) const { return nulls && nulls[k]; }
  vec from(std::size_t k) const { return {words + k, nulls ? nulls + k : nullptr}; }
};

class column {
 public:
  void push_back(word w) {
    words_.push_back(w);
    if (!nulls_.empty()) nulls_.push_back(0);
  }
  void push_null() {
    nulls_.resize(words_.size(), 0);
    words_.push_back(0);
    nulls_.push_back(1);
  }
  void append(const vec& more, std::size_t n) {
    if (more.nulls && nulls_.empty()) nulls_.resize(words_.size(), 0);
    words_.insert(words_.end(), more.words, more.words + n);
    if (more.nulls) {
      nulls_.insert(nulls_.end(), more.nulls, more.nulls + n);
    } else if (!nulls_.empty()) {
      nulls_.resize(words_.size(), 0);
    }
  }
  // Appends the values at the chosen indices.
  void append(const vec& more, std::span<const std::uint32_t> chosen) {
    if (more.nulls) nulls_.resize(words_.size(), 0);
    word* const to = extend(chosen.size());
    for (std::size_t k = 0; k < chosen.size(); ++k) to[k] = more.words[chosen[k]];
    if (!more.nulls) return;
    nulls_.resize(words_.size(), 0);
    std::uint8_t* const nulls = nulls_.data() + nulls_.size() - chosen.size();
    for (std::size_t k = 0; k < chosen.size(); ++k) nulls[k] = more.nulls[chosen[k]];
  }
  // Appends n values, zeros at first, and returns their words.
  word* extend(std::size_t n) {
    words_.resize(words_.size() + n);
    if (!nulls_.empty()) nulls_.resize(words_.size(), 0);
    return words_.data() + words_.size() - n;
  }
  void make_null(std::size_t k) {
    nulls_.resize(words_.size(), 0);
    nulls_[k] = 1;
    words_[k] = 0;
  }
  void clear() {
    words_.clear();
    nulls_.clear();
  }
  // A column of `rows` values, in which value k is the one at places[k]; nowhere, if that is not below
  // `rows`.
  column placed(std::span<const std::uint32_t> places, std::size_t rows) const {
    column made;
    made.words_.resize(rows);
    if (!nulls_.empty()) made.nulls_.resize(rows);
    for (std::size_t k = 0; k < places.size(); ++k) {
      if (places[k] >= rows) continue;
      made.words_[places[k]] = words_[k];
      if (!nulls_.empty()) made.nulls_[places[k]] = nulls_[k];
    }
    return made;
  }
  std::size_t size() const { return words_.size(); }
  word* words() { return words_.data(); }
  vec all() const { return {words_.data(), nulls_.empty() ? nullptr : nulls_.data()}; }
  bool null(std::size_t k) const { return !nulls_.empty() && nulls_[k]; }
  word operator[](std::size_t k) const { return words_[k]; }

 private:
  large_array<word> words_;
  large_array<std::uint8_t> nulls_;  // empty: none
};

// A core numbers rows with 32 bits where it joins, groups and sorts; ends the job with no_resource if
// there are more.
inline constexpr std::uint64_t most_rows_of_core = (std::uint64_t{1} << 32) - 2;
void require_numbers_for(std::uint64_t rows);

// Rows that one core has.
struct row_part {
  std::vector<column> columns;
  std::size_t rows = 0;
};

struct column_name {
  std::string name;
  kind type = kind::integer;
};

}  // namespace orujo::internal::relational
