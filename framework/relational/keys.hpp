// Keys of groups and joins: their values for a batch of rows, and hashes of these.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "framework/relational/formula.hpp"
#include "system/base/identity.hpp"
#include "system/base/random.hpp"

namespace orujo::relational {

inline std::uint64_t hash_with(std::uint64_t hash, word w, bool null) {
  return mix64(hash ^ (static_cast<std::uint64_t>(w) + 0x9e3779b97f4a7c15u + null));
}
inline constexpr std::uint64_t hash_of_nothing = 0x6a09e667f3bcc908u;

// The core of `n` that has the keys of a hash: by its upper bits, as tables take the lower ones.
inline std::size_t owner_of(std::uint64_t hash, std::size_t n) {
  return static_cast<std::size_t>((static_cast<unsigned __int128>(hash) * n) >> 64);
}

// 0 and -0 are equal, and so must be their words.
struct key_batch {
  std::vector<vec> keys;
  std::vector<std::uint64_t> hashes;

  void evaluate(const std::vector<formula>& of, const batch& rows, overflow_place& overflow) {
    keys.clear();
    hashes.assign(rows.rows, hash_of_nothing);
    zeroed_.resize(of.size());
    for (std::size_t k = 0; k < of.size(); ++k) {
      vec v = of[k].evaluate(rows, overflow);
      if (of[k].type == kind::real) {
        zeroed_[k].assign(v.words, v.words + rows.rows);
        for (word& w : zeroed_[k]) w = real_of(w) == 0 ? 0 : w;
        v.words = zeroed_[k].data();
      }
      for (std::size_t row = 0; row < rows.rows; ++row)
        hashes[row] = hash_with(hashes[row], v.words[row], v.null(row));
      keys.push_back(v);
    }
  }
  bool any_null(std::size_t row) const {
    for (const vec& v : keys) {
      if (v.null(row)) return true;
    }
    return false;
  }

 private:
  std::vector<std::vector<word>> zeroed_;
};

}  // namespace orujo::relational
