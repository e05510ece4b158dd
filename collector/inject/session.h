#pragma once

#include <sys/types.h>

#include <optional>

#include "collector/callbacks/listener.h"
#include "collector/cupti/cupti_api.h"
#include "collector/host_samples/host_sampler.h"
#include "collector/inject/buffer_pool.h"
#include "collector/inject/control_thread.h"
#include "collector/inject/writer.h"

namespace lapscope::inject {

// The recording of one process, from cuInit to exit. One session makes all captures of an armed
// process. There is at most one session. InitializeInjection makes it, and it is never destroyed,
// because CUPTI may call back until the process is gone. A child made by fork() has a copy of this
// object, but does not have the writer's thread, and CUDA does not work in the child. So every
// entry function compares the process id first, and does nothing in a child.
class Session {
 public:
  // Starts recording, once; later calls do nothing. Never throws.
  static void start() noexcept;
  // Returns the session. Returns null before start(), in a forked child, and if start() failed.
  static Session* current() noexcept;

  void finish() noexcept;

  BufferPool& pool() { return pool_; }
  Writer& writer() { return writer_; }
  // Returns whether lapscope may refuse CUPTI a buffer. Since CUDA 12.9, CUPTI counts the records
  // that it loses without a buffer. Earlier versions crash.
  bool may_refuse_buffers() const { return cupti_ && cupti_->version >= 27; }

 private:
  Session();
  void begin();
  void arm(const Options& options, TracingStart prepared);
  std::string prepare_stacks();
  void sample_host(const request::Request& request, TracingStart& tracing);
  TracingStart start_capture(const request::Request& all, const request::Request& wanted);

  const pid_t pid_;
  BufferPool pool_;
  Writer writer_;
  std::optional<cupti::CuptiApi> cupti_;
  std::optional<callbacks::Listener> listener_;
  std::optional<python_frames::PythonFrames> python_;
  std::optional<stacks::CallStacks> stacks_;
  std::optional<host_samples::HostSampler> sampler_;
  // Only in an armed process.
  std::optional<TracingStart> prepared_;  // results of prepare_tracing(), until the first capture
  std::optional<TracingStart> captured_;  // results of the first capture, used by all captures
  std::optional<ControlThread> control_;
};

}  // namespace lapscope::inject
