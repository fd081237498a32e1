#include "system/observe/trace_json.hpp"

#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <random>

namespace orujo::internal::observe {
namespace {

using nlohmann::json;

constexpr trace_kind plain{"test"};
constexpr trace_kind measured{"test", trace_shape::span, "bytes", "peer"};
constexpr trace_kind instant{"test", trace_shape::instant, "bytes"};
constexpr trace_kind counted{"test", trace_shape::counter, "value"};
constexpr trace_kind sent{"parcel", trace_shape::span, "bytes", "to", trace_flow::out};
constexpr trace_kind arrived{"parcel", trace_shape::span, "bytes", "from", trace_flow::in};

// All events of a ring's trace, taken in pieces of about piece_bytes bytes.
json events_of(const trace_ring& ring, const trace_place& at = {}, std::size_t piece_bytes = 300,
               const trace_clock& clock = {}) {
  trace_json from(ring, at, clock);
  std::string text = "[";
  for (std::string piece; !(piece = from.next_piece(piece_bytes)).empty();) text += piece;
  text += locale_name_event(at.locale);
  text.resize(text.size() - 2);
  return json::parse(text + "]");
}

json only(const json& events, const std::string& phase) {
  json found = json::array();
  for (const json& e : events) {
    if (e["ph"] == phase) found.push_back(e);
  }
  return found;
}

TEST(trace_json, names_its_process_and_its_threads) {
  const json names = only(events_of(trace_ring(10), {3, 7, 8}), "M");
  ASSERT_EQ(names.size(), 4u);
  EXPECT_EQ(names[0]["name"], "thread_name");
  EXPECT_EQ(names[0]["tid"], 7);
  EXPECT_EQ(names[0]["args"]["name"], "core 7");
  EXPECT_EQ(names[2]["name"], "process_name");
  EXPECT_EQ(names[2]["pid"], 3);
  EXPECT_EQ(names[2]["args"]["name"], "locale 3");
}

TEST(trace_json, has_every_kind_of_event) {
  trace_ring ring(10);
  ring.record({"a \"quoted\" name\n", &measured, 1000, 2500, 64, 1});
  ring.record({"moment", &instant, 5000, 0, 8});
  ring.record({"level", &counted, 6000, 0, 42});
  ring.record({"out", &sent, 7000, 10, 100, 1, 0x500000007});
  ring.record({"in", &arrived, 8000, 10, 100, 0, 0x500000007});
  const json events = events_of(ring, {1, 2, 4});
  const json spans = only(events, "X");
  ASSERT_EQ(spans.size(), 3u);
  EXPECT_EQ(spans[0],
            json::parse(R"({"ph":"X","pid":1,"tid":2,"ts":1.0,"dur":2.5,"name":"a \"quoted\" name\n",
                                      "cat":"test","args":{"bytes":64,"peer":1}})"));
  EXPECT_EQ(only(events, "i")[0], json::parse(R"({"ph":"i","pid":1,"tid":2,"ts":5.0,"s":"t","name":"moment",
                                                  "cat":"test","args":{"bytes":8}})"));
  EXPECT_EQ(only(events, "C")[0], json::parse(R"({"ph":"C","pid":1,"tid":2,"ts":6.0,"name":"level, core 2",
                                                  "cat":"test","args":{"value":42}})"));
  const json from = only(events, "s")[0], to = only(events, "f")[0];
  EXPECT_EQ(from["id"], to["id"]);
  EXPECT_EQ(from["id"], 0x500000007);
  EXPECT_EQ(from["cat"], to["cat"]);
  EXPECT_EQ(from["name"], to["name"]);
  EXPECT_EQ(from["ts"], 7.0);
  EXPECT_EQ(to["bp"], "e");
}

TEST(trace_json, keeps_bytes_that_are_no_text_from_spoiling_the_file) {
  trace_ring ring(10);
  ring.record({"\xff\xfe bytes", &plain, 1, 1});
  EXPECT_EQ(only(events_of(ring), "X").size(), 1u);
}

// time   0  1  2  3  4  5  6  7
// line 0 [---- a ----]  [- d -]
//           [b]
// line 1          [--- c ---]
TEST(trace_json, draws_spans_that_cross_on_lines_of_their_own) {
  trace_ring ring(10);
  ring.record({"b", &plain, 1'000, 1'000});
  ring.record({"a", &plain, 0, 4'000});
  ring.record({"c", &plain, 3'000, 3'000});
  ring.record({"d", &plain, 5'000, 2'000});
  const json spans = only(events_of(ring, {0, 1, 4}), "X");
  std::map<std::string, int> line;
  for (const json& s : spans) line[s["name"]] = s["tid"];
  EXPECT_EQ(line, (std::map<std::string, int>{{"a", 1}, {"b", 1}, {"c", 5}, {"d", 1}}));
  const json names = only(events_of(ring, {0, 1, 4}), "M");
  EXPECT_EQ(names[2]["args"]["name"], "core 1, overlapping 1");
  EXPECT_EQ(names[2]["tid"], 5);
}

TEST(trace_json, never_lets_spans_of_a_line_cross) {
  std::mt19937 random(20240229);
  for (int round = 0; round < 50; ++round) {
    trace_ring ring(200);
    for (int k = 0; k < 200; ++k) ring.record({"s", &plain, random() % 1000, random() % 100});
    std::map<int, std::vector<std::pair<double, double>>> lines;
    for (const json& s : only(events_of(ring), "X")) {
      lines[s["tid"]].emplace_back(s["ts"], s["ts"].get<double>() + s["dur"].get<double>());
    }
    for (const auto& [tid, spans] : lines) {
      for (const auto& a : spans) {
        for (const auto& b : spans) {
          EXPECT_FALSE(a.first < b.first - 1e-9 && b.first < a.second - 1e-9 && a.second < b.second - 1e-9)
              << "line " << tid;
        }
      }
    }
  }
}

TEST(trace_json, gives_the_same_in_pieces_of_any_size) {
  trace_ring ring(50);
  for (std::uint64_t k = 0; k < 80; ++k) ring.record({"e", &measured, k * 10, 5, k, k});
  const json whole = events_of(ring, {}, 1 << 20);
  EXPECT_EQ(only(whole, "X").size(), 50u);
  EXPECT_EQ(only(whole, "X")[0]["args"]["bytes"], 30);
  for (std::size_t bytes : {1, 100, 1000}) EXPECT_EQ(events_of(ring, {}, bytes), whole);
}

TEST(trace_clock, is_a_line_through_two_points) {
  // The other clock began at 10^9, ticks twice as fast as the reference and is 2 ns per reference tick.
  const trace_clock clock{{1'000'000'000, 500, 0}, {1'000'002'000, 1500, 0}, 400, 2.0};
  EXPECT_DOUBLE_EQ(clock.ns(1'000'000'000), 200);
  EXPECT_DOUBLE_EQ(clock.ns(1'000'001'000), 1200);
  EXPECT_DOUBLE_EQ(clock.ns(1'000'002'000), 2200);
  EXPECT_DOUBLE_EQ(clock.ns(999'999'000), -800);
  // A trace that ended as it began.
  const trace_clock moment{{7, 500, 0}, {7, 500, 0}, 400, 1.0};
  EXPECT_DOUBLE_EQ(moment.ns(8), 101);
}

}  // namespace
}  // namespace orujo::internal::observe
