#include "system/messages/pack.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace orujo::internal::messages {
namespace {

struct point {
  std::int32_t x = 0, y = 0;
  bool operator==(const point&) const = default;
};

struct nothing {
  bool operator==(const nothing&) const = default;
};

struct place {
  std::string name;
  std::vector<point> outline;
  std::map<std::string, std::optional<double>> values;
  bool operator==(const place&) const = default;
  template <class Archive>
  void serialize(Archive& archive) {
    archive(name, outline, values);
  }
};

template <class T>
void expect_same(const T& value) {
  EXPECT_EQ(unpack<T>(pack(value)), value);
}

TEST(pack, gives_values_back_as_they_were) {
  expect_same(42);
  expect_same(point{1, -2});
  expect_same(std::string());
  expect_same(std::string("a\0b", 3));
  expect_same(std::vector<std::uint64_t>{1, 2, 3});
  expect_same(std::vector<point>{{1, 2}, {3, 4}});
  expect_same(std::vector<std::string>{"one", "", "three"});
  expect_same(std::vector<bool>{true, false, true});
  expect_same(std::vector<std::vector<int>>{{}, {1}, {2, 3}});
  expect_same(std::deque<int>{1, 2, 3});
  expect_same(std::list<std::string>{"a", "b"});
  expect_same(std::set<std::string>{"a", "b"});
  expect_same(std::multimap<int, std::string>{{1, "b"}, {1, "a"}, {0, "c"}});
  expect_same(std::unordered_map<std::string, int>{{"one", 1}, {"two", 2}});
  expect_same(std::unordered_set<int>{1, 2, 3});
  expect_same(std::pair<std::string, int>("one", 1));
  expect_same(std::tuple<int, std::string, std::vector<int>>(1, "two", {3}));
  expect_same(std::tuple<std::string, nothing>("one", {}));  // which may lie within the string
  expect_same(std::array<std::string, 2>{"one", "two"});
  expect_same(std::optional<int>());
  expect_same(std::optional<std::string>());
  expect_same(std::optional<std::string>("here"));
  expect_same(place{"A", {{1, 2}}, {{"height", 3.5}, {"depth", {}}}});
  expect_same(std::vector<place>(3));
}

TEST(pack, takes_what_was_there_before_away) {
  const auto bytes = pack(std::map<int, int>{{1, 1}}, std::optional<std::string>(), std::string("b"));
  std::map<int, int> map{{2, 2}};
  std::optional<std::string> none("something");
  std::string text("a longer one");
  unpacker archive(bytes);
  archive(map, none, text);
  archive.require_end();
  EXPECT_EQ(map, (std::map<int, int>{{1, 1}}));
  EXPECT_EQ(none, std::nullopt);
  EXPECT_EQ(text, "b");
}

TEST(pack, takes_little_more_than_the_bytes) {
  EXPECT_EQ(pack(std::string(100, 'x'), 1.5, std::vector<int>(10)).size(), 8 + 100 + 8 + 8 + 40u);
}

struct without_default {
  explicit without_default(int number) : text(static_cast<std::size_t>(number), 'x') {}
  std::string text;
  template <class Archive>
  void serialize(Archive& archive) {
    archive(text);
  }
};

static_assert(can_pack<int> && can_pack<std::string> && can_pack<place> && can_pack<std::array<point, 3>>);
static_assert(!can_pack<int*> && !can_pack<const char*> && !can_pack<std::string_view>);
static_assert(!can_pack<std::span<int>> && !can_pack<std::unique_ptr<int>> && !can_pack<without_default>);
static_assert(!can_pack<std::vector<int*>> && !can_pack<std::map<std::string, std::string_view>>);
static_assert(!can_pack<std::pair<int, std::shared_ptr<int>>> && !can_pack<std::optional<std::span<int>>>);

struct forgetful {
  std::string name;
  int written = 0;
  template <class Archive>
  void serialize(Archive& archive) {
    archive(name);
    if (written++ == 0) archive(name);
  }
};

TEST(pack_death, notices_that_a_class_reads_something_else_than_it_wrote) {
  const forgetful value{"n", 1};  // writes its name once
  EXPECT_EXIT(unpack<forgetful>(pack(value)), testing::ExitedWithCode(78), "reads something else");
  EXPECT_EXIT(unpack<int>(pack(1, 2)), testing::ExitedWithCode(78), "reads something else");
  EXPECT_EXIT(unpack<std::vector<int>>(pack(std::uint64_t{1} << 62)), testing::ExitedWithCode(78),
              "reads something else");
}

}  // namespace
}  // namespace orujo::internal::messages
