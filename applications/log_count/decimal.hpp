// Decimal numbers with exact sums, which do not depend on the order of additions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace orujo::internal::log_count {

// A number of at most 10^18, so that a sum of 10^11 of them does not overflow. It can travel, unlike a plain
// __int128.
class decimal {
 public:
  decimal() = default;
  explicit decimal(__int128 billionths)
      : low_(static_cast<std::uint64_t>(billionths)), high_(static_cast<std::int64_t>(billionths >> 64)) {}
  static decimal one() { return decimal(per_one); }

  static constexpr std::int64_t per_one = 1'000'000'000;
  __int128 billionths() const { return static_cast<__int128>(high_) << 64 | low_; }
  friend decimal operator+(decimal a, decimal b) { return decimal(a.billionths() + b.billionths()); }
  friend bool operator>(decimal a, decimal b) { return a.billionths() > b.billionths(); }
  bool operator==(const decimal&) const = default;

 private:
  std::uint64_t low_ = 0;
  std::int64_t high_ = 0;
};

// Parses the whole text, such as "12" or "-0.5", with at most 18 digits before the point and 9 after it.
std::optional<decimal> parse_decimal(std::string_view text);
// The shortest text that is parsed as the same number, if there is one.
std::string text_of(decimal value);

}  // namespace orujo::internal::log_count
