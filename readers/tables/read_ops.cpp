#include "readers/tables/read_ops.h"

#include <algorithm>
#include <map>

#include "analyzer/model/limits.h"
#include "analyzer/model/trace.h"
#include "collector/schema/global_id.h"
#include "collector/schema/tables.h"
#include "readers/tables/op_details.h"
#include "readers/tables/scan.h"

namespace lapscope::analyzer {
namespace {

using schema::Database;
using schema::GraphTraceRow;
using schema::KernelRow;
using schema::MemcpyRow;
using schema::MemsetRow;
using schema::Selection;
using Optional = std::optional<std::int64_t>;

// Returns `size` if CUDA allows it (0 to 2^31), else 0.
std::int64_t small(std::int64_t size) {
  return 0 <= size && size <= std::int64_t{1} << 31 ? size : 0;
}

// Returns x * y * z, or 0 if CUDA cannot launch this shape.
std::int64_t volume(std::int64_t x, std::int64_t y, std::int64_t z) {
  std::int64_t plane = 0;
  std::int64_t result = 0;
  if (__builtin_mul_overflow(small(x), small(y), &plane) ||
      __builtin_mul_overflow(plane, small(z), &result)) {
    return 0;
  }
  return result;
}

// Collects the ops of one trace while rows are read.
class Reading {
 public:
  void reserve(std::size_t ops) {
    std::apply([&](auto... column) { ((result_.ops.*column).reserve(ops), ...); }, Ops::columns());
  }

  // Adds the columns that all tables have. Returns false if the op is left out.
  template <class Row>
  bool begin(OpKind kind, const Row& row) {
    return begin(kind, row.start, row.end, row.deviceId, row.streamId, row.correlationId,
                 row.globalPid);
  }
  void kernel(std::uint32_t name, std::uint32_t geometry) {
    result_.ops.engine.push_back(Engine::compute);
    result_.ops.name.push_back(name);
    result_.ops.geometry.push_back(geometry);
    result_.ops.bytes.push_back(0);
  }
  void transfer(Engine engine, Bytes bytes) {
    result_.ops.engine.push_back(engine);
    result_.ops.name.push_back(no_index);
    result_.ops.geometry.push_back(no_index);
    // An impossible size is stored as 0 (unknown), so that it enters no transfer rate.
    result_.ops.bytes.push_back(0 <= bytes && bytes <= latest_time ? bytes : 0);
  }

  // Adds columns that traces of some tools lack. `flags` are MemoryFlags.
  template <class Row>
  void details(const Row& row, int flags = 0, std::uint8_t target = no_device) {
    result_.odd_channels += !channels_.agree(row.deviceId, row.channelId, row.channelType);
    details(channel_of(row.channelId, row.channelType), flags | graph_flag(row.graphNodeId),
            target);
  }
  void details(std::uint16_t channel, int flags, std::uint8_t target) {
    result_.ops.channel.push_back(channel);
    result_.ops.memory.push_back(static_cast<std::uint8_t>(flags));
    result_.ops.target.push_back(target);
  }

  void compute_channel(const KernelRow& row) {
    result_.odd_channels += row.channelType && *row.channelType != schema::codes::compute_channel;
  }
  void direction(const MemcpyRow& row) {
    const bool is_peer_of_itself =
        kind_of_copy(row.copyKind) == OpKind::peer_copy && row.srcDeviceId == row.dstDeviceId;
    const bool agrees = has_direction(row.copyKind, row.srcKind, row.dstKind);
    result_.odd_directions += is_peer_of_itself || !agrees;
  }

  void migration(const MemcpyRow& row) {
    Interval interval{row.start, row.end};
    if (!believable(row.start, row.end)) interval = {0, 0};
    using Direction = Migration::Direction;
    using namespace schema::codes;
    const Direction direction = row.copyKind == migration_to_device ? Direction::to_device
                                : row.copyKind == migration_to_host ? Direction::to_host
                                                                    : Direction::between_devices;
    const bool is_size = 0 <= row.bytes && row.bytes <= latest_time;
    result_.migrations.push_back(
        {row.deviceId, interval, is_size ? row.bytes : 0, row.virtualAddress, direction});
  }

  GeometryTable geometries;

  ReadOps take() {
    result_.ops.geometries = geometries.take_sorted(result_.ops.geometry);
    return std::move(result_);
  }

 private:
  bool begin(OpKind kind, Ns start, Ns end, std::int64_t device, std::int64_t stream,
             Optional correlation, Optional process) {
    // CUPTI writes an end of 0 for an op that had not finished. The collector stores -1 for this
    // end, because a CUPTI time of 0 lies before the session.
    if (0 < start && start <= latest_time && (end == 0 || end == -1)) {
      ++result_.unfinished;
      skip(correlation, process);
      return false;
    }
    if (!believable(start, end) || device < 0 || device >= limits::device_ids) {
      ++row_of(result_.invalid, kind);
      skip(correlation, process);
      return false;
    }
    if (id_of(stream) == no_index || !is_id(correlation) || process == schema::no_integer) {
      ++row_of(result_.without_stream, kind);
      skip(correlation, process);
      return false;
    }
    Ops& ops = result_.ops;
    ops.start.push_back(start);
    ops.end.push_back(end);
    ops.stream.push_back(stream_index(
        {device, schema::pid_of(process.value_or(0)), static_cast<std::uint32_t>(stream)}));
    ops.issue.push_back(static_cast<std::uint32_t>(correlation.value_or(0)));
    ops.kind.push_back(kind);
    return true;
  }
  // If `node` is set, stores `node` for the op that begin() added last, and returns
  // MemoryFlag::in_graph. Otherwise, returns 0.
  int graph_flag(Optional node) {
    if (node.value_or(0) == 0) return 0;
    const auto op = static_cast<std::uint32_t>(result_.ops.start.size()) - 1;
    result_.ops.nodes.push_back({op, static_cast<std::uint64_t>(*node)});
    return in_graph;
  }
  static std::int64_t& row_of(ReadOps::Rows& rows, OpKind kind) {
    return kind == OpKind::kernel   ? rows.kernels
           : kind == OpKind::memset ? rows.memsets
                                    : rows.copies;
  }
  // Returns whether the correlation id is valid. 0 and NULL are valid and mean that there is no id.
  static bool is_id(Optional correlation) { return !correlation || id_of(correlation) != no_index; }
  void skip(Optional correlation, Optional process) {
    result_.skipped.emplace_back(schema::pid_of(process.value_or(0)),
                                 static_cast<std::uint32_t>(correlation.value_or(0)));
  }
  std::uint32_t stream_index(const OpStream& stream) {
    if (last_ < result_.streams.size() && result_.streams[last_] == stream) return last_;
    const auto [known, is_new] =
        streams_.try_emplace(stream, static_cast<std::uint32_t>(result_.streams.size()));
    if (is_new) result_.streams.push_back(stream);
    last_ = known->second;
    return last_;
  }

  ReadOps result_;
  ChannelTypes channels_;
  std::map<OpStream, std::uint32_t> streams_;
  std::uint32_t last_ = 0;
};

LaunchGeometry shape_of(const KernelRow& row) {
  return {volume(row.gridX, row.gridY, row.gridZ), volume(row.blockX, row.blockY, row.blockZ),
          small(row.registersPerThread),
          small(row.staticSharedMemory) + small(row.dynamicSharedMemory)};
}

// The columns that kernels, copies and memsets share.
template <class Row, auto... More>
using OpColumns = Selection<COLUMNS(Row, start, end, deviceId, streamId, correlationId, globalPid,
                                    graphNodeId, channelId, channelType),
                            More...>;

// read_kernels(), read_copies() and read_memsets() return the number of rows.
std::int64_t read_kernels(Database& database, const ReadNames& names, Progress* progress,
                          Reading& reading) {
  using Named = Selection<COLUMNS(KernelRow, shortName)>;
  using Shaped =
      Selection<COLUMNS(KernelRow, shortName, registersPerThread, gridX, gridY, gridZ, blockX,
                        blockY, blockZ, staticSharedMemory, dynamicSharedMemory)>;
  // Trimmed exports may lack launch shapes, which measures do not need, and full names.
  constexpr std::string_view table = schema::describe<KernelRow>.name;
  const bool has_shape = database.has_column(table, "registersPerThread");
  const bool has_full_name =
      !names.with_namespaces.empty() && database.has_column(table, "demangledName");
  const auto name_of = [&](const KernelRow& row) {
    if (has_full_name) {
      const auto found = names.with_namespaces.find(row.demangledName);
      if (found != names.with_namespaces.end()) return found->second;
    }
    return names.names.index_of(row.shortName);
  };
  const auto take = [&](const KernelRow& row) {
    if (!reading.begin(OpKind::kernel, row)) return;
    reading.kernel(name_of(row), has_shape ? reading.geometries.index_of(shape_of(row)) : no_index);
    reading.compute_channel(row);
    reading.details(row);
  };
  const auto scan = [&]<class Row, auto... More>(const Selection<Row, More...>&) {
    return has_full_name ? for_each_row<OpColumns<Row, &Row::demangledName, More...>>(
                               database, take, "", progress)
                         : for_each_row<OpColumns<Row, More...>>(database, take, "", progress);
  };
  return has_shape ? scan(Shaped()) : scan(Named());
}

std::int64_t read_copies(Database& database, Progress* progress, Reading& reading) {
  using Columns = OpColumns<COLUMNS(MemcpyRow, bytes, copyKind, srcKind, dstKind, srcDeviceId,
                                    dstDeviceId, virtualAddress)>;
  const auto take = [&](const MemcpyRow& row) {
    if (is_migration(row.copyKind)) {
      reading.migration(row);
      return;
    }
    const OpKind kind = kind_of_copy(row.copyKind);
    if (!reading.begin(kind, row)) return;
    reading.transfer(engine_of_copy(row.copyKind, row.channelType), row.bytes);
    reading.direction(row);
    reading.details(
        row,
        copy_flags(row.srcKind, row.dstKind) | (is_between_host(row.copyKind) ? between_host : 0),
        target_of(kind, row.dstDeviceId));
  };
  return for_each_row<Columns>(database, take, "", progress);
}

std::int64_t read_memsets(Database& database, Progress* progress, Reading& reading) {
  using Columns = OpColumns<COLUMNS(MemsetRow, bytes)>;
  const auto take = [&](const MemsetRow& row) {
    if (!reading.begin(OpKind::memset, row)) return;
    reading.transfer(engine_of_memset(row.channelType), row.bytes);
    reading.details(row);
  };
  return for_each_row<Columns>(database, take, "", progress);
}

// Reads CUDA graphs that were traced as a whole, without rows for their kernels and copies. Each
// execution becomes one kernel of unknown shape, so that the device is busy during the execution.
void read_whole_graphs(Database& database, const ReadNames& names, Progress* progress,
                       Reading& reading) {
  using Columns = schema::TolerantSelection<COLUMNS(GraphTraceRow, start, end, deviceId, streamId,
                                                    correlationId, globalPid)>;
  const auto take = [&](const GraphTraceRow& row) {
    if (!reading.begin(OpKind::kernel, row)) return;
    reading.kernel(names.names.index_of(id_of_whole_graph), no_index);
    reading.details(no_channel, 0, no_device);
  };
  for_each_row<Columns>(database, take, "", progress);
}

// The streams of the ops, grouped by device. Within a device, the streams are ordered by process
// and id.
struct Dealing {
  std::vector<DeviceOps> devices;
  struct Place {
    std::size_t device = 0;   // index in `devices`
    std::uint32_t index = 0;  // index in the device's streams
  };
  std::vector<Place> of_stream;  // by index in ReadOps::streams

  explicit Dealing(const std::vector<OpStream>& streams) : of_stream(streams.size()) {
    std::map<OpStream, std::size_t> sorted;
    for (std::size_t i = 0; i < streams.size(); ++i) sorted.emplace(streams[i], i);
    for (const auto& [stream, i] : sorted) {
      if (devices.empty() || devices.back().device != stream.device) {
        devices.push_back({stream.device, {}, {}});
      }
      of_stream[i] = {devices.size() - 1,
                      static_cast<std::uint32_t>(devices.back().streams.size())};
      devices.back().streams.push_back(stream);
    }
  }
};

// Copies graph nodes to a device's ops. `nodes` is ordered by position in the file. `order[op]` is
// the position of the device's op in the file.
void deal_nodes(const std::vector<OpNode>& nodes, const std::vector<std::uint32_t>& order,
                Ops& ops) {
  for (std::uint32_t op = 0; op < ops.size(); ++op) {
    if ((ops.memory[op] & in_graph) == 0) continue;
    const auto found =
        std::lower_bound(nodes.begin(), nodes.end(), order[op],
                         [](const OpNode& node, std::uint32_t place) { return node.op < place; });
    ops.nodes.push_back({op, found->node});
  }
}

}  // namespace

ReadOps read_ops(Database& database, const ReadNames& names, Progress* progress) {
  Reading reading;
  reading.reserve(static_cast<std::size_t>(rows_at_most<KernelRow>(database) +
                                           rows_at_most<MemcpyRow>(database) +
                                           rows_at_most<MemsetRow>(database)));
  const std::int64_t kernels = read_kernels(database, names, progress, reading);
  const std::int64_t copies = read_copies(database, progress, reading);
  const std::int64_t memsets = read_memsets(database, progress, reading);
  read_whole_graphs(database, names, progress, reading);
  ReadOps result = reading.take();
  result.all = {kernels, copies, memsets};
  return result;
}

DealtOps deal(ReadOps& read, IssueIndex issues) {
  DealtOps result;
  start_behind_work_ahead(read.ops);
  Dealing dealing(read.streams);
  std::vector<std::vector<std::uint32_t>> order(dealing.devices.size());
  if (order.size() == 1) order[0].reserve(read.ops.size());
  for (std::uint32_t op = 0; op < read.ops.size(); ++op) {
    const std::uint32_t stream = read.ops.stream[op];
    std::uint32_t& issue = read.ops.issue[op];
    issue = issues.find(read.streams[stream].pid, issue);
    if (issue == no_index) ++result.unissued;
    read.ops.stream[op] = dealing.of_stream[stream].index;
    order[dealing.of_stream[stream].device].push_back(op);
  }
  for (const auto& [pid, correlation] : read.skipped) {
    const std::uint32_t call = issues.find(pid, correlation);
    if (call != no_index) result.skipped.push_back(call);
  }
  issues = IssueIndex();
  for (std::vector<std::uint32_t>& members : order) sort_by_start(read.ops, members);
  // Moves one column at a time, so that at most one column is in memory twice.
  const auto deal_column = [&](auto column) {
    for (std::size_t device = 0; device < order.size(); ++device) {
      dealing.devices[device].ops.*column = gathered(read.ops.*column, order[device]);
    }
    release(read.ops.*column);
  };
  std::apply([&](auto... column) { (deal_column(column), ...); }, Ops::columns());
  for (std::size_t device = 0; device < order.size(); ++device) {
    Ops& ops = dealing.devices[device].ops;
    ops.geometries = read.ops.geometries;
    deal_nodes(read.ops.nodes, order[device], ops);
  }
  read.ops = {};
  result.devices = std::move(dealing.devices);
  return result;
}

}  // namespace lapscope::analyzer
