#include "readers/kineto/read_host_ranges.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/model/code_owner.h"
#include "collector/schema/tables.h"
#include "readers/kineto/frame_names.h"
#include "readers/kineto/write_call_stacks.h"
#include "readers/tables/host_record.h"

namespace lapscope::kineto {
namespace {

using analyzer::CallStacks;
using analyzer::Frame;
using analyzer::HostRecord;
using analyzer::Interval;
using analyzer::Ns;
using analyzer::NvtxRange;
using analyzer::ThreadState;

// Returns the ids of the NVTX domains, indexed by NvtxRange::domain. A domain without ranges has no
// index, except the default domain, which has index 0.
std::vector<std::int64_t> domain_ids(schema::Database& database) {
  std::vector<std::int64_t> ids{0};
  const std::string table(schema::describe<schema::NvtxRow>.name);
  if (!database.has_table(table)) return ids;
  for (const std::int64_t id : {domain_of_operators, domain_of_python}) {
    schema::Statement ranges(
        database, "SELECT 1 FROM " + table + " WHERE domainId = ?1 AND end IS NOT NULL LIMIT 1");
    ranges.bind(1, id);
    if (ranges.step()) ids.push_back(id);
  }
  return ids;
}

// All stacks that occur, as a tree. Each node is a frame with a link to the stack of its caller.
class OpenStacks {
 public:
  static constexpr std::uint32_t none = 0xFFFFFFFF;

  OpenStacks(HostRecord& record, const analyzer::Names& names, std::vector<std::int64_t> domains)
      : record_(record), names_(names), domains_(std::move(domains)) {}

  // Returns the stack that results when `range` opens inside `outer`. Returns `outer` if the range
  // is not a frame.
  std::uint32_t in(std::uint32_t outer, const NvtxRange& range) {
    const std::uint32_t domain = range.domain;
    const auto [known, is_new] = frames_.try_emplace({domain, range.name});
    if (is_new) known->second = seen(domain, names_.text(range.name));
    if (!known->second) return outer;
    const auto [stack, is_new_stack] =
        children_.try_emplace({outer, &*known->second}, static_cast<std::uint32_t>(stacks_.size()));
    if (is_new_stack) stacks_.push_back({outer, &*known->second});
    return stack->second;
  }

  ThreadState state(std::uint32_t stack) const { return stacks_[stack].innermost->state; }
  std::uint32_t chain(std::uint32_t stack) {
    if (stacks_[stack].chain == CallStacks::none) {
      std::vector<Frame> frames;
      for (std::uint32_t one = stack; one != none && frames.size() < most_frames;
           one = stacks_[one].outer) {
        frames.push_back(stacks_[one].innermost->frame);
      }
      stacks_[stack].chain = record_.chain(frames);
    }
    return stacks_[stack].chain;
  }

 private:
  struct Seen {
    Frame frame;
    ThreadState state = ThreadState::unknown;
  };
  struct Stack {
    std::uint32_t outer = none;
    const Seen* innermost = nullptr;
    std::uint32_t chain = CallStacks::none;
  };

  // Returns the frame of a range, or nothing if the range is not a frame. `name` is a copy, because
  // the function adds names to the table that holds the original.
  std::optional<Seen> seen(std::uint32_t domain, const std::string name) {
    switch (domain < domains_.size() ? domains_[domain] : 0) {
      case domain_of_operators:
        return Seen{frame(name, analyzer::operator_module, "")};
      case domain_of_python:
        if (const auto function = python_function(name)) return Seen{frame_of(*function)};
        if (const auto builtin = builtin_function(name)) {
          return Seen{frame(builtin->name, analyzer::builtin_module, ""), builtin->state};
        }
        return std::nullopt;
      default:
        if (is_around_iteration(name)) return std::nullopt;
        if (const auto function = function_of_annotation(name)) return Seen{frame_of(*function)};
        return Seen{frame(without_numbers(name), analyzer::annotation_module, "")};
    }
  }
  Frame frame_of(const PythonFunction& function) {
    Frame result = frame(std::string(function.name), analyzer::python_module, function.file);
    constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
    if (function.line <= most) result.line = static_cast<std::uint32_t>(function.line);
    return result;
  }
  Frame frame(const std::string& function, std::string_view module, std::string_view file) {
    return {record_.name(function), record_.name(std::string(module)),
            record_.name(std::string(file))};
  }

  HostRecord& record_;
  const analyzer::Names& names_;
  std::vector<std::int64_t> domains_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::optional<Seen>> frames_;  // domain, name
  std::map<std::pair<std::uint32_t, const Seen*>, std::uint32_t> children_;
  std::vector<Stack> stacks_;
};

// Steps through the ranges of one thread in time order.
class OpenRanges {
 public:
  OpenRanges(const analyzer::NvtxRanges& all, const std::vector<std::uint32_t>& own,
             OpenStacks& stacks)
      : all_(all), own_(own), stacks_(stacks) {}

  // Returns the open stack at `time`, or OpenStacks::none. `time` must not decrease between calls.
  std::uint32_t at(Ns time) {
    for (; next_ < own_.size() && all_[own_[next_]].interval.start <= time; ++next_) {
      const NvtxRange& range = all_[own_[next_]];
      close_until(range.interval.start);
      open_.push_back({range.interval.end, stacks_.in(top(), range)});
    }
    close_until(time);
    return top();
  }
  // Returns the next time at which the result of at() can change.
  Ns changes() const {
    Ns time = std::numeric_limits<Ns>::max();
    if (next_ < own_.size()) time = all_[own_[next_]].interval.start;
    return open_.empty() ? time : std::min(time, open_.back().end);
  }

 private:
  struct Open {
    Ns end = 0;
    std::uint32_t stack = OpenStacks::none;
  };

  std::uint32_t top() const { return open_.empty() ? OpenStacks::none : open_.back().stack; }
  void close_until(Ns time) {
    while (!open_.empty() && open_.back().end <= time) open_.pop_back();
  }

  const analyzer::NvtxRanges& all_;
  const std::vector<std::uint32_t>& own_;
  OpenStacks& stacks_;
  std::size_t next_ = 0;    // in own_
  std::vector<Open> open_;  // innermost range last
};

}  // namespace

void read_host_ranges(schema::Database& database, analyzer::Trace& trace) {
  std::map<std::int64_t, std::vector<std::uint32_t>> of_thread;
  for (const auto& thread : trace.calls.threads) of_thread[thread.global_tid];
  for (std::uint32_t i = 0; i < trace.ranges.size(); ++i) {
    if (trace.ranges[i].is_process_wide) continue;
    const auto own = of_thread.find(trace.ranges[i].global_tid);
    if (own != of_thread.end()) own->second.push_back(i);
  }
  HostRecord record(trace);
  OpenStacks stacks(record, trace.names, domain_ids(database));
  for (const std::uint32_t thread : record.threads()) {
    OpenRanges ranges(trace.ranges, of_thread[trace.calls.threads[thread].global_tid], stacks);
    for (const Interval& gap : record.between_calls(thread)) {
      for (Ns time = gap.start; time < gap.end;) {
        const std::uint32_t stack = ranges.at(time);
        const Ns until = std::min(gap.end, ranges.changes());
        if (stack != OpenStacks::none) {
          record.add_span(thread, {time, until}, stacks.state(stack), stacks.chain(stack));
        }
        time = until;
      }
    }
  }
  record.finish(0);
}

}  // namespace lapscope::kineto
