#include <cub/device/device_scan.cuh>

#include "workloads/scan/rungs/device.cuh"

namespace lapscope::workloads::scan {
namespace {

template <typename T>
void launch(const ScanCall& call) {
  const auto* const in = static_cast<const T*>(call.in);
  auto* const out = static_cast<T*>(call.out);
  const auto n = static_cast<std::int64_t>(call.n);
  const auto scan = [&](void* temporary, std::size_t& bytes) {
    if (call.kind == Kind::inclusive) {
      return cub::DeviceScan::InclusiveSum(temporary, bytes, in, out, n, call.stream);
    }
    return cub::DeviceScan::ExclusiveSum(temporary, bytes, in, out, n, call.stream);
  };
  std::size_t bytes = 0;
  check(scan(nullptr, bytes), "ask CUB for its temporary storage");
  check(scan(call.workspace->scratch(bytes), bytes), "launch CUB's scan");
}

}  // namespace

const Rung cub_scan{.name = "cub",
                    .change = "cub::DeviceScan of the toolkit, the reference from outside",
                    .scan = [](const ScanCall& call) {
                      if (call.n == 0) return;
                      with_type(call.type, [&]<typename T>(T) { launch<T>(call); });
                    }};

}  // namespace lapscope::workloads::scan
