#include "workloads/scan/bench/tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <string>
#include <thread>
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

// Of one scan: as many as asked for.
Limits samples_of(const Options& options) {
  return {.min_samples = options.repetitions(),
          .max_samples = options.repetitions(),
          .max_seconds = 3600};
}

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
  std::string first_us = "-";
  double passes = 2;

  double cold_speed(double q) const { return speed(quantile(cold.us, 1 - q)); }
  double warm_speed(double q) const { return speed(quantile(warm.us, 1 - q)); }

 private:
  double speed(double us) const { return static_cast<double>(bytes) / (1e3 * us); }
};

void print_row(std::uint64_t n, const Row& row, const Row& copy) {
  fmt::print(
      "{:>6} {:<24} {:>10.2f} {:>8.1f} {:>8.1f} {:>8.1f} {:>6.1f} {:>8.1f} {:>8.1f} {:>8.1f} "
      "{:>11.1f} {:>5.0f} {:>7} {:>9.1f} {:>10}\n",
      size_name(n), row.name, quantile(row.cold.us, 0.5), row.cold_speed(0.5), row.cold_speed(0.25),
      row.cold_speed(0.75), 100 * row.cold_speed(0.5) / copy.cold_speed(0.5), row.warm_speed(0.5),
      row.warm_speed(0.25), row.warm_speed(0.75), 100 * row.warm_speed(0.5) / copy.warm_speed(0.5),
      row.cold.mhz, row.cold.us.size(), 200 / row.passes, row.first_us);
  std::fflush(stdout);
}

std::vector<const Rung*> rungs_at(const Options& options, std::uint64_t n) {
  std::vector<const Rung*> chosen;
  for (const Rung* rung : rungs()) {
    if (rung->on_cpu || !can_scan(*rung, options.combination(), n) || !runs_here(*rung)) continue;
    if (options.rung.empty() || rung->name == options.rung) chosen.push_back(rung);
  }
  return chosen;
}

void print_size(const Options& options, std::uint64_t n, Sampler& sampler) {
  const Limits limits = limits_of(options);
  const auto chosen = rungs_at(options, n);
  Case entry{.combination = options.combination(), .kind = options.kind, .n = n};
  // The one that needs the most memory.
  const auto copies = std::ranges::find_if(chosen, &Rung::copies_array);
  if (copies != chosen.end()) entry.rung = *copies;
  Measurement measurement(entry, sampler);
  const Row copy{.name = "copy",
                 .bytes = measurement.copy_bytes(),
                 .cold = measurement.copy(Cache::cold, limits),
                 .warm = measurement.copy(Cache::warm, limits)};
  print_row(n, copy, copy);
  for (const Rung* rung : chosen) {
    Row row{.name = rung->name,
            .bytes = measurement.scan_bytes(),
            .cold = measurement.scan(*rung, Cache::cold, limits),
            .warm = measurement.scan(*rung, Cache::warm, limits),
            .passes = rung->passes(n)};
    if (rung->single_pass) {
      row.first_us = fmt::format("{:.2f}", quantile(measurement.first_scan(*rung, limits).us, 0.5));
    }
    print_row(n, row, copy);
  }
}

void print_head(const Options& options, const Rung& rung, std::string_view device) {
  fmt::print("workload: scan_ladder\nrung: {}\ndevice: {}\ntype: {}\nop: {}\nkind: {}\nn: {}\n",
             rung.name, device, name_of(options.combination().type), name_of(options.op),
             name_of(options.kind), options.n);
}

}  // namespace

void require_gpu_rung(const Options& options) {
  if (options.rung.empty() || !find_rung(options.rung).on_cpu) return;
  throw UsageError(
      fmt::format("--table and --torture are of rungs of the GPU, not of {}; time one "
                  "of the CPU with --rung {} --n N",
                  options.rung, options.rung));
}

void require_runs_here(const Rung& rung) {
  if (runs_here(rung)) return;
  throw NoDeviceError(fmt::format("the rung {} needs a GPU with bulk copies (sm_90)", rung.name));
}

void print_list(const Options& options) {
  fmt::print("{:<26} {:>7} {:>10} {:>10}  {}\n", "rung", "passes", "ceiling_%", "max_n", "change");
  for (const Rung* rung : rungs()) {
    const double passes = rung->passes(options.n);
    fmt::print("{:<26} {:>7.0f} {:>10} {:>10}  {}\n", rung->name, passes,
               rung->on_cpu ? "-" : fmt::format("{:.1f}", 200 / passes),
               rung->max_n == Rung::any_n ? "any" : fmt::to_string(rung->max_n), rung->change);
  }
  fmt::print("passes and ceiling_% are those of n = {}; --n chooses another.\n",
             size_name(options.n));
}

void print_lecture_table(const Options& options, const DeviceInfo& device) {
  require_gpu_rung(options);
  Sampler sampler(device);
  const Rung& rung = rung_or(options, contender);
  fmt::print("device: {}\nrung: {}\ntype: {}\n", device.name, rung.name,
             name_of(options.combination().type));
  fmt::print("{:>10} {:>14} {:>14} {:>10} {:>18}\n", "# elements", "CPU Scan (ms)", "GPU Scan (ms)",
             "Speedup", "CPU threads (ms)");
  for (std::uint64_t n = lecture_begins; n <= options.largest_n();
       n = n == lecture_begins ? 32768 : 2 * n) {
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
  require_gpu_rung(options);
  if (!options.rung.empty()) {
    require_runs_here(*case_of(options, find_rung(options.rung), modern_begins).rung);
  }
  Sampler sampler(device);
  int cuda = 0;
  check(cudaRuntimeGetVersion(&cuda), "read the version of CUDA");
  fmt::print("device: {}\ncuda: {}.{}\ntype: {}\nop: {}\nkind: {}\n", device.name, cuda / 1000,
             cuda % 1000 / 10, name_of(options.combination().type), name_of(options.op),
             name_of(options.kind));
  fmt::print(
      "{:>6} {:<24} {:>10} {:>8} {:>8} {:>8} {:>6} {:>8} {:>8} {:>8} {:>11} {:>5} {:>7} {:>9} "
      "{:>10}\n",
      "n", "rung", "cold_us", "GB/s", "q1", "q3", "copy_%", "warm", "warm_q1", "warm_q3",
      "warm_copy_%", "MHz", "samples", "ceiling_%", "first_us");
  const auto factor = static_cast<std::uint64_t>(options.factor);
  for (std::uint64_t n = modern_begins; n <= options.largest_n(); n *= factor) {
    print_size(options, n, sampler);
  }
}

void print_cpu_scan(const Options& options) {
  const Rung& rung = find_rung(options.rung);
  const double ms =
      quantile(time_on_cpu(case_of(options, rung, options.n), samples_of(options)), 0.5);
  print_head(options, rung,
             fmt::format("CPU, {} threads", std::max(1U, std::thread::hardware_concurrency())));
  fmt::print("cpu_ms: {:.6f}\nverified: yes\n", ms);
}

void print_scan(const Options& options, const DeviceInfo& device) {
  const Rung& rung = rung_or(options, contender);
  const Case entry = case_of(options, rung, options.n);
  require_runs_here(rung);
  Sampler sampler(device);
  Measurement measurement(entry, sampler);
  print_head(options, rung, device.name);
  const Samples samples = measurement.scan(rung, Cache::cold, samples_of(options));
  const double us = quantile(samples.us, 0.5);
  fmt::print(
      "cold_us: {:.3f}\ngb_per_s: {:.1f}\nmhz: {:.0f}\nsamples: {}\nthrottled: {}\nverified: yes\n",
      us, static_cast<double>(measurement.scan_bytes()) / (1e3 * us), samples.mhz,
      samples.us.size(), samples.throttled);
}

}  // namespace lapscope::workloads::scan
