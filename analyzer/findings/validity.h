#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "analyzer/model/cause.h"

// How far a prediction may miss, as values: by as much as those of recorded pairs did whose fix is
// of the same class, and only where there are such pairs.
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
  ClassErrors errors;    // what it rests on
  KeptAside kept_aside;  // how often such bands were right
};

// What no recorded pair is evidence for.
enum class NotValidated : std::uint8_t {
  faster_engine,   // that an engine is faster
  number,          // a fix with a number
  one_site,        // a fix at one call site
  several_fixes,   // at once
  fix,             // this one; the next ones are of this one where
  sharing,         // the trace does not show what kernels share,
  last_wave,       // nor what their last waves leave to others,
  values,          // the host reads values that it waits for,
  races,           // threads race for a stream,
  idle,            // no engine is then as busy as Validity::least_busy,
  without_effect,  // it changes nothing
};

// A band, or what there is no evidence for.
struct Validity {
  std::optional<ErrorBand> band = std::nullopt;
  NotValidated not_for = NotValidated::fix;  // where there is no band
  Cause fix = Cause::unexplained;            // that it is about, if it is about one
  double least_busy = 0;                     // of the time, as ClassErrors has it
};

}  // namespace lapscope::analyzer
