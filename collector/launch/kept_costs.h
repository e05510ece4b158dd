#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "collector/schema/tables.h"
#include "collector/trace/trace_file.h"

// Stores the results of calibrations in a file of the user's cache folder. The file has one JSON
// object:
//   {"schema": "lapscope-call-costs/3", "calibrations": [{"created", "host", "gpu", "driver",
//    "cupti", "request", "problem": null | why there are no costs,
//    "costs": [{"kind", "bare_ns", "recorded_ns", "spread_ns"}]}]}
namespace lapscope::launch {

// The facts that costs depend on: the machine, and the request.
struct CostKey {
  trace::Setting setting;
  std::string request;  // Request::text()

  friend bool operator==(const CostKey&, const CostKey&) = default;
};

struct KeptCosts {
  CostKey key;
  std::string created;  // UTC, ISO 8601
  std::string problem;  // a sentence; then there are no costs
  std::vector<schema::CallCostRow> costs;
};

// Returns $XDG_CACHE_HOME/lapscope, else ~/.cache/lapscope; nothing if neither is known.
std::optional<std::filesystem::path> cache_folder();

// Returns the time that recording adds to the launch of a kernel, in ns. Nothing if it is not
// known.
std::optional<std::int64_t> added_to_launch(const KeptCosts& costs);

// Returns the newest result for a host and a request, with any GPU, driver and CUPTI. Nothing if
// there is none. Takes no lock.
std::optional<KeptCosts> newest_costs(const std::filesystem::path& folder, std::string_view host,
                                      std::string_view request);

// The file with the results. While this object exists, the file is locked, so no other process of
// this user calibrates.
class CostFile {
 public:
  // Makes the folder if it does not exist, and locks the file. Waits at most `longest_wait` for
  // another process that calibrates. Throws std::system_error with a sentence if the folder cannot
  // be made or written to, or if the lock is not free in time.
  CostFile(const std::filesystem::path& folder, std::chrono::milliseconds longest_wait);
  ~CostFile();
  CostFile(const CostFile&) = delete;
  CostFile& operator=(const CostFile&) = delete;

  // Returns the result for a key; nothing if there is none. A file that cannot be parsed is treated
  // as empty.
  std::optional<KeptCosts> find(const CostKey& key) const;
  // Stores a result in place of the earlier one for its key. Throws std::system_error.
  void keep(const KeptCosts& costs) const;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  int lock_ = -1;
};

}  // namespace lapscope::launch
