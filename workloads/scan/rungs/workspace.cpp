#include "workloads/scan/rungs/workspace.h"

#include "workloads/harness/device.h"

namespace lapscope::workloads::scan {
namespace {

// The counter has its own cache line, because blocks write it while other blocks poll the words.
constexpr std::size_t header_bytes = 256;
constexpr std::uint32_t epochs = 1U << 30;

}  // namespace

TileBoard Workspace::board(std::uint64_t tiles, std::size_t word_bytes, cudaStream_t stream) {
  const std::size_t bytes = header_bytes + tiles * word_bytes;
  const bool grow = bytes > board_bytes_;
  if (grow) {
    board_.reset();
    board_.emplace(bytes);
    board_bytes_ = bytes;
  }
  if (grow || word_bytes != word_bytes_ || ++scans_ == epochs - 1) {
    check(cudaMemsetAsync(board_->data(), 0, board_bytes_, stream), "clear the tile states");
    word_bytes_ = word_bytes;
    scans_ = 0;
  }
  return {reinterpret_cast<std::uint64_t*>(board_->data()), board_->data() + header_bytes};
}

void* Workspace::scratch(std::size_t bytes) {
  if (bytes > scratch_bytes_) {
    scratch_.reset();
    scratch_.emplace(bytes);
    scratch_bytes_ = bytes;
  }
  return scratch_ ? scratch_->data() : nullptr;
}

}  // namespace lapscope::workloads::scan
