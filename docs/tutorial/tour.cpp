// Finds the shortest tour through some towns by branch and bound: tasks that any core may take, and a bound
// that each core keeps.
#include <orujo/orujo.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <vector>

using namespace orujo;

constexpr int towns = 11;

// Distances between points that anybody can make up.
int distance(int a, int b) {
  const auto at = [](int town, std::uint64_t axis) {
    return static_cast<double>(mix64(2 * static_cast<std::uint64_t>(town) + axis) % 1000);
  };
  return static_cast<int>(std::hypot(at(a, 0) - at(b, 0), at(a, 1) - at(b, 1)));
}

struct knowledge {
  int shortest = std::numeric_limits<int>::max();
  std::uint64_t visited = 0;
};

// The tours that begin with some towns. It is a task that travels: it has numbers and handles only.
struct tours {
  event_ref event;
  symmetric<knowledge> known;
  std::uint32_t seen;  // a bit for each town
  std::int16_t last, count;
  int length;

  void operator()() const { extend(*this); }

  void extend(const tours& some) const {
    knowledge& here = known.here();
    ++here.visited;
    if (some.length >= here.shortest) return;
    if (some.count == towns) return tell_all(some.length + distance(some.last, 0));
    for (int next = 1; next < towns; ++next) {
      if (some.seen >> next & 1) continue;
      const tours longer = {event,
                            known,
                            some.seen | 1u << next,
                            static_cast<std::int16_t>(next),
                            static_cast<std::int16_t>(some.count + 1),
                            some.length + distance(some.last, next)};
      // Idle cores take public tasks from busy ones. Short tours are worth a task, long ones are not.
      if (some.count < 4) {
        async_spawn_public(event, longer);
      } else {
        extend(longer);
      }
    }
    if (some.count < 7) yield();  // the core handles messages: others may have found a shorter tour
  }

  void tell_all(int whole) const {
    if (whole >= known.here().shortest) return;
    for (core_id c = 0; c < cores(); ++c) {
      async_call(event, c,
                 [known = known, whole] { known.here().shortest = std::min(known.here().shortest, whole); });
    }
  }
};

// The oracle tries all orders of the towns by dynamic programming (Held, Karp, 1962).
int shortest_by_sets() {
  constexpr std::uint32_t sets = 1u << (towns - 1);
  std::vector<std::array<int, towns>> best(sets);
  for (std::uint32_t set = 1; set < sets; ++set) {
    for (int last = 1; last < towns; ++last) {
      best[set][static_cast<std::size_t>(last)] = std::numeric_limits<int>::max() / 2;
      if (!(set >> (last - 1) & 1)) continue;
      const std::uint32_t before = set & ~(1u << (last - 1));
      int& length = best[set][static_cast<std::size_t>(last)];
      if (before == 0) length = distance(0, last);
      for (int k = 1; before != 0 && k < towns; ++k)
        length = std::min(length, best[before][static_cast<std::size_t>(k)] + distance(k, last));
    }
  }
  int shortest = std::numeric_limits<int>::max();
  for (int last = 1; last < towns; ++last)
    shortest = std::min(shortest, best[sets - 1][static_cast<std::size_t>(last)] + distance(last, 0));
  return shortest;
}

status find() {
  const auto known = symmetric<knowledge>::create();
  finish([&](event_ref event) { async_spawn_public(event, tours{event, known, 1, 0, 1, 0}); });
  const std::uint64_t visited = sum_of_all([=] { return known.here().visited; });
  std::fprintf(stderr, "%llu beginnings of tours\n", static_cast<unsigned long long>(visited));
  const int shortest = known.here().shortest;
  std::printf("shortest tour through %d towns: %d, %s\n", towns, shortest,
              shortest == shortest_by_sets() ? "as by dynamic programming" : "wrong");
  known.destroy();
  return {};
}

int main(int argc, char** argv) { return run(argc, argv, "Finds a shortest tour.", &find); }
