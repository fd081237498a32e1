// How fast this machine's memory is: measured by `bin/orujo tune` and kept in a file per kind of machine, or
// else guessed from its caches. Choices that depend on it are made of these numbers
// (framework/graph/build/segment_model.hpp).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "system/base/status.hpp"
#include "system/machine/caches.hpp"

namespace orujo::machine {

// ns that a core takes for a load of 4 bytes from a random place among `bytes`, of many that need not wait
// for each other.
struct gather_rate {
  std::uint64_t bytes = 0;
  double alone = 0;       // while the other cores rest
  double together = 0;    // while all do the same with the same bytes
  double prefetched = 0;  // together, each place prefetched some hundred loads ahead
  bool operator==(const gather_rate&) const = default;
};

// Of messages between locales, ns: there and back, and a reduction over all cores.
struct message_rate {
  int locales = 0;  // 0: not measured
  double round_trip = 0, all_reduce = 0;
  bool operator==(const message_rate&) const = default;
};

struct measures {
  bool measured = false;                     // or guessed
  int cores = 1;                             // that did the same together
  std::vector<gather_rate> gathers;          // by bytes, ascending; at least one
  double read_alone = 0, read_together = 0;  // bytes per ns of all cores, that read an array in its order
  double barrier = 0;                        // ns of one of the cores of a locale
  message_rate messages = {};
  bool operator==(const measures&) const = default;
};

// What the numbers were measured on: machines of which these are equal share them.
struct machine_kind {
  std::string processor;  // as the system calls it, in printable characters
  int cpus = 1;           // that are online
  std::vector<cache> caches;
  bool operator==(const machine_kind&) const = default;
};
machine_kind this_kind();

// ns per load among so many bytes while all cores load, prefetched where that is faster: between those that
// were measured by the logarithm of the bytes, beyond them as the nearest.
double gather_ns(const measures& m, double bytes);
// From how many bytes on prefetching makes loads faster.
inline constexpr std::uint64_t never = ~std::uint64_t{0};
std::uint64_t prefetch_from_bytes(const measures& m);

// Numbers for a machine about which only its caches are known.
measures guess(const machine_kind& kind, int cores);

// The file's text, and what it says. bad_data, with the reason, where it is damaged, of another version or
// of another kind of machine: everything is checked, and no number is taken that cannot be.
std::string measures_text(const measures& m, const machine_kind& kind);
result<measures> parse_measures(std::string_view text, const machine_kind& kind);

// Where `tune` writes and programs look: $XDG_CACHE_HOME/orujo, or else ~/.cache/orujo. Empty where there is
// neither.
std::string measures_path(const machine_kind& kind);
// bad_data as above; no_input where there is no such file.
result<measures> read_measures(const std::string& path, const machine_kind& kind);
// Makes the folder where it is missing; the file is there whole, or as it was before.
status write_measures(const std::string& path, const measures& m, const machine_kind& kind);

// Those that --measures names, read or guessed once per process. Any thread.
struct known_measures {
  measures values;
  std::string origin;               // for people: where they come from
  std::string complaint;            // why a file that is there was passed over, and what to do; or empty
  std::uint64_t prefetch_from = 0;  // prefetch_from_bytes() of the values
};
const known_measures& this_machine();
// One line for people.
std::string measures_summary(const known_measures& known);

}  // namespace orujo::machine
