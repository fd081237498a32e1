// The communication partners in collectives of n members, as pure functions. In each round a member sends up
// to three messages and receives as many, so that it reaches four times as many members.
//
// Reductions use recursive doubling, where groups of members that have combined join groups, which keeps
// their order (Thakur, Rabenseifner, Gropp, "Optimization of Collective Communication Operations in MPICH",
// Int. J. of High Performance Computing Applications 19(1), 2005, section 4.5). Gathering and barriers use
// dissemination (Bruck et al., "Efficient Algorithms for All-to-All Communications in Multiport
// Message-Passing Systems", IEEE Transactions on Parallel and Distributed Systems 8(11), 1997, section 4).
#pragma once

#include <algorithm>

namespace orujo::internal::collectives {

inline constexpr int radix = 4;

// Rounds of a dissemination.
constexpr int rounds_to_reach(int members) {
  int rounds = 0;
  for (long reached = 1; reached < members; reached *= radix) ++rounds;
  return rounds;
}

// Number of members, of n, that combine in groups of groups: the largest number that is 1, 2, 3 or 4 times a
// power of four. It is at least half of n.
constexpr int in_groups(int members) {
  int most = 1;
  for (int power = 1; power <= members; power *= radix) {
    most = std::max(most, power * std::min(members / power, radix - 1));
  }
  return most;
}

// The members of a reduction. Each surplus member passes its value to the member before it, and receives the
// result from it.
class reduction_plan {
 public:
  constexpr reduction_plan(int members, int me)
      : grouped_(in_groups(members)), pairs_(members - grouped_), me_(me) {}

  constexpr bool is_paired() const { return me_ < 2 * pairs_; }
  // True if this member hands its value over, and waits for the result.
  constexpr bool hands_over() const { return is_paired() && me_ % 2 == 1; }

  // The rest is for the other members. A place is a member's number among those in groups.
  constexpr int grouped() const { return grouped_; }
  constexpr int place() const { return is_paired() ? me_ / 2 : me_ - pairs_; }
  constexpr int member_at(int place) const { return place < pairs_ ? 2 * place : place + pairs_; }

 private:
  int grouped_, pairs_, me_;
};

// A round of a reduction joins groups of `stride` consecutive places each. This place's group is number
// `digit` of `groups`.
struct joining_groups {
  int stride, groups, digit;
  constexpr joining_groups(int stride_so_far, int grouped, int place)
      : stride(stride_so_far), groups(std::min(radix, grouped / stride)), digit(place / stride % groups) {}
  // The corresponding place in another of the groups.
  constexpr int place_in(int group, int place) const { return place + (group - digit) * stride; }
};

}  // namespace orujo::internal::collectives
