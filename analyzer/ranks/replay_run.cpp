#include "analyzer/ranks/replay_run.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "analyzer/ranks/waiting.h"

namespace lapscope::analyzer {
namespace {

using Member = MatchedCollective::Member;

// Replays the ranks of a program. Runs each rank until it needs another rank to begin a collective.
// Continues with the rank when the other rank has begun the collective.
class Replay {
 public:
  Replay(const RunProgram& program, const RunEdits& edits)
      : program_(program),
        edits_(edits),
        collectives_(program.matches->collectives.size()),
        ranks_(program.of_rank.size(), {program.window.start, program.window.start}) {
    for (const RankWork& rank : program.ranks) {
      own_left_.push_back(edits.without_recorder ? 1 - rank.recorder_share : 1);
    }
    if (edits.on_time && program.of_rank[*edits.on_time].has_pairs) shorten_stage(*edits.on_time);
    for (std::size_t c = 0; c < collectives_.size(); ++c) {
      const MatchedCollective& one = program.matches->collectives[c];
      if (!joins_all(one.kind)) collectives_[c].begins.resize(one.members.size(), never);
      for (std::uint32_t m = 0; m < one.members.size(); ++m) {
        const Ns start = one.members[m].time.start;
        if (start < program.window.start) collectives_[c].begin(m, start);
      }
    }
  }

  Ns run() {
    for (std::uint32_t r = 0; r < ranks_.size(); ++r) awake_.push_back(r);
    Ns end = program_.window.start;
    while (!awake_.empty()) {
      const std::uint32_t r = awake_.back();
      awake_.pop_back();
      if (advance(r)) end = std::max(end, ranks_[r].now + own(r, program_.of_rank[r].last));
    }
    return end - program_.window.start;
  }

 private:
  struct Collective {
    void begin(std::uint32_t member, Ns time) {
      last_begin = std::max(last_begin, time);
      ++begun;
      if (!begins.empty()) begins[member] = time;
    }
    Ns last_begin = never;
    std::uint32_t begun = 0;  // number of members
    std::vector<Ns> begins;   // by member; only of sends and receives
  };
  struct Rank {
    Ns now = 0;
    // The earliest possible time of the rank's next event. It is the later of two times: when the
    // rank last began a collective, and the end of a kernel that the rank waited for.
    Ns least = 0;
    Ns host_saved = 0;  // the time in which the host issued collectives that are merged
    std::size_t next = 0;
    std::optional<std::uint32_t> asleep = {};  // the collective whose begins it needs
  };

  // Shortens the own time of a stage of a pipeline to that of the slowest other stage. The ranks of
  // a stage share a communicator that does not have all ranks of the run.
  void shorten_stage(std::uint32_t rank) {
    const std::size_t all = program_.of_rank.size();
    std::vector<bool> is_in_stage(all);
    is_in_stage[rank] = true;
    for (const MatchedCollective& one : program_.matches->collectives) {
      const auto has = [&](std::uint32_t r) {
        return std::ranges::find(one.members, r, &Member::rank) != one.members.end();
      };
      if (!joins_all(one.kind) || one.members.size() == all || !has(rank)) continue;
      for (const Member& member : one.members) is_in_stage[member.rank] = true;
    }
    const Ns own = program_.of_rank[rank].own;
    Ns most = 0;  // greatest own time of a rank of another stage
    for (std::uint32_t r = 0; r < all; ++r) {
      const RunProgram::OfRank& other = program_.of_rank[r];
      if (!is_in_stage[r] && other.has_pairs) most = std::max(most, other.own);
    }
    if (most == 0 || own <= most) return;
    for (std::uint32_t r = 0; r < all; ++r) {
      if (is_in_stage[r]) own_left_[r] *= portion(most, own);
    }
  }

  Ns own(std::uint32_t rank, Ns recorded) const {
    const double left = own_left_[rank];
    return left == 1 ? recorded : std::llround(left * static_cast<double>(recorded));
  }

  // Returns the earliest time at which the host can have issued the kernel of an event.
  Ns issued(const RankEvent& event, std::uint32_t r) {
    const std::span<const RankCollective> kernels = program_.ranks[r].collectives;
    const std::uint32_t kernel = program_.member(event).kernel;
    if (merged(event) && kernel > 0) {
      ranks_[r].host_saved += kernels[kernel].host_time - kernels[kernel - 1].host_time;
    }
    const Ns recorded = program_.of_rank[r].host_begin + kernels[kernel].host_time;
    return program_.window.start + own(r, recorded - ranks_[r].host_saved);
  }

  // The new length of a merged collective's transfer.
  std::optional<Ns> merged(const RankEvent& event) const {
    return edits_.merged.empty() ? std::nullopt : edits_.merged[event.collective];
  }

  // Runs a rank until its end, or until it has to sleep. Returns true at its end.
  bool advance(std::uint32_t r) {
    const std::vector<RankEvent>& events = program_.of_rank[r].events;
    for (Rank& rank = ranks_[r]; rank.next < events.size(); ++rank.next) {
      const RankEvent& event = events[rank.next];
      if (!(event.is_wait ? wait(event, rank, own(r, event.own)) : begin(event, r))) {
        rank.asleep = event.collective;
        return false;
      }
    }
    return true;
  }

  bool begin(const RankEvent& event, std::uint32_t r) {
    Rank& rank = ranks_[r];
    const MatchedCollective& one = program_.collective(event);
    Collective& state = collectives_[event.collective];
    Ns now = rank.now + (merged(event) ? 0 : own(r, event.own));
    const bool comes_on_time = edits_.on_time == r && !is_pair(one) &&
                               &one.last() == &program_.member(event) &&
                               late_by(one, program_.ranks, program_.clock_error) > 0;
    if (comes_on_time) {
      if (state.begun + 1 < one.members.size()) return false;
      now = std::max(rank.least, std::min(now, state.last_begin));
    }
    if (edits_.on_time != r) now = std::max(now, issued(event, r));
    rank.now = rank.least = now;
    state.begin(event.member, now);
    if (joins_all(one.kind) && state.begun + 1 < one.members.size()) return true;
    for (const Member& other : one.members) {
      if (ranks_[other.rank].asleep != event.collective) continue;
      ranks_[other.rank].asleep.reset();
      awake_.push_back(other.rank);
    }
    return true;
  }

  bool wait(const RankEvent& event, Rank& rank, Ns own) {
    if (!program_.is_open(event)) {
      const std::optional<Ns> last = last_needed(event);
      if (!last) return false;
      const Ns transfer = program_.end_of(event) - program_.member(event).ready;
      const Ns end = *last + (edits_.hides_transfers ? 0 : merged(event).value_or(transfer));
      rank.least = std::max(rank.least, end);
    }
    rank.now = std::max(rank.now + own, rank.least);
    return true;
  }

  // The kernel of an event needs certain ranks to begin the collective. Returns the time at which
  // the last of these ranks began. Returns nothing if one of them has not begun.
  std::optional<Ns> last_needed(const RankEvent& event) const {
    const MatchedCollective& one = program_.collective(event);
    const Collective& state = collectives_[event.collective];
    if (joins_all(one.kind)) {
      return state.begun < one.members.size() ? std::nullopt : std::optional(state.last_begin);
    }
    Ns last = never;
    for (std::size_t m = 0; m < one.members.size(); ++m) {
      if (one.members[m].time.start > program_.member(event).ready) continue;
      if (state.begins[m] == never) return std::nullopt;
      last = std::max(last, state.begins[m]);
    }
    return last;
  }

  static constexpr Ns never = std::numeric_limits<Ns>::min();
  const RunProgram& program_;
  const RunEdits& edits_;
  std::vector<double> own_left_;  // by rank: the share of its own time that it still takes
  std::vector<Collective> collectives_;
  std::vector<Rank> ranks_;
  std::vector<std::uint32_t> awake_;
};

}  // namespace

Ns replay_run(const RunProgram& program, const RunEdits& edits) {
  return Replay(program, edits).run();
}

}  // namespace lapscope::analyzer
