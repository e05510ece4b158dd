#include "analyzer/ranks/replay_run.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <queue>
#include <utility>

#include "analyzer/ranks/waiting.h"

namespace lapscope::analyzer {
namespace {

using Member = MatchedCollective::Member;

// Replays the ranks of a program. A rank goes on until it must wait for the end of a collective
// that other ranks have not begun. When they have begun this collective, the rank goes on.
class Replay {
 public:
  Replay(const RunProgram& program, const RunEdits& edits)
      : program_(program),
        edits_(edits),
        collectives_(program.matches->collectives.size()),
        is_on_time_(program.of_rank.size()),
        ranks_(program.of_rank.size(), {program.window.start, program.window.start}) {
    for (std::uint32_t r = 0; r < ranks_.size(); ++r) {
      const RankWork& rank = program.ranks[r];
      const bool is_bare = edits.without_recorder;
      own_left_.push_back(is_bare ? 1 - rank.recorder_share : 1);
      host_left_.push_back(is_bare ? 1 - rank.host_recorder_share : 1);
      ranks_[r].lanes.resize(program.of_rank[r].lanes);
      ranks_[r].recorded = program.window.start;
      of_rank_.push_back(&program.of_rank[r]);
      awake_.push_back(r);
    }
    const auto& moved = edits.on_time.empty() ? edits.at_start : edits.on_time;
    at_start_.reserve(moved.size());
    for (const std::uint32_t r : moved) {
      of_rank_[r] = &at_start_.emplace_back(ready_at_start(program, r));
    }
    for (const std::uint32_t r : edits.on_time) is_on_time_[r] = true;
    for (std::size_t c = 0; c < collectives_.size(); ++c) set_awaited(c);
    if (!edits.on_time.empty()) shorten_stage();
    if (!edits.merged.empty()) save_host_times();
    if (edits.frees_multiprocessors) find_crowded();
  }

  Ns run() {
    while (!awake_.empty()) {
      const std::uint32_t r = awake_.back();
      awake_.pop_back();
      for (Lane& lane : ranks_[r].lanes) run_lane(lane, r);
      advance(r);
    }
    Ns end = program_.window.start;
    for (std::uint32_t r = 0; r < ranks_.size(); ++r) {
      const bool has_ended = ranks_[r].next == of_rank_[r]->events.size();
      if (has_ended) end = std::max(end, ranks_[r].now + own(r, of_rank_[r]->last));
    }
    return end - program_.window.start;
  }

 private:
  static constexpr Ns never = std::numeric_limits<Ns>::min();

  // A set of members of a collective. A rank waits until all of them have begun.
  struct Awaited {
    // Notes that one of the members begins at `time`. Returns whether all have begun.
    bool begin(Ns time) {
      last = std::max(last, time);
      return --left == 0;
    }
    std::int64_t left = 0;  // number of members that have not begun
    Ns last = never;        // the latest begin of a member so far
  };
  struct Collective {
    Awaited all;
    Awaited others;  // the members that are not in `on_time`; only ranks on time wait for them
    const Member* last_other = nullptr;  // the one of `others` that began last in the recording
    // needed[m]: the members of the collective from which member m needs data. Empty if all members
    // need all data.
    std::vector<Awaited> needed;
  };
  struct Lane {
    // Kernels that have not begun, and when their data is ready.
    std::queue<std::pair<const RankEvent*, Ns>> queue;
    const RankEvent* running = nullptr;  // the kernel that began last
    Ns begun = 0;                        // when it began
  };
  struct Rank {
    Ns now = 0;
    // The earliest possible time of the rank's next event. It is the time at which data of the rank
    // was last ready, or the end of the last kernel that the rank waited for, whichever is later.
    Ns least = 0;
    std::size_t next = 0;  // in the rank's events
    Ns recorded = 0;       // when the event before `next` was recorded
    std::vector<Lane> lanes = {};
    // By kernel: the time that the host spent on issuing merged collectives up to this kernel.
    // Empty if no collective is merged.
    std::vector<Ns> host_saved = {};
    IntervalSet crowded = {};  // find_crowded()
  };

  // Whether the kernel of `one` needs the data of `other`. Only for collectives that do not join
  // all ranks of a communicator (joins_all()).
  static bool needs(const Member& one, const Member& other) {
    return other.time.start <= one.ready;
  }

  // Sets which members of a collective are awaited. Members that began before the window count as
  // begun.
  void set_awaited(std::size_t collective) {
    const MatchedCollective& one = program_.matches->collectives[collective];
    Collective& state = collectives_[collective];
    for (const Member& member : one.members) {
      ++state.all.left;
      if (!is_on_time_[member.rank]) ++state.others.left;
      if (joins_all(one.kind)) continue;
      const auto is_needed = [&](const Member& other) { return needs(member, other); };
      state.needed.push_back({std::ranges::count_if(one.members, is_needed)});
    }
    if (!edits_.on_time.empty()) state.last_other = last_outside(one, is_on_time_);
    for (const Member& member : one.members) {
      if (member.time.start < program_.window.start) begin(collective, member, member.time.start);
    }
  }

  // Shortens the own times of the stage in which the ranks in `on_time` are (RunEdits::on_time).
  void shorten_stage() {
    const bool is_pipeline = std::ranges::any_of(
        edits_.on_time, [this](std::uint32_t r) { return of_rank_[r]->has_pairs; });
    const bool are_alone = std::ranges::any_of(
        collectives_, [](const Collective& one) { return one.last_other == nullptr; });
    if (!is_pipeline && !are_alone) return;
    const std::size_t all = program_.of_rank.size();
    RankSet is_in_stage = is_on_time_;
    for (const MatchedCollective& one : program_.matches->collectives) {
      const bool is_in = std::ranges::any_of(
          one.members, [this](const Member& member) { return is_on_time_[member.rank]; });
      if (!is_pipeline || !joins_all(one.kind) || one.members.size() == all || !is_in) continue;
      for (const Member& member : one.members) is_in_stage[member.rank] = true;
    }
    Ns own = 0;   // greatest own time of a rank on time
    Ns most = 0;  // greatest own time of a rank of another stage
    for (std::uint32_t r = 0; r < all; ++r) {
      const RunProgram::OfRank& one = program_.of_rank[r];
      if (is_on_time_[r]) own = std::max(own, one.own);
      if (!is_in_stage[r] && (one.has_pairs || !is_pipeline)) most = std::max(most, one.own);
    }
    if (most == 0 || own <= most) return;
    for (std::uint32_t r = 0; r < all; ++r) {
      if (!is_in_stage[r]) continue;
      own_left_[r] *= portion(most, own);
      host_left_[r] *= portion(most, own);
    }
  }

  // Finds the intervals in which a rank computes while one of its communication kernels waits for a
  // late rank (RunEdits::on_time).
  void find_crowded() {
    std::vector<std::vector<Interval>> waits(ranks_.size());
    for (const MatchedCollective& one : program_.matches->collectives) {
      if (!is_on_time_[one.last().rank]) continue;
      for (const Member& member : one.members) {
        if (!is_on_time_[member.rank])
          waits[member.rank].push_back({member.time.start, member.ready});
      }
    }
    for (std::uint32_t r = 0; r < ranks_.size(); ++r) {
      ranks_[r].crowded =
          intersect(program_.ranks[r].other_work, IntervalSet::union_of(std::move(waits[r])));
    }
  }

  void save_host_times() {
    for (std::uint32_t r = 0; r < ranks_.size(); ++r) {
      ranks_[r].host_saved.resize(program_.ranks[r].collectives.size());
    }
    for (std::size_t c = 0; c < collectives_.size(); ++c) {
      if (!edits_.merged[c]) continue;
      for (const Member& member : program_.matches->collectives[c].members) {
        if (member.kernel == 0) continue;
        const std::vector<RankCollective>& kernels = program_.ranks[member.rank].collectives;
        ranks_[member.rank].host_saved[member.kernel] =
            kernels[member.kernel].host_time - kernels[member.kernel - 1].host_time;
      }
    }
    for (Rank& rank : ranks_) {
      std::partial_sum(rank.host_saved.begin(), rank.host_saved.end(), rank.host_saved.begin());
    }
  }

  // Returns how long own work of a rank takes in the replay, in ns. `recorded`: how long this work
  // took in the recording.
  Ns own(std::uint32_t rank, Ns recorded) const { return part_of(recorded, own_left_[rank]); }
  Ns host_time(std::uint32_t rank, Ns recorded) const {
    return part_of(recorded, host_left_[rank]);
  }
  static Ns part_of(Ns recorded, double left) {
    return left == 1 ? recorded : std::llround(left * static_cast<double>(recorded));
  }

  // Returns the new length of the transfer, if the event's collective is merged; else nullopt.
  std::optional<Ns> merged(const RankEvent& event) const {
    return edits_.merged.empty() ? std::nullopt : edits_.merged[event.collective];
  }

  // Returns the part of an event's own time that lies between a merged collective and the
  // collective before it.
  Ns within_row(const RankEvent& event, std::uint32_t r) const {
    const std::uint32_t kernel = program_.member(event).kernel;
    if (!merged(event) || kernel == 0) return 0;
    const std::vector<RankCollective>& kernels = program_.ranks[r].collectives;
    const Ns begin = std::max(ranks_[r].recorded, kernels[kernel - 1].interval.end);
    const Ns end = std::min(ranks_[r].recorded + event.own, kernels[kernel].interval.start);
    return std::max<Ns>(0, end - begin);
  }

  // Returns by how many ns an event's own time gets shorter with RunEdits::frees_multiprocessors.
  // The rank lost this time because its waiting communication kernels occupied multiprocessors.
  Ns freed(const RankEvent& event, std::uint32_t r) const {
    if (!edits_.frees_multiprocessors) return 0;
    const Ns begin = ranks_[r].recorded;
    const Ns crowded = ranks_[r].crowded.length_in({begin, begin + event.own});
    return std::llround(program_.ranks[r].lost.most * static_cast<double>(crowded));
  }

  // Runs the own work of a rank.
  void advance(std::uint32_t r) {
    const std::vector<RankEvent>& events = of_rank_[r]->events;
    for (Rank& rank = ranks_[r]; rank.next < events.size(); ++rank.next) {
      const RankEvent& event = events[rank.next];
      const Ns time = own(r, event.own - within_row(event, r) - freed(event, r));
      if (!(event.is_wait ? wait(event, rank, time) : get_ready(event, r, time))) return;
      rank.recorded =
          event.is_wait ? program_.end_of(event) : program_.member(event).time.start - event.lead;
    }
  }

  // Lets a rank wait for the end of the event's kernel. Returns false if this end is not known yet.
  bool wait(const RankEvent& event, Rank& rank, Ns own) {
    if (!program_.is_open(event)) {
      const std::optional<Ns> end = end_of(event);
      if (!end) return false;
      rank.least = std::max(rank.least, *end);
    }
    rank.now = std::max(rank.now + own, rank.least);
    return true;
  }

  // Makes the data for a kernel ready. A rank in `on_time` may need to know when the other ranks
  // begin. Returns false if this is not known yet.
  bool get_ready(const RankEvent& event, std::uint32_t r, Ns own) {
    Rank& rank = ranks_[r];
    const Collective& state = collectives_[event.collective];
    Ns now = rank.now + own;
    const bool comes_on_time = is_on_time_[r] && !program_.collective(event).is_pair &&
                               state.last_other != nullptr &&
                               late_after(program_.member(event), *state.last_other, program_.ranks,
                                          program_.clock_errors) > 0;
    if (comes_on_time) {
      if (state.others.left > 0) return false;
      now = std::max(rank.least, std::min(now, state.others.last));
    }
    rank.now = rank.least = now;
    rank.lanes[event.lane].queue.emplace(&event, now);
    run_lane(rank.lanes[event.lane], r);
    return true;
  }

  // Begins the kernels in the queue of a lane, one after the other. A kernel may have to wait for
  // the end of the previous kernel. Stops if this end is not known yet.
  void run_lane(Lane& lane, std::uint32_t r) {
    for (; !lane.queue.empty(); lane.queue.pop()) {
      auto [event, now] = lane.queue.front();
      const Member& member = program_.member(*event);
      Ns recorded = member.time.start - event->lead;  // when it could begin in the recording
      const Member* before = lane.running == nullptr ? nullptr : &program_.member(*lane.running);
      if (before != nullptr && before->time.end <= member.time.start) {
        const bool needs_none = before->time.end <= before->ready;
        const std::optional<Ns> end =
            needs_none ? lane.begun + before->time.length() : end_of(*lane.running);
        if (!end) return;
        now = std::max(now, *end);
        recorded = std::max(recorded, before->time.end);
      }
      const Ns issue = program_.of_rank[r].host_begin + program_.kernel(*event).host_time;
      const std::vector<Ns>& saved = ranks_[r].host_saved;
      const Ns in_rows = saved.empty() ? 0 : saved[member.kernel];
      if (!is_on_time_[r])
        now = std::max(now, program_.window.start + host_time(r, issue - in_rows));
      recorded = std::max(recorded, program_.window.start + issue);
      if (!merged(*event)) now += own(r, std::max<Ns>(0, member.time.start - recorded));
      lane.running = event;
      lane.begun = now;
      begin(event->collective, member, now);
    }
  }

  // Returns the end of a kernel in the window. Returns nullopt if a rank that the kernel needs has
  // not begun.
  std::optional<Ns> end_of(const RankEvent& event) const {
    const Collective& state = collectives_[event.collective];
    const Awaited& needed = state.needed.empty() ? state.all : state.needed[event.member];
    if (needed.left > 0) return std::nullopt;
    Ns transfer = program_.end_of(event) - program_.member(event).ready;
    if (!edits_.exposed.empty()) {
      transfer = std::llround(edits_.exposed[event.collective] * static_cast<double>(transfer));
    }
    // A merged transfer may reach beyond the window.
    return needed.last + std::min(transfer, merged(event).value_or(transfer));
  }

  // Begins the kernel of `member`. Ranks may go on if `member` is the last member that they waited
  // for.
  void begin(std::size_t collective, const Member& member, Ns time) {
    const std::vector<Member>& members = program_.matches->collectives[collective].members;
    Collective& state = collectives_[collective];
    const bool have_all = state.all.begin(time);
    const bool have_others = !is_on_time_[member.rank] && state.others.begin(time);
    for (std::size_t m = 0; m < state.needed.size(); ++m) {
      if (needs(members[m], member) && state.needed[m].begin(time)) {
        awake_.push_back(members[m].rank);
      }
    }
    if (!have_all && !have_others) return;
    for (const Member& each : members) awake_.push_back(each.rank);
  }

  const RunProgram& program_;
  const RunEdits& edits_;
  std::vector<RunProgram::OfRank> at_start_;  // of ranks whose kernels are ready at their starts
  std::vector<const RunProgram::OfRank*> of_rank_;  // what each rank does
  std::vector<double> own_left_;   // by rank: the share of its own time that it still takes
  std::vector<double> host_left_;  // by rank: the share of its host time that it still takes
  std::vector<Collective> collectives_;
  RankSet is_on_time_;
  std::vector<Rank> ranks_;
  std::vector<std::uint32_t> awake_;  // ranks that may go on; a rank may occur several times
};

}  // namespace

Ns replay_run(const RunProgram& program, const RunEdits& edits) {
  return Replay(program, edits).run();
}

}  // namespace lapscope::analyzer
