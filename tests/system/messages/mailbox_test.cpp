// Several producers and one consumer; what ThreadSanitizer looks at.
#include "system/messages/mailbox.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

namespace orujo::internal::messages {
namespace {

struct link {
  link* next = nullptr;
  std::size_t producer = 0;
  std::uint64_t sequence = 0;  // plain: only the mailbox orders its writing and reading
};

TEST(mailbox, is_empty_at_first) {
  mailbox<link> box;
  EXPECT_TRUE(box.empty());
  EXPECT_EQ(box.take_all(), nullptr);
}

TEST(mailbox, gives_all_nodes_oldest_first_and_is_empty_then) {
  mailbox<link> box;
  for (std::size_t count : {1, 2, 100}) {
    std::vector<link> nodes(count);
    for (link& n : nodes) box.push(&n);
    EXPECT_FALSE(box.empty());
    link* taken = box.take_all();
    for (link& n : nodes) {
      ASSERT_EQ(taken, &n);
      taken = taken->next;
    }
    EXPECT_EQ(taken, nullptr);
    EXPECT_TRUE(box.empty());
    EXPECT_EQ(box.take_all(), nullptr);
  }
}

// Checks what the consumer gets: everything of every producer, once, in its order.
class arrivals {
 public:
  arrivals(std::size_t producers, std::uint64_t each) : next_(producers), left_(producers * each) {}
  bool complete() const { return left_ == 0; }
  void take(const link& n) {
    EXPECT_EQ(n.sequence, next_[n.producer]) << "from producer " << n.producer;
    next_[n.producer] = n.sequence + 1;
    --left_;
  }

 private:
  std::vector<std::uint64_t> next_;
  std::uint64_t left_;
};

constexpr std::size_t producers = 3;

TEST(mailbox, loses_nothing_and_keeps_the_order_of_every_producer) {
  constexpr std::uint64_t each = 50'000;
  mailbox<link> box;
  std::vector<std::vector<link>> nodes(producers);
  std::vector<std::thread> threads;
  for (std::size_t p = 0; p < producers; ++p) {
    nodes[p].resize(each);
    threads.emplace_back([&, p] {
      for (std::uint64_t k = 0; k < each; ++k) {
        nodes[p][k].producer = p;
        nodes[p][k].sequence = k;
        box.push(&nodes[p][k]);
      }
    });
  }
  arrivals got(producers, each);
  while (!got.complete()) {
    link* n = box.take_all();
    if (!n) std::this_thread::yield();
    for (; n; n = n->next) got.take(*n);
  }
  for (std::thread& t : threads) t.join();
  EXPECT_TRUE(box.empty());
}

TEST(mailbox, takes_the_same_few_nodes_again_and_again) {
  // As blocks travel: out to the consumer's mailbox, home to their producer's, and out again.
  constexpr std::uint64_t each = 20'000;
  mailbox<link> box;
  std::vector<mailbox<link>> homes(producers);
  std::vector<std::vector<link>> nodes(producers, std::vector<link>(4));
  std::vector<std::thread> threads;
  for (std::size_t p = 0; p < producers; ++p) {
    for (link& n : nodes[p]) homes[p].push(&n);
    threads.emplace_back([&, p] {
      for (std::uint64_t sent = 0; sent < each;) {
        link* n = homes[p].take_all();
        if (!n) std::this_thread::yield();
        while (n && sent < each) {
          link* next = n->next;
          n->producer = p;
          n->sequence = sent++;
          box.push(n);
          n = next;
        }
      }
    });
  }
  arrivals got(producers, each);
  while (!got.complete()) {
    link* n = box.take_all();
    if (!n) std::this_thread::yield();
    while (n) {
      link* next = n->next;
      got.take(*n);
      homes[n->producer].push(n);
      n = next;
    }
  }
  for (std::thread& t : threads) t.join();
}

}  // namespace
}  // namespace orujo::internal::messages
