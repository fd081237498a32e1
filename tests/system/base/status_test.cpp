#include "system/base/status.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <variant>

namespace orujo::internal {
namespace {

TEST(status, is_ok_by_default) {
  const status fine;
  EXPECT_TRUE(fine.ok());
  EXPECT_EQ(fine.code(), exit_status::ok);
  EXPECT_EQ(fine.message(), "");
}

TEST(status, carries_its_code_and_message) {
  const status failure(exit_status::no_input, "cannot open a.el");
  EXPECT_FALSE(failure.ok());
  EXPECT_EQ(failure.code(), exit_status::no_input);
  EXPECT_EQ(failure.message(), "cannot open a.el");
}

TEST(result, holds_a_value) {
  result<std::string> r(std::string("seven"));
  ASSERT_TRUE(r.ok());
  EXPECT_TRUE(r.status().ok());
  EXPECT_EQ(r.value(), "seven");
  r.value() += "teen";
  EXPECT_EQ(std::as_const(r).value(), "seventeen");
}

TEST(result, gives_away_a_value_that_only_moves) {
  result<std::unique_ptr<int>> r(std::make_unique<int>(7));
  const std::unique_ptr<int> taken = std::move(r).value();
  EXPECT_EQ(*taken, 7);
  EXPECT_EQ(r.value(), nullptr);
}

TEST(result, holds_the_status_that_says_why_there_is_no_value) {
  const result<int> r(status(exit_status::bad_data, "a.el:3: letters"));
  EXPECT_FALSE(r.ok());
  EXPECT_EQ(r.status().code(), exit_status::bad_data);
  EXPECT_EQ(r.status().message(), "a.el:3: letters");
  EXPECT_THROW(r.value(), std::bad_variant_access);
}

}  // namespace
}  // namespace orujo::internal
