#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "collector/trace/trace_writer.h"
#include "tests/bench/random.h"
#include "tests/bench/synthetic_target.h"
#include "tests/bench/trace_generator.h"

namespace lapscope::bench {

// Simulates a copy-compute-copy pipeline and writes its records. The host runs ahead of the GPU
// until it synchronizes. An op starts when its launch has arrived, and its stream and an engine are
// free. So only ops of different streams overlap.
class Pipeline {
 public:
  Pipeline(trace::TraceWriter& trace, const TraceShape& shape);

  // Simulates until shape.ops ops are written.
  void run();
  const Totals& totals() const { return totals_; }

 private:
  enum class SyncType : std::int64_t { event = 1, stream_wait = 2, stream = 3, context = 4 };
  struct Function {  // a function of the runtime API
    std::int64_t name;
    std::int64_t cbid;
  };
  struct Call {
    std::int64_t start;
    std::int64_t end;
    std::int64_t correlation;
  };
  struct Kernel {
    std::int64_t demangled, brief, mangled;
    std::int64_t registers, block, shared_memory, duration;
  };
  struct Device {
    std::int64_t h2d_free = 0;
    std::int64_t d2h_free = 0;
    std::array<std::int64_t, 2> compute_free{};  // two kernels run at a time
  };
  struct Stream {
    std::int64_t id;
    std::int64_t device;
    std::int64_t ready = 0;  // earliest start of the next op
    std::int64_t event = 0;  // latest record of the stream's event; 0: not recorded yet
    std::int64_t event_time = 0;
  };
  struct Thread {
    std::int64_t global_tid;
    std::vector<std::size_t> streams;
    std::int64_t clock;
    std::int64_t steps = 0;
    std::int64_t epoch_start = 0;
  };

  Function function(std::string_view name, std::int64_t cbid);
  void name_kernels();

  void step(Thread& thread);
  void synchronize(Thread& thread, Stream& stream);
  void end_epoch(Thread& thread);

  void copy(Thread& thread, Stream& stream, bool to_device);
  void clear(Thread& thread, Stream& stream);
  void launch(Thread& thread, Stream& stream);
  void record_event(Thread& thread, Stream& stream);
  void wait_event(Thread& thread, Stream& waiting, const Stream& recorded);

  bool done() const { return ops_ == shape_.ops; }
  // Writes a call of `duration` ns. The thread's clock advances to the end of the call.
  Call call(Thread& thread, const Function& function, std::int64_t duration);
  // Writes the synchronization record of a call.
  void synchronization(const Call& call, const Stream& stream, SyncType type,
                       const Stream* event_of = nullptr);
  void range(const Thread& thread, std::int64_t name, std::int64_t start);
  // Computes when the op runs, and fills the members that all kinds of ops have.
  template <class Row>
  Row place(const Call& call, Stream& stream, std::int64_t& engine_free, std::int64_t duration,
            std::int64_t channel_type);

  trace::TraceWriter& trace_;
  const TraceShape shape_;
  Random random_;
  Function launch_kernel_, memcpy_async_, memset_async_, event_record_, stream_wait_event_,
      stream_synchronize_, event_synchronize_, device_synchronize_;
  std::int64_t epoch_name_, step_name_, compute_name_;
  std::vector<Kernel> kernels_;
  std::vector<Device> devices_;
  std::vector<Stream> streams_;
  std::vector<Thread> threads_;
  std::int64_t ops_ = 0;
  std::int64_t correlation_ = 100;
  std::int64_t range_id_ = 0;
  Totals totals_;
};

}  // namespace lapscope::bench
