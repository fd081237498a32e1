// A lane between a writer and a reader, in every order, and with weaker orders than it has.
#include "system/node/lane.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "system/node/alarms.hpp"
#include "tests/model/interleavings.hpp"

namespace orujo::internal::node {
namespace {

constexpr std::size_t room = 512;  // 8 lines
using bytes = std::array<std::byte, room>;
using sizes = std::vector<std::size_t>;

struct way {
  way() {
    std::memset(memory.data(), 0xa5, memory.size());
    lane::clear(memory.data());
  }
  node::alarms bells() { return {beds.data(), 1}; }

  alignas(lane::line) std::array<std::byte, lane::bytes_for(room)> memory;
  alignas(node::alarms::bytes_per_core) std::array<std::byte, node::alarms::bytes_for(1)> beds{};
  lane in{memory.data(), room}, out{memory.data(), room};
};

std::byte made(std::size_t entry, std::size_t byte) { return static_cast<std::byte>(17 * entry + byte); }

// How the ends behave, in more or less the right way.
struct habits {
  bool sleeps = false;  // the reader, instead of looking again and again; else nobody rings
  bool looks_again = true, rings = true;
  bool pops_first = false;
};

struct passed {
  bool full = false, wrapped = false;
};

void write_all(way& all, const sizes& entries, const habits& how, passed& found) {
  bytes content;
  std::size_t place = 0;
  for (std::size_t k = 0; k < entries.size(); ++k) {
    for (std::size_t n = 0; n < entries[k]; ++n) content[n] = made(k, n);
    while (!all.in.put({content.data(), entries[k]}, static_cast<std::uint32_t>(k))) {
      found.full = true;
      model::let_others_run();
    }
    const std::size_t needed = (8 + entries[k] + lane::line - 1) / lane::line * lane::line;
    found.wrapped |= place + needed > room;
    place = (place + needed > room ? 0 : place) + needed;
    if (how.sleeps && how.rings) all.bells().ring_one_after_stores();
  }
}

lane::entry wait_for_entry(way& all, const habits& how) {
  for (;;) {
    const lane::entry oldest = all.out.front();
    if (!oldest.content.empty()) return oldest;
    if (!how.sleeps) {
      model::let_others_run();
    } else {
      all.bells().sleep(0, model::for_ever,
                        [&] { return how.looks_again && !all.out.front().content.empty(); });
    }
  }
}

void read_all(way& all, const sizes& entries, const habits& how) {
  bytes content;
  for (std::size_t k = 0; k < entries.size(); ++k) {
    const lane::entry oldest = wait_for_entry(all, how);
    model::expect(oldest.number == k, "out of order, or twice");
    model::expect(oldest.content.size() == entries[k], "another size");
    if (how.pops_first) all.out.pop(oldest);
    std::memcpy(content.data(), oldest.content.data(), oldest.content.size());
    if (!how.pops_first) all.out.pop(oldest);
    for (std::size_t n = 0; n < entries[k]; ++n)
      model::expect(content[n] == made(k, n), "other bytes than were put");
  }
}

// The role of an atomic operation in a lane.
enum class part {
  others,
  look,         // the reader's, at its place
  position,     // how far the reader is: its store ...
  room_left,    // ... and the writer's load
  end,          // 0 behind the entry
  entry,        // its size and number
  entry_ahead,  // the same, at the beginning of the ring: the word that the rest is empty comes after it
  rest,         // which this is
  fence
};

// Assigns roles in one run: a write after an `end` is an entry, and one after that without an `end` is the
// rest.
class parts {
 public:
  explicit parts(way& of) : way_(&of) {}
  part of(const model::access& a) {
    if (a.what == model::operation::fence) return part::fence;
    const auto* const at = static_cast<const std::byte*>(a.at);
    const std::byte* const first = way_->memory.data();
    if (at < first || at >= first + way_->memory.size()) return part::others;
    const bool loads = a.what == model::operation::load;
    if (at == first) return loads ? part::room_left : part::position;
    if (loads) return part::look;
    if (a.order == __ATOMIC_RELAXED) {
      end_ = at;
      return part::end;
    }
    if (!end_) return part::rest;
    const bool ahead = at == first + lane::line && entry_ && at != entry_;
    entry_ = end_;  // where the next one is, unless it begins at the beginning
    end_ = nullptr;
    return ahead ? part::entry_ahead : part::entry;
  }

 private:
  way* way_;
  const std::byte *end_ = nullptr, *entry_ = nullptr;
};

struct mutant {
  part of;
  int order;  // instead
};

model::outcome explore_way(const model::limits& bounds, const sizes& entries, const habits& how = {},
                           const std::vector<mutant>& mutants = {}, passed* found = nullptr) {
  std::unique_ptr<parts> now;
  passed unasked;
  passed& seen = found ? *found : unasked;
  return model::explore(
      bounds,
      [&](model::run& r) {
        way& all = r.make<way>();
        now = std::make_unique<parts>(all);
        r.thread([&all, &entries, &how, &seen] { write_all(all, entries, how, seen); });
        r.thread([&all, &entries, &how] { read_all(all, entries, how); });
      },
      [&](const model::access& a) {
        const part of = now->of(a);
        for (const mutant& m : mutants) {
          if (m.of == of) return m.order;
        }
        return a.order;
      });
}

// One to three lines each: the fourth wraps, and all together are more than the room.
const sizes some{100, 184, 57, 120, 8};

TEST(lane_model, brings_all_once_and_in_order) {
  passed seen;
  const model::outcome found = explore_way({}, some, {}, {}, &seen);
  EXPECT_EQ(found.failure, "");
  EXPECT_TRUE(found.exhausted);
  EXPECT_GT(found.runs, 10'000u);
  EXPECT_TRUE(seen.full && seen.wrapped);
  const sizes more{184, 184, 184, 56, 57, 1, 120, 184, 60, 100, 184, 184};
  EXPECT_EQ(explore_way({.random_runs = 3'000}, more).failure, "");
}

// Entries that fill the ring to its last byte: their successor begins at its beginning without a word.
TEST(lane_model, brings_what_ends_with_the_ring) {
  const model::outcome found = explore_way({}, {184, 184, 120, 184, 8});
  EXPECT_EQ(found.failure, "");
  EXPECT_TRUE(found.exhausted);
}

TEST(lane_model, needs_its_orders_and_the_order_of_its_stores) {
  const std::vector<mutant> mutants{{part::look, __ATOMIC_RELAXED},
                                    {part::position, __ATOMIC_RELAXED},
                                    {part::room_left, __ATOMIC_RELAXED},
                                    {part::entry, __ATOMIC_RELAXED},
                                    {part::rest, __ATOMIC_RELAXED},
                                    {part::end, model::after_next_store},
                                    {part::entry_ahead, model::after_next_store}};
  for (const mutant& one : mutants) {
    const std::string failure = explore_way({}, some, {}, {one}).failure;
    EXPECT_NE(failure, "") << "part " << static_cast<int>(one.of);
  }
  EXPECT_NE(explore_way({}, some, {.pops_first = true}).failure.find("a data race"), std::string::npos);
}

// A reader that has seen that the rest is empty sees an entry at the beginning of the ring; this order
// suffices.
TEST(lane_model, tells_of_an_entry_ahead_by_the_rest) {
  EXPECT_EQ(explore_way({}, {184, 184, 120, 8}, {}, {{part::entry_ahead, __ATOMIC_RELAXED}}).failure, "");
}

TEST(lane_model, wakes_a_reader_that_sleeps) {
  const sizes few{100, 8, 184, 184};
  const habits sleeps{.sleeps = true};
  const model::outcome found = explore_way({}, few, sleeps);
  EXPECT_EQ(found.failure, "");
  EXPECT_TRUE(found.exhausted);
  EXPECT_GT(found.runs, 1'000u);
  EXPECT_EQ(explore_way({.random_runs = 3'000}, some, sleeps).failure, "");
}

TEST(lane_model, needs_the_ring_its_fence_and_the_sequential_look) {
  const sizes few{100, 8};
  const auto lost = [&](const habits& how, const std::vector<mutant>& mutants) {
    return explore_way({}, few, how, mutants).failure.find("threads sleep for ever") != std::string::npos;
  };
  EXPECT_TRUE(lost({.sleeps = true, .looks_again = false}, {}));
  EXPECT_TRUE(lost({.sleeps = true, .rings = false}, {}));
  EXPECT_TRUE(lost({.sleeps = true}, {{part::fence, __ATOMIC_RELAXED}}));
  EXPECT_TRUE(lost({.sleeps = true}, {{part::fence, __ATOMIC_ACQ_REL}}));
  EXPECT_TRUE(lost({.sleeps = true}, {{part::look, __ATOMIC_ACQUIRE}}));
}

}  // namespace
}  // namespace orujo::internal::node
