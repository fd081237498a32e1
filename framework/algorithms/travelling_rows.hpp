// Sends the rows in which triangles are counted (triangle_rows.hpp) from a locale to the owners of their
// members.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "framework/algorithms/triangle_rows.hpp"
#include "system/base/identity.hpp"

namespace orujo::internal::algorithms::detail {

// The rows that leave a core, and those that arrive. They travel as words, one row after another. A row has
// the name of its vertex (if rows are named), the number of members that the receiver owns, the number of all
// members, and their names, the receiver's first. In a directed graph a name is shifted up by one; the lowest
// bit says that there are edges of both directions. Rows to one locale share messages, which go to its cores
// in turn. A row that is longer than a message continues in the next one from the same core.
//
// Takes batch_bytes for each other locale, and one row of each other core. `Word` is `std::uint32_t`, or
// `std::uint64_t` if names require it, the same in the whole job.
class travelling_rows {
 public:
  static constexpr std::size_t batch_bytes = 4000;

  // A row that arrives, of ranks. Members without a rank here are in no row, and are dropped.
  struct incoming {
    std::uint32_t rank = 0;   // of its vertex, if rows are named
    std::size_t middles = 0;  // members, the first ones, whose rows are here
    std::size_t awaited = 0;  // members that have not arrived yet
    std::size_t known = 0;    // members that have arrived and have a rank here
    std::vector<std::uint32_t> members;
    std::vector<std::uint8_t> both;  // of a directed graph, parallel: 1 if there are both directions
  };

  travelling_rows(const triangle_rows& rows, bool named, bool directed)
      : rows_(rows), named_(named), directed_(directed), outgoing_(locales()), incoming_(cores()) {
    for (locale_id l = 0; l < locales(); ++l)
      outgoing_[l].to = shape().first_core_of(l) + my_core_of_locale() % shape().cores_of(l);
  }

  // [task] Sends the row of a rank to every other locale that has members of it. Calls send(core, bytes) for
  // full messages, which may suspend.
  template <class Word, class Send>
  void leave(std::uint32_t rank, Send&& send);
  // [task] Sends all remaining rows likewise.
  template <class Send>
  void flush(Send&& send) {
    for (outgoing& to : outgoing_) flush(to, send);
  }
  // [handler] Receives what send() got at core `from`. Calls count(row) for each row that is complete.
  template <class Word, class Count>
  void arrive(core_id from, std::span<const Word> words, Count&& count) {
    incoming& row = incoming_[from];
    while (!words.empty()) {
      words = words.subspan(take(row, words));
      if (row.awaited == 0) count(row);
    }
  }

 private:
  // Words of rows to a locale, and the core that gets them.
  struct outgoing {
    std::vector<std::byte> words;
    core_id to;
  };

  template <class Word, class Send>
  void put(outgoing& to, std::span<const Word> row, Send&& send);
  template <class Send>
  void flush(outgoing& to, Send&& send);
  template <class Send>
  void send_words(outgoing& to, Send&& send) {
    send(to.to, std::span<const std::byte>(to.words));
    to.words.clear();
  }
  template <class Word>
  std::size_t take(incoming& row, std::span<const Word> words);

  const triangle_rows& rows_;
  const bool named_, directed_;
  by_locale<outgoing> outgoing_;
  by_core<incoming> incoming_;      // by sender
  std::vector<std::byte> leaving_;  // words of the row that leaves
};

// A locale needs the members before the last of its own. No row of its own has later members.
template <class Word, class Send>
void travelling_rows::leave(std::uint32_t rank, Send&& send) {
  const triangle_rows& rows = rows_;
  const triangle_row row = rows.by_degree() ? rows.before<row_order::degree>(rank)
                                            : rows.before<row_order::number_on_several>(rank);
  const std::span<const std::uint8_t> both = directed_ ? rows.both_of(rank) : std::span<const std::uint8_t>();
  const auto word = [&](const std::uint32_t* member) {
    const std::uint64_t name = rows.name_of(*member);
    return static_cast<Word>(directed_ ? name << 1 | both[static_cast<std::size_t>(member - row.all.data())]
                                       : name);
  };
  if (const std::size_t most = (row.all.size() + 3) * sizeof(Word); leaving_.size() < most)
    leaving_.resize(2 * most);
  Word* const begin = reinterpret_cast<Word*>(leaving_.data());
  Word* const head = begin + (named_ ? 1 : 0);
  *begin = static_cast<Word>(rows.name_of(rank));
  // In the order of numbers only the mirrors in front may come before one of them.
  const std::span<const std::uint32_t> others = rows.by_degree() ? row.all : row.mirrors;
  for (std::size_t first = 0; first < row.mirrors.size();) {
    const auto [count, owner] = rows.of_one_owner(row.mirrors.subspan(first));
    const std::span<const std::uint32_t> theirs = row.mirrors.subspan(first, count);
    first += count;
    Word* to = head + 2;
    std::uint32_t last = 0;
    for (const std::uint32_t& member : theirs) {
      last = std::max(last, member);
      *to++ = word(&member);
    }
    const auto add_those_before = [&](std::span<const std::uint32_t> members) {
      for (const std::uint32_t& member : members) {
        *to = word(&member);
        to += member < last;
      }
    };
    add_those_before({others.data(), theirs.data()});
    add_those_before({theirs.data() + count, others.data() + others.size()});
    head[0] = static_cast<Word>(count);
    head[1] = static_cast<Word>(to - head - 2);
    if (head[1] > 1) put(outgoing_[owner], std::span<const Word>(begin, to), send);
  }
}

// Inlined, it would take registers from the loops above.
template <class Word, class Send>
[[gnu::noinline]] void travelling_rows::put(outgoing& to, std::span<const Word> row, Send&& send) {
  std::span<const std::byte> rest = std::as_bytes(row);
  // A row is divided only if it is longer than a message.
  if (to.words.size() + rest.size() > batch_bytes) flush(to, send);
  while (!rest.empty()) {
    if (to.words.size() == batch_bytes) send_words(to, send);
    const std::size_t taken = std::min(batch_bytes - to.words.size(), rest.size());
    to.words.insert(to.words.end(), rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(taken));
    rest = rest.subspan(taken);
  }
}

// Called at the end of a row, so that the next one may go to another core.
template <class Send>
void travelling_rows::flush(outgoing& to, Send&& send) {
  if (to.words.empty()) return;
  send_words(to, send);
  const locale_id locale = shape().locale_of(to.to);
  if (++to.to == shape().first_core_of(locale) + shape().cores_of(locale))
    to.to = shape().first_core_of(locale);
}

// Reads the words of one row, as many as have arrived.
template <class Word>
std::size_t travelling_rows::take(incoming& row, std::span<const Word> words) {
  const triangle_rows& rows = rows_;  // else stores below might change this object, as far as compilers know
  std::size_t head = 0;
  if (row.awaited == 0) {
    if (named_) row.rank = rows.find(words[head++]);
    row.middles = words[head++];
    row.awaited = words[head++];
    row.known = 0;
    if (row.members.size() < row.awaited) row.members.resize(2 * row.awaited);
    if (directed_ && row.both.size() < row.awaited) row.both.resize(2 * row.awaited);
  }
  const std::size_t coming = std::min(row.awaited, words.size() - head);
  std::size_t known = row.known;
  for (const Word word : words.subspan(head, coming)) {
    const std::uint32_t rank = rows.find(directed_ ? word >> 1 : word);
    row.members[known] = rank;
    if (directed_) row.both[known] = word & 1;
    known += rank != rows.ranks();
  }
  row.known = known;
  row.awaited -= coming;
  return head + coming;
}

}  // namespace orujo::internal::algorithms::detail
