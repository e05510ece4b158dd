#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "analyzer/intervals/units.h"
#include "analyzer/model/cause.h"

// How far a prediction may miss, as values: by as much as those of recorded programs like it did
// that the model was not made with.
namespace lapscope::analyzer {

// What a fix changes: how the host waits and calls, what was issued to the device already, or which
// work of its own the host does. Of the last one a prediction is a limit, as if that work cost
// nothing any more.
enum class FixClass : std::uint8_t { host, device, work };

constexpr FixClass class_of(Cause cause) {
  if (cause == Cause::host_compute) return FixClass::work;
  return is_of_host(cause) ? FixClass::host : FixClass::device;
}
constexpr std::string_view name_of(FixClass fixes) {
  return fixes == FixClass::device ? "device" : "host";
}

// Which predictions are like each other, from the narrowest kind to all of them.
enum class PredictionKind : std::uint8_t {
  fix,        // of one fix that saves enough for a finding (assumed::least_saving)
  fix_class,  // of fixes of one class that save as much
  estimate,   // of fixes that save as much, but for those of work
  saving,     // of all that save as much
  any
};

// The least and the most that recorded programs with a fix took, as parts of what was predicted.
struct Residuals {
  PredictionKind kind = PredictionKind::any;
  std::string_view fix;             // its code, of that kind
  FixClass fixes = FixClass::host;  // of that kind
  int programs = 0;
  int pairs = 0;            // of them, several of some programs
  double median_error = 0;  // of |predicted / measured - 1|, from the nearer end
  double low = 1;           // of the shorter end: 19 of 20 programs took as much
  double high = 1;          // of the longer end: 19 of 20 programs took no more
};

// How often the bands held of programs that they were made without, each left out in turn.
struct HeldOut {
  int programs = 0;
  Share covered = 0;  // part of them; of several pairs of a program, their part
};

// The least and the most that a program with a fix takes, in ns, as nine of ten programs like it
// did.
struct ErrorBand {
  Ns low_ns = 0;
  Ns high_ns = 0;
  FixClass fixes = FixClass::host;
  Residuals like;                // what it rests on
  bool is_of_other_gpu = false;  // wider, as none of these ran on such a GPU
  HeldOut held_out;
};

// Predictions for which no recorded program can be evidence.
enum class NotValidated : std::uint8_t {
  faster_engine,  // that an engine is faster: no program has one
  one_site,       // a fix at one call site: no program was recorded with that alone
};

// How sure it is that a fix saves something.
enum class Certainty : std::uint8_t {
  measured,     // programs like this one did, and the band is below the unchanged run
  upper_bound,  // what is predicted is a limit (FixClass::work)
  unknown,      // there is no band, or it reaches to the unchanged run
};

struct Validity {
  std::optional<ErrorBand> band = std::nullopt;
  NotValidated not_for = NotValidated::faster_engine;  // where there is no band
  Certainty certainty = Certainty::unknown;
};

}  // namespace lapscope::analyzer
