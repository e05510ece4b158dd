#include "tests/analyzer/support/random_rows.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "collector/schema/global_id.h"
#include "collector/schema/statements.h"
#include "collector/schema/tables.h"
#include "tests/analyzer/support/trace_file.h"

namespace lapscope::test {

template <class Rows>
struct VectorsOf;
template <class... Rows>
struct VectorsOf<std::tuple<Rows...>> {
  using type = std::tuple<std::vector<Rows>...>;
};

struct TraceRows::Tables {
  VectorsOf<schema::AllRows>::type rows;

  template <class Row>
  std::vector<Row>& of() {
    return std::get<std::vector<Row>>(rows);
  }
};

namespace {

constexpr std::int64_t length = 20'000;

constexpr std::array texts = {"cudaLaunchKernel_v7000",
                              "cudaMemcpyAsync_v3020",
                              "cudaGraphLaunch_v10000",
                              "cudaDeviceSynchronize_v3020",
                              "cudaMalloc_v3020",
                              "cudaHostAlloc_v3020",
                              "cudaStreamWaitEvent_v3020",
                              "cudaLaunchHostFunc_v10000",
                              "cuModuleLoadData",
                              "cudaEventRecord_v3020",
                              "cudaEventQuery_v3020",
                              "cudaProfilerStart_v4000",
                              "cudaProfilerStop_v4000",
                              "step",
                              "inner",
                              "gemm",
                              "ncclDevKernel_AllReduce",
                              "scan"};
constexpr int functions = 13;
constexpr int async_copy = 1;
constexpr int graph_launch = 2;
constexpr int synchronize = 3;
constexpr int wait_event = 6;
constexpr int record_event = 9;
constexpr int query_event = 10;
constexpr int first_range = 13;
constexpr int first_kernel = 15;

std::int64_t id_of(int text) { return 10 + 7 * text; }

class Drawing {
 public:
  explicit Drawing(std::mt19937& random) : random_(random) {}

  TraceRows::Tables draw() {
    for (std::size_t text = 0; text < texts.size(); ++text) {
      rows_.of<schema::StringRow>().push_back({id_of(static_cast<int>(text)), texts[text]});
    }
    for (const std::int64_t device : {0, 1}) {
      schema::GpuRow gpu;
      gpu.id = device;
      gpu.name = "GPU " + std::to_string(device);
      gpu.smCount = 10;
      gpu.threadsPerWarp = 32;
      gpu.maxWarpsPerSm = 64;
      gpu.maxBlocksPerSm = 4;
      rows_.of<schema::GpuRow>().push_back(gpu);
    }
    for (const char* variable : {"CUDA_LAUNCH_BLOCKING", "CUDA_DEVICE_MAX_CONNECTIONS"}) {
      if (one_in(2)) {
        rows_.of<schema::EnvironmentRow>().push_back({variable, std::to_string(pick(0, 8))});
      }
    }
    const int processes = pick(1, 6) == 1 ? 2 : 1;
    for (int process = 1; process <= processes; ++process) draw_process(process);
    if (one_in(2)) draw_topology();
    draw_losses();
    if (one_in(8)) draw_loops();
    return std::move(rows_);
  }

 private:
  int pick(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }
  bool one_in(int times) { return pick(1, times) == 1; }
  // Returns `from` plus a random multiple of 50 ns, so that many times are equal.
  std::int64_t time(std::int64_t from = 1) {
    const auto steps = static_cast<int>((length - from) / 50);
    return from + 50 * pick(0, std::max(0, steps));
  }

  void draw_process(int process) {
    pid_ = static_cast<std::uint32_t>(100 * process);
    correlation_ = 0;
    schema::ContextRow context;
    context.processId = pid_;
    for (const std::int64_t device : {0, 1}) {
      context.deviceId = device;
      context.contextId = device + 1;
      context.nullStreamId = pick(1, 6);
      rows_.of<schema::ContextRow>().push_back(context);
    }
    for (std::int64_t stream = 1; stream <= 6; ++stream) {
      if (one_in(4)) continue;  // some streams have no description
      schema::StreamRow row;
      row.streamId = stream;
      row.processId = pid_;
      row.contextId = 1 + stream % 2;
      row.priority = pick(0, 2);
      row.flag = pick(1, 3);
      rows_.of<schema::StreamRow>().push_back(row);
    }
    const int threads = pick(1, 3);
    for (int thread = 1; thread <= threads; ++thread) {
      tid_ = schema::global_tid(pid_, static_cast<std::uint32_t>(thread));
      draw_calls();
      draw_ranges();
      draw_overheads();
    }
    for (int i = pick(0, 3); i > 0; --i) draw_op(std::nullopt, 1);
  }

  // Adds nodes and random edges of a graph, perhaps with cycles. The nodes 1 to 9 are ops, and the
  // others are of other kinds, such as host functions.
  void draw_topology() {
    for (std::int64_t node = 1; node <= 16; ++node) {
      if (one_in(20)) continue;
      schema::GraphNodeRow row;
      row.start = time();
      row.globalTid = tid_;
      row.graphNodeId = node;
      row.nodeType = node <= 9 ? 0 : pick(2, 5);
      rows_.of<schema::GraphNodeRow>().push_back(row);
    }
    for (int i = pick(0, 30); i > 0; --i) {
      schema::GraphEdgeRow row;
      row.start = time();
      row.graphNodeId = pick(1, 16);
      row.dependencyNodeId = one_in(10) ? pick(1, 16) : pick(1, static_cast<int>(row.graphNodeId));
      if (one_in(8)) row.removed = 1;
      rows_.of<schema::GraphEdgeRow>().push_back(row);
    }
  }

  // Adds a thread that repeats the same work.
  void draw_loops() {
    tid_ = schema::global_tid(pid_, 9);
    std::int64_t now = 1 + pick(0, 500);
    while (now < length / 2) {
      draw_small_copies(now);
      draw_graph_launches(now);
    }
  }

  // Adds several small copies, and then a large copy.
  void draw_small_copies(std::int64_t& now) {
    schema::MemcpyRow row;
    row.copyKind = 1;
    row.channelType = 2;
    row.srcKind = 1;
    row.globalPid = schema::global_pid(pid_);
    row.streamId = pick(1, 6);
    row.deviceId = (row.streamId + 1) % 2;
    std::int64_t start = now;
    for (int i = pick(3, 6); i >= 0; --i) {
      row.correlationId = call(now, now + 20, async_copy);
      now += 20;
      row.bytes = i == 0 ? 1 << 20 : pick(1, 1000);
      row.start = start = std::max(start, now) + 50 * pick(0, 30);
      row.end = start + 50 * pick(1, 8);
      start = row.end;
      rows_.of<schema::MemcpyRow>().push_back(row);
    }
    now = std::max(now, start);
  }

  // Adds launches of one executable graph to two streams in turn.
  void draw_graph_launches(std::int64_t& now) {
    schema::KernelRow row;
    row.shortName = id_of(first_kernel);
    row.globalPid = schema::global_pid(pid_);
    row.graphNodeId = pick(1, 9);
    row.gridX = pick(1, 60);
    row.gridY = row.gridZ = row.blockY = row.blockZ = 1;
    row.blockX = 128;
    std::int64_t start = now;
    for (int i = pick(2, 4); i >= 0; --i) {
      row.streamId = i % 2 == 0 ? 1 : 3;
      row.correlationId = call(now, now + 20, graph_launch);
      now += 20;
      row.start = std::max(start, now) + 50 * pick(0, 30);
      row.end = start = row.start + 50 * pick(1, 8);
      rows_.of<schema::KernelRow>().push_back(row);
    }
    now = std::max(now, start);
  }

  void draw_calls() {
    std::int64_t now = 1 + pick(0, 500);
    for (int i = pick(1, 25); i > 0 && now < length - 2000; --i) {
      now += one_in(3) ? 0 : pick(0, 600);
      const std::int64_t end = now + (one_in(8) ? 0 : pick(0, 800));
      const int function = pick(0, functions - 1);
      const std::int64_t correlation = call(now, end, function);
      if (one_in(4)) call(now + (end - now) / 4, end - (end - now) / 4, pick(0, functions - 1));
      draw_synchronization(function, correlation);
      if (function <= 2 || one_in(10)) {
        const int nodes = function == 2 ? pick(1, 4) : 1;
        for (int node = 0; node < nodes; ++node) draw_op(correlation, now);
        if (one_in(4)) draw_twin(correlation);
        if (one_in(4)) draw_twin(call(now, end, function));
      }
      now = end;
    }
  }

  std::int64_t call(std::int64_t start, std::int64_t end, int function) {
    schema::ApiCallRow row;
    row.start = start;
    row.end = end;
    row.globalTid = tid_;
    row.correlationId = one_in(40) && correlation_ > 0 ? correlation_ : ++correlation_;
    row.nameId = id_of(function);
    rows_.of<schema::ApiCallRow>().push_back(row);
    return *row.correlationId;
  }

  void draw_synchronization(int function, std::int64_t correlation) {
    if (function == record_event) record<schema::CudaEventRow>(correlation);
    if (function == query_event) record<schema::SynchronizationRow>(correlation).syncType = 1;
    if (function == wait_event) record<schema::SynchronizationRow>(correlation).syncType = 2;
    if (function == synchronize) {
      record<schema::SynchronizationRow>(correlation).syncType = pick(3, 5);
    }
    if (!one_in(6)) return;
    // Adds a second record for the call, or a record without a call.
    record<schema::CudaEventRow>(one_in(4) ? 100'000 : correlation);
    record<schema::SynchronizationRow>(one_in(4) ? 100'000 : correlation).syncType = pick(0, 4);
  }

  template <class Row>
  Row& record(std::int64_t correlation) {
    Row row;
    row.correlationId = correlation;
    row.globalPid = schema::global_pid(pid_);
    row.contextId = pick(1, 2);
    row.streamId = pick(1, 6);
    row.eventId = pick(1, 3);
    row.eventSyncId = pick(0, 3);
    return rows_.of<Row>().emplace_back(row);
  }

  template <class Row>
  void add_op(Row row, std::optional<std::int64_t> correlation, std::int64_t from) {
    row.start = std::min<std::int64_t>(length, from + 50 * pick(0, 60));
    row.end = row.start + (one_in(10) ? 0 : 50 * pick(0, 30));
    if (one_in(60)) row.end = -1;
    if (one_in(60)) row.start = row.end = -1;
    row.streamId = pick(1, 6);
    row.deviceId = (row.streamId + 1) % 2;
    row.correlationId = correlation;
    row.globalPid = schema::global_pid(pid_);
    if (one_in(2)) row.graphNodeId = pick(1, 9);
    if (!one_in(4)) row.channelId = pick(0, 9);
    rows_.of<Row>().push_back(row);
  }

  void draw_op(std::optional<std::int64_t> correlation, std::int64_t from) {
    const int sort = pick(0, 9);
    if (sort < 5) {
      schema::KernelRow row;
      row.shortName = id_of(pick(first_kernel, static_cast<int>(texts.size()) - 1));
      row.gridX = pick(1, 60);
      row.gridY = row.gridZ = row.blockY = row.blockZ = 1;
      row.blockX = 128;
      row.channelType = 1;
      add_op(row, correlation, from);
    } else if (sort < 9) {
      constexpr std::array<std::int64_t, 5> kinds = {1, 2, 8, 10, 11};
      schema::MemcpyRow row;
      row.copyKind = kinds[static_cast<std::size_t>(pick(0, 4))];
      row.bytes = pick(1, 1000);
      if (one_in(2)) row.channelType = pick(1, 2);
      if (one_in(2)) row.srcKind = pick(0, 2);
      if (one_in(2)) row.dstKind = pick(0, 2);
      if (one_in(2)) row.dstDeviceId = pick(0, 1);
      if (one_in(2)) row.flags = pick(0, 1);
      add_op(row, correlation, from);
    } else {
      schema::MemsetRow row;
      row.bytes = pick(1, 1000);
      add_op(row, correlation, from);
    }
  }

  // Repeats the latest kernel with another name, shape or channel, and the latest copy with another
  // kind of memory.
  void draw_twin(std::int64_t correlation) {
    if (auto& kernels = rows_.of<schema::KernelRow>(); !kernels.empty()) {
      schema::KernelRow row = kernels.back();
      if (one_in(2)) row.shortName = id_of(pick(first_kernel, static_cast<int>(texts.size()) - 1));
      if (one_in(2)) row.gridX = pick(1, 60);
      row.channelId = pick(0, 9);
      row.correlationId = correlation;
      kernels.push_back(row);
    }
    if (auto& copies = rows_.of<schema::MemcpyRow>(); !copies.empty()) {
      schema::MemcpyRow row = copies.back();
      row.srcKind = pick(0, 2);
      row.dstDeviceId = pick(0, 1);
      copies.push_back(row);
    }
  }

  void draw_ranges() {
    for (int i = pick(0, 8); i > 0; --i) {
      schema::NvtxRow row;
      row.start = time();
      row.end = time(row.start);
      if (one_in(10)) row.end.reset();
      row.eventType = one_in(4) ? 60 : 59;
      row.globalTid = tid_;
      if (one_in(3)) {
        row.text = "own " + std::to_string(pick(1, 3));
      } else {
        row.textId = id_of(pick(first_range, first_range + 1));
      }
      rows_.of<schema::NvtxRow>().push_back(row);
      if (one_in(4)) {  // another op at the same time
        row.text = "own " + std::to_string(pick(1, 3));
        rows_.of<schema::NvtxRow>().push_back(row);
      }
    }
  }

  void draw_overheads() {
    constexpr std::array<std::int64_t, 4> types = {2, 3, 6, 8};
    for (int i = pick(0, 6); i > 0; --i) {
      schema::OverheadRow row;
      row.start = time();
      row.end = std::min(length, row.start + 50 * pick(0, 40));
      row.globalTid = tid_;
      row.overheadType = types[static_cast<std::size_t>(pick(0, 3))];
      rows_.of<schema::OverheadRow>().push_back(row);
      if (!one_in(3)) continue;
      row.overheadType = types[static_cast<std::size_t>(pick(0, 3))];
      rows_.of<schema::OverheadRow>().push_back(row);
    }
  }

  void draw_losses() {
    for (const char* code : {"dropped-records", "unknown-kind", "unmatched-range-ends"}) {
      if (one_in(3)) rows_.of<schema::LossRow>().push_back({code, pick(1, 9), std::nullopt});
    }
    for (std::int64_t kind = 1; kind < 4; ++kind) {
      rows_.of<schema::RecordsRow>().push_back(
          {kind, "KIND " + std::to_string(kind), pick(0, 1), 64, 1, 0});
    }
    std::int64_t offset = 1'000'000'000;  // changes by 0.9 ms per sample, and is sometimes reset
    for (std::int64_t sample = 0; sample < 5; ++sample) {
      offset += one_in(20) ? -5'000'000 : 900'000;
      rows_.of<schema::ClockRow>().push_back(
          {"period", offset + 1000 * sample, 1000 * sample, 0, 0});
    }
  }

  std::mt19937& random_;
  TraceRows::Tables rows_;
  std::uint32_t pid_ = 0;
  std::int64_t tid_ = 0;
  std::int64_t correlation_ = 0;
};

void shift_row(const schema::TableInfo& table, std::byte* row, std::int64_t ns) {
  schema::for_each_value(table, row, [&]<class T>(const schema::ColumnInfo& column, T& value, int) {
    if (column.unit != schema::Unit::session_ns) return;
    if constexpr (std::is_same_v<T, std::int64_t>) {
      if (value >= 0) value += ns;
    } else if constexpr (std::is_same_v<T, std::optional<std::int64_t>>) {
      if (value >= 0) *value += ns;
    }
  });
}

}  // namespace

TraceRows::TraceRows(Tables tables) : tables_(std::make_unique<Tables>(std::move(tables))) {}
TraceRows::TraceRows(const TraceRows& other) : TraceRows(*other.tables_) {}
TraceRows::TraceRows(TraceRows&&) noexcept = default;
TraceRows::~TraceRows() = default;

void TraceRows::shuffle(std::mt19937& random) {
  std::apply([&](auto&... rows) { (std::shuffle(rows.begin(), rows.end(), random), ...); },
             tables_->rows);
}

void TraceRows::shift(std::int64_t ns) {
  const auto shift_table = [ns]<class Row>(std::vector<Row>& rows) {
    for (Row& row : rows) shift_row(schema::describe<Row>, schema::bytes_of(row), ns);
  };
  std::apply([&](auto&... rows) { (shift_table(rows), ...); }, tables_->rows);
}

void TraceRows::write(const std::filesystem::path& path) const {
  write_trace(path, [this](trace::TraceWriter& trace) {
    const auto insert_all = [&trace](const auto& rows) {
      for (const auto& row : rows) trace.insert(row);
    };
    std::apply([&](const auto&... rows) { (insert_all(rows), ...); }, tables_->rows);
  });
}

TraceRows random_rows(std::mt19937& random) { return TraceRows(Drawing(random).draw()); }

}  // namespace lapscope::test
