// Keys of joins and groups that lie close to each other: places in an array, which needs no hashes.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "framework/tables/relational/keys.hpp"

namespace orujo::internal::relational {

// The keys of some rows, if there is one for each and no real. Codes of texts are 2^16 apart: `apart` is how
// many lower bits of a key say nothing.
struct key_range {
  word least = std::numeric_limits<word>::max(), greatest = std::numeric_limits<word>::min();
  std::uint64_t rows = 0;  // whose key is not NULL
  bool regular = true;     // the lower bits of all are 0
  int apart = 0;

  static key_range of(const column& keys, int apart) {
    key_range made{.apart = apart};
    word all = 0;
    for (std::size_t k = 0; k < keys.size(); ++k) {
      if (keys.null(k)) continue;
      made.least = std::min(made.least, keys[k]);
      made.greatest = std::max(made.greatest, keys[k]);
      all |= keys[k];
      ++made.rows;
    }
    made.regular = (all & ((word{1} << apart) - 1)) == 0;
    return made;
  }
  void add(const key_range& other) {
    least = std::min(least, other.least);
    greatest = std::max(greatest, other.greatest);
    rows += other.rows;
    regular &= other.regular;
  }

  // Below places() for these keys and those between, and for no other ones.
  std::uint64_t place(word key) const {
    return std::rotr(static_cast<std::uint64_t>(key) - static_cast<std::uint64_t>(least), apart);
  }
  std::uint64_t places() const { return place(greatest) + 1; }
  // The key at a place, if keys are regular.
  word key_at(std::uint64_t place) const {
    return static_cast<word>(static_cast<std::uint64_t>(least) + (place << apart));
  }
  // True if there are few places per row.
  bool is_dense(std::uint64_t of_rows, std::uint64_t most_places_of_row = 4) const {
    return rows > 0 && regular && place(greatest) / most_places_of_row < of_rows;
  }
};

// The cores that have the rows of keys.
class key_route {
 public:
  // By hashes.
  explicit key_route(std::size_t parts) : parts_(parts) {}
  // Routes dense keys by ranges of their places, and keys that are not among them to `elsewhere`.
  key_route(const key_range& keys, std::size_t parts, std::uint32_t elsewhere)
      : parts_(parts), elsewhere_(elsewhere), keys_(keys), places_(keys.places()) {
    if (places_ > parts)
      scale_ = static_cast<std::uint64_t>((static_cast<unsigned __int128>(parts) << 64) / places_);
  }

  bool by_range() const { return scale_ != 0; }
  std::uint32_t owner_by_range(word key) const {
    const std::uint64_t place = keys_.place(key);
    if (place >= places_) return elsewhere_;
    return static_cast<std::uint32_t>((static_cast<unsigned __int128>(place) * scale_) >> 64);
  }
  // The owners of all rows.
  void owners(const key_batch& keys, std::vector<std::uint32_t>& of) const {
    of.resize(keys.rows);
    if (by_range()) {
      for (std::size_t k = 0; k < keys.rows; ++k) of[k] = owner_by_range(keys.keys[0].words[k]);
    } else {
      for (std::size_t k = 0; k < keys.rows; ++k)
        of[k] = static_cast<std::uint32_t>(owner_of(keys.hashes()[k], parts_));
    }
  }

 private:
  std::size_t parts_;
  std::uint32_t elsewhere_ = 0;
  key_range keys_;
  std::uint64_t places_ = 0, scale_ = 0;
};

}  // namespace orujo::internal::relational
