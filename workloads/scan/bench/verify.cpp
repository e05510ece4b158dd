#include "workloads/scan/bench/verify.h"

#include <fmt/format.h>

#include <cstdio>

#include "workloads/harness/free_memory.h"
#include "workloads/harness/measured_region.h"

namespace lapscope::workloads::scan {
namespace {

constexpr std::uint64_t large = 10'000'000;

std::string wrong(const Rung& rung, const Case& entry, std::string_view what) {
  constexpr std::string_view placements[] = {"aligned", "misaligned", "in place"};
  return fmt::format("{}: {} {}, {} elements, {}: {}", rung.name, name_of(entry.kind),
                     name_of(entry.type), entry.n, placements[static_cast<int>(entry.placement)],
                     what);
}

std::string wrong_at(const Rung& rung, const Case& entry, std::uint64_t index) {
  return wrong(rung, entry, fmt::format("element {} is wrong", index));
}

std::string run_on_cpu(const Rung& rung, const Case& entry) {
  std::vector<std::byte> in(entry.n * bytes_of(entry.type));
  std::vector<std::byte> out(in.size());
  fill_host(entry.type, in.data(), entry.n);
  rung.scan({entry.type, entry.kind, in.data(), out.data(), entry.n});
  const auto index = first_wrong_on_host(entry.type, entry.kind, out.data(), entry.n);
  return index ? wrong_at(rung, entry, *index) : "";
}

bool fits(const Rung& rung, const Case& entry) {
  return rung.on_cpu || DeviceArrays::bytes_for(entry.type, entry.n, entry.placement) <=
                            free_memory(1).device_bytes.front();
}

}  // namespace

std::vector<std::uint64_t> awkward_sizes() {
  constexpr std::uint64_t one = 1;
  return {0, 1, 2, 31, 32, 33, 257,
          // Sizes near the sizes of a block and of a tile in scan-then-propagate.
          1023, 1024, 1025, 1337, 2047, 2048, 2049,
          // Sizes near the contender's tile sizes, for 8-byte and 4-byte elements.
          4031, 4032, 4033, 8063, 8064, 8065, 65'537,
          // Sizes with three levels of totals begin here.
          (1 << 20) - 1, 1 << 20, (1 << 20) + 1,
          // For the contender on an H200: as many tiles as blocks, one tile more, and several tiles
          // for each block.
          264 * 4032, 264 * 4032 + 1, 264 * 8064, 264 * 8064 + 1, large,
          // Sizes with four levels of totals. The last size has indices beyond 32 bits.
          one << 28, (one << 30) + 1, (one << 31) + 17, (one << 32) + 17};
}

std::vector<Case> cases_for(const Rung& rung, const std::vector<std::uint64_t>& sizes) {
  std::vector<Case> cases;
  for (const std::uint64_t n : sizes) {
    if (n > rung.max_n || (rung.on_cpu && n > large)) continue;
    for (const Type type : all_types) {
      for (const Kind kind : {Kind::inclusive, Kind::exclusive}) {
        cases.push_back({type, kind, Placement::aligned, n});
        if (rung.on_cpu || n > large) continue;
        cases.push_back({type, kind, Placement::misaligned, n});
        cases.push_back({type, kind, Placement::in_place, n});
      }
    }
  }
  return cases;
}

std::string run_case(const Rung& rung, const Case& entry, Workspace& workspace,
                     cudaStream_t stream) {
  if (rung.on_cpu) return run_on_cpu(rung, entry);
  const DeviceArrays arrays(entry.type, entry.n, entry.placement);
  arrays.fill(stream);
  // The output has no result yet, and the check must report this.
  if (entry.placement == Placement::aligned && entry.n > 0 &&
      arrays.first_wrong(entry.kind, stream) != 0) {
    return wrong(rung, entry, "the check finds nothing in what was never written");
  }
  rung.scan({entry.type, entry.kind, arrays.in(), arrays.out(), entry.n, &workspace, stream});
  if (const auto index = arrays.first_wrong(entry.kind, stream)) {
    return wrong_at(rung, entry, *index);
  }
  return arrays.guards_hold(stream) ? "" : wrong(rung, entry, "wrote beside the output");
}

Verdict verify_rung(const Rung& rung, const std::vector<std::uint64_t>& sizes,
                    cudaStream_t stream) {
  const NvtxRange range(std::string(rung.name).c_str());
  Verdict verdict;
  Workspace workspace;
  for (const Case& entry : cases_for(rung, sizes)) {
    if (!fits(rung, entry)) {
      ++verdict.skipped;
      continue;
    }
    ++verdict.cases;
    verdict.largest = entry.n;
    const std::string sentence = run_case(rung, entry, workspace, stream);
    if (sentence.empty()) continue;
    ++verdict.wrong;
    fmt::print(stderr, "{}\n", sentence);
  }
  return verdict;
}

}  // namespace lapscope::workloads::scan
