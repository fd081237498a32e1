#include "system/machine/measures.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <gflags/gflags.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <locale>
#include <map>
#include <span>
#include <sstream>
#include <utility>

#include "system/base/descriptor.hpp"
#include "system/base/printable.hpp"
#include "system/files/checksum.hpp"
#include "system/files/file_flags.hpp"
#include "system/files/output_file.hpp"

DEFINE_string(measures, "auto",
              "measurements of this machine's memory: auto (those of `tune`, or else a guess from the "
              "caches), guess, or a file that `tune` wrote");

namespace orujo::internal::machine {
namespace {

const files::file_flag read_measures_flag("measures", files::file_flag::read, [](const std::string& value) {
  const bool names_file = value != "auto" && value != "guess";
  return names_file ? std::vector{value} : std::vector<std::string>();
});

constexpr int version = 2;
constexpr std::size_t longest_file = 64 << 10;
constexpr std::size_t most_rates = 64;

// Numbers of machines of one kind differ by a factor of ten at most. A number outside these bounds is no
// measurement.
constexpr double least_ns = 1e-3, most_ns = 1e9;
bool plausible(double ns) { return ns >= least_ns && ns <= most_ns; }

std::string caches_text(std::span<const cache> caches) {
  std::string text;
  for (const cache& c : caches) text += fmt::format(" {}:{}:{}", c.level, c.bytes, c.cpus);
  return text;
}

status damaged(std::string why) { return {exit_status::bad_data, std::move(why)}; }

// The words after the key at the start of each line. All keys but `gather`, whose lines are numbered, occur
// once.
using lines_by_key = std::map<std::string, std::string>;

result<lines_by_key> take_lines(std::string_view text) {
  lines_by_key lines;
  std::size_t rates = 0;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return damaged("it is cut off");
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end + 1);
    const std::size_t blank = std::min(line.find(' '), line.size());
    std::string key(line.substr(0, blank));
    if (key == "gather") key += fmt::format("{}", rates++);
    if (rates > most_rates) return damaged("it has too many lines");
    const std::string_view rest = line.substr(std::min(blank + 1, line.size()));
    if (!lines.emplace(std::move(key), rest).second) return damaged("a line is there twice");
  }
  return lines;
}

// The numbers of a line if they are `count` finite ones of at least 0; otherwise none.
std::vector<double> numbers_of(const lines_by_key& lines, const std::string& key, std::size_t count) {
  const auto line = lines.find(key);
  if (line == lines.end()) return {};
  std::istringstream words(line->second);
  words.imbue(std::locale::classic());
  std::vector<double> numbers;
  double number = 0;
  while (numbers.size() < count && words >> number) numbers.push_back(number);
  std::string more;
  const bool fits = numbers.size() == count && !(words >> more) &&
                    std::ranges::all_of(numbers, [](double n) { return std::isfinite(n) && n >= 0; });
  return fits ? numbers : std::vector<double>();
}

status take_rates(const lines_by_key& lines, measures& m) {
  for (std::size_t k = 0; lines.contains(fmt::format("gather{}", k)); ++k) {
    const std::vector<double> n = numbers_of(lines, fmt::format("gather{}", k), 4);
    if (n.empty() || n[0] < 1 || n[0] > 0x1p50 || !plausible(n[1]) || !plausible(n[2]) || !plausible(n[3]))
      return damaged("the rate of a gather is not a valid number");
    const gather_rate rate{static_cast<std::uint64_t>(n[0]), n[1], n[2], n[3]};
    if (!m.gathers.empty() && rate.bytes <= m.gathers.back().bytes)
      return damaged("the rates of gathers are not in order");
    m.gathers.push_back(rate);
  }
  return m.gathers.empty() ? damaged("it has no rates of gathers") : status();
}

status take_others(const lines_by_key& lines, measures& m) {
  const std::vector<double> cores = numbers_of(lines, "cores", 1), barrier = numbers_of(lines, "barrier", 1);
  if (cores.empty() || cores[0] < 1 || cores[0] > 65'535 || barrier.empty())
    return damaged("a line is missing, or has no such numbers");
  m.cores = static_cast<int>(cores[0]);
  m.barrier = barrier[0];
  return m.barrier == 0 || plausible(m.barrier) ? status() : damaged("a number is out of all bounds");
}

std::string first_processor() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (!line.starts_with("model name")) continue;
    const std::size_t colon = line.find(": ");
    if (colon != std::string::npos) return base::printable(line.substr(colon + 2));
  }
  return "unknown";
}

std::string environment(const char* name) {
  const char* const value = std::getenv(name);
  return value ? value : "";
}

known_measures find_measures() {
  const machine_kind kind = this_kind();
  const std::string path = FLAGS_measures == "auto"    ? measures_path(kind)
                           : FLAGS_measures == "guess" ? ""
                                                       : FLAGS_measures;
  const std::string guessed = "guessed from the caches; bin/orujo tune measures them";
  if (path.empty()) return {guess(kind, kind.cpus), guessed, "", 0};
  result<measures> read = read_measures(path, kind);
  if (read.ok())
    return {std::move(read).value(), fmt::format("measured, in '{}'", base::printable(path)), "", 0};
  known_measures found{guess(kind, kind.cpus), guessed, "", 0};
  if (FLAGS_measures != "auto" || read.status().code() != exit_status::no_input)
    found.complaint = fmt::format(
        "the measures of this machine in '{}' are not used: {}; run bin/orujo tune to measure again, or pass "
        "--measures=guess",
        base::printable(path), read.status().message());
  return found;
}

}  // namespace

machine_kind this_kind() {
  static const machine_kind kind{first_processor(),
                                 std::max(1, static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN))), data_caches()};
  return kind;
}

double gather_ns(const measures& m, double bytes) {
  const auto ns = [](const gather_rate& r) { return std::min(r.together, r.prefetched); };
  const auto above = std::ranges::find_if(
      m.gathers, [&](const gather_rate& r) { return static_cast<double>(r.bytes) >= bytes; });
  if (above == m.gathers.begin()) return ns(m.gathers.front());
  if (above == m.gathers.end()) return ns(m.gathers.back());
  const gather_rate& low = above[-1];
  const auto first = static_cast<double>(low.bytes), last = static_cast<double>(above->bytes);
  return std::lerp(ns(low), ns(*above), std::log(bytes / first) / std::log(last / first));
}

std::uint64_t prefetch_from_bytes(const measures& m) {
  // Chooses the size from which on all sizes together gain most, because a single ratio may be noise.
  std::uint64_t from = never;
  double gain = 0, most = 0;
  for (auto r = m.gathers.rbegin(); r != m.gathers.rend(); ++r) {
    gain += std::log(r->together / r->prefetched);
    if (gain <= most) continue;
    most = gain;
    from = r->bytes;
  }
  return from;
}

// Rounded figures of an Intel Xeon (Sapphire Rapids) and an AMD EPYC (Zen 4). They differ most in the third
// level: a large one lies in slices all over the processor. Half of the second level counts, because streams
// pass through the rest, and half of the third, because of other data. All tenants of the processor share a
// large third level, of which 64 MiB count.
measures guess(const machine_kind& kind, int cores) {
  constexpr std::size_t large = std::size_t{64} << 20;
  constexpr double memory_ns = 5;
  std::size_t first = 32 << 10, second = std::size_t{1} << 20, third = 0;
  for (const cache& c : kind.caches) {
    if (c.level == 1) first = c.bytes;
    if (c.level == 2) second = c.bytes;
    if (c.level == 3) third = c.bytes;
  }
  const std::pair<std::size_t, double> levels[] = {
      {first, 0.3}, {second / 2, 0.6}, {std::min(third, large) / 2, third > large ? 2 : 1.1}};
  measures m;
  m.cores = cores;
  for (std::uint64_t bytes = 16 << 10; bytes <= std::uint64_t{256} << 20; bytes *= 2) {
    double ns = 0, within = 0;  // the share of loads that the inner levels serve
    for (const auto& [room, level_ns] : levels) {
      const double share = std::min(1.0, static_cast<double>(room) / static_cast<double>(bytes));
      ns += std::max(share - within, 0.0) * level_ns;
      within = std::max(within, share);
    }
    ns += (1 - within) * memory_ns;
    m.gathers.push_back({bytes, ns, ns, bytes > second ? 0.9 * ns : 1.1 * ns});
  }
  m.barrier = 500;
  return m;
}

std::string measures_text(const measures& m, const machine_kind& kind) {
  std::string text = fmt::format("orujo-measures {}\nprocessor {}\ncpus {}\ncaches{}\ncores {}\n", version,
                                 kind.processor, kind.cpus, caches_text(kind.caches), m.cores);
  for (const gather_rate& r : m.gathers)
    text += fmt::format("gather {} {:.4f} {:.4f} {:.4f}\n", r.bytes, r.alone, r.together, r.prefetched);
  text += fmt::format("barrier {:.1f}\nend\n", m.barrier);
  return text;
}

result<measures> parse_measures(std::string_view text, const machine_kind& kind) {
  const auto taken = take_lines(text);
  if (!taken.ok()) return taken.status();
  const lines_by_key& lines = taken.value();
  const auto line = [&](const char* key) {
    const auto found = lines.find(key);
    return found == lines.end() ? std::string() : found->second;
  };
  if (!lines.contains("orujo-measures")) return damaged("it is not a file of measures");
  if (line("orujo-measures") != std::to_string(version)) return damaged("it is of another version");
  if (!lines.contains("end")) return damaged("it is cut off");
  if (line("processor") != kind.processor || line("cpus") != std::to_string(kind.cpus) ||
      " " + line("caches") != (kind.caches.empty() ? " " : caches_text(kind.caches)))
    return damaged("it is of another kind of machine");
  measures m;
  m.measured = true;
  if (status s = take_rates(lines, m); !s.ok()) return s;
  if (status s = take_others(lines, m); !s.ok()) return s;
  return m;
}

std::string measures_path(const machine_kind& kind) {
  std::string folder = environment("XDG_CACHE_HOME");
  if (!folder.starts_with('/')) {  // the specification ignores relative paths
    folder = environment("HOME");
    if (!folder.starts_with('/')) return "";
    folder += "/.cache";
  }
  const std::string about = fmt::format("{} {}{}", kind.processor, kind.cpus, caches_text(kind.caches));
  return fmt::format("{}/orujo/machine-{:016x}", folder,
                     files::checksum(std::as_bytes(std::span(about.data(), about.size()))));
}

result<measures> read_measures(const std::string& path, const machine_kind& kind) {
  // A pipe would otherwise wait for a writer.
  const base::descriptor file = base::descriptor::open(path.c_str(), O_RDONLY | O_NONBLOCK);
  if (!file.is_open()) return status(exit_status::no_input, "it cannot be opened");
  struct stat about = {};
  const bool regular = ::fstat(file.number(), &about) == 0 && S_ISREG(about.st_mode);
  std::string text(regular ? longest_file : 0, '\0');
  const ssize_t got = regular ? file.read_at(0, std::as_writable_bytes(std::span(text))) : -1;
  if (got < 0) return damaged("it cannot be read");
  if (static_cast<std::size_t>(got) == longest_file) return damaged("it is too long");
  text.resize(static_cast<std::size_t>(got));
  return parse_measures(text, kind);
}

status write_measures(const std::string& path, const measures& m, const machine_kind& kind) {
  std::error_code failed;
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  if (!folder.empty()) std::filesystem::create_directories(folder, failed);
  if (failed)
    return {exit_status::io_error,
            fmt::format("cannot make the folder '{}': {}", folder.string(), failed.message())};
  auto file = files::output_file::open(path);
  if (!file.ok()) return file.status();
  file.value().write(measures_text(m, kind));
  return file.value().finish();
}

std::string measures_summary(const known_measures& known) {
  const measures& m = known.values;
  std::string text = known.origin + "; ns per random load of a core, all loading, from ";
  for (std::size_t k = 0; k < m.gathers.size(); k += 2) {
    const auto bytes = static_cast<double>(m.gathers[k].bytes);
    text += fmt::format("{}{} KiB {:.2f}", k ? ", " : "", m.gathers[k].bytes >> 10, gather_ns(m, bytes));
  }
  if (known.prefetch_from < never)
    text += fmt::format("; prefetched from {} KiB on", known.prefetch_from >> 10);
  return text + fmt::format("; barrier of the cores {:.0f} ns", m.barrier);
}

const known_measures& this_machine() {
  static const known_measures known = [] {
    known_measures found = find_measures();
    found.prefetch_from = prefetch_from_bytes(found.values);
    return found;
  }();
  return known;
}

}  // namespace orujo::internal::machine
