#include "tests/analyzer/examples/drawing.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>

#include "collector/schema/global_id.h"
#include "tests/analyzer/support/picture.h"
#include "tests/analyzer/support/trace_file.h"

namespace lapscope::test {
namespace {

using Optional = std::optional<std::int64_t>;

constexpr std::uint32_t pid = 1;

struct Lane {
  char key;
  std::int64_t number;  // number of its stream
  std::vector<Run> runs;
};

bool is_of_kernels(char key) {
  return key == 'K' || key == 'N' || key == 'L' || key == 'B' || key == 'A';
}

bool is_of_host(char key) { return key == 'T' || key == 'R' || key == 'O'; }

std::vector<Lane> lanes_in(std::string_view drawing) {
  std::vector<Lane> lanes;
  std::int64_t streams = 0;
  std::istringstream lines{std::string(drawing)};
  for (std::string line; std::getline(lines, line);) {
    if (line.empty()) continue;
    const std::size_t space = line.find(' ');
    if (space == std::string::npos) throw std::invalid_argument("a lane has a key and a picture");
    if (!is_of_host(line[0])) ++streams;
    const std::int64_t number = space > 1 ? std::stoll(line.substr(1, space - 1)) : streams;
    lanes.push_back({line[0], number, runs_in(std::string_view(line).substr(space + 1))});
  }
  return lanes;
}

const char* function_of(char call) {
  switch (call) {
    case 'S':
      return "cudaDeviceSynchronize";
    case 'M':
      return "cudaMalloc";
    case 'P':
      return "cudaHostAlloc";
    case 'E':
      return "cudaStreamWaitEvent";
    case 'F':
      return "cudaLaunchHostFunc";
    case 'Q':
      return "cudaEventRecord";
    case 'X':
      return "cudaStreamCreate";
    case '<':
      return "cudaProfilerStart";
    case '>':
      return "cudaProfilerStop";
    default:
      throw std::invalid_argument(std::string("no call is drawn as ") + call);
  }
}

const char* issuing_function_of(char lane, std::size_t ops) {
  if (ops > 1 || lane == 'G') return "cudaGraphLaunch";
  if (is_of_kernels(lane)) return "cudaLaunchKernel";
  return lane == 'M' ? "cudaMemsetAsync" : "cudaMemcpyAsync";
}

class Writing {
 public:
  Writing(trace::TraceWriter& trace, std::string_view drawing, const Fills& fills)
      : trace_(trace), lanes_(lanes_in(drawing)), unit_(unit_of(drawing)), fills_(fills) {}

  void write() {
    write_gpu();
    write_streams();
    for (const Lane& lane : lanes_) {
      if (is_of_host(lane.key)) continue;
      for (const Run& run : lane.runs) ops_[run.letter].push_back(&lane);
    }
    for (const Lane& lane : lanes_) {
      if (lane.key == 'T') write_calls(lane);
      if (lane.key == 'R') write_ranges(lane);
      if (lane.key == 'O') write_overheads(lane);
    }
    for (const Lane& lane : lanes_) {
      if (!is_of_host(lane.key)) write_ops(lane);
    }
  }

 private:
  void write_gpu() {
    schema::GpuRow gpu;
    gpu.name = "GPU";
    if (!fills_.empty()) {  // one block fits on each of 100 multiprocessors
      gpu.smCount = 100;
      gpu.threadsPerWarp = 32;
      gpu.maxWarpsPerSm = 1;
      gpu.maxBlocksPerSm = 1;
    }
    trace_.insert(gpu);
  }

  // Writes the rows from which readers get the kinds of streams.
  void write_streams() {
    for (const Lane& lane : lanes_) {
      if (lane.key != 'L' && lane.key != 'B') continue;
      schema::ContextRow context;
      context.processId = pid;
      context.contextId = 1;
      context.nullStreamId = 0;
      if (!has_context_) trace_.insert(context);
      has_context_ = true;
      schema::StreamRow stream;
      stream.processId = pid;
      stream.contextId = 1;
      stream.streamId = lane.number;
      stream.flag = lane.key == 'L' ? 3 : 1;
      trace_.insert(stream);
    }
  }

  void write_calls(const Lane& lane) {
    ++thread_;
    for (std::size_t i = 0; i < lane.runs.size(); ++i) {
      const Run& run = lane.runs[i];
      schema::ApiCallRow row;
      row.start = run.interval.start * unit_;
      row.end = run.interval.end * unit_;
      row.globalTid = schema::global_tid(pid, thread_);
      row.correlationId = ++correlation_;
      if (std::islower(run.letter)) {
        const char op = static_cast<char>(std::toupper(run.letter));
        const auto& lanes = ops_[op];
        if (lanes.empty()) throw std::invalid_argument(std::string("no op is drawn as ") + op);
        issue_[op] = correlation_;
        row.nameId = trace_.intern(issuing_function_of(lanes[0]->key, lanes.size()));
      } else {
        row.nameId = trace_.intern(function_of(run.letter));
      }
      trace_.insert(row);
      if (run.letter == 'E') write_wait(lane, i);
      if (run.letter == 'Q') write_record(lane, i);
    }
  }

  // Writes a wait of the stream to which the thread issues its next op.
  void write_wait(const Lane& lane, std::size_t call) {
    schema::SynchronizationRow row;
    row.correlationId = correlation_;
    row.globalPid = schema::global_pid(pid);
    row.syncType = 2;
    row.eventSyncId = events_;
    for (std::size_t i = call; i < lane.runs.size(); ++i) {
      if (!std::islower(lane.runs[i].letter)) continue;
      row.streamId = ops_[static_cast<char>(std::toupper(lane.runs[i].letter))].at(0)->number;
      break;
    }
    trace_.insert(row);
  }

  // Writes the record of an event in the stream to which the thread issued its last op.
  void write_record(const Lane& lane, std::size_t call) {
    schema::CudaEventRow row;
    row.correlationId = correlation_;
    row.globalPid = schema::global_pid(pid);
    row.eventSyncId = ++events_;
    for (std::size_t i = call; i-- > 0;) {
      if (!std::islower(lane.runs[i].letter)) continue;
      row.streamId = ops_[static_cast<char>(std::toupper(lane.runs[i].letter))].at(0)->number;
      break;
    }
    trace_.insert(row);
  }

  void write_ranges(const Lane& lane) {
    for (const Run& run : lane.runs) {
      schema::NvtxRow row;
      row.start = run.interval.start * unit_;
      row.end = run.interval.end * unit_;
      row.eventType = 59;
      row.globalTid = schema::global_tid(pid, thread_);
      row.textId = trace_.intern(std::string(1, run.letter));
      trace_.insert(row);
    }
  }

  void write_overheads(const Lane& lane) {
    for (const Run& run : lane.runs) {
      schema::OverheadRow row;
      row.start = run.interval.start * unit_;
      row.end = run.interval.end * unit_;
      row.globalTid = schema::global_tid(pid, thread_);
      row.overheadType = run.letter == 'm' ? 6 : run.letter == 'b' ? 8 : 3;
      trace_.insert(row);
    }
  }

  void write_ops(const Lane& lane) {
    for (std::size_t i = 0; i < lane.runs.size(); ++i) {
      const Run& run = lane.runs[i];
      if (run.letter == '>') continue;
      const bool is_lost = run.letter == '!';
      const bool is_open = i + 1 < lane.runs.size() && lane.runs[i + 1].letter == '>';
      const std::int64_t start = is_lost ? -1 : run.interval.start * unit_;
      const std::int64_t end = is_lost || is_open ? -1 : run.interval.end * unit_;
      write_op(lane, run.letter, start, end);
    }
  }

  void write_op(const Lane& lane, char letter, std::int64_t start, std::int64_t end) {
    constexpr Optional compute_channel = 1;
    constexpr Optional copy_channel = 2;
    switch (lane.key) {
      case 'K':
      case 'N':
      case 'L':
      case 'B':
      case 'A': {
        auto row = kernel(start, end);
        if (lane.key == 'A') row.channelId = 1;
        if (lane.key == 'A') row.channelType = 1;
        row.shortName =
            trace_.intern((lane.key == 'N' ? "ncclDevKernel_" : "") + std::string(1, letter));
        for (const auto& [filling, percent] : fills_) {
          if (filling != letter) continue;
          row.gridX = percent;
          row.gridY = row.gridZ = row.blockY = row.blockZ = 1;
          row.blockX = 32;
        }
        return insert(row, lane, letter);
      }
      case 'G': {
        auto row = kernel(start, end);
        row.shortName = trace_.intern(std::string(1, letter));
        row.graphNodeId = 1;
        return insert(row, lane, letter);
      }
      case 'M':
        return insert(memset(start, end), lane, letter);
      case 'H':
        return insert(memcpy(start, end, 1, copy_channel), lane, letter);
      case 'D':
        return insert(memcpy(start, end, 2, copy_channel), lane, letter);
      case 'P':
        return insert(memcpy(start, end, 10, copy_channel), lane, letter);
      case 'C':
        return insert(memcpy(start, end, 8, std::nullopt), lane, letter);
      case 'V':
        return insert(memcpy(start, end, 1, compute_channel), lane, letter);
      case 'W': {
        auto row = memcpy(start, end, 1, copy_channel);
        row.srcKind = 0;
        return insert(row, lane, letter);
      }
      case 'I':
      case 'J': {
        auto row = memcpy(start, end, 1, copy_channel);
        row.bytes = lane.key == 'I' ? 1 << 10 : 1 << 20;
        return insert(row, lane, letter);
      }
      case 'U':
        return insert(memcpy(start, end, 11, std::nullopt), lane, letter);
      default:
        throw std::invalid_argument(std::string("no lane begins with ") + lane.key);
    }
  }

  template <class Row>
  void insert(Row row, const Lane& lane, char letter) {
    row.streamId = lane.number;
    row.globalPid = schema::global_pid(pid);
    if (const auto issue = issue_.find(letter); issue != issue_.end()) {
      row.correlationId = issue->second;
    }
    trace_.insert(row);
  }

  trace::TraceWriter& trace_;
  const std::vector<Lane> lanes_;
  const std::int64_t unit_;
  const Fills& fills_;
  std::map<char, std::vector<const Lane*>> ops_;  // the lanes that contain a letter
  std::map<char, std::int64_t> issue_;            // correlation ids
  bool has_context_ = false;
  std::int64_t events_ = 0;  // number of events recorded so far
  std::uint32_t thread_ = 0;
  std::int64_t correlation_ = 0;
};

}  // namespace

std::int64_t unit_of(std::string_view drawing) {
  return drawing.find("T ") == std::string_view::npos ? 1 : 1000;
}

void write_drawing(const std::filesystem::path& path, std::string_view drawing,
                   const Fills& fills) {
  write_trace(path, [&](trace::TraceWriter& trace) { Writing(trace, drawing, fills).write(); });
}

}  // namespace lapscope::test
