#include "workloads/streams/suite/host_buffer.h"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdlib>
#include <new>

#include "workloads/harness/cuda_check.h"

namespace lapscope::workloads::streams {
namespace {

constexpr std::size_t page = 4096;

std::uint32_t* allocate(std::size_t bytes, HostMemory memory) {
  void* data = nullptr;
  if (memory == HostMemory::pinned) {
    check(cudaMallocHost(&data, bytes), "allocate pinned host memory");
    return static_cast<std::uint32_t*>(data);
  }
  data = std::aligned_alloc(page, (bytes + page - 1) / page * page);
  if (data == nullptr) throw std::bad_alloc();
  return static_cast<std::uint32_t*>(data);
}

void free_pinned(std::uint32_t* data) { cudaFreeHost(data); }
void free_pageable(std::uint32_t* data) { std::free(data); }
void free_registered(std::uint32_t* data) {
  cudaHostUnregister(data);
  std::free(data);
}

auto deleter_of(HostMemory memory) {
  switch (memory) {
    case HostMemory::pinned:
      return free_pinned;
    case HostMemory::registered:
      return free_registered;
    case HostMemory::pageable:
      break;
  }
  return free_pageable;
}

}  // namespace

HostBuffer::HostBuffer(std::size_t count, HostMemory memory)
    : words_(allocate(count * sizeof(std::uint32_t), memory), deleter_of(memory)), count_(count) {
  std::ranges::fill(span(), 0U);
  if (memory == HostMemory::registered) {
    check(cudaHostRegister(data(), count * sizeof(std::uint32_t), cudaHostRegisterDefault),
          "page-lock host memory in place");
  }
}

}  // namespace lapscope::workloads::streams
