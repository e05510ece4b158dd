#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <span>
#include <string>
#include <utility>

#include "workloads/harness/cuda_check.h"

namespace lapscope::workloads {

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

// Owns `count` elements of page-locked host memory, not initialised.
//
// Copies from and to it are asynchronous, and kernels can use its address as it is.
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

}  // namespace lapscope::workloads
