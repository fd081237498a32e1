#include "system/report/merged_traffic.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <numeric>

#include "system/base/identity.hpp"
#include "system/collectives/collectives.hpp"
#include "system/delegates/delegate.hpp"
#include "system/loops/forall.hpp"
#include "system/report/merged_metrics.hpp"

namespace orujo::internal::report {
namespace {

using messages::pair_traffic;
using messages::traffic_table;

// The sum over all pairs of locales, of those within locales, or of the others.
enum class which { within, between, all };
template <class Value>
std::uint64_t sum(const traffic_table& table, Value value, which pairs = which::all) {
  std::uint64_t total = 0;
  for (locale_id from = 0; from < table.locales(); ++from) {
    for (locale_id to = 0; to < table.locales(); ++to) {
      if (pairs == which::all || (pairs == which::within) == (from == to)) {
        total += value(table.between(from, to));
      }
    }
  }
  return total;
}

std::uint64_t blocks_for(const pair_traffic& p, messages::flush_reason why) {
  return p.blocks_by_reason[static_cast<std::size_t>(why)];
}

constexpr std::uint64_t per_pair = 3000;

// Every core calls every other one asynchronously.
void make_traffic() {
  loops::on_all_cores([] {
    delegates::completion_event done;
    for (core_id to = 0; to < cores(); ++to) {
      for (std::uint64_t k = 0; k < per_pair && to != my_core(); ++k) {
        delegates::async_call(done.ref(), to, [] {});
      }
    }
    done.wait();
  });
}

// Counts only grow, so totals taken between two tables lie between theirs.
struct bracketed_totals {
  traffic_table before = merged_traffic();
  observe::metric_values totals = merged_metrics();
  traffic_table after = merged_traffic();
};

// Differences, because a reset does not reach both counts of a parcel at one moment.
TEST(merged_traffic, agrees_with_the_totals_that_are_counted_beside_it) {
  const bracketed_totals first;
  make_traffic();
  const bracketed_totals last;
  const auto lies_between = [&](const char* name, auto value, which pairs = which::all) {
    const std::uint64_t total = last.totals.count_of(name) - first.totals.count_of(name);
    EXPECT_LE(sum(last.before, value, pairs), sum(first.after, value, pairs) + total) << name;
    EXPECT_GE(sum(last.after, value, pairs), sum(first.before, value, pairs) + total) << name;
  };
  const auto sent = [](const pair_traffic& p) { return p.messages; };
  const auto received = [](const pair_traffic& p) { return p.messages_received; };
  lies_between("messages.sent.same_locale", sent, which::within);
  lies_between("messages.sent.other_locale", sent, which::between);
  lies_between("messages.received.same_locale", received, which::within);
  lies_between("messages.received.other_locale", received, which::between);
  lies_between("blocks.bytes", [](const pair_traffic& p) { return p.bytes; });
  lies_between("blocks.acknowledgements", [](const pair_traffic& p) { return p.acknowledgements; });
  using messages::flush_reason;
  lies_between("blocks.sent.full", [](const auto& p) { return blocks_for(p, flush_reason::full); });
  lies_between("blocks.sent.idle", [](const auto& p) { return blocks_for(p, flush_reason::idle); });
  lies_between("blocks.sent.age", [](const auto& p) { return blocks_for(p, flush_reason::age); });
  lies_between("blocks.sent.requested", [](const auto& p) { return blocks_for(p, flush_reason::requested); });
  lies_between("blocks.sent.for_acknowledgement",
               [](const auto& p) { return blocks_for(p, flush_reason::none); });
  lies_between("parcels.sent", [](const pair_traffic& p) { return p.parcels; });
  lies_between("parcels.bytes", [](const pair_traffic& p) { return p.parcel_bytes; });
}

// Parcels may go by way of others: so of them only the sums are known.
TEST(merged_traffic, counts_for_every_pair_at_least_what_was_sent) {
  reset_metrics();
  make_traffic();
  const traffic_table table = merged_traffic();
  for (locale_id from = 0; from < locales(); ++from) {
    for (locale_id to = 0; to < locales(); ++to) {
      const auto senders = static_cast<std::uint64_t>(shape().cores_of(from)),
                 receivers = static_cast<std::uint64_t>(shape().cores_of(to));
      const std::uint64_t pairs = from == to ? senders * (senders - 1) : senders * receivers;
      const pair_traffic& p = table.between(from, to);
      EXPECT_GE(p.messages, pairs * per_pair) << from << " to " << to;
      EXPECT_GE(p.messages_received, pairs * per_pair) << from << " to " << to;
      EXPECT_LE(p.block_fill(), 1);
      EXPECT_LE(p.parcel_fill(), 1);
      EXPECT_EQ(p.block_fill() > 0, p.messages > 0);
      if (from == to) {
        EXPECT_EQ(p.parcels, 0u);
      } else {
        EXPECT_GE(p.seconds_waited, 0);
      }
    }
  }
  EXPECT_EQ(sum(table, [](const pair_traffic& p) { return p.parcels; }) > 0, locales() > 1);
  EXPECT_EQ(sum(table, [](const pair_traffic& p) { return p.parcels_received; }) > 0, locales() > 1);
}

// Number of pairs of locales whose received messages between the two tables differ from those sent.
int pairs_that_differ(const traffic_table& before, const traffic_table& after) {
  int differing = 0;
  for (locale_id from = 0; from < after.locales(); ++from) {
    for (locale_id to = 0; to < after.locales(); ++to) {
      const pair_traffic &a = before.between(from, to), &b = after.between(from, to);
      differing += b.messages - a.messages != b.messages_received - a.messages_received ? 1 : 0;
    }
  }
  return differing;
}

// Differences, because what is under way at a reset counts at one end only. Stray messages, of cores that
// look for work, may be under way now and then.
TEST(merged_traffic, has_as_much_received_as_sent_in_a_quiet_job) {
  for (int attempt = 0;; ++attempt) {
    const traffic_table before = merged_traffic();
    make_traffic();
    const traffic_table after = merged_traffic();
    const int differing = pairs_that_differ(before, after);
    if (differing == 0) break;
    ASSERT_LT(attempt, 100) << differing << " pairs of locales never agree:\n" << after.text();
  }
}

TEST(merged_traffic, is_written_as_json_in_full) {
  make_traffic();
  const traffic_table table = merged_traffic();
  const auto parsed = nlohmann::json::parse(fmt::format("{{{}}}", table.json_members()));
  ASSERT_EQ(parsed["transport"].size(), static_cast<std::size_t>(locales()));
  std::uint64_t messages = 0;
  for (const auto& pair : parsed["traffic"]) {
    messages += pair["messages"].get<std::uint64_t>();
    const auto& p = table.between(pair["from"], pair["to"]);
    EXPECT_EQ(pair["parcels"], p.parcels);
    std::uint64_t blocks = 0;
    for (const auto& [reason, count] : pair["blocks_by_reason"].items()) blocks += count.get<std::uint64_t>();
    EXPECT_EQ(blocks, p.blocks());
  }
  EXPECT_EQ(messages, sum(table, [](const pair_traffic& p) { return p.messages; }));
  if (locales() > 1) {
    EXPECT_GT(parsed["transport"][0]["sends"], 0);
    EXPECT_GT(parsed["transport"][0]["busy_poll_seconds"], 0);
  }
}

}  // namespace
}  // namespace orujo::internal::report
