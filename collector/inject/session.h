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

// The recording of one process, from cuInit to exit, or, of an armed one, its captures. There is at
// most one, made by InitializeInjection and never destroyed: CUPTI may call back until the process
// is gone. After fork() the child has this object too, but neither its thread nor a working CUDA;
// every entry looks at the process id first and does nothing there.
class Session {
 public:
  // Starts recording, once; later calls do nothing. Never throws.
  static void start() noexcept;
  // Null before start, in a forked child, and when starting failed half-way.
  static Session* current() noexcept;

  void finish() noexcept;

  BufferPool& pool() { return pool_; }
  Writer& writer() { return writer_; }
  // Since CUDA 12.9 CUPTI takes a refused buffer for what it is and counts the loss; before, it
  // crashes.
  bool may_refuse_buffers() const { return cupti_ && cupti_->version >= 27; }

 private:
  Session();
  void begin();
  void arm(const Options& options, TracingStart prepared);
  std::string prepare_stacks();
  void sample_host(const request::Request& request, TracingStart& tracing);
  TracingStart start_capture(const request::Request& request);

  const pid_t pid_;
  BufferPool pool_;
  Writer writer_;
  std::optional<cupti::CuptiApi> cupti_;
  std::optional<callbacks::Listener> listener_;
  std::optional<python_frames::PythonFrames> python_;
  std::optional<stacks::CallStacks> stacks_;
  std::optional<host_samples::HostSampler> sampler_;
  // For an armed process.
  std::optional<TracingStart> prepared_;  // until its first capture
  std::optional<TracingStart> captured_;  // of the first capture
  std::optional<ControlThread> control_;
};

}  // namespace lapscope::inject
