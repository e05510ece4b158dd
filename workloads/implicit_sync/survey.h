#pragma once

#include <chrono>
#include <iosfwd>
#include <string>
#include <vector>

#include "workloads/harness/device.h"
#include "workloads/implicit_sync/call.h"
#include "workloads/implicit_sync/observation.h"
#include "workloads/implicit_sync/wait_verdict.h"

namespace lapscope::workloads::implicit_sync {

// Returns how long the call takes on an idle device by the host's clock, in ms. Throws Unavailable
// if the call fails. Throws std::runtime_error if the device fails.
double time_idle(Rig& rig, const Trial& trial);

// Makes the call while a kernel of `length` runs on all multiprocessors, then launches another
// kernel. Measures both kernels and the call. Throws the same exceptions as `time_idle`.
Observation observe(Rig& rig, const Trial& trial, Arrangement arrangement,
                    std::chrono::nanoseconds length);

// All results for one call.
struct CallResult {
  const Call* call = nullptr;
  std::string unavailable;  // Why the call could not be measured; empty otherwise.

  std::vector<double>
      idle_ms;           // By repeat; the first call of all, which may load things, is left out.
  double kernel_ms = 0;  // Length of the kernel before the call.
  Observations seen;
  Behaviour behaviour;
};

// Throws std::runtime_error if the device fails.
CallResult survey(Rig& rig, const Call& call, int repeats);

// Returns the median host time of the call while a kernel runs in an unrelated stream, in ms.
double busy_ms(const CallResult& result);

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
