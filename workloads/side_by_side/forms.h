#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "workloads/harness/device.h"
#include "workloads/harness/handles.h"
#include "workloads/harness/timed_kernels.h"
#include "workloads/harness/usual_kernel.h"
#include "workloads/side_by_side/side_by_side_options.h"
#include "workloads/side_by_side/side_by_side_table.h"

namespace lapscope::workloads::side_by_side {

// Measures kinds of kernels, one kind at a time. All use the same streams and buffers.
class Forms {
 public:
  Forms(const Options& options, const DeviceInfo& device);

  Row measure(UsualKind kind, GpuShare share);

 private:
  struct Subject {
    std::string name;
    std::unique_ptr<UsualKernel> kernel;
    std::uint32_t work = 0;
  };

  void show(Subject& subject);
  double queued_us(Subject& subject, int count);
  double issued_us(Subject& subject, int count);
  BesideCopies queued_beside_copies(Subject& subject);
  double issued_beside_copies_us(Subject& subject);
  void launch(Subject& subject, int lane);
  cudaStream_t stream_in() const;
  cudaStream_t stream_out() const;
  cudaStream_t stream_of(int lane) const;
  void copy_in(cudaStream_t stream) const;
  void copy_out(cudaStream_t stream) const;
  void wait_if_apart(cudaStream_t stream) const;

  const Options& options_;
  const DeviceInfo& device_;
  std::vector<Stream> streams_;  // Two for copies, then one for each kernel.
  StreamGate gate_;
  PinnedBuffer<char> host_in_;
  PinnedBuffer<char> host_out_;
  DeviceBuffer<char> device_in_;
  DeviceBuffer<char> device_out_;
};

}  // namespace lapscope::workloads::side_by_side
