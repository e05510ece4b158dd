#include "workloads/scan/bench/verify.h"

#include <fmt/format.h>

#include <cstdio>
#include <stdexcept>
#include <vector>

#include "workloads/harness/cuda_check.h"
#include "workloads/scan/bench/check.h"
#include "workloads/scan/rungs/ladder.h"

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
                     scan::name_of(entry.combination.type), entry.n,
                     entry.fill == Fill::random ? "random" : "constant", name_of(entry.placement));
}

Expectation expectation_of(const Case& entry) {
  return {entry.combination, entry.kind, entry.fill, entry.rung->depth(entry.n)};
}

std::string wrong_at(const Case& entry, std::uint64_t index) {
  return fmt::format("{}: element {} is wrong", describe(entry), index);
}

std::string run_on_cpu(const Case& entry) {
  const std::size_t in_bytes = input_bytes(entry.combination.type);
  const std::size_t out_bytes = output_bytes(entry.combination.type);
  const bool misaligned = entry.placement == Placement::misaligned;
  std::vector<std::byte> input((entry.n + 1) * in_bytes);
  std::vector<std::byte> output((entry.n + 1) * out_bytes);
  std::byte* const in = input.data() + (misaligned ? in_bytes : 0);
  std::byte* const out =
      entry.placement == Placement::in_place ? in : output.data() + (misaligned ? out_bytes : 0);
  fill_host(entry.combination, entry.fill, in, entry.n);
  entry.rung->scan(
      {.combination = entry.combination, .kind = entry.kind, .in = in, .out = out, .n = entry.n});
  const auto wrong = compare_with_reference(expectation_of(entry))(out, entry.n);
  return wrong ? wrong_at(entry, *wrong) : "";
}

}  // namespace

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

Verdict verify_rung(const Rung& rung, std::uint64_t max_n, cudaStream_t stream) {
  Verdict verdict;
  Workspace workspace;
  for (const Case& entry : cases_for(rung, max_n)) {
    // The workspace of a rung can be as large as the output.
    if (!rung.on_cpu && bytes_for(entry) * 3 / 2 > free_device_memory()) {
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

void prove_checks(cudaStream_t stream) {
  Workspace workspace;
  for (const std::uint64_t n : {std::uint64_t{3000}, std::uint64_t{1} << 20}) {
    const Case entry{.rung = &contender, .n = n};
    const DeviceArrays arrays(entry.combination, n, entry.placement);
    fill_device(entry.combination, entry.fill, arrays.in(), n, stream);
    contender.scan({.combination = entry.combination,
                    .in = arrays.in(),
                    .out = arrays.out(),
                    .n = n,
                    .workspace = &workspace,
                    .stream = stream});
    const std::uint64_t spoiled = n / 3;
    auto* const out = static_cast<std::uint32_t*>(arrays.out());
    std::uint32_t element = 0;
    const auto copy = [&](void* to, const void* from, cudaMemcpyKind direction) {
      check(cudaMemcpyAsync(to, from, sizeof element, direction, stream), "copy one element");
      check(cudaStreamSynchronize(stream), "wait for one element");
    };
    copy(&element, out + spoiled, cudaMemcpyDeviceToHost);
    element ^= 1;
    copy(out + spoiled, &element, cudaMemcpyHostToDevice);
    if (find_wrong(expectation_of(entry), out, n, stream) != spoiled) {
      throw std::runtime_error("the check of results does not find an element that was spoiled");
    }
  }
}

}  // namespace lapscope::workloads::scan
