#include <algorithm>
#include <cmath>

#include "analyzer/host_time/partition.h"
#include "analyzer/intervals/units.h"
#include "analyzer/model/assumptions.h"

// Functions of HostPartition that read spans and processor clocks, and that divide the host time by
// lines and by call stacks.
namespace lapscope::analyzer {

Share HostPartition::waits_of_off(std::uint32_t thread) const {
  const HostSamples& samples = trace_.host_samples;
  const Calls::Thread& own = trace_.calls.threads[thread];
  const HostSamples::Thread* const looked = samples.of(own.global_tid);
  // Spans are exact, so they need no clocks.
  if (looked == nullptr || looked->first == looked->last || samples.spans.of(own.global_tid)) {
    return 0;
  }
  if (thread >= trace_.host_states.size()) return 0;
  for (std::uint32_t sample = looked->first; sample < looked->last; ++sample) {
    if (samples.state[sample] == ThreadState::unknown) return 0;
  }
  const std::uint32_t last = looked->last - 1;
  const Ns ran = ran_between(samples.cpu_ns, looked->first, last);
  const Ns ready = ran_between(samples.ready_ns, looked->first, last);
  if (ran == HostSamples::not_told || ready == HostSamples::not_told) return 0;
  const Interval seen{samples.time[looked->first], samples.time[last]};
  const auto within = [&seen](Ns start, Ns end) {
    return std::max<Ns>(0, std::min(end, seen.end) - std::max(start, seen.start));
  };
  Ns pauses = 0;
  for (std::uint32_t call = own.first; call + 1 < own.last; ++call) {
    pauses += within(trace_.calls.end[call], trace_.calls.start[call + 1]);
  }
  Ns off = 0;
  for (const HostState& state : trace_.host_states[thread]) {
    if (state.kind != HostState::Kind::not_running) continue;
    off += within(state.interval.start, state.interval.end);
  }
  // If readings of the clock are far apart, the same running time counts in several pauses. The
  // thread then seems to run longer in its pauses than it ran in total.
  if (off == 0 || pauses - off > ran) return 0;
  // `ready` also includes time inside calls. How much of `ready` is in pauses is not known, so the
  // result is 0 if `ready` is long.
  const Share ready_of_off = static_cast<double>(ready) / static_cast<double>(off);
  return ready_of_off > assumed::hardly_any ? 0 : 1 - ready_of_off;
}

// Returns for each place how long the thread waited there within `when`, by the thread's processor
// clock. Empty if not known.
HostPartition::TimeAt HostPartition::waited_at(std::uint32_t thread,
                                               const IntervalSet& when) const {
  TimeAt waited;
  const Thread& found = threads_.at(thread);
  if (found.waits_of_off == 0) return waited;
  const Calls& calls = trace_.calls;
  const Calls::Thread& own = calls.threads[thread];
  const std::vector<HostState>& states = trace_.host_states[thread];
  auto state = states.begin();
  for (const Interval& stretch : when.intervals()) {
    // A state that reaches into several stretches is visited once.
    state = std::partition_point(state, states.end(), [&stretch](const HostState& one) {
      return one.interval.end <= stretch.start;
    });
    for (; state != states.end() && state->interval.start < stretch.end; ++state) {
      if (state->kind != HostState::Kind::not_running) continue;
      const auto first = calls.start.begin() + own.first + 1;
      const auto next =
          std::lower_bound(first, calls.start.begin() + own.last, state->interval.end);
      if (next == calls.start.begin() + own.last) return waited;
      const auto off = static_cast<double>(when.length_in(state->interval));
      const std::uint32_t place = found.places[static_cast<std::size_t>(next - first)];
      waited[place] += std::llround(off * found.waits_of_off);
    }
  }
  return waited;
}

HostPartition::Recorded HostPartition::recorded(const Calls::Thread& thread,
                                                const IntervalSet& when, TimeAt& left) const {
  Recorded result;
  const HostSamples::Spans& spans = trace_.host_samples.spans;
  const HostSamples::Thread* const told = spans.of(thread.global_tid);
  if (told == nullptr) return result;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Ns> ns_of;  // by site and label
  const auto first = spans.end.begin();
  for (const Interval& stretch : when.intervals()) {
    auto span = static_cast<std::uint32_t>(
        std::upper_bound(first + told->first, first + told->last, stretch.start) - first);
    for (; span < told->last && spans.start[span] < stretch.end; ++span) {
      const std::uint32_t place = place_of_span_[span];
      const Ns ns =
          std::min(spans.end[span], stretch.end) - std::max(spans.start[span], stretch.start);
      if (place == no_index || ns <= 0) continue;
      const std::uint32_t label = label_of_span_[span];
      ns_of[{places_[place].after, label}] += ns;
      result.ns_of_chain[{label, spans.chain[span]}] += ns;
      if (label != no_index) result.ns += ns;
      left[place] -= ns;
    }
  }
  for (const auto& [key, ns] : ns_of) result.portions.push_back({key.first, key.second, ns, 0, ns});
  return result;
}

std::string HostPartition::line_of(std::uint32_t call_site) const {
  const CallStacks& stacks = trace_.stacks;
  std::uint32_t chain = stacks.of_call(a_call_at_[call_site]);
  if (chain != CallStacks::none) chain = stacks.line_chain(chain);
  if (chain == CallStacks::none || stacks.own_frame(chain) == CallStacks::none) return {};
  return place_of(trace_, stacks.chain(chain)[stacks.own_frame(chain)]);
}

// Adds a thread's time between calls to `lines`. The key of a time is the source line of the next
// call.
void HostPartition::add_sites(const Division& division, const Recorded& recorded,
                              const HostThread& host, ByLine& lines) const {
  std::map<std::string, std::map<std::uint32_t, HostShare>> shares;  // by label
  for (const auto* portions : {&division.portions, &recorded.portions}) {
    for (const Portion& one : *portions) one.add_to(shares[line_of(one.after)][one.label]);
  }
  for (const PlaceSample& sample : division.rests_on) {
    ++shares[line_of(places_[sample.place].after)][sample.label].samples;
  }
  for (const auto& [line, labels] : shares) {
    HostActivity& time = lines[line];
    HostThread thread{host.global_tid};
    for (const auto& [label, share] : labels) {
      if (share.ns == 0) continue;
      HostPart part = part_of(label, host.global_tid);
      part.share = share;
      part.share.least_ns = part.share.most_ns = share.ns;
      if (label == no_index) part.share.recorded_ns = 0;
      time.parts.push_back(std::move(part));
      thread.ns += share.ns;
      if (label == no_index) continue;
      thread.recorded_ns += share.recorded_ns;
      thread.waiting.ns += share.waiting_ns;
      thread.other.ns += share.ns - share.waiting_ns - share.recorded_ns;
    }
    const auto set_samples = [](SampledTime& part, const SampledTime& all) {
      if (all.ns == 0) return;
      part.independent_samples =
          all.independent_samples * static_cast<double>(part.ns) / static_cast<double>(all.ns);
    };
    set_samples(thread.waiting, host.waiting);
    set_samples(thread.other, host.other);
    time.ns += thread.ns;
    time.threads.push_back(thread);
  }
}

// Divides the time of each label among its call stacks, in proportion to their samples.
void HostPartition::add_stacks(const Division& division, const Recorded& recorded,
                               std::int64_t thread, HostActivity& result) const {
  for (const auto& [key, ns] : recorded.ns_of_chain) {
    result.stacks.push_back(stack_of(key.first, key.second, thread));
    result.stacks.back().ns = ns;
  }
  std::map<std::uint32_t, std::int64_t> ns_of;                             // by label
  std::map<std::uint32_t, std::map<std::uint32_t, std::int64_t>> seen_in;  // by label, chain
  for (const Portion& portion : division.portions) ns_of[portion.label] += portion.ns;
  for (const PlaceSample& sample : division.rests_on) {
    ++seen_in[sample.label][trace_.host_samples.chain[sample.sample]];
  }
  for (const auto& [label, ns] : ns_of) {
    std::map<std::uint32_t, std::int64_t>& chains = seen_in[label];
    if (chains.empty()) chains = {{CallStacks::none, 1}};
    std::int64_t all = 0;
    for (const auto& [chain, samples] : chains) all += samples;
    std::int64_t so_far = 0;
    Ns given = 0;
    for (const auto& [chain, samples] : chains) {
      so_far += samples;
      const Share share = static_cast<double>(so_far) / static_cast<double>(all);
      const Ns upto = so_far == all ? ns : std::llround(static_cast<double>(ns) * share);
      HostStack stack = stack_of(label, chain, thread);
      stack.ns = upto - given;
      given = upto;
      if (stack.ns > 0) result.stacks.push_back(std::move(stack));
    }
  }
}

HostStack HostPartition::stack_of(std::uint32_t label, std::uint32_t chain,
                                  std::int64_t thread) const {
  HostStack stack{thread, frames_of(chain)};
  if (label != no_index) {
    stack.kind = labels_[label].kind;
    stack.state = labels_[label].state;
  }
  return stack;
}

// Returns the frames of a stack as texts such as "load (data.py)", outermost first.
std::vector<std::string> HostPartition::frames_of(std::uint32_t chain) const {
  std::vector<std::string> texts;
  if (chain == CallStacks::none) return texts;
  const Names& names = trace_.names;
  for (const Frame& frame : trace_.host_samples.stacks.chain(chain)) {
    const std::string& where = names.text(frame.file != 0 ? frame.file : frame.module);
    std::string text = names.text(frame.function);
    if (!where.empty()) text += " (" + std::string(file_name(where)) + ")";
    texts.push_back(std::move(text));
  }
  std::reverse(texts.begin(), texts.end());
  return texts;
}

}  // namespace lapscope::analyzer
