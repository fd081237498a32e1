// Values by text: one core's hash table of words, names and other short texts.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "system/files/checksum.hpp"
#include "system/machine/huge_array.hpp"
#include "system/memory/budget.hpp"

namespace orujo::internal::mapreduce {

// A text of at most 16 bytes is two words, so that most are hashed and compared without other accesses; of
// longer ones `first` is a hash.
struct text_words {
  std::uint64_t first, second;
};

inline constexpr std::size_t longest_in_words = 16;

namespace detail {
template <class Word>
std::uint64_t load(const char* from) {
  Word word;
  std::memcpy(&word, from, sizeof word);
  return word;
}
}  // namespace detail

// Zeros after its end. Reads no byte that is not the text's.
inline text_words words_of(std::string_view text) {
  using detail::load;
  const char* const p = text.data();
  const std::size_t n = text.size();
  if (n > longest_in_words) return {files::checksum(std::as_bytes(std::span(text))), 0};
  if (n > 8) return {load<std::uint64_t>(p), load<std::uint64_t>(p + n - 8) >> (8 * (16 - n))};
  if (n == 8) return {load<std::uint64_t>(p), 0};
  if (n >= 4) return {load<std::uint32_t>(p) | load<std::uint32_t>(p + n - 4) << (8 * (n - 4)), 0};
  std::uint64_t word = 0;
  for (std::size_t k = 0; k < n; ++k) word |= std::uint64_t{static_cast<unsigned char>(p[k])} << (8 * k);
  return {word, 0};
}

// The short text of `size` bytes that the two words hold.
inline std::string_view text_in(const text_words& words, std::size_t size) {
  return {reinterpret_cast<const char*>(&words), size};
}

// Hash of a text of `size` bytes with 64 good bits, by the products of wyhash (Wang Yi, 2019). A factor of 0
// would make all hashes equal. None is 0, because no text begins with a NUL that other bytes follow.
inline std::uint64_t hash_of(const text_words& words, std::size_t size) {
  const auto folded = [](std::uint64_t a, std::uint64_t b) {
    const unsigned __int128 product = static_cast<unsigned __int128>(a) * b;
    return static_cast<std::uint64_t>(product >> 64) ^ static_cast<std::uint64_t>(product);
  };
  const std::uint64_t both = folded(words.first ^ 0xe7037ed1a0b42800u, words.second ^ 0x8ebc6af09c88c600u);
  return folded(both ^ size, 0xa0761d6478bd642fu);
}

// A text with its hash and words, which are used repeatedly. The text stays where it is.
struct hashed_text {
  explicit hashed_text(std::string_view t)
      : key(t), words(words_of(t)), hash(mapreduce::hash_of(words, t.size())) {}
  hashed_text(std::string_view t, const text_words& w, std::uint64_t h) : key(t), words(w), hash(h) {}

  std::string_view key;
  text_words words;
  std::uint64_t hash;
};

// Linear probing; doubles at a load of 3/4. Pointers to values are good until the next insert. Lower bits of
// the hash give the slot.
template <class V>
class text_table {
  static_assert(std::is_trivially_copyable_v<V> && std::is_default_constructible_v<V>);

 public:
  text_table() { allocate(64); }

  std::size_t size() const { return size_; }

  // Asks memory for a slot; harmless whatever the hash.
  void prefetch(std::uint64_t hash) const { __builtin_prefetch(&slots_[hash & mask_], 1); }

  // The text's value; null if there is none.
  V* find(const hashed_text& text) {
    entry& found = slots_[locate(text)];
    return found.size_and_one ? &found.value : nullptr;
  }

  // The text's value, and whether it is new, in which case it is V().
  std::pair<V*, bool> find_or_insert(const hashed_text& text) {
    std::size_t at = locate(text);
    if (slots_[at].size_and_one) return {&slots_[at].value, false};
    if (4 * (size_ + 1) > 3 * (mask_ + 1)) {
      grow();
      at = locate(text);
    }
    const std::size_t size = text.key.size();
    slots_[at] = {text.words, static_cast<std::uint32_t>(size + 1), V()};
    if (size > longest_in_words) slots_[at].words.second = keep(text.key);
    ++size_;
    return {&slots_[at].value, true};
  }

  // f(text, value) for all, in no particular order. The text is good until the next insert.
  template <class F>
  void visit(F&& f) {
    for (std::size_t at = 0; at <= mask_; ++at) {
      if (slots_[at].size_and_one) f(text_of(slots_[at]), slots_[at].value);
    }
  }

  // The k-th text of that hash, and its value; null pointers if there are fewer.
  std::pair<std::string_view, V*> find_by_hash(std::uint64_t hash, std::size_t k) {
    for (std::size_t at = hash & mask_; slots_[at].size_and_one; at = (at + 1) & mask_) {
      if (hash_of(slots_[at]) == hash && k-- == 0) return {text_of(slots_[at]), &slots_[at].value};
    }
    return {{}, nullptr};
  }

  // Keeps the memory of the slots.
  void clear() {
    for (std::size_t at = 0; at <= mask_; ++at) slots_[at].size_and_one = 0;
    long_texts_.clear();
    size_ = 0;
  }

 private:
  struct entry {
    text_words words;            // second: of a long text, its place in long_texts_
    std::uint32_t size_and_one;  // 0: a free slot
    V value;
  };

  static std::uint64_t hash_of(const entry& e) {
    const std::size_t size = e.size_and_one - 1;
    return mapreduce::hash_of({e.words.first, size > longest_in_words ? 0 : e.words.second}, size);
  }
  std::string_view text_of(const entry& e) const {
    const std::size_t size = e.size_and_one - 1;
    return size > longest_in_words ? std::string_view(long_texts_.data() + e.words.second, size)
                                   : text_in(e.words, size);
  }
  // The text's slot, or the free one where it would go.
  std::size_t locate(const hashed_text& text) const {
    if (text.key.size() > longest_in_words) return locate_long(text);
    std::size_t at = text.hash & mask_;
    for (; slots_[at].size_and_one; at = (at + 1) & mask_) {
      const entry& e = slots_[at];
      // One branch: one that is not taken.
      if (((e.words.first ^ text.words.first) | (e.words.second ^ text.words.second) |
           (e.size_and_one ^ (text.key.size() + 1))) == 0)
        break;
    }
    return at;
  }
  std::size_t locate_long(const hashed_text& text) const {
    std::size_t at = text.hash & mask_;
    while (slots_[at].size_and_one &&
           (slots_[at].words.first != text.words.first || text_of(slots_[at]) != text.key))
      at = (at + 1) & mask_;
    return at;
  }
  std::uint64_t keep(std::string_view text) {
    if (long_texts_.size() + text.size() > long_texts_.capacity()) {
      const std::size_t bytes = 2 * long_texts_.capacity() + text.size();
      memory::require_room(bytes, "a table of texts");
      long_texts_.reserve(bytes);
    }
    long_texts_.insert(long_texts_.end(), text.begin(), text.end());
    return long_texts_.size() - text.size();
  }
  void allocate(std::size_t slots) {
    memory::require_room(memory::bytes_of(slots, sizeof(entry)), "a table of texts");
    slots_ = machine::huge_array<entry>(slots);
    mask_ = slots - 1;
  }
  void grow() {
    const machine::huge_array<entry> old = std::move(slots_);
    const std::size_t old_slots = mask_ + 1;
    allocate(2 * old_slots);
    for (std::size_t k = 0; k < old_slots; ++k) {
      if (!old[k].size_and_one) continue;
      std::size_t at = hash_of(old[k]) & mask_;
      while (slots_[at].size_and_one) at = (at + 1) & mask_;
      slots_[at] = old[k];
    }
  }

  machine::huge_array<entry> slots_;
  std::size_t mask_ = 0;  // slots - 1, slots being a power of two
  std::size_t size_ = 0;
  std::vector<char> long_texts_;
};

}  // namespace orujo::internal::mapreduce
