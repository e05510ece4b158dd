#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "workloads/harness/device.h"
#include "workloads/implicit_sync/survey.h"

namespace lapscope::workloads::implicit_sync {

// The results of a whole run.
struct Survey {
  std::string device;
  CudaVersions versions;
  int repeats = 0;
  std::vector<CallResult> results;
  std::vector<std::string> failures;  // Sentences about controls; empty if all came out right.
  std::string date = {};              // The date of the measurement in UTC: "2026-11-21".
};

// Prints the table, then why calls are missing from it, and then "key: value" lines.
void render_text(std::ostream& out, const Survey& survey);

// Prints JSON with the same contents, and with all measured figures. README.md explains the keys.
void render_json(std::ostream& out, const Survey& survey);

// Prints what the documentation says about each call. Measures nothing.
void render_list(std::ostream& out, const std::vector<const Call*>& calls);

}  // namespace lapscope::workloads::implicit_sync
