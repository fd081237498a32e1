#include "system/tasks/wait_name.hpp"

#include <gtest/gtest.h>

#include <string>

namespace orujo::internal::tasks {
namespace {

TEST(wait_name, says_what_and_where_without_folders) {
  const call_site at = call_site::current();
  EXPECT_EQ(wait_name("on_all_cores", at).text(),
            "on_all_cores at wait_name_test.cpp:" + std::to_string(at.line()));
}

TEST(wait_name, cuts_what_is_long) {
  const std::string what(500, 'x');
  const std::string text = wait_name(what, call_site::current()).text();
  EXPECT_LT(text.size(), 200u);
  EXPECT_EQ(text, what.substr(0, text.size()));
}

}  // namespace
}  // namespace orujo::internal::tasks
