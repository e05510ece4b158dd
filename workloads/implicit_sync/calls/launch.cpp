// Kernel launches.

#include "workloads/implicit_sync/calls/families.h"
#include "workloads/implicit_sync/calls/kernels.h"
#include "workloads/implicit_sync/trials.h"

namespace lapscope::workloads::implicit_sync {
namespace {

constexpr Claim launch_is_asynchronous{Documented::asynchronous, "lecture, reference"};
constexpr Claim per_thread{Documented::leaves_streams_alone, "tutorial"};

Trial launching(Rig& rig, cudaStream_t stream) {
  return in_stream(stream, calling([&rig, stream] {
                     rig.launch_short(stream);
                     return cudaSuccess;
                   }));
}

const Call all_launch_calls[] = {
    {"launch-own-stream", launch_is_asynchronous,
     [](Rig& rig) { return launching(rig, rig.own.get()); }},
    {"launch-legacy-stream", null_stream,
     [](Rig& rig) { return launching(rig, cudaStreamLegacy); }},
    {"launch-per-thread-stream", per_thread,
     [](Rig& rig) { return launching(rig, cudaStreamPerThread); }},
    {"launch-printing-kernel", not_named,
     [](Rig& rig) {
       const cudaStream_t stream = rig.own.get();
       return in_stream(stream, calling([stream] { return launch_printing_kernel(stream); }));
     }},
};

}  // namespace

std::span<const Call> launch_calls() { return all_launch_calls; }

}  // namespace lapscope::workloads::implicit_sync
