#include "applications/tally/tally.hpp"

#include <gflags/gflags.h>

#include <algorithm>

#include "system/base/flags.hpp"

DEFINE_bool(combiner, true, "combine values of equal keys before they travel to another core");
DEFINE_uint64(combined_keys, std::uint64_t{1} << 20,
              "maximum number of keys of other cores that each core combines before it sends them; a small "
              "number fits the caches and still combines frequent keys");

static const orujo::flag_rule combined_keys_rule(
    "combined_keys", [] { return FLAGS_combined_keys >= 1; }, "at least 1; --combiner=false turns it off");
static const orujo::internal::base::flag_need combined_keys_need(
    {"combined_keys"}, [] { return FLAGS_combiner; }, "with --combiner");

namespace orujo::internal::tally {

using harness::engineering, harness::grouped;

mapreduce::map_options map_options_from_flags() {
  return {FLAGS_combiner ? static_cast<std::size_t>(FLAGS_combined_keys) : 0};
}

void tell_trial(const nouns& of, const trial& t, std::uint64_t keys, harness::stats& to) {
  const mapreduce::map_summary& s = t.summary;
  const double all = std::max(1e-9, s.map_seconds + s.reduce_seconds + s.network_seconds);
  const auto percent = [&](double seconds) { return 100 * seconds / all; };
  harness::print(
      "{}: {} {}, {} different, {:.4f} s: {} {}/s, {}B/s; map {:.0f}%, reduce {:.0f}%, network {:.0f}%\n",
      of.application, grouped(s.pairs), of.pairs, grouped(keys), t.seconds,
      engineering(static_cast<double>(s.pairs) / t.seconds), of.pairs,
      engineering(static_cast<double>(t.bytes) / t.seconds), percent(s.map_seconds),
      percent(s.reduce_seconds), percent(s.network_seconds));
  if (s.crossing_pairs > 0)
    harness::print("combiner: {} of {} for other cores travelled, {}B in place of {}B, {}B saved\n",
                   grouped(s.sent_pairs), harness::counted(s.crossing_pairs, "pair"),
                   engineering(static_cast<double>(s.sent_bytes)),
                   engineering(static_cast<double>(s.crossing_bytes)),
                   engineering(static_cast<double>(s.saved_bytes())));
  to.trials.push_back({{"seconds", t.seconds},
                       {of.pairs, s.pairs},
                       {"different", keys},
                       {"bytes_per_second", static_cast<double>(t.bytes) / t.seconds},
                       {"map_seconds", s.map_seconds},
                       {"reduce_seconds", s.reduce_seconds},
                       {"network_seconds", s.network_seconds},
                       {"crossing_pairs", s.crossing_pairs},
                       {"crossing_bytes", s.crossing_bytes},
                       {"sent_pairs", s.sent_pairs},
                       {"sent_bytes", s.sent_bytes},
                       {"saved_bytes", s.saved_bytes()}});
}

void tell_verdict(const nouns& of, const verdict& v, harness::stats& to) {
  to.verified = v.different == 0;
  if (v.different == 0) {
    harness::print("\nverified against the serial oracle: all {} {} are equal\n", grouped(v.keys), of.keys);
  } else {
    std::string first;
    formats::append_name(first, base::printable(v.first));
    harness::print("\nNOT VERIFIED against the serial oracle: {} {} differ of its {}, the first is {}\n",
                   grouped(v.different), of.keys, grouped(v.keys), first);
  }
}

}  // namespace orujo::internal::tally
