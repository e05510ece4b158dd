#include "analyzer/independence/independence.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "analyzer/model/assumptions.h"
#include "analyzer/model/trace.h"

namespace lapscope::analyzer {
namespace {

// A round: consecutive ops that one thread issues to one stream. `BeginsRound` decides which ops
// begin a new round.
//
//   thread 1  hkdhkdhkd............     three rounds of H K D; each H begins a round
//   stream 1  .HHKKDDHHKKDDHHKKDD..
struct Round {
  std::uint32_t device = 0;       // in Trace::devices
  std::uint64_t stream = 0;       // the stream of the ops: process id and stream id
  std::uint32_t next = no_index;  // index of the thread's next round in the stream
  std::uint64_t does = 0;         // hash of the ops, the same in any order
  bool recurs = false;            // whether at least enough_examples rounds have the same hash
  std::vector<std::uint32_t> ops;
};

// Whether `op` begins a round. `before` is the previous op of the same thread and stream.
using BeginsRound = bool (*)(const Ops& ops, std::uint32_t before, std::uint32_t op);

// Returns the stream of an op, as process id and stream id. For a graph node, returns the stream of
// its launch, even if the node ran in another stream.
std::uint64_t stream_of_op(const Trace& trace, const Device& device, std::uint32_t op) {
  const Stream& own = device.streams[device.ops.stream[op]];
  std::uint32_t id = own.id;
  if ((device.ops.memory[op] & in_graph) != 0 && device.ops.issue[op] != no_index) {
    const CallStream* named = stream_of_call(trace, device.ops.issue[op]);
    if (named && named->stream != no_index) id = named->stream;
  }
  return std::uint64_t{own.pid} << 32 | id;
}

// Returns a hash of a number (splitmix64). Close numbers have distant hashes.
std::uint64_t mixed(std::uint64_t number) {
  number = (number + 0x9e3779b97f4a7c15) * 0xbf58476d1ce4e5b9;
  number = (number ^ number >> 27) * 0x94d049bb133111eb;
  return number ^ number >> 31;
}

// Returns a hash of what the ops do. The order of the ops does not matter.
std::uint64_t what_they_do(const Ops& ops, const std::uint32_t* first, std::size_t count) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += mixed(code_of_op(ops, first[i]));
  return sum;
}

// Returns the rounds of a trace, device by device, in the order of their first ops.
std::vector<Round> rounds_of(const Trace& trace, BeginsRound begins) {
  std::vector<Round> rounds;
  for (std::uint32_t d = 0; d < trace.devices.size(); ++d) {
    const Ops& ops = trace.devices[d].ops;
    std::map<std::pair<std::uint64_t, std::uint32_t>, std::uint32_t> last;  // by stream and thread
    for (std::uint32_t op = 0; op < ops.size(); ++op) {
      const std::uint64_t stream = stream_of_op(trace, trace.devices[d], op);
      const std::uint32_t call = ops.issue[op];
      const std::uint32_t thread = call == no_index ? no_index : trace.calls.thread_of(call);
      const auto next = static_cast<std::uint32_t>(rounds.size());
      const auto [known, is_first] = last.try_emplace({stream, thread}, next);
      const bool is_new = is_first || begins(ops, rounds[known->second].ops.back(), op);
      if (is_new && !is_first) known->second = rounds[known->second].next = next;
      if (is_new) rounds.push_back({d, stream});
      rounds[known->second].ops.push_back(op);
    }
  }
  std::unordered_map<std::uint64_t, std::uint32_t> times;
  for (Round& one : rounds) {
    one.does = what_they_do(trace.devices[one.device].ops, one.ops.data(), one.ops.size());
    ++times[one.does];
  }
  for (Round& one : rounds) one.recurs = times[one.does] >= assumed::enough_examples;
  return rounds;
}

Grounds if_it_counts(Grounds grounds) {
  return grounds == Grounds::none || rule_of(grounds) ? grounds : Grounds::none;
}

bool is_in(const Ops& ops, std::uint32_t op) { return ops.engine[op] == Engine::h2d; }
bool is_out(const Ops& ops, std::uint32_t op) { return ops.engine[op] == Engine::d2h; }

bool brings_data(const Ops& ops, std::uint32_t before, std::uint32_t op) {
  return is_in(ops, op) && !is_in(ops, before);
}
bool follows_results(const Ops& ops, std::uint32_t before, std::uint32_t op) {
  return is_out(ops, before) && !is_out(ops, op);
}

// Returns the time at which an op was issued. Returns latest_time if it is not known.
Ns issued_at(const Trace& trace, const Ops& ops, std::uint32_t op) {
  return ops.issue[op] == no_index ? latest_time : trace.calls.start[ops.issue[op]];
}

Ns last_end(const Ops& ops, const std::uint32_t* first, const std::uint32_t* behind) {
  Ns end = 0;
  for (; first != behind; ++first) end = std::max(end, ops.end[*first]);
  return end;
}

bool computes(const Ops& ops, const Round& round) {
  return std::any_of(round.ops.begin(), round.ops.end(),
                     [&](std::uint32_t op) { return ops.kind[op] == OpKind::kernel; });
}

// Whether a round copies out at least assumed::hardly_any of the bytes that it copies in. If so,
// its results probably do not stay on the device.
bool takes_results_out(const Ops& ops, const Round& round) {
  std::int64_t in = 0;
  std::int64_t out = 0;
  for (const std::uint32_t op : round.ops) {
    if (is_in(ops, op)) in += ops.bytes[op];
    if (is_out(ops, op)) out += ops.bytes[op];
  }
  return out > 0 && static_cast<double>(out) >= assumed::hardly_any * static_cast<double>(in);
}

// Whether the first ops of a round do the same work as all ops of the previous round (`ahead`). The
// round may have more ops: the last round of a loop also has the ops after the loop.
bool begins_as(const Ops& ops, const Round& round, const Round& ahead) {
  return round.ops.size() >= ahead.ops.size() &&
         what_they_do(ops, round.ops.data(), ahead.ops.size()) == ahead.does;
}

}  // namespace

Launched launched(const Trace& trace, const Graph& graph, const LaunchedGraphs& launches,
                  const Step& launch) {
  Launched result{launches.executable_of(launch)};
  for (std::uint32_t t = launch.first_task; t < launch.first_task + launch.task_count; ++t) {
    const Task& task = graph.tasks[t];
    if (task.op != no_index) {
      result.does += what_they_do(trace.devices[task.device].ops, &task.op, 1);
    }
  }
  return result;
}

namespace {

// The first and the last kernel of a stream, in the order of issue.
struct Use {
  std::uint32_t first = no_index;
  std::uint32_t last = 0;
  std::uint16_t device = 0;
};

// A stream is in use from its first kernel to its last kernel. Returns, for each stream, whether no
// other stream of its device is in use at the same time.
std::vector<bool> are_alone(const std::vector<Use>& uses) {
  std::vector<std::uint32_t> order(uses.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&uses](std::uint32_t a, std::uint32_t b) {
    return std::tie(uses[a].device, uses[a].first) < std::tie(uses[b].device, uses[b].first);
  });
  // Among the streams order[0] to order[i] that are on the device of order[i], `one` ends last, and
  // `other` ends second last.
  struct Latest {
    std::uint32_t one = no_index;
    std::uint32_t other = no_index;
  };
  const auto ends_later = [&uses](std::uint32_t a, std::uint32_t b) {
    return b == no_index || uses[a].last > uses[b].last;
  };
  std::vector<Latest> latest(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool is_next = i > 0 && uses[order[i - 1]].device == uses[order[i]].device;
    Latest& own = latest[i] = is_next ? latest[i - 1] : Latest();
    if (ends_later(order[i], own.one)) {
      own = {order[i], own.one};
    } else if (ends_later(order[i], own.other)) {
      own.other = order[i];
    }
  }
  std::vector<bool> alone(uses.size(), true);
  for (std::uint32_t u = 0; u < uses.size(); ++u) {
    const auto begins_before = [&](std::uint32_t other) {
      return std::tie(uses[other].device, uses[other].first) <
             std::tie(uses[u].device, uses[u].last);
    };
    const auto after = std::partition_point(order.begin(), order.end(), begins_before);
    if (after == order.begin() || uses[*std::prev(after)].device != uses[u].device) continue;
    const Latest& before = latest[static_cast<std::size_t>(after - order.begin()) - 1];
    const std::uint32_t other = before.one == u ? before.other : before.one;
    alone[u] = other == no_index || uses[other].last <= uses[u].first;
  }
  return alone;
}

}  // namespace

OpenOrder::OpenOrder(const Trace& trace, const Graph& graph) : trace_(trace), graph_(graph) {
  std::vector<Use> uses(graph.streams.size());
  for (std::uint32_t t = 0; t < graph.tasks.size(); ++t) {
    const Task& task = graph.tasks[t];
    if (task.kernel_class == no_index || task.communicates) continue;
    Use& use = uses[task.stream];
    use = {std::min(use.first, t), t, task.device};
  }
  is_alone_ = are_alone(uses);
}

bool OpenOrder::is_open(const Task& ahead, const Task& kernel) const {
  if (!rule::open_order) return false;
  const auto leaves_most = [this](const Task& task) {
    return task.geometry != no_index && !task.communicates &&
           double{graph_.uses[task.geometry].covers} < assumed::majority;
  };
  if (!leaves_most(ahead) || !leaves_most(kernel) || !is_alone_[kernel.stream]) return false;
  const Ops& ops = trace_.devices[kernel.device].ops;
  return ahead.device == kernel.device && code_of_op(ops, ahead.op) == code_of_op(ops, kernel.op);
}

void Independence::read() const {
  for (const Device& device : trace_.devices) facts_.emplace_back(device.ops.size());
  read_copies_in();
  read_copies_out();
}

void Independence::read_copies_in() const {
  const std::vector<Round> rounds = rounds_of(trace_, brings_data);
  for (const Round& round : rounds) {
    const Ops& ops = trace_.devices[round.device].ops;
    const std::uint32_t* first = round.ops.data();
    CopiedIn one{round.stream, round.does, ops.start[*first],
                 last_end(ops, first, first + round.ops.size())};
    if (round.recurs && is_in(ops, *first) && computes(ops, round)) {
      (takes_results_out(ops, round) ? one.is_tile : one.is_step) = true;
    }
    for (const std::uint32_t op : round.ops) {
      facts_[round.device][op].round = static_cast<std::uint32_t>(rounds_.size());
    }
    rounds_.push_back(one);
  }
  const auto are_seen = seen_side_by_side();
  std::unordered_map<std::uint64_t, std::uint32_t> last;  // by stream
  for (std::uint32_t r = 0; r < rounds.size(); ++r) {
    const Round& round = rounds[r];
    const Ops& ops = trace_.devices[round.device].ops;
    const std::uint32_t first = round.ops.front();
    if (!is_in(ops, first)) continue;
    const auto [known, is_first] = last.try_emplace(round.stream, r);
    const std::uint32_t before = std::exchange(known->second, r);
    if (is_first || rounds[before].device != round.device) continue;
    const CopiedIn& ahead = rounds_[before];
    const bool is_last = begins_as(ops, round, rounds[before]);
    const bool is_early = issued_at(trace_, ops, first) < ahead.end;
    Grounds& grounds = facts_[round.device][first].ahead;
    if (ahead.is_tile && (rounds_[r].is_tile || is_last)) {
      if (is_early) grounds = if_it_counts(Grounds::issued_ahead);
      if (grounds == Grounds::none && are_seen.count(ahead.does) > 0) {
        grounds = if_it_counts(Grounds::side_by_side);
      }
    } else if (ahead.is_step && (rounds_[r].is_step || is_last) && is_early) {
      grounds = if_it_counts(Grounds::data_on_host);
    }
  }
}

// Finds the tiles that overlap a tile with the same work in another stream. Returns the work of
// these tiles (CopiedIn::does).
std::unordered_set<std::uint64_t> Independence::seen_side_by_side() const {
  std::vector<const CopiedIn*> tiles;
  for (const CopiedIn& one : rounds_) {
    if (one.is_tile) tiles.push_back(&one);
  }
  std::stable_sort(tiles.begin(), tiles.end(),
                   [](const CopiedIn* a, const CopiedIn* b) { return a->start < b->start; });
  std::unordered_set<std::uint64_t> result;
  std::unordered_map<std::uint64_t, const CopiedIn*> latest;  // by `does`: the tile that ends last
  for (const CopiedIn* one : tiles) {
    const CopiedIn*& other = latest.try_emplace(one->does, one).first->second;
    if (other->stream != one->stream && one->start < other->end) result.insert(one->does);
    if (one->end > other->end) other = one;
  }
  return result;
}

void Independence::read_copies_out() const {
  const std::vector<Round> rounds = rounds_of(trace_, follows_results);
  for (const Round& round : rounds) {
    const Ops& ops = trace_.devices[round.device].ops;
    if (!round.recurs || round.next == no_index || !computes(ops, round)) continue;
    const std::uint32_t behind = rounds[round.next].ops.front();
    const std::uint32_t* end = round.ops.data() + round.ops.size();
    const std::uint32_t* copy = end - 1;
    while (copy != round.ops.data() && is_out(ops, *(copy - 1))) --copy;
    const CopiedIn& copied_in = rounds_[facts_[round.device][*copy].round];
    const bool brings = is_in(ops, behind) || ops.target[behind] != no_device;
    if (copied_in.is_tile || copied_in.is_step || brings) continue;
    if (issued_at(trace_, ops, behind) >= last_end(ops, copy, end)) continue;
    for (; copy != end; ++copy) {
      facts_[round.device][*copy].behind = if_it_counts(Grounds::result_unread);
    }
  }
}

// Returns the facts about the op of a task. For a host function, returns an empty result.
const Independence::OpFacts& Independence::facts_of(const Task& task) const {
  static constexpr OpFacts unknown;
  if (task.op == no_index) return unknown;
  std::call_once(is_read_, [this] { read(); });
  return facts_[task.device][task.op];
}

Grounds Independence::of_all_ahead(const Task& task) const { return facts_of(task).ahead; }
Grounds Independence::of_all_behind(const Task& task) const { return facts_of(task).behind; }

Grounds Independence::of(const Task& ahead, const Task& task) const {
  const OpFacts& before = facts_of(ahead);
  const OpFacts& own = facts_of(task);
  const bool are_ops = ahead.op != no_index && task.op != no_index;
  const CopiedIn one = are_ops ? rounds_[before.round] : CopiedIn{};
  const CopiedIn other = are_ops ? rounds_[own.round] : CopiedIn{};
  if (ahead.stream == task.stream || (are_ops && one.stream == other.stream)) {
    if (own.ahead != Grounds::none) return own.ahead;
    if (before.behind != Grounds::none) return before.behind;
  } else if (one.is_tile && other.is_tile && one.does == other.does) {
    return if_it_counts(Grounds::side_by_side);
  }
  if (!are_ops) return Grounds::none;
  const auto target = [this](const Task& copy) {
    return trace_.devices[copy.device].ops.target[copy.op];
  };
  if (target(ahead) != no_device && target(ahead) == trace_.devices[task.device].id &&
      target(task) == trace_.devices[ahead.device].id) {
    return if_it_counts(Grounds::there_and_back);
  }
  const bool is_in = ahead.engine == Engine::h2d;
  const bool is_out = task.engine == Engine::d2h;
  const bool are_separate = (is_in && is_out) || (ahead.engine == task.engine && (is_in || is_out));
  return are_separate ? if_it_counts(Grounds::separate_copies) : Grounds::none;
}

// CUDA never runs one executable graph twice at the same time. If a program makes two executable
// graphs with the same nodes, it probably does so to run their launches at the same time.
Grounds Independence::of(const Launched& ahead, const Launched& launch) const {
  const bool is_meant = are_two(ahead, launch) && ahead.does == launch.does;
  return is_meant ? if_it_counts(Grounds::own_executable) : Grounds::none;
}

}  // namespace lapscope::analyzer
