#include "system/messages/wire.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "system/messages/handlers.hpp"
#include "system/messages/messenger.hpp"
#include "system/transport/transport.hpp"
#include "tests/system/messages/made_parcel.hpp"
#include "tests/system/runtime/one_job.hpp"

namespace orujo::internal::messages {
namespace {

// Locales of 1, 2, 1, 1 and 1 cores: numbers 0 | 1 2 | 3 | 4 | 5.
const job_shape shape({1, 2, 1, 1, 1});

std::string fault_in(const made_parcel& parcel, locale_id from, locale_id here) {
  const auto found = look_into(parcel.bytes(), from, here, shape);
  return found.fault ? found.fault : "";
}

made_parcel of_two_blocks() {
  made_parcel made;
  made.add_block(1, 3).add_run(7, 3, 24).add_run(8, 1, 10);
  made.add_block(2, 3);
  return made;
}

TEST(wire, finds_the_blocks_of_a_parcel) {
  const auto found = look_into(of_two_blocks().bytes(), 1, 2, shape);
  EXPECT_EQ(found.fault, nullptr);
  EXPECT_EQ(found.blocks, 2u);
  EXPECT_EQ(look_into({}, 1, 2, shape).blocks, 0u);
}

TEST(wire, refuses_a_parcel_that_is_cut_anywhere_but_between_blocks) {
  const made_parcel whole = of_two_blocks();
  const std::size_t first_ends = whole.bytes().size() - sizeof(block);
  for (std::size_t bytes = 1; bytes < whole.bytes().size(); ++bytes) {
    const made_parcel cut(whole.bytes().first(bytes));
    EXPECT_EQ(fault_in(cut, 1, 2).empty(), bytes == first_ends) << bytes;
  }
}

TEST(wire, refuses_blocks_larger_than_blocks_are) {
  made_parcel made;
  made.add_block(1, 3).header().bytes = max_block_content + 8;
  made.add_zeros(2 * block_bytes);
  EXPECT_EQ(fault_in(made, 1, 2), "a block is larger than blocks are");
}

TEST(wire, refuses_blocks_of_cores_that_there_are_not) {
  for (const auto& [source, destination] : {std::pair{-1, 3}, {6, 3}, {1, -1}, {1, 6}, {1, 1 << 30}}) {
    made_parcel made;
    made.add_block(source, destination);
    EXPECT_EQ(fault_in(made, 1, 2), "a block names cores that there are not");
  }
}

TEST(wire, refuses_blocks_that_stray) {
  const struct {
    core_id source, destination;
    locale_id from, here;
    bool right;
  } cases[] = {{1, 3, 1, 2, true},  {3, 3, 1, 2, false}, {1, 4, 1, 2, false},
               {3, 1, 1, 2, false}, {0, 5, 0, 3, false}, {0, 5, 3, 4, false},
               {0, 5, 0, 4, true},  {0, 5, 2, 4, false}, {3, 0, 1, 2, false}};
  for (const auto& c : cases) {
    made_parcel made;
    made.add_block(c.source, c.destination);
    EXPECT_EQ(fault_in(made, c.from, c.here).empty(), c.right)
        << c.source << " to " << c.destination << " from " << c.from;
  }
}

TEST(wire, refuses_runs_that_have_not_the_bytes_of_their_messages) {
  EXPECT_EQ(fault_of_run({0, no_tag, 3, 24}, 40, 8), nullptr);
  EXPECT_STREQ(fault_of_run({0, no_tag, 3, 24}, 39, 8), "a run ends behind its block");
  EXPECT_STREQ(fault_of_run({0, no_tag, 4, 24}, 40, 8), "a run has not the bytes of its messages");
  EXPECT_STREQ(fault_of_run({0, no_tag, 1u << 31, 0}, 40, 2), "a run has not the bytes of its messages");
  EXPECT_EQ(fault_of_run({0, no_tag, 9, 24}, 40, 0), nullptr) << "payloads tell for themselves";
}

TEST(wire, refuses_payloads_that_end_behind_their_run) {
  for (const std::uint64_t bytes : {0, 5, 8, 9, -1, -8}) {
    std::vector<std::uint64_t> run{1, bytes, 0x7};
    payload_messages messages{reinterpret_cast<const std::byte*>(run.data()),
                              reinterpret_cast<const std::byte*>(run.data() + run.size())};
    const std::byte* closure = nullptr;
    std::span<const std::byte> payload;
    const char* const fault = messages.next(4, closure, payload);
    ASSERT_EQ(fault == nullptr, bytes <= 8) << bytes;
    if (fault) continue;
    EXPECT_EQ(payload.size(), bytes);
    if (bytes == 0) continue;
    EXPECT_STREQ(messages.next(4, closure, payload), "a message ends behind its run");
  }
}

// Gives a post office one parcel of locale 1.
class one_parcel final : public transport::transport {
 public:
  explicit one_parcel(const made_parcel& full) : full_(full) {}
  int locale() const override { return 2; }
  int locales() const override { return shape.locales(); }
  void send(orujo::internal::transport::parcel&) override {}
  void provide(orujo::internal::transport::parcel& empty) override { buffer_ = &empty; }
  bool poll(orujo::internal::transport::listener& to) override {
    std::memcpy(buffer_->data, full_.bytes().data(), full_.bytes().size());
    buffer_->bytes = static_cast<std::uint32_t>(full_.bytes().size());
    buffer_->peer = 1;
    to.received(*buffer_);
    return true;
  }
  node::alarms make_alarms(int) override { return {}; }
  std::vector<node::pulse*> pulses() override { return {}; }
  void exchange_pulses(const node::pulse&) override {}
  std::chrono::nanoseconds longest_sleep(std::chrono::nanoseconds) const override { return {}; }
  std::vector<std::uint64_t> all_gather(std::uint64_t) override { return {}; }
  void close(orujo::internal::transport::listener&, const std::function<void()>&) override {}

 private:
  const made_parcel& full_;
  orujo::internal::transport::parcel* buffer_ = nullptr;
};

TEST(wire_death, of_a_damaged_parcel_names_who_sent_it) {
  made_parcel made;
  made.add_block(3, 3);  // as if it had been made here
  const auto open = [&] {
    one_parcel from_1(made);
    post_office post(from_1, shape, {});
    post.progress(false);
  };
  EXPECT_EXIT(open(), testing::ExitedWithCode(70),
              "FATAL: a parcel from locale 1 is damaged: a block is not on its way to here");
}

// Core 0 hands itself a block that `damage` has added to.
template <class Damage>
void expect_an_end_with(const char* what, Damage) {
  EXPECT_EXIT(runtime::end_as_job([] {
                made_parcel made;
                Damage()(made.add_block(0, 0));
                messenger::here().arrivals().deliver(&made.header());
                for (;;) tasks::yield();
                return status();
              }),
              testing::ExitedWithCode(70), what);
}

TEST(wire_death, of_a_damaged_block_says_what_is_wrong) {
  constexpr const char* foreign = "a block from locale 0 is damaged: a run is for what handles no messages";
  expect_an_end_with(foreign, [](made_parcel& b) { b.add_run(12345, 1, 8); });
  expect_an_end_with(foreign,
                     [](made_parcel& b) { b.add_run(std::numeric_limits<handler_id>::min(), 1, 8); });
  expect_an_end_with("damaged: it ends within a run's header",
                     [](made_parcel& b) { b.add_run(0, 0, 0).header().bytes = 8; });
}

struct closure_with_payload {
  void operator()(std::span<const std::byte>) const {}
};

// Cores and locales have other numbers where locales have several cores.
TEST(wire_death, of_a_damaged_message_names_the_locale_of_its_core) {
  const auto job = [] {
    alignas(8) std::array<std::byte, 16> bytes{};
    bytes[8] = std::byte{255};
    run_closures_with_payload<closure_with_payload>({bytes.data(), 1, bytes.size(), no_tag, core_id{3}});
    return status();
  };
  EXPECT_EXIT(runtime::end_as_job(job, 2), testing::ExitedWithCode(70), "a message from locale 1 is damaged");
}

void handle_nothing(const run&) {}
void handle_too_late(const run&) {}

TEST(handlers, are_found_once_announced) {
  static const announced_handler announced(&handle_nothing, 24);
  ASSERT_EQ(find_announced(&handle_nothing), &announced);
  EXPECT_EQ(find_announced(&handle_nothing)->message_bytes, 24u);
  EXPECT_EQ(find_announced(&handle_too_late), nullptr);
  static const announced_handler later(&handle_too_late, 0);
  EXPECT_EQ(find_announced(&handle_too_late), &later);
}

}  // namespace
}  // namespace orujo::internal::messages
