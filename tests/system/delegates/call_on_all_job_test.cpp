#include "system/delegates/call_on_all.hpp"

#include <gtest/gtest.h>

#include "tests/system/cores_where.hpp"

namespace orujo::internal::delegates {
namespace {

TEST(call_on_all, brings_one_answer_of_every_core_to_whoever_asks) {
  EXPECT_EQ(cores_where([] {
              by_core<int> answers(cores(), -1);
              int count = 0;
              call_on_all([] { return my_core() * 10; },
                          [&](core_id core, int answer) {
                            ++count;
                            answers[core] = answer;
                          });
              for (core_id c = 0; c < cores(); ++c) {
                if (answers[c] != c * 10) return false;
              }
              return count == cores() && sum_of_all([] { return my_core(); }) == cores() * (cores() - 1) / 2;
            }),
            cores());
}

}  // namespace
}  // namespace orujo::internal::delegates
