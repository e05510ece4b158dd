#include "workloads/streams/suite/tile_records.h"

#include <algorithm>
#include <string>
#include <vector>

#include "workloads/streams/suite/tile_store.h"

namespace lapscope::workloads::streams {
namespace {

std::uint32_t word_of(std::size_t tile) {
  return 0x01010101U * static_cast<std::uint32_t>(TileRecords::byte_of(tile));
}

}  // namespace

TileRecords::TileRecords(const Shape& shape)
    : tiles_(static_cast<std::size_t>(shape.tiles)),
      host_(tiles_ * words),
      wanted_(tiles_ * words),
      records_(tiles_ * words) {
  for (std::size_t tile = 0; tile < tiles_; ++tile) {
    std::ranges::fill(host_.span().subspan(tile * words, words), word_of(tile));
  }
  check(cudaMemcpy(wanted_.data(), host_.data(), tiles_ * bytes, cudaMemcpyHostToDevice),
        "copy the wanted records to the device");
  clear();
}

const std::uint32_t* TileRecords::wanted_on_host(std::size_t tile) const {
  return host_.data() + tile * words;
}

const std::uint32_t* TileRecords::wanted_on_device(std::size_t tile) const {
  return wanted_.data() + tile * words;
}

void TileRecords::verify() const {
  std::vector<std::uint32_t> found(tiles_ * words);
  check(cudaMemcpy(found.data(), records_.data(), tiles_ * bytes, cudaMemcpyDeviceToHost),
        "copy the records to the host");
  verify_copy(found);
}

void TileRecords::verify_copy(std::span<const std::uint32_t> records) const {
  for (std::size_t tile = 0; tile < tiles_; ++tile) {
    require_value(records.subspan(tile * words, words), word_of(tile),
                  "the record of tile " + std::to_string(tile));
  }
}

void TileRecords::clear() const {
  check(cudaMemset(records_.data(), 0, tiles_ * bytes), "clear the records");
  check(cudaDeviceSynchronize(), "wait for the records to be cleared");
}

}  // namespace lapscope::workloads::streams
