// The rows that triangles are counted in (triangle_rows.hpp), on their way from a locale to the owners of
// their members.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "framework/algorithms/triangle_rows.hpp"
#include "system/base/identity.hpp"

namespace orujo::algorithms::detail {

// A core's, those that leave it and those that come to it. They travel as words of one row after another:
// each of its vertex' name (where rows are named), how many members are the receiver's, how many there are,
// and their names, the receiver's first. Of a directed graph a name is shifted up by one, and says below
// whether there are both directions. Rows to one locale travel together, to one of its cores in turn; one
// that is longer than what travels together goes on in what comes next from the same core.
//
// Memory: batch_bytes for each other locale, and one row of each other core. Word: std::uint32_t, or
// std::uint64_t where names need it; of a job always the same.
class travelling_rows {
 public:
  static constexpr std::size_t batch_bytes = 4000;

  // A row that comes in, of ranks; what is not known here is in no row, and dropped.
  struct incoming {
    std::uint32_t rank = 0;   // of its vertex, if rows are named
    std::size_t middles = 0;  // members, the first ones, whose rows are here
    std::size_t awaited = 0;  // members that have not come yet
    std::size_t known = 0;    // that have come, and are known here
    std::vector<std::uint32_t> members;
    std::vector<std::uint8_t> both;  // of a directed graph, parallel: whether there are both directions
  };

  travelling_rows(const triangle_rows& rows, bool named, bool directed)
      : rows_(rows),
        named_(named),
        directed_(directed),
        outgoing_(static_cast<std::size_t>(locales())),
        incoming_(static_cast<std::size_t>(cores())) {
    for (locale_id l = 0; l < locales(); ++l)
      outgoing_[static_cast<std::size_t>(l)].to =
          shape().first_core_of(l) + my_core_of_locale() % shape().cores_of(l);
  }

  // [task] The row of a rank is to get to every other locale that has members of it. send(core, bytes) is
  // called for what leaves, and may suspend.
  template <class Word, class Send>
  void leave(std::uint32_t rank, Send&& send);
  // [task] The same for all that waits for company.
  template <class Send>
  void flush(Send&& send) {
    for (outgoing& to : outgoing_) flush(to, send);
  }
  // [handler] What send() has got at core `from`: count(row) is called for each row that is complete now.
  template <class Word, class Count>
  void arrive(core_id from, std::span<const Word> words, Count&& count) {
    incoming& row = incoming_[static_cast<std::size_t>(from)];
    while (!words.empty()) {
      words = words.subspan(take(row, words));
      if (row.awaited == 0) count(row);
    }
  }

 private:
  // To a locale: words of rows on their way there, and which of its cores gets them.
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
  std::vector<outgoing> outgoing_;  // by locale
  std::vector<incoming> incoming_;  // by sender
  std::vector<std::byte> leaving_;  // words of the row that leaves
};

// Of the members a locale needs what comes before the last of its own: what comes behind is in the row of
// none.
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
  // By number the mirrors in front are all that may come before one of them.
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
    if (head[1] > 1) put(outgoing_[static_cast<std::size_t>(owner)], std::span<const Word>(begin, to), send);
  }
}

// Inlined it would take registers from the loops above.
template <class Word, class Send>
[[gnu::noinline]] void travelling_rows::put(outgoing& to, std::span<const Word> row, Send&& send) {
  std::span<const std::byte> rest = std::as_bytes(row);
  // A row is cut only where it needs more than a message of its own.
  if (to.words.size() + rest.size() > batch_bytes) flush(to, send);
  while (!rest.empty()) {
    if (to.words.size() == batch_bytes) send_words(to, send);
    const std::size_t taken = std::min(batch_bytes - to.words.size(), rest.size());
    to.words.insert(to.words.end(), rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(taken));
    rest = rest.subspan(taken);
  }
}

// At the end of a row: the next may go to another core.
template <class Send>
void travelling_rows::flush(outgoing& to, Send&& send) {
  if (to.words.empty()) return;
  send_words(to, send);
  const locale_id locale = shape().locale_of(to.to);
  if (++to.to == shape().first_core_of(locale) + shape().cores_of(locale))
    to.to = shape().first_core_of(locale);
}

// The words of one row, as many as there are.
template <class Word>
std::size_t travelling_rows::take(incoming& row, std::span<const Word> words) {
  const triangle_rows& rows = rows_;  // what is stored below might be this object for all that is known
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

}  // namespace orujo::algorithms::detail
