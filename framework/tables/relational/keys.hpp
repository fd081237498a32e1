// Keys of groups and joins: their values for a batch of rows, and hashes of these.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "framework/tables/relational/formula.hpp"
#include "system/base/identity.hpp"
#include "system/base/random.hpp"

namespace orujo::internal::relational {

inline std::uint64_t hash_with(std::uint64_t hash, word w, bool null) {
  return mix64(hash ^ (static_cast<std::uint64_t>(w) + 0x9e3779b97f4a7c15u + null));
}
inline constexpr std::uint64_t hash_of_nothing = 0x6a09e667f3bcc908u;

// The core of `n` that has the keys of a hash: by its upper bits, as tables take the lower ones.
inline std::size_t owner_of(std::uint64_t hash, std::size_t n) {
  return static_cast<std::size_t>((static_cast<unsigned __int128>(hash) * n) >> 64);
}

struct key_batch {
  std::vector<vec> keys;
  std::size_t rows = 0;

  // 0 and -0 are equal, and so must be their words.
  void evaluate(const std::vector<formula>& of, const batch& batch, overflow_place& overflow) {
    keys.clear();
    zeroed_.resize(of.size());
    for (std::size_t k = 0; k < of.size(); ++k) {
      vec v = of[k].evaluate(batch, overflow);
      if (of[k].type == kind::real) {
        zeroed_[k].assign(v.words, v.words + batch.rows);
        for (word& w : zeroed_[k]) w = real_of(w) == 0 ? 0 : w;
        v.words = zeroed_[k].data();
      }
      keys.push_back(v);
    }
    begin(batch.rows);
  }
  // Takes keys that have been evaluated.
  void take(std::span<const vec> evaluated, std::size_t n) {
    keys.assign(evaluated.begin(), evaluated.end());
    begin(n);
  }
  // The hashes of all rows, computed at the first call.
  const std::vector<std::uint64_t>& hashes() const {
    if (hashed_) return hashes_;
    hashes_.assign(rows, hash_of_nothing);
    for (const vec& v : keys) {
      for (std::size_t row = 0; row < rows; ++row)
        hashes_[row] = hash_with(hashes_[row], v.words[row], v.null(row));
    }
    hashed_ = true;
    return hashes_;
  }
  bool any_null(std::size_t row) const {
    for (const vec& v : keys) {
      if (v.null(row)) return true;
    }
    return false;
  }

 private:
  void begin(std::size_t n) {
    rows = n;
    hashed_ = false;
  }
  mutable std::vector<std::uint64_t> hashes_;
  mutable bool hashed_ = false;
  std::vector<std::vector<word>> zeroed_;
};

}  // namespace orujo::internal::relational
