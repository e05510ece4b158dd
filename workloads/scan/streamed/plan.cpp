#include "workloads/scan/streamed/plan.h"

#include <algorithm>

namespace lapscope::workloads::scan {

std::vector<Chunk> plan_chunks(std::uint64_t n, std::uint64_t chunk, std::size_t lanes) {
  std::vector<Chunk> chunks;
  chunks.reserve((n + chunk - 1) / chunk);
  for (std::uint64_t offset = 0; offset < n; offset += chunk) {
    const std::size_t index = chunks.size();
    chunks.push_back({index, offset, std::min(chunk, n - offset), index % lanes,
                      "chunk " + std::to_string(index)});
  }
  return chunks;
}

}  // namespace lapscope::workloads::scan
