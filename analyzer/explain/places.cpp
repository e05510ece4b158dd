#include "analyzer/explain/places.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "analyzer/graph/launched_graphs.h"
#include "analyzer/iterations/find_iterations.h"
#include "analyzer/model/trace.h"

namespace lapscope::analyzer {

std::string GraphNames::of_task(std::uint32_t t) const {
  const Task& task = sources_.graph.tasks[t];
  if (task.op == no_index) return {};
  return name_of_op(sources_.trace, sources_.trace.devices[task.device], task.op);
}

std::uint32_t GraphNames::call_of(std::uint32_t t) const {
  const std::uint32_t step = sources_.graph.tasks[t].step;
  return step == no_index ? no_index : sources_.graph.steps[step].call;
}

std::string GraphNames::function(std::uint32_t call) const {
  return function_name(sources_.trace.names.text(sources_.trace.calls.name[call]));
}

std::string GraphNames::thread(std::uint32_t call) const {
  if (call == no_index) return {};
  const Calls& calls = sources_.trace.calls;
  return "thread " + std::to_string(tid_of(calls.threads[calls.thread_of(call)].global_tid));
}

std::uint32_t GraphNames::range_around(std::uint32_t call) const {
  if (call == no_index) return no_index;
  const Calls& calls = sources_.trace.calls;
  return sources_.host.innermost_range(calls.threads[calls.thread_of(call)].global_tid,
                                       calls.start[call]);
}

std::string GraphNames::range(std::uint32_t range) const {
  if (range == no_index) return {};
  return sources_.trace.names.text(sources_.trace.ranges[range].name);
}

std::uint32_t GraphNames::chain_of(std::uint32_t call) const {
  return call == no_index ? CallStacks::none : sources_.trace.stacks.of_call(call);
}

std::string GraphNames::line(std::uint32_t chain) const {
  const CallStacks& stacks = sources_.trace.stacks;
  if (chain != CallStacks::none) chain = stacks.line_chain(chain);
  if (chain == CallStacks::none || stacks.own_frame(chain) == CallStacks::none) return {};
  return place_of(sources_.trace, stacks.chain(chain)[stacks.own_frame(chain)]);
}

std::string GraphNames::caller(std::uint32_t chain) const {
  const CallStacks& stacks = sources_.trace.stacks;
  if (chain != CallStacks::none) chain = stacks.line_chain(chain);
  if (chain == CallStacks::none || stacks.caller(chain) == CallStacks::none) return {};
  return place_of(sources_.trace, stacks.chain(chain)[stacks.caller(chain)]);
}

std::vector<StackFrame> frames_of(const Trace& trace, std::uint32_t chain) {
  const CallStacks& stacks = trace.stacks;
  const Names& names = trace.names;
  std::vector<StackFrame> frames;
  for (const Frame& frame : stacks.chain(chain)) {
    const CodeOwner owner = stacks.owner(chain, static_cast<std::uint32_t>(frames.size()));
    frames.push_back({names.text(frame.function), names.text(frame.module), names.text(frame.file),
                      frame.line, frame.is_inlined, owner});
  }
  return frames;
}

std::vector<StackFrame> GraphNames::stack(std::uint32_t chain) const {
  return frames_of(sources_.trace, chain);
}

std::vector<StackFrame> GraphNames::forward_stack(std::uint32_t chain) const {
  if (chain == CallStacks::none) return {};
  const std::uint32_t forward = sources_.trace.stacks.forward(chain);
  return forward == CallStacks::none ? std::vector<StackFrame>{} : stack(forward);
}

std::optional<NamelessCode> GraphNames::nameless(std::uint32_t chain) const {
  const CallStacks& stacks = sources_.trace.stacks;
  if (chain != CallStacks::none) chain = stacks.line_chain(chain);
  if (chain == CallStacks::none) return std::nullopt;
  const std::uint32_t own = stacks.own_frame(chain);
  if (own == CallStacks::none) return std::nullopt;
  const Frame& frame = stacks.chain(chain)[own];
  const std::string& path = sources_.trace.names.text(frame.module);
  NamelessCode code{std::string(file_name(path)), {}, stacks.owner(chain, own)};
  // Code without a known name has its file and offset as the name of its function: app+0x12ab.
  const std::string& function = sources_.trace.names.text(frame.function);
  if (code.file.empty() || !function.starts_with(code.file + "+0x")) return std::nullopt;
  const auto known = sources_.trace.code_files.find(path);
  if (known != sources_.trace.code_files.end()) code.code = known->second;
  return code;
}

namespace {

bool is_in_legacy_stream(const Graph& graph, std::uint32_t task) {
  return graph.streams[graph.tasks[task].stream].kind == StreamKind::legacy_default;
}

}  // namespace

std::uint32_t to_change(const Graph& graph, Cause cause, std::uint32_t from,
                        std::uint32_t waiting) {
  if (cause == Cause::default_stream_barrier) {
    return is_in_legacy_stream(graph, from) ? from : waiting;
  }
  const bool is_copy_behind_kernel = cause == Cause::stream_order &&
                                     graph.tasks[waiting].engine == Engine::h2d &&
                                     graph.tasks[from].engine == Engine::compute;
  return is_copy_behind_kernel ? waiting : from;
}

namespace {

// Bits of Key::what. For kernels and functions, the low bits are the id of the name. For other
// tasks, they are a code of the kind of task.
constexpr std::uint64_t is_step = std::uint64_t{1} << 31;
constexpr std::uint64_t is_unnamed = std::uint64_t{1} << 30;
constexpr std::uint64_t in_legacy_stream = std::uint64_t{1} << 29;

}  // namespace

std::size_t Places::HashOfKey::operator()(const Key& key) const {
  const std::hash<std::uint64_t> hash;
  return hash(hash(key.what << 32 | key.range_name) ^ key.line);
}

template <class Describe>
std::uint32_t Places::numbered(std::uint64_t what, std::uint32_t call, std::uint32_t chain,
                               Describe&& describe) {
  const std::uint32_t range = names_.range_around(call);
  const std::uint32_t range_name = range == no_index ? no_index : sources_.trace.ranges[range].name;
  const std::uint32_t line =
      chain == CallStacks::none ? CallStacks::none : sources_.trace.stacks.place(chain);
  const auto [known, is_new_key] = by_key_.try_emplace({what, range_name, line});
  if (is_new_key) {
    const CallStacks& stacks = sources_.trace.stacks;
    const bool is_backward = chain != CallStacks::none && stacks.forward(chain) != CallStacks::none;
    CodePlace place{describe(), without_digits(names_.range(range)), names_.line(chain),
                    names_.caller(chain), is_backward};
    const auto next = static_cast<std::uint32_t>(places_.size());
    const auto [same, is_new] = by_value_.try_emplace(place, next);
    if (is_new) places_.push_back(std::move(place));
    known->second = same->second;
  }
  return known->second;
}

void Places::find_stream_waits() {
  const Trace& trace = sources_.trace;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> streams;  // by event record
  for (const EventRecord& record : trace.event_records) {
    if (record.event_sync != 0) streams[{record.pid, record.event_sync}] = record.stream;
  }
  for (const Synchronization& wait : trace.synchronizations) {
    if (wait.kind != SyncKind::stream_wait_event || wait.event_sync == 0) continue;
    const auto recorded = streams.find({wait.pid, wait.event_sync});
    if (recorded == streams.end()) continue;
    stream_waits_.push_back(
        {wait.pid, wait.stream, wait.call, recorded->second, trace.calls.start[wait.call]});
  }
  std::ranges::sort(stream_waits_, [](const StreamWait& a, const StreamWait& b) {
    return std::tie(a.pid, a.stream, a.time) < std::tie(b.pid, b.stream, b.time);
  });
}

// Returns the call that made the stream of `waiting` wait for an event in the stream of `task`. If
// there are several such calls before the issue of `waiting`, returns the last one. Returns
// no_index if there is none.
std::uint32_t Places::call_that_waits(std::uint32_t task, std::uint32_t waiting) {
  if (!std::exchange(knows_stream_waits_, true)) find_stream_waits();
  const Graph& graph = sources_.graph;
  const std::uint32_t issuing = names_.call_of(waiting);
  if (issuing == no_index) return no_index;
  const GraphStream& stream = graph.streams[graph.tasks[waiting].stream];
  const std::uint32_t recorded_in = graph.streams[graph.tasks[task].stream].id;
  const auto key = std::tuple(stream.pid, stream.id, sources_.trace.calls.start[issuing]);
  auto wait = std::ranges::partition_point(stream_waits_, [&key](const StreamWait& one) {
    return std::tuple(one.pid, one.stream, one.time) < key;
  });
  while (wait != stream_waits_.begin()) {
    --wait;
    if (wait->pid != stream.pid || wait->stream != stream.id) break;
    if (wait->recorded_in == recorded_in) return wait->call;
  }
  return no_index;
}

std::uint32_t Places::chain_of_holder(std::uint32_t t, std::uint32_t waiting) {
  const Task& task = sources_.graph.tasks[t];
  const CallStacks& stacks = sources_.trace.stacks;
  std::uint32_t chain = CallStacks::none;
  if (stacks.empty()) return chain;
  if (cause_ == Cause::event_wait && waiting != no_index) {
    chain = names_.chain_of(call_that_waits(t, waiting));
  } else if (cause_ == Cause::graph_edge || cause_ == Cause::host_func) {
    const std::uint64_t node = node_of_task(sources_.trace, task);
    if (node != 0) chain = stacks.of_node(node);
  }
  return chain == CallStacks::none ? names_.chain_of(names_.call_of(t)) : chain;
}

std::uint32_t Places::of_holder(std::uint32_t t, std::uint32_t waiting) {
  const Task& task = sources_.graph.tasks[t];
  const bool is_legacy = is_in_legacy_stream(sources_.graph, t);
  std::uint64_t what = is_legacy ? in_legacy_stream : 0;
  const Ops* ops = task.op == no_index ? nullptr : &sources_.trace.devices[task.device].ops;
  if (ops == nullptr) {
    what |= is_unnamed | 0xFFFF;
  } else if (ops->kind[task.op] == OpKind::kernel) {
    what |= ops->name[task.op];
  } else {
    what |= is_unnamed | static_cast<std::uint64_t>(ops->kind[task.op]) << 8 |
            static_cast<std::uint64_t>(ops->engine[task.op]);
  }
  return numbered(what, names_.call_of(t), chain_of_holder(t, waiting), [&] {
    return Doing{task.op == no_index ? Doing::Kind::host_function : Doing::Kind::op,
                 names_.of_task(t),
                 is_legacy                        ? Doing::Detail::legacy_stream
                 : cause_ == Cause::pageable_copy ? Doing::Detail::pageable_memory
                                                  : Doing::Detail::none};
  });
}

std::uint32_t Places::of_gap(std::uint32_t s) {
  const std::uint32_t call = sources_.graph.steps[s].call;
  if (cause_ == Cause::lock) {
    return numbered(is_step | sources_.trace.calls.name[call], call, names_.chain_of(call), [&] {
      return Doing{Doing::Kind::lock, names_.function(call)};
    });
  }
  return numbered(is_step | is_unnamed, call, names_.chain_of(call),
                  [] { return Doing{Doing::Kind::host_code}; });
}

std::uint32_t Places::of_step(std::uint32_t s) {
  const std::uint32_t call = sources_.graph.steps[s].call;
  const bool is_of_gap =
      cause_ == Cause::host_compute && sources_.graph.steps[s].cause != Cause::host_call;
  if (is_of_gap || cause_ == Cause::lock) {
    return of_gap(s);
  }
  const bool is_of_pool = sources_.trace.calls.kind[call] == CallKind::pool;
  return numbered(is_step | sources_.trace.calls.name[call], call, names_.chain_of(call), [&] {
    return Doing{Doing::Kind::call, names_.function(call),
                 is_of_pool ? Doing::Detail::pool : Doing::Detail::none};
  });
}

}  // namespace lapscope::analyzer
