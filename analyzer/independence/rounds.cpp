#include "analyzer/independence/rounds.h"

#include <map>
#include <unordered_map>

#include "analyzer/model/assumptions.h"

namespace lapscope::analyzer {
namespace {

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

}  // namespace

std::uint64_t what_they_do(const Ops& ops, const std::uint32_t* first, std::size_t count) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += mixed(code_of_op(ops, first[i]));
  return sum;
}

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

}  // namespace lapscope::analyzer
