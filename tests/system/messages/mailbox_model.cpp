#include "system/messages/mailbox.hpp"

#include <gtest/gtest.h>

#include <array>

#include "tests/model/interleavings.hpp"

namespace orujo::internal::messages {
namespace {

struct letter {
  letter* next = nullptr;
  int from = 0, number = 0;
};

// Two threads push two letters each, and a third empties the box until it has all.
struct post {
  mailbox<letter> box;
  std::array<letter, 4> letters;
};

void push_two(post& all, int from) {
  for (int k = 0; k < 2; ++k) {
    letter& mine = all.letters[static_cast<std::size_t>(2 * from + k)];
    mine.from = from;
    mine.number = k;
    all.box.push(&mine);
  }
}

void take_four(post& all) {
  std::array<int, 2> next{};
  for (int taken = 0; taken < 4;) {
    letter* one = all.box.take_all();
    if (!one) model::let_others_run();
    for (letter* after = nullptr; one; one = after, ++taken) {
      after = one->next;
      model::expect(one->number == next[static_cast<std::size_t>(one->from)]++, "out of order, or twice");
    }
  }
}

model::outcome explore_post(const model::limits& bounds, bool acquires = true, bool releases = true) {
  // The box is made anew in each run, at a place that the weakening has to learn.
  static post* box = nullptr;
  const auto weaken = [=](const model::access& a) {
    if (!acquires) return model::without_acquire(box, sizeof(mailbox<letter>))(a);
    return releases ? a.order : model::without_release(box, sizeof(mailbox<letter>))(a);
  };
  return model::explore(
      bounds,
      [](model::run& r) {
        post& all = r.make<post>();
        box = &all;
        for (int from : {0, 1}) r.thread([&all, from] { push_two(all, from); });
        r.thread([&all] { take_four(all); });
        r.finally([&all] { model::expect(all.box.empty(), "something is left"); });
      },
      weaken);
}

TEST(mailbox_model, gives_all_once_and_in_the_order_of_each_sender) {
  const model::outcome found = explore_post({});
  EXPECT_EQ(found.failure, "");
  EXPECT_TRUE(found.exhausted);
  EXPECT_GT(found.runs, 1'000u);
  EXPECT_EQ(explore_post({.random_runs = 3'000}).failure, "");
}

TEST(mailbox_model, needs_its_orders) {
  EXPECT_NE(explore_post({}, false).failure.find("a data race"), std::string::npos);
  EXPECT_NE(explore_post({}, true, false).failure.find("a data race"), std::string::npos);
}

}  // namespace
}  // namespace orujo::internal::messages
