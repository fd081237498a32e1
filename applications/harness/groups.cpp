#include "applications/harness/groups.hpp"

#include <algorithm>
#include <span>

#include "applications/harness/joined_updates.hpp"
#include "applications/harness/top.hpp"
#include "system/collectives/collectives.hpp"
#include "system/containers/global_array.hpp"
#include "system/loops/forall.hpp"

namespace orujo::internal::harness {
namespace {

using group_values = results::ordered_values<group_of>;

struct group {
  std::uint64_t position;  // of the vertex that it is called by
  std::uint64_t vertices;
};
struct census {
  std::uint64_t groups = 0;
  std::vector<group> largest;
};

// Keeps the largest, and of equal ones those of the smallest positions.
void keep_largest(std::vector<group>& groups) {
  const std::size_t count = std::min(groups.size(), static_cast<std::size_t>(top()));
  std::partial_sort(groups.begin(), groups.begin() + static_cast<std::ptrdiff_t>(count), groups.end(),
                    [](const group& a, const group& b) {
                      return a.vertices != b.vertices ? a.vertices > b.vertices : a.position < b.position;
                    });
  groups.resize(count);
}

// Counts the groups whose vertices lie in the calling core's block.
census count_here(std::uint64_t first, std::span<const std::uint64_t> sizes) {
  census mine;
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    if (sizes[k] == 0) continue;
    ++mine.groups;
    mine.largest.push_back({first + k, sizes[k]});
    if (mine.largest.size() >= 4096 + 2 * static_cast<std::size_t>(top())) keep_largest(mine.largest);
  }
  keep_largest(mine.largest);
  return mine;
}

census take_census(const group_values& groups) {
  const auto sizes = containers::global_array<std::uint64_t>::create(groups.size());
  delegates::completion_event counted;
  loops::on_all_cores([groups, sizes, event = counted.ref()] {
    joined_updates told(event, sizes, [](std::uint64_t a, std::uint64_t b) { return a + b; });
    groups.visit_here([&](group_of g) { told.tell(g.position, 1); });
    told.flush();
  });
  counted.wait();
  census found = loops::on_all_cores([sizes, caller = my_core()] {
    const census mine = count_here(sizes.range_here().first, sizes.local());
    census all;
    all.groups = collectives::all_reduce(mine.groups);
    for (const auto& of_core : collectives::gather(mine.largest, caller))
      all.largest.insert(all.largest.end(), of_core.begin(), of_core.end());
    return all;
  });
  sizes.destroy();
  keep_largest(found.largest);
  return found;
}

void print_census(const census& found, const group_values& groups, const group_words& words) {
  print("{}: {}\n", words.groups, grouped(found.groups));
  if (found.largest.empty()) return;
  std::vector<std::uint64_t> positions;
  for (const group& g : found.largest) positions.push_back(g.position);
  const results::vertex_labels labels = groups.labels_of(positions);
  print("\n  place  {:>20}  vertices\n", words.label);
  for (std::size_t k = 0; k < found.largest.size(); ++k)
    print("  {:>5}  {:>20}  {}\n", k + 1, labels.label(k), grouped(found.largest[k].vertices));
}

status check_groups(const group_values& groups, const group_words& words, const group_check& check,
                    report& to) {
  const auto simple = serial_graph(words.weighted);
  if (!simple.ok()) return simple.status();
  std::vector<std::uint64_t> ids, found, positions;
  groups.visit([&](const results::vertex_values<group_of>& part) {
    positions.clear();
    for (const group_of& g : part.values) positions.push_back(g.position);
    const results::vertex_labels labels = groups.labels_of(positions);
    ids.insert(ids.end(), part.ids.begin(), part.ids.end());
    found.insert(found.end(), labels.ids.begin(), labels.ids.end());
  });
  check(simple.value(), ids, found, to);
  return {};
}

}  // namespace

group_check equal_to(const group_oracle& oracle) {
  return [oracle](const verify::simple_graph& simple, std::span<const std::uint64_t> ids,
                  std::span<const std::uint64_t> groups, report& to) {
    verify::value_comparison<std::uint64_t> comparison("labels", simple.ids(), oracle(simple));
    for (std::size_t k = 0; k < ids.size(); ++k) comparison.add(ids[k], groups[k]);
    tell_verdict(comparison, to);
  };
}

status report_groups(const group_values& groups, const group_words& words, const group_check& check,
                     files::output_file& output, report& to) {
  print_census(take_census(groups), groups, words);
  if (output.wanted()) {
    begin_step(step::writing);
    groups.write_table(output, output_row_format(), {"label"});
  }
  if (status written = output.finish(); !written.ok()) return written;
  return verify() ? check_groups(groups, words, check, to) : status();
}

}  // namespace orujo::internal::harness
