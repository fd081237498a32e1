// Sends the bits of mirrored vertices from their owners to the locales that mirror them: those that are new.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <variant>
#include <vector>

#include "framework/exchange/bit_message.hpp"
#include "framework/exchange/counted_reduction.hpp"
#include "framework/exchange/mirror_places.hpp"
#include "framework/exchange/peers.hpp"
#include "framework/exchange/squeezed_bits.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "system/base/identity.hpp"
#include "system/loops/collectives.hpp"

namespace orujo::exchange {

// One core's part; made and used by one task per core. The masks have a bit per local index, own vertices
// first; bit i % 64 of word i / 64 stands for index i. Bits are only ever added, to the one mask or the
// other, and what a mask has the next one to be sent has, too, until forget(): so each bit is sent once.
// An exchange is a send(), a meet() and an await(); before await() nothing is set in the mask, which others
// may read: what has come until then waits. A peer is never ahead by more than one exchange. Between the last
// await() and forget() there is a collective over the job.
//
// Each core tells a peer of its vertices; or, where those of all cores of the locale fit a message and there
// are more peers than cores, the core whose turn it is tells it of all. A peer for which there is nothing
// new gets no message.
//
// Costs at most a bit per mirrored vertex, less where a list of the new ones is shorter (bit_message.hpp).
class mirror_bits {
  using word = bit_word;

 public:
  // [task; suspends; collective over the job] The masks are the locale's, the same for all its cores.
  mirror_bits(const graph::locale_graph& g, std::array<std::span<word>, 2> masks,
              const codec_options& options = codec_options_from_flags())
      : masks_(masks),
        packer_(options, payload_bytes),
        told_(g.parts.front().mirrored_by.size()),
        sent_(told_.size()),
        members_(sent_.size()),
        fresh_(sent_.size()),
        sent_to_(static_cast<std::size_t>(cores())) {
    if (locales() > 1) places_of_mirrors_ = find_mirror_places(g);
    for (locale_id l = 0; l < locales(); ++l) {
      if (l != my_locale()) choose_told(g, l);
    }
    for (std::size_t l = 0; l < sent_.size(); ++l) {
      const std::span<const std::uint32_t> vertices = told_[l].vertices;
      sent_[l].resize(words_for(vertices.size()));
      looked_at_ += sent_[l].size() + vertices.size();
      if (!is_dense(vertices)) continue;
      members_[l].resize(words_spanned(vertices));
      looked_at_ -= vertices.size() - members_[l].size();
      for (const std::uint32_t v : vertices)
        members_[l][v / bits_of_word - vertices.front() / bits_of_word] |= word{1} << v % bits_of_word;
    }
    ends_ = loops::all_gather(end{this, g.own});
  }
  // [task; suspends; collective over the job] Nobody may still send here when it goes.
  ~mirror_bits() { loops::barrier(); }
  mirror_bits(const mirror_bits&) = delete;

  // Mirrors have no bits any more.
  void forget() {
    for (std::vector<word>& sent : sent_) std::fill(sent.begin(), sent.end(), word{0});
    bytes_ = {};
  }

  // [task; may suspend] Sends the bits that mirrored vertices have in mask m, but for those sent before. All
  // cores of the locale have set theirs.
  void send(int m) {
    for (std::size_t l = 0; l < told_.size(); ++l) {
      if (!told_[l].vertices.empty()) send_words(m, l);
    }
    sends_ = 1 - sends_;
  }
  // [task; may suspend] The same where no other vertices of the locale have bits that were not sent: each of
  // them once, in any order. Where they are few nobody looks through the mask.
  void send(int m, std::span<const std::uint32_t> fresh) {
    if (fresh.size() * cost_of_fresh >= looked_at_) return send(m);
    collect_fresh(fresh);
    for (std::size_t l = 0; l < fresh_.size(); ++l) {
      if (fresh_[l].empty()) continue;
      send_places(l);
      fresh_[l].clear();
    }
    sends_ = 1 - sends_;
  }

  // [task] What mask m has counts as sent: other locales know it by another way.
  void count_as_sent(int m) {
    for (std::size_t l = 0; l < told_.size(); ++l) {
      if (!told_[l].vertices.empty()) collect_news(masks_[static_cast<std::size_t>(m)], l);
    }
  }

  // [task; suspends; collective over the job] After a send(): all cores' values combined.
  template <class T, class Combine>
  T meet(const T& mine, Combine combine) {
    T all = mine;
    expected_ = reduce_with_counts(all, combine, sent_to_);
    std::fill(sent_to_.begin(), sent_to_.end(), 0);
    return all;
  }
  void meet() {
    meet(std::monostate{}, [](auto all, auto) { return all; });
  }

  // What this core has sent since forget().
  const byte_counts& bytes() const { return bytes_; }

  // [task; suspends] Sets the bits that this core receives in mask m, and returns when all have; into news,
  // if it is not null, go the local indices of their mirrors. The locale's other cores have theirs only after
  // a barrier.
  void await(int m, std::vector<std::uint32_t>* news = nullptr) {
    open_ = masks_[static_cast<std::size_t>(m)].data();
    news_of_mirrors_ = news;
    for (const early& e : early_[awaits_]) set(e.where, e.payload);
    early_[awaits_].clear();
    while (received_ < expected_) tasks::scheduler::here()->suspend(waiting_, "bits of mirrored vertices");
    received_ = 0;
    open_ = nullptr;
    awaits_ = 1 - awaits_;
  }

 private:
  struct end {
    mirror_bits* bits;
    std::uint32_t own;
  };
  struct place {
    std::uint32_t first, last;  // indices of the list's bits
    bit_stretch what;
  };
  struct unpack {
    mirror_bits* there;
    place where;
    std::uint32_t exchange;  // its number, modulo 2

    void operator()(std::span<const std::byte> payload) const {
      if (there->open_ && exchange == there->awaits_) return there->set(where, payload);
      there->early_[exchange].push_back({where, {payload.begin(), payload.end()}});
    }
  };
  // What has come before await().
  struct early {
    place where;
    std::vector<std::byte> payload;
  };
  static constexpr std::size_t payload_bytes = messages::messenger::max_payload_bytes(sizeof(unpack));
  // A fresh vertex costs as much as so many words of lists that are looked through.
  static constexpr std::size_t cost_of_fresh = 8;
  // The vertices that this core tells a locale of.
  struct told {
    std::uint32_t first_mirror = 0;
    std::uint32_t first = 0, last = 0;  // own vertices among which they are
    std::span<const std::uint32_t> vertices;
    std::vector<std::uint32_t> of_all_cores;
  };

  // Whether a core of `from` tells another locale of all vertices of its locale that are mirrored there.
  static bool one_tells(locale_id from, std::size_t mirrored) {
    return may_take_turns(from) && mirrored <= payload_bytes * 8;
  }

  void choose_told(const graph::locale_graph& g, locale_id l) {
    told& mine = told_[static_cast<std::size_t>(l)];
    const auto list_of = [l](const graph::core_part& part) -> const graph::mirror_list& {
      return part.mirrored_by[static_cast<std::size_t>(l)];
    };
    std::size_t of_all = 0;
    for (const graph::core_part& part : g.parts) of_all += list_of(part).vertices.size();
    if (!one_tells(my_locale(), of_all)) {
      mine.first_mirror = list_of(g.my_part()).first_mirror;
      mine.vertices = list_of(g.my_part()).vertices;
      mine.first = g.my_part().first;
      mine.last = g.my_part().last;
      return;
    }
    if (teller(my_locale(), l) != my_core()) return;
    mine.last = g.own;
    for (const graph::core_part& part : g.parts) {
      const graph::mirror_list& list = list_of(part);
      if (mine.of_all_cores.empty()) mine.first_mirror = list.first_mirror;
      mine.of_all_cores.insert(mine.of_all_cores.end(), list.vertices.begin(), list.vertices.end());
    }
    mine.vertices = mine.of_all_cores;
  }

  void send_words(int m, std::size_t l) {
    collect_news(masks_[static_cast<std::size_t>(m)], l);
    const core_id to = receiver(my_core(), static_cast<locale_id>(l));
    packer_.pack(news_, {}, mates_.contain(to), [&](const packed_bits& packed) { send(to, l, packed); });
    flush(to);
  }
  // Of those in fresh_.
  void send_places(std::size_t l) {
    std::vector<std::uint32_t>& places = fresh_[l];
    std::vector<word>& sent = sent_[l];
    const core_id to = receiver(my_core(), static_cast<locale_id>(l));
    const auto pass_on = [&](const packed_bits& packed) { send(to, l, packed); };
    for (const std::uint32_t p : places) sent[p / bits_of_word] |= word{1} << p % bits_of_word;
    if (places.size() < sent.size()) {
      std::sort(places.begin(), places.end());
      packer_.pack_few(places, mates_.contain(to), pass_on);
    } else {
      news_.assign(sent.size(), 0);
      for (const std::uint32_t p : places) news_[p / bits_of_word] |= word{1} << p % bits_of_word;
      packer_.pack(news_, {}, mates_.contain(to), pass_on);
    }
    flush(to);
  }
  void send(core_id to, std::size_t l, const packed_bits& packed) {
    if (packed.bytes.raw == 0) return;
    bytes_ += packed.bytes;
    count_bits(packed.bytes);
    const end& there = ends_[static_cast<std::size_t>(to)];
    const std::uint32_t first = there.own + told_[l].first_mirror;
    const auto last = static_cast<std::uint32_t>(first + told_[l].vertices.size());
    messages::messenger::here().send_with_payload(to, unpack{there.bits, {first, last, packed.what}, sends_},
                                                  packed.payload);
    ++sent_to_[static_cast<std::size_t>(to)];
  }
  void flush(core_id to) {
    if (sent_to_[static_cast<std::size_t>(to)] > 0) messages::messenger::here().flush(to);
  }

  // Into fresh_, by locale, the places in the lists of those that this core tells of.
  void collect_fresh(std::span<const std::uint32_t> fresh) {
    for (const std::uint32_t v : fresh) {
      if (!places_of_mirrors_->has(v)) continue;
      for (const auto& [core, index] : places_of_mirrors_->of(v)) {
        const auto l = static_cast<std::size_t>(shape().locale_of(core));
        const told& list = told_[l];
        if (v < list.first || v >= list.last) continue;
        fresh_[l].push_back(index - ends_[static_cast<std::size_t>(core)].own - list.first_mirror);
      }
    }
  }

  void set(const place& at, std::span<const std::byte> payload) {
    const std::size_t first = at.first / bits_of_word, shift = at.first % bits_of_word;
    const auto any = [](std::size_t) { return ~word{0}; };
    unpacked_bits(at.what, payload, places_).for_each_word(any, [&](std::size_t w, word bits) {
      add(at, first + w, bits << shift);
      if (shift != 0) add(at, first + w + 1, bits >> (bits_of_word - shift));
    });
    ++received_;
    tasks::scheduler::here()->wake_all(waiting_);
  }
  // Lists of two cores may meet within a word; others than those at its ends have bits of this list only.
  void add(const place& at, std::size_t w, word bits) {
    if (bits == 0) return;
    if (news_of_mirrors_) {
      for (word rest = bits; rest != 0; rest &= rest - 1)
        news_of_mirrors_->push_back(static_cast<std::uint32_t>(w * bits_of_word) +
                                    static_cast<std::uint32_t>(std::countr_zero(rest)));
    }
    if (w > at.first / bits_of_word && w < (at.last - 1) / bits_of_word) {
      open_[w] |= bits;
    } else {
      std::atomic_ref(open_[w]).fetch_or(bits, std::memory_order_relaxed);
    }
  }

  // Of ascending vertices.
  static std::size_t words_spanned(std::span<const std::uint32_t> vertices) {
    return vertices.back() / bits_of_word - vertices.front() / bits_of_word + 1;
  }
  // A word's bits are moved together at the price of looking for about four by themselves.
  static bool is_dense(std::span<const std::uint32_t> vertices) {
    return !vertices.empty() && vertices.size() / 4 >= words_spanned(vertices);
  }
  // A word may end with mirrors, whose bits arrive meanwhile.
  static word load(word& from) { return std::atomic_ref(from).load(std::memory_order_relaxed); }

  // The bits of locale l's list that are set in the mask and have not been sent, but are from now on.
  void collect_news(std::span<word> mask, std::size_t l) {
    const std::span<const std::uint32_t> vertices = told_[l].vertices;
    std::vector<word>& sent = sent_[l];
    if (const std::vector<word>& members = members_[l]; !members.empty()) {
      loaded_.resize(members.size());
      word* const from = &mask[vertices.front() / bits_of_word];
      for (std::size_t w = 0; w < members.size(); ++w) loaded_[w] = load(from[w]);
      squeeze(loaded_, members, vertices.size(), news_);
    } else {
      news_.assign(sent.size(), 0);
      for (std::size_t k = 0; k < vertices.size(); ++k)
        news_[k / bits_of_word] |= (load(mask[vertices[k] / bits_of_word]) >> vertices[k] % bits_of_word & 1)
                                   << k % bits_of_word;
    }
    for (std::size_t w = 0; w < sent.size(); ++w) {
      news_[w] &= ~sent[w];
      sent[w] |= news_[w];
    }
  }

  const std::array<std::span<word>, 2> masks_;
  bit_packer packer_;
  const node_mates mates_;
  std::shared_ptr<const mirror_places> places_of_mirrors_;  // where there are several locales
  std::vector<told> told_;                                  // by locale
  std::vector<std::vector<word>> sent_;                     // by locale: by place in its list
  std::vector<std::vector<word>> members_;         // by locale, of dense lists: who is in it, by vertex
  std::size_t looked_at_ = 0;                      // words and vertices, by a send() that looks at all
  std::vector<std::vector<std::uint32_t>> fresh_;  // by locale: places in its list
  std::vector<std::uint64_t> sent_to_;             // by core: messages in this exchange
  std::vector<word> news_, loaded_;
  byte_counts bytes_;
  std::vector<end> ends_;                      // by core
  std::uint64_t expected_ = 0, received_ = 0;  // messages in this exchange
  word* open_ = nullptr;                       // where what comes is set
  std::vector<std::uint32_t>* news_of_mirrors_ = nullptr;
  std::uint32_t sends_ = 0, awaits_ = 0;  // the numbers of the exchanges that come next, modulo 2
  std::array<std::vector<early>, 2> early_;
  tasks::wait_queue waiting_;
  std::vector<std::uint32_t> places_;
};

}  // namespace orujo::exchange
