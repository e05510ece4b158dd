#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "collector/schema/tables.h"
#include "collector/trace/trace_file.h"

// What calibrations found, in a file of the user's cache folder: JSON, one object:
//   {"schema": "lapscope-call-costs/3", "calibrations": [{"created", "host", "gpu", "driver",
//    "cupti", "request", "problem": null | why there are no costs,
//    "costs": [{"kind", "bare_ns", "recorded_ns", "spread_ns"}]}]}
namespace lapscope::launch {

// What costs depend on: where, and what is recorded.
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

// $XDG_CACHE_HOME/lapscope, else ~/.cache/lapscope; nothing where neither is known.
std::optional<std::filesystem::path> cache_folder();

// The file, while no other process of this user calibrates. Waits for one that does, so long.
class CostFile {
 public:
  // Makes the folder if need be. Throws std::system_error, with a sentence, where that cannot be,
  // nothing can be written there, or the other one does not end.
  CostFile(const std::filesystem::path& folder, std::chrono::milliseconds longest_wait);
  ~CostFile();
  CostFile(const CostFile&) = delete;
  CostFile& operator=(const CostFile&) = delete;

  // What is known of a key. A file that cannot be understood holds nothing.
  std::optional<KeptCosts> find(const CostKey& key) const;
  // In place of what is known of its key. Throws std::system_error.
  void keep(const KeptCosts& costs) const;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::vector<KeptCosts> read() const;

  std::filesystem::path path_;
  int lock_ = -1;
};

}  // namespace lapscope::launch
