#include "tests/analyzer/support/program.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "collector/schema/global_id.h"
#include "tests/analyzer/support/program_lanes.h"

namespace lapscope::test {
namespace {

using analyzer::CallKind;
using analyzer::Engine;
using analyzer::OpKind;
using analyzer::SyncKind;

struct Call {
  char letter;
  const Lane* lane;
  analyzer::Interval interval;  // in characters
  std::uint32_t index = 0;      // index in Trace::calls
};

struct Op {
  char letter;
  const Lane* lane;
  analyzer::Interval interval;
};

class Reading {
 public:
  Reading(std::string_view drawing, Program& program)
      : program_(program),
        trace_(program.trace),
        unit_(program.unit),
        lanes_(lanes_in(drawing)),
        legend_(legend_in(drawing)) {
    collect();
    add_streams();
    add_calls();
    add_ops();
    add_records();
    add_loads();
    add_stacks();
    add_samples();
  }

 private:
  void collect() {
    for (const Lane& lane : lanes_) {
      if (lane.key == "loading" || lane.key == "samples") continue;
      for (const Run& run : lane.runs) {
        if (lane.key == "thread") {
          calls_.push_back({run.letter, &lane, run.interval});
        } else {
          ops_.push_back({run.letter, &lane, run.interval});
        }
      }
    }
    std::stable_sort(ops_.begin(), ops_.end(),
                     [](const Op& a, const Op& b) { return a.interval.start < b.interval.start; });
  }

  const Words& said_of(char letter) const {
    static const Words nothing;
    const auto found = legend_.find(letter);
    return found == legend_.end() ? nothing : found->second;
  }
  char issuer_of(char op) const {
    const std::string by = text_behind(said_of(op), "by");
    return by.empty() ? static_cast<char>(std::tolower(op)) : by[0];
  }

  std::uint32_t name(const std::string& text) {
    const auto [known, is_new] = names_.try_emplace(text, names_.size() + 1);
    if (is_new) trace_.names.add(known->second, text);
    return trace_.names.index_of(known->second);
  }

  analyzer::Device& device(std::int64_t id) {
    while (trace_.devices.size() <= static_cast<std::size_t>(id)) {
      analyzer::Device& added = trace_.devices.emplace_back();
      added.id = static_cast<std::int64_t>(trace_.devices.size()) - 1;
      // One block fits on each of 100 multiprocessors.
      added.limits = {100, 32, 1, 1, 0, 0};
      program_.ops.emplace_back();
    }
    return trace_.devices[static_cast<std::size_t>(id)];
  }

  static analyzer::StreamKind kind_of(const Lane& lane) {
    if (lane.key == "stream") return analyzer::StreamKind::non_blocking;
    if (lane.key == "blocking") return analyzer::StreamKind::blocking;
    if (lane.key == "legacy") return analyzer::StreamKind::legacy_default;
    throw_invalid("no lane is called " + lane.key);
  }

  void add_streams() {
    std::map<std::pair<std::uint32_t, std::uint32_t>, analyzer::CudaContext> contexts;
    std::set<std::pair<std::uint32_t, std::uint32_t>> known_streams;
    for (const Lane& lane : lanes_) {
      if (!lane.is_stream()) continue;
      const std::uint32_t context = lane.id("context", 1);
      const std::int64_t on = number_behind(lane.words, "device", 0);
      analyzer::CudaContext& known = contexts[{lane.pid(), context}];
      known = {lane.pid(), context, on, known.null_stream};
      if (lane.key == "legacy") known.null_stream = lane.number;
      if (!known_streams.insert({lane.pid(), lane.number}).second) continue;
      device(on).streams.push_back({lane.pid(), lane.number, context, kind_of(lane),
                                    number_behind(lane.words, "priority", 0)});
    }
    for (const auto& [key, context] : contexts) trace_.contexts.push_back(context);
  }

  // Returns the function's name without its version suffix.
  std::string function_of(const Call& call) const {
    if (const Words& said = said_of(call.letter); !said.empty()) return said[0];
    std::vector<const Op*> issued;
    for (const Op& op : ops_) {
      if (issuer_of(op.letter) == call.letter) issued.push_back(&op);
    }
    if (issued.empty()) throw_invalid(std::string("nothing says what the call is: ") + call.letter);
    const auto calls = std::count_if(calls_.begin(), calls_.end(), [&](const Call& other) {
      return other.letter == call.letter;
    });
    if (calls == 1 && issued.size() > 1) return "cudaGraphLaunch";
    const Words& said = said_of(issued[0]->letter);
    if (has(said, "memset")) return "cudaMemsetAsync";
    return engine_of(said) || has(said, "d2d") ? "cudaMemcpyAsync" : "cudaLaunchKernel";
  }

  void add_calls() {
    analyzer::Calls& all = trace_.calls;
    for (const Lane& lane : lanes_) {
      if (lane.key != "thread") continue;
      const auto first = static_cast<std::uint32_t>(all.size());
      for (Call& call : calls_) {
        if (call.lane != &lane) continue;
        call.index = static_cast<std::uint32_t>(all.size());
        all.start.push_back(call.interval.start * unit_);
        all.end.push_back(call.interval.end * unit_);
        all.name.push_back(name(function_of(call)));
        all.kind.push_back(analyzer::call_kind(function_of(call)));
        program_.calls.emplace_back(1, call.letter);
      }
      const auto last = static_cast<std::uint32_t>(all.size());
      all.threads.push_back({schema::global_tid(lane.pid(), lane.number), first, last, last});
    }
    std::stable_sort(calls_.begin(), calls_.end(), [](const Call& a, const Call& b) {
      return a.interval.start < b.interval.start;
    });
  }

  static std::optional<Engine> engine_of(const Words& said) {
    if (has(said, "h2d")) return Engine::h2d;
    if (has(said, "d2h")) return Engine::d2h;
    if (has(said, "peer")) return Engine::other_copy;
    return std::nullopt;
  }

  static OpKind kind_of(const Words& said) {
    if (has(said, "memset")) return OpKind::memset;
    if (has(said, "peer")) return OpKind::peer_copy;
    return engine_of(said) || has(said, "d2d") ? OpKind::memcpy : OpKind::kernel;
  }

  static std::uint8_t memory_of(const Words& said) {
    if (!has(said, "pageable")) return 0;
    return has(said, "d2h") ? analyzer::target_pageable : analyzer::source_pageable;
  }

  std::uint32_t issue_of(const Op& op, std::size_t nth) const {
    std::vector<std::uint32_t> issuers;
    for (const Call& call : calls_) {
      if (call.letter == issuer_of(op.letter)) issuers.push_back(call.index);
    }
    if (issuers.empty()) return analyzer::no_index;
    if (issuers.size() == 1) return issuers[0];
    if (nth >= issuers.size())
      throw_invalid(std::string("there are more ops than calls: ") + op.letter);
    return issuers[nth];
  }

  std::uint32_t geometry_of(const Words& said, analyzer::Ops& ops) const {
    const std::int64_t blocks = number_behind(said, "fills", 0);
    if (blocks == 0) return analyzer::no_index;
    const analyzer::LaunchGeometry geometry{blocks, 32, 0, 0};
    const auto known = std::find(ops.geometries.begin(), ops.geometries.end(), geometry);
    const auto index = static_cast<std::uint32_t>(known - ops.geometries.begin());
    if (known == ops.geometries.end()) ops.geometries.push_back(geometry);
    return index;
  }

  void add_ops() {
    std::map<char, std::size_t> seen;
    std::vector<std::vector<std::string>> names(trace_.devices.size());
    for (const Op& op : ops_) {
      const Words& said = said_of(op.letter);
      const auto on = static_cast<std::size_t>(number_behind(op.lane->words, "device", 0));
      analyzer::Device& device = trace_.devices[on];
      analyzer::Ops& ops = device.ops;
      const auto stream = std::find_if(
          device.streams.begin(), device.streams.end(), [&](const analyzer::Stream& other) {
            return other.pid == op.lane->pid() && other.id == op.lane->number;
          });
      const std::size_t nth = seen[op.letter]++;
      add_op(ops, {op.interval.start * unit_, op.interval.end * unit_},
             engine_of(said).value_or(Engine::compute),
             static_cast<std::uint32_t>(stream - device.streams.begin()));
      ops.kind.back() = kind_of(said);
      ops.issue.back() = issue_of(op, nth);
      ops.bytes.back() = number_behind(said, "bytes", 0);
      ops.memory.back() = memory_of(said);
      ops.geometry.back() = geometry_of(said, ops);
      ops.channel.back() = static_cast<std::uint16_t>(number_behind(
          said, "channel", number_behind(op.lane->words, "channel", analyzer::no_channel)));
      ops.target.back() = static_cast<std::uint8_t>(number_behind(said, "to", analyzer::no_device));
      if (ops.kind.back() == OpKind::kernel) {
        const std::string named = text_behind(said, "named");
        ops.name.back() = name(named.empty() ? std::string(1, op.letter) : named);
      }
      names[on].push_back(std::string(1, op.letter) + (nth > 0 ? std::to_string(nth + 1) : ""));
    }
    for (std::size_t on = 0; on < trace_.devices.size(); ++on) {
      analyzer::Ops& ops = trace_.devices[on].ops;
      std::vector<std::uint32_t> order(ops.size());
      std::iota(order.begin(), order.end(), 0U);
      analyzer::sort_by_start(ops, order);
      ops = in_order(ops);
      program_.ops[on] = analyzer::gathered(names[on], order);
    }
    add_nodes();
  }

  // Adds the edges of graphs, if the drawing has any.
  void add_nodes() {
    const bool is_told = std::any_of(ops_.begin(), ops_.end(), [this](const Op& op) {
      return !text_behind(said_of(op.letter), "after").empty();
    });
    if (!is_told) return;
    for (std::size_t on = 0; on < trace_.devices.size(); ++on) {
      analyzer::Ops& ops = trace_.devices[on].ops;
      for (std::uint32_t op = 0; op < ops.size(); ++op) {
        if (ops.issue[op] == analyzer::no_index ||
            trace_.calls.kind[ops.issue[op]] != CallKind::graph_launch) {
          continue;
        }
        const char letter = program_.ops[on][op][0];
        const auto node = static_cast<std::uint64_t>(letter);
        ops.nodes.push_back({op, node});
        trace_.topology.nodes.push_back(node);
      }
    }
    for (const auto& [letter, said] : legend_) {
      if (said[0] != "host") continue;
      trace_.topology.nodes.push_back(static_cast<std::uint64_t>(letter));
      trace_.topology.host_functions.push_back(trace_.topology.nodes.back());
    }
    std::vector<std::uint64_t>& nodes = trace_.topology.nodes;
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    for (const std::uint64_t node : nodes) {
      for (const char other : text_behind(said_of(static_cast<char>(node)), "after")) {
        trace_.topology.dependencies.push_back({node, static_cast<std::uint64_t>(other), 0, false});
      }
    }
  }

  std::uint32_t context_of(std::uint32_t pid, std::uint32_t stream) const {
    for (const Lane& lane : lanes_) {
      if (lane.is_stream() && lane.pid() == pid && lane.number == stream)
        return lane.id("context", 1);
    }
    return 1;
  }

  // Adds CUPTI's records of waits and events, ordered by call.
  void add_records() {
    std::map<std::pair<std::uint32_t, std::int64_t>, std::uint32_t> latest;  // key: process, event
    std::uint32_t last = 0;
    for (const Call& call : calls_) {
      const Words& said = said_of(call.letter);
      const CallKind kind = trace_.calls.kind[call.index];
      const std::uint32_t pid = call.lane->pid();
      const std::int64_t stream = number_behind(said, "stream", -1);
      const std::int64_t event = number_behind(said, "event", -1);
      const bool is_told = kind == CallKind::host_function || kind == CallKind::graph_launch;
      if (is_told && (stream >= 0 || has(said, "captured"))) {
        trace_.call_streams.push_back({call.index, static_cast<std::uint32_t>(stream), false});
        trace_.call_streams.back().is_captured = has(said, "captured");
        continue;
      }
      if (kind == CallKind::record_event) {
        latest[{pid, event}] = ++last;
        const auto in = static_cast<std::uint32_t>(stream);
        trace_.event_records.push_back(
            {call.index, pid, in, context_of(pid, in), static_cast<std::uint32_t>(event), last});
        continue;
      }
      analyzer::Synchronization sync;
      sync.call = call.index;
      sync.pid = pid;
      if (kind == CallKind::wait_event) {
        sync.kind = SyncKind::stream_wait_event;
      } else if (kind != CallKind::synchronize && kind != CallKind::query) {
        continue;
      } else {
        sync.kind = event >= 0    ? SyncKind::event
                    : stream >= 0 ? SyncKind::stream
                                  : SyncKind::context;
      }
      if (stream >= 0) sync.stream = static_cast<std::uint32_t>(stream);
      sync.context = static_cast<std::uint32_t>(
          number_behind(said, "context", stream >= 0 ? context_of(pid, sync.stream) : 1));
      if (event >= 0) {
        sync.event = static_cast<std::uint32_t>(event);
        const auto known = latest.find({pid, event});
        sync.event_sync = known == latest.end() ? 0 : known->second;
      }
      trace_.synchronizations.push_back(sync);
    }
    std::sort(trace_.call_streams.begin(), trace_.call_streams.end(),
              [](const auto& a, const auto& b) { return a.call < b.call; });
  }

  void add_loads() {
    for (const Lane& lane : lanes_) {
      if (lane.key != "loading") continue;
      for (const Run& run : lane.runs) {
        trace_.overheads.push_back({{run.interval.start * unit_, run.interval.end * unit_},
                                    analyzer::OverheadKind::module_load,
                                    schema::global_tid(lane.pid(), lane.number)});
      }
    }
  }

  analyzer::Frame frame_at(const char* function, const std::string& at) {
    const std::size_t colon = at.find(':');
    return {name(function), name("/home/me/app"), name(at.substr(0, colon)),
            static_cast<std::uint32_t>(std::stoul(at.substr(colon + 1)))};
  }

  // Gives each call a stack: the CUDA function, the drawn caller if there is one, and main.
  void add_stacks() {
    std::vector<analyzer::CallStacks::Taken> taken;
    std::set<char> seen;
    for (const Call& call : calls_) {
      const Words& said = said_of(call.letter);
      const std::string at = text_behind(said, "at");
      if (at.empty() || (!seen.insert(call.letter).second && has(said, "once"))) continue;
      std::vector<analyzer::Frame> frames = {
          {trace_.calls.name[call.index], name("/usr/local/cuda/lib64/libcudart.so.13")}};
      const std::string from = text_behind(said, "from");
      frames.push_back(frame_at(from.empty() ? "main" : "wrapper", at));
      if (!from.empty()) frames.push_back(frame_at("main", from));
      taken.push_back({call.index, trace_.stacks.add_chain(frames)});
    }
    trace_.stacks.settle(trace_, taken);
  }

  // Makes a frame: `load@data.py:27` is Python, `load@data.cu:27` is the program's own code, and
  // `read@/lib/libc.so.6:0` is code of a library with an unknown line.
  analyzer::Frame sampled_frame(const std::string& text) {
    const std::size_t at = text.find('@');
    const std::size_t colon = text.rfind(':');
    const std::string file = text.substr(at + 1, colon - at - 1);
    if (file.find(".so") != std::string::npos) return {name(text.substr(0, at)), name(file), 0, 0};
    return {name(text.substr(0, at)), name(file.ends_with(".py") ? "[python]" : "/home/me/app"),
            name(file), static_cast<std::uint32_t>(std::stoul(text.substr(colon + 1)))};
  }

  static analyzer::ThreadState state_named(const std::string& text) {
    for (std::size_t i = 0; i < analyzer::thread_states; ++i) {
      const auto state = static_cast<analyzer::ThreadState>(i);
      if (name_of(state) == text) return state;
    }
    throw_invalid("no thread is " + text);
  }

  // Adds samples, one per character of the picture.
  void add_samples() {
    analyzer::HostSamples& samples = trace_.host_samples;
    std::map<char, std::uint32_t> chains;
    for (const Lane& lane : lanes_) {
      if (lane.key != "samples") continue;
      samples.interval_ns = number_behind(lane.words, "every", 1) * unit_;
      const auto first = static_cast<std::uint32_t>(samples.size());
      for (const Run& run : lane.runs) {
        const Words& said = said_of(run.letter);
        if (said.empty()) throw_invalid(std::string("nothing says what was seen: ") + run.letter);
        const auto [known, is_new] = chains.try_emplace(run.letter, analyzer::CallStacks::none);
        if (is_new && said.size() > 1) {
          std::vector<analyzer::Frame> frames;
          for (std::size_t i = 1; i < said.size(); ++i) frames.push_back(sampled_frame(said[i]));
          known->second = samples.stacks.add_chain(frames);
        }
        for (std::int64_t at = run.interval.start; at < run.interval.end; ++at) {
          samples.time.push_back(at * unit_);
          samples.state.push_back(state_named(said[0]));
          samples.chain.push_back(known->second);
        }
      }
      samples.threads.push_back({schema::global_tid(lane.pid(), lane.number), first,
                                 static_cast<std::uint32_t>(samples.size())});
    }
    samples.stacks.settle(trace_, {});
  }

  Program& program_;
  analyzer::Trace& trace_;
  const std::int64_t unit_;
  const std::vector<Lane> lanes_;
  const std::map<char, Words> legend_;
  std::vector<Call> calls_;
  std::vector<Op> ops_;
  std::map<std::string, std::int64_t> names_;
};

}  // namespace

Program::Program(std::string_view drawing, std::int64_t ns) : unit(ns) {
  Reading(drawing, *this);
  // All kinds count as recorded, so what is not drawn did not happen.
  trace.facts.recorded = {"CONTEXT", "CUDA_EVENT",      "DEVICE",
                          "DRIVER",  "OVERHEAD",        "RUNTIME",
                          "STREAM",  "SYNCHRONIZATION", "hardware channels"};
}

}  // namespace lapscope::test
