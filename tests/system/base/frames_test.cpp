#include "system/base/frames.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstdlib>

namespace orujo::internal {
namespace {

// A stack as unwinding sees it, growing downward: pairs of the caller's frame pointer and the return address.
class stack_frames : public testing::Test {
 protected:
  const void* frame(std::size_t word) const { return &words_[word]; }
  void put(std::size_t word, std::size_t caller, std::uintptr_t code) {
    words_[word] = reinterpret_cast<std::uintptr_t>(&words_[caller]);
    words_[word + 1] = code;
  }
  std::vector<std::uintptr_t> unwound(const void* from, std::size_t most = 10) const {
    std::vector<const void*> into(most);
    into.resize(base::unwind(reinterpret_cast<const void*>(0x10), from, words_.data(),
                             words_.data() + words_.size(), into));
    std::vector<std::uintptr_t> codes;
    for (const void* code : into) codes.push_back(reinterpret_cast<std::uintptr_t>(code));
    return codes;
  }
  std::array<std::uintptr_t, 16> words_{};
};

using codes = std::vector<std::uintptr_t>;

TEST_F(stack_frames, are_followed_to_the_outermost) {
  put(2, 6, 0x20);
  put(6, 10, 0x30);
  put(10, 0, 0);  // begins here: returns nowhere
  EXPECT_EQ(unwound(frame(2)), (codes{0x10, 0x20, 0x30}));
  EXPECT_EQ(unwound(frame(2), 2), (codes{0x10, 0x20}));
}

TEST_F(stack_frames, are_not_followed_off_the_stack_or_in_circles) {
  EXPECT_EQ(unwound(nullptr), codes{0x10});
  EXPECT_EQ(unwound(frame(15)), codes{0x10}) << "half a frame";
  EXPECT_EQ(unwound(words_.data() + words_.size()), codes{0x10});
  EXPECT_EQ(unwound(reinterpret_cast<const char*>(frame(2)) + 1), codes{0x10}) << "not aligned";
  put(4, 4, 0x20);
  EXPECT_EQ(unwound(frame(4)), (codes{0x10, 0x20}));
  put(8, 4, 0x30);
  EXPECT_EQ(unwound(frame(8)), (codes{0x10, 0x30}));
}

int function_of_this_test(int x) { return x + 1; }

TEST(code, is_described_by_its_function_even_of_an_unnamed_namespace) {
  int (*volatile function)(int) = &function_of_this_test;
  const auto* code = reinterpret_cast<const char*>(function);
  const std::string text = base::describe_code(code + 1);
  EXPECT_NE(text.find("function_of_this_test(int)+0x1"), std::string::npos) << text;
}

TEST(code, of_a_library_is_described) {
  void* (*volatile function)(std::size_t) = &std::malloc;
  EXPECT_NE(base::describe_code(reinterpret_cast<const void*>(function)).find("malloc"), std::string::npos);
}

TEST(code, that_is_none_is_a_number) {
  EXPECT_EQ(base::describe_code(reinterpret_cast<const void*>(0x12)), "0x12");
}

}  // namespace
}  // namespace orujo::internal
