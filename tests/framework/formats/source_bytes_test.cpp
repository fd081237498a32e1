#include "framework/formats/source_bytes.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "tests/framework/formats/memory_source.hpp"

namespace orujo::internal::formats {
namespace {

TEST(source_bytes, of_a_stream_are_kept_as_far_as_they_may) {
  const std::string content(5 << 20, 'x');
  for (const std::uint64_t most : {std::uint64_t{1} << 20, std::uint64_t{4} << 20, std::uint64_t{32} << 20}) {
    memory_source stream(content, "F", 1000, false);
    const auto kept = read_into_memory(stream, most);
    if (most < 2 * content.size()) {
      EXPECT_EQ(kept.status().code(), exit_status::no_resource) << most;
    } else {
      ASSERT_TRUE(kept.ok());
      EXPECT_EQ(kept.value()->size(), content.size());
    }
  }
}

}  // namespace
}  // namespace orujo::internal::formats
