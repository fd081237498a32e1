// The common part of applications that compute a number for each text: the run, its output, its check.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "applications/harness/harness.hpp"
#include "applications/harness/top.hpp"
#include "applications/tally/flags.hpp"
#include "framework/results/gathered_text.hpp"
#include "framework/tables/mapreduce/input_files.hpp"
#include "framework/tables/mapreduce/map_reduce.hpp"
#include "framework/tables/mapreduce/sorted_groups.hpp"
#include "system/base/printable.hpp"
#include "system/runtime/runtime.hpp"

namespace orujo::internal::tally {

// An application's words for people: names of its pairs, keys, in the plural, and values.
struct nouns {
  std::string application, pairs, key, keys, value;
};

// --combiner, --combined_keys.
mapreduce::map_options map_options_from_flags();

struct trial {
  mapreduce::map_summary summary;
  std::uint64_t bytes = 0;  // of the files, as they lie on the disk
  double seconds = 0;
};

// Prints lines about a trial with `keys` keys, and adds it to the statistics.
void tell_trial(const nouns& of, const trial& t, std::uint64_t keys, harness::stats& to);

// A comparison with the serial oracle's result.
struct verdict {
  std::uint64_t keys = 0, different = 0;
  std::string first;  // that differs
};
void tell_verdict(const nouns& of, const verdict& v, harness::stats& to);

template <class V>
using serial_result = std::map<std::string, V, std::less<>>;

// Returns whether the texts and values of all cores, packed in ascending order of the texts, are the
// oracle's.
template <class V>
verdict compare(const std::vector<std::vector<char>>& packed, const serial_result<V>& expected) {
  mapreduce::text_values<V> found;
  for (const auto& of_core : packed) found.add_packed(of_core);
  verdict v;
  v.keys = expected.size();
  const auto differ = [&](std::string_view text) {
    if (v.different++ == 0) v.first = text;
  };
  std::size_t k = 0;
  for (const auto& [text, value] : expected) {
    for (; k < found.values.size() && found.texts[k] < text; ++k) differ(found.texts[k]);
    if (k == found.values.size() || found.texts[k] != text || found.values[k++] != value) differ(text);
  }
  for (; k < found.values.size(); ++k) differ(found.texts[k]);
  return v;
}

// [task; suspends] The run, from the reading of all cores' parts of --input on. `Map` travels, and has the
// member
//   status operator()(const input_files&, emitter&) const    [task; suspends] emits the core's part's pairs
// `Oracle` is a function `result<serial_result<V>>(const input_files&)`. `text_of` formats a value, for
// people and files.
template <class V, class Map, class Oracle, class TextOf>
class run {
 public:
  run(nouns of, Map map, Oracle oracle, TextOf text_of)
      : of_(std::move(of)), map_(map), oracle_(std::move(oracle)), text_of_(text_of) {}

  status all() {
    if (input().empty())
      return {exit_status::usage, "--input is missing: pass a file or a directory of files to read"};
    auto stats_file = harness::open_stats();
    if (!stats_file.ok()) return stats_file.status();
    auto output = open_output();
    if (!output.ok()) return output.status();
    const auto files = mapreduce::find_input(input());
    if (!files.ok()) return files.status();
    harness::print("input: {} ({})\n", describe(files.value()), harness::job_shape_text());
    harness::stats stats{
        of_.application,
        "input",
        {{"path", input()}, {"files", files.value().size()}, {"bytes", mapreduce::bytes_of(files.value())}}};
    groups_ = groups::create();
    status failed;
    for (int k = 0; k < harness::trials() && failed.ok(); ++k) failed = one_trial(stats);
    if (failed.ok()) tell_largest();
    if (failed.ok()) failed = tell_all(files.value(), output.value(), stats);
    groups_->destroy();
    if (!failed.ok()) return failed;
    if (status written = write_stats(stats, stats_file.value()); !written.ok()) return written;
    if (stats.verified == false) return {exit_status::failed, "the result is not that of the serial oracle"};
    return {};
  }

 private:
  using groups = mapreduce::global_groups<std::string_view, V>;
  using packed_texts = std::vector<std::vector<char>>;

  status one_trial(harness::stats& stats) {
    groups_->clear();
    trial t;
    status failed;
    const std::uint64_t begun = base::now_ns();
    const memory::global_address<trial> told(my_core(), &t);
    const memory::global_address<status> said(my_core(), &failed);
    loops::on_all_cores([told, said, map = map_, into = *groups_] {
      const auto files = mapreduce::find_input_on_all(input());
      status mine = files.status();
      mapreduce::map_summary summary;
      if (mine.ok()) {
        summary = mapreduce::map_reduce(
            into, [&](auto& emit) { mine = map(files.value(), emit); }, map_options_from_flags());
        mine = collectives::first_failure(mine);
      }
      if (my_core() != said.core()) return;
      *said.local() = mine;
      if (mine.ok()) *told.local() = {summary, mapreduce::bytes_of(files.value())};
    });
    t.seconds = 1e-9 * static_cast<double>(base::now_ns() - begun);
    if (failed.ok()) tell_trial(of_, t, groups_->size(), stats);
    return failed;
  }

  void tell_largest() {
    std::vector<std::pair<std::string, V>> best;
    const memory::global_address<std::vector<std::pair<std::string, V>>> to(my_core(), &best);
    loops::on_all_cores([to, from = *groups_] {
      auto found = mapreduce::largest(from, static_cast<std::size_t>(harness::top()));
      if (my_core() == to.core()) *to.local() = std::move(found);
    });
    if (best.empty()) return;
    harness::print("\n  place  {:>20}  {}\n", of_.value, of_.key);
    for (std::size_t k = 0; k < best.size(); ++k) {
      std::string text;
      formats::append_name(text, base::printable(best[k].first));
      harness::print("  {:>5}  {:>20}  {}\n", k + 1, text_of_(best[k].second), text);
    }
  }

  // Sorts once for both the file and the check.
  status tell_all(const mapreduce::input_files& files, files::output_file& output, harness::stats& stats) {
    if (!output.wanted() && !harness::verify()) return {};
    packed_texts all;
    const memory::global_address<packed_texts> to(my_core(), &all);
    const auto lines = containers::symmetric<results::text_pieces>::reserve();
    loops::on_all_cores([to, lines, from = *groups_, text_of = text_of_, write = output.wanted()] {
      const auto mine = mapreduce::sorted(from);
      lines.emplace_here(write ? lines_of(mine, text_of) : results::text_pieces());
      if (!harness::verify()) return;
      auto gathered = collectives::gather(packed(mine), 0);
      if (my_core() == to.core()) *to.local() = std::move(gathered);
    });
    if (output.wanted()) results::write_texts(lines, output);
    lines.destroy();
    if (status written = output.finish(); !written.ok() || !harness::verify()) return written;
    const auto expected = oracle_(files);
    if (!expected.ok()) return expected.status();
    tell_verdict(of_, compare<V>(all, expected.value()), stats);
    return {};
  }

  static std::vector<char> packed(const mapreduce::text_values<V>& all) {
    std::vector<char> made;
    for (std::size_t k = 0; k < all.values.size(); ++k) {
      mapreduce::append_text(made, all.texts[k]);
      mapreduce::append_value(made, all.values[k]);
    }
    return made;
  }
  // "TEXT VALUE", as values of vertices with names are written.
  static results::text_pieces lines_of(const mapreduce::text_values<V>& all, const TextOf& text_of) {
    constexpr std::size_t piece_bytes = std::size_t{1} << 20;
    results::text_pieces pieces(1);
    for (std::size_t k = 0; k < all.values.size(); ++k) {
      if (pieces.back().size() > piece_bytes) pieces.emplace_back();
      formats::append_name(pieces.back(), all.texts[k]);
      pieces.back() += ' ';
      pieces.back() += text_of(all.values[k]);
      pieces.back() += '\n';
    }
    return pieces;
  }

  const nouns of_;
  const Map map_;
  const Oracle oracle_;
  const TextOf text_of_;
  std::optional<groups> groups_;
};

}  // namespace orujo::internal::tally
