// Runs every implementation of scan, one after the other (see --help and README.md).

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <bit>
#include <chrono>
#include <cstdio>
#include <functional>
#include <stdexcept>
#include <vector>

#include "workloads/harness/device.h"
#include "workloads/harness/free_memory.h"
#include "workloads/harness/guard.h"
#include "workloads/harness/handles.h"
#include "workloads/harness/measured_region.h"
#include "workloads/harness/timed_kernels.h"
#include "workloads/harness/workload_report.h"
#include "workloads/scan/bench/scan_options.h"
#include "workloads/scan/bench/verify.h"

namespace lapscope::workloads::scan {
namespace {

// By default, rungs of the CPU get at most this many elements, because more take seconds.
constexpr std::uint64_t most_on_cpu = 1 << 24;

std::string size_name(std::uint64_t n) {
  return std::has_single_bit(n) ? fmt::format("2^{}", std::countr_zero(n)) : fmt::to_string(n);
}

std::string range_name(std::uint64_t n) { return fmt::format("n = {}", n); }

void require_right(const Rung& rung, std::uint64_t n, std::optional<std::uint64_t> wrong) {
  if (!wrong) return;
  throw std::runtime_error(
      fmt::format("wrong result: {} of {} elements at element {}", rung.name, n, *wrong));
}

// Measures how long work takes on the device, without delays of the host. A gate holds the stream
// back until a sample and the two events around it are issued.
class Sampler {
 public:
  explicit Sampler(int samples)
      : samples_(samples), flush_bytes_(bytes_to_flush()), flushed_(flush_bytes_) {}

  cudaStream_t stream() const { return stream_.get(); }

  // `work` issues only the work to measure. Its first call is not measured. This call loads kernels
  // and allocates memory, before the measured region.
  std::vector<double> us(std::string_view name, std::uint64_t n,
                         const std::function<void()>& work) {
    work();
    check(cudaStreamSynchronize(stream()), "wait for the work before it is timed");
    const MeasuredRegion region(std::string(name).c_str());
    const NvtxRange range(range_name(n).c_str());
    std::vector<double> times;
    while (times.size() < static_cast<std::size_t>(samples_)) {
      gate_.close(stream());
      check(cudaMemsetAsync(flushed_.data(), 0, flush_bytes_, stream()), "flush the cache");
      begin_.record(stream());
      work();
      end_.record(stream());
      gate_.open();
      check(cudaStreamSynchronize(stream()), "wait for a timed sample");
      times.push_back(end_.us_since(begin_));
    }
    return times;
  }

 private:
  // Writing twice the size of the cache replaces all earlier data, whatever the replacement policy.
  static std::size_t bytes_to_flush() {
    int cache_bytes = 0;
    check(cudaDeviceGetAttribute(&cache_bytes, cudaDevAttrL2CacheSize, 0),
          "read the size of the second-level cache");
    return 2 * static_cast<std::size_t>(cache_bytes);
  }

  int samples_;
  std::size_t flush_bytes_;
  DeviceBuffer<std::byte> flushed_;
  Stream stream_{StreamKind::non_blocking};
  StreamGate gate_;
  Event begin_;
  Event end_;
};

// `copy_us` is the median time of the copy, or 0 if it was not measured.
void print_row(const Options& options, std::uint64_t n, std::string_view name,
               const std::vector<double>& us, double copy_us) {
  const double bytes = 2.0 * static_cast<double>(n * bytes_of(options.type));
  const Quartiles q = quartiles(us);
  fmt::print("{:>8}  {:<20} {:>12.3f} {:>8.1f} {:>8.1f} {:>8.1f} {:>7}\n", size_name(n), name,
             q.median, bytes / (1e3 * q.median), bytes / (1e3 * q.high), bytes / (1e3 * q.low),
             copy_us == 0 ? "-" : fmt::format("{:.1f}", 100 * copy_us / q.median));
  std::fflush(stdout);
}

void print_cpu_row(const Options& options, std::uint64_t n, const Rung& rung) {
  using Clock = std::chrono::steady_clock;
  const std::size_t bytes = n * bytes_of(options.type);
  require_memory({2 * bytes, 0}, free_memory(0), "give a smaller --n");
  std::vector<std::byte> in(bytes);
  std::vector<std::byte> out(bytes);
  fill_host(options.type, in.data(), n);
  const MeasuredRegion region(std::string(rung.name).c_str());
  const NvtxRange range(range_name(n).c_str());
  std::vector<double> us;
  for (int sample = 0; sample < options.samples; ++sample) {
    const auto begin = Clock::now();
    rung.scan({options.type, options.kind, in.data(), out.data(), n});
    us.push_back(std::chrono::duration<double, std::micro>(Clock::now() - begin).count());
  }
  require_right(rung, n, first_wrong_on_host(options.type, options.kind, out.data(), n));
  print_row(options, n, rung.name, us, 0);
}

void print_device_rows(const Options& options, std::uint64_t n,
                       const std::vector<const Rung*>& chosen, Sampler& sampler) {
  const std::uint64_t needed = DeviceArrays::bytes_for(options.type, n, Placement::aligned);
  require_memory({0, needed}, free_memory(1), "give a smaller --n");
  const DeviceArrays arrays(options.type, n);
  arrays.fill(sampler.stream());
  const std::vector<double> copy = sampler.us("copy", n, [&] {
    check(cudaMemcpyAsync(arrays.out(), arrays.in(), n * bytes_of(options.type),
                          cudaMemcpyDeviceToDevice, sampler.stream()),
          "copy the input");
  });
  const double copy_us = quantile(copy, 0.5);
  print_row(options, n, "copy", copy, copy_us);
  for (const Rung* rung : chosen) {
    Workspace workspace;
    const ScanCall call{options.type, options.kind,    arrays.in(), arrays.out(), n,
                        &workspace,   sampler.stream()};
    arrays.fill(sampler.stream());
    const std::vector<double> us = sampler.us(rung->name, n, [&] { rung->scan(call); });
    require_right(*rung, n, arrays.first_wrong(options.kind, sampler.stream()));
    print_row(options, n, rung->name, us, copy_us);
  }
}

void print_table(const Options& options, const DeviceInfo* device) {
  MeasuredRegion::prepare();
  int cuda = 0;
  check(cudaRuntimeGetVersion(&cuda), "read the version of CUDA");
  fmt::print("device: {}\ncuda: {}.{}\ntype: {}\nkind: {}\nsamples: {}\n",
             device == nullptr ? "none" : device->name, cuda / 1000, cuda % 1000 / 10,
             name_of(options.type), name_of(options.kind), options.samples);
  fmt::print("{:>8}  {:<20} {:>12} {:>8} {:>8} {:>8} {:>7}\n", "n", "rung", "us", "GB/s", "q1",
             "q3", "copy_%");
  std::optional<Sampler> sampler;
  if (device != nullptr) sampler.emplace(options.samples);
  for (const std::uint64_t n : options.sizes()) {
    std::vector<const Rung*> on_device;
    for (const Rung* rung : options.chosen()) {
      if (n > rung->max_n) continue;
      if (!rung->on_cpu) {
        on_device.push_back(rung);
      } else if (n <= most_on_cpu || options.n) {
        print_cpu_row(options, n, *rung);
      }
    }
    if (!on_device.empty()) print_device_rows(options, n, on_device, *sampler);
  }
  fmt::print("verified: yes\n");
}

void verify(const Options& options, bool on_device) {
  std::optional<Stream> stream;
  if (on_device) stream.emplace(StreamKind::non_blocking);
  Verdict all;
  fmt::print("{:<20} {:>6} {:>6} {:>8} {:>11}\n", "rung", "cases", "wrong", "skipped", "largest_n");
  for (const Rung* rung : options.chosen()) {
    const Verdict verdict = verify_rung(*rung, options.sizes(), stream ? stream->get() : nullptr);
    all.cases += verdict.cases;
    all.wrong += verdict.wrong;
    fmt::print("{:<20} {:>6} {:>6} {:>8} {:>11}\n", rung->name, verdict.cases, verdict.wrong,
               verdict.skipped, verdict.largest);
    std::fflush(stdout);
  }
  if (all.wrong > 0) throw std::runtime_error("wrong results, listed above");
  if (all.cases == 0) throw SkippedError("no case of this size, or too little memory for it");
  fmt::print("verified: yes\n");
}

void print_list() {
  fmt::print("{:<20} {:>6}  {}\n", "rung", "max_n", "change");
  for (const Rung* rung : rungs()) {
    fmt::print("{:<20} {:>6}  {}\n", rung->name,
               rung->max_n == Rung::any_n ? "any" : fmt::to_string(rung->max_n), rung->change);
  }
}

void run(int argc, char** argv) {
  const auto options = parse_options(argc, argv);
  if (!options) return;
  if (options->task == Task::list) return print_list();
  std::optional<DeviceInfo> device;
  if (options->rung == nullptr || !options->rung->on_cpu) device = open_device();
  if (options->task == Task::verify) return verify(*options, device.has_value());
  print_table(*options, device ? &*device : nullptr);
}

}  // namespace
}  // namespace lapscope::workloads::scan

int main(int argc, char** argv) {
  return lapscope::workloads::guard("scan_ladder",
                                    [&] { lapscope::workloads::scan::run(argc, argv); });
}
