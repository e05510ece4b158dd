#include "readers/tables/host_record.h"

#include <algorithm>

namespace lapscope::analyzer {
namespace {

HostSamples::Thread& thread_of(std::vector<HostSamples::Thread>& threads, std::int64_t global_tid,
                               std::size_t next) {
  const auto index = static_cast<std::uint32_t>(next);
  if (threads.empty() || threads.back().global_tid != global_tid) {
    threads.push_back({global_tid, index, index});
  }
  return threads.back();
}

}  // namespace

HostRecord::HostRecord(Trace& trace) : trace_(trace) {}

std::vector<std::uint32_t> HostRecord::threads() const {
  const auto& all = trace_.calls.threads;
  std::vector<std::uint32_t> threads(all.size());
  for (std::uint32_t i = 0; i < threads.size(); ++i) threads[i] = i;
  std::sort(threads.begin(), threads.end(), [&all](std::uint32_t a, std::uint32_t b) {
    return all[a].global_tid < all[b].global_tid;
  });
  return threads;
}

std::vector<Interval> HostRecord::between_calls(std::uint32_t thread) const {
  const Calls& calls = trace_.calls;
  std::vector<Interval> gaps;
  for (std::uint32_t call = calls.threads[thread].first + 1; call < calls.threads[thread].last;
       ++call) {
    const Interval gap{calls.end[call - 1], calls.start[call]};
    if (gap.start < gap.end) gaps.push_back(gap);
  }
  return gaps;
}

std::uint32_t HostRecord::name(const std::string& text) {
  if (text.empty()) return 0;
  const auto [known, is_new] = names_.try_emplace(text, 0);
  if (is_new) known->second = trace_.names.add(text);
  return known->second;
}

std::uint32_t HostRecord::chain(std::span<const Frame> frames) {
  if (frames.empty()) return CallStacks::none;
  std::vector<FrameKey> key;
  for (const Frame& one : frames) key.emplace_back(one.function, one.module, one.file, one.line);
  const auto [known, is_new] = chains_.try_emplace(std::move(key), 0);
  if (is_new) known->second = trace_.host_samples.stacks.add_chain(frames);
  return known->second;
}

void HostRecord::add_span(std::uint32_t thread, Interval span, ThreadState state,
                          std::uint32_t chain) {
  HostSamples::Spans& spans = trace_.host_samples.spans;
  const std::int64_t tid = trace_.calls.threads[thread].global_tid;
  ++thread_of(spans.threads, tid, spans.size()).last;
  spans.start.push_back(span.start);
  spans.end.push_back(span.end);
  spans.state.push_back(state);
  spans.chain.push_back(chain);
}

void HostRecord::add_look(std::uint32_t thread, Ns time, ThreadState state, std::uint32_t chain) {
  HostSamples& samples = trace_.host_samples;
  const std::int64_t tid = trace_.calls.threads[thread].global_tid;
  ++thread_of(samples.threads, tid, samples.size()).last;
  samples.time.push_back(time);
  samples.state.push_back(state);
  samples.chain.push_back(chain);
}

void HostRecord::finish(Ns interval_ns) {
  HostSamples& samples = trace_.host_samples;
  const HostSamples::Spans& spans = samples.spans;
  bool is_told = samples.size() > 0;
  for (std::size_t i = 0; i < spans.size() && !is_told; ++i) {
    is_told = spans.state[i] != ThreadState::unknown || spans.chain[i] != CallStacks::none;
  }
  if (!is_told) samples = {};
  samples.interval_ns = samples.size() == 0 ? 0 : interval_ns;
  if (!samples.stacks.empty()) samples.stacks.settle(trace_, {});
}

}  // namespace lapscope::analyzer
