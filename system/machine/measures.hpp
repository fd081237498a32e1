// The speed of this machine's memory. `bin/orujo tune` measures it and keeps it in a file per kind of
// machine; otherwise it is guessed from the caches. Choices that depend on it use these numbers
// (framework/graph/build/segment_model.hpp).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "system/base/status.hpp"
#include "system/machine/caches.hpp"

namespace orujo::internal::machine {

// Time in ns for which a core is busy with a load of 4 bytes from a random address among `bytes`, if many
// loads are independent.
struct gather_rate {
  std::uint64_t bytes = 0;
  double alone = 0;       // while the other cores are idle
  double together = 0;    // while all cores load from the same bytes
  double prefetched = 0;  // together, with each address prefetched some hundred loads ahead
  bool operator==(const gather_rate&) const = default;
};

struct measures {
  bool measured = false;             // false: guessed
  int cores = 1;                     // cores that were measured together
  std::vector<gather_rate> gathers;  // by bytes, ascending; at least one
  double barrier = 0;                // ns per core of a locale
  bool operator==(const measures&) const = default;
};

// The machine that the numbers were measured on. Machines with equal values share the numbers.
struct machine_kind {
  std::string processor;  // the system's name for it, in printable characters
  int cpus = 1;           // online
  std::vector<cache> caches;
  bool operator==(const machine_kind&) const = default;
};
machine_kind this_kind();

// Time in ns of a load from among `bytes` while all cores load, prefetched if that is faster. Values between
// measured sizes are interpolated by the logarithm of the bytes; outside of these the nearest counts.
double gather_ns(const measures& m, double bytes);
// Bytes from which prefetching makes loads faster.
inline constexpr std::uint64_t never = ~std::uint64_t{0};
std::uint64_t prefetch_from_bytes(const measures& m);

// Guessed numbers for a machine of which only the caches are known.
measures guess(const machine_kind& kind, int cores);

// The text of the file, and its parser. bad_data, with the reason, for a damaged file, or one of another
// version or another kind of machine. The parser checks everything and accepts no impossible number.
std::string measures_text(const measures& m, const machine_kind& kind);
result<measures> parse_measures(std::string_view text, const machine_kind& kind);

// The path that `tune` writes and programs read: $XDG_CACHE_HOME/orujo, otherwise ~/.cache/orujo. Empty if
// there is neither.
std::string measures_path(const machine_kind& kind);
// bad_data as above; no_input if there is no such file.
result<measures> read_measures(const std::string& path, const machine_kind& kind);
// Creates the folder if necessary. The file is replaced as a whole or not at all.
status write_measures(const std::string& path, const measures& m, const machine_kind& kind);

// The measures of --measures, read or guessed once per process. Any thread.
struct known_measures {
  measures values;
  std::string origin;               // for people: their source
  std::string complaint;            // for people: why an existing file was ignored, and what to do; or empty
  std::uint64_t prefetch_from = 0;  // prefetch_from_bytes() of the values
};
const known_measures& this_machine();
// One line for people.
std::string measures_summary(const known_measures& known);

}  // namespace orujo::internal::machine
