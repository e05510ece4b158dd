#include "workloads/scan/bench/tables.h"

#include <fmt/format.h>

#include <bit>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

#include "workloads/harness/cuda_check.h"
#include "workloads/harness/guard.h"
#include "workloads/harness/statistics.h"
#include "workloads/scan/bench/measure.h"
#include "workloads/scan/rungs/ladder.h"

namespace lapscope::workloads::scan {
namespace {

const Rung& rung_or(const Options& options, const Rung& other) {
  return options.rung.empty() ? other : find_rung(options.rung);
}

Case case_of(const Options& options, const Rung& rung, std::uint64_t n) {
  if (!rung.supports(options.combination())) {
    throw UsageError(fmt::format("--rung {} cannot do --op {} on --type {}", rung.name,
                                 name_of(options.op), name_of(options.combination().type)));
  }
  if (n > rung.max_n) {
    throw UsageError(fmt::format("--rung {} scans {} elements at most; give a smaller --n",
                                 rung.name, rung.max_n));
  }
  return {.rung = &rung, .combination = options.combination(), .kind = options.kind, .n = n};
}

Limits limits_of(const Options& options) { return {.max_seconds = options.max_seconds}; }

bool runs_here(const Rung& rung) { return rung.runs_here == nullptr || rung.runs_here(); }

std::string size_name(std::uint64_t n) {
  return std::has_single_bit(n) ? fmt::format("2^{}", std::countr_zero(n)) : fmt::to_string(n);
}

// What was timed, and how many bytes it moves.
struct Row {
  std::string_view name;
  std::uint64_t bytes = 0;
  Samples cold;
  Samples warm;
  double passes = 2;

  double cold_speed(double q) const { return speed(quantile(cold.us, 1 - q)); }
  double warm_speed() const { return speed(quantile(warm.us, 0.5)); }

 private:
  double speed(double us) const { return static_cast<double>(bytes) / (1e3 * us); }
};

void print_row(std::uint64_t n, const Row& row, const Row& copy) {
  fmt::print(
      "{:>6} {:<22} {:>10.2f} {:>8.1f} {:>8.1f} {:>8.1f} {:>6.1f} {:>8.1f} {:>6.1f} {:>5.0f} "
      "{:>7} {:>9.1f}\n",
      size_name(n), row.name, quantile(row.cold.us, 0.5), row.cold_speed(0.5), row.cold_speed(0.25),
      row.cold_speed(0.75), 100 * row.cold_speed(0.5) / copy.cold_speed(0.5), row.warm_speed(),
      100 * row.warm_speed() / copy.warm_speed(), row.cold.mhz, row.cold.us.size(),
      200 / row.passes);
  std::fflush(stdout);
}

void print_size(const Options& options, std::uint64_t n, Sampler& sampler) {
  const Limits limits = limits_of(options);
  Measurement measurement({.combination = options.combination(), .kind = options.kind, .n = n},
                          sampler);
  const Row copy{"copy", measurement.copy_bytes(), measurement.copy(Cache::cold, limits),
                 measurement.copy(Cache::warm, limits)};
  print_row(n, copy, copy);
  for (const Rung* rung : rungs()) {
    if (rung->on_cpu || !can_scan(*rung, options.combination(), n) || !runs_here(*rung)) continue;
    if (!options.rung.empty() && rung->name != options.rung) continue;
    const Row row{rung->name, measurement.scan_bytes(),
                  measurement.scan(*rung, Cache::cold, limits),
                  measurement.scan(*rung, Cache::warm, limits), rung->passes(n)};
    print_row(n, row, copy);
  }
}

}  // namespace

void print_list() {
  fmt::print("{:<26} {:>7} {:>10} {:>10}  {}\n", "rung", "passes", "ceiling_%", "max_n", "change");
  for (const Rung* rung : rungs()) {
    const double passes = rung->passes(std::uint64_t{1} << 20);
    fmt::print("{:<26} {:>7.0f} {:>10} {:>10}  {}\n", rung->name, passes,
               rung->on_cpu ? "-" : fmt::format("{:.0f}", 200 / passes),
               rung->max_n == Rung::any_n ? "any" : fmt::to_string(rung->max_n), rung->change);
  }
}

void print_lecture_table(const Options& options, const DeviceInfo& device) {
  Sampler sampler(device);
  const Rung& rung = rung_or(options, contender);
  fmt::print("device: {}\nrung: {}\ntype: {}\n", device.name, rung.name,
             name_of(options.combination().type));
  fmt::print("{:>10} {:>14} {:>14} {:>10} {:>18}\n", "# elements", "CPU Scan (ms)", "GPU Scan (ms)",
             "Speedup", "CPU threads (ms)");
  for (std::uint64_t n = 1024; n <= options.largest_n(); n = n == 1024 ? 32768 : 2 * n) {
    const Limits limits = limits_of(options);
    Case entry = case_of(options, cpu_sequential, n);
    const double cpu_ms = quantile(time_on_cpu(entry, limits), 0.5);
    entry.rung = &cpu_threads;
    const double threads_ms = quantile(time_on_cpu(entry, limits), 0.5);
    Measurement measurement(case_of(options, rung, n), sampler);
    const double gpu_ms = quantile(measurement.scan(rung, Cache::cold, limits).us, 0.5) / 1e3;
    fmt::print("{:>10} {:>14.6f} {:>14.6f} {:>10.2f} {:>18.6f}\n", n, cpu_ms, gpu_ms,
               cpu_ms / gpu_ms, threads_ms);
    std::fflush(stdout);
  }
}

void print_modern_table(const Options& options, const DeviceInfo& device) {
  Sampler sampler(device);
  if (!options.rung.empty()) find_rung(options.rung);
  int cuda = 0;
  check(cudaRuntimeGetVersion(&cuda), "read the version of CUDA");
  fmt::print("device: {}\ncuda: {}.{}\ntype: {}\nop: {}\nkind: {}\n", device.name, cuda / 1000,
             cuda % 1000 / 10, name_of(options.combination().type), name_of(options.op),
             name_of(options.kind));
  fmt::print("{:>6} {:<22} {:>10} {:>8} {:>8} {:>8} {:>6} {:>8} {:>6} {:>5} {:>7} {:>9}\n", "n",
             "rung", "cold_us", "GB/s", "q1", "q3", "copy_%", "warm", "copy_%", "MHz", "samples",
             "ceiling_%");
  for (std::uint64_t n = 1 << 16; n <= options.largest_n(); n *= 4) {
    const Case entry{.combination = options.combination(), .n = n};
    if (bytes_for(entry) * 3 / 2 > free_device_memory()) {
      fmt::print(stderr, "scan_ladder: stopped before {}: not enough device memory.\n",
                 size_name(n));
      return;
    }
    print_size(options, n, sampler);
  }
}

void print_scan(const Options& options, const DeviceInfo& device) {
  const Rung& rung = rung_or(options, contender);
  const Case entry = case_of(options, rung, options.n);
  const Limits limits{.min_samples = options.repetitions(),
                      .max_samples = options.repetitions(),
                      .max_seconds = 3600};
  fmt::print("workload: scan_ladder\nrung: {}\ndevice: {}\ntype: {}\nop: {}\nkind: {}\nn: {}\n",
             rung.name, device.name, name_of(entry.combination.type), name_of(options.op),
             name_of(options.kind), entry.n);
  if (rung.on_cpu) {
    fmt::print("cpu_ms: {:.6f}\n", quantile(time_on_cpu(entry, limits), 0.5));
  } else {
    if (!runs_here(rung)) {
      throw NoDeviceError(
          fmt::format("the rung {} needs a GPU with bulk copies (sm_90)", rung.name));
    }
    Sampler sampler(device);
    Measurement measurement(entry, sampler);
    const Samples samples = measurement.scan(rung, Cache::cold, limits);
    const double us = quantile(samples.us, 0.5);
    fmt::print("cold_us: {:.3f}\ngb_per_s: {:.1f}\nmhz: {:.0f}\nsamples: {}\nthrottled: {}\n", us,
               static_cast<double>(measurement.scan_bytes()) / (1e3 * us), samples.mhz,
               samples.us.size(), samples.throttled);
  }
  fmt::print("verified: yes\n");
}

}  // namespace lapscope::workloads::scan
