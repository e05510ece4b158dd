#include "workloads/scan/bench/measure.h"

#include <fmt/format.h>

#include <chrono>
#include <stdexcept>

#include "workloads/harness/cuda_check.h"
#include "workloads/harness/measured_region.h"
#include "workloads/scan/bench/check.h"
#include "workloads/scan/bench/memory.h"

namespace lapscope::workloads::scan {
namespace {

const Case& with_memory(const Case& entry) {
  require_memory(entry.n, bytes_for(entry), free_device_memory(), "device");
  return entry;
}

void require_right(std::string_view rung, std::uint64_t n, std::optional<std::uint64_t> wrong) {
  if (!wrong) return;
  throw std::runtime_error(
      fmt::format("wrong result: {} of {} elements at element {}", rung, n, *wrong));
}

}  // namespace

Measurement::Measurement(const Case& entry, Sampler& sampler)
    : entry_(with_memory(entry)),
      sampler_(sampler),
      arrays_(entry.combination, entry.n, entry.placement) {
  fill_device(entry.combination, entry.fill, arrays_.in(), entry.n, sampler.stream());
}

Samples Measurement::scan(const Rung& rung, Cache cache, Limits limits) {
  arrays_.wipe(sampler_.stream());
  Samples samples = time(rung, cache, limits);
  verify(rung);
  return samples;
}

Samples Measurement::first_scan(const Rung& rung, Limits limits) {
  arrays_.wipe(sampler_.stream());
  const ScanCall call = call_of_scan();
  Samples samples = sampler_.measure(
      {rung.name, entry_.n}, Cache::cold,
      [&](cudaStream_t) {
        workspace_.forget();
        rung.scan(call);
      },
      limits);
  verify(rung);
  return samples;
}

Samples Measurement::time(const Rung& rung, Cache cache, Limits limits) {
  const ScanCall call = call_of_scan();
  return sampler_.measure(
      {rung.name, entry_.n}, cache, [&](cudaStream_t) { rung.scan(call); }, limits);
}

ScanCall Measurement::call_of_scan() {
  return {.combination = entry_.combination,
          .kind = entry_.kind,
          .in = arrays_.in(),
          .out = arrays_.out(),
          .n = entry_.n,
          .workspace = &workspace_,
          .stream = sampler_.stream()};
}

void Measurement::verify(const Rung& rung) {
  Case entry = entry_;
  entry.rung = &rung;
  require_right(rung.name, entry.n,
                find_wrong(expectation_of(entry), arrays_.out(), entry.n, sampler_.stream()));
}

Samples Measurement::copy(Cache cache, Limits limits) {
  auto* const out = static_cast<std::byte*>(arrays_.out());
  const std::size_t bytes = copy_bytes() / 2;
  // A narrower input cannot fill the output: then one half of the output goes to the other.
  const void* const from = bytes == in_bytes() ? arrays_.in() : out + bytes;
  return sampler_.measure(
      {"copy", entry_.n}, cache,
      [&](cudaStream_t stream) {
        check(cudaMemcpyAsync(out, from, bytes, cudaMemcpyDeviceToDevice, stream),
              "copy the input");
      },
      limits);
}

std::uint64_t Measurement::in_bytes() const {
  return entry_.n * input_bytes(entry_.combination.type);
}

std::uint64_t Measurement::out_bytes() const {
  return entry_.n * output_bytes(entry_.combination.type);
}

std::uint64_t Measurement::scan_bytes() const { return in_bytes() + out_bytes(); }

std::uint64_t Measurement::copy_bytes() const {
  return in_bytes() == out_bytes() ? scan_bytes() : out_bytes();
}

std::vector<double> time_on_cpu(Case entry, Limits limits) {
  using Clock = std::chrono::steady_clock;
  require_memory(entry.n, bytes_for(entry), free_memory_of_host(), "host");
  std::vector<std::byte> in(entry.n * input_bytes(entry.combination.type));
  std::vector<std::byte> out(entry.n * output_bytes(entry.combination.type));
  fill_host(entry.combination, entry.fill, in.data(), entry.n);
  const ScanCall call{.combination = entry.combination,
                      .kind = entry.kind,
                      .in = in.data(),
                      .out = out.data(),
                      .n = entry.n};
  const auto since = [](Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
  };
  const Label label{entry.rung->name, entry.n};
  MeasuredRegion::prepare();
  const MeasuredRegion region(label.region().c_str());
  const NvtxRange range(label.range("host").c_str());
  std::vector<double> ms;
  const auto begin = Clock::now();
  while (!is_enough(ms, since(begin), limits)) {
    const auto start = Clock::now();
    entry.rung->scan(call);
    ms.push_back(1e3 * since(start));
  }
  require_right(entry.rung->name, entry.n,
                find_wrong_on_host(expectation_of(entry), out.data(), entry.n));
  return ms;
}

}  // namespace lapscope::workloads::scan
