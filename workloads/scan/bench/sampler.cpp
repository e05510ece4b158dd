#include "workloads/scan/bench/sampler.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <thread>

#include "workloads/harness/cuda_check.h"
#include "workloads/harness/measured_region.h"
#include "workloads/harness/statistics.h"

namespace lapscope::workloads::scan {
namespace {

constexpr double lowest_clock = 0.75;  // As a share of the nominal one.
constexpr int max_throttled = 20;
constexpr std::chrono::milliseconds pause_when_throttled(50);

// Twice the cache, so that whatever it replaces, nothing of before is left.
std::size_t bytes_to_flush() {
  int device = 0;
  int cache_bytes = 0;
  check(cudaGetDevice(&device), "find the current device");
  check(cudaDeviceGetAttribute(&cache_bytes, cudaDevAttrL2CacheSize, device),
        "read the size of the second-level cache");
  return 2 * static_cast<std::size_t>(cache_bytes);
}

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

std::string Label::range(std::string_view how) const { return fmt::format("n = {}, {}", n, how); }

bool is_enough(const std::vector<double>& us, double seconds, const Limits& limits) {
  const auto count = static_cast<int>(us.size());
  if (count >= limits.max_samples) return true;
  if (count >= 3 && seconds >= limits.max_seconds) return true;
  if (count < limits.min_samples) return false;
  const double mean = std::accumulate(us.begin(), us.end(), 0.0) / count;
  const double squares = std::accumulate(us.begin(), us.end(), 0.0, [&](double sum, double x) {
    return sum + (x - mean) * (x - mean);
  });
  return std::sqrt(squares / (count - 1)) <= limits.enough_relative_deviation * mean;
}

Sampler::Sampler(const DeviceInfo& device)
    : nominal_mhz_(device.clock_khz / 1e3),
      flush_bytes_(bytes_to_flush()),
      flushed_(flush_bytes_),
      stream_(StreamKind::non_blocking) {
  MeasuredRegion::prepare();
}

Samples Sampler::measure(const Label& label, Cache cache,
                         const std::function<void(cudaStream_t)>& work, Limits limits) {
  work(stream_.get());
  check(cudaStreamSynchronize(stream_.get()), "wait for the work before it is timed");
  const MeasuredRegion region(label.region().c_str());
  const NvtxRange range(label.range(cache == Cache::cold ? "cold" : "warm").c_str());
  Samples samples;
  std::vector<double> mhz;
  const auto begin = std::chrono::steady_clock::now();
  while (!is_enough(samples.us, seconds_since(begin), limits)) {
    const double us = sample(cache, work);
    const double clock = clock_.mhz();
    if (clock > 0 && clock < lowest_clock * nominal_mhz_) {
      if (++samples.throttled > max_throttled) {
        throw std::runtime_error(
            "the GPU stays below 75 % of its nominal clock; let it cool down, or look who else "
            "uses it (nvidia-smi), and try again");
      }
      std::this_thread::sleep_for(pause_when_throttled);
      continue;
    }
    samples.us.push_back(us);
    mhz.push_back(clock);
  }
  samples.mhz = quantile(mhz, 0.5);
  return samples;
}

double Sampler::sample(Cache cache, const std::function<void(cudaStream_t)>& work) {
  const cudaStream_t stream = stream_.get();
  gate_.close(stream);
  clock_.begin(stream);
  if (cache == Cache::cold) {
    check(cudaMemsetAsync(flushed_.data(), 0, flush_bytes_, stream), "flush the cache");
  }
  begin_.record(stream);
  work(stream);
  end_.record(stream);
  clock_.end(stream);
  gate_.open();
  check(cudaStreamSynchronize(stream), "wait for a timed sample");
  return end_.us_since(begin_);
}

}  // namespace lapscope::workloads::scan
