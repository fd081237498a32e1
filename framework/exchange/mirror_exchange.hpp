// Sends values of mirrored vertices from their owners to the locales that mirror them, if they have changed
// since they were last sent.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "framework/exchange/alike_values.hpp"
#include "framework/exchange/codecs/list_message.hpp"
#include "framework/exchange/peers.hpp"
#include "framework/exchange/places_in_list.hpp"
#include "framework/exchange/rounded_changes.hpp"
#include "framework/exchange/value_message.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "system/base/identity.hpp"
#include "system/collectives/collectives.hpp"
#include "system/observe/trace.hpp"
#include "system/tasks/sync.hpp"

namespace orujo::internal::exchange {

// One core's part; made and used by one task per core. An exchange is a start() and a finish(), with any
// number of awaits for some of the mirrors between them. Mirrors keep their values until the next start(),
// after which no core of this locale may read the old ones. Values that peers have sent ahead wait for it. A
// collective over the job separates every finish() from the start() two exchanges later, so that messages
// belong to this exchange or the next.
//
// A core sends values in the order of mirrors, and its messages arrive in the order sent. So the first values
// may be used while others are on their way.
//
// Costs at most sizeof(T) bytes per mirrored value, or 2 if they are rounded, and 28 per about 4,000. A value
// that the mirrors have already costs nothing, and one that most others have too about a bit. Memory: a copy
// of the mirrored values, and waiting messages, at most one value per mirror of the locale.
template <class T>
class mirror_exchange {
  // Values are compared by their bytes, so that padding may cause equal ones to be sent.
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  // [task; suspends; collective over the job] `values` are the locale's, by local index, the same for all its
  // cores. Only the exchange writes those of mirrors. `rounded`: changes of floats are
  // rounded, but not those of values that are listed for start().
  mirror_exchange(const graph::locale_graph& g, std::span<T> values,
                  const codec_options& options = codec_options_from_flags(), bool rounded = false)
      : rounds_(std::is_same_v<T, float> && rounded),
        part_(g.my_part()),
        values_(values),
        mirrors_(values.subspan(g.own)),
        options_(options),
        sent_(part_.mirrored_by.size()) {
    for (core_id c = 0; c < cores(); ++c) {
      if (shape().locale_of(c) == my_locale() || shape().partner(c, my_locale()) != my_core()) continue;
      const sender from{c, g.mirrors_before(g.owners.first_of(c)), g.mirrors_before(g.owners.last_of(c))};
      if (from.first < from.last) senders_.push_back(from);
    }
    for (incoming& exchange : incoming_) exchange.arrived.resize(senders_.size());
    ends_ = collectives::all_gather(this);
  }
  // [task; suspends; collective over the job] The barrier ensures that no message arrives later.
  ~mirror_exchange() { collectives::barrier(); }
  mirror_exchange(const mirror_exchange&) = delete;

  // [task; all cores of the job between the same two exchanges] Sets all mirrors to this value, and their
  // owners count it as sent: later values are sent if they differ. Sends nothing. Values that peers have sent
  // ahead wait for start(), as usual. No core of this locale may read values of mirrors until all its cores
  // have awaited the next exchange.
  void assume(const T& value) {
    for (locale_id l = 0; l < locales(); ++l) sent_[l].assign(part_.mirrored_by[l].vertices.size(), value);
    for (const sender& from : senders_)
      std::fill(mirrors_.begin() + from.first, mirrors_.begin() + from.last, value);
  }

  // [task] No core of this locale may read values of mirrors until all its cores have awaited them. Another
  // task sends this core's mirrored values, which must not change before finish().
  void start() { send_in_another_task(std::nullopt); }
  // As above, at less cost. All of this core's vertices that have changed since the last start() are among
  // these, in ascending order. The span must stay valid until finish().
  void start(std::span<const std::uint32_t> may_have_changed) { send_in_another_task(may_have_changed); }

  // [task; suspends] Between start() and finish(). Returns when those of mirrors [first, last) that this core
  // receives have their values. Mirrors that other cores of its locale receive have theirs only after a
  // barrier.
  void await(std::uint32_t first, std::uint32_t last) {
    if (are_there(first, last)) return;
    const observe::trace_scope traced("wait for mirrors", last - first);
    do tasks::scheduler::here()->suspend(arrivals_, "values of mirrored vertices");
    while (!are_there(first, last));
  }

  // [task] True between start() and finish() of this core.
  bool under_way() const { return open_; }

  // [task; suspends] Waits until all mirrors have their values, and this core's values have been sent.
  void finish() {
    await(0, static_cast<std::uint32_t>(mirrors_.size()));
    sending_.wait();
    std::vector<std::uint32_t>& arrived = incoming_[parity_].arrived;
    std::fill(arrived.begin(), arrived.end(), 0);
    parity_ = 1 - parity_;
    open_ = false;
  }

 private:
  struct unpack {
    mirror_exchange* there;
    stretch what;
    std::uint32_t parity;
    void operator()(std::span<const std::byte> payload) const { there->receive(what, parity, payload); }
  };
  // A core that sends here, and the mirrors of its vertices.
  struct sender {
    core_id core;
    std::uint32_t first, last;
  };
  // State of one exchange. Messages that arrive before start() wait.
  struct incoming {
    struct message {
      stretch what;
      std::size_t offset, bytes;  // in payloads
    };
    std::vector<std::uint32_t> arrived;  // values, by sender
    std::vector<message> waiting;
    std::vector<std::byte> payloads;
  };
  static constexpr observe::trace_kind mirrors_arrived{"exchange", observe::trace_shape::instant, "values",
                                                       "of core"};
  static constexpr std::size_t payload_bytes = messages::messenger::max_payload_bytes(sizeof(unpack));
  // The longest stretch of which all values fit a message, and the most changed values that fit with a list
  // of their positions, however badly it compresses.
  static constexpr std::size_t most_values = payload_bytes / sizeof(T);
  static constexpr std::size_t most_changes = payload_bytes / sizeof(rounded_change);
  static constexpr std::size_t most_changed = (payload_bytes - list_head_bytes) / (sizeof(T) + 4);

  void send_in_another_task(std::optional<std::span<const std::uint32_t>> may_have_changed) {
    open_ = true;
    incoming& now = incoming_[parity_];
    for (const auto& m : now.waiting)
      write(m.what, std::span<const std::byte>(now.payloads).subspan(m.offset, m.bytes));
    now.waiting.clear();
    now.payloads.clear();
    if (mirrored_elsewhere()) {
      sending_.add();
      tasks::spawn([this, may_have_changed] {
        send(may_have_changed);
        sending_.complete();
      });
    }
  }

  bool mirrored_elsewhere() const {
    return std::any_of(part_.mirrored_by.begin(), part_.mirrored_by.end(),
                       [](const graph::mirror_list& list) { return !list.vertices.empty(); });
  }
  bool are_there(std::uint32_t first, std::uint32_t last) const {
    for (std::size_t k = 0; k < senders_.size(); ++k) {
      const sender& from = senders_[k];
      if (from.first < last && first < from.last &&
          from.first + incoming_[parity_].arrived[k] < std::min(from.last, last))
        return false;
    }
    return true;
  }

  // Sends to the locale before this one first, and on downwards. So a locale receives from the one after it
  // first.
  void send(std::optional<std::span<const std::uint32_t>> may_have_changed) {
    for (locale_id k = 1; k < locales(); ++k) {
      const locale_id l = (my_locale() + locales() - k) % locales();
      const auto size = part_.mirrored_by[l].vertices.size();
      if (size == 0) continue;
      std::vector<T>& sent = sent_[l];
      const bool first_time = sent.size() < size;
      sent.resize(size);
      if (may_have_changed && !first_time) {
        send_some(l, *may_have_changed);
      } else {
        const bool rounds = rounds_ && !first_time;
        for (std::size_t first = 0; first < size;)
          first = rounds ? send_changes(l, first) : send_stretch(l, first, first_time);
      }
      messages::messenger::here().flush(shape().partner(my_core(), l));
    }
  }

  static bool same(const T& a, const T& b) { return std::memcmp(&a, &b, sizeof(T)) == 0; }

  // Searches ascending numbers, in about twice the binary logarithm of the distance.
  template <class Iterator>
  static Iterator first_not_before(Iterator from, Iterator end, std::uint32_t v) {
    std::ptrdiff_t step = 1;
    while (step < end - from && from[step] < v) {
      from += step;
      step *= 2;
    }
    return std::lower_bound(from, step < end - from ? from + step : end, v);
  }

  // Returns the positions in the list of locale l, or null if a search of the list costs less.
  const places_in_list* places_of(locale_id l) {
    const std::span<const std::uint32_t> list = part_.mirrored_by[l].vertices;
    if (!places_in_list::is_dense(list)) return nullptr;
    places_of_.resize(sent_.size());
    std::optional<places_in_list>& places = places_of_[l];
    if (!places) places.emplace(list);
    return &*places;
  }

  // Sends for the whole list of locale l; only these vertices may have changed.
  void send_some(locale_id l, std::span<const std::uint32_t> vertices) {
    const std::vector<std::uint32_t>& list = part_.mirrored_by[l].vertices;
    std::vector<T>& sent = sent_[l];
    std::array<std::uint32_t, most_changed> places;
    std::size_t changed = 0, first = 0;
    const places_in_list* const known = places_of(l);
    auto from = list.begin();
    for (const std::uint32_t v : vertices) {
      if (!known) from = first_not_before(from, list.end(), v);
      const std::size_t place = known ? known->find(v)
                                : from != list.end() && *from == v
                                    ? static_cast<std::size_t>(from - list.begin())
                                    : places_in_list::none;
      if (place == places_in_list::none || same(values_[v], sent[place])) continue;
      if (changed == most_changed) {
        send_places(l, first, place, places);
        first = place;
        changed = 0;
      }
      sent[place] = values_[v];
      places[changed++] = static_cast<std::uint32_t>(place - first);
    }
    send_places(l, first, list.size(), std::span(places).first(changed));
  }

  // Counts the values at positions [first, last) of a list as sent. Writes the positions of changed ones and
  // returns their number, without a branch, which would be unpredictable.
  std::size_t send_all_that_fit(std::span<const std::uint32_t> vertices, std::vector<T>& sent,
                                std::size_t first, std::size_t last, bool first_time,
                                std::span<std::uint32_t, most_values> places) {
    const T* const values = values_.data();
    T* const before = sent.data();
    std::size_t changed = 0;
    for (std::size_t k = first; k < last; ++k) {
      const T value = values[vertices[k]];
      const bool differs = first_time | !same(value, before[k]);
      before[k] = value;
      places[changed] = static_cast<std::uint32_t>(k - first);
      changed += differs;
    }
    return changed;
  }

  // Sends one message to locale l, over as much of the list from `first` on as fits; returns where it ends.
  std::size_t send_stretch(locale_id l, std::size_t first, bool first_time) {
    const graph::mirror_list& list = part_.mirrored_by[l];
    std::vector<T>& sent = sent_[l];
    std::array<std::uint32_t, most_values> places;
    const std::size_t fit = std::min(first + most_values, list.vertices.size());
    std::size_t changed = send_all_that_fit(list.vertices, sent, first, fit, first_time, places), k = fit;
    for (; k < list.vertices.size() && changed <= most_changed; ++k) {
      const T value = values_[list.vertices[k]];
      if (!first_time && same(value, sent[k])) continue;
      if (changed == most_changed) break;
      sent[k] = value;
      places[changed++] = static_cast<std::uint32_t>(k - first);
    }
    send_places(l, first, k, std::span(places).first(changed));
    return k;
  }

  // As send_stretch(), but sends the rounded change of each value.
  std::size_t send_changes(locale_id l, std::size_t first) {
    const graph::mirror_list& list = part_.mirrored_by[l];
    const std::size_t last = std::min(first + most_changes, list.vertices.size());
    if constexpr (std::is_same_v<T, float>) {
      const std::uint32_t* const vertices = list.vertices.data() + first;
      const float* const values = values_.data();
      std::array<rounded_change, most_changes> changes;
      if (take_changes(
              std::span(sent_[l]).subspan(first, last - first),
              [=](std::size_t k) { return values[vertices[k]]; }, changes.data())) {
        send_payload(l, first, last, {.changed = stretch::rounded},
                     std::as_bytes(std::span(changes).first(last - first)));
        return last;
      }
    }
    send_places(l, first, last, {});
    return last;
  }

  // Sends one message to locale l, over positions [first, last) of its list. `places` are the positions of
  // changed values, counted from `first`. The shortest form is sent.
  void send_places(locale_id l, std::size_t first, std::size_t last, std::span<const std::uint32_t> places) {
    const core_id to = shape().partner(my_core(), l);
    const std::span<const T> all = std::span<const T>(sent_[l]).subspan(first, last - first);
    const std::span<const std::byte> payload = std::as_bytes(all);
    if (const auto alike = pack_alike(all, places, payload_))
      return send_payload(l, first, last, {.changed = alike->changed, .others = alike->others}, payload_);
    const codec& with = choose_codec(options_, places, mates_.contain(to));
    // Even a bitmap takes a bit per position.
    const std::size_t least = &with == codecs().front() ? 4 * places.size() : all.size() / 8;
    const bool may_be_shorter = places.size() * sizeof(T) + list_head_bytes + least < payload.size();
    if (may_be_shorter) pack(with, all, places);
    if (may_be_shorter && payload_.size() < payload.size())
      send_payload(l, first, last, {.changed = static_cast<std::uint32_t>(places.size())}, payload_);
    else
      send_payload(l, first, last, {}, payload);
  }

  // The message's form is that of `what`.
  void send_payload(locale_id l, std::size_t first, std::size_t last, stretch what,
                    std::span<const std::byte> payload) {
    const core_id to = shape().partner(my_core(), l);
    what.first = part_.mirrored_by[l].first_mirror + static_cast<std::uint32_t>(first);
    what.length = static_cast<std::uint32_t>(last - first);
    count_values((last - first) * sizeof(T), payload.size());
    messages::messenger::here().send_with_payload(to, unpack{ends_[to], what, parity_}, payload);
  }

  void pack(const codec& with, std::span<const T> all, std::span<const std::uint32_t> places) {
    payload_.resize(places.size() * sizeof(T));
    for (std::size_t k = 0; k < places.size(); ++k)
      std::memcpy(payload_.data() + k * sizeof(T), &all[places[k]], sizeof(T));
    append_places(with, places, payload_);
  }

  // Called by a message handler.
  void receive(const stretch& what, std::uint32_t parity, std::span<const std::byte> payload) {
    incoming& exchange = incoming_[parity];
    if (open_ && parity == parity_) {
      write(what, payload);
    } else {
      exchange.waiting.push_back({what, exchange.payloads.size(), payload.size()});
      exchange.payloads.insert(exchange.payloads.end(), payload.begin(), payload.end());
    }
    const auto from =
        std::prev(std::upper_bound(senders_.begin(), senders_.end(), what.first,
                                   [](std::uint32_t mirror, const sender& s) { return mirror < s.first; }));
    std::uint32_t& arrived = exchange.arrived[static_cast<std::size_t>(from - senders_.begin())];
    arrived += what.length;
    if (arrived == from->last - from->first && observe::tracing()) [[unlikely]]
      observe::record_instant("mirrors have arrived", mirrors_arrived, arrived,
                              static_cast<std::uint64_t>(from->core));
    tasks::scheduler::here()->wake_all(arrivals_);
  }

  void write(const stretch& what, std::span<const std::byte> payload) {
    T* const into = mirrors_.data() + what.first;
    if (what.changed == stretch::all) {
      std::memcpy(into, payload.data(), payload.size());
      return;
    }
    if constexpr (std::is_same_v<T, float>) {
      if (what.changed == stretch::rounded) return add_changes(payload, into);
    }
    if (what.others != stretch::none)
      return require_valid(unpack_alike(alike_values{what.length, what.changed, what.others}, payload, into));
    read_places(what, what.changed * sizeof(T), payload, places_);
    for (std::size_t k = 0; k < places_.size(); ++k)
      std::memcpy(into + places_[k], payload.data() + k * sizeof(T), sizeof(T));
  }

  const bool rounds_;
  const graph::core_part& part_;
  const std::span<T> values_, mirrors_;
  const codec_options options_;
  by_locale<std::vector<T>> sent_;                      // the values of its list as last sent
  by_locale<std::optional<places_in_list>> places_of_;  // from the first use on
  std::vector<std::byte> payload_;

  std::vector<sender> senders_;  // ascending by mirror
  std::uint32_t parity_ = 0;     // of the exchange
  bool open_ = false;            // between start() and the end of finish()
  tasks::join_counter sending_;
  std::array<incoming, 2> incoming_;  // by parity
  tasks::wait_queue arrivals_;
  std::vector<std::uint32_t> places_;
  const node_mates mates_;
  by_core<mirror_exchange*> ends_;
};

// Compiled once, for the values that most programs have.
extern template class mirror_exchange<float>;
extern template class mirror_exchange<double>;
extern template class mirror_exchange<std::uint32_t>;
extern template class mirror_exchange<std::uint64_t>;

}  // namespace orujo::internal::exchange
