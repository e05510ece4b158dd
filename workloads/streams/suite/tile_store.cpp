#include "workloads/streams/suite/tile_store.h"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdlib>
#include <new>
#include <stdexcept>
#include <string>

#include "workloads/harness/affine.h"
#include "workloads/harness/device.h"

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

namespace {

[[noreturn]] void refuse(const std::string& name, std::size_t index, std::uint32_t found,
                         std::uint32_t expected) {
  throw std::runtime_error("wrong result: element " + std::to_string(index) + " of " + name +
                           " is " + std::to_string(found) + " and should be " +
                           std::to_string(expected));
}

}  // namespace

void require_pattern(std::span<const std::uint32_t> data, std::size_t first, AffineMap map,
                     const std::string& name) {
  for (std::size_t i = 0; i < data.size(); ++i) {
    const std::uint32_t expected = map(pattern_value(first + i));
    if (data[i] != expected) refuse(name, i, data[i], expected);
  }
}

void require_value(std::span<const std::uint32_t> data, std::uint32_t value,
                   const std::string& name) {
  for (std::size_t i = 0; i < data.size(); ++i) {
    if (data[i] != value) refuse(name, i, data[i], value);
  }
}

TileStore::TileStore(const Shape& shape, HostMemory input, HostMemory output)
    : elements_(shape.tile_elements()),
      tiles_(static_cast<std::size_t>(shape.tiles)),
      input_(tiles_ * elements_, input),
      output_(tiles_ * elements_, output) {
  fill_pattern(input_.span());
}

void TileStore::verify(AffineMap map, std::size_t elements) const {
  for (std::size_t tile = 0; tile < tiles_; ++tile) {
    require_pattern({output(tile), elements}, tile * elements_, map,
                    "tile " + std::to_string(tile));
  }
}

void TileStore::clear() const { std::ranges::fill(output_.span(), 0U); }

}  // namespace lapscope::workloads::streams
