// Expressions whose names and types are known, evaluated for a batch of rows at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "framework/tables/relational/columns.hpp"

namespace orujo::internal::relational {

// Rows under way in a pipeline: the values of numbered slots, one after the other.
inline constexpr std::size_t batch_rows = 1024;
struct batch {
  std::size_t rows = 0;
  std::vector<vec> slots;
};

// The position in the text of a query at which integers overflowed, if they did.
struct overflow_place {
  std::size_t at = 0;
  bool any = false;
  void set(std::size_t place) {
    if (!any) at = place;
    any = true;
  }
};

enum class operation : std::uint8_t {
  slot,
  constant,
  null,
  negative,
  add,
  subtract,
  multiply,
  divide,
  remainder,
  equal,
  not_equal,
  less,
  less_equal,
  logical_and,  // of any number
  logical_or,
  logical_not,
  is_null,
  is_not_null,
  choose,    // condition, value, condition, value, ..., value otherwise
  coalesce,  // the first that is not null
  is_in,     // whether the first is among the others, which are constants
  like,      // a text whose bit is set
  magnitude,
  to_real,
  to_integer,
  aggregate  // before its group is known: of_group says which
};

// Arithmetic and truth as SQLite has them: integers divide to integers, a division by 0 is NULL, NULL is
// neither true nor false. But where integers overflow, the query fails.
struct formula {
  operation does = operation::null;
  kind type = kind::integer;
  int slot = -1;                 // or the number of an aggregate
  word value = 0;                // of a constant
  std::vector<formula> of = {};  //
  struct step {
    operation does;
    std::size_t at;
    bool operator==(const step& other) const { return does == other.does; }
  };
  std::vector<step> further = {};  // of arithmetic: what is done with what comes before and of[2], of[3], ...
  std::shared_ptr<std::vector<std::uint64_t>> like = {};  // by the place of a text (dictionary.hpp)
  std::shared_ptr<std::vector<word>> like_literals = {};  // the codes of those literals that are like it
  std::size_t at = 0;                                     // in the text of the query
  std::string name = {};                                  // for messages: of a column

  bool operator==(const formula& other) const;  // the same value in every row

  // The values in a batch; good until it is called again.
  vec evaluate(const batch& rows, overflow_place& overflow) const;

  // The rest is evaluate()'s.
  struct scratch {
    alignas(64) std::array<word, batch_rows> words;
    alignas(64) std::array<std::uint8_t, batch_rows> nulls;
  };
  scratch& own() const {
    if (!scratch_) scratch_ = std::make_shared<scratch>();
    return *scratch_;
  }
  template <class Compute>
  vec fill(std::size_t rows, const std::uint8_t* nulls, const Compute& compute) const;
  const std::uint8_t* nulls_of(const vec& a, const vec& b, std::size_t rows) const;
  vec arithmetic(const batch& rows, overflow_place& overflow) const;
  vec integer_arithmetic(const step& doing, const vec& a, const vec& b, std::size_t rows,
                         overflow_place& overflow) const;
  vec real_arithmetic(const step& doing, const vec& a, const vec& b, std::size_t rows) const;
  vec comparison(const batch& rows, overflow_place& overflow) const;
  vec logic(const batch& rows, overflow_place& overflow) const;
  vec choice(const batch& rows, overflow_place& overflow) const;
  vec conversion(const batch& rows, overflow_place& overflow) const;
  vec membership(const batch& rows, overflow_place& overflow) const;

  mutable std::shared_ptr<scratch> scratch_ = {};  // made when first evaluated; copies made later share it
};

}  // namespace orujo::internal::relational
