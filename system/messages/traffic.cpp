#include "system/messages/traffic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace orujo::internal::messages {
namespace {

// With more locales the text for people is a summary.
constexpr int most_locales_in_full = 8;

double share(std::uint64_t part, double whole) { return whole > 0 ? static_cast<double>(part) / whole : 0; }

bool is_idle(const pair_traffic& p) {
  return p.messages + p.messages_received + p.blocks() + p.acknowledgements + p.parcels == 0;
}

constexpr const char* header =
    "     from       to     messages         bytes    blocks  fill%  full% idle%  age%  req%  ack%   parcels"
    "  parcel bytes  fill%   wait us\n";

std::string row(locale_id from, locale_id to, const pair_traffic& p) {
  const auto percent = [&](flush_reason why) {
    return 100 * share(p.blocks_by_reason[static_cast<std::size_t>(why)], static_cast<double>(p.blocks()));
  };
  std::string line = fmt::format(
      "  {:>7}  {:>7} {:>12} {:>13} {:>9}  {:>5.1f}  {:>5.1f} {:>5.1f} {:>5.1f} {:>5.1f} {:>5.1f}", from,
      from == to ? std::string("itself") : std::to_string(to), p.messages, p.bytes, p.blocks(),
      100 * p.block_fill(), percent(flush_reason::full), percent(flush_reason::idle),
      percent(flush_reason::age), percent(flush_reason::requested), percent(flush_reason::none));
  if (from != to) {
    line += fmt::format(" {:>9} {:>13}  {:>5.1f} {:>9.1f}", p.parcels, p.parcel_bytes, 100 * p.parcel_fill(),
                        1e6 * p.mean_wait());
  }
  return line + "\n";
}

// A column of the summary.
struct figure {
  const char* name;
  double (*of)(const pair_traffic&);
  bool whole;  // a count
};
constexpr figure figures[] = {
    {"messages", [](const pair_traffic& p) { return static_cast<double>(p.messages); }, true},
    {"bytes", [](const pair_traffic& p) { return static_cast<double>(p.bytes); }, true},
    {"blocks", [](const pair_traffic& p) { return static_cast<double>(p.blocks()); }, true},
    {"block fill %", [](const pair_traffic& p) { return 100 * p.block_fill(); }, false},
    {"full %",
     [](const pair_traffic& p) {
       return 100 * share(p.blocks_by_reason[static_cast<std::size_t>(flush_reason::full)],
                          static_cast<double>(p.blocks()));
     },
     false},
    {"parcels", [](const pair_traffic& p) { return static_cast<double>(p.parcels); }, true},
    {"parcel bytes", [](const pair_traffic& p) { return static_cast<double>(p.parcel_bytes); }, true},
    {"parcel fill %", [](const pair_traffic& p) { return 100 * p.parcel_fill(); }, false},
    {"wait us", [](const pair_traffic& p) { return 1e6 * p.mean_wait(); }, false}};

using locale_pair = std::pair<locale_id, locale_id>;

// Least, median and most of every figure over the pairs, and the pairs with the extremes.
std::string summary_of(const traffic_table& table, std::vector<locale_pair> pairs) {
  std::string lines;
  for (const figure& f : figures) {
    const auto value = [&](const locale_pair& at) { return f.of(table.between(at.first, at.second)); };
    std::sort(pairs.begin(), pairs.end(), [&](const locale_pair& a, const locale_pair& b) {
      return std::pair(value(a), a) < std::pair(value(b), b);
    });
    const auto shown = [&](const locale_pair& at) {
      return f.whole ? fmt::format("{:.0f}", value(at)) : fmt::format("{:.1f}", value(at));
    };
    const auto placed = [&](const locale_pair& at) {
      return fmt::format("{:>14} {:<12}", shown(at), fmt::format("({} to {})", at.first, at.second));
    };
    lines += fmt::format("  {:<14} {} {:>14} {}\n", f.name, placed(pairs.front()),
                         shown(pairs[pairs.size() / 2]), placed(pairs.back()));
  }
  return lines;
}

std::string text_in_full(const traffic_table& table) {
  std::string lines =
      "traffic from the cores of a locale to those of another (% of blocks by the reason why they left):\n";
  lines += header;
  for (locale_id from = 0; from < table.locales(); ++from) {
    for (locale_id to = 0; to < table.locales(); ++to) lines += row(from, to, table.between(from, to));
  }
  return lines;
}

std::string text_in_short(const traffic_table& table) {
  const auto section = [&](const char* title, bool within) {
    std::vector<locale_pair> pairs;
    std::size_t used = 0;
    for (locale_id from = 0; from < table.locales(); ++from) {
      for (locale_id to = 0; to < table.locales(); ++to) {
        if ((from == to) != within) continue;
        pairs.emplace_back(from, to);
        used += is_idle(table.between(from, to)) ? 0 : 1;
      }
    }
    const std::string head =
        fmt::format("traffic {}, {} of {} pairs used:\n  {:<14} {:>14} {:<12} {:>14} {:>14}\n", title, used,
                    pairs.size(), "", "least", "", "median", "most");
    return head + summary_of(table, std::move(pairs));
  };
  return section("from locale to other locale", false) + section("within locales", true);
}

}  // namespace

block_traffic& block_traffic::operator+=(const block_traffic& other) {
  messages_sent += other.messages_sent;
  messages_received += other.messages_received;
  bytes_sent += other.bytes_sent;
  for (std::size_t k = 0; k < flush_reasons; ++k) blocks_sent[k] += other.blocks_sent[k];
  acknowledgements_sent += other.acknowledgements_sent;
  blocks_received += other.blocks_received;
  posted += other.posted;
  posted_ticks += other.posted_ticks;
  return *this;
}

std::uint64_t pair_traffic::blocks() const {
  std::uint64_t sum = 0;
  for (std::uint64_t n : blocks_by_reason) sum += n;
  return sum;
}

double pair_traffic::block_fill() const {
  return share(bytes, static_cast<double>(blocks()) * static_cast<double>(max_block_content));
}

double pair_traffic::parcel_fill() const {
  return share(parcel_bytes, static_cast<double>(parcels) * parcel_capacity);
}

double pair_traffic::mean_wait() const {
  return blocks_packed ? seconds_waited / static_cast<double>(blocks_packed) : 0;
}

// Estimated from the polls that were timed.
double traffic_table::locale_transport::seconds_in(const transport_time::polls& p) const {
  const double mean = p.timed ? static_cast<double>(p.ticks) / static_cast<double>(p.timed) : 0;
  return mean * static_cast<double>(p.all) * seconds_per_tick;
}

traffic_table::traffic_table(int locales)
    : locales_(locales), pairs_(locales * locales), posted_(pairs_.size()), transports_(locales) {}

void traffic_table::add_core(locale_id of, const by_locale<block_traffic>& peers) {
  for (locale_id peer = 0; peer < locales_; ++peer) {
    const block_traffic& counted = peers[peer];
    pair_traffic& to = pairs_[place(of, peer)];
    to.messages += counted.messages_sent;
    to.bytes += counted.bytes_sent;
    for (std::size_t k = 0; k < flush_reasons; ++k) to.blocks_by_reason[k] += counted.blocks_sent[k];
    to.acknowledgements += counted.acknowledgements_sent;
    pair_traffic& from = pairs_[place(peer, of)];
    from.messages_received += counted.messages_received;
    from.blocks_received += counted.blocks_received;
    posted_[place(of, peer)].blocks += counted.posted;
    posted_[place(of, peer)].ticks += counted.posted_ticks;
  }
}

void traffic_table::add_post(locale_id of, const post_traffic& post) {
  for (locale_id peer = 0; peer < locales_ && !post.peers.empty(); ++peer) {
    const parcel_traffic& counted = post.peers[peer];
    pair_traffic& to = pairs_[place(of, peer)];
    to.parcels += counted.parcels_sent;
    to.parcel_bytes += counted.bytes_sent;
    to.parcel_capacity = static_cast<double>(post.parcel_bytes);
    pair_traffic& from = pairs_[place(peer, of)];
    from.parcels_received += counted.parcels_received;
    from.parcel_bytes_received += counted.bytes_received;
    // Sum of (packed - posted) over all blocks, with those that still wait as if packed now; modulo 2^64. A
    // block counted as packed and not yet as posted adds about nothing by the same formula.
    const handed_over& given = posted_[place(of, peer)];
    const std::uint64_t waited =
        counted.packed_ticks + (given.blocks - counted.packed) * post.now - given.ticks;
    to.blocks_packed = counted.packed;
    to.seconds_waited = 1e-9 * post.ns_per_tick *
                        static_cast<double>(std::max<std::int64_t>(0, static_cast<std::int64_t>(waited)));
  }
  transports_[of] = {post.transport, 1e-9 * post.ns_per_tick};
}

std::string traffic_table::text() const {
  std::string lines = locales_ <= most_locales_in_full ? text_in_full(*this) : text_in_short(*this);
  if (locales_ == 1) return lines;
  const auto line = [](const std::string& who, const locale_transport& t) {
    return fmt::format("  {:>7} {:>12} {:>12.6f} {:>14} {:>12.6f} {:>12} {:>12.6f}\n", who, t.counts.sends,
                       t.seconds_sending(), t.counts.busy.all, t.seconds_in(t.counts.busy),
                       t.counts.empty.all, t.seconds_in(t.counts.empty));
  };
  lines += "time in the transport, of all cores of a locale:\n";
  lines += "   locale        sends      seconds  polls with use      seconds  empty polls      seconds\n";
  if (locales_ <= most_locales_in_full) {
    for (locale_id l = 0; l < locales_; ++l) {
      lines += line(std::to_string(l), transports_[l]);
    }
    return lines;
  }
  const auto in_use = [](const locale_transport& t) {
    return t.seconds_sending() + t.seconds_in(t.counts.busy);
  };
  const auto [least, most] =
      std::minmax_element(transports_.begin(), transports_.end(),
                          [&](const auto& a, const auto& b) { return in_use(a) < in_use(b); });
  for (const auto& at : {least, most}) {
    lines += line(std::to_string(at - transports_.begin()), *at);
  }
  return lines + "  (the locales that spent least and most on parcels, of " + std::to_string(locales_) +
         ")\n";
}

std::string traffic_table::json_members() const {
  std::string json = "\"traffic\": [";
  const char* separator = "\n";
  for (locale_id from = 0; from < locales_; ++from) {
    for (locale_id to = 0; to < locales_; ++to) {
      const pair_traffic& p = between(from, to);
      if (is_idle(p)) continue;
      const auto left = [&](flush_reason why) { return p.blocks_by_reason[static_cast<std::size_t>(why)]; };
      json += std::exchange(separator, ",\n");
      json += fmt::format(
          "{{\"from\": {}, \"to\": {}, \"messages\": {}, \"messages_received\": {}, \"bytes\": {}, "
          "\"blocks\": {}, \"blocks_by_reason\": {{\"full\": {}, \"idle\": {}, \"age\": {}, \"requested\": "
          "{}, "
          "\"for_acknowledgement\": {}}}, \"block_fill\": {:.4f}, \"acknowledgements\": {}, "
          "\"blocks_received\": {}, ",
          from, to, p.messages, p.messages_received, p.bytes, p.blocks(), left(flush_reason::full),
          left(flush_reason::idle), left(flush_reason::age), left(flush_reason::requested),
          left(flush_reason::none), p.block_fill(), p.acknowledgements, p.blocks_received);
      json += fmt::format(
          "\"parcels\": {}, \"parcel_bytes\": {}, \"parcel_fill\": {:.4f}, \"parcels_received\": {}, "
          "\"parcel_bytes_received\": {}, \"mean_wait_seconds\": {:.9f}}}",
          p.parcels, p.parcel_bytes, p.parcel_fill(), p.parcels_received, p.parcel_bytes_received,
          p.mean_wait());
    }
  }
  json += "],\n\"transport\": [";
  separator = "\n";
  for (locale_id l = 0; l < locales_; ++l) {
    const locale_transport& t = transports_[l];
    json += std::exchange(separator, ",\n");
    json += fmt::format(
        "{{\"locale\": {}, \"sends\": {}, \"send_seconds\": {:.9f}, \"busy_polls\": {}, "
        "\"busy_poll_seconds\": {:.9f}, \"empty_polls\": {}, \"empty_poll_seconds\": {:.9f}}}",
        l, t.counts.sends, t.seconds_sending(), t.counts.busy.all, t.seconds_in(t.counts.busy),
        t.counts.empty.all, t.seconds_in(t.counts.empty));
  }
  return json + "]";
}

}  // namespace orujo::internal::messages
