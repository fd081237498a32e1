// Joins orders with payments on their customer: one relation becomes a hash table that is spread over all
// cores, the other one visits it.
#include <orujo/orujo.hpp>

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <unordered_map>

using namespace orujo;

constexpr std::size_t orders = 60'000, payments = 60'000, customers = 10'000;

// Relations that anybody can make up. Few customers have many orders and payments.
std::uint32_t customer_of(std::uint64_t row) {
  const double at = static_cast<double>(mix64(row) >> 11) * 0x1p-53;
  return static_cast<std::uint32_t>(at * at * at * customers);
}
std::uint32_t amount_of(std::uint64_t row) { return static_cast<std::uint32_t>(mix64(~row) % 1000); }
constexpr std::uint64_t first_payment = 1 << 30;  // rows before it are orders

struct totals {
  std::uint64_t pairs = 0, products = 0;
  bool operator==(const totals&) const = default;
};

totals join_on_all_cores() {
  const auto amounts = global_multimap<std::uint32_t, std::uint32_t>::create(customers);
  const auto found = symmetric<totals>::create();
  finish([&](event_ref event) {
    forall({0, orders},
           [=](std::size_t row) { amounts.async_insert(event, customer_of(row), amount_of(row)); });
  });
  // A visit travels to the core that has the customer's orders, and runs there for each of them.
  finish([&](event_ref event) {
    forall({0, payments}, [=](std::size_t k) {
      const std::uint64_t paid = amount_of(first_payment + k);
      amounts.async_visit(event, customer_of(first_payment + k),
                          [=](const std::uint32_t&, std::uint32_t ordered) {
                            ++found.here().pairs;
                            found.here().products += paid * ordered;
                          });
    });
  });
  const totals sums = {sum_of_all([=] { return found.here().pairs; }),
                       sum_of_all([=] { return found.here().products; })};
  found.destroy();
  amounts.destroy();
  return sums;
}

// The same sums without pairs, on one core.
totals sums_by_customer() {
  std::unordered_map<std::uint32_t, totals> ordered;
  for (std::uint64_t row = 0; row < orders; ++row) {
    totals& of_customer = ordered[customer_of(row)];
    ++of_customer.pairs;
    of_customer.products += amount_of(row);
  }
  totals sums;
  for (std::uint64_t row = first_payment; row < first_payment + payments; ++row) {
    const auto of_customer = ordered.find(customer_of(row));
    if (of_customer == ordered.end()) continue;
    sums.pairs += of_customer->second.pairs;
    sums.products += of_customer->second.products * amount_of(row);
  }
  return sums;
}

status join() {
  const totals found = join_on_all_cores();
  std::printf("pairs: %" PRIu64 "\n", found.pairs);
  std::printf("sum of their products: %" PRIu64 ", %s\n", found.products,
              found == sums_by_customer() ? "as by customer" : "wrong");
  return {};
}

int main(int argc, char** argv) { return run(argc, argv, "Joins two relations.", &join); }
