// Metrics of one core, and merging. tests/system/report/merged_metrics_job_test.cpp tests them across cores.
#include "system/observe/metrics.hpp"

#include <gtest/gtest.h>
#include <signal.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <random>
#include <regex>
#include <thread>

namespace orujo::internal::observe {
namespace {

const counter apples("test.apples", "fruit");
const summary weights("test.weights", "of fruit");
const histogram delays("test.delays_ns", "of fruit");

class metrics : public testing::Test {
 protected:
  void SetUp() override { reset_metrics_here(); }
  static metric_values mine() {
    metric_values values;
    values.merge(all_values_here());
    return values;
  }
};

TEST_F(metrics, count) {
  apples.add();
  apples.add(41);
  EXPECT_EQ(apples.value_here(), 42u);
  EXPECT_EQ(mine().count_of("test.apples"), 42u);
}

TEST_F(metrics, are_the_thread_s_own) {
  apples.add(3);
  std::uint64_t elsewhere = 99;
  metric_values both = mine();
  std::thread([&] {
    elsewhere = apples.value_here();
    apples.add(5);
    both.merge(all_values_here());
  }).join();
  EXPECT_EQ(elsewhere, 0u);
  EXPECT_EQ(apples.value_here(), 3u);
  EXPECT_EQ(both.count_of("test.apples"), 8u);
}

TEST_F(metrics, are_zero_after_a_reset) {
  apples.add(3);
  weights.record(-1);
  delays.record(7);
  reset_metrics_here();
  EXPECT_EQ(mine().count_of("test.apples"), 0u);
  EXPECT_EQ(mine().summary_of("test.weights").count, 0u);
  EXPECT_EQ(mine().histogram_of("test.delays_ns").count(), 0u);
}

TEST_F(metrics, summarise_like_a_computation_in_two_passes) {
  std::mt19937 random(7);
  std::normal_distribution<double> draw(1e6,
                                        3);  // a naive sum of squares would lose all digits of the deviation
  std::vector<double> all;
  metric_values merged;
  for (int part = 0; part < 5; ++part) {
    reset_metrics_here();
    for (int k = 0; k < 100 * part; ++k) {
      all.push_back(draw(random));
      weights.record(all.back());
    }
    merged.merge(all_values_here());
  }
  double sum = 0, squares = 0;
  for (double x : all) sum += x;
  const double mean = sum / static_cast<double>(all.size());
  for (double x : all) squares += (x - mean) * (x - mean);
  const summary_values s = merged.summary_of("test.weights");
  EXPECT_EQ(s.count, all.size());
  EXPECT_NEAR(s.sum(), sum, 1e-6 * sum);
  EXPECT_NEAR(s.mean, mean, 1e-6);
  EXPECT_NEAR(s.standard_deviation(), std::sqrt(squares / static_cast<double>(all.size())), 1e-6);
  EXPECT_EQ(s.smallest, *std::min_element(all.begin(), all.end()));
  EXPECT_EQ(s.largest, *std::max_element(all.begin(), all.end()));
}

TEST_F(metrics, sort_every_value_into_the_bucket_that_holds_it) {
  std::vector<std::uint64_t> values = {0, 1, 2, 3, ~std::uint64_t{0}};
  for (int power = 2; power < 64; ++power) {
    for (std::uint64_t near : {-1, 0, 1}) values.push_back((std::uint64_t{1} << power) + near);
  }
  for (std::uint64_t v : values) {
    const std::size_t b = histogram_values::bucket_of(v);
    ASSERT_LT(b, histogram_values::buckets) << v;
    EXPECT_LE(histogram_values::first_of(b), v);
    EXPECT_GE(histogram_values::last_of(b), v);
  }
  for (std::size_t b = 0; b < histogram_values::buckets; ++b) {
    EXPECT_EQ(histogram_values::bucket_of(histogram_values::first_of(b)), b);
  }
}

TEST_F(metrics, know_quantiles_to_an_eighth) {
  metric_values merged;
  for (int part = 0; part < 2; ++part) {
    reset_metrics_here();
    for (std::uint64_t k = 1; k <= 10'000; ++k) {
      if (k % 2 == static_cast<std::uint64_t>(part)) delays.record(k);
    }
    merged.merge(all_values_here());
  }
  const histogram_values h = merged.histogram_of("test.delays_ns");
  EXPECT_EQ(h.count(), 10'000u);
  EXPECT_EQ(h.sum, 50'005'000u);
  EXPECT_EQ(h.largest, 10'000u);
  EXPECT_NEAR(static_cast<double>(h.quantile(0.5)), 5000, 5000 / 8.0);
  EXPECT_NEAR(static_cast<double>(h.quantile(0.99)), 9900, 9900 / 8.0);
  EXPECT_EQ(h.quantile(0), 1u);
  EXPECT_EQ(histogram_values().quantile(0.5), 0u);
}

TEST_F(metrics, are_shown_by_name) {
  apples.add(2);
  delays.record(5);
  const std::string text = mine().text();
  const std::size_t first = text.find("  2 fruit (test.apples)\n"),
                    second = text.find("  test.delays_ns: count 1, ");
  EXPECT_LT(first, second) << text;
  EXPECT_NE(second, std::string::npos) << text;
  EXPECT_EQ(text.find("test.weights"), std::string::npos) << text;
  EXPECT_TRUE(std::regex_search(metric_values().text(), std::regex("  none: .*test.apples")));
}

TEST_F(metrics, are_one_json_object) {
  apples.add(2);
  weights.record(1.5);
  delays.record(5);
  delays.record(5);
  const auto json = nlohmann::json::parse(mine().json());
  EXPECT_EQ(json["test.apples"], nlohmann::json({{"kind", "counter"}, {"value", 2}, {"meaning", "fruit"}}));
  EXPECT_EQ(json["test.weights"]["mean"], 1.5);
  EXPECT_EQ(json["test.weights"]["count"], 1);
  EXPECT_EQ(json["test.delays_ns"]["buckets"], nlohmann::json::parse(R"([{"from": 5, "count": 2}])"));
  EXPECT_EQ(json["test.delays_ns"]["quantiles"]["0.5"], 5);
}

TEST(metrics_death, refuse_a_second_of_the_same_name) {
  EXPECT_EXIT(counter("test.apples", "another"), testing::ExitedWithCode(78),
              "a second metric of the name test.apples");
}

TEST(metrics_death, refuse_to_come_late) {
  EXPECT_EXIT(
      {
        all_values_here();
        counter("test.late", "late");
      },
      testing::ExitedWithCode(78), "metric test.late must be a namespace-scope object");
}

}  // namespace
}  // namespace orujo::internal::observe
