#include "workloads/scan/bench/verify.h"

#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <string>

#include "workloads/harness/measured_region.h"
#include "workloads/scan/bench/check.h"
#include "workloads/scan/bench/memory.h"

namespace lapscope::workloads::scan {
namespace {

std::string_view name_of(Placement placement) {
  switch (placement) {
    case Placement::aligned:
      return "aligned";
    case Placement::misaligned:
      return "misaligned";
    case Placement::in_place:
      break;
  }
  return "in place";
}

std::string describe(const Case& entry) {
  return fmt::format("{} {} {} {} of {} elements, {} input, {}", entry.rung->name,
                     scan::name_of(entry.kind), scan::name_of(entry.combination.op),
                     scan::name_of(entry.combination.type), entry.n, scan::name_of(entry.fill),
                     name_of(entry.placement));
}

std::string wrong_at(const Case& entry, std::uint64_t index) {
  return fmt::format("{}: element {} is wrong", describe(entry), index);
}

std::string run_on_cpu(const Case& entry) {
  const std::size_t in_bytes = input_bytes(entry.combination.type);
  const std::size_t out_bytes = output_bytes(entry.combination.type);
  const bool in_place = entry.placement == Placement::in_place;
  const bool misaligned = entry.placement == Placement::misaligned;
  // Not cleared: what is large is first touched by the threads that use it.
  const auto input = std::make_unique_for_overwrite<std::byte[]>((entry.n + 1) * in_bytes);
  const auto output =
      std::make_unique_for_overwrite<std::byte[]>(in_place ? 0 : (entry.n + 1) * out_bytes);
  std::byte* const in = input.get() + (misaligned ? in_bytes : 0);
  std::byte* const out = in_place ? in : output.get() + (misaligned ? out_bytes : 0);
  fill_host(entry.combination, entry.fill, in, entry.n);
  entry.rung->scan(
      {.combination = entry.combination, .kind = entry.kind, .in = in, .out = out, .n = entry.n});
  const auto wrong = find_wrong_on_host(expectation_of(entry), out, entry.n);
  return wrong ? wrong_at(entry, *wrong) : "";
}

}  // namespace

Expectation expectation_of(const Case& entry) {
  return {entry.combination, entry.kind, entry.fill, entry.rung->depth(entry.n)};
}

std::string run_case(const Case& entry, Workspace& workspace, cudaStream_t stream) {
  if (entry.rung->on_cpu) return run_on_cpu(entry);
  const DeviceArrays arrays(entry.combination, entry.n, entry.placement);
  fill_device(entry.combination, entry.fill, arrays.in(), entry.n, stream);
  arrays.wipe(stream);
  entry.rung->scan({.combination = entry.combination,
                    .kind = entry.kind,
                    .in = arrays.in(),
                    .out = arrays.out(),
                    .n = entry.n,
                    .workspace = &workspace,
                    .stream = stream});
  if (const auto wrong = find_wrong(expectation_of(entry), arrays.out(), entry.n, stream)) {
    return wrong_at(entry, *wrong);
  }
  if (!arrays.guards_hold(stream)) return describe(entry) + ": wrote beside the output";
  return "";
}

Verdict verify_rung(const Rung& rung, const Sizes& sizes, std::optional<Combination> only,
                    cudaStream_t stream) {
  const NvtxRange range(std::string(rung.name).c_str());
  Verdict verdict;
  Workspace workspace;
  for (const Case& entry : cases_for(rung, sizes.largest)) {
    if (entry.n < sizes.smallest || (only && entry.combination != *only)) continue;
    if (bytes_for(entry) > (rung.on_cpu ? free_memory_of_host() : free_device_memory())) {
      ++verdict.skipped;
      continue;
    }
    ++verdict.cases;
    const std::string wrong = run_case(entry, workspace, stream);
    if (wrong.empty()) continue;
    ++verdict.wrong;
    fmt::print(stderr, "{}\n", wrong);
  }
  return verdict;
}

}  // namespace lapscope::workloads::scan
