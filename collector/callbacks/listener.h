#pragma once

#include <cupti.h>

#include <atomic>
#include <bitset>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "collector/callbacks/callback_queue.h"
#include "collector/callbacks/event_calls.h"
#include "collector/callbacks/own_process.h"
#include "collector/callbacks/stack_calls.h"
#include "collector/cupti/cupti_api.h"
#include "collector/process/watched_threads.h"

namespace lapscope::callbacks {

// Receives CUPTI's callbacks for calls that wait, for calls on CUDA events, for the construction of
// graphs, and for a few functions whose arguments the analysis needs. Lives as long as the process,
// because CUPTI may call at any time. Does nothing in a child made by fork() without exec.
class Listener {
 public:
  // `is_capturing` reports whether a stream is being captured; it may be null.
  explicit Listener(const cupti::CuptiApi& cupti, StreamIsCapturing is_capturing = nullptr)
      : cupti_(cupti), is_capturing_(is_capturing) {}

  // Returns the function to pass to cuptiSubscribe, with the listener as its user data.
  static CUpti_CallbackFunc callback();

  // Enables the callbacks of these sources. Returns CUPTI's first error for each source, or
  // success. Skips functions that this libcupti does not know.
  std::vector<std::pair<Source, CUptiResult>> enable(CUpti_SubscriberHandle subscriber,
                                                     std::span<const Source> sources);

  // Some kinds cannot be enabled before the program has a context. So the listener calls `function`
  // when the program makes its first context. `function` enables `kind` and returns CUPTI's result.
  // Call enable_with_context() once, before any context exists.
  using EnableKind = CUptiResult (*)(const cupti::CuptiApi& cupti);
  CUptiResult enable_with_context(CUpti_SubscriberHandle subscriber, CUpti_ActivityKind kind,
                                  EnableKind function);

  // Enables callbacks that capture call stacks, for each function that `is_recorded` accepts. If
  // `every_call` is true, every call of these functions gets a stack. Otherwise, stack_choice() and
  // StackCalls choose the calls. Call it after enable(). Returns success if CUPTI enables at least
  // one callback, else CUPTI's last error. `stacks` must live as long as the listener.
  CUptiResult enable_stacks(CUpti_SubscriberHandle subscriber, stacks::CallStacks& stacks,
                            bool every_call, const StackCalls::Accepts& is_recorded);

  // Switches callbacks between two recordings of one process. Enables the callbacks of `sources`,
  // and the callbacks for stacks if `with_stacks` is true. Disables all other callbacks that
  // enable() and enable_stacks() have enabled. A call that runs during the switch gives no event.
  // Call switch_to() after enable() and enable_stacks(), always in the same thread.
  void switch_to(std::span<const Source> sources, bool with_stacks);

  EventQueue& events() { return events_; }
  // The threads that have made a call with a callback.
  process::WatchedThreads& threads() { return threads_; }
  // Null if no stacks are captured.
  StackCalls* stack_calls() { return stack_calls_.get(); }

 private:
  static void CUPTIAPI on_callback(void* listener, CUpti_CallbackDomain domain, CUpti_CallbackId id,
                                   const void* data);
  void on_call(CUpti_CallbackDomain domain, CUpti_CallbackId id, const CUpti_CallbackData& call);
  void on_switched_call(CUpti_CallbackDomain domain, CUpti_CallbackId id,
                        const CUpti_CallbackData& call);
  void count_captures(const EventFunction& function, const CUpti_CallbackData& call);
  void on_event_call(const EventFunction& function, const CUpti_CallbackData& call);
  std::optional<std::uint64_t> id_of_node(CUgraphNode node) const;
  std::optional<GraphNode> node_of(const CUpti_GraphData& data) const;
  void on_graph(CUpti_CallbackId id, const CUpti_GraphData& graph);

  // Adds the calling thread to threads(). Also records the CPU time of the thread, unless the time
  // was recorded shortly before.
  void note_thread();
  std::uint64_t now() const;  // by CUPTI's clock; 0 if CUPTI cannot read it

  const cupti::CuptiApi& cupti_;
  struct Enabled {
    CUpti_SubscriberHandle subscriber;
    CUpti_CallbackDomain domain;
    CUpti_CallbackId id;
    Source source;
  };
  std::vector<Enabled> enabled_;  // the callbacks that enable() has enabled
  const StreamIsCapturing is_capturing_;
  // The number of stream captures that have begun and have not ended successfully. While it is 0,
  // no stream has to be queried.
  std::atomic<int> captures_{0};
  CUpti_ActivityKind late_kind_ = CUPTI_ACTIVITY_KIND_INVALID;
  std::atomic<EnableKind> enable_late_{nullptr};
  const OwnProcess own_process_;
  EventQueue events_;
  process::WatchedThreads threads_;
  std::atomic<std::uint32_t> switches_{0};    // calls of switch_to()
  std::atomic<bool> notes_cpu_times_{false};  // atomic, as threads may be in callbacks
  std::bitset<2048> heard_;                   // functions that enable() has enabled
  std::unique_ptr<StackCalls> stack_calls_;
};

}  // namespace lapscope::callbacks
