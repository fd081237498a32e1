// Collectives of values that are packed: of any size at each member.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "system/collectives/collectives.hpp"
#include "system/collectives/exchange_by.hpp"
#include "tests/system/cores_where.hpp"

namespace orujo::internal::collectives {
namespace {

// Texts of another size at every core, one of them large.
std::string text_of(core_id core) {
  return std::string(core == 1 ? 10'000 : static_cast<std::size_t>(core), static_cast<char>('a' + core));
}
std::string text_of_all() {
  std::string text;
  for (core_id c = 0; c < cores(); ++c) text += text_of(c);
  return text;
}

TEST(collective_values, broadcast_what_the_root_has) {
  EXPECT_EQ(cores_where([] {
              bool right = true;
              for (core_id root = 0; root < cores(); ++root) {
                right &= broadcast(text_of(my_core()), root) == text_of(root);
                const std::map<std::string, int> mine{{text_of(my_core()), my_core()}};
                right &= broadcast(mine, root) == std::map<std::string, int>{{text_of(root), root}};
              }
              return right;
            }),
            cores());
}

TEST(collective_values, combine_in_the_order_of_cores) {
  EXPECT_EQ(cores_where([] {
              const core_id root = cores() - 1;
              const bool right = all_reduce(text_of(my_core())) == text_of_all();
              const std::string there = reduce(text_of(my_core()), root);
              return right && (my_core() != root || there == text_of_all());
            }),
            cores());
}

TEST(collective_values, of_a_locale_stay_there) {
  EXPECT_EQ(cores_where([] {
              const std::vector<std::string> all = all_gather(text_of(my_core()), group::locale);
              const core_id first = shape().first_core_of(my_locale());
              return all.size() == static_cast<std::size_t>(my_locales_cores()) &&
                     all.front() == text_of(first) && all.back() == text_of(first + my_locales_cores() - 1);
            }),
            cores());
}

TEST(collective_values, are_gathered_and_exchanged_by_member) {
  EXPECT_EQ(cores_where([] {
              const auto n = static_cast<std::size_t>(cores());
              const std::string mine = text_of(my_core());
              std::vector<std::string> by_member;
              std::vector<std::vector<std::string>> lists_by_member;
              for (core_id c = 0; c < cores(); ++c) {
                by_member.push_back(text_of(c));
                lists_by_member.push_back(std::vector<std::string>(static_cast<std::size_t>(c), text_of(c)));
              }
              const auto& my_list = lists_by_member[static_cast<std::size_t>(my_core())];
              bool right = all_gather(mine) == by_member && all_gather(my_list) == lists_by_member;
              const auto gathered = gather(mine, 0);
              right &= my_core() == 0 ? gathered == by_member : gathered.empty();
              const auto lists = gather(my_list, 0);
              right &= my_core() == 0 ? lists == lists_by_member : lists.empty();
              right &= all_to_all(std::vector<std::string>(n, mine)) == by_member;
              right &= all_to_all(std::vector<std::vector<std::string>>(n, my_list)) == lists_by_member;
              return right;
            }),
            cores());
}

TEST(collective_values, go_to_their_owners) {
  EXPECT_EQ(cores_where([] {
              std::vector<std::string> mine;
              for (core_id c = cores() - 1; c >= 0; --c) mine.push_back(text_of(c));
              const auto came =
                  exchange_by(mine, [](const std::string& text) { return text.empty() ? 0 : text[0] - 'a'; });
              return came == std::vector<std::string>(static_cast<std::size_t>(cores()), text_of(my_core()));
            }),
            cores());
}

}  // namespace
}  // namespace orujo::internal::collectives
