#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "collector/schema/sqlite.h"

namespace lapscope::test {

// Releases of Nsight Systems whose exports have different tables, columns or names.
enum class NsysRelease { r2020, r2022, r2024, r2026 };

// A synthetic export in the layout of a release, with the tables and columns that lapscope reads.
// It has one process (pid 100) with one thread, and device 0. Stream 7 is the legacy default
// stream, and stream 13 is non-blocking. Times are ns.
//
//   release  table of GPUs         table of contexts             types of waits      code loading
//   2020     TARGET_INFO_CUDA_GPU  TARGET_INFO_CUDA_NULL_STREAM  1 context, 2 event  not recorded
//   2022     TARGET_INFO_GPU       TARGET_INFO_CUDA_NULL_STREAM  1 context, 2 event  not recorded
//   2024     TARGET_INFO_GPU       TARGET_INFO_CUDA_CONTEXT_INFO 0 context, 1 event  not recorded
//   2026     TARGET_INFO_GPU       TARGET_INFO_CUDA_CONTEXT_INFO 4 context, 1 event  recorded
class ExportFile {
 public:
  ExportFile(const std::filesystem::path& path, NsysRelease release);

  // Adds a call and returns its correlation id. `result` is a cudaError_t.
  std::int64_t call(const std::string& function, std::int64_t start, std::int64_t end,
                    std::int64_t result = 0);
  // Adds ops of a call. If `call` is 0, the op has no call. `name` is the full name of a kernel.
  void kernel(const std::string& name, std::int64_t start, std::int64_t end, std::int64_t call,
              std::int64_t stream = 13, std::int64_t blocks = 1);
  // `kind` is 1 for copies to the device, 2 for copies to the host, 11 and 12 for migrations.
  void copy(std::int64_t kind, std::int64_t start, std::int64_t end, std::int64_t call,
            std::int64_t stream = 13, std::int64_t bytes = 1 << 20);
  // Adds the record of what a call waited for. `type` is the number that the release of Nsight
  // Systems uses for this kind of wait.
  void wait(std::int64_t call, std::int64_t type, std::int64_t event = 4294967295);
  void record_event(std::int64_t call, std::int64_t event, std::int64_t stream = 13);
  void range(const std::string& text, std::int64_t start, std::int64_t end);
  void diagnostic(int severity, const std::string& text);
  void sql(const std::string& statements) { database_.execute(statements); }
  // Sets the number of copies that can run at the same time.
  void copy_engines(int count);

 private:
  std::int64_t name(const std::string& text);

  NsysRelease release_;
  schema::Database database_;
  std::int64_t names_ = 0;
  std::int64_t calls_ = 0;
};

}  // namespace lapscope::test
