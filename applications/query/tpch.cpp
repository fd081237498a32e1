#include "applications/query/tpch.hpp"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <cstdint>

#include "system/base/numbers.hpp"
#include "system/base/random.hpp"

namespace orujo::internal::query {
namespace {

using relational::kind, relational::made_table;
using fields = std::vector<std::string>;
using visitor = std::function<void(std::span<const std::string>)>;

constexpr std::array segments = {"AUTOMOBILE", "BUILDING", "FURNITURE", "HOUSEHOLD", "MACHINERY"};
constexpr std::array modes = {"AIR", "FOB", "MAIL", "RAIL", "REG AIR", "SHIP", "TRUCK"};
constexpr int last_order_day = 2405;  // 1992-01-01 is day 0; 1998-08-02
constexpr int today = 1263;           // 1995-06-17

std::string date(int day) {
  using namespace std::chrono;
  const year_month_day of(sys_days(year(1992) / January / 1) + days(day));
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(of.year()), static_cast<unsigned>(of.month()),
                     static_cast<unsigned>(of.day()));
}
std::string money(std::uint64_t cents) { return fmt::format("{}.{:02}", cents / 100, cents % 100); }
int below(random_stream& random, int n) {
  return static_cast<int>(random.below(static_cast<std::uint64_t>(n)));
}

// Eight of each 32 numbers, as in the benchmark.
std::uint64_t order_key(std::uint64_t k) { return k / 8 * 32 + k % 8 + 1; }

struct order_draw {
  explicit order_draw(std::uint64_t k)
      : random(mix64(k + 0x7063)), day(below(random, last_order_day + 1)), lines(1 + below(random, 7)) {}
  random_stream random;
  int day, lines;
};

void customer(std::uint64_t k, const visitor& visit) {
  random_stream random(mix64(k + 0x637573));
  const auto balance = random.below(1'100'000);
  visit(fields{fmt::to_string(k + 1), fmt::format("Customer#{:09}", k + 1), fmt::to_string(below(random, 25)),
               balance < 100'000 ? fmt::format("-{}", money(balance)) : money(balance - 100'000),
               segments[random.below(segments.size())]});
}

void order(std::uint64_t k, std::uint64_t customers, const visitor& visit) {
  order_draw draw(k);
  random_stream random(mix64(k + 0x6f7264));
  // A third of the customers have none.
  std::uint64_t customer = random.below(customers);
  customer -= customer % 3 == 2 ? 1 : 0;
  visit(fields{fmt::to_string(order_key(k)), fmt::to_string(customer + 1),
               draw.day > today         ? "O"
               : draw.day + 121 < today ? "F"
                                        : "P",
               money(100'000 + random.below(40'000'000)), date(draw.day),
               fmt::format("{}-PRIORITY", 1 + below(random, 5)), "0"});
}

void lineitem(std::uint64_t k, std::uint64_t parts, const visitor& visit) {
  order_draw draw(k);
  random_stream& random = draw.random;
  for (int line = 1; line <= draw.lines; ++line) {
    const std::uint64_t part = random.below(parts), quantity = 1 + random.below(50);
    const int shipped = draw.day + 1 + below(random, 121), received = shipped + 1 + below(random, 30);
    const char* const flag = received > today ? "N" : random.below(2) ? "R" : "A";
    visit(fields{fmt::to_string(order_key(k)), fmt::to_string(part + 1), fmt::to_string(line),
                 fmt::to_string(quantity),
                 money(quantity * (90'000 + part / 10 % 20'001 + part % 1000 * 100)), money(random.below(11)),
                 money(random.below(9)), flag, shipped > today ? "O" : "F", date(shipped),
                 date(draw.day + 30 + below(random, 61)), date(received), modes[random.below(modes.size())]});
  }
}

}  // namespace

result<std::vector<made_table>> tpch_tables(const std::string& specification) {
  constexpr std::string_view begin = "tpch:";
  const double scale =
      specification.starts_with(begin)
          ? base::number_of<double>(std::string_view(specification).substr(begin.size())).value_or(0)
          : 0;
  if (!(scale >= 0.0001 && scale <= 10'000))
    return status(
        exit_status::usage,
        fmt::format("--generate={}: expected tpch:SCALE with a scale from 0.0001 to 10000", specification));
  const auto scaled = [scale](double rows) { return static_cast<std::uint64_t>(rows * scale); };
  const std::uint64_t customers = std::max<std::uint64_t>(3, scaled(150'000)), orders = scaled(1'500'000),
                      parts = std::max<std::uint64_t>(1, scaled(200'000));
  using enum kind;
  std::vector<made_table> made;
  made.push_back({"customer",
                  {{"c_custkey", integer},
                   {"c_name", text},
                   {"c_nationkey", integer},
                   {"c_acctbal", real},
                   {"c_mktsegment", text}},
                  customers,
                  &customer});
  made.push_back({"orders",
                  {{"o_orderkey", integer},
                   {"o_custkey", integer},
                   {"o_orderstatus", text},
                   {"o_totalprice", real},
                   {"o_orderdate", text},
                   {"o_orderpriority", text},
                   {"o_shippriority", integer}},
                  orders,
                  [customers](std::uint64_t k, const visitor& visit) { order(k, customers, visit); }});
  made.push_back({"lineitem",
                  {{"l_orderkey", integer},
                   {"l_partkey", integer},
                   {"l_linenumber", integer},
                   {"l_quantity", integer},
                   {"l_extendedprice", real},
                   {"l_discount", real},
                   {"l_tax", real},
                   {"l_returnflag", text},
                   {"l_linestatus", text},
                   {"l_shipdate", text},
                   {"l_commitdate", text},
                   {"l_receiptdate", text},
                   {"l_shipmode", text}},
                  orders,
                  [parts](std::uint64_t k, const visitor& visit) { lineitem(k, parts, visit); }});
  return made;
}

}  // namespace orujo::internal::query
