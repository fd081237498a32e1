// Chooses how far locales go on by themselves between two meetings (collectives) of the job, where work comes
// in ordered steps, such as bins of distances or levels. A meeting costs a latency, however little there is
// to do. Work ahead of others may be in vain, as another locale may find a shorter way.
#pragma once

#include <algorithm>
#include <cstdint>

namespace orujo::internal::steps {

// All cores have the same state, as it depends only on sums over all cores. While steps have few edges, each
// round is twice as long as the last. Rounds get more steps first. After some of them a core may also examine
// more edges in a round, up to as many as it examines in the time of a meeting. Where a step has many edges,
// it is again a round of its own.
class lookahead {
 public:
  // Measurements of a round, by one core or summed over all.
  struct measured {
    std::uint64_t edges = 0;  // examined
    std::uint64_t work_ns = 0;
    std::uint64_t meeting_ns = 0;  // of the round before

    measured& operator+=(const measured& b) {
      edges += b.edges;
      work_ns += b.work_ns;
      meeting_ns += b.meeting_ns;
      return *this;
    }
  };

  explicit lookahead(std::uint64_t most_steps = 256) : most_steps_(most_steps) {}

  // Limits of the next round: the number of its steps, and the number of edges beyond the present step with
  // which a core ends it.
  std::uint64_t steps() const { return steps_; }
  std::uint64_t edges() const { return edges_; }

  // True if meetings have taken longer than the work between them for a number of rounds, and a core has
  // spent more than `cost_ns` in these meetings. That is the cost of doing without meetings.
  bool meetings_prevail(std::uint64_t cost_ns) const {
    return rounds_of_few_ >= many_rounds && prevailed_ns_ > static_cast<double>(cost_ns);
  }

  void reset() { *this = lookahead(most_steps_); }
  // Learns from a round of `cores` cores, in which the job advanced by `steps` steps.
  void learn(const measured& all, std::uint64_t steps, int cores) {
    const std::uint64_t each = all.edges / static_cast<std::uint64_t>(cores);
    const std::uint64_t of_step = each / std::max<std::uint64_t>(steps, 1);
    got_on_ += (static_cast<double>(steps) - got_on_) / smoothed_over;
    estimate_edges_of_meeting(all, each);
    prevailed_ns_ = least_meeting_ > 2 * work_of_late_ ? prevailed_ns_ + least_meeting_ / cores : 0;
    if (of_step < few_edges) {
      const double wanted = std::min(8 * got_on_, static_cast<double>(most_steps_));
      steps_ = std::min({2 * steps_, most_steps_, std::max(some_steps, static_cast<std::uint64_t>(wanted))});
      if (++rounds_of_few_ > some_rounds)
        edges_ = std::clamp(static_cast<std::uint64_t>(edges_of_meeting_), few_edges, 2 * edges_);
    } else if (edges_ > few_edges || of_step < 2 * few_edges) {
      steps_ = std::max<std::uint64_t>(steps_ / 2, 1);
      edges_ = std::max(edges_ / 2, few_edges);
    } else {
      steps_ = 1;
      rounds_of_few_ = 0;
    }
  }

 private:
  static constexpr std::uint64_t few_edges = 4'000, some_steps = 32, some_rounds = 5, many_rounds = 16;
  static constexpr double smoothed_over = 4;  // rounds

  // The shortest recent meeting counts: in longer ones a core has waited for many messages, or for a slow
  // core.
  void estimate_edges_of_meeting(const measured& all, std::uint64_t each) {
    const auto meeting = static_cast<double>(all.meeting_ns);
    least_meeting_ = least_meeting_ > 0 ? std::min(1.05 * least_meeting_, meeting) : meeting;
    work_of_late_ += (static_cast<double>(all.work_ns) - work_of_late_) / smoothed_over;
    if (all.work_ns == 0) return;
    const double edges = least_meeting_ / static_cast<double>(all.work_ns) * static_cast<double>(each);
    edges_of_meeting_ += (edges - edges_of_meeting_) / smoothed_over;
  }

  std::uint64_t most_steps_;
  std::uint64_t steps_ = 2, edges_ = few_edges, rounds_of_few_ = 0;
  double got_on_ = 0;                            // steps of recent rounds, smoothed
  double least_meeting_ = 0, work_of_late_ = 0;  // ns, summed over all cores
  double edges_of_meeting_ = 0;
  double prevailed_ns_ = 0;  // meetings of a core since they took longer than the work
};

}  // namespace orujo::internal::steps
