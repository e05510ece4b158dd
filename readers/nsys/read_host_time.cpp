#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "analyzer/intervals/units.h"
#include "analyzer/model/code_owner.h"
#include "readers/nsys/host_records.h"
#include "readers/nsys/layers.h"

namespace lapscope::analyzer::nsys {
namespace {

// The records of one thread.
struct ThreadRecords {
  std::vector<Told> lock_waits;
  std::vector<Told> mpi_calls;
  std::vector<Told> system_calls;
  std::vector<Told> off;
  std::vector<Told> on;
  std::vector<const HostRecords::Sample*> samples;  // by time
  bool is_scheduling_known() const { return !off.empty() || !on.empty(); }
};

// Makes the stacks of system and MPI calls. The innermost frame is the called function itself.
class CallChains {
 public:
  CallChains(const Trace& trace, HostRecord& record) : trace_(trace), record_(record) {}

  std::uint32_t of(const HostRecords::Call& call) {
    const auto [known, is_new] = known_.try_emplace({call.name, call.chain}, CallStacks::none);
    if (is_new) known->second = made(call);
    return known->second;
  }

 private:
  std::uint32_t made(const HostRecords::Call& call) {
    std::vector<Frame> frames;
    if (call.chain != CallStacks::none) {
      const auto told = trace_.host_samples.stacks.chain(call.chain);
      frames.assign(told.begin(), told.end());
    }
    const std::string& name = trace_.names.text(call.name);
    if (frames.empty() || trace_.names.text(frames[0].function) != name) {
      const std::uint32_t module = record_.name(std::string(system_module));
      frames.insert(frames.begin(), Frame{call.name, module});
    }
    return record_.chain(frames);
  }

  const Trace& trace_;
  HostRecord& record_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> known_;
};

// Adds the waits for Python's lock. `nsys profile --trace=python-gil` records them as NVTX ranges
// outside the default domain.
void add_lock_waits(const Trace& trace, std::vector<ThreadRecords>& threads) {
  std::map<std::int64_t, std::size_t> numbers;
  for (std::size_t i = 0; i < threads.size(); ++i) {
    numbers.emplace(trace.calls.threads[i].global_tid, i);
  }
  for (const NvtxRange& range : trace.ranges) {
    if (range.domain == 0 || trace.names.text(range.name) != "Waiting for GIL") continue;
    const auto thread = numbers.find(range.global_tid);
    if (thread == numbers.end()) continue;
    threads[thread->second].lock_waits.push_back({range.interval, ThreadState::interpreter_lock});
  }
}

std::vector<ThreadRecords> by_thread(const HostRecords& records, const Trace& trace,
                                     HostRecord& record) {
  std::vector<ThreadRecords> threads(trace.calls.threads.size());
  CallChains chains(trace, record);
  for (const HostRecords::Call& call : records.calls) {
    const bool is_mpi = call.kind == HostState::Kind::mpi_call;
    const ThreadState state = is_mpi ? ThreadState::unknown : state_in(trace.names.text(call.name));
    ThreadRecords& own = threads[call.thread];
    (is_mpi ? own.mpi_calls : own.system_calls).push_back({call.interval, state, chains.of(call)});
  }
  for (const HostRecords::Stretch& one : records.scheduling) {
    ThreadRecords& own = threads[one.thread];
    (one.is_on ? own.on : own.off).push_back({one.interval, one.state});
  }
  for (const HostRecords::Sample& sample : records.samples) {
    threads[sample.thread].samples.push_back(&sample);
  }
  for (ThreadRecords& own : threads) {
    std::stable_sort(own.samples.begin(), own.samples.end(),
                     [](const auto* a, const auto* b) { return a->time < b->time; });
    const auto last = std::unique(own.samples.begin(), own.samples.end(),
                                  [](const auto* a, const auto* b) { return a->time == b->time; });
    own.samples.erase(last, own.samples.end());
  }
  add_lock_waits(trace, threads);
  return threads;
}

// Returns the sampling interval: the time between two samples of a thread that never waits. Samples
// of waiting threads are further apart, so the result is the lower quartile of all times between
// samples.
Ns interval_of(const std::vector<ThreadRecords>& threads) {
  std::vector<Ns> between;
  for (const ThreadRecords& own : threads) {
    for (std::size_t i = 1; i < own.samples.size(); ++i) {
      between.push_back(own.samples[i]->time - own.samples[i - 1]->time);
    }
  }
  constexpr Ns ns_per_s = 1'000'000'000;
  if (between.empty()) return ns_per_s;
  const auto quarter = between.begin() + static_cast<std::ptrdiff_t>(between.size() / 4);
  std::nth_element(between.begin(), quarter, between.end());
  return *quarter;
}

// Returns the times that are further than `interval` from every sample.
Layer unseen(const ThreadRecords& own, Ns interval) {
  Layer layer;
  Ns seen_until = 0;
  for (const auto* sample : own.samples) {
    if (seen_until < sample->time - interval) {
      layer.push_back({{seen_until, sample->time - interval}});
    }
    seen_until = sample->time + interval;
  }
  layer.push_back({{seen_until, latest_time}});
  return layer;
}

Layer layers_of(const ThreadRecords& own, Ns interval) {
  Layer layer = layer_of(own.lock_waits);
  for (const auto* lower : {&own.mpi_calls, &own.system_calls, &own.off}) {
    layer = laid_over(layer, layer_of(*lower));
  }
  if (own.samples.empty()) return laid_over(layer, layer_of(own.on));
  return own.is_scheduling_known() ? layer : laid_over(layer, unseen(own, interval));
}

}  // namespace

void add_host_time(const HostRecords& records, Trace& trace, HostRecord& record) {
  const std::vector<ThreadRecords> threads = by_thread(records, trace, record);
  const Ns interval = interval_of(threads);
  for (const std::uint32_t thread : record.threads()) {
    const ThreadRecords& own = threads[thread];
    const Layer spans = within(layers_of(own, interval), record.between_calls(thread));
    for (const Told& span : spans) {
      record.add_span(thread, span.interval, span.state, span.chain);
    }
    auto span = spans.begin();
    for (const auto* sample : own.samples) {
      while (span != spans.end() && span->interval.end <= sample->time) ++span;
      if (span != spans.end() && span->interval.start <= sample->time) continue;
      record.add_look(thread, sample->time, ThreadState::running, sample->chain);
    }
  }
  record.finish(interval);
  trace.host_samples.are_by_cpu_time = true;
}

}  // namespace lapscope::analyzer::nsys
