#include "system/base/binary.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>

namespace orujo::internal {
namespace {

TEST(offset_in_binary, leads_back_to_the_constant) {
  static const char other[] = "another constant";
  for (const char* constant : {"a literal", &other[0], &base::binary_anchor[0]}) {
    EXPECT_EQ(base::at_offset_in_binary(base::offset_in_binary(constant)), constant);
  }
  EXPECT_EQ(base::offset_in_binary(base::binary_anchor), 0);
  EXPECT_EQ(base::offset_in_binary(other + 5) - base::offset_in_binary(other), 5);
}

TEST(build_fingerprint, is_there_exactly_if_the_file_has_a_build_id) {
  std::ifstream file("/proc/self/exe", std::ios::binary);
  std::string content(std::filesystem::file_size("/proc/self/exe"), '\0');
  ASSERT_TRUE(file.read(content.data(), static_cast<std::streamsize>(content.size())));
  // A note of type 3 by "GNU", whose content, the build id, is 20 or 16 or 8 bytes.
  bool has_build_id = false;
  for (char bytes : {20, 16, 8}) {
    const char note[] = {4, 0, 0, 0, bytes, 0, 0, 0, 3, 0, 0, 0, 'G', 'N', 'U', 0};
    has_build_id |= memmem(content.data(), content.size(), note, sizeof(note)) != nullptr;
  }
  EXPECT_EQ(base::build_fingerprint() != 0, has_build_id);
}

TEST(build_fingerprint, is_always_the_same) {
  EXPECT_EQ(base::build_fingerprint(), base::build_fingerprint());
}

}  // namespace
}  // namespace orujo::internal
