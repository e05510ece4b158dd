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

std::uint64_t elements_of(int mib) {
  return (static_cast<std::uint64_t>(mib) << 20) / sizeof(std::uint32_t);
}

Memory memory_for(const StreamedOptions& options) {
  const auto lanes =
      static_cast<std::uint64_t>(layout_of(options.variant, options.streams).streams);
  const std::uint64_t chunk = std::min(options.n, elements_of(options.chunk_mib));
  return {2 * options.n * sizeof(std::uint32_t), lanes * chunk * sizeof(std::uint32_t)};
}

}  // namespace lapscope::workloads::scan
