#include "framework/tables/relational/formula.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace orujo::internal::relational {
namespace {

constexpr word least = std::numeric_limits<word>::min();

bool is_true(word w, kind type) { return type == kind::real ? real_of(w) != 0 : w != 0; }

// Rounds as SQLite does: towards 0, and values beyond the range to the nearest integer.
word whole_of(double value) {
  if (value >= 0x1p63) return std::numeric_limits<word>::max();
  if (value <= -0x1p63) return least;
  return static_cast<word>(value);
}

}  // namespace

bool formula::operator==(const formula& other) const {
  return does == other.does && type == other.type && slot == other.slot && value == other.value &&
         of == other.of && further == other.further && like == other.like;
}

// nulls: those of the result, whose words become 0. compute(k) is called for nulls, too.
template <class Compute>
vec formula::fill(std::size_t rows, const std::uint8_t* nulls, const Compute& compute) const {
  word* const to = own().words.data();
  for (std::size_t k = 0; k < rows; ++k) to[k] = compute(k);
  if (nulls) {
    for (std::size_t k = 0; k < rows; ++k) to[k] = nulls[k] ? 0 : to[k];
  }
  return {to, nulls};
}

const std::uint8_t* formula::nulls_of(const vec& a, const vec& b, std::size_t rows) const {
  if (!a.nulls || !b.nulls) return a.nulls ? a.nulls : b.nulls;
  std::uint8_t* const to = own().nulls.data();
  for (std::size_t k = 0; k < rows; ++k) to[k] = a.nulls[k] | b.nulls[k];
  return to;
}

vec formula::evaluate(const batch& rows, overflow_place& overflow) const {
  switch (does) {
    case operation::slot:
      return rows.slots[static_cast<std::size_t>(slot)];
    case operation::constant:
      return fill(rows.rows, nullptr, [this](std::size_t) { return value; });
    case operation::null:
    case operation::aggregate:
      own().nulls.fill(1);
      return fill(rows.rows, own().nulls.data(), [](std::size_t) { return word{0}; });
    case operation::negative:
    case operation::add:
    case operation::subtract:
    case operation::multiply:
    case operation::divide:
    case operation::remainder:
      return arithmetic(rows, overflow);
    case operation::equal:
    case operation::not_equal:
    case operation::less:
    case operation::less_equal:
      return comparison(rows, overflow);
    case operation::logical_and:
    case operation::logical_or:
    case operation::logical_not:
    case operation::is_null:
    case operation::is_not_null:
      return logic(rows, overflow);
    case operation::choose:
    case operation::coalesce:
      return choice(rows, overflow);
    case operation::is_in:
    case operation::like:
      return membership(rows, overflow);
    case operation::magnitude:
    case operation::to_real:
    case operation::to_integer:
      return conversion(rows, overflow);
  }
  return {};
}

vec formula::arithmetic(const batch& rows, overflow_place& overflow) const {
  const vec a = of[0].evaluate(rows, overflow);
  if (does == operation::negative) {
    if (type == kind::real)
      return fill(rows.rows, a.nulls, [&](std::size_t k) { return word_of(-real_of(a.words[k])); });
    bool over = false;
    const vec made = fill(rows.rows, a.nulls, [&](std::size_t k) {
      over |= a.words[k] == least;
      return static_cast<word>(-static_cast<std::uint64_t>(a.words[k]));
    });
    if (over) overflow.set(at);
    return made;
  }
  const auto next = [&](const step& doing, const vec& left, const formula& operand) {
    const vec right = operand.evaluate(rows, overflow);
    return type == kind::real ? real_arithmetic(doing, left, right, rows.rows)
                              : integer_arithmetic(doing, left, right, rows.rows, overflow);
  };
  vec made = next({does, at}, a, of[1]);
  for (std::size_t k = 0; k < further.size(); ++k) made = next(further[k], made, of[k + 2]);
  return made;
}

// The left operand may be what fill() has made: each value is read before its place is written.
vec formula::integer_arithmetic(const step& doing, const vec& a, const vec& b, std::size_t rows,
                                overflow_place& overflow) const {
  bool over = false;
  const std::uint8_t* nulls = nulls_of(a, b, rows);
  const auto checked = [&](auto operate) {
    return fill(rows, nulls, [&](std::size_t k) {
      word made = 0;
      over |= operate(a.words[k], b.words[k], &made);
      return made;
    });
  };
  vec made;
  if (doing.does == operation::add) {
    made = checked([](word x, word y, word* to) { return __builtin_add_overflow(x, y, to); });
  } else if (doing.does == operation::subtract) {
    made = checked([](word x, word y, word* to) { return __builtin_sub_overflow(x, y, to); });
  } else if (doing.does == operation::multiply) {
    made = checked([](word x, word y, word* to) { return __builtin_mul_overflow(x, y, to); });
  } else {
    std::uint8_t* const mine = own().nulls.data();
    bool any = nulls != nullptr;
    for (std::size_t k = 0; k < rows; ++k) {
      const bool by_zero = b.words[k] == 0;
      mine[k] = (nulls && nulls[k]) || by_zero;
      any |= by_zero;
    }
    const bool divides = doing.does == operation::divide;
    made = fill(rows, any ? mine : nullptr, [&](std::size_t k) {
      const word x = a.words[k], y = b.words[k];
      if (y == 0) return word{0};
      if (y == -1) {
        over |= divides && x == least;
        return divides && x != least ? -x : 0;
      }
      return divides ? x / y : x % y;
    });
  }
  if (over) overflow.set(doing.at);
  return made;
}

vec formula::real_arithmetic(const step& doing, const vec& a, const vec& b, std::size_t rows) const {
  const std::uint8_t* nulls = nulls_of(a, b, rows);
  bool any = false;  // that is no number
  const auto each = [&](auto operate) {
    return fill(rows, nulls, [&](std::size_t k) {
      const double made = operate(real_of(a.words[k]), real_of(b.words[k]));
      any |= made != made;
      return word_of(made);
    });
  };
  vec made;
  if (doing.does == operation::add) made = each([](double x, double y) { return x + y; });
  if (doing.does == operation::subtract) made = each([](double x, double y) { return x - y; });
  if (doing.does == operation::multiply) made = each([](double x, double y) { return x * y; });
  if (doing.does == operation::divide)
    made = each([](double x, double y) { return y != 0 ? x / y : std::numeric_limits<double>::quiet_NaN(); });
  if (!any) return made;
  std::uint8_t* const mine = own().nulls.data();
  for (std::size_t k = 0; k < rows; ++k) {
    const double each_value = real_of(made.words[k]);
    mine[k] = (nulls && nulls[k]) || each_value != each_value;
  }
  return fill(rows, mine, [&](std::size_t k) { return made.words[k]; });
}

vec formula::comparison(const batch& rows, overflow_place& overflow) const {
  const vec a = of[0].evaluate(rows, overflow), b = of[1].evaluate(rows, overflow);
  const std::uint8_t* const nulls = nulls_of(a, b, rows.rows);
  const auto compare = [&](auto left, auto right) {
    switch (does) {
      case operation::equal:
        return fill(rows.rows, nulls, [&](std::size_t k) -> word { return left(k) == right(k); });
      case operation::not_equal:
        return fill(rows.rows, nulls, [&](std::size_t k) -> word { return left(k) != right(k); });
      case operation::less:
        return fill(rows.rows, nulls, [&](std::size_t k) -> word { return left(k) < right(k); });
      default:
        return fill(rows.rows, nulls, [&](std::size_t k) -> word { return left(k) <= right(k); });
    }
  };
  const bool left_real = of[0].type == kind::real, right_real = of[1].type == kind::real;
  if (!left_real && !right_real)
    return compare([&](std::size_t k) { return a.words[k]; }, [&](std::size_t k) { return b.words[k]; });
  if (left_real && right_real)
    return compare([&](std::size_t k) { return real_of(a.words[k]); },
                   [&](std::size_t k) { return real_of(b.words[k]); });
  // Holds every value of both types (64 bits of mantissa on x86).
  const auto exact = [](const vec& v, bool is_real) {
    return [&v, is_real](std::size_t k) {
      return is_real ? static_cast<long double>(real_of(v.words[k])) : static_cast<long double>(v.words[k]);
    };
  };
  return compare(exact(a, left_real), exact(b, right_real));
}

// Three-valued: false and NULL is false, true or NULL is true.
vec formula::logic(const batch& rows, overflow_place& overflow) const {
  const vec first = of[0].evaluate(rows, overflow);
  const kind type_of_first = of[0].type;
  if (does == operation::is_null)
    return fill(rows.rows, nullptr, [&](std::size_t k) -> word { return first.null(k); });
  if (does == operation::is_not_null)
    return fill(rows.rows, nullptr, [&](std::size_t k) -> word { return !first.null(k); });
  if (does == operation::logical_not)
    return fill(rows.rows, first.nulls,
                [&](std::size_t k) -> word { return !is_true(first.words[k], type_of_first); });
  const bool decides = does == operation::logical_or;  // whatever the others are
  scratch& mine = own();
  bool any = false;
  const auto take = [&](const vec& v, kind type_of_it, bool begins) {
    for (std::size_t k = 0; k < rows.rows; ++k) {
      const bool null = v.null(k), truth = is_true(v.words[k], type_of_it);
      if (begins) {
        mine.words[k] = null ? 0 : truth;
        mine.nulls[k] = null;
      } else {
        const bool decided =
            (!mine.nulls[k] && (mine.words[k] != 0) == decides) || (!null && truth == decides);
        mine.nulls[k] = !decided && (mine.nulls[k] || null);
        mine.words[k] = decided ? decides : mine.nulls[k] ? 0 : !decides;
      }
    }
    any |= v.nulls != nullptr;
  };
  take(first, type_of_first, true);
  for (std::size_t k = 1; k < of.size(); ++k) take(of[k].evaluate(rows, overflow), of[k].type, false);
  return {mine.words.data(), any ? mine.nulls.data() : nullptr};
}

vec formula::choice(const batch& rows, overflow_place& overflow) const {
  scratch& mine = own();
  if (does == operation::coalesce) {
    mine.nulls.fill(1);
    for (const formula& one : of) {
      const vec v = one.evaluate(rows, overflow);
      for (std::size_t k = 0; k < rows.rows; ++k) {
        if (!mine.nulls[k]) continue;
        mine.words[k] = v.words[k];
        mine.nulls[k] = v.null(k);
      }
    }
    return {mine.words.data(), mine.nulls.data()};
  }
  // From the last to the first, which prevails.
  const vec otherwise = of.back().evaluate(rows, overflow);
  for (std::size_t k = 0; k < rows.rows; ++k) {
    mine.words[k] = otherwise.words[k];
    mine.nulls[k] = otherwise.null(k);
  }
  for (std::size_t branch = of.size() - 1; branch >= 2; branch -= 2) {
    const vec holds = of[branch - 2].evaluate(rows, overflow), then = of[branch - 1].evaluate(rows, overflow);
    const kind type_of_it = of[branch - 2].type;
    for (std::size_t k = 0; k < rows.rows; ++k) {
      if (holds.null(k) || !is_true(holds.words[k], type_of_it)) continue;
      mine.words[k] = then.words[k];
      mine.nulls[k] = then.null(k);
    }
  }
  return {mine.words.data(), mine.nulls.data()};
}

vec formula::conversion(const batch& rows, overflow_place& overflow) const {
  const vec a = of[0].evaluate(rows, overflow);
  const bool from_real = of[0].type == kind::real;
  if (does == operation::to_real)
    return fill(rows.rows, a.nulls, [&](std::size_t k) { return word_of(static_cast<double>(a.words[k])); });
  if (does == operation::to_integer)
    return fill(rows.rows, a.nulls, [&](std::size_t k) { return whole_of(real_of(a.words[k])); });
  if (from_real)
    return fill(rows.rows, a.nulls, [&](std::size_t k) { return word_of(std::abs(real_of(a.words[k]))); });
  bool over = false;
  const vec made = fill(rows.rows, a.nulls, [&](std::size_t k) {
    over |= a.words[k] == least;
    return a.words[k] < 0 && a.words[k] != least ? -a.words[k] : a.words[k];
  });
  if (over) overflow.set(at);
  return made;
}

vec formula::membership(const batch& rows, overflow_place& overflow) const {
  const vec a = of[0].evaluate(rows, overflow);
  if (does == operation::like)
    return fill(rows.rows, a.nulls, [&](std::size_t k) -> word {
      const word code = a.words[k];
      if (a.null(k)) return 0;
      if (code & 0xffff) return std::ranges::binary_search(*like_literals, code);
      const auto place = static_cast<std::uint64_t>(code >> 16) - 1;
      return static_cast<word>((*like)[place / 64] >> place % 64 & 1);
    });
  // The constants have the type of the first, and NULLs among them are the last.
  const auto constants = std::span(of).subspan(1);
  const bool has_null = !constants.empty() && constants.back().does == operation::null;
  const bool real = of[0].type == kind::real;
  scratch& mine = own();
  for (std::size_t k = 0; k < rows.rows; ++k) {
    const bool found = std::ranges::any_of(constants, [&](const formula& one) {
      return one.does == operation::constant &&
             (real ? real_of(one.value) == real_of(a.words[k]) : one.value == a.words[k]);
    });
    mine.nulls[k] = a.null(k) || (has_null && !found);
    mine.words[k] = found && !a.null(k);
  }
  return {mine.words.data(), a.nulls || has_null ? mine.nulls.data() : nullptr};
}

}  // namespace orujo::internal::relational
