// Membership of vertices in a set, and the values of members, sent by their owners to the locales that mirror
// them (ghost vertices).
//
// The design follows the signals of Zhu, Chen, Zheng, Ma, "Gemini: A Computation-Centric Distributed Graph
// Processing System", OSDI 2016, section 4.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "framework/exchange/bit_message.hpp"
#include "framework/exchange/codecs/list_message.hpp"
#include "framework/exchange/counted_rounds.hpp"
#include "framework/exchange/mirror_places.hpp"
#include "framework/exchange/peers.hpp"
#include "framework/exchange/squeezed_bits.hpp"
#include "framework/exchange/told_list.hpp"
#include "framework/exchange/value_message.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "system/base/identity.hpp"
#include "system/collectives/collectives.hpp"

namespace orujo::internal::exchange {

using no_value = std::monostate;

// One core's part; one task per core constructs and uses it. T is the trivially copyable type of what a
// member shows, or no_value if only membership is sent. Sets are bit masks with a bit per local index, own
// vertices first; bit i % 64 of word i / 64 stands for index i.
//
// A round is at most one send(), a meet() and an await(). Messages that arrive before await(), or open(), are
// kept until then, so the receiver may still read its mask and values. The caller puts a collective over the
// job between the last await() and forget(), and before the destructor.
//
// The base class has two other ways to end a round: complete() for several exchanges at once, and end_sends()
// and await_vertices() without a reduction, if a receiver knows how many members arrive.
//
// Each core sends a peer the members among its own vertices. If the members of the whole locale fit a message
// and there are more peers than cores, one core sends them all, and the cores take turns. A peer without new
// members gets no message.
//
// A message costs at most a bit per mirrored vertex, less if a list of the members is shorter
// (bit_message.hpp), and a T per member. If all members of a message show the same, it has one T.
template <class T = no_value>
class mirror_values : public counted_rounds {
  using word = bit_word;

 public:
  using mask = std::span<word>;  // of a locale, the same for all its cores

  // [task; suspends; collective over the job]
  mirror_values(const graph::locale_graph& g, told_sets sets,
                const codec_options& options = codec_options_from_flags(),
                std::shared_ptr<tasks::wait_queue> waiting = std::make_shared<tasks::wait_queue>())
      : counted_rounds(std::move(waiting)), packer_(options, payload_bytes, value_bytes) {
    if (locales() > 1) places_of_mirrors_ = find_mirror_places(g);
    for (locale_id l = 0; l < locales(); ++l) {
      told_.emplace_back(g, l, sets, payload_bytes * 8);
      looked_at_ += told_.back().looked_at();
    }
    ends_ = collectives::all_gather(end{this, g.own});
  }

  // [task] Sets the codec of messages from now on.
  void set_codec(const codec_options& options) { packer_ = bit_packer(options, payload_bytes, value_bytes); }

  // Forgets which members were sent, so that all are sent anew.
  void forget() {
    for (told_list& list : told_) list.forget();
    bytes_ = {};
  }

  // [task; may suspend] Sends the members of a set, once all cores of the locale have set their bits.
  // show(own vertex) returns the T that a member shows.
  template <class Show>
  void send(mask members, Show show) {
    for (locale_id l = 0; l < locales(); ++l) {
      if (told_[l].vertices().empty()) continue;
      told_[l].collect_news(members, news_);
      send_news(l, show);
    }
  }
  void send(mask members) requires std::is_empty_v<T> {
    send(members, [](std::uint32_t) { return T{}; });
  }
  // [task; may suspend] Sends the members in lists, a range of spans of the locale's vertices in any order,
  // each vertex once. Lists of a growing set have only members that were not sent before.
  template <class Lists, class Show>
  void send_listed(const Lists& lists, Show show) {
    if (!places_of_mirrors_) return;
    for (const auto& list : lists) collect_places(list);
    for (locale_id l = 0; l < locales(); ++l) {
      if (told_[l].listed().empty()) continue;
      send_places(l, show);
      told_[l].forget_listed();
    }
  }
  // [task; may suspend] Calls send() or send_listed(), whichever examines less. The lists have the members of
  // the mask; for a growing set, those that were not sent before.
  template <class Lists, class Show>
  void send_fresh(mask members, const Lists& lists, Show show) {
    std::size_t fresh = 0;
    for (const auto& list : lists) fresh += list.size();
    if (fresh * cost_of_fresh >= looked_at_) return send(members, show);
    send_listed(lists, show);
  }
  void send_fresh(mask members, std::span<const std::uint32_t> fresh) requires std::is_empty_v<T> {
    send_fresh(members, std::array{fresh}, [](std::uint32_t) { return T{}; });
  }

  // [task] Counts members of a growing set as sent, because other locales learn of them in another way.
  void count_as_sent(mask members) {
    for (locale_id l = 0; l < locales(); ++l) {
      if (!told_[l].vertices().empty()) told_[l].collect_news(members, news_);
    }
  }

  // [task; suspends; collective over the job] Ends the sends of a round, if this core has any. Returns all
  // cores' values combined.
  template <class Sum, class Combine>
  Sum meet(const Sum& mine, Combine combine) {
    return end_sends_of_all(mine, combine, expected_);
  }
  void meet() {
    meet(std::monostate{}, [](auto all, auto) { return all; });
  }

  // The bytes that this core has sent since forget().
  const byte_counts& bytes() const { return bytes_; }

  // The arrays that await() writes to. `members` gets the mirrors' bits, unless it is empty; other cores may
  // set bits meanwhile. `shown` gets what they show, by local index. `news` gets their local indices
  // appended, unless it is null.
  struct written {
    mask members = {};
    T* shown = nullptr;
    std::vector<std::uint32_t>* news = nullptr;
  };
  // [task] From this call on messages of the round are written when they arrive. It comes before the round's
  // send() only if no core reads these arrays until its await().
  void open(const written& into) {
    into_ = into;
    set_open();
    for (early& e : std::exchange(early_, {})) {
      if (e.round == round_of_receives())
        set(e.head, e.payload);
      else
        early_.push_back(std::move(e));
    }
  }
  // [task; suspends] Writes the round's messages to this core, and returns when all have arrived. The
  // locale's other cores have theirs only after a barrier.
  void await(const written& into) {
    open(into);
    await();
  }
  // [task; suspends] Does the same after open().
  void await() { await_vertices(expected_); }

 private:
  static constexpr std::size_t value_bytes = std::is_empty_v<T> ? 0 : sizeof(T);
  static constexpr std::size_t raw_bytes = 8;  // of a vertex, in packed_bits::bytes

  struct end {
    mirror_values* there;
    std::uint32_t own;
  };
  // A payload has `bits_bytes` bytes of bits, then the value of each member, or one value if they are alike.
  struct values_head {
    std::uint32_t bits_bytes;
    bool alike;
  };
  struct message {
    std::uint32_t first, last;  // indices of the list's bits
    bit_stretch what;
    [[no_unique_address]] std::conditional_t<value_bytes == 0, no_value, values_head> values;
  };
  struct unpack {
    mirror_values* there;
    message head;
    std::uint32_t round;

    void operator()(std::span<const std::byte> payload) const {
      if (there->is_open() && round == there->round_of_receives()) return there->set(head, payload);
      there->early_.push_back({round, head, {payload.begin(), payload.end()}});
    }
  };
  // A message that has arrived before await() or open().
  struct early {
    std::uint32_t round;
    message head;
    std::vector<std::byte> payload;
  };
  static constexpr std::size_t payload_bytes = messages::messenger::max_payload_bytes(sizeof(unpack));
  static_assert(std::is_trivially_copyable_v<T> && list_head_bytes + 4 + value_bytes <= payload_bytes,
                "what vertices show is plain and smaller than a block");
  // Cost of a fresh vertex, in the words and vertices that a send() examines.
  static constexpr std::size_t cost_of_fresh = 8;
  // Sends the members in news_.
  template <class Show>
  void send_news(locale_id l, Show show) {
    if (!packer_.takes_words()) {
      listed_.clear();
      for (std::size_t w = 0; w < news_.size(); ++w) {
        for (word rest = news_[w]; rest != 0; rest &= rest - 1) listed_.push_back(place_of(w, rest));
      }
      return send_few(l, listed_, show);
    }
    const core_id to = shape().partner(my_core(), l);
    packer_.pack(news_, {}, mates_.contain(to), [&](const packed_bits& packed) {
      send(to, l, packed, [&](auto add) {
        for (std::size_t w = packed.what.first; w < packed.what.first + packed.what.words; ++w) {
          for (word rest = news_[w]; rest != 0; rest &= rest - 1)
            add(show(told_[l].vertices()[place_of(w, rest)]));
        }
      });
    });
    flush(to);
  }
  static std::uint32_t place_of(std::size_t w, word rest) {
    return static_cast<std::uint32_t>(w * bits_of_word) + static_cast<std::uint32_t>(std::countr_zero(rest));
  }
  // Sends the members that are listed.
  template <class Show>
  void send_places(locale_id l, Show show) {
    const std::size_t words = words_for(told_[l].vertices().size());
    if (told_[l].listed().size() < words) return send_few(l, told_[l].sort_listed(), show);
    news_.assign(words, 0);
    for (const std::uint32_t p : told_[l].listed()) news_[p / bits_of_word] |= word{1} << p % bits_of_word;
    send_news(l, show);
  }
  // Sends the members at these ascending indices of the list.
  template <class Show>
  void send_few(locale_id l, std::span<const std::uint32_t> places, Show show) {
    const core_id to = shape().partner(my_core(), l);
    packer_.pack_few(places, mates_.contain(to), [&](const packed_bits& packed) {
      send(to, l, packed, [&](auto add) {
        for (const std::uint32_t p : places.first(packed.what.listed)) add(show(told_[l].vertices()[p]));
      });
      places = places.subspan(packed.what.listed);
    });
    flush(to);
  }
  // for_each_value(add) calls add(value) for the packed members, in their order.
  template <class ForEachValue>
  void send(core_id to, locale_id l, const packed_bits& packed, ForEachValue for_each_value) {
    if (packed.bytes.raw == 0) return;
    const end& there = ends_[to];
    const std::uint32_t first = there.own + told_[l].first_mirror();
    const auto last = static_cast<std::uint32_t>(first + told_[l].vertices().size());
    message head{first, last, packed.what, {}};
    std::span<const std::byte> payload = packed.payload;
    if constexpr (value_bytes > 0) {
      payload_.assign(payload.begin(), payload.end());
      for_each_value([&](const T& value) {
        const auto* const bytes = reinterpret_cast<const std::byte*>(&value);
        payload_.insert(payload_.end(), bytes, bytes + value_bytes);
      });
      const std::byte* const values = payload_.data() + payload.size();
      const std::size_t rest = payload_.size() - payload.size() - value_bytes;
      const bool alike =
          std::memcmp(values, values + value_bytes, rest) == 0;  // each equals the one before it
      head.values = {static_cast<std::uint32_t>(payload.size()), alike};
      if (alike) payload_.resize(payload.size() + value_bytes);
      count_values(rest + value_bytes, payload_.size() - payload.size());
      payload = payload_;
    }
    bytes_ += {packed.bytes.raw, payload.size()};
    count_bits(packed.bytes);
    messages::messenger::here().send_with_payload(to, unpack{there.there, head, round_of_sends()}, payload);
    count_sent(to, packed.bytes.raw / raw_bytes);
  }
  void flush(core_id to) {
    if (has_sent_to(to)) messages::messenger::here().flush(to);
  }

  // Lists the vertices that this core has to send, by locale.
  void collect_places(std::span<const std::uint32_t> vertices) {
    mirrored_.clear();
    for (const std::uint32_t v : vertices) {
      if (places_of_mirrors_->has(v)) mirrored_.push_back(v);
    }
    places_of_mirrors_->for_each_of(mirrored_, [this](std::uint32_t v, const mirror_places::place& at) {
      told_[shape().locale_of(at.core)].list(v, at.index - ends_[at.core].own);
    });
  }

  void set(const message& head, std::span<const std::byte> payload) {
    const std::size_t first = head.first / bits_of_word, shift = head.first % bits_of_word;
    const auto any = [](std::size_t) { return ~word{0}; };
    std::span<const std::byte> bits_of = payload, values;
    std::uint64_t vertices = 0;
    if constexpr (value_bytes > 0) {
      bits_of = payload.first(head.values.bits_bytes);
      values = payload.subspan(head.values.bits_bytes);
    }
    unpacked_bits(head.what, bits_of, places_).for_each_word(any, [&](std::size_t w, word bits) {
      vertices += static_cast<std::uint64_t>(std::popcount(bits));
      add(head, first + w, bits << shift, values);
      if (shift != 0) add(head, first + w + 1, bits >> (bits_of_word - shift), values);
    });
    count_received(vertices);
  }
  // Writes the members of one word. The first and last word of a list may have bits of another core's list,
  // so these are set atomically.
  void add(const message& head, std::size_t w, word bits, std::span<const std::byte>& values) {
    if (bits == 0) return;
    if (into_.news || value_bytes > 0) {
      for (word rest = bits; rest != 0; rest &= rest - 1) {
        const std::uint32_t mirror = place_of(w, rest);
        if (into_.news) into_.news->push_back(mirror);
        if constexpr (value_bytes > 0) {
          std::memcpy(into_.shown + mirror, values.data(), value_bytes);
          if (!head.values.alike) values = values.subspan(value_bytes);
        }
      }
    }
    if (into_.members.empty()) return;
    if (w > head.first / bits_of_word && w < (head.last - 1) / bits_of_word) {
      into_.members[w] |= bits;
    } else {
      std::atomic_ref(into_.members[w]).fetch_or(bits, std::memory_order_relaxed);
    }
  }

  bit_packer packer_;
  const node_mates mates_;
  std::shared_ptr<const mirror_places> places_of_mirrors_;  // where there are several locales
  by_locale<told_list> told_;
  std::size_t looked_at_ = 0;  // words and vertices that a send() examines
  std::vector<word> news_;
  std::vector<std::uint32_t> mirrored_, listed_;
  std::vector<std::byte> payload_;
  byte_counts bytes_;
  by_core<end> ends_;
  std::uint64_t expected_ = 0;  // vertices in this round
  written into_;
  std::vector<early> early_;
  std::vector<std::uint32_t> places_;
};

}  // namespace orujo::internal::exchange
