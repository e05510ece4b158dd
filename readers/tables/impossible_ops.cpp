#include "readers/tables/impossible_ops.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "analyzer/model/assumptions.h"
#include "collector/schema/tables.h"
#include "readers/tables/scan.h"

namespace lapscope::analyzer {
namespace {

enum class Fault : std::uint8_t { none, before_call, after_recording, beside };
constexpr std::size_t fault_count = 4;

// The tables of kernels, copies and memsets.
constexpr std::size_t table_count = 3;
using Counts = std::array<std::array<std::int64_t, fault_count>, table_count>;

std::size_t table_of(OpKind kind) {
  return kind == OpKind::kernel ? 0 : kind == OpKind::memset ? 2 : 1;
}

bool has_order(const Ops& ops, std::size_t op) { return (ops.memory[op] & in_graph) == 0; }

// Selects as many ops of one stream as possible that do not contradict each other. Call takes() for
// each op, in the order of their ends. takes() returns whether the op is kept.
class StreamOrder {
 public:
  StreamOrder(const Ops& ops, bool has_dependents) : ops_(ops), has_dependents_(has_dependents) {}

  bool takes(std::uint32_t op) {
    const bool is_kernel = ops_.kind[op] == OpKind::kernel;
    const bool fits = is_kernel && has_dependents_
                          ? begins_after(op, end_of_others_) && !holds_many(op)
                          : begins_after(op, std::max(end_of_others_, end_of_kernels_));
    if (!fits) return false;
    Ns& end = is_kernel ? end_of_kernels_ : end_of_others_;
    end = ops_.end[op];
    if (is_kernel) kernels_.push_back(op);
    return true;
  }

 private:
  bool begins_after(std::uint32_t op, Ns end) const {
    return end <= ops_.start[op] || end - ops_.start[op] <= assumed::clock_tolerance;
  }
  // Returns whether more kernels ran within the time of `op` than a GPU can hold at once.
  bool holds_many(std::uint32_t op) const {
    if (kernels_.size() < assumed::kernels_at_once) return false;
    const std::uint32_t before = kernels_[kernels_.size() - assumed::kernels_at_once];
    return ops_.start[op] < ops_.start[before];
  }

  const Ops& ops_;
  const bool has_dependents_;
  Ns end_of_kernels_ = 0;
  Ns end_of_others_ = 0;
  std::vector<std::uint32_t> kernels_;  // kernels that stay, by end
};

class Check {
 public:
  Check(std::optional<Ns> recording_end, bool has_dependents, const Trace& trace)
      : end_(recording_end), has_dependents_(has_dependents), trace_(trace) {
    std::map<std::pair<std::uint32_t, std::int64_t>, int> contexts;
    for (const CudaContext& context : trace.contexts) {
      if (++contexts[{context.pid, context.device}] > 1) {
        several_contexts_.insert({context.pid, context.device});
      }
    }
  }

  // Returns the fault of each op; empty if no op has one.
  std::vector<Fault> faults_of(const Device& device) const {
    std::vector<Fault> faults;
    const Ops& ops = device.ops;
    const auto note = [&](std::size_t op, Fault fault) {
      if (faults.empty()) faults.resize(ops.size());
      faults[op] = fault;
    };
    std::vector<Ns> end_of_stream(device.streams.size());
    std::vector<bool> is_mixed(device.streams.size());
    bool is_any_mixed = false;
    for (std::size_t op = 0; op < ops.size(); ++op) {
      const Fault fault = fault_of(ops, op);
      if (fault != Fault::none) {
        note(op, fault);
        continue;
      }
      if (!has_order(ops, op)) continue;
      Ns& end = end_of_stream[ops.stream[op]];
      if (end - ops.start[op] > assumed::clock_tolerance) {
        is_mixed[ops.stream[op]] = true;
        is_any_mixed = true;
      }
      end = std::max(end, ops.end[op]);
    }
    if (!is_any_mixed) return faults;
    std::vector<std::vector<std::uint32_t>> mixed(device.streams.size());
    for (std::uint32_t op = 0; op < ops.size(); ++op) {
      const Stream& stream = device.streams[ops.stream[op]];
      if (!is_mixed[ops.stream[op]] || !has_order(ops, op)) continue;
      if (several_contexts_.count({stream.pid, device.id}) > 0) continue;
      if (faults.empty() || faults[op] == Fault::none) mixed[ops.stream[op]].push_back(op);
    }
    for (std::vector<std::uint32_t>& stream : mixed) {
      std::stable_sort(stream.begin(), stream.end(), [&ops](std::uint32_t a, std::uint32_t b) {
        return ops.end[a] < ops.end[b];
      });
      StreamOrder order(ops, has_dependents_);
      for (const std::uint32_t op : stream) {
        if (!order.takes(op)) note(op, Fault::beside);
      }
    }
    return faults;
  }

 private:
  Fault fault_of(const Ops& ops, std::size_t op) const {
    if (end_ && ops.end[op] - *end_ > assumed::clocks_apart) return Fault::after_recording;
    const std::uint32_t call = ops.issue[op];
    if (call != no_index && trace_.calls.start[call] - ops.start[op] > assumed::clocks_apart) {
      return Fault::before_call;
    }
    return Fault::none;
  }

  const std::optional<Ns> end_;
  const bool has_dependents_;
  const Trace& trace_;
  std::set<std::pair<std::uint32_t, std::int64_t>> several_contexts_;
};

// The kept ops of one stream, in the order of their starts. `latest[i]` is the latest start of the
// calls that issued ops 0 to i.
struct IssuedSoFar {
  std::vector<Ns> latest;
  std::vector<Ns> start;
};

// Sets the interval ImpossibleOp::may_have_run of each removed op. The interval begins with the
// op's call. It ends at the start of the first kept op that was issued later to the same stream.
void place(const Trace& trace, const Device& device, std::size_t first,
           std::vector<ImpossibleOp>& impossible_ops, const std::vector<std::uint32_t>& streams) {
  std::map<std::uint32_t, IssuedSoFar> issued;
  for (const std::uint32_t stream : streams) issued[stream];
  const Ops& ops = device.ops;
  for (std::size_t op = 0; op < ops.size(); ++op) {
    const auto stream = issued.find(ops.stream[op]);
    if (stream == issued.end() || ops.issue[op] == no_index) continue;
    IssuedSoFar& so_far = stream->second;
    const Ns call = trace.calls.start[ops.issue[op]];
    so_far.latest.push_back(so_far.latest.empty() ? call : std::max(call, so_far.latest.back()));
    so_far.start.push_back(ops.start[op]);
  }
  for (std::size_t i = first; i < impossible_ops.size(); ++i) {
    ImpossibleOp& one = impossible_ops[i];
    one.may_have_run = {0, latest_time};
    if (one.call == no_index) continue;
    const Ns call = trace.calls.start[one.call];
    one.may_have_run.start = call;
    const IssuedSoFar& so_far = issued[streams[i - first]];
    const auto after = std::upper_bound(so_far.latest.begin(), so_far.latest.end(), call);
    if (after != so_far.latest.end()) {
      one.may_have_run.end =
          std::max(call, so_far.start[static_cast<std::size_t>(after - so_far.latest.begin())]);
    }
  }
}

void keep(Ops& ops, const std::vector<Fault>& faults) {
  std::vector<std::uint32_t> stays;
  std::vector<std::uint32_t> now(ops.size(), no_index);
  for (std::uint32_t op = 0; op < ops.size(); ++op) {
    if (faults[op] != Fault::none) continue;
    now[op] = static_cast<std::uint32_t>(stays.size());
    stays.push_back(op);
  }
  std::apply([&](auto... column) { ((ops.*column = gathered(ops.*column, stays)), ...); },
             Ops::columns());
  std::erase_if(ops.nodes, [&now](const OpNode& node) { return now[node.op] == no_index; });
  for (OpNode& node : ops.nodes) node.op = now[node.op];
}

void add_rows(const Counts& counts, HealthKind kind, std::vector<HealthRow>& health) {
  constexpr std::array tables = {schema::describe<schema::KernelRow>.name,
                                 schema::describe<schema::MemcpyRow>.name,
                                 schema::describe<schema::MemsetRow>.name};
  for (std::size_t table = 0; table < table_count; ++table) {
    HealthRow row{kind, 0, {std::string(tables[table])}};
    for (std::size_t fault = 1; fault < fault_count; ++fault) {
      row.count += counts[table][fault];
      row.details.emplace_back(counts[table][fault]);
    }
    if (row.count > 0) health.push_back(std::move(row));
  }
}

}  // namespace

bool may_launch_dependents(schema::Database& database) {
  using schema::LaunchAttributesRow;
  using schema::RecordsRow;
  if (!has_table<RecordsRow>(database)) return true;
  bool are_told = false;
  using Kinds = schema::Selection<COLUMNS(RecordsRow, name, enableResult)>;
  for_each_row<Kinds>(database, [&are_told](const RecordsRow& row) {
    are_told |= row.name == "LAUNCH_ATTRIBUTES" && row.enableResult == 0;
  });
  if (!are_told) return true;
  bool has_one = false;
  using Columns = schema::Selection<COLUMNS(LaunchAttributesRow, programmaticSerialization)>;
  for_each_row<Columns>(database, [&has_one](const LaunchAttributesRow& row) {
    has_one |= row.programmaticSerialization.value_or(0) != 0;
  });
  return has_one;
}

void leave_out_impossible_ops(std::optional<Ns> recording_end, bool has_dependents, Trace& trace) {
  const Check check(recording_end, has_dependents, trace);
  Counts counts{};
  for (Device& device : trace.devices) {
    const std::vector<Fault> faults = check.faults_of(device);
    if (faults.empty()) continue;
    const std::size_t first = trace.impossible_ops.size();
    std::vector<std::uint32_t> streams;
    for (std::uint32_t op = 0; op < device.ops.size(); ++op) {
      if (faults[op] == Fault::none) continue;
      ++counts[table_of(device.ops.kind[op])][static_cast<std::size_t>(faults[op])];
      trace.impossible_ops.push_back({device.id, device.ops.issue[op], {}});
      streams.push_back(device.ops.stream[op]);
    }
    keep(device.ops, faults);
    place(trace, device, first, trace.impossible_ops, streams);
  }
  // A device that lost all its ops has no scope to mark as inconclusive. The health rows then have
  // another kind.
  const auto lost =
      std::erase_if(trace.devices, [](const Device& device) { return device.ops.empty(); });
  add_rows(counts, lost > 0 ? HealthKind::impossible_device : HealthKind::impossible_ops,
           trace.health);
}

}  // namespace lapscope::analyzer
