#include "applications/messaging/random_updates.hpp"

#include <fmt/format.h>

#include "system/base/counted.hpp"
#include "system/collectives/collectives.hpp"

namespace orujo::internal::messaging {
namespace {

// One core's part of the check; the parts are summed over the cores.
struct local_check {
  word changed, drawn, expected_return;
  std::uint64_t wrong_words;
};

void combine_into(local_check& all, const local_check& other, operation op) {
  const bool sums = op != operation::exclusive_or;
  all.changed = sums ? all.changed + other.changed : all.changed ^ other.changed;
  all.drawn = sums ? all.drawn + other.drawn : all.drawn ^ other.drawn;
  all.expected_return += other.expected_return;
  all.wrong_words += other.wrong_words;
}

local_check check_here(word_table table, operation op, const draws& d) {
  local_check mine{};
  table.visit_here([&](std::size_t i, word& now) {
    if (op == operation::exclusive_or) {
      mine.changed ^= now ^ i;
    } else {
      mine.changed += now - i;
      mine.expected_return += returned_by(i, now);
    }
  });
  for (core_id c = 0; c < cores(); ++c) {
    random_stream random = d.stream_of(c);
    for (std::size_t left = d.count_of(c); left > 0; --left) {
      const word drawn = random();
      if (c == my_core()) mine.drawn = op == operation::exclusive_or ? mine.drawn ^ drawn : mine.drawn + 1;
      const auto at = table[place_of(drawn, table.size())];
      if (at.core() != my_core()) continue;
      *at.local() = op == operation::exclusive_or ? *at.local() ^ drawn : *at.local() - 1;
    }
    tasks::yield();
  }
  table.visit_here([&](std::size_t i, word now) { mine.wrong_words += now != i; });
  return mine;
}

}  // namespace

update_check check_by_undoing(word_table table, operation op, const draws& d, word returned) {
  const local_check all = loops::on_all_cores([=] {
    return collectives::all_reduce(check_here(table, op, d), [op](local_check a, const local_check& b) {
      combine_into(a, b, op);
      return a;
    });
  });
  return {all.changed, all.drawn, returned, op == operation::fetch_add ? all.expected_return : returned,
          all.wrong_words};
}

std::string update_check::describe() const {
  if (agrees()) return "all updates were done once, and undoing them gave back the table";
  std::string text;
  if (changed != expected_change) {
    text += fmt::format("the words changed by {:#x} in all instead of {:#x}; ", changed, expected_change);
  }
  if (returned != expected_return) {
    text += fmt::format("the updates returned {:#x} in all instead of {:#x}; ", returned, expected_return);
  }
  return text + base::counted(wrong_words, "wrong word") + " after undoing the updates";
}

}  // namespace orujo::internal::messaging
