#include "system/base/json.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace orujo::internal {
namespace {

TEST(json, writes_every_kind_of_value) {
  base::json all = {{"yes", true}, {"text", "a \"b\"\n"}, {"negative", -3}, {"real", 0.1}};
  all["large"] = std::numeric_limits<std::uint64_t>::max();
  all["nothing"] = base::json();
  all["numbers"] = std::vector<double>{1, 2.5};
  all["inner"] = {{"b", 1}, {"a", 2u}};
  EXPECT_EQ(all.dump(),
            R"({"yes":true,"text":"a \"b\"\n","negative":-3,"real":0.1,"large":18446744073709551615,)"
            R"("nothing":null,"numbers":[1.0,2.5],"inner":{"b":1,"a":2}})");
  EXPECT_EQ(base::json({{"a", 1}}).dump(2), "{\n  \"a\": 1\n}");
  EXPECT_EQ(base::json("\xff").dump(), "\"\uFFFD\"");
}

TEST(json, grows_by_keys_and_by_elements) {
  base::json list = base::json::array();
  EXPECT_TRUE(list.empty());
  list.push_back({{"a", 1}});
  list.back()["b"] = "two";
  list.back().update({{"a", 3}, {"c", 4}});
  EXPECT_EQ(list.size(), 1u);
  EXPECT_EQ(list.dump(), R"([{"a":3,"b":"two","c":4}])");
  base::json made_by_a_key;
  made_by_a_key["x"] = 1;
  EXPECT_EQ(made_by_a_key.dump(), R"({"x":1})");
  EXPECT_EQ(base::json::object().dump(), "{}");
}

}  // namespace
}  // namespace orujo::internal
