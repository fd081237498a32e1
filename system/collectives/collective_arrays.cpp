// Collectives over arrays: reductions of up to 2 KiB at a time, and pieces that each member combines.
#include "system/collectives/collective_arrays.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "system/base/check.hpp"
#include "system/base/index_range.hpp"

namespace orujo::internal::collectives::detail {

namespace {

constexpr const char* disagree =
    "the members of a collective disagree: all call the same ones in the same order, with arrays of one size";

// Bytes from which a piece is worth a message of its own. With 4 cores both ways take equally long at about 4
// KiB; from 64 KiB on pieces are 2 to 9 times as fast (all_reduce of 64-bit sums, 2 CPUs).
constexpr std::size_t min_piece_bytes = 512;
bool worth_pieces(std::size_t bytes, group g) {
  return bytes > collective::max_bytes &&
         bytes / static_cast<std::size_t>(members(g).size()) >= min_piece_bytes;
}

// The k-th of n consecutive pieces of an array, in whole elements.
std::span<std::byte> piece_of(std::span<std::byte> whole, std::size_t element, int k, int n) {
  const index_range r = part_of({0, whole.size() / element}, k, n);
  return whole.subspan(r.first * element, r.size() * element);
}

// An array of every member, cut into one piece per member. The first streams carry the members' contributions
// to this member's piece, by member. The others carry the results back, by piece.
class pieces {
 public:
  // Sends each member its piece of `values`, and receives this member's piece of theirs. Suspends.
  pieces(std::span<std::byte> values, std::size_t element, group g)
      : values_(values),
        element_(element),
        who_(g),
        n_(who_.size()),
        mine_(piece(who_.me()).size()),
        contributions_(static_cast<std::size_t>(n_) * mine_),
        transfers_(who_, 2 * n_, [this](int stream, std::size_t bytes) { return place(stream, bytes); }) {
    for (int k = 1; k <= n_; ++k) {
      const int to = (who_.me() + k) % n_;
      transfers_.send(to, who_.me(), piece(to));
    }
    transfers_.await(0, n_);
  }

  int members() const { return n_; }
  // The contribution of a member to this member's piece.
  std::span<std::byte> contribution(int member) {
    return std::span(contributions_).subspan(static_cast<std::size_t>(member) * mine_, mine_);
  }
  // All contributions combined.
  std::span<const std::byte> fold(const combine_bytes& combine) {
    const std::span<std::byte> sum = contribution(0);
    for (int k = 1; k < n_; ++k) combine(sum, contribution(k));
    return sum;
  }
  // [task; suspends] Puts `result` in place of this member's piece of a member's values.
  void hand_on(std::span<const std::byte> result, int to) { transfers_.send(to, n_ + who_.me(), result); }
  // [task; suspends] Returns when every piece of this member's values has been replaced.
  void await() { transfers_.await(n_, 2 * n_); }

 private:
  std::span<std::byte> piece(int k) const { return piece_of(values_, element_, k, n_); }
  // A result never arrives before this member's contribution to it has left.
  std::byte* place(int stream, std::size_t bytes) {
    const std::span<std::byte> at = stream < n_ ? contribution(stream) : piece(stream - n_);
    require(bytes == at.size(), disagree);
    return at.data();
  }

  const std::span<std::byte> values_;
  const std::size_t element_;
  const collectives::members who_;
  const int n_;
  const std::size_t mine_;                // bytes of this member's piece
  std::vector<std::byte> contributions_;  // by member
  exchange transfers_;
};

// Reduces as many values at a time as fit `collective::max_bytes`.
void all_reduce_in_steps(std::span<std::byte> values, std::size_t element, const combine_bytes& combine,
                         group g) {
  const std::size_t step = collective::max_bytes / element * element;
  for (std::size_t first = 0; first < values.size(); first += step) {
    collective::here().reduce(g, values.subspan(first, std::min(step, values.size() - first)), combine);
  }
}

}  // namespace

void all_reduce(std::span<std::byte> values, std::size_t element, const combine_bytes& combine, group g) {
  if (!worth_pieces(values.size(), g)) return all_reduce_in_steps(values, element, combine, g);
  pieces all(values, element, g);
  const auto sum = all.fold(combine);
  for (int to = 0; to < all.members(); ++to) all.hand_on(sum, to);
  all.await();
}

void reduce(std::span<std::byte> values, std::size_t element, const combine_bytes& combine, int to_member,
            group g) {
  if (!worth_pieces(values.size(), g)) return all_reduce_in_steps(values, element, combine, g);
  pieces all(values, element, g);
  all.hand_on(all.fold(combine), to_member);
  if (members(g).me() == to_member) all.await();
}

void broadcast(std::span<std::byte> values, int from_member, group g) {
  const members who(g);
  const int n = who.size(), me = who.me();
  if (!worth_pieces(values.size(), g)) {
    if (me != from_member) std::fill(values.begin(), values.end(), std::byte{0});
    std::bit_or<std::byte> combine;
    return all_reduce_in_steps(values, 1, by_element<std::byte>(combine), g);
  }
  exchange transfers(who, n, [&](int stream, std::size_t size) {
    const std::span<std::byte> piece = piece_of(values, 1, stream, n);
    require(size == piece.size(), disagree);
    return piece.data();
  });
  if (me == from_member) {
    for (int k = 0; k < n; ++k) {
      if (k != me) transfers.send(k, k, piece_of(values, 1, k, n));
    }
  } else {
    transfers.await(me, me + 1);
  }
  for (int k = 1; k < n; ++k) {
    const int to = (me + k) % n;
    if (to != from_member) transfers.send(to, me, piece_of(values, 1, me, n));
  }
  if (me != from_member) transfers.await(0, n);
}

void gather_all(std::span<const std::byte> mine, std::span<std::byte> all, group g) {
  std::vector<std::byte> own(mine.begin(), mine.end());
  collective::here().gather(g, own, all);
}

void scan(std::span<std::byte> values, std::size_t element, const std::byte* identity,
          const combine_bytes& combine, group g) {
  const members who(g);
  const auto begin_with_identity = [&](std::span<std::byte> to) {
    for (std::size_t at = 0; at < to.size(); at += element) std::memcpy(to.data() + at, identity, element);
  };
  if (!worth_pieces(values.size(), g)) {
    std::vector<std::byte> all(static_cast<std::size_t>(who.size()) * values.size());
    gather_all(values, all, g);
    const int own = identity ? 0 : 1;  // an inclusive scan counts the member's own value
    if (identity) begin_with_identity(values);
    if (!identity) std::copy_n(all.begin(), values.size(), values.begin());
    for (int k = own; k < who.me() + own; ++k) {
      combine(values, std::span(all).subspan(static_cast<std::size_t>(k) * values.size(), values.size()));
    }
    return;
  }
  pieces all(values, element, g);
  const std::span<std::byte> first = all.contribution(0);
  std::vector<std::byte> running(first.begin(), first.end());
  if (identity) begin_with_identity(running);
  for (int k = 0; k < who.size(); ++k) {
    if (!identity && k > 0) combine(running, all.contribution(k));
    all.hand_on(running, k);
    if (identity) combine(running, all.contribution(k));
  }
  all.await();
}

std::shared_ptr<const void> share_on_locale(const std::function<std::shared_ptr<const void>()>& make) {
  std::shared_ptr<const void> made;
  if (leads_locale()) made = make();
  const std::shared_ptr<const void>* place = &made;
  broadcast(std::as_writable_bytes(std::span(&place, 1)), 0, group::locale);
  std::shared_ptr<const void> shared = *place;
  collective::here().gather(group::locale, {}, {});  // the first core's copy stays until all have theirs
  return shared;
}

}  // namespace orujo::internal::collectives::detail
