#include "framework/verify/group_oracle.hpp"

namespace orujo::internal::verify {
namespace {

constexpr std::int64_t billion = 1'000'000'000;

// "-12.5" is -12 and -500,000,000.
decimal_sum number_in(const std::string& text) {
  const bool negative = text.starts_with('-');
  const std::string digits = text.substr(negative || text.starts_with('+') ? 1 : 0);
  const std::size_t point = digits.find('.');
  std::string behind = point == digits.npos ? "" : digits.substr(point + 1);
  behind.resize(9, '0');
  std::string before(1, '0');
  before.append(digits, 0, point);
  const decimal_sum number{std::stoll(before), std::stoll(behind)};
  return negative ? decimal_sum{-number.whole, -number.billionths} : number;
}

void add(decimal_sum& to, const decimal_sum& more) {
  to.whole += more.whole;
  to.billionths += more.billionths;
  to.whole += to.billionths / billion;
  to.billionths %= billion;
  if (to.whole > 0 && to.billionths < 0) --to.whole, to.billionths += billion;
  if (to.whole < 0 && to.billionths > 0) ++to.whole, to.billionths -= billion;
}

}  // namespace

std::map<std::string, decimal_sum, std::less<>> group_rows(const plain_table& table, std::size_t group_by,
                                                           std::optional<std::size_t> sum_of) {
  std::map<std::string, decimal_sum, std::less<>> groups;
  for (const std::vector<plain_cell>& row : table.rows)
    add(groups[row[group_by].text], sum_of ? number_in(row[*sum_of].text) : decimal_sum{1, 0});
  return groups;
}

}  // namespace orujo::internal::verify
