#include "analyzer/ranks/replay_run.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "analyzer/ranks/waiting.h"

namespace lapscope::analyzer {
namespace {

using Member = MatchedCollective::Member;

// Replays the ranks of a program. The own work of a rank runs until it needs a collective that
// other ranks have not begun. A lane also stops at such a collective. The own work and the lane go
// on when the missing rank has begun the collective.
class Replay {
 public:
  Replay(const RunProgram& program, const RunEdits& edits)
      : program_(program),
        edits_(edits),
        collectives_(program.matches->collectives.size()),
        is_on_time_(program.of_rank.size()),
        ranks_(program.of_rank.size(), {program.window.start, program.window.start}) {
    for (std::uint32_t r = 0; r < ranks_.size(); ++r) {
      own_left_.push_back(edits.without_recorder ? 1 - program.ranks[r].recorder_share : 1);
      ranks_[r].lanes.resize(program.of_rank[r].lanes);
      ranks_[r].recorded = program.window.start;
    }
    for (const RunProgram::OfRank& one : program.of_rank) of_rank_.push_back(&one);
    const auto& moved = edits.on_time.empty() ? edits.at_start : edits.on_time;
    at_start_.reserve(moved.size());
    for (const std::uint32_t r : moved) {
      of_rank_[r] = &at_start_.emplace_back(ready_at_start(program, r));
    }
    for (const std::uint32_t r : edits.on_time) is_on_time_[r] = true;
    if (!edits.on_time.empty()) set_others();
    if (!edits.merged.empty()) save_host_times();
    for (std::size_t c = 0; c < collectives_.size(); ++c) {
      const MatchedCollective& one = program.matches->collectives[c];
      if (!joins_all(one.kind)) collectives_[c].begins.resize(one.members.size(), never);
      collectives_[c].sleeping.resize(std::max<std::size_t>(1, collectives_[c].begins.size()));
      for (std::uint32_t m = 0; m < one.members.size(); ++m) {
        const Ns start = one.members[m].time.start;
        if (start < program.window.start)
          collectives_[c].begin(m, start, is_on_time_[one.members[m].rank]);
      }
    }
  }

  Ns run() {
    for (std::uint32_t r = 0; r < ranks_.size(); ++r) wake({r, own_work});
    Ns end = program_.window.start;
    while (!awake_.empty()) {
      const Part part = awake_.back();
      awake_.pop_back();
      state_of(part) = State::runs;
      const std::uint32_t r = part.rank;
      if (part.lane != own_work) {
        run_lane(part);
      } else if (advance(r)) {
        end = std::max(end, ranks_[r].now + own(r, of_rank(r).last));
      }
    }
    return end - program_.window.start;
  }

 private:
  // What runs independently of the other parts: a lane of a rank, or the own work of the rank.
  struct Part {
    std::uint32_t rank = 0;
    std::uint32_t lane = 0;  // or own_work
  };
  static constexpr std::uint32_t own_work = std::numeric_limits<std::uint32_t>::max();
  enum class State : std::uint8_t { runs, sleeps, awake };  // awake: it is in `awake_`

  struct Collective {
    void begin(std::uint32_t member, Ns time, bool is_on_time) {
      last_begin = std::max(last_begin, time);
      ++begun;
      if (!is_on_time) {
        last_other_begin = std::max(last_other_begin, time);
        ++others_begun;
      }
      if (!begins.empty()) begins[member] = time;
    }
    Ns last_begin = never;
    std::uint32_t begun = 0;  // number of members
    // Of the members that are not in `on_time`: the one that began last in the recording, their
    // number, and, as above, what they did in the replay.
    const Member* last_other = nullptr;
    std::uint32_t others = 0;
    Ns last_other_begin = never;
    std::uint32_t others_begun = 0;
    std::vector<Ns> begins;  // by member; only of sends and receives
    // By member: the parts that go on when this member begins. If the collective joins all ranks,
    // the first list has all parts, and they go on when all members have begun.
    std::vector<std::vector<Part>> sleeping;
  };
  // A kernel whose data is ready.
  struct Ready {
    const RankEvent* event = nullptr;
    Ns time = 0;  // when the data is ready
  };
  struct Lane {
    std::vector<Ready> queue;
    std::size_t next = 0;                // in `queue`
    const RankEvent* running = nullptr;  // the kernel that began last
    Ns begun = 0;                        // when it began
    std::size_t missing = 0;  // of the members before this one, those that it needs have begun
    State state = State::runs;
  };
  struct Rank {
    Ns now = 0;
    // The earliest possible time of the rank's next event. It is the time at which data of the rank
    // was last ready, or the end of the last kernel that the rank waited for, whichever is later.
    Ns least = 0;
    std::size_t next = 0;
    std::size_t missing = 0;  // as in Lane, of the event `next`
    Ns recorded = 0;          // when the event before `next` was recorded
    State state = State::runs;
    std::vector<Lane> lanes = {};
    // By kernel: the time that the host spent on issuing merged collectives up to this kernel.
    // Empty if no collective is merged.
    std::vector<Ns> host_saved = {};
  };

  // Sets what the collectives need to know of the ranks on time, and shortens a stage of them.
  void set_others() {
    bool is_stage = std::ranges::any_of(edits_.on_time,
                                        [this](std::uint32_t r) { return of_rank(r).has_pairs; });
    const bool is_pipeline = is_stage;
    for (std::size_t c = 0; c < collectives_.size(); ++c) {
      const MatchedCollective& one = program_.matches->collectives[c];
      collectives_[c].last_other = last_outside(one, is_on_time_);
      collectives_[c].others = static_cast<std::uint32_t>(std::ranges::count_if(
          one.members, [this](const Member& member) { return !is_on_time_[member.rank]; }));
      is_stage |= collectives_[c].others == 0;
    }
    if (is_stage) shorten_stage(is_pipeline);
  }

  // Shortens the own times of the ranks on time by one factor. The slowest of them then has the
  // same own time as the slowest other rank. In a pipeline, all ranks of their stage get faster,
  // and are compared with the other stages. The ranks of a stage share a communicator that lacks
  // some ranks of the run.
  void shorten_stage(bool is_pipeline) {
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
      if (is_in_stage[r]) own_left_[r] *= portion(most, own);
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

  const RunProgram::OfRank& of_rank(std::uint32_t rank) const { return *of_rank_[rank]; }

  State& state_of(const Part& part) {
    Rank& rank = ranks_[part.rank];
    return part.lane == own_work ? rank.state : rank.lanes[part.lane].state;
  }

  void wake(const Part& part) {
    if (std::exchange(state_of(part), State::awake) != State::awake) awake_.push_back(part);
  }

  // Stops a part until a member of a collective begins. If the collective joins all ranks, stops it
  // until all have begun, and ignores `member`.
  void sleep(const Part& part, std::uint32_t collective, std::size_t member) {
    state_of(part) = State::sleeps;
    Collective& state = collectives_[collective];
    state.sleeping[state.begins.empty() ? 0 : member].push_back(part);
  }

  Ns own(std::uint32_t rank, Ns recorded) const {
    const double left = own_left_[rank];
    return left == 1 ? recorded : std::llround(left * static_cast<double>(recorded));
  }

  // Returns the earliest time at which the host can issue the kernel of an event.
  Ns issued(const RankEvent& event, std::uint32_t r) const {
    const Ns recorded = program_.of_rank[r].host_begin + program_.kernel(event).host_time;
    const std::vector<Ns>& saved = ranks_[r].host_saved;
    const Ns in_rows = saved.empty() ? 0 : saved[program_.member(event).kernel];
    return program_.window.start + own(r, recorded - in_rows);
  }

  // The new length of a merged collective's transfer.
  std::optional<Ns> merged(const RankEvent& event) const {
    return edits_.merged.empty() ? std::nullopt : edits_.merged[event.collective];
  }

  // Runs the own work of a rank. Returns true if the work ends, and false if it stops at a
  // collective.
  bool advance(std::uint32_t r) {
    const std::vector<RankEvent>& events = of_rank(r).events;
    for (Rank& rank = ranks_[r]; rank.next < events.size(); ++rank.next) {
      const RankEvent& event = events[rank.next];
      const Ns time = own(r, event.own - within_row(event, r));
      if (!(event.is_wait ? wait(event, rank, time) : get_ready(event, r, time))) {
        sleep({r, own_work}, event.collective, event.is_wait ? rank.missing : other_missing(event));
        return false;
      }
      rank.missing = 0;
      rank.recorded =
          event.is_wait ? program_.end_of(event) : program_.member(event).time.start - event.lead;
    }
    return true;
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

  bool get_ready(const RankEvent& event, std::uint32_t r, Ns own) {
    Rank& rank = ranks_[r];
    const MatchedCollective& one = program_.collective(event);
    const Collective& state = collectives_[event.collective];
    Ns now = rank.now + own;
    const bool comes_on_time = is_on_time_[r] && !one.is_pair && state.last_other != nullptr &&
                               late_after(program_.member(event), *state.last_other, program_.ranks,
                                          program_.clock_errors) > 0;
    if (comes_on_time) {
      if (state.others_begun < state.others) return false;
      now = std::max(rank.least, std::min(now, state.last_other_begin));
    }
    rank.now = rank.least = now;
    rank.lanes[event.lane].queue.push_back({&event, now});
    run_lane({r, event.lane});
    return true;
  }

  // Begins the kernels in the queue of a lane. Stops at a kernel if the end of the previous kernel
  // is not known yet.
  void run_lane(const Part& part) {
    const std::uint32_t r = part.rank;
    Lane& lane = ranks_[r].lanes[part.lane];
    if (lane.state == State::sleeps) return;
    for (; lane.next < lane.queue.size(); ++lane.next) {
      const Ready& ready = lane.queue[lane.next];
      const RankEvent& event = *ready.event;
      const Ns start = program_.member(event).time.start;
      Ns now = ready.time;
      Ns recorded = start - event.lead;  // when the kernel could begin in the recording
      if (lane.running != nullptr && program_.member(*lane.running).time.end <= start) {
        const std::optional<Ns> end = end_in(lane);
        if (!end) return sleep(part, lane.running->collective, lane.missing);
        now = std::max(now, *end);
        recorded = std::max(recorded, program_.member(*lane.running).time.end);
      }
      if (!is_on_time_[r]) now = std::max(now, issued(event, r));
      recorded = std::max(recorded, program_.window.start + program_.of_rank[r].host_begin +
                                        program_.kernel(event).host_time);
      if (!merged(event)) now += own(r, std::max<Ns>(0, start - recorded));
      lane.running = &event;
      lane.missing = 0;
      lane.begun = now;
      begin(event, now);
    }
    lane.queue.clear();
    lane.next = 0;
  }

  // Returns the end of the kernel that began last in a lane. Returns nothing if the end depends on
  // a rank that has not begun.
  std::optional<Ns> end_in(Lane& lane) const {
    const Member& member = program_.member(*lane.running);
    if (member.time.end <= member.ready) return lane.begun + member.time.length();
    const std::optional<Ns> last = last_needed(*lane.running, lane.missing);
    if (!last || edits_.hides_transfers) return last;
    return *last + merged(*lane.running).value_or(member.time.end - member.ready);
  }

  void begin(const RankEvent& event, Ns now) {
    const MatchedCollective& one = program_.collective(event);
    Collective& state = collectives_[event.collective];
    const bool is_on_time = is_on_time_[program_.member(event).rank];
    state.begin(event.member, now, is_on_time);
    // Ranks on time go on when all other ranks have begun.
    const bool is_last_other = !is_on_time && state.others_begun == state.others;
    if (joins_all(one.kind) && !is_last_other && state.begun < one.members.size()) return;
    const std::size_t member = joins_all(one.kind) ? 0 : event.member;
    for (const Part& part : std::exchange(state.sleeping[member], {})) wake(part);
  }

  bool wait(const RankEvent& event, Rank& rank, Ns own) {
    if (!program_.is_open(event)) {
      const std::optional<Ns> last = last_needed(event, rank.missing);
      if (!last) return false;
      const Ns transfer = program_.end_of(event) - program_.member(event).ready;
      // A merged transfer may reach beyond the window.
      const Ns left = std::min(transfer, merged(event).value_or(transfer));
      const Ns end = *last + (edits_.hides_transfers ? 0 : left);
      rank.least = std::max(rank.least, end);
    }
    rank.now = std::max(rank.now + own, rank.least);
    return true;
  }

  // The kernel of an event needs certain ranks to begin its collective. Returns when the last of
  // them began. If one of them has not begun, returns nothing and sets `missing` to the member of
  // that rank. Pass 0 as `missing` at first, and then the value that this function set.
  std::optional<Ns> last_needed(const RankEvent& event, std::size_t& missing) const {
    const MatchedCollective& one = program_.collective(event);
    const Collective& state = collectives_[event.collective];
    if (joins_all(one.kind)) {
      return state.begun < one.members.size() ? std::nullopt : std::optional(state.last_begin);
    }
    const auto is_needed = [&](std::size_t member) {
      return one.members[member].time.start <= program_.member(event).ready;
    };
    for (; missing < one.members.size(); ++missing) {
      if (is_needed(missing) && state.begins[missing] == never) return std::nullopt;
    }
    Ns last = never;
    for (std::size_t m = 0; m < one.members.size(); ++m) {
      if (is_needed(m)) last = std::max(last, state.begins[m]);
    }
    return last;
  }

  // Returns the first member that has not begun and is not on time. There must be one.
  std::size_t other_missing(const RankEvent& event) const {
    const std::vector<Ns>& begins = collectives_[event.collective].begins;
    const std::vector<Member>& members = program_.collective(event).members;
    std::size_t m = 0;
    while (m + 1 < begins.size() && (begins[m] != never || is_on_time_[members[m].rank])) ++m;
    return m;
  }

  static constexpr Ns never = std::numeric_limits<Ns>::min();
  const RunProgram& program_;
  const RunEdits& edits_;
  std::vector<RunProgram::OfRank> at_start_;  // of ranks whose kernels are ready at their starts
  std::vector<const RunProgram::OfRank*> of_rank_;  // what each rank does
  std::vector<double> own_left_;  // by rank: the share of its own time that it still takes
  std::vector<Collective> collectives_;
  RankSet is_on_time_;
  std::vector<Rank> ranks_;
  std::vector<Part> awake_;
};

}  // namespace

Ns replay_run(const RunProgram& program, const RunEdits& edits) {
  return Replay(program, edits).run();
}

}  // namespace lapscope::analyzer
