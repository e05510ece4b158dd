#include <cstdlib>
#include <memory>

#include "workloads/harness/handles.h"
#include "workloads/implicit_sync/call_registry.h"
#include "workloads/implicit_sync/trials.h"

namespace lapscope::workloads::implicit_sync {

// Copies from and to host memory, pinned and pageable. The sizes are around 64 KiB. The
// documentation says that copies up to this size return at once.

namespace {

constexpr std::size_t KiB = 1 << 10;
constexpr std::size_t MiB = 1 << 20;

constexpr Claim small_is_asynchronous{Documented::asynchronous, "lecture, guide"};
constexpr Claim small_to_host{Documented::asynchronous, "lecture"};
constexpr Claim host_waits{Documented::host_waits_for_stream, "lecture, reference"};
constexpr Claim pageable_waits{Documented::host_waits_for_stream, "article, tutorial"};
// A copy from host to host.
constexpr Claim host_copies{Documented::host_waits_for_stream, "reference"};
constexpr Claim asynchronous{Documented::asynchronous, "lecture, reference"};

enum class Place { pageable, pinned, device };

std::shared_ptr<void> allocate(Place place, std::size_t bytes) {
  void* data = nullptr;
  switch (place) {
    case Place::device:
      require(cudaMalloc(&data, bytes), "allocate device memory");
      return {data, cudaFree};
    case Place::pinned:
      require(cudaMallocHost(&data, bytes), "allocate pinned memory");
      return {data, cudaFreeHost};
    case Place::pageable:
      break;
  }
  data = std::calloc(bytes, 1);
  if (data == nullptr) throw Unavailable("could not allocate host memory");
  return {data, std::free};
}

struct Copy {
  Place from;
  Place to;

  constexpr cudaMemcpyKind kind() const {
    if (from == Place::device && to == Place::device) return cudaMemcpyDeviceToDevice;
    if (from != Place::device && to != Place::device) return cudaMemcpyHostToHost;
    return to == Place::device ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost;
  }
};

constexpr Copy pageable_to_device{Place::pageable, Place::device};
constexpr Copy pinned_to_device{Place::pinned, Place::device};
constexpr Copy device_to_pageable{Place::device, Place::pageable};
constexpr Copy device_to_pinned{Place::device, Place::pinned};
constexpr Copy pageable_to_pageable{Place::pageable, Place::pageable};
constexpr Copy pinned_to_pinned{Place::pinned, Place::pinned};
constexpr Copy device_to_device{Place::device, Place::device};

template <Copy copy, std::size_t bytes>
Trial blocking(Rig&) {
  return calling([from = allocate(copy.from, bytes), to = allocate(copy.to, bytes)] {
    return cudaMemcpy(to.get(), from.get(), bytes, copy.kind());
  });
}

Trial async(Copy copy, std::size_t bytes, cudaStream_t stream) {
  const auto run = [=, from = allocate(copy.from, bytes), to = allocate(copy.to, bytes)] {
    return cudaMemcpyAsync(to.get(), from.get(), bytes, copy.kind(), stream);
  };
  return in_stream(stream, calling(run));
}

template <Copy copy, std::size_t bytes>
Trial async_own(Rig& rig) {
  return async(copy, bytes, rig.own.get());
}

template <Copy copy, std::size_t bytes>
Trial async_legacy(Rig&) {
  return async(copy, bytes, cudaStreamLegacy);
}

Trial to_symbol(Rig&) {
  return calling([] {
    const int value = 1;
    return cudaMemcpyToSymbol(device_symbol(), &value, sizeof value, 0, cudaMemcpyHostToDevice);
  });
}

const Call all_copy_calls[] = {
    {"cudaMemcpy-pageable-to-device-32KiB", small_is_asynchronous,
     blocking<pageable_to_device, 32 * KiB>},
    {"cudaMemcpy-pageable-to-device-64KiB", small_is_asynchronous,
     blocking<pageable_to_device, 64 * KiB>},
    {"cudaMemcpy-pageable-to-device-68KiB", host_waits, blocking<pageable_to_device, 68 * KiB>},
    {"cudaMemcpy-pageable-to-device-16MiB", host_waits, blocking<pageable_to_device, 16 * MiB>},
    {"cudaMemcpy-pinned-to-device-32KiB", small_is_asynchronous,
     blocking<pinned_to_device, 32 * KiB>},
    {"cudaMemcpy-pinned-to-device-64KiB", small_is_asynchronous,
     blocking<pinned_to_device, 64 * KiB>},
    {"cudaMemcpy-pinned-to-device-68KiB", host_waits, blocking<pinned_to_device, 68 * KiB>},
    {"cudaMemcpy-pinned-to-device-16MiB", host_waits, blocking<pinned_to_device, 16 * MiB>},
    {"cudaMemcpy-device-to-pageable-32KiB", small_to_host, blocking<device_to_pageable, 32 * KiB>},
    {"cudaMemcpy-device-to-pageable-16MiB", host_waits, blocking<device_to_pageable, 16 * MiB>},
    {"cudaMemcpy-device-to-pinned-32KiB", small_to_host, blocking<device_to_pinned, 32 * KiB>},
    {"cudaMemcpy-device-to-pinned-16MiB", host_waits, blocking<device_to_pinned, 16 * MiB>},
    {"cudaMemcpy-device-to-device-16MiB", separates_streams, blocking<device_to_device, 16 * MiB>},
    {"cudaMemcpy-pageable-to-pageable-16MiB", host_copies,
     blocking<pageable_to_pageable, 16 * MiB>},
    {"cudaMemcpy-pinned-to-pinned-16MiB", host_copies, blocking<pinned_to_pinned, 16 * MiB>},
    {"cudaMemcpyAsync-pageable-to-device-32KiB", pageable_waits,
     async_own<pageable_to_device, 32 * KiB>},
    {"cudaMemcpyAsync-pageable-to-device-16MiB", pageable_waits,
     async_own<pageable_to_device, 16 * MiB>},
    {"cudaMemcpyAsync-device-to-pageable-32KiB", pageable_waits,
     async_own<device_to_pageable, 32 * KiB>},
    {"cudaMemcpyAsync-device-to-pageable-16MiB", pageable_waits,
     async_own<device_to_pageable, 16 * MiB>},
    {"cudaMemcpyAsync-pinned-to-device-16MiB", asynchronous, async_own<pinned_to_device, 16 * MiB>},
    {"cudaMemcpyAsync-device-to-device-16MiB", separates_streams,
     async_own<device_to_device, 16 * MiB>},
    {"cudaMemcpyAsync-pageable-to-pageable-16MiB", host_copies,
     async_own<pageable_to_pageable, 16 * MiB>},
    {"cudaMemcpyAsync-pinned-to-pinned-16MiB", host_copies, async_own<pinned_to_pinned, 16 * MiB>},
    {"cudaMemcpyAsync-legacy-stream", null_stream, async_legacy<pinned_to_device, 16 * MiB>},
    {"cudaMemcpyToSymbol", null_stream, to_symbol},
};

}  // namespace

std::span<const Call> copy_calls() { return all_copy_calls; }

// Memsets.

namespace {

constexpr std::size_t bytes = 16 << 20;

// Returns a trial whose buffer exists as long as the trial.
template <typename Buffer>
Trial filling(std::function<cudaError_t(void*)> fill) {
  const auto buffer = std::make_shared<Buffer>(bytes);
  return calling([=] { return fill(buffer->data()); });
}

cudaError_t fill(void* data) { return cudaMemset(data, 1, bytes); }

Trial filling_in_stream(cudaStream_t stream) {
  return in_stream(stream, filling<DeviceBuffer<char>>([stream](void* data) {
                     return cudaMemsetAsync(data, 1, bytes, stream);
                   }));
}

const Call all_fill_calls[] = {
    {"cudaMemset-device", separates_streams,
     [](Rig&) { return filling<DeviceBuffer<char>>(fill); }},
    {"cudaMemset-pinned",
     {Documented::host_waits_for_stream, "reference"},
     [](Rig&) { return filling<PinnedBuffer<char>>(fill); }},
    {"cudaMemsetAsync-legacy-stream", null_stream,
     [](Rig&) { return filling_in_stream(cudaStreamLegacy); }},
    {"cudaMemsetAsync-own-stream", separates_streams,
     [](Rig& rig) { return filling_in_stream(rig.own.get()); }},
};

}  // namespace

std::span<const Call> fill_calls() { return all_fill_calls; }

}  // namespace lapscope::workloads::implicit_sync
