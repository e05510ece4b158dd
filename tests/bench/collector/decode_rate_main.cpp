// Measures how fast the collector's writer thread writes records of launches into a trace. Programs
// that launch at this rate for hours lose no records. Needs libcupti, but no GPU.

#include <fmt/core.h>
#include <time.h>

#include <CLI/CLI.hpp>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "collector/cupti/cupti_api.h"
#include "collector/cupti/records.h"
#include "collector/decode/decoder.h"
#include "collector/inject/buffer_pool.h"
#include "collector/trace/trace_file.h"
#include "collector/trace/trace_writer.h"

namespace lapscope::bench {
namespace {

namespace records = cupti::records;

constexpr std::uint64_t session_start = 1'700'000'000'000'000'000;
constexpr std::uint64_t launch_ns = 3'000;
constexpr std::uint32_t streams = 4;

// Returns the processor time of this thread, including system calls. Other programs change this
// time less than they change the elapsed time.
double cpu_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

// A buffer with the records of a loop of launches, as CUPTI fills it: calls first, and kernels
// later in groups, because CUPTI reads several kernels from the GPU at a time.
class LaunchLoop {
 public:
  LaunchLoop(std::size_t kernel_size, std::size_t call_size)
      : kernel_size_(kernel_size), call_size_(call_size) {}

  std::size_t launches_per_buffer() const {
    return inject::BufferPool::buffer_size / (kernel_size_ + call_size_);
  }

  std::vector<std::uint8_t> next() {
    const std::size_t launches = launches_per_buffer();
    std::vector<std::uint8_t> buffer(launches * (kernel_size_ + call_size_));
    std::uint8_t* at = buffer.data();
    for (std::size_t i = 0; i < launches; ++i, at += call_size_) put(at, call(launched_ + i));
    for (std::size_t i = 0; i < launches; ++i, at += kernel_size_) put(at, kernel(launched_ + i));
    launched_ += launches;
    return buffer;
  }

 private:
  template <class Record>
  void put(std::uint8_t* at, const Record& record) {
    const std::size_t room = sizeof record == sizeof(records::Api) ? call_size_ : kernel_size_;
    std::memcpy(at, &record, std::min(room, sizeof record));
  }

  static records::Api call(std::uint64_t index) {
    records::Api record{};
    record.kind = CUPTI_ACTIVITY_KIND_RUNTIME;
    record.cbid = CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000;
    record.start = session_start + index * launch_ns;
    record.end = record.start + 2'700;
    record.processId = 4711;
    record.threadId = 4711;
    record.correlationId = static_cast<std::uint32_t>(index + 1);
    return record;
  }

  static records::Kernel kernel(std::uint64_t index) {
    records::Kernel record{};
    record.kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
    record.registersPerThread = 16;
    record.start = session_start + index * launch_ns + 4'000;
    record.end = record.start + 1'500;
    record.contextId = 1;
    record.streamId = 13 + static_cast<std::uint32_t>(index) % streams;
    record.gridX = record.gridY = record.gridZ = 1;
    record.blockX = record.blockY = record.blockZ = 1;
    record.correlationId = static_cast<std::uint32_t>(index + 1);
    record.gridId = static_cast<std::int64_t>(index + 1);
    record.name = "_Z6kernelPi";
    record.sharedMemoryExecuted = 32'768;
    record.channelID = 9;
    record.channelType = 1;
    record.localMemoryTotal_v2 = 53'477'376;
    return record;
  }

  const std::size_t kernel_size_;
  const std::size_t call_size_;
  std::uint64_t launched_ = 0;
};

int measure(std::size_t launches, const std::filesystem::path& output,
            const std::optional<std::string>& library) {
  const cupti::LoadResult loaded = cupti::load_cupti(library, {});
  if (!loaded.api) {
    fmt::print(stderr, "decode_rate: {}.\n", loaded.problem);
    return 4;
  }
  const cupti::CuptiApi& api = *loaded.api;
  const std::size_t kernel_size =
      cupti::probe_record_size(api, CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
  const std::size_t call_size = cupti::probe_record_size(api, CUPTI_ACTIVITY_KIND_RUNTIME);
  LaunchLoop loop(kernel_size, call_size);

  trace::remove_files(output);
  double walking = 0;
  double decoding = 0;
  double committing = 0;
  double closing = 0;
  std::size_t done = 0;
  {
    trace::TraceWriter trace(output);
    decode::Decoder decoder(trace, api, 4711, static_cast<std::int64_t>(session_start));
    constexpr std::size_t buffers_per_commit =
        8;  // the buffers of 200 ms of launches without pause
    for (std::size_t buffers = 1; done < launches; ++buffers) {
      std::vector<std::uint8_t> buffer = loop.next();
      auto begin = cpu_seconds();
      CUpti_Activity* record = nullptr;
      while (api.activity_get_next_record(buffer.data(), buffer.size(), &record) == CUPTI_SUCCESS) {
      }
      walking += cpu_seconds() - begin;
      begin = cpu_seconds();
      decoder.decode(buffer.data(), buffer.size());
      decoding += cpu_seconds() - begin;
      done += loop.launches_per_buffer();
      if (buffers % buffers_per_commit != 0) continue;
      begin = cpu_seconds();
      decoder.write_counts();
      trace.commit();
      committing += cpu_seconds() - begin;
    }
    const auto begin = cpu_seconds();
    decoder.finish();
    decoder.write_counts();
    trace.finish();
    closing = cpu_seconds() - begin;
  }
  const auto per_launch = [done](double seconds) {
    return seconds * 1e9 / static_cast<double>(done);
  };
  fmt::print("cupti: {}\nrecord_bytes_per_launch: {}\nlaunches: {}\n", api.version,
             kernel_size + call_size, done);
  fmt::print("walk_ns_per_launch: {:.0f}\ndecode_ns_per_launch: {:.0f}\n", per_launch(walking),
             per_launch(decoding));
  fmt::print("commit_ns_per_launch: {:.0f}\nclose_ms: {:.1f}\n", per_launch(committing),
             closing * 1e3);
  fmt::print("launches_per_s: {:.0f}\n",
             static_cast<double>(done) / (decoding + committing + closing));
  fmt::print("trace_bytes_per_launch: {:.1f}\n",
             static_cast<double>(std::filesystem::file_size(output)) / static_cast<double>(done));
  trace::remove_files(output);
  return 0;
}

}  // namespace
}  // namespace lapscope::bench

int main(int argc, char** argv) {
  std::size_t launches = 2'000'000;
  std::filesystem::path output = "decode_rate.sqlite";
  std::optional<std::string> library;
  CLI::App app("How fast the collector turns CUPTI's records of kernel launches into a trace.");
  app.add_option("--launches", launches, "How many to decode")->capture_default_str();
  app.add_option("--output", output, "The trace, which is removed again")->capture_default_str();
  app.add_option("--cupti", library, "A libcupti to use instead of searching");
  CLI11_PARSE(app, argc, argv);
  try {
    return lapscope::bench::measure(launches, output, library);
  } catch (const std::exception& error) {
    fmt::print(stderr, "decode_rate: {}.\n", error.what());
    return 4;
  }
}
