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

// Listens to CUPTI's callbacks of those few functions whose arguments the analysis needs, of calls
// that wait and of CUDA events, and of the making of graphs. Lives as long as the process: CUPTI
// may call at any time. In a child made by fork() without exec it does nothing.
class Listener {
 public:
  // `is_capturing` reports whether a stream is being captured; null if no function can.
  explicit Listener(const cupti::CuptiApi& cupti, StreamIsCapturing is_capturing = nullptr)
      : cupti_(cupti), is_capturing_(is_capturing) {}

  // What cuptiSubscribe is to be given, with the listener as its user data.
  static CUpti_CallbackFunc callback();

  // Enables the callbacks of these sources. Returns CUPTI's first refusal, or success, for each;
  // functions that this libcupti does not know are skipped.
  std::vector<std::pair<Source, CUptiResult>> enable(CUpti_SubscriberHandle subscriber,
                                                     std::span<const Source> sources);

  // Has a kind enabled when the program has made its first context, by a function that returns
  // CUPTI's answer: what a few kinds need. To be called once, before any context exists.
  using EnableKind = CUptiResult (*)(const cupti::CuptiApi& cupti);
  CUptiResult enable_with_context(CUpti_SubscriberHandle subscriber, CUpti_ActivityKind kind,
                                  EnableKind function);

  // Captures the stacks of the calls of recorded functions: of every call, or as stack_choice() and
  // StackCalls say. To be called after enable(); CUPTI's answer. The stacks live as long as this.
  CUptiResult enable_stacks(CUpti_SubscriberHandle subscriber, stacks::CallStacks& stacks,
                            bool every_call, const StackCalls::Accepts& is_recorded);

  // Has all callbacks that were enabled made, or none: between two recordings of one process. To be
  // called by one thread, and not before enable() and enable_stacks().
  void switch_all(bool on);

  EventQueue& events() { return events_; }
  // The threads that were in a callback of a call.
  process::WatchedThreads& threads() { return threads_; }
  // Null where no stacks are captured.
  StackCalls* stack_calls() { return stack_calls_.get(); }

 private:
  static void CUPTIAPI on_callback(void* listener, CUpti_CallbackDomain domain, CUpti_CallbackId id,
                                   const void* data);
  void on_call(CUpti_CallbackDomain domain, CUpti_CallbackId id, const CUpti_CallbackData& call);
  void on_switched_call(CUpti_CallbackDomain domain, CUpti_CallbackId id,
                        const CUpti_CallbackData& call);
  void on_event_call(const EventFunction& function, const CUpti_CallbackData& call);
  void on_graph(CUpti_CallbackId id, const CUpti_GraphData& graph);

  // Notes that the thread calls, and, if that was last noted long enough ago, how long it has been
  // on a processor.
  void note_thread();
  std::uint64_t now() const;  // by CUPTI's clock; 0 if CUPTI cannot read it

  const cupti::CuptiApi& cupti_;
  struct Enabled {
    CUpti_SubscriberHandle subscriber;
    CUpti_CallbackDomain domain;
    CUpti_CallbackId id;
  };
  std::vector<Enabled> enabled_;  // by enable()
  const StreamIsCapturing is_capturing_;
  // The number of stream captures that have begun and whose end has not been seen: while it is 0,
  // no stream has to be queried.
  std::atomic<int> captures_{0};
  CUpti_ActivityKind late_kind_ = CUPTI_ACTIVITY_KIND_INVALID;
  std::atomic<EnableKind> enable_late_{nullptr};
  const OwnProcess own_process_;
  EventQueue events_;
  process::WatchedThreads threads_;
  std::atomic<bool> notes_cpu_times_{false};  // threads may be in callbacks already
  std::bitset<2048> heard_;                   // functions that enable() has enabled
  std::unique_ptr<StackCalls> stack_calls_;
};

}  // namespace lapscope::callbacks
