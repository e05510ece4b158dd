#include "analyzer/excerpt/excerpt.h"

#include <algorithm>
#include <utility>

#include "analyzer/scope/scope.h"

namespace lapscope::analyzer {
namespace {

constexpr std::uint32_t no_part = no_index;

// Calls of one thread: the calls [first, first + count) of the whole trace. They are consecutive in
// the excerpt, too.
struct Run {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
  std::uint32_t to = 0;  // index of the first call in the excerpt
  std::uint32_t part = 0;
  // The index of the thread in the excerpt. no_index if the calls are nested in other calls.
  std::uint32_t thread = no_index;
};

class Cutting {
 public:
  Cutting(const Trace& whole, const std::vector<Interval>& stretches)
      : whole_(whole), stretches_(stretches), last_op_(stretches.size(), 0) {}

  Excerpt cut() {
    choose_ops();
    choose_calls();
    place_parts();
    copy_calls();
    copy_ops();
    copy_what_calls_tell();
    copy_host_times();
    copy_device_times();
    copy_facts();
    return std::move(excerpt_);
  }

 private:
  std::uint32_t part_at(Ns time) const {
    const auto after =
        std::upper_bound(stretches_.begin(), stretches_.end(), time,
                         [](Ns t, const Interval& stretch) { return t < stretch.start; });
    if (after == stretches_.begin() || std::prev(after)->end <= time) return no_part;
    return static_cast<std::uint32_t>(after - stretches_.begin()) - 1;
  }

  // Chooses the ops of each device and part, in the order of start.
  void choose_ops() {
    first_op_.assign(stretches_.size(), latest_time);
    for (const Device& device : whole_.devices) {
      const Ops& ops = device.ops;
      auto& chosen = chosen_.emplace_back(stretches_.size());
      for (std::uint32_t op = 0; op < ops.size(); ++op) {
        const std::uint32_t part = part_at(time_of_issue(ops, whole_.calls, op));
        if (part == no_part) continue;
        chosen[part].push_back(op);
        first_op_[part] = std::min(first_op_[part], ops.start[op]);
        last_op_[part] = std::max(last_op_[part], ops.end[op]);
      }
    }
  }

  // Returns the end of a call in the excerpt, on the clock of the whole trace. A long call is cut
  // off at the end of its interval, or at the end of the interval's last op if that end is later.
  Ns end_of(std::uint32_t call, std::uint32_t part) const {
    return std::min(whole_.calls.end[call], std::max(stretches_[part].end, last_op_[part]));
  }

  void choose_calls() {
    const Calls& calls = whole_.calls;
    std::uint32_t count = 0;
    std::vector<Calls::Thread>& threads = excerpt_.trace.calls.threads;
    const auto choose = [&](std::uint32_t first, std::uint32_t last, std::size_t thread) {
      for (std::uint32_t part = 0; part < stretches_.size(); ++part) {
        const auto at = [&](Ns time) {
          return static_cast<std::uint32_t>(
              std::lower_bound(calls.start.begin() + first, calls.start.begin() + last, time) -
              calls.start.begin());
        };
        const std::uint32_t begin = at(stretches_[part].start);
        const std::uint32_t end = at(stretches_[part].end);
        if (begin == end) continue;
        runs_.push_back({begin, end - begin, count, part, static_cast<std::uint32_t>(thread)});
        count += end - begin;
      }
    };
    for (std::uint32_t t = 0; t < calls.threads.size(); ++t) {
      const Calls::Thread& thread = calls.threads[t];
      Calls::Thread own{thread.global_tid, count, count, count};
      choose(thread.first, thread.last, threads.size());
      own.last = count;
      choose(thread.last, thread.end, no_index);
      own.end = count;
      if (own.first == own.end) continue;
      threads.push_back(own);
      if (t < whole_.host_states.size()) states_of_.push_back(t);
    }
    calls_ = count;
  }

  // Computes how much earlier each part is in the excerpt than in the whole trace.
  void place_parts() {
    const Calls& calls = whole_.calls;
    // By part: the shortest pause of any thread before its first call in the part. A pause begins
    // at the end of the thread's last call in an earlier part.
    std::vector<Ns> between(stretches_.size(), latest_time);
    for (std::size_t i = 1; i < runs_.size(); ++i) {
      const Run& before = runs_[i - 1];
      const Run& run = runs_[i];
      if (run.thread == no_index || run.thread != before.thread) continue;
      const Ns end = end_of(before.first + before.count - 1, before.part);
      between[run.part] = std::min(between[run.part], calls.start[run.first] - end);
    }
    Ns earlier = 0;
    Ns last_op = 0;  // end of the last op of all parts so far, in times of the excerpt
    for (std::uint32_t part = 0; part < stretches_.size(); ++part) {
      if (part > 0) {
        const Ns skipped =
            std::min(stretches_[part].start - stretches_[part - 1].end, between[part]);
        earlier += skipped;
        if (first_op_[part] != latest_time) {
          earlier = std::min(earlier, first_op_[part] - last_op);
        }
      }
      if (first_op_[part] != latest_time) {
        last_op = std::max(last_op, last_op_[part] - earlier);
      }
      excerpt_.parts.push_back(
          {earlier, stretches_[part].start - earlier, first_op_[part] - earlier});
    }
  }

  Ns moved(Ns time, std::uint32_t part) const { return time - excerpt_.parts[part].earlier; }

  void copy_calls() {
    Calls& calls = excerpt_.trace.calls;
    for (const Run& run : runs_) {
      for (std::uint32_t call = run.first; call < run.first + run.count; ++call) {
        calls.start.push_back(moved(whole_.calls.start[call], run.part));
        calls.end.push_back(moved(end_of(call, run.part), run.part));
        calls.name.push_back(whole_.calls.name[call]);
        calls.kind.push_back(whole_.calls.kind[call]);
      }
    }
    std::ranges::sort(runs_, {}, &Run::first);
  }

  // Returns a call's index in the excerpt; no_index if the call is not in it.
  std::uint32_t call_in_excerpt(std::uint32_t call) const {
    const auto after =
        std::upper_bound(runs_.begin(), runs_.end(), call,
                         [](std::uint32_t c, const Run& run) { return c < run.first; });
    if (call == no_index || after == runs_.begin()) return no_index;
    const Run& run = *std::prev(after);
    return call - run.first < run.count ? run.to + (call - run.first) : no_index;
  }

  void copy_ops() {
    for (std::size_t d = 0; d < whole_.devices.size(); ++d) {
      const Device& from = whole_.devices[d];
      Device& to = excerpt_.trace.devices.emplace_back();
      to.id = from.id;
      to.name = from.name;
      to.streams = from.streams;
      to.limits = from.limits;
      to.links = from.links;
      std::vector<std::uint32_t>& order = excerpt_.ops.emplace_back();
      for (const auto& part : chosen_[d]) order.insert(order.end(), part.begin(), part.end());
      std::apply(
          [&](auto... column) { ((to.ops.*column = gathered(from.ops.*column, order)), ...); },
          Ops::columns());
      to.ops.geometries = from.ops.geometries;
      std::uint32_t op = 0;
      for (std::uint32_t part = 0; part < stretches_.size(); ++part) {
        for (std::size_t i = 0; i < chosen_[d][part].size(); ++i, ++op) {
          to.ops.start[op] = moved(to.ops.start[op], part);
          to.ops.end[op] = moved(to.ops.end[op], part);
          to.ops.issue[op] = call_in_excerpt(to.ops.issue[op]);
          const std::uint64_t node = node_of_op(from.ops, order[op]);
          if (node != 0) to.ops.nodes.push_back({op, node});
        }
      }
      release(chosen_[d]);
    }
  }

  // Returns the records whose call is in the excerpt.
  template <class Record>
  std::vector<Record> of_calls(const std::vector<Record>& records) const {
    std::vector<Record> there;
    for (Record record : records) {
      record.call = call_in_excerpt(record.call);
      if (record.call != no_index) there.push_back(record);
    }
    return there;
  }

  void copy_what_calls_tell() {
    Trace& to = excerpt_.trace;
    to.synchronizations = of_calls(whole_.synchronizations);
    to.event_records = of_calls(whole_.event_records);
    to.call_streams = of_calls(whole_.call_streams);
    if (whole_.stacks.empty()) return;
    std::vector<std::uint32_t> calls(calls_);
    for (const Run& run : runs_) {
      for (std::uint32_t i = 0; i < run.count; ++i) calls[run.to + i] = run.first + i;
    }
    to.stacks = whole_.stacks.selected(calls);
  }

  // Converts a host time to the excerpt's clock. Converts a time between two intervals to the end
  // of the earlier interval, and a time before all intervals to the begin of the first interval.
  Ns host_time(Ns time) const {
    const auto after =
        std::upper_bound(stretches_.begin(), stretches_.end(), time,
                         [](Ns t, const Interval& stretch) { return t < stretch.start; });
    if (after == stretches_.begin()) return excerpt_.parts.front().first_call;
    const auto part = static_cast<std::uint32_t>(after - stretches_.begin()) - 1;
    return moved(std::min(time, stretches_[part].end), part);
  }

  // Returns the records with their intervals on the excerpt's clock. Shortens each record to the
  // time that lies in the excerpt. Leaves out records that lie outside the excerpt.
  template <class Record>
  std::vector<Record> of_host(const std::vector<Record>& records) const {
    std::vector<Record> there;
    for (Record record : records) {
      const bool is_instant = record.interval.length() == 0;
      const bool is_inside = part_at(record.interval.start) != no_part;
      record.interval = {host_time(record.interval.start), host_time(record.interval.end)};
      if (is_instant ? is_inside : record.interval.length() > 0) there.push_back(record);
    }
    return there;
  }

  void copy_host_times() {
    Trace& to = excerpt_.trace;
    to.ranges = of_host(whole_.ranges);
    // Some ranges began before the first part of the excerpt. In the excerpt, all of them begin at
    // the same time: at the start of this part. So the longest of them has to come first.
    std::ranges::stable_sort(to.ranges, [](const NvtxRange& a, const NvtxRange& b) {
      return a.interval.start != b.interval.start ? a.interval.start < b.interval.start
                                                  : a.interval.end > b.interval.end;
    });
    to.overheads = of_host(whole_.overheads);
    for (const std::uint32_t thread : states_of_) {
      to.host_states.push_back(of_host(whole_.host_states[thread]));
    }
    to.host_faults = of_host(whole_.host_faults);
    to.topology = whole_.topology;
    for (NodeDependency& one : to.topology.dependencies) one.time = host_time(one.time);
  }

  template <class Record>
  std::vector<Record> of_device(const std::vector<Record>& records) const {
    std::vector<Record> there;
    for (Record record : records) {
      const std::uint32_t part = part_at(record.interval.start);
      if (part == no_part) continue;
      record.interval = {moved(record.interval.start, part), moved(record.interval.end, part)};
      there.push_back(record);
    }
    return there;
  }

  void copy_device_times() {
    excerpt_.trace.migrations = of_device(whole_.migrations);
    excerpt_.trace.device_faults = of_device(whole_.device_faults);
  }

  void copy_facts() {
    Trace& to = excerpt_.trace;
    to.facts = whole_.facts;
    to.settings = whole_.settings;
    to.contexts = whole_.contexts;
    to.names = whole_.names;
    to.call_costs = whole_.call_costs;
  }

  const Trace& whole_;
  const std::vector<Interval>& stretches_;
  std::vector<std::vector<std::vector<std::uint32_t>>> chosen_;  // ops by device and part
  std::vector<Ns> first_op_;                                     // by part, first start of its ops
  std::vector<Ns> last_op_;                                      // by part, last end of its ops
  std::vector<Run> runs_;                 // sorted by `to`; after copy_calls(), by `first`
  std::vector<std::uint32_t> states_of_;  // by thread in the excerpt: index in the whole trace
  std::uint32_t calls_ = 0;
  Excerpt excerpt_;
};

}  // namespace

const Excerpt::Part& Excerpt::part_of_op(Ns start) const {
  const auto after =
      std::upper_bound(parts.begin(), parts.end(), start,
                       [](Ns time, const Part& part) { return time < part.first_op; });
  return after == parts.begin() ? parts.front() : *std::prev(after);
}

Excerpt excerpt_of(const Trace& whole, const std::vector<Interval>& stretches) {
  return Cutting(whole, stretches).cut();
}

}  // namespace lapscope::analyzer
