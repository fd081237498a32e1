#include "framework/grid/range_exchange.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "system/base/random.hpp"
#include "system/loops/forall.hpp"
#include "tests/at_home.hpp"

namespace orujo::internal::exchange {
namespace {

constexpr std::size_t set_words = 700;  // more than a message holds

// The bits that can be set in that locale's sets, which all locales know: two thirds of them.
bit_word possible_of(locale_id from, std::size_t w) {
  const auto key = static_cast<std::uint64_t>(from) * set_words + w;
  return mix64(key + 1) | mix64(key + 2);
}

// The word from locale `from` to `to` in a round: nothing, some bits, half of them. In round 3 all get the
// same.
bit_word word_of(locale_id from, locale_id to, std::size_t w, int round) {
  if (round == 0) return 0;
  if (round == 3) to = 0;
  const auto key =
      (static_cast<std::uint64_t>(from * 64 + to) * set_words + w) * 4 + static_cast<std::uint64_t>(round);
  return round == 1 ? (mix64(key) % 5 == 0 ? bit_word{1} << mix64(key) / 5 % 64 : 0) : mix64(key);
}

// One core's part; returns how many words came wrong. The first three locales are peers, and the next three.
// bounded: only what can be set is sent, and all know so.
int exchange_sets(const codec_options& options, bool bounded) {
  std::vector<locale_id> peers;
  for (locale_id l = 0; l < locales(); ++l) {
    if (l != my_locale() && l / 3 == my_locale() / 3) peers.push_back(l);
  }
  using masks = std::vector<std::vector<bit_word>>;
  const auto got = collectives::share_on_locale<masks>([] {
    return std::make_shared<masks>(static_cast<std::size_t>(locales()), std::vector<bit_word>(set_words));
  });
  range_exchange sets(
      peers, set_words,
      [&](locale_id from, std::size_t w, bit_word bits) {
        (*got)[static_cast<std::size_t>(from)][w] |= bits;
      },
      options, possible_of);
  const auto expected = [&](locale_id from, locale_id to, std::size_t w, int round) {
    return word_of(from, to, w, round) & (bounded ? possible_of(from, w) : ~bit_word{0});
  };
  std::vector<bit_word> possible;
  if (bounded) {
    for (std::size_t w = sets.my_words().first; w < sets.my_words().last; ++w)
      possible.push_back(possible_of(my_locale(), w));
  }
  int wrong = 0;
  for (int round = 0; round < 4; ++round) {
    const index_range mine = sets.my_words();
    const auto part_for = [&](locale_id to) {
      std::vector<bit_word> part;
      for (std::size_t w = mine.first; w < mine.last; ++w)
        part.push_back(expected(my_locale(), to, w, round));
      return part;
    };
    if (round == 3) {
      sets.send_all(part_for(0), possible);
    } else {
      for (const locale_id l : peers) sets.send(l, part_for(l), possible);
    }
    sets.await();
    collectives::barrier(collectives::group::locale);
    for (locale_id from = 0; from < locales(); ++from) {
      const bool peer = std::find(peers.begin(), peers.end(), from) != peers.end();
      for (std::size_t w = mine.first; w < mine.last; ++w) {
        bit_word& word = (*got)[static_cast<std::size_t>(from)][w];
        wrong += word == (peer ? expected(from, my_locale(), w, round) : 0) ? 0 : 1;
        word = 0;
      }
    }
    collectives::barrier();
  }
  return collectives::all_reduce(wrong);
}

TEST(range_exchange, brings_every_peer_its_set) {
  for (const char* name : {"auto", "none", "bp128", "bitmap"}) {
    for (const bool bounded : {false, true}) {
      int wrong = -1;
      const codec_options options{place_of(find_codec(name)), 0};
      loops::on_all_cores([options, bounded, to = at_home(wrong)] {
        const int found = exchange_sets(options, bounded);
        if (my_core() == 0) *to = found;
      });
      EXPECT_EQ(wrong, 0) << name << " " << bounded;
    }
  }
}

}  // namespace
}  // namespace orujo::internal::exchange
