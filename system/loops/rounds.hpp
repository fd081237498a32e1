// Who tells whom in collectives of n members, of which each reaches up to four times as many with every
// round: pure functions. In each round a member sends up to three messages, and receives as many.
//
// Reductions go by recursive doubling, where groups of members that have combined join groups, which keeps
// their order: Thakur, Rabenseifner, Gropp, "Optimization of Collective Communication Operations in MPICH",
// Int. J. of High Performance Computing Applications 19(1), 2005, section 4.5. Gathering and barriers go by
// dissemination: Bruck et al., "Efficient Algorithms for All-to-All Communications in Multiport
// Message-Passing Systems", IEEE Transactions on Parallel and Distributed Systems 8(11), 1997, section 4.
#pragma once

#include <algorithm>

namespace orujo::loops {

inline constexpr int radix = 4;

// Rounds of a dissemination.
constexpr int rounds_to_reach(int members) {
  int rounds = 0;
  for (long reached = 1; reached < members; reached *= radix) ++rounds;
  return rounds;
}

// How many of n members combine in groups of groups: the most that are 1, 2, 3 or 4 times a power of four. At
// least half of them.
constexpr int in_groups(int members) {
  int most = 1;
  for (int power = 1; power <= members; power *= radix) {
    most = std::max(most, power * std::min(members / power, radix - 1));
  }
  return most;
}

// A reduction's members. Those who are too many hand what they have to the member before them and hear the
// result from it.
class reduction_plan {
 public:
  constexpr reduction_plan(int members, int me)
      : grouped_(in_groups(members)), pairs_(members - grouped_), me_(me) {}

  constexpr bool is_paired() const { return me_ < 2 * pairs_; }
  // Hands over, and waits for the result.
  constexpr bool hands_over() const { return is_paired() && me_ % 2 == 1; }

  // The others'; a place is a member's number among those in groups.
  constexpr int grouped() const { return grouped_; }
  constexpr int place() const { return is_paired() ? me_ / 2 : me_ - pairs_; }
  constexpr int member_at(int place) const { return place < pairs_ ? 2 * place : place + pairs_; }

 private:
  int grouped_, pairs_, me_;
};

// A round of a reduction: the groups of `stride` consecutive places each that join, of which this place's is
// number `digit` of `groups`.
struct joining_groups {
  int stride, groups, digit;
  constexpr joining_groups(int stride_so_far, int grouped, int place)
      : stride(stride_so_far), groups(std::min(radix, grouped / stride)), digit(place / stride % groups) {}
  // This place's like in another of the groups.
  constexpr int place_in(int group, int place) const { return place + (group - digit) * stride; }
};

}  // namespace orujo::loops
