#include "tests/analyzer/support/random_trace.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "readers/read_trace.h"
#include "tests/analyzer/support/picture.h"
#include "tests/analyzer/support/random_rows.h"
#include "tests/collector/support/temporary_folder.h"

namespace lapscope::test {
namespace {

using Ids =
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t>;  // by process and old id

// Assigns new ids within each process.
Ids new_ids(const analyzer::Trace& trace, std::mt19937& random) {
  std::map<std::uint32_t, std::vector<std::uint32_t>> of_process;
  Ids result;
  for (const analyzer::Device& device : trace.devices) {
    for (const analyzer::Stream& stream : device.streams) {
      if (!result.try_emplace({stream.pid, stream.id}, stream.id).second) continue;
      of_process[stream.pid].push_back(stream.id);
    }
  }
  for (auto& [pid, ids] : of_process) {
    std::vector<std::uint32_t> dealt = ids;
    std::shuffle(dealt.begin(), dealt.end(), random);
    for (std::size_t i = 0; i < ids.size(); ++i) result[{pid, ids[i]}] = dealt[i];
  }
  return result;
}

void rename(const Ids& ids, std::uint32_t pid, std::uint32_t& id) {
  if (const auto known = ids.find({pid, id}); known != ids.end()) id = known->second;
}

void rename_streams_of(const Ids& ids, analyzer::Device& device) {
  for (analyzer::Stream& stream : device.streams) rename(ids, stream.pid, stream.id);
  std::vector<std::uint32_t> order(device.streams.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto key = [&](std::uint32_t s) {
    return std::make_pair(device.streams[s].pid, device.streams[s].id);
  };
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
  std::vector<std::uint32_t> place(order.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) place[order[i]] = i;
  device.streams = analyzer::gathered(device.streams, order);
  for (std::uint32_t& stream : device.ops.stream) stream = place[stream];
  device.ops = in_order(device.ops);
}

}  // namespace

analyzer::Trace random_trace(std::mt19937& random, std::int64_t stretch) {
  static const TemporaryFolder folder;
  const auto file = folder / "random.sqlite";
  std::filesystem::remove(file);
  random_rows(random).write(file);
  analyzer::Trace trace = analyzer::read_trace(file);
  stretch_times(trace, stretch);
  return trace;
}

void stretch_times(analyzer::Trace& trace, std::int64_t factor) {
  const auto multiply = [factor](std::vector<std::int64_t>& times) {
    for (std::int64_t& time : times) time *= factor;
  };
  for (analyzer::Device& device : trace.devices) {
    multiply(device.ops.start);
    multiply(device.ops.end);
  }
  multiply(trace.calls.start);
  multiply(trace.calls.end);
  for (analyzer::Overhead& overhead : trace.overheads) {
    overhead.interval = {overhead.interval.start * factor, overhead.interval.end * factor};
  }
  for (analyzer::NvtxRange& range : trace.ranges) {
    // A range that was never closed ends at latest_time, and must keep this end.
    const bool is_open = range.interval.end == analyzer::latest_time;
    range.interval.start *= factor;
    if (!is_open) range.interval.end *= factor;
  }
}

void rename_streams(analyzer::Trace& trace, std::mt19937& random) {
  const Ids ids = new_ids(trace, random);
  for (analyzer::Device& device : trace.devices) rename_streams_of(ids, device);
  for (analyzer::CudaContext& context : trace.contexts) {
    rename(ids, context.pid, context.null_stream);
  }
  for (analyzer::Synchronization& sync : trace.synchronizations) {
    rename(ids, sync.pid, sync.stream);
  }
  for (analyzer::EventRecord& record : trace.event_records) {
    rename(ids, record.pid, record.stream);
  }
  for (analyzer::CallStream& told : trace.call_streams) {
    if (told.stream == analyzer::no_index) continue;
    const analyzer::Calls::Thread& thread = trace.calls.threads[trace.calls.thread_of(told.call)];
    rename(ids, analyzer::pid_of(thread.global_tid), told.stream);
  }
}

}  // namespace lapscope::test
