#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "analyzer/findings/causes_result.h"
#include "analyzer/model/cause.h"

// How far a prediction may miss: by as much as those of recorded pairs did whose fix is of the same
// class, and only where there are such pairs.
namespace lapscope::analyzer {

// What a fix changes: what the host does, or what was issued to the device already.
enum class FixClass : std::uint8_t { host, device };

constexpr FixClass class_of(Cause cause) {
  return is_of_host(cause) ? FixClass::host : FixClass::device;
}
constexpr std::string_view name_of(FixClass fixes) {
  return fixes == FixClass::host ? "host" : "device";
}

// What recorded pairs show of the fixes of a class: by what share predictions missed what the
// program that was put right takes without a recorder, |predicted / measured - 1|.
struct ClassErrors {
  int pairs = 0;
  double median_error = 0;
  double error = 0;       // nine of ten new pairs are within, if they are like these
  double least_busy = 0;  // of their predicted runs: the least Prediction::busy_share
};

struct RecordedAccuracy {
  ClassErrors host;
  ClassErrors device;
  // Codes of the fixes that have a band: of each there are several cases, and of its class so many
  // pairs that a tenth of them is not less than one.
  std::array<std::string_view, cause_count> codes{};

  const ClassErrors& of(FixClass fixes) const { return fixes == FixClass::host ? host : device; }
  bool knows(Cause cause) const {
    return std::find(codes.begin(), codes.end(), code_of(cause)) != codes.end();
  }
};

// Pairs that nothing was fitted to: of how many the prediction has a band, and of how many of these
// that was right.
struct KeptAside {
  int bands = 0;
  int held = 0;
};

// Between what and what a program with a fix takes, in ns, if its prediction misses by no more than
// those of recorded pairs did, and by what the replay of the unchanged run is off besides. Nothing
// promises that: those programs are small.
struct ErrorBand {
  std::int64_t low_ns = 0;
  std::int64_t high_ns = 0;
  FixClass fixes = FixClass::host;
};

// A band, or what there is no evidence for.
struct Validity {
  std::optional<ErrorBand> band;
  std::string not_for;  // as: sm-saturated
};

// By the recorded pairs that lapscope knows of (recorded_accuracy.h). `replay` is that of the
// unchanged run; one without a length is taken to be right.
Validity validity_of(const Prediction& predicted, const ReplayResult& replay);
Validity validity_of(const Prediction& predicted, const ReplayResult& replay,
                     const RecordedAccuracy& known);

// Whether the two ends of a prediction are so far apart that the trace leaves it open.
bool is_in_doubt(const Prediction& predicted, std::int64_t wall_ns);

}  // namespace lapscope::analyzer
