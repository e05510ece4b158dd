#pragma once

#include <cuda_runtime.h>
#include <cuda_runtime_api.h>

#include <chrono>
#include <cstddef>
#include <span>
#include <string>
#include <utility>

#include "workloads/harness/device.h"

namespace lapscope::workloads {

enum class StreamKind {
  blocking,      // Waits for the legacy default stream, and vice versa.
  non_blocking,  // Independent of the legacy default stream.
};

// Owns a stream. The destructor does not wait for the work in the stream.
class Stream {
 public:
  // Lower numbers are higher priorities. cudaDeviceGetStreamPriorityRange returns the limits.
  explicit Stream(StreamKind kind, int priority = 0) {
    const unsigned flags = kind == StreamKind::blocking ? cudaStreamDefault : cudaStreamNonBlocking;
    check(cudaStreamCreateWithPriority(&stream_, flags, priority), "create a stream");
  }
  Stream(Stream&& other) noexcept : stream_(std::exchange(other.stream_, nullptr)) {}
  Stream& operator=(Stream&&) = delete;
  ~Stream() {
    if (stream_ != nullptr) cudaStreamDestroy(stream_);
  }

  cudaStream_t get() const { return stream_; }

 private:
  cudaStream_t stream_ = nullptr;
};

enum class EventKind {
  timing,    // Records the time of its completion.
  ordering,  // Records no time, only orders work: cheaper.
};

// Owns an event.
class Event {
 public:
  explicit Event(EventKind kind = EventKind::timing) {
    const unsigned flags = kind == EventKind::timing ? cudaEventDefault : cudaEventDisableTiming;
    check(cudaEventCreateWithFlags(&event_, flags), "create an event");
  }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event() { cudaEventDestroy(event_); }

  void record(cudaStream_t stream) { check(cudaEventRecord(event_, stream), "record an event"); }

  // Makes all later work of `stream` wait for the latest record of this event.
  void hold(cudaStream_t stream) const {
    check(cudaStreamWaitEvent(stream, event_, 0), "let a stream wait for an event");
  }

  // From this call on, the stream `later` waits for all work that was issued to the stream
  // `earlier` before this call.
  void join(cudaStream_t earlier, cudaStream_t later) {
    record(earlier);
    hold(later);
  }

  cudaEvent_t get() const { return event_; }

  // Both events must be of EventKind::timing and have completed. The resolution is about 0.5 us.
  double us_since(const Event& earlier) const {
    float ms = 0;
    check(cudaEventElapsedTime(&ms, earlier.event_, event_), "read the time between two events");
    return 1000.0 * static_cast<double>(ms);
  }

 private:
  cudaEvent_t event_ = nullptr;
};

// An ordering event with a default constructor, for containers.
class OrderEvent : public Event {
 public:
  OrderEvent() : Event(EventKind::ordering) {}
};

// Owns `count` elements of device memory, not initialised.
template <typename T>
class DeviceBuffer {
 public:
  explicit DeviceBuffer(std::size_t count) {
    check(cudaMalloc(&data_, count * sizeof(T)),
          "allocate " + std::to_string(count * sizeof(T)) + " bytes of device memory");
  }
  DeviceBuffer(DeviceBuffer&& other) noexcept : data_(std::exchange(other.data_, nullptr)) {}
  DeviceBuffer& operator=(DeviceBuffer&&) = delete;
  ~DeviceBuffer() { cudaFree(data_); }

  T* data() const { return data_; }

 private:
  T* data_ = nullptr;
};

// Owns `count` elements of page-locked host memory, not initialised. Copies from and to it are
// asynchronous. Kernels can access it at the same address.
template <typename T>
class PinnedBuffer {
 public:
  explicit PinnedBuffer(std::size_t count) : count_(count) {
    check(cudaMallocHost(&data_, count * sizeof(T)),
          "allocate " + std::to_string(count * sizeof(T)) + " bytes of pinned host memory");
  }
  PinnedBuffer(const PinnedBuffer&) = delete;
  PinnedBuffer& operator=(const PinnedBuffer&) = delete;
  ~PinnedBuffer() { cudaFreeHost(data_); }

  T* data() const { return data_; }
  std::span<T> span() const { return {data_, count_}; }

 private:
  T* data_ = nullptr;
  std::size_t count_;
};

// Calls `body`. Returns how long it takes by the host's clock, in us.
template <typename Body>
double host_us(Body&& body) {
  const auto begin = std::chrono::steady_clock::now();
  body();
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin)
      .count();
}

}  // namespace lapscope::workloads
