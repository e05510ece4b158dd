#include <algorithm>

#include "analyzer/host_time/partition.h"
#include "analyzer/intervals/units.h"

// Functions of HostPartition that make slices of the threads' time, from samples and from spans.
namespace lapscope::analyzer {

bool HostPartition::is_of_slice(std::uint32_t label, const Slice& slice) const {
  const Label& one = labels_[label];
  return slice.kind == one.kind && slice.state == one.state &&
         slice.own.function == one.own.function && slice.own.file == one.own.file &&
         slice.caller == one.caller;
}

std::vector<HostPartition::Slice> HostPartition::slices_of_looks(std::uint32_t t) const {
  std::vector<Slice> slices;
  const Calls& calls = trace_.calls;
  const HostSamples& samples = trace_.host_samples;
  const std::vector<PlaceSample>& between = threads_.at(t).samples;
  if (between.empty()) return slices;
  const Interval all{calls.end[calls.threads[t].first], calls.start[calls.threads[t].last - 1]};
  const Ns most = 2 * samples.interval_ns;
  std::map<std::int64_t, std::int64_t> looks;  // samples of a slice, by line
  for (std::size_t i = 0; i < between.size(); ++i) {
    const Ns time = samples.time[between[i].sample];
    const Ns before = i > 0 ? time - samples.time[between[i - 1].sample] : samples.interval_ns;
    const Ns behind =
        i + 1 < between.size() ? samples.time[between[i + 1].sample] - time : samples.interval_ns;
    const Label& label = labels_[between[i].label];
    // The interval of a sample extends halfway to each neighbour, so neighbouring slices touch.
    const Interval own{std::max(time - std::min(before, most) / 2, all.start),
                       std::min(time + (std::min(behind, most) + 1) / 2, all.end)};
    const bool goes_on =
        before <= most && !slices.empty() && is_of_slice(between[i].label, slices.back());
    if (!goes_on) {
      slices.push_back({own, label.kind, label.state, label.own, label.caller});
      looks.clear();
    }
    Slice& slice = slices.back();
    slice.interval.end = own.end;
    if (++looks[label.own.line] > looks[slice.own.line]) slice.own.line = label.own.line;
  }
  return slices;
}

std::vector<HostPartition::Slice> HostPartition::slices_of_spans(std::uint32_t t) const {
  std::vector<Slice> slices;
  const Calls& calls = trace_.calls;
  const HostSamples::Spans& spans = trace_.host_samples.spans;
  const HostSamples::Thread* const told = spans.of(calls.threads[t].global_tid);
  if (told == nullptr) return slices;
  std::uint32_t call = calls.threads[t].first;
  for (std::uint32_t span = told->first; span < told->last; ++span) {
    if (label_of_span_[span] == no_index) continue;
    const Interval own = spans.interval(span);
    const Label& label = labels_[label_of_span_[span]];
    const auto goes_on = [&] {
      if (slices.empty() || !is_of_slice(label_of_span_[span], slices.back())) return false;
      const Ns end = slices.back().interval.end;
      while (call < calls.threads[t].last && calls.start[call] < end) ++call;
      const bool is_call =
          call < calls.threads[t].last && calls.start[call] == end && calls.end[call] == own.start;
      return end == own.start || is_call;
    };
    if (!goes_on()) slices.push_back({own, label.kind, label.state, label.own, label.caller});
    slices.back().interval.end = own.end;
  }
  return slices;
}

std::vector<HostPartition::Slice> HostPartition::slices_of(std::uint32_t t) const {
  if (!threads_.contains(t)) return {};
  std::vector<Slice> looks = slices_of_looks(t);
  const std::vector<Slice> spans = slices_of_spans(t);
  if (spans.empty()) return looks;
  std::vector<Slice> slices = spans;
  auto span = spans.begin();
  for (Slice& look : looks) {
    const Interval all = look.interval;
    const auto add_until = [&](Ns end) {
      if (look.interval.start >= end) return;
      look.interval.end = end;
      slices.push_back(look);
    };
    while (span != spans.end() && span->interval.end <= all.start) ++span;
    for (auto one = span; one != spans.end() && one->interval.start < all.end; ++one) {
      add_until(one->interval.start);
      look.interval.start = std::max(look.interval.start, one->interval.end);
    }
    add_until(all.end);
  }
  std::ranges::sort(slices, {}, [](const Slice& one) { return one.interval.start; });
  return slices;
}

}  // namespace lapscope::analyzer
