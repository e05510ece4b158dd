#include "collector/callbacks/listener.h"

#include <unistd.h>

#include <algorithm>
#include <optional>

#include "collector/callbacks/stream_calls.h"
#include "collector/process/clock.h"
#include "collector/process/thread_number.h"

namespace lapscope::callbacks {
namespace {

constexpr CUpti_CallbackId graph_callbacks[] = {
    // Used in place of GRAPHNODE_CREATED, whose callback does not contain the type of the node
    // (CUPTI 130001).
    CUPTI_CBID_RESOURCE_GRAPHNODE_CREATE_STARTING,
    CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED,
    CUPTI_CBID_RESOURCE_GRAPHNODE_DEPENDENCY_CREATED,
    CUPTI_CBID_RESOURCE_GRAPHNODE_DEPENDENCY_DESTROY_STARTING,
};

struct ProfilerFunction {
  CUpti_CallbackDomain domain;
  CUpti_CallbackId id;
  bool on;
};

constexpr ProfilerFunction profiler_functions[] = {
    {CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_RUNTIME_TRACE_CBID_cudaProfilerStart_v4000, true},
    {CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_RUNTIME_TRACE_CBID_cudaProfilerStop_v4000, false},
    {CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_cuProfilerStart, true},
    {CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_cuProfilerStop, false},
};

// The state of a thread from the entry callback of a call to its exit callback.
struct ThreadState {
  // The value of Listener::switches_ at the last callback of this thread. If switches_ differs now,
  // callbacks were switched since then. CUPTI may then not have reported the exit of a call.
  std::uint32_t switches = 0;
  std::uint32_t entered = 0;  // calls whose entry CUPTI has reported, but not their exit
  bool in_runtime = false;    // in a runtime call, so its driver calls are not calls of the program
  // Like in_runtime, but for runtime functions whose callbacks are switched on and off. It may be
  // true after the function has returned, because CUPTI does not always report the exit.
  bool in_switched_runtime = false;
  std::uint32_t switched_off = 0;         // StackCalls::switched_off() at the begin of the call
  std::optional<std::uint64_t> new_node;  // the graph node that the call has made
  std::uint64_t begin = 0;                // the begin of a call that waits, by CUPTI's clock
  std::int64_t cpu_time_noted = 0;        // when CPU time was noted, CLOCK_MONOTONIC; 0: never
  CUgraphNode made = nullptr;             // the graph node that the thread has made last
  GraphNode made_node;                    // its ids and the time at which it was made

  // Forgets the calls that the thread was in when callbacks were switched.
  void note_switches(std::uint32_t now) {
    if (switches == now) return;
    switches = now;
    entered = 0;
    in_runtime = false;
    new_node.reset();
    begin = 0;
  }
};
thread_local ThreadState this_thread;

// The least time between two readings of a thread's CPU time. Each reading is a system call and
// takes some 600 ns. So the readings take at most 0.6 % of the time.
constexpr std::int64_t between_cpu_times = 100'000;  // ns

// The time for which the ids of a new node are cached. The cache assumes that the node's handle is
// not reused for another node within this time.
constexpr std::uint64_t just_made = 10'000;  // ns

template <class Function>
const Function* find(std::span<const Function> functions, CUpti_CallbackDomain domain,
                     CUpti_CallbackId id) {
  for (const Function& function : functions) {
    if (function.id == id && function.domain == domain) return &function;
  }
  return nullptr;
}

// An upper limit for the callback ids of one API. The ids of all functions that the listener
// enables are below this limit.
constexpr std::size_t functions_of_api = 1024;
std::size_t place_of(CUpti_CallbackDomain domain, CUpti_CallbackId id) {
  return (domain == CUPTI_CB_DOMAIN_RUNTIME_API ? 0 : functions_of_api) + id;
}

// cudaError_t and CUresult are both ints; 0 is success.
bool has_succeeded(const CUpti_CallbackData& call) {
  return call.functionReturnValue && *static_cast<const int*>(call.functionReturnValue) == 0;
}

bool knows(const cupti::CuptiApi& cupti, CUpti_CallbackDomain domain, CUpti_CallbackId id) {
  const char* name = nullptr;
  return domain == CUPTI_CB_DOMAIN_RESOURCE || !cupti.get_callback_name ||
         cupti.get_callback_name(domain, id, &name) == CUPTI_SUCCESS;
}

}  // namespace

CUpti_CallbackFunc Listener::callback() { return on_callback; }

std::vector<std::pair<Source, CUptiResult>> Listener::enable(CUpti_SubscriberHandle subscriber,
                                                             std::span<const Source> sources) {
  // CPU times are read in the callbacks of the other sources, so Source::cpu_times has no
  // callbacks.
  if (std::find(sources.begin(), sources.end(), Source::cpu_times) != sources.end()) {
    notes_cpu_times_.store(true, std::memory_order_relaxed);
  }
  std::vector<std::pair<Source, CUptiResult>> results;
  for (const Source source : sources) results.emplace_back(source, CUPTI_SUCCESS);
  const auto enable_one = [&](CUpti_CallbackDomain domain, CUpti_CallbackId id, Source source) {
    const auto wanted = std::find_if(results.begin(), results.end(),
                                     [source](const auto& one) { return one.first == source; });
    if (wanted == results.end()) return;
    if (!knows(cupti_, domain, id)) return;
    CUptiResult& result = wanted->second;
    const CUptiResult enabled = cupti_.enable_callback
                                    ? cupti_.enable_callback(1, subscriber, domain, id)
                                    : CUPTI_ERROR_NOT_SUPPORTED;
    if (result == CUPTI_SUCCESS) result = enabled;
    if (enabled == CUPTI_SUCCESS) enabled_.push_back({subscriber, domain, id, source});
    const bool is_of_api = domain != CUPTI_CB_DOMAIN_RESOURCE && id < functions_of_api;
    if (enabled == CUPTI_SUCCESS && is_of_api) heard_.set(place_of(domain, id));
  };
  for (const TracedFunction& function : traced_functions()) {
    enable_one(function.domain, function.id, function.source);
  }
  for (const EventFunction& function : event_functions()) {
    for (const Source source : {Source::synchronization, Source::cuda_events}) {
      if (belongs_to(function, source)) enable_one(function.domain, function.id, source);
    }
  }
  for (const ProfilerFunction& function : profiler_functions) {
    enable_one(function.domain, function.id, Source::capture_range);
  }
  for (const CUpti_CallbackId id : graph_callbacks) {
    enable_one(CUPTI_CB_DOMAIN_RESOURCE, id, Source::graph_nodes);
  }
  return results;
}

CUptiResult Listener::enable_stacks(CUpti_SubscriberHandle subscriber, stacks::CallStacks& stacks,
                                    bool every_call, const StackCalls::Accepts& is_recorded) {
  stack_calls_ = std::make_unique<StackCalls>(cupti_, stacks, every_call);
  return stack_calls_->enable(
      subscriber, is_recorded,
      [this](CUpti_CallbackDomain domain, CUpti_CallbackId id, std::string_view) {
        return id < functions_of_api && heard_.test(place_of(domain, id));
      });
}

void Listener::switch_to(std::span<const Source> sources, bool with_stacks) {
  const auto is_on = [sources](Source source) {
    return std::find(sources.begin(), sources.end(), source) != sources.end();
  };
  notes_cpu_times_.store(is_on(Source::cpu_times), std::memory_order_relaxed);
  // If two sources share a callback, and only one source is on, the callback must stay enabled. So
  // disable callbacks first, and enable callbacks after that.
  for (const bool on : {false, true}) {
    for (const Enabled& one : enabled_) {
      if (is_on(one.source) != on) continue;
      cupti_.enable_callback(on ? 1 : 0, one.subscriber, one.domain, one.id);
    }
    // Increases switches_ after the callbacks are disabled, and before others are enabled. Each
    // thread then forgets the calls that it has noted so far, but not the calls that the new
    // callbacks report.
    if (!on) switches_.fetch_add(1, std::memory_order_release);
  }
  if (stack_calls_) stack_calls_->switch_all(with_stacks);
}

CUptiResult Listener::enable_with_context(CUpti_SubscriberHandle subscriber,
                                          CUpti_ActivityKind kind, EnableKind function) {
  if (!cupti_.enable_callback) return CUPTI_ERROR_NOT_SUPPORTED;
  late_kind_ = kind;
  enable_late_.store(function);
  return cupti_.enable_callback(1, subscriber, CUPTI_CB_DOMAIN_RESOURCE,
                                CUPTI_CBID_RESOURCE_CONTEXT_CREATED);
}

void CUPTIAPI Listener::on_callback(void* user_data, CUpti_CallbackDomain domain,
                                    CUpti_CallbackId id, const void* data) {
  auto* listener = static_cast<Listener*>(user_data);
  if (!data || !listener->own_process_.is_here()) return;
  this_thread.note_switches(listener->switches_.load(std::memory_order_acquire));
  if (domain == CUPTI_CB_DOMAIN_RESOURCE && id == CUPTI_CBID_RESOURCE_CONTEXT_CREATED) {
    const EnableKind function = listener->enable_late_.exchange(nullptr);
    if (!function) return;
    const CUptiResult result = function(listener->cupti_);
    listener->events_.push(EnabledKind{listener->late_kind_, result});
  } else if (domain == CUPTI_CB_DOMAIN_RESOURCE) {
    const void* graph = static_cast<const CUpti_ResourceData*>(data)->resourceDescriptor;
    if (graph) listener->on_graph(id, *static_cast<const CUpti_GraphData*>(graph));
  } else {
    listener->on_call(domain, id, *static_cast<const CUpti_CallbackData*>(data));
  }
}

void Listener::on_call(CUpti_CallbackDomain domain, CUpti_CallbackId id,
                       const CUpti_CallbackData& call) {
  if (stack_calls_ && stack_calls_->is_switched(domain, id)) {
    on_switched_call(domain, id, call);
    return;
  }
  const bool is_runtime = domain == CUPTI_CB_DOMAIN_RUNTIME_API;
  if (!is_runtime && this_thread.in_runtime) return;
  const bool enters = call.callbackSite == CUPTI_API_ENTER;
  // A callback that is enabled only for stacks makes no event.
  const bool is_heard =
      !stack_calls_ || id >= functions_of_api || heard_.test(place_of(domain, id));
  const EventFunction* event = is_heard ? event_function(domain, id) : nullptr;
  if (!event) {
    // The captured interval includes the Start call and the Stop call themselves.
    const auto* profiler = find(std::span<const ProfilerFunction>(profiler_functions), domain, id);
    if (profiler && profiler->on == enters) events_.push(ProfilerSwitch{now(), profiler->on});
  }
  if (enters) {
    note_thread();
    ++this_thread.entered;
    this_thread.in_runtime = is_runtime;
    this_thread.new_node.reset();
    if (is_runtime) this_thread.in_switched_runtime = false;
    // Capture the stack before the clock is read, so that the duration of a wait does not include
    // the capture.
    if (stack_calls_) stack_calls_->on_enter(domain, id, call, false);
    if (event && belongs_to(*event, Source::synchronization)) this_thread.begin = now();
    return;
  }
  this_thread.in_runtime = false;
  if (stack_calls_) StackCalls::on_exit();
  if (event) count_captures(*event, call);
  // The call began before its callback was enabled, so its begin and its node are not known.
  if (this_thread.entered == 0) return;
  --this_thread.entered;
  if (event) {
    on_event_call(*event, call);
    return;
  }
  const TracedFunction* function = is_heard ? find(traced_functions(), domain, id) : nullptr;
  if (!function || !call.functionParams || !has_succeeded(call)) return;
  if (const auto added = event_of(*function, call, this_thread.new_node, cupti_)) {
    events_.push(*added);
  }
}

void Listener::on_switched_call(CUpti_CallbackDomain domain, CUpti_CallbackId id,
                                const CUpti_CallbackData& call) {
  const bool is_runtime = domain == CUPTI_CB_DOMAIN_RUNTIME_API;
  if (call.callbackSite != CUPTI_API_ENTER) {
    if (is_runtime) this_thread.in_switched_runtime = false;
    return;
  }
  // If a callback is disabled during a call, CUPTI does not report the exit of the call, and
  // in_switched_runtime stays true. So in_switched_runtime is ignored if any callback was disabled
  // since the call began. As a result, a driver call inside a runtime call may get a stack. The
  // reader of the trace assigns this stack to the runtime call.
  const std::uint32_t switched_off = stack_calls_->switched_off();
  const bool is_in_switched =
      this_thread.in_switched_runtime && this_thread.switched_off == switched_off;
  const bool is_inner = !is_runtime && (this_thread.in_runtime || is_in_switched);
  if (!is_inner) note_thread();
  if (is_runtime) {
    this_thread.in_switched_runtime = true;
    this_thread.switched_off = switched_off;
  }
  stack_calls_->on_enter(domain, id, call, is_inner);
}

void Listener::count_captures(const EventFunction& function, const CUpti_CallbackData& data) {
  using Action = EventFunction::Action;
  if (function.action == Action::begin_capture && has_succeeded(data)) ++captures_;
  // If the call that ends a stream capture fails, captures_ is too high afterwards. Streams are
  // then queried without need, which is harmless.
  if (function.action == Action::end_capture && has_succeeded(data)) {
    for (int before = captures_; before > 0;) {
      if (captures_.compare_exchange_weak(before, before - 1)) break;
    }
  }
}

void Listener::on_event_call(const EventFunction& function, const CUpti_CallbackData& data) {
  EventCall call;
  call.begin = this_thread.begin;
  if (belongs_to(function, Source::synchronization)) {
    call.end = now();
    note_thread();  // shows whether the thread slept or spun
  }
  if (captures_.load(std::memory_order_acquire) > 0) call.is_capturing = is_capturing_;
  if (const auto added = event_of(function, data, call, cupti_)) events_.push(*added);
}

void Listener::note_thread() {
  threads_.add_this();
  if (!notes_cpu_times_.load(std::memory_order_relaxed)) return;
  const std::int64_t time = process::read_clock(CLOCK_MONOTONIC);
  if (time - this_thread.cpu_time_noted < between_cpu_times) return;
  this_thread.cpu_time_noted = time;
  events_.push(CpuTime{now(), process::thread_id_before_fork(),
                       process::read_clock(CLOCK_THREAD_CPUTIME_ID)});
}

std::uint64_t Listener::now() const {
  std::uint64_t time = 0;
  if (cupti_.get_timestamp) cupti_.get_timestamp(&time);
  return time;
}

std::optional<std::uint64_t> Listener::id_of_node(CUgraphNode node) const {
  std::uint64_t id = 0;
  if (!node || !cupti_.get_graph_node_id) return std::nullopt;
  if (cupti_.get_graph_node_id(node, &id) != CUPTI_SUCCESS) return std::nullopt;
  return id;
}

// Returns a node with its ids and the current time. Returns nothing if CUPTI has no id for the
// node. The ids of the last node that this thread made are cached: the call that makes a node also
// makes its edges, and each edge has a callback.
std::optional<GraphNode> Listener::node_of(const CUpti_GraphData& data) const {
  const std::uint64_t time = now();
  const GraphNode& made = this_thread.made_node;
  if (data.node && data.node == this_thread.made && time - made.time < just_made) {
    GraphNode node = made;
    node.time = time;
    return node;
  }
  const auto id = id_of_node(data.node);
  if (!id) return std::nullopt;
  GraphNode node{time, process::thread_id_before_fork(), std::nullopt, *id, std::nullopt, 0};
  std::uint32_t graph = 0;
  if (data.graph && cupti_.get_graph_id &&
      cupti_.get_graph_id(data.graph, &graph) == CUPTI_SUCCESS) {
    node.graph = graph;
  }
  return node;
}

void Listener::on_graph(CUpti_CallbackId id, const CUpti_GraphData& data) {
  const bool is_edge = id == CUPTI_CBID_RESOURCE_GRAPHNODE_DEPENDENCY_CREATED ||
                       id == CUPTI_CBID_RESOURCE_GRAPHNODE_DEPENDENCY_DESTROY_STARTING;
  if (!is_edge) this_thread.made = nullptr;
  auto node = node_of(data);
  if (!node) return;
  if (is_edge) {
    const auto dependency = id_of_node(data.dependency);
    if (!dependency) return;
    events_.push(GraphEdge{node->time, node->graph, node->node, *dependency,
                           id == CUPTI_CBID_RESOURCE_GRAPHNODE_DEPENDENCY_DESTROY_STARTING});
    return;
  }
  node->type = static_cast<std::uint32_t>(data.nodeType);
  if (id == CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED) {
    node->original = id_of_node(data.originalNode);
  } else {
    this_thread.new_node = node->node;
    this_thread.made = data.node;
    this_thread.made_node = *node;
  }
  events_.push(*node);
}

}  // namespace lapscope::callbacks
