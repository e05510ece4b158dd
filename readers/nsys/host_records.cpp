#include "readers/nsys/host_records.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "analyzer/intervals/units.h"
#include "analyzer/model/code_owner.h"
#include "collector/schema/export_tables.h"
#include "readers/nsys/rows.h"

namespace lapscope::analyzer::nsys {
namespace {

namespace table = schema::export_table;

class RecordReader {
 public:
  RecordReader(schema::Database& database, const Trace& trace, HostRecord& record)
      : database_(database), trace_(trace), record_(record) {
    const auto& threads = trace.calls.threads;
    for (std::uint32_t i = 0; i < threads.size(); ++i) threads_.emplace(threads[i].global_tid, i);
  }

  HostRecords read() && {
    read_calls(table::os_calls, HostState::Kind::os_call, "nameId");
    for (const std::string_view from :
         {table::mpi_p2p, table::mpi_collectives, table::mpi_waits, table::mpi_others}) {
      read_calls(from, HostState::Kind::mpi_call, "textId");
    }
    give_chains(table::os_call_frames, result_.calls, chains_of_calls_);
    read_scheduling();
    read_samples();
    give_chains(table::sample_frames, result_.samples, chains_of_samples_);
    return std::move(result_);
  }

 private:
  std::optional<std::uint32_t> thread_of(std::optional<std::int64_t> global_tid) const {
    if (!global_tid) return std::nullopt;
    const auto found = threads_.find(*global_tid);
    return found == threads_.end() ? std::nullopt : std::optional(found->second);
  }

  // Reads the outermost calls of each thread.
  void read_calls(std::string_view from, HostState::Kind kind, std::string_view name_column) {
    const bool has_chains = kind == HostState::Kind::os_call;
    Rows rows(database_, from,
              {"start", "end", "globalTid", name_column, "nestingLevel",
               has_chains ? "callchainId" : "nestingLevel"});
    while (rows.step()) {
      const auto thread = thread_of(rows.integer(2));
      const auto start = rows.integer(0);
      const auto end = rows.integer(1);
      if (rows.integer(4).value_or(0) > 0) continue;
      if (!thread || !start || !end || !believable(*start, *end)) continue;
      if (has_chains && rows.integer(5).value_or(0) != 0) {
        chains_of_calls_.try_emplace(*rows.integer(5))
            .first->second.push_back(result_.calls.size());
      }
      const auto name = rows.integer(3);
      result_.calls.push_back(
          {kind, *thread, name ? trace_.names.index_of(*name) : 0, {*start, *end}});
    }
  }

  void read_scheduling() {
    Rows rows(database_, table::scheduling, {"start", "isSchedIn", "globalTid", "threadState"},
              "globalTid, start");
    struct Last {
      std::uint32_t thread = 0;
      Ns time = 0;
      bool is_in = false;
      ThreadState out_as = ThreadState::off_processor;
    };
    std::optional<Last> last;
    while (rows.step()) {
      const auto start = rows.integer(0);
      const auto thread = thread_of(rows.integer(2));
      if (!start || !thread) continue;
      const bool is_in = rows.integer(1).value_or(0) != 0;
      const bool goes_on = last && last->thread == *thread && last->is_in != is_in;
      if (goes_on && believable(last->time, *start)) {
        const ThreadState state = last->is_in ? ThreadState::running : last->out_as;
        result_.scheduling.push_back({*thread, {last->time, *start}, last->is_in, state});
      }
      last = {*thread, *start, is_in, state_when_out(rows.integer(3))};
    }
  }

  // `state` is ENUM_SAMPLING_THREAD_STATE. On Linux it is always 0.
  static ThreadState state_when_out(std::optional<std::int64_t> state) {
    constexpr std::int64_t running = 1;
    constexpr std::int64_t uninterruptible = 3;
    if (state == running) return ThreadState::running;
    return state == uninterruptible ? ThreadState::uninterruptible : ThreadState::off_processor;
  }

  // Leaves out samples with 0 cycles, which Nsight Systems takes when the Linux scheduler switches
  // threads.
  void read_samples() {
    Rows rows(database_, table::samples, {"id", "start", "globalTid", "cpuCycles"});
    while (rows.step()) {
      const auto thread = thread_of(rows.integer(2));
      const auto time = rows.integer(1);
      if (!thread || !time || !believable(*time, *time) || rows.integer(3) == 0) continue;
      if (const auto id = rows.integer(0)) {
        chains_of_samples_.try_emplace(*id).first->second.push_back(result_.samples.size());
      }
      result_.samples.push_back({*thread, *time});
    }
  }

  using ByChain = std::unordered_map<std::int64_t, std::vector<std::size_t>>;

  template <class Taken>
  void give_chains(std::string_view from, std::vector<Taken>& all, const ByChain& wanted) {
    if (wanted.empty()) return;
    Rows rows(database_, from,
              {"id", "symbol", "module", "unresolved", "specialEntry", "stackDepth"},
              "id, stackDepth");
    std::vector<Frame> frames;
    std::optional<std::int64_t> chain;
    const auto end_chain = [&] {
      const auto takers = chain ? wanted.find(*chain) : wanted.end();
      if (takers != wanted.end() && !frames.empty()) {
        const std::uint32_t stack = record_.chain(frames);
        for (const std::size_t one : takers->second) all[one].chain = stack;
      }
      frames.clear();
    };
    while (rows.step()) {
      if (rows.integer(0) != chain) end_chain();
      chain = rows.integer(0);
      if (!chain || !wanted.contains(*chain) || rows.integer(4).value_or(0) != 0) continue;
      const bool is_named = rows.integer(3).value_or(0) == 0;
      Frame frame{is_named ? index_of(rows.integer(1)) : 0, index_of(rows.integer(2))};
      // Some releases do not set specialEntry for the text "[Broken backtraces]".
      if (trace_.names.text(frame.function).starts_with('[')) continue;
      if (frame.function != 0 || frame.module != 0) frames.push_back(frame);
    }
    end_chain();
  }
  std::uint32_t index_of(std::optional<std::int64_t> id) const {
    return id ? trace_.names.index_of(*id) : 0;
  }

  schema::Database& database_;
  const Trace& trace_;
  HostRecord& record_;
  std::unordered_map<std::int64_t, std::uint32_t> threads_;  // by global id
  ByChain chains_of_calls_;                                  // in HostRecords::calls
  ByChain chains_of_samples_;                                // in HostRecords::samples
  HostRecords result_;
};

using Kind = HostState::Kind;

// Returns the innermost named function of the stack; 0 if no function has a name.
std::uint32_t named_function(const CallStacks& stacks, std::uint32_t chain) {
  if (chain == CallStacks::none) return 0;
  for (const Frame& frame : stacks.chain(chain)) {
    if (frame.function != 0) return frame.function;
  }
  return 0;
}

}  // namespace

HostRecords read_host_records(schema::Database& database, const Trace& trace, HostRecord& record) {
  return RecordReader(database, trace, record).read();
}

void add_host_states(const HostRecords& records, Trace& trace) {
  const auto add = [&trace](std::uint32_t thread, const HostState& state) {
    trace.host_states.resize(trace.calls.threads.size());
    trace.host_states[thread].push_back(state);
  };
  for (const HostRecords::Call& call : records.calls) {
    add(call.thread, {call.kind, call.name, call.interval});
  }
  for (const HostRecords::Stretch& one : records.scheduling) {
    if (!one.is_on) add(one.thread, {Kind::not_running, 0, one.interval});
  }
  for (const HostRecords::Sample& sample : records.samples) {
    const std::uint32_t function = named_function(trace.host_samples.stacks, sample.chain);
    if (function != 0) add(sample.thread, {Kind::sample, function, {sample.time, sample.time}});
  }
  for (auto& states : trace.host_states) {
    std::ranges::sort(states, {}, [](const HostState& one) {
      return std::tie(one.interval.start, one.interval.end, one.kind, one.name);
    });
  }
}

}  // namespace lapscope::analyzer::nsys
